//! Functions that run bare beside cassette tests.

use crate::inside::{self, Inside};

/// Runs a future in which annotated functions are what they are without their attribute: for a plain test in a program that has
/// cassette tests too.
///
/// ```no_run
/// # async fn search(_: &str) -> Vec<String> { Vec::new() }
/// # async fn of() {
/// let hits = cassette_test::live(search("Bergen")).await;
/// # let _ = hits;
/// # }
/// ```
pub async fn live<F: Future>(future: F) -> F::Output {
    inside::poll(Inside::Live, future).await
}

/// Runs a closure in which annotated functions are what they are without their attribute, as [`live`] does.
pub fn live_blocking<T>(function: impl FnOnce() -> T) -> T {
    inside::run(&Inside::Live, function)
}

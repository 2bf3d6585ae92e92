//! Where a test's cassette is the current one: on a thread, in a future, in a closure.

use std::pin::pin;

use crate::ambient::{self, Entered};
use crate::cassette::Cassette;
use crate::inside;

impl Cassette {
    /// Makes this cassette the current one of this thread, until what is returned is dropped.
    pub fn enter(&self) -> Entered {
        ambient::enter(self.as_scope())
    }

    /// Makes this cassette the current one of this future, on whichever thread it runs.
    ///
    /// ```no_run
    /// # async fn look_up(_: &str) -> String { String::new() }
    /// # async fn of(cassette: cassette_test::Cassette) {
    /// let town = tokio::spawn(cassette.scope(async { look_up("Bergen").await }));
    /// # let _ = town;
    /// # }
    /// ```
    ///
    /// Where this is called within a function that is recorded, what the future calls is a part of that function, too.
    pub fn scope<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        let (cassette, inside) = (self.clone(), inside::here(self.as_scope()));
        async move {
            let mut future = pin!(future);
            std::future::poll_fn(|cx| {
                let _entered = cassette.enter();
                match &inside {
                    Some(inside) => inside::run(inside, || future.as_mut().poll(cx)),
                    None => future.as_mut().poll(cx),
                }
            })
            .await
        }
    }

    /// Makes this cassette the current one of this closure, on whichever thread it runs, as [`scope`](Cassette::scope) does of a
    /// future.
    ///
    /// ```no_run
    /// # fn look_up(_: &str) -> String { String::new() }
    /// # let cassette = cassette_test::Cassette::current();
    /// let town = std::thread::spawn(cassette.scoped(|| look_up("Bergen")));
    /// # let _ = town;
    /// ```
    pub fn scoped<T, F: FnOnce() -> T>(&self, closure: F) -> impl FnOnce() -> T + use<T, F> {
        let (cassette, inside) = (self.clone(), inside::here(self.as_scope()));
        move || {
            let _entered = cassette.enter();
            match &inside {
                Some(inside) => inside::run(inside, closure),
                None => closure(),
            }
        }
    }
}

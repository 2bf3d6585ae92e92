//! The assertion that two runs are one.

use cassette_core::report::Diverged;
use cassette_core::run::Run;
use cassette_core::typed::visible;

/// Asserts that two runs of a test are the same: the same calls in the same order, the same tools called with the same
/// arguments, the same usage.
///
/// The order of calls that overlapped in time does not count, nor do ids that a service makes up, moments, and the words of
/// an answer. What two models cannot have in common is left out with [`Run::without`].
///
/// ```no_run
/// use cassette_test::{Cassette, Fact, assert_same_run};
///
/// fn book(cassette: &Cassette, model: &str) {
///     let base = cassette.base_url("https://api.openai.com/v1");
///     // .. the agent under test, with this model ..
///     # let (_, _) = (base, model);
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let small = Cassette::builder("booking/gpt-4o-mini").open()?;
/// book(&small, "gpt-4o-mini");
/// let large = Cassette::builder("booking/gpt-4o").open()?;
/// book(&large, "gpt-4o");
/// assert_same_run(&small.run().without(Fact::Usage), &large.run());
/// small.finish()?;
/// large.finish()?;
/// # Ok(())
/// # }
/// ```
///
/// # Panics
///
/// Panics with the first place where the two differ, and where neither makes a call: that would say nothing.
#[track_caller]
pub fn assert_same_run(first: &Run, second: &Run) {
    if let Err(diverged) = try_assert_same_run(first, second) {
        panic!("{}", visible(&diverged.to_string()));
    }
}

/// Compares two runs as [`assert_same_run`] does.
///
/// # Errors
///
/// Fails with the first place where the two differ.
pub fn try_assert_same_run(first: &Run, second: &Run) -> Result<(), Diverged> {
    first.same_as(second)
}

//! Where a cassette begins as another one did.

use super::Builder;

impl Builder {
    /// Begins as this other cassette did: a recording serves its first `at` interactions, each once, and goes live behind them.
    ///
    /// The file then holds them too, so that a replay needs no other. Until all of them have been asked for nothing goes live:
    /// a call that is none of them fails the test. `at` the length of the other cassette, a finished run is extended; its name
    /// may use the arguments that this one's does. `docs/forks.md` tells more.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), std::sync::Arc<cassette_test::Report>> {
    /// use cassette_test::Cassette;
    ///
    /// let session = Cassette::builder("fixed").fork("run", 23).open()?;
    /// # session.finish()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn fork(mut self, cassette: impl Into<String>, at: usize) -> Builder {
        self.options.fork = Some((cassette.into(), at));
        self
    }
}

//! Who is told of each call of the run, and where it stops.

use std::sync::Arc;

use cassette_core::step::Step;

use super::Builder;

impl Builder {
    /// Tells this of each call, as [`Cassette::on_step`](crate::Cassette::on_step) does.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), std::sync::Arc<cassette_test::Report>> {
    /// use cassette_test::Cassette;
    ///
    /// let session = Cassette::builder("trains").on_step(|step| eprintln!("{step}")).open()?;
    /// # session.finish()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_step(mut self, watcher: impl Fn(&Step) + Send + Sync + 'static) -> Builder {
        self.options.watchers.push(Arc::new(watcher));
        self
    }

    /// Stops at this call of the run, as [`Cassette::break_at`](crate::Cassette::break_at) does.
    pub fn break_at(mut self, call: usize) -> Builder {
        self.options.breakpoints.push(call);
        self
    }
}

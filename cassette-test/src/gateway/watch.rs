//! What sees to it that a panic in the gateway does not pass unseen.

use std::sync::Arc;

use cassette_core::report::{Report, Wiring};

use super::commons::Commons;

/// Fails the session where the gateway itself panics: the client sees a broken call only, and might try again.
pub(super) struct Watch(Arc<Commons>);

impl Watch {
    /// Returns what watches the task that holds it.
    pub(super) fn over(commons: &Arc<Commons>) -> Watch {
        Watch(Arc::clone(commons))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let report = Wiring::new("the gateway panicked", "this is a fault of cassette-test: please report it");
            self.0.player.desk.fail(Report::Wiring(report));
        }
    }
}

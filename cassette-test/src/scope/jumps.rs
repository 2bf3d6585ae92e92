//! How far tokio's clock ran ahead.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::Scope;

impl Scope {
    /// Notes that tokio's clock ran ahead of the real one.
    pub(crate) fn note_jump(&self, jump: Duration) {
        self.jumped.fetch_add(u64::try_from(jump.as_millis()).unwrap_or(u64::MAX), Ordering::SeqCst);
    }

    /// Returns by how much tokio's clock ran ahead while clients had gateways to talk to, if it did.
    pub(crate) fn jumped(&self) -> Option<Duration> {
        let jumped = Duration::from_millis(self.jumped.load(Ordering::SeqCst));
        (!jumped.is_zero() && self.gateways.are_running()).then_some(jumped)
    }
}

//! The end of a test's session.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use cassette_core::report::Report;
use cassette_core::session::{BodyEnd, Verdict};

use super::Scope;
use crate::mcp::Host;

impl Scope {
    /// Ends the session, the gateways first.
    pub(crate) fn finish(&self, end: BodyEnd) -> Verdict {
        self.unending.get().into_iter().for_each(|unending| unending.end());
        self.gateways.stop();
        self.shims.get().into_iter().for_each(Host::stop);
        self.connections.end();
        if let Some(session) = self.session.get() {
            self.held.end(&Arc::downgrade(session));
        }
        let verdict = match self.session.get() {
            Some(session) => {
                // What failed between the opening of the session and its keeping has been handed to nobody yet.
                if let Some(report) = self.early.get() {
                    session.fail(Report::clone(report));
                }
                self.breakpoints.tell(session);
                session.finish(end)
            }
            None => Verdict { reports: self.unopened(end).into_iter().collect(), ..Verdict::default() },
        };
        self.reminders.end();
        self.ended.store(true, Ordering::SeqCst);
        verdict
    }

    fn unopened(&self, end: BodyEnd) -> Option<Arc<Report>> {
        let early = self.early.get().cloned();
        early.or_else(|| (end == BodyEnd::Passed).then(|| self.session().err()).flatten())
    }
}

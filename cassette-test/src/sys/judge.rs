//! The question an interposed call asks before it goes on.

use std::net::{IpAddr, SocketAddr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use super::scope::{self, ScopeId};

/// Whether a packet may go to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The call goes on.
    Pass,
    /// The call fails with `EACCES`.
    Deny,
}

/// How a name is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// By libc, which may ask a name server.
    Resolve,
    /// As if it were `localhost`, for which libc asks nobody.
    AsLocalhost,
    /// Not at all: the call fails with `EAI_FAIL`.
    Refuse,
}

/// Decides for the threads of a scope.
pub(crate) trait Judge: Sync {
    /// Decides about an internet address that `call` was given.
    fn address(&self, scope: ScopeId, call: &'static str, to: SocketAddr) -> Verdict;

    /// Decides about a host name that `call` was given; a numeric address is none.
    fn name(&self, scope: ScopeId, call: &'static str, host: &str) -> Lookup;

    /// Learns what a name stood for.
    fn resolved(&self, scope: ScopeId, host: &str, addresses: &[IpAddr]);

    /// Learns that a program is started.
    fn spawned(&self, scope: ScopeId, program: &str);
}

static JUDGE: OnceLock<&'static dyn Judge> = OnceLock::new();

/// Names the judge of this process; only the first one counts. To be called before a thread gets a scope.
pub(crate) fn appoint(judge: &'static dyn Judge) {
    let _ = JUDGE.set(judge);
}

/// Asks the judge, unless this thread has no scope. A judge that panics has decided `otherwise`.
///
/// The callers are C functions as far as their callers know, so nothing may unwind out of here.
pub(super) fn ask<R>(otherwise: R, question: impl FnOnce(&dyn Judge, ScopeId) -> R) -> Option<R> {
    let judge = *JUDGE.get()?;
    scope::judging(|scope| catch_unwind(AssertUnwindSafe(|| question(judge, scope))).unwrap_or(otherwise))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::{GuardMode, GuardPolicy, enter};

    #[test]
    fn a_judge_that_panics_has_decided_all_the_same() {
        let panics = |_: &dyn Judge, _: ScopeId| std::panic::resume_unwind(Box::new(()));
        assert_eq!(ask(Verdict::Deny, panics), None, "without a scope nobody is asked");
        let _scope = enter(GuardPolicy::new(GuardMode::Watch));
        assert_eq!(ask(Verdict::Deny, panics), Some(Verdict::Deny));
        assert_eq!(ask(Verdict::Deny, |_, _| Verdict::Pass), Some(Verdict::Pass), "and the next question is heard");
    }
}

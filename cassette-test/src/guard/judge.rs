//! The decision about one call, from the book of scopes.

use std::net::{IpAddr, SocketAddr};

use super::attempt::By;
use super::policy::{canonical, is_localhost};
use super::{GuardMode, ScopeId, book, departed};
use crate::sys::judge::{self, Judge, Lookup, Verdict};

/// Puts the guard behind the interposed calls.
pub(super) fn appoint() {
    judge::appoint(&Interposed);
}

struct Interposed;

// A scope that is not in the book cannot be: it is entered there before any thread has it. It would be denied.
impl Judge for Interposed {
    fn address(&self, id: ScopeId, call: &'static str, to: SocketAddr) -> Verdict {
        let Some(scope) = book::find(id) else { return Verdict::Deny };
        let to = canonical(to);
        if call == "connect" && to.ip().is_loopback() {
            departed::visit(id, to);
        }
        if scope.lets(By::this_thread, call, to) {
            return Verdict::Pass;
        }
        scope.keep(call, None, Some(to));
        match scope.mode() {
            GuardMode::Deny => Verdict::Deny,
            GuardMode::Watch => Verdict::Pass,
        }
    }

    fn name(&self, scope: ScopeId, call: &'static str, host: &str) -> Lookup {
        let Some(scope) = book::find(scope) else { return Lookup::Refuse };
        let mode = scope.mode();
        if is_localhost(host) {
            // libc would ask a name server for `app.localhost`.
            return if mode == GuardMode::Deny { Lookup::AsLocalhost } else { Lookup::Resolve };
        }
        if scope.allows_host(host) {
            return Lookup::Resolve;
        }
        scope.keep(call, Some(host), None);
        match mode {
            GuardMode::Deny => Lookup::Refuse,
            GuardMode::Watch => Lookup::Resolve,
        }
    }

    fn resolved(&self, scope: ScopeId, host: &str, addresses: &[IpAddr]) {
        if let Some(scope) = book::find(scope) {
            scope.learn(host, addresses);
        }
    }

    fn spawned(&self, scope: ScopeId, program: &str) {
        if let Some(scope) = book::find(scope) {
            scope.note_program(program.rsplit('/').next().unwrap_or(program));
        }
    }
}

//! A host that a call under way may reach.

use super::{ScopeId, book};

/// Lets calls of a scope reach some hosts, as long as it lives: what a client connects to for a call that the session has
/// let through is no call round the seam.
///
/// [`exempt`](super::exempt()) covers what the polling thread does itself, this what a client does on threads of its own, such
/// as looking up a name.
#[derive(Debug)]
pub(crate) struct Loan {
    scope: ScopeId,
    hosts: Vec<String>,
}

impl Loan {
    /// Lends these hosts, names or addresses.
    pub(crate) fn new(scope: ScopeId, hosts: Vec<String>) -> Loan {
        hosts.iter().for_each(|host| book::lend(scope, host));
        Loan { scope, hosts }
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        self.hosts.iter().for_each(|host| book::take_back(self.scope, host));
    }
}

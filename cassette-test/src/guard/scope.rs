//! The part of a program that one policy holds for.

use std::marker::PhantomData;

use super::{Attempt, GuardPolicy, ScopeId, book, children, judge};
use crate::sys;

/// Gives this thread, and each thread that it or its children create from now on, a scope of its own.
///
/// To be called before a runtime is built: worker threads that exist already belong to no scope.
pub(crate) fn enter(policy: GuardPolicy) -> GuardScope {
    judge::appoint();
    let id = ScopeId::fresh();
    book::open(id, policy);
    GuardScope { id, previous: sys::scope::replace(Some(id)), here: PhantomData }
}

/// Returns the scope of this thread, entered here or inherited. It may have ended: a thread can outlive it.
pub(crate) fn current() -> Option<ScopeId> {
    sys::scope::current()
}

/// Keeps a scope open on the thread that entered it.
///
/// When it is dropped, the thread gets back the scope it had before. Threads that live on keep the ended one: they are
/// judged by its policy for ever, and their attempts are kept as late.
#[must_use = "the guard stands only as long as this value lives"]
#[derive(Debug)]
pub(crate) struct GuardScope {
    id: ScopeId,
    previous: Option<ScopeId>,
    /// It restores a thread-local, so it stays on its thread.
    here: PhantomData<*const ()>,
}

impl GuardScope {
    /// Returns the id under which other threads can ask for this scope.
    pub(crate) fn id(&self) -> ScopeId {
        self.id
    }

    /// Returns the programs that were started so far, each once.
    pub(crate) fn programs(&self) -> Vec<String> {
        book::programs(self.id)
    }

    /// Keeps what children have told that were forked off without a program of their own.
    pub(crate) fn hear_children(&self) {
        children::hear();
    }

    /// Returns what was attempted so far, see [`attempts`](super::attempts).
    pub(crate) fn attempts(&self) -> Vec<Attempt> {
        book::attempts(self.id)
    }
}

impl Drop for GuardScope {
    fn drop(&mut self) {
        sys::scope::replace(self.previous);
        book::end(self.id);
    }
}

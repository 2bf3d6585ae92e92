//! The scope a thread belongs to.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

use super::seccomp;

/// A scope of this process: never given out twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ScopeId(u32);

impl ScopeId {
    /// Returns an id that nobody had before.
    pub(crate) fn fresh() -> ScopeId {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        ScopeId(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// Returns its number, by which another process may speak of it.
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// A filter of system calls that this process has put round one of its threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FilterId(pub(crate) usize);

// Constant and without a destructor: readable at any moment of a thread's life, its last included.
thread_local! {
    static CURRENT: Cell<Option<ScopeId>> = const { Cell::new(None) };
    static JUDGING: Cell<bool> = const { Cell::new(false) };
    static FILTER: Cell<Option<FilterId>> = const { Cell::new(None) };
}

/// Returns the scope of this thread, entered here or inherited from the thread that created it.
pub(crate) fn current() -> Option<ScopeId> {
    CURRENT.try_with(Cell::get).ok().flatten()
}

/// Gives this thread another scope, or none, and returns the one it had.
pub(crate) fn replace(scope: Option<ScopeId>) -> Option<ScopeId> {
    seccomp::note(scope);
    CURRENT.try_with(|current| current.replace(scope)).ok().flatten()
}

/// Returns the filter that stands round this thread, put there or inherited from the thread that created it.
pub(crate) fn filter() -> Option<FilterId> {
    FILTER.try_with(Cell::get).ok().flatten()
}

/// Notes the filter that stands round this thread; the kernel never takes it away again.
pub(crate) fn note_filter(filter: Option<FilterId>) {
    let _ = FILTER.try_with(|current| current.set(filter));
}

/// Asks a question about this thread's scope, unless it has none or is asking one already.
///
/// What a judge itself does, or the callback it runs, is not judged: it would never end.
pub(super) fn judging<R>(question: impl FnOnce(ScopeId) -> R) -> Option<R> {
    let scope = current()?;
    if JUDGING.try_with(|judging| judging.replace(true)).unwrap_or(true) {
        return None;
    }
    let answer = question(scope);
    let _ = JUDGING.try_with(|judging| judging.set(false));
    Some(answer)
}

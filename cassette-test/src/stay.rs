//! Who asks, and who handed over what it was asked in: what somebody spawns after a call of their own comes after that in every run.

use std::iter;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};
use std::thread::{self, ThreadId};
use std::time::Instant;

use crate::lasting::Lasting;

thread_local! {
    static HERE: Lasting<Arc<Stay>> = const { Lasting::new() };
}

/// Who asks: a task, or a thread without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asker {
    /// A task of tokio's.
    Task(tokio::task::Id),
    /// A thread.
    Thread(ThreadId),
}

/// A future or a closure that is handed to another task or thread, with `scope(..)` or `scoped(..)`.
#[derive(Debug)]
pub(crate) struct Stay {
    made: Instant,
    by: Asker,
    ended: OnceLock<Instant>,
    /// The one within which it was handed over.
    outer: Option<Arc<Stay>>,
}

/// Gives the thread back the one that was running before.
pub(crate) struct Within {
    previous: Option<Arc<Stay>>,
    here: PhantomData<*const ()>,
}

/// Notes that one has ended, as it is dropped.
pub(crate) struct Ending(Option<Arc<Stay>>);

impl Asker {
    /// Returns who asks here.
    pub(crate) fn here() -> Asker {
        tokio::task::try_id().map_or_else(|| Asker::Thread(thread::current().id()), Asker::Task)
    }
}

impl Stay {
    /// Returns one that is handed over here and now.
    pub(crate) fn new() -> Arc<Stay> {
        Arc::new(Stay { made: Instant::now(), by: Asker::here(), ended: OnceLock::new(), outer: Stay::current() })
    }

    /// Returns the innermost that runs here, if one does.
    pub(crate) fn current() -> Option<Arc<Stay>> {
        HERE.with(|here| here.see(|stay| stay.cloned()))
    }

    /// Runs here from now on, until what is returned is dropped.
    pub(crate) fn enter(self: &Arc<Stay>) -> Within {
        Within { previous: HERE.with(|here| here.replace(Some(Arc::clone(self)))), here: PhantomData }
    }

    /// Returns it, and those within which it was handed over.
    pub(crate) fn each(innermost: Option<&Arc<Stay>>) -> impl Iterator<Item = &Stay> {
        iter::successors(innermost.map(Arc::as_ref), |stay| stay.outer.as_deref())
    }

    /// Returns who handed it over, and when.
    pub(crate) fn handed_over(&self) -> (Asker, Instant) {
        (self.by, self.made)
    }

    /// Returns when it ended, if it has.
    pub(crate) fn ended(&self) -> Option<Instant> {
        self.ended.get().copied()
    }
}

impl Ending {
    /// Returns what notes the end of this one, if there is one.
    pub(crate) fn of(stay: Option<&Arc<Stay>>) -> Ending {
        Ending(stay.cloned())
    }
}

impl Drop for Within {
    fn drop(&mut self) {
        HERE.with(|here| drop(here.replace(self.previous.take())));
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        if let Some(stay) = &self.0 {
            let _ = stay.ended.set(Instant::now());
        }
    }
}

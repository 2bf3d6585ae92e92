//! Who failed first: notes, at the moment a test's own thread panics, whether its cassette had failed already.
//!
//! After the panic is too late to ask: while it unwinds, destructors and a runtime that shuts down still make calls.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Once};
use std::task::Wake;

/// Which came first where both failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    /// The cassette: what the body did next may be its consequence.
    Cassette,
    /// The body.
    Body,
}

impl First {
    const CASSETTE: u8 = 1;
    const BODY: u8 = 2;
}

/// Whether a test's cassette has failed, and who had when its body ended. Nothing here takes a lock: it is asked inside a
/// panic hook.
///
/// The session wakes it like any other that waits for a failure.
#[derive(Debug, Default)]
pub(crate) struct Blame {
    failed: AtomicBool,
    /// Who had failed when the body ended, as far as that was noted.
    first: AtomicU8,
    returned: AtomicBool,
}

impl Blame {
    /// Notes that the body ended just now, in whichever way; the last note counts.
    pub(crate) fn note_end(&self) {
        let first = if self.has_failed() { First::CASSETTE } else { First::BODY };
        self.first.store(first, Ordering::SeqCst);
    }

    /// Notes that the body has come to its end just now: what still runs is waited for by nobody.
    pub(crate) fn note_return(&self) {
        self.returned.store(true, Ordering::SeqCst);
        self.note_end();
    }

    /// Returns whether the body has come to its end, as far as that was noted.
    pub(crate) fn has_returned(&self) -> bool {
        self.returned.load(Ordering::SeqCst)
    }

    /// Returns whether the cassette or the body failed first; where nobody noted the body's end, it is now.
    pub(crate) fn first(&self) -> First {
        match self.first.load(Ordering::SeqCst) {
            First::BODY => First::Body,
            First::CASSETTE => First::Cassette,
            _ if self.has_failed() => First::Cassette,
            _ => First::Body,
        }
    }

    fn has_failed(&self) -> bool {
        self.failed.load(Ordering::SeqCst)
    }
}

impl Wake for Blame {
    fn wake(self: Arc<Blame>) {
        self.failed.store(true, Ordering::SeqCst);
    }
}

thread_local! {
    static BODY: RefCell<Option<Arc<Blame>>> = const { RefCell::new(None) };
}

static HOOK: Once = Once::new();

/// Watches this thread, for as long as it lives.
#[derive(Debug)]
pub(crate) struct Watching {
    previous: Option<Arc<Blame>>,
    here: PhantomData<*const ()>,
}

/// Watches this thread: from now on its panics are the body's.
pub(crate) fn watch(blame: &Arc<Blame>) -> Watching {
    HOOK.call_once(|| {
        let next = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            note();
            next(info);
        }));
    });
    Watching { previous: BODY.replace(Some(Arc::clone(blame))), here: PhantomData }
}

impl Drop for Watching {
    fn drop(&mut self) {
        BODY.set(self.previous.take());
    }
}

/// Never panics: it runs inside the hook.
fn note() {
    let body = BODY.try_with(|body| body.try_borrow().ok().and_then(|body| body.clone()));
    if let Ok(Some(blame)) = body {
        blame.note_end();
    }
}

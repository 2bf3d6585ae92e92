//! Who failed first: notes, at the moment a test's own thread panics, whether its cassette had failed already.
//!
//! After the panic is too late to ask: while it unwinds, destructors and a runtime that shuts down still make calls.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::{Arc, Once};

use crate::scope::Scope;

thread_local! {
    static BODY: RefCell<Option<Arc<Scope>>> = const { RefCell::new(None) };
}

static HOOK: Once = Once::new();

/// Watches this thread, for as long as it lives.
#[derive(Debug)]
pub(crate) struct Watching {
    previous: Option<Arc<Scope>>,
    here: PhantomData<*const ()>,
}

/// Watches this thread: from now on its panics are the body's.
pub(crate) fn watch(scope: &Arc<Scope>) -> Watching {
    HOOK.call_once(|| {
        let next = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            note();
            next(info);
        }));
    });
    Watching { previous: BODY.replace(Some(Arc::clone(scope))), here: PhantomData }
}

impl Drop for Watching {
    fn drop(&mut self) {
        BODY.set(self.previous.take());
    }
}

/// Never panics: it runs inside the hook.
fn note() {
    let body = BODY.try_with(|body| body.try_borrow().ok().and_then(|body| body.clone()));
    if let Ok(Some(scope)) = body {
        scope.note_end();
    }
}

//! Which function is running here, if one is: what it calls is a part of it, and recorded with it.

use std::future::poll_fn;
use std::marker::PhantomData;
use std::pin::pin;
use std::sync::Arc;

use crate::lasting::Lasting;
use crate::scope::Scope;

thread_local! {
    static INSIDE: Lasting<Inside> = const { Lasting::new() };
}

/// What is running on this thread.
#[derive(Clone)]
pub(crate) enum Inside {
    /// A function that is recorded by this scope.
    Function(Arc<Scope>),
    /// Something that is to run bare.
    Live,
}

/// Gives the thread back what was running before.
struct Within {
    previous: Option<Inside>,
    here: PhantomData<*const ()>,
}

fn enter(inside: &Inside) -> Within {
    Within { previous: INSIDE.with(|known| known.replace(Some(inside.clone()))), here: PhantomData }
}

impl Drop for Within {
    fn drop(&mut self) {
        INSIDE.with(|inside| drop(inside.replace(self.previous.take())));
    }
}

/// Runs this as a part of what is running.
pub(crate) fn run<T>(inside: &Inside, live: impl FnOnce() -> T) -> T {
    let _within = enter(inside);
    live()
}

/// Polls this future as a part of what is running, on whichever thread.
pub(crate) async fn poll<F: Future>(inside: Inside, live: F) -> F::Output {
    let mut live = pin!(live);
    poll_fn(move |cx| {
        let _within = enter(&inside);
        live.as_mut().poll(cx)
    })
    .await
}

/// Returns whether anything is running here of which an annotated function would be a part.
pub(crate) fn any() -> bool {
    INSIDE.with(|inside| inside.see(|inside| inside.is_some()))
}

/// Returns whether what is running here is to run bare.
pub(crate) fn is_live() -> bool {
    INSIDE.with(|inside| inside.see(|inside| matches!(inside, Some(Inside::Live))))
}

/// Returns what is running here, whoever's it is.
pub(crate) fn current() -> Option<Inside> {
    INSIDE.with(|inside| inside.see(|inside| inside.cloned()))
}

/// Returns what is running here, if this scope's calls are a part of it.
pub(crate) fn here(scope: &Arc<Scope>) -> Option<Inside> {
    of(scope).then(current).flatten()
}

/// Returns whether a function of this scope is running here, or something bare.
pub(crate) fn of(scope: &Arc<Scope>) -> bool {
    INSIDE.with(|inside| {
        inside.see(|inside| match inside {
            Some(Inside::Function(other)) => Arc::ptr_eq(scope, other),
            Some(Inside::Live) => true,
            None => false,
        })
    })
}

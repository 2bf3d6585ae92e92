//! An async body that ends where its cassette fails.

use std::cell::Cell;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::task::Waker;
use std::thread;

use crate::cassette::Cassette;
use crate::clocks::Clocks;
use crate::lasting::Lasting;
use crate::options::OnMiss;
use crate::outliving;
use crate::scope::Scope;

/// What unwinds through the runtime when a body is abandoned. No hook sees it, and the harness turns it into the report.
#[derive(Debug)]
pub(crate) struct Abandoned;

/// Leaves the test at once; its verdict says why.
pub(crate) fn abandon() -> ! {
    resume_unwind(Box::new(Abandoned))
}

/// Runs an async body until it ends or its cassette fails, so that a client's back-off cannot go on for minutes.
///
/// The body is dropped where it waits; what it spawned ends as its runtime does, which waits for blocking work. With `on_miss = "error"` it runs to its end.
pub async fn abandonable<T, F: Future<Output = T>>(cassette: Cassette, body: F) -> T {
    let mut body = Some(Box::pin(body));
    let scope = cassette.into_scope();
    let mut clocks = Clocks::read();
    let ends_early = scope.settled.options.on_miss == OnMiss::Abandon;
    poll_fn(move |cx| {
        let failed = ends_early && scope.opened().is_some_and(|session| session.poll_failure(cx.waker()).is_some());
        let Some(running) = body.as_mut().filter(|_| !failed) else {
            let body = body.take();
            // What the body's destructors say must not stand before the report.
            let _tearing = Tearing(TEARING.replace(true));
            let _ = catch_unwind(AssertUnwindSafe(|| drop(body)));
            abandon()
        };
        if let Some(jump) = clocks.jump() {
            scope.note_jump(jump);
        }
        let at_hand = AtHand {
            previous: BODY.with(|body| body.replace(ends_early.then(|| (Arc::clone(&scope), cx.waker().clone())))),
        };
        let poll = running.as_mut().poll(cx);
        drop(at_hand);
        if poll.is_ready() {
            scope.blame.note_return();
        }
        poll
    })
    .await
}

thread_local! {
    /// The body that is polled on this thread and may be abandoned, with what wakes it.
    static BODY: Lasting<(Arc<Scope>, Waker)> = const { Lasting::new() };
}

thread_local! {
    /// Whether a body is being dropped on this thread.
    static TEARING: Cell<bool> = const { Cell::new(false) };
}

struct Tearing(bool);

impl Drop for Tearing {
    fn drop(&mut self) {
        TEARING.set(self.0);
    }
}

/// Returns whether this thread runs destructors of a program that has failed: another failure in one of them, and the whole process
/// is gone.
pub(crate) fn is_tearing_down() -> bool {
    thread::panicking() || TEARING.get() || outliving::is_ending()
}

/// Gives the thread back the body that was polled on it before.
struct AtHand {
    previous: Option<(Arc<Scope>, Waker)>,
}

impl Drop for AtHand {
    fn drop(&mut self) {
        BODY.with(|body| drop(body.replace(self.previous.take())));
    }
}

/// Returns whether the body of this scope's test is what waits here: it will be abandoned where it waits.
///
/// What waits with another waker may be a runtime of its own within the body, which nothing would ever wake.
pub(crate) fn is_at_hand(scope: &Arc<Scope>, waker: &Waker) -> bool {
    let holds = |(of, wakes): &(Arc<Scope>, Waker)| Arc::ptr_eq(of, scope) && wakes.will_wake(waker);
    BODY.with(|body| body.see(|body| body.is_some_and(holds)))
}

/// Has a type, and no value: it stands where no program comes.
///
/// # Panics
///
/// Panics where a program comes here after all.
pub fn never<T>() -> T {
    unreachable!("an expansion of `#[cassette]` took the way that is never taken")
}

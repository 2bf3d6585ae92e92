//! An async body that ends where its cassette fails.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::cassette::Cassette;
use crate::clocks::Clocks;
use crate::options::OnMiss;

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
            let _ = catch_unwind(AssertUnwindSafe(|| drop(body)));
            abandon()
        };
        if let Some(jump) = clocks.jump() {
            scope.note_jump(jump);
        }
        let poll = running.as_mut().poll(cx);
        if poll.is_ready() {
            scope.blame.note_end();
        }
        poll
    })
    .await
}

/// Has a type, and no value: it stands where no program comes.
///
/// # Panics
///
/// Panics where a program comes here after all.
pub fn never<T>() -> T {
    unreachable!("an expansion of `#[cassette]` took the way that is never taken")
}

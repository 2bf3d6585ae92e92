//! A function that is waited for.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use cassette_core::function::{Codec, FunctionCall};

use super::start::{Form, Start, missed, note_answer, serve, start};
use super::withheld::{is_given_up, withhold};
use crate::abandon;
use crate::cassette::Cassette;
use crate::inside;

/// Returns what the function gives: what was recorded, or what it gives now.
///
/// Where the cassette fails in the body of its test, it gives nothing: the body is abandoned where it waits.
pub(super) async fn call<R, F: Future<Output = R>>(
    cassette: Cassette,
    asked: FunctionCall,
    codec: impl Codec<R>,
    live: impl FnOnce() -> F,
) -> R {
    // No value may live where this waits: the future is to go where the function's own would.
    let report = match start(&cassette, &asked) {
        Start::Bare => return live().await,
        Start::Live(mut running) => {
            let inside = running.inside();
            let live = inside::run(&inside, live);
            let mut future = pin!(inside::poll(inside, live));
            let given = poll_fn(|cx| {
                let polled = future.as_mut().poll(cx);
                running.polled();
                polled
            })
            .await;
            running.finish(&given, &codec);
            return given;
        }
        Start::Serve(served) if is_given_up(&served) => withhold(&cassette, &served).await,
        Start::Serve(served) => match serve(&cassette, &served, &codec) {
            Ok(given) => {
                note_answer();
                return given;
            }
            Err(report) => report,
        },
        Start::Fail(report) => report,
    };
    given_up(&cassette).await;
    missed(&cassette, &report, &codec, Form::Async)
}

/// Waits to be dropped with the body of the test. Whoever comes back here was polled by a runtime of its own within the body,
/// on the same thread, where nothing would ever drop it.
pub(super) async fn given_up(cassette: &Cassette) {
    let mut waits = true;
    poll_fn(|cx| {
        if std::mem::take(&mut waits) && abandon::is_at_hand(cassette.as_scope(), cx.waker()) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(())
    })
    .await;
}

//! A function that is waited for.

use std::future::poll_fn;
use std::task::Poll;

use cassette_core::function::{Codec, FunctionCall};

use super::inside;
use super::start::{Form, Start, missed, serve, start};
use crate::abandon;
use crate::cassette::Cassette;

/// Returns what the function gives: what was recorded, or what it gives now.
///
/// Where the cassette fails in the body of its test, it gives nothing: the body is abandoned where it waits.
pub(super) async fn call<R, F: Future<Output = R>>(
    cassette: Cassette,
    asked: FunctionCall,
    codec: impl Codec<R>,
    live: impl FnOnce() -> F,
) -> R {
    let failed = match start(&cassette, &asked) {
        Start::Bare => return live().await,
        Start::Live(running) => {
            let inside = running.inside();
            let live = inside::run(&inside, live);
            let given = inside::poll(inside, live).await;
            running.finish(&given, &codec);
            return given;
        }
        Start::Serve(served) => serve(&cassette, &served, &codec),
        Start::Fail(report) => Err(report),
    };
    let report = match failed {
        Ok(given) => return given,
        Err(report) => report,
    };
    poll_fn(|cx| if abandon::is_at_hand(cassette.as_scope(), cx.waker()) { Poll::Pending } else { Poll::Ready(()) })
        .await;
    missed(&cassette, &report, &codec, Form::Async)
}

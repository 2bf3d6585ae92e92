//! The start of a function that gives a stream, in the forms in which one is written.

use cassette_core::function::{Codec, FunctionCall};
use cassette_core::reply::Outcome;
use cassette_core::session::Served;
use futures_core::Stream;

use super::asynchronous::given_up;
use super::kept::Kept;
use super::start::{Form, Start, missed, serve, start};
use super::stream::Streaming;
use super::withheld::{is_given_up, withhold};
use crate::cassette::Cassette;
use crate::inside;

/// How what a function gives is recorded that may fail before it streams: its items, and its error.
#[derive(Clone, Copy, Debug)]
pub struct Codecs<C, O>(pub C, pub O);

/// Returns the stream of a function.
pub(super) fn stream<S: Stream, C: Codec<S::Item>>(
    cassette: &Cassette,
    asked: &FunctionCall,
    codec: C,
    live: impl FnOnce() -> S,
) -> Streaming<S, C> {
    match start(cassette, asked) {
        Start::Bare => Streaming::bare(live(), codec),
        Start::Live(running) => {
            let stream = inside::run(&running.inside(), live);
            Streaming::live(stream, Kept::new(running), codec)
        }
        Start::Serve(served) => Streaming::recorded(cassette, served, codec),
        Start::Fail(report) => Streaming::failed(cassette, report, codec),
    }
}

/// Returns the stream of a function that is waited for.
pub(super) async fn stream_later<S: Stream, C: Codec<S::Item>, F: Future<Output = S>>(
    cassette: Cassette,
    asked: FunctionCall,
    codec: C,
    live: impl FnOnce() -> F,
) -> Streaming<S, C> {
    match start(&cassette, &asked) {
        Start::Bare => Streaming::bare(live().await, codec),
        Start::Live(running) => {
            let live = inside::run(&running.inside(), live);
            let stream = inside::poll(running.inside(), live).await;
            Streaming::live(stream, Kept::new(running), codec)
        }
        Start::Serve(served) if is_given_up(&served) => {
            let report = withhold(&cassette, &served).await;
            Streaming::failed(&cassette, report, codec)
        }
        Start::Serve(served) => Streaming::recorded(&cassette, served, codec),
        Start::Fail(report) => Streaming::failed(&cassette, report, codec),
    }
}

/// Returns the stream of a function that may fail before there is one.
#[track_caller]
pub(super) fn try_stream<S, C, E, O>(
    cassette: &Cassette,
    asked: &FunctionCall,
    Codecs(codec, errors): Codecs<C, O>,
    live: impl FnOnce() -> Result<S, E>,
) -> Result<Streaming<S, C>, E>
where
    S: Stream,
    C: Codec<S::Item>,
    O: Codec<Result<(), E>>,
{
    let report = match start(cassette, asked) {
        Start::Bare => return live().map(|stream| Streaming::bare(stream, codec)),
        Start::Live(running) => {
            return match inside::run(&running.inside(), live) {
                Ok(stream) => Ok(Streaming::live(stream, Kept::new(running), codec)),
                Err(error) => Err(keep(running, error, &errors)),
            };
        }
        Start::Serve(served) if failed(&served) => match serve(cassette, &served, &errors) {
            Ok(given) => return given.map(|()| Streaming::recorded(cassette, served, codec)),
            Err(report) => report,
        },
        Start::Serve(served) => return Ok(Streaming::recorded(cassette, served, codec)),
        Start::Fail(report) => report,
    };
    missed(cassette, &report, &errors, Form::Blocking).map(|()| Streaming::failed(cassette, report, codec))
}

/// Returns the stream of a function that is waited for and may fail before there is one.
pub(super) async fn try_stream_later<S, C, E, O, F>(
    cassette: Cassette,
    asked: FunctionCall,
    Codecs(codec, errors): Codecs<C, O>,
    live: impl FnOnce() -> F,
) -> Result<Streaming<S, C>, E>
where
    S: Stream,
    C: Codec<S::Item>,
    O: Codec<Result<(), E>>,
    F: Future<Output = Result<S, E>>,
{
    let report = match start(&cassette, &asked) {
        Start::Bare => return live().await.map(|stream| Streaming::bare(stream, codec)),
        Start::Live(running) => {
            let live = inside::run(&running.inside(), live);
            return match inside::poll(running.inside(), live).await {
                Ok(stream) => Ok(Streaming::live(stream, Kept::new(running), codec)),
                Err(error) => Err(keep(running, error, &errors)),
            };
        }
        Start::Serve(served) if is_given_up(&served) => withhold(&cassette, &served).await,
        Start::Serve(served) if failed(&served) => match serve(&cassette, &served, &errors) {
            Ok(given) => return given.map(|()| Streaming::recorded(&cassette, served, codec)),
            Err(report) => report,
        },
        Start::Serve(served) => return Ok(Streaming::recorded(&cassette, served, codec)),
        Start::Fail(report) => report,
    };
    given_up(&cassette).await;
    missed(&cassette, &report, &errors, Form::Async).map(|()| Streaming::failed(&cassette, report, codec))
}

/// Records an error in place of a stream, and gives it back.
fn keep<E>(running: super::start::Running, error: E, errors: &impl Codec<Result<(), E>>) -> E {
    let given = Err(error);
    running.finish(&given, errors);
    match given {
        Err(error) => error,
        Ok(()) => crate::abandon::never(),
    }
}

fn failed(served: &Served) -> bool {
    matches!(&*served.outcome, Outcome::Reply(reply) if reply.is_failure())
}

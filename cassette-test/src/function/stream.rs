//! A function that gives a stream: each item is recorded as it passes, and the call is filed when the stream ends.
//!
//! Nothing is drained: an item is asked of the live stream when the program asks for it. A program that stops reading leaves a
//! recording which is marked so; one that wants more of it on replay is held, as by the gateway, and then fails.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use cassette_core::function::{Codec, Misread, items, read_item};
use cassette_core::reply::{Chunk, Truncation};
use cassette_core::report::Report;
use cassette_core::session::Served;
use futures_core::Stream;

use super::kept::Kept;
use super::start::{Form, missed, serve_with, told_of_panics};
use super::withheld::{player, rhythm};
use crate::abandon;
use crate::cassette::Cassette;
use crate::wire::{self, Pause, Player, Silence, Waiting, place};

/// A stream of a function's, recorded or live.
pub struct Streaming<S: Stream, C: Codec<S::Item>> {
    codec: C,
    source: Source<S>,
}

/// Where the items come from.
enum Source<S> {
    /// The function, of which nothing is recorded here.
    Bare(Pin<Box<S>>),
    /// The function.
    Live(Pin<Box<S>>, Kept),
    /// The cassette.
    Recorded(Recording),
    /// Nowhere: the cassette has failed.
    Failed(Cassette, Arc<Report>, Given),
    /// The stream has ended.
    Over,
}

/// Whether a stream that has failed has waited to be dropped with the body of its test.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    Nothing,
    Pause,
}

/// A recorded stream, played back.
struct Recording {
    cassette: Cassette,
    served: Served,
    items: std::vec::IntoIter<Chunk>,
    position: usize,
    /// Who broke it off when it was recorded, if it was broken off.
    truncated: Option<Truncation>,
    last: Option<Duration>,
    step: Step,
}

/// Where a recording stands.
enum Step {
    Next,
    Pausing(Pause),
    Waiting(Box<Waiting>),
}

impl<S: Stream, C: Codec<S::Item>> Streaming<S, C> {
    /// Returns the function's own stream.
    pub(super) fn bare(stream: S, codec: C) -> Streaming<S, C> {
        Streaming { codec, source: Source::Bare(Box::pin(stream)) }
    }

    /// Returns the function's own stream, which is recorded.
    pub(super) fn live(stream: S, kept: Kept, codec: C) -> Streaming<S, C> {
        Streaming { codec, source: Source::Live(Box::pin(stream), kept) }
    }

    /// Returns a recorded stream.
    pub(super) fn recorded(cassette: &Cassette, served: Served, codec: C) -> Streaming<S, C> {
        match serve_with(cassette, &served, |reply| Ok((items(reply)?.to_vec(), reply.truncated))) {
            Err(report) => Streaming::failed(cassette, report, codec),
            Ok((items, truncated)) => {
                let (cassette, items) = (cassette.clone(), items.into_iter());
                let recording =
                    Recording { cassette, served, items, position: 0, truncated, last: None, step: Step::Next };
                Streaming { codec, source: Source::Recorded(recording) }
            }
        }
    }

    /// Returns a stream that fails with the cassette when it is asked for an item.
    pub(super) fn failed(cassette: &Cassette, report: Arc<Report>, codec: C) -> Streaming<S, C> {
        Streaming { codec, source: Source::Failed(cassette.clone(), report, Given::Nothing) }
    }
}

// No part of it is pinned in place: the live stream has a box of its own.
impl<S: Stream, C: Codec<S::Item>> Unpin for Streaming<S, C> {}

impl<S: Stream, C: Codec<S::Item>> Stream for Streaming<S, C> {
    type Item = S::Item;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        let Streaming { codec, source } = self.get_mut();
        loop {
            let report = match source {
                Source::Over => return Poll::Ready(None),
                Source::Bare(stream) => return stream.as_mut().poll_next(cx),
                Source::Live(stream, kept) => {
                    let item = ready!(kept.ask(|| stream.as_mut().poll_next(cx)));
                    match &item {
                        Some(item) => kept.take(item, codec),
                        None => {
                            kept.end();
                            end(source, codec);
                        }
                    }
                    return Poll::Ready(item);
                }
                Source::Recorded(recording) => match ready!(recording.poll(cx, codec)) {
                    Some(Ok(item)) => return Poll::Ready(Some(item)),
                    None => {
                        *source = Source::Over;
                        return Poll::Ready(None);
                    }
                    Some(Err(report)) => report,
                },
                Source::Failed(cassette, report, given) => {
                    if std::mem::replace(given, Given::Pause) == Given::Nothing
                        && abandon::is_at_hand(cassette.as_scope(), cx.waker())
                    {
                        // It is dropped with the body of the test, where it waits.
                        cx.waker().wake_by_ref();
                        return Poll::Pending;
                    }
                    let (cassette, report) = (cassette.clone(), Arc::clone(report));
                    *source = Source::Over;
                    return Poll::Ready(Some(missed(&cassette, &report, codec, Form::Async)));
                }
            };
            let Source::Recorded(recording) = source else { continue };
            *source = Source::Failed(recording.cassette.clone(), report, Given::Nothing);
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.source {
            Source::Bare(stream) => stream.size_hint(),
            Source::Over => (0, Some(0)),
            // What is live may know more, and a program that goes by it would see another on replay.
            Source::Live(..) | Source::Recorded(_) | Source::Failed(..) => (0, None),
        }
    }
}

impl<S: Stream, C: Codec<S::Item>> Drop for Streaming<S, C> {
    /// Files what a program has read that stops before the end.
    fn drop(&mut self) {
        end(&mut self.source, &self.codec);
    }
}

/// Lets go of a live stream, and files what it gave.
fn end<S: Stream, C: Codec<S::Item>>(source: &mut Source<S>, codec: &C) {
    if let Source::Live(stream, kept) = std::mem::replace(source, Source::Over) {
        kept.file(stream, codec);
    }
}

impl Recording {
    /// Returns the next item, when its time has come.
    fn poll<R>(&mut self, cx: &mut Context<'_>, codec: &impl Codec<R>) -> Poll<Option<Result<R, Arc<Report>>>> {
        loop {
            match &mut self.step {
                Step::Next => match self.pause() {
                    Some(pause) => self.step = Step::Pausing(pause),
                    None => break,
                },
                Step::Pausing(pause) => {
                    ready!(pause.poll(cx));
                    break;
                }
                Step::Waiting(waiting) => return waiting.poll(cx).map(|report| Some(Err(report))),
            }
        }
        self.step = Step::Next;
        let Some(chunk) = self.items.next() else {
            let Some(truncated) = self.truncated else { return Poll::Ready(None) };
            let (place, events) = (place(&self.served), self.position);
            return match (player(&self.cassette), truncated) {
                (Err(report), _) => Poll::Ready(Some(Err(report))),
                (Ok(Player { desk, .. }), Truncation::Left) => {
                    Poll::Ready(Some(Err(desk.fail(wire::truncated(&*desk, place, events)))))
                }
                (Ok(player), Truncation::Client | Truncation::Upstream) => {
                    let waiting = Waiting::new(&player, place, Silence::Recorded { events });
                    self.step = Step::Waiting(Box::new(waiting));
                    self.poll(cx, codec)
                }
            };
        };
        let item = told_of_panics(&self.cassette, &self.served, || read_item(codec, &chunk, self.position));
        self.last = chunk.at.or(self.last).or(Some(Duration::ZERO));
        self.position += 1;
        Poll::Ready(Some(item.map_err(|misread| self.unreadable(&misread))))
    }

    fn unreadable(&self, misread: &Misread) -> Arc<Report> {
        match self.cassette.as_scope().session() {
            Ok(session) => session.unreadable(&self.served, misread),
            Err(report) => report,
        }
    }

    /// Returns the pause before the next item, where the test keeps the recorded rhythm, and before the last one that the program left by
    /// itself.
    fn pause(&self) -> Option<Pause> {
        let next = self.items.as_slice().first()?;
        let is_left = self.truncated == Some(Truncation::Left) && self.items.len() == 1;
        let rhythm = rhythm(&self.cassette);
        let rhythm = if is_left { rhythm.leaving() } else { rhythm };
        match self.last {
            None => rhythm.before(next.at.unwrap_or_default()),
            Some(last) => rhythm.between(next.at.unwrap_or(last).saturating_sub(last)),
        }
    }
}

impl<S: Stream, C: Codec<S::Item>> fmt::Debug for Streaming<S, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source = match &self.source {
            Source::Bare(_) => "bare",
            Source::Live(..) => "live",
            Source::Recorded(_) => "recorded",
            Source::Failed(..) => "failed",
            Source::Over => "over",
        };
        f.debug_struct("Streaming").field("source", &source).finish_non_exhaustive()
    }
}

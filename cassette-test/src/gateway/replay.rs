//! A recorded answer, played back.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use cassette_core::frames::Framing;
use cassette_core::reply::{Chunk, Reply, TransportClass, TransportError, Truncation};
use cassette_core::report::{Place, Report, Wiring};
use http_body_util::BodyExt;
use hyper::body::{Body as HttpBody, Bytes, Frame};
use hyper::{Response, StatusCode};
use tokio::time::{Sleep, sleep};

use super::abort::Abort;
use super::commons::Commons;
use super::desk::truncated;
use super::held::Hold;
use super::origin::Origin;
use super::pace::delay;
use super::response::{self, Body};
use super::{headers, refusal};
use crate::options::Pace;

/// Returns a recorded reply: in one piece with its length, or chunk by chunk.
pub(super) fn reply(commons: &Arc<Commons>, origin: &Origin, place: Place, reply: &Reply) -> Response<Body> {
    let Some(status) = StatusCode::from_u16(reply.status).ok().filter(|status| !status.is_informational()) else {
        let what = format!("interaction {} was recorded with status {}", place.interaction, reply.status);
        let report = commons.desk.fail(Report::Wiring(Wiring::new(what, "a reply ends with a status from 200 to 999")));
        return refusal::reply(origin, "", StatusCode::NOT_FOUND, &report);
    };
    let mut headers = reply.headers.clone();
    if !response::is_bodiless(&place.name, status) {
        // The body may have been edited since; its frame is made anew.
        headers.retain(|(name, _)| !headers::belongs_to_connection(name));
    }
    let body = match (&reply.truncated, reply.chunks.as_slice()) {
        (None, []) => response::whole(Bytes::new()),
        (None, [chunk]) => response::whole(Bytes::copy_from_slice(&chunk.bytes)),
        _ => Playback::new(commons, place, reply).boxed_unsync(),
    };
    response::reply(commons, origin, (status, &headers), body)
}

/// Plays a recorded failure: returns how the connection is to be broken.
///
/// A timeout was the client's own, so there is nothing to be sent and nothing to be broken: it is let wait until it gives up
/// again.
pub(super) async fn error(commons: &Arc<Commons>, place: Place, error: &TransportError) -> Abort {
    if error.class == TransportClass::Timeout {
        let mut waiting = Waiting::new(commons, place, 0);
        std::future::poll_fn(|cx| waiting.poll(cx)).await;
    }
    Abort::of(error.class)
}

/// A client that waits for more than was recorded: a failure if it goes on for long, none if it leaves.
struct Waiting {
    commons: Arc<Commons>,
    place: Place,
    events: usize,
    limit: Pin<Box<Sleep>>,
    hold: Hold,
}

impl Waiting {
    fn new(commons: &Arc<Commons>, place: Place, events: usize) -> Waiting {
        let limit = Box::pin(sleep(commons.limits.hold));
        Waiting { commons: Arc::clone(commons), place, events, limit, hold: commons.held.enter() }
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        ready!(self.limit.as_mut().poll(cx));
        self.fail();
        Poll::Ready(())
    }

    fn fail(&self) {
        self.commons.desk.fail(truncated(&*self.commons.desk, self.place.clone(), self.events));
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if self.hold.outlasted() {
            self.fail();
        }
    }
}

/// A body that is sent chunk by chunk, each a frame of its own.
struct Playback {
    commons: Arc<Commons>,
    place: Place,
    chunks: std::vec::IntoIter<Chunk>,
    end: End,
    last: Option<Duration>,
    step: Step,
}

/// What comes after the last chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The end of the body.
    Complete,
    /// The end of the connection, as when the upstream broke off.
    Break,
    /// Nothing, until the client leaves as it did after so many events.
    Hold { events: usize },
}

/// Where a playback stands.
enum Step {
    /// The next chunk, or the end, may be sent.
    Ready,
    /// It is to be sent after a pause, in which what went before leaves the gateway.
    Pausing(Pin<Box<Sleep>>),
    /// There is no more, and the client was to leave.
    Waiting(Waiting),
}

impl Playback {
    fn new(commons: &Arc<Commons>, place: Place, reply: &Reply) -> Playback {
        Playback {
            commons: Arc::clone(commons),
            place,
            chunks: reply.chunks.clone().into_iter(),
            end: match reply.truncated {
                None => End::Complete,
                Some(Truncation::Upstream) => End::Break,
                Some(Truncation::Client) => End::Hold { events: events(reply) },
            },
            last: None,
            step: Step::Ready,
        }
    }

    /// Returns the pause before the next frame; the break after the last one needs one too, or takes it along.
    fn pause(&self) -> Option<Duration> {
        let (next, pace) = (self.chunks.as_slice().first(), self.commons.pace);
        match (self.last, next) {
            (_, None) => (self.end == End::Break).then(|| delay(Pace::Instant, Duration::ZERO)),
            (None, Some(_)) if pace == Pace::Instant => None,
            (None, Some(first)) => Some(delay(pace, first.at)),
            (Some(last), Some(next)) => Some(delay(pace, next.at.saturating_sub(last))),
        }
    }
}

impl HttpBody for Playback {
    type Data = Bytes;
    type Error = Abort;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Abort>>> {
        let playback = self.get_mut();
        loop {
            match &mut playback.step {
                Step::Ready => {
                    if let Some(pause) = playback.pause() {
                        playback.step = Step::Pausing(Box::pin(sleep(pause)));
                        continue;
                    }
                }
                Step::Pausing(pause) => ready!(pause.as_mut().poll(cx)),
                Step::Waiting(waiting) => {
                    ready!(waiting.poll(cx));
                    return Poll::Ready(Some(Err(Abort::Close)));
                }
            }
            playback.step = Step::Ready;
            if let Some(chunk) = playback.chunks.next() {
                playback.last = Some(chunk.at);
                return Poll::Ready(Some(Ok(Frame::data(Bytes::from(chunk.bytes)))));
            }
            match playback.end {
                End::Complete => return Poll::Ready(None),
                End::Break => return Poll::Ready(Some(Err(Abort::Close))),
                End::Hold { events } => {
                    playback.step = Step::Waiting(Waiting::new(&playback.commons, playback.place.clone(), events));
                }
            }
        }
    }
}

/// Returns how many events a reply holds; where there are none to be told apart, how many chunks.
fn events(reply: &Reply) -> usize {
    match (reply.header("content-type").and_then(Framing::of), String::from_utf8(reply.body())) {
        (Some(framing), Ok(text)) => framing.split(&text).len(),
        _ => reply.chunks.len(),
    }
}

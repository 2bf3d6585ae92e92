//! A recorded body, played back.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use cassette_core::call::Header;
use cassette_core::frames::Framing;
use cassette_core::reply::{Chunk, Reply, Truncation};
use cassette_core::report::Place;
use cassette_core::session::Served;
use hyper::body::{Body, Bytes, Frame, SizeHint};

use super::cut::Cut;
use super::desk::{place, truncated};
use super::headers::map;
use super::held::Silence;
use super::reads::Reads;
use super::rhythm::Pause;
use super::waiting::{Player, Waiting};

/// How often it is looked whether a question has been answered.
const MOMENT: Duration = Duration::from_millis(1);

/// A recorded body: each chunk is a frame of its own.
#[derive(Debug)]
pub(crate) struct Playback {
    player: Player,
    place: Place,
    chunks: std::vec::IntoIter<Chunk>,
    end: End,
    /// What comes after a body that is complete.
    trailers: Vec<Header>,
    /// The length of a body that came whole, and has not been sent.
    length: Option<u64>,
    last: Option<Duration>,
    step: Step,
    /// The questions of an MCP server's in what has been sent, each with how many answers under its id were awaited before.
    asked: Vec<(String, usize)>,
}

/// What comes after the last chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The end of the body.
    Complete,
    /// The end of the connection, as when the upstream broke off.
    Break,
    /// A failure: the program wanted no more when it was recorded.
    Left {
        /// How many events were recorded.
        events: usize,
    },
    /// Nothing, until the client leaves.
    Hold(Silence),
}

/// Where a playback stands.
#[derive(Debug)]
enum Step {
    /// The next chunk, or the end, may be sent after its pause.
    Next,
    /// It is to be sent after a pause, in which what went before leaves.
    Pausing(Pause),
    /// The client has been asked something, and has not answered yet.
    Asking(Pause),
    /// There is no more, and the client was to leave.
    Waiting(Waiting),
    /// It has ended.
    Over,
}

impl Playback {
    /// Returns the body of this reply, which is what is served.
    pub(crate) fn new(player: &Player, served: &Served, reply: &Reply) -> Playback {
        let end = match reply.truncated {
            None => End::Complete,
            Some(Truncation::Upstream) => End::Break,
            Some(Truncation::Client | Truncation::Left) if served.stalls => End::Hold(Silence::Planned),
            Some(Truncation::Left) if player.reads == Reads::AsAsked => End::Left { events: events(reply) },
            Some(Truncation::Client | Truncation::Left) => End::Hold(Silence::Recorded { events: events(reply) }),
        };
        let is_whole = end == End::Complete && reply.chunks.len() <= 1 && reply.trailers.is_empty();
        Playback {
            player: player.clone(),
            place: place(served),
            length: is_whole.then(|| reply.chunks.iter().map(|chunk| chunk.bytes.len() as u64).sum()),
            chunks: reply.chunks.clone().into_iter(),
            end,
            trailers: reply.trailers.clone(),
            last: None,
            step: Step::Next,
            asked: Vec::new(),
        }
    }

    /// Lets the client listen for as long as it likes, once there is no more.
    pub(crate) fn listened_to(mut self) -> Playback {
        if matches!(self.end, End::Hold(_) | End::Left { .. }) {
            self.end = End::Hold(Silence::Listening);
        }
        self
    }

    /// Returns whether a question has not been answered yet that was answered before what comes next, when it was recorded.
    fn is_asking(&mut self) -> bool {
        let desk = &self.player.desk;
        self.asked.retain(|(id, before)| *before > 0 && desk.awaited_answers(id) >= *before);
        !self.asked.is_empty()
    }

    /// Returns the pause before the next chunk.
    fn pause(&self) -> Option<Pause> {
        let next = self.chunks.as_slice().first().filter(|_| self.length.is_none())?;
        let is_left = matches!(self.end, End::Left { .. }) && self.chunks.len() == 1;
        let rhythm = if is_left { self.player.rhythm.leaving() } else { self.player.rhythm };
        match self.last {
            None => rhythm.before(next.at.unwrap_or_default()),
            Some(last) => rhythm.between(next.at.unwrap_or(last).saturating_sub(last)),
        }
    }

    /// Returns the next chunk; where there is none, takes the step that comes after the last.
    fn next(&mut self) -> Option<Result<Frame<Bytes>, Cut>> {
        self.step = Step::Next;
        if let Some(chunk) = self.chunks.next() {
            self.last = chunk.at.or(self.last).or(Some(Duration::ZERO));
            self.length = None;
            let desk = &self.player.desk;
            let asked = cassette_core::mcp::questions(&chunk.bytes).into_iter();
            self.asked.extend(asked.map(|id| (id.clone(), desk.awaited_answers(&id))));
            return Some(Ok(Frame::data(Bytes::from(chunk.bytes))));
        }
        self.step = Step::Over;
        match self.end {
            End::Complete if self.trailers.is_empty() => None,
            End::Complete => Some(Ok(Frame::trailers(map(&std::mem::take(&mut self.trailers))))),
            End::Break => Some(Err(Cut::Recorded)),
            End::Left { events } => {
                let desk = &*self.player.desk;
                Some(Err(Cut::Failed(desk.fail(truncated(desk, self.place.clone(), events)))))
            }
            End::Hold(silence) => {
                self.step = Step::Waiting(Waiting::new(&self.player, self.place.clone(), silence));
                None
            }
        }
    }
}

impl Body for Playback {
    type Data = Bytes;
    type Error = Cut;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Cut>>> {
        let playback = self.get_mut();
        loop {
            if matches!(playback.step, Step::Next) && playback.is_asking() {
                playback.step = Step::Asking(playback.player.rhythm.clock.pause(MOMENT));
            }
            match &mut playback.step {
                Step::Asking(pause) => {
                    ready!(pause.poll(cx));
                    playback.step = Step::Next;
                    continue;
                }
                Step::Next => {
                    if let Some(pause) = playback.pause() {
                        playback.step = Step::Pausing(pause);
                        continue;
                    }
                }
                Step::Pausing(pause) => ready!(pause.poll(cx)),
                Step::Waiting(waiting) => {
                    let report = ready!(waiting.poll(cx));
                    playback.step = Step::Over;
                    return Poll::Ready(Some(Err(Cut::Failed(report))));
                }
                Step::Over => return Poll::Ready(None),
            }
            if let Some(next) = playback.next() {
                return Poll::Ready(Some(next));
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.end == End::Complete && self.chunks.as_slice().is_empty() && self.trailers.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        match self.length {
            Some(length) => SizeHint::with_exact(length),
            None if self.is_end_stream() => SizeHint::with_exact(0),
            None => SizeHint::default(),
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

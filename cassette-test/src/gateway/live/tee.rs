//! A live body on its way to the client, kept as it passes.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use cassette_core::reply::Truncation;
use cassette_core::report::{Report, Wiring};
use hyper::body::{Body as HttpBody, Bytes, Frame, Incoming, SizeHint};
use tokio::time::{Sleep, sleep};

use super::decode::{Coding, Decoder};
use super::filing::{Filing, Pieces};
use crate::gateway::abort::Abort;
use crate::gateway::commons::Commons;
use crate::gateway::pace::delay;
use crate::options::Pace;

/// A live body. The next piece is asked for only when the client takes it, and a client that goes away drops the upstream's
/// connection with this.
pub(super) struct Tee {
    commons: Arc<Commons>,
    name: String,
    filing: Filing,
    upstream: Incoming,
    decoder: Option<Decoder>,
    pieces: Pieces,
    state: State,
}

enum State {
    /// The upstream sends.
    Open,
    /// The body is complete.
    Complete,
    /// The body broke off; what arrived leaves the gateway before the connection breaks.
    Broken(Pin<Box<Sleep>>),
}

impl Tee {
    /// Returns the body that passes this one on.
    pub(super) fn new(
        commons: &Arc<Commons>,
        name: &str,
        filing: Filing,
        upstream: Incoming,
        coding: Option<Coding>,
    ) -> Tee {
        let pieces = if upstream.size_hint().exact().is_some() { Pieces::Whole } else { Pieces::Cut };
        let mut tee = Tee {
            commons: Arc::clone(commons),
            name: name.to_owned(),
            filing,
            upstream,
            decoder: coding.map(Coding::decoder),
            pieces,
            state: State::Open,
        };
        if tee.upstream.is_end_stream() {
            tee.complete();
        }
        tee
    }

    /// Files the reply before the client sees its last byte: a test that has its answer may end at once.
    fn complete(&mut self) {
        self.filing.end_body(None);
        self.state = State::Complete;
    }

    fn broken(&mut self) {
        self.filing.end_body(Some(Truncation::Upstream));
        self.state = State::Broken(Box::pin(sleep(delay(Pace::Instant, Duration::ZERO))));
    }

    /// Returns what the client gets of a piece that arrived; nothing where a decoder wants more first.
    fn take(&mut self, piece: Bytes) -> Result<Bytes, Wiring> {
        let is_last = self.upstream.is_end_stream();
        let piece = match &mut self.decoder {
            None => piece,
            Some(decoder) => {
                let tail = if is_last { Decoder::end } else { |_: &mut Decoder| Ok(Vec::new()) };
                let decoded = decoder.decode(&piece).and_then(|mut bytes| {
                    bytes.extend(tail(decoder)?);
                    Ok(bytes)
                });
                Bytes::from(decoded.map_err(|err| self.undecodable(&err))?)
            }
        };
        self.keep(&piece)?;
        if is_last {
            self.complete();
        }
        Ok(piece)
    }

    fn end(&mut self) -> Result<Bytes, Wiring> {
        let tail = match &mut self.decoder {
            None => Bytes::new(),
            Some(decoder) => Bytes::from(decoder.end().map_err(|err| self.undecodable(&err))?),
        };
        self.keep(&tail)?;
        self.complete();
        Ok(tail)
    }

    fn keep(&mut self, piece: &Bytes) -> Result<(), Wiring> {
        let limit = self.commons.limits.reply;
        if !piece.is_empty() && self.filing.keep(piece, self.pieces) > limit {
            let what = format!("the reply to {} is longer than {limit} bytes", self.commons.desk.shown(&self.name));
            let help =
                "a reply of this size cannot be recorded; ask for less, or call the upstream outside the cassette";
            return Err(Wiring::new(what, help));
        }
        Ok(())
    }

    fn undecodable(&self, err: &std::io::Error) -> Wiring {
        Wiring::new(
            format!(
                "the reply to {} is not coded as its content-encoding says: {err}",
                self.commons.desk.shown(&self.name)
            ),
            "ask the upstream for plain replies; no coding is asked for in the program's name",
        )
    }

    fn give(&mut self, taken: Result<Bytes, Wiring>) -> Option<Frame<Bytes>> {
        match taken {
            Ok(piece) => (!piece.is_empty()).then(|| Frame::data(piece)),
            Err(report) => {
                self.commons.desk.fail(Report::Wiring(report));
                self.broken();
                None
            }
        }
    }
}

impl HttpBody for Tee {
    type Data = Bytes;
    type Error = Abort;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Abort>>> {
        let tee = self.get_mut();
        loop {
            match &mut tee.state {
                State::Complete => return Poll::Ready(None),
                State::Broken(pause) => {
                    ready!(pause.as_mut().poll(cx));
                    return Poll::Ready(Some(Err(Abort::Close)));
                }
                State::Open => {}
            }
            let given = match ready!(Pin::new(&mut tee.upstream).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(piece) => {
                        let taken = tee.take(piece);
                        tee.give(taken)
                    }
                    // Trailers have no place in a reply yet.
                    Err(_) => None,
                },
                Some(Err(_)) => {
                    tee.broken();
                    None
                }
                None => {
                    let taken = tee.end();
                    tee.give(taken)
                }
            };
            if let Some(frame) = given {
                return Poll::Ready(Some(Ok(frame)));
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.state, State::Complete)
    }

    fn size_hint(&self) -> SizeHint {
        if self.decoder.is_some() { SizeHint::default() } else { self.upstream.size_hint() }
    }
}

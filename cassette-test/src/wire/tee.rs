//! A live body on its way to the client, kept as it passes.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use cassette_core::reply::Truncation;
use cassette_core::report::{Report, Wiring};
use hyper::HeaderMap;
use hyper::body::{Body, Bytes, Frame, SizeHint};

use super::coding::{Coding, Decoder};
use super::cut::Cut;
use super::desk::Desk;
use super::filing::{Filing, Pieces};
use super::headers::{Arrived, Extent, lasting};
use super::reads::Reads;

/// A live body. The next piece is asked for only when the client takes it, and a client that goes away drops the upstream's
/// connection with this.
pub(crate) struct Tee<B> {
    keeper: Keeper,
    filing: Filing,
    upstream: B,
    decoder: Option<Decoder>,
    pieces: Pieces,
    state: State,
}

/// What a live body is kept by.
pub(crate) struct Keeper {
    /// Who is told where it cannot be kept.
    pub(crate) desk: Arc<dyn Desk>,
    /// The name of its call.
    pub(crate) name: String,
    /// The greatest length that is kept, in bytes.
    pub(crate) limit: usize,
    /// Who reads it.
    pub(crate) reads: Reads,
}

#[derive(Debug)]
enum State {
    /// The upstream sends.
    Open,
    /// The body is complete, and this comes after it.
    Trailing(Box<HeaderMap>),
    /// The body has ended, complete or not.
    Ended,
}

impl<B: Body<Data = Bytes> + Unpin> Tee<B> {
    /// Returns the body that passes this one on.
    pub(crate) fn new(keeper: Keeper, filing: Filing, upstream: B, arrived: &Arrived) -> Tee<B> {
        let pieces = if upstream.size_hint().exact().is_some() { Pieces::Whole } else { Pieces::Cut };
        let decoder = arrived.coding.map(Coding::decoder);
        let mut filing = filing;
        if keeper.reads == Reads::AsAsked {
            filing.may_be_left();
        }
        let mut tee = Tee { keeper, filing, upstream, decoder, pieces, state: State::Open };
        // A body that is not there is not read either.
        if tee.upstream.is_end_stream() || arrived.extent == Extent::Bodiless {
            tee.complete();
        }
        tee
    }

    /// Files the reply before the client sees its last byte: a test that has its answer may end at once.
    fn complete(&mut self) {
        self.filing.end_body(None);
        self.state = State::Ended;
    }

    fn broken(&mut self, why: Cut<B::Error>) -> Cut<B::Error> {
        self.filing.end_body(Some(Truncation::Upstream));
        self.state = State::Ended;
        why
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
                Bytes::from(decoded.map_err(|err| self.keeper.undecodable(&err))?)
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
            Some(decoder) => Bytes::from(decoder.end().map_err(|err| self.keeper.undecodable(&err))?),
        };
        self.keep(&tail)?;
        self.complete();
        Ok(tail)
    }

    /// Keeps what comes after the body, and returns what was left of that.
    fn trail(&mut self, trailers: HeaderMap) -> Option<Result<Frame<Bytes>, Cut<B::Error>>> {
        self.filing.trailers(lasting(&trailers));
        let ended = self.end();
        let is_complete = ended.is_ok();
        let given = self.give(ended);
        if is_complete && !trailers.is_empty() {
            self.state = State::Trailing(Box::new(trailers));
        }
        given
    }

    fn keep(&mut self, piece: &Bytes) -> Result<(), Wiring> {
        if !piece.is_empty() && self.filing.keep(piece, self.pieces) > self.keeper.limit {
            return Err(self.keeper.too_long());
        }
        Ok(())
    }

    fn give(&mut self, taken: Result<Bytes, Wiring>) -> Option<Result<Frame<Bytes>, Cut<B::Error>>> {
        match taken {
            Ok(piece) => (!piece.is_empty()).then(|| Ok(Frame::data(piece))),
            Err(report) => {
                let report = self.keeper.desk.fail(Report::Wiring(report));
                Some(Err(self.broken(Cut::Failed(report))))
            }
        }
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for Tee<B> {
    type Data = Bytes;
    type Error = Cut<B::Error>;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let tee = self.get_mut();
        loop {
            match std::mem::replace(&mut tee.state, State::Ended) {
                State::Open => tee.state = State::Open,
                State::Trailing(trailers) => return Poll::Ready(Some(Ok(Frame::trailers(*trailers)))),
                State::Ended => return Poll::Ready(None),
            }
            let polled = Pin::new(&mut tee.upstream).poll_frame(cx);
            tee.filing.note_wait(polled.is_pending());
            let given = match ready!(polled) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(piece) => {
                        let taken = tee.take(piece);
                        tee.give(taken)
                    }
                    Err(frame) => tee.trail(frame.into_trailers().unwrap_or_default()),
                },
                Some(Err(err)) => Some(Err(tee.broken(Cut::Live(err)))),
                None => {
                    let taken = tee.end();
                    tee.give(taken)
                }
            };
            if let Some(given) = given {
                return Poll::Ready(Some(given));
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.state, State::Ended)
    }

    fn size_hint(&self) -> SizeHint {
        match &self.state {
            State::Ended | State::Trailing(_) => SizeHint::with_exact(0),
            State::Open if self.decoder.is_some() => SizeHint::default(),
            State::Open => self.upstream.size_hint(),
        }
    }
}

impl Keeper {
    fn too_long(&self) -> Wiring {
        let what = format!("the reply to {} is longer than {} bytes", self.desk.shown(&self.name), self.limit);
        Wiring::new(
            what,
            "a reply of this size cannot be recorded; ask for less, or call the upstream outside the cassette",
        )
    }

    fn undecodable(&self, err: &io::Error) -> Wiring {
        let name = self.desk.shown(&self.name);
        Wiring::new(
            format!("the reply to {name} is not coded as its content-encoding says: {err}"),
            "ask the upstream for plain replies; no coding is asked for in the program's name",
        )
    }
}

//! A reply's body on its way to a client, recorded or live.

use std::error::Error;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::HeaderMap;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use hyper::header::{CONTENT_LENGTH, HeaderValue};

use crate::guard::Loan;
use crate::wire::{self, Cut, Playback, Recorded, Tee};

/// An error of any type.
pub(super) type BoxError = Box<dyn Error + Send + Sync>;

/// A reply's body: each recorded chunk, or each piece that arrives, is a frame.
pub(super) struct Stream<B>(Source<B>);

enum Source<B> {
    Recorded(Playback),
    Live {
        tee: Tee<B>,
        /// Its host may be reached as long as it is read from.
        _loan: Option<Loan>,
    },
}

impl<B: Body<Data = Bytes> + Unpin> Stream<B> {
    /// Returns a recorded body.
    pub(super) fn recorded(playback: Playback) -> Stream<B> {
        Stream(Source::Recorded(playback))
    }

    /// Returns a live one.
    pub(super) fn live(tee: Tee<B>, loan: Option<Loan>) -> Stream<B> {
        Stream(Source::Live { tee, _loan: loan })
    }

    /// Returns the headers of its reply, with the length of a body that is whole, if there is one.
    pub(super) fn headers(&self, head: &Recorded) -> HeaderMap
    where
        B::Error: Into<BoxError>,
    {
        let mut headers = wire::map(&head.headers);
        if let Some(length) = self.size_hint().exact().filter(|length| *length > 0) {
            headers.entry(CONTENT_LENGTH).or_insert(HeaderValue::from(length));
        }
        headers
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for Stream<B>
where
    B::Error: Into<BoxError>,
{
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let frame = match &mut self.get_mut().0 {
            Source::Recorded(playback) => {
                let frame = ready!(Pin::new(playback).poll_frame(cx));
                frame.map(|frame| frame.map_err(|cut| error(cut, |never| match never {})))
            }
            Source::Live { tee, .. } => {
                let frame = ready!(Pin::new(tee).poll_frame(cx));
                frame.map(|frame| frame.map_err(|cut| error(cut, Into::into)))
            }
        };
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Source::Recorded(playback) => playback.is_end_stream(),
            Source::Live { tee, .. } => tee.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Source::Recorded(playback) => playback.size_hint(),
            Source::Live { tee, .. } => tee.size_hint(),
        }
    }
}

/// Returns the error of a body that ends too early: the client's own where it is live.
fn error<E>(cut: Cut<E>, live: impl FnOnce(E) -> BoxError) -> BoxError {
    match cut {
        Cut::Live(err) => live(err),
        Cut::Recorded => {
            let what = "the connection was closed before the reply was complete";
            io::Error::new(io::ErrorKind::UnexpectedEof, what).into()
        }
        Cut::Failed(report) => report.into(),
    }
}

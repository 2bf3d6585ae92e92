//! A live body with the trailers that its client can be given.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::HeaderMap;
use hyper::body::{Body, Bytes, Frame, SizeHint};

/// A body that ends with no other trailers than its client can be given.
pub(super) struct Trailing<B> {
    body: B,
    /// The names of those; `None` for all.
    names: Option<Vec<String>>,
}

impl<B> Trailing<B> {
    /// Returns a body with whatever trailers it has.
    pub(super) fn any(body: B) -> Trailing<B> {
        Trailing { body, names: None }
    }

    /// Returns a body with the trailers of these names: over HTTP/1.1 no other is given than was announced.
    pub(super) fn only(names: Vec<String>, body: B) -> Trailing<B> {
        Trailing { body, names: Some(names) }
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for Trailing<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let trailing = self.get_mut();
        let frame = ready!(Pin::new(&mut trailing.body).poll_frame(cx));
        let given = |frame: Frame<Bytes>| match (frame.into_trailers(), &trailing.names) {
            (Ok(trailers), Some(names)) => Frame::trailers(of_these(&trailers, names)),
            (Ok(trailers), None) => Frame::trailers(trailers),
            (Err(frame), _) => frame,
        };
        Poll::Ready(frame.map(|frame| frame.map(given)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn of_these(trailers: &HeaderMap, names: &[String]) -> HeaderMap {
    let given = trailers.iter().filter(|(name, _)| names.iter().any(|known| known == name.as_str()));
    let mut left = HeaderMap::new();
    for (name, value) in given {
        left.append(name, value.clone());
    }
    left
}

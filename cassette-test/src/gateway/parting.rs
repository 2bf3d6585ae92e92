//! A body whose end, where it comes too early, is that of its connection.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::body::{Body, Bytes, Frame, SizeHint};
use tokio::time::{Sleep, sleep};

use super::abort::Abort;
use super::commons::LEAST;

/// A body that breaks off by closing the connection, and only when what went before has left the gateway.
pub(super) struct Parting<B> {
    body: B,
    broken: Option<Pin<Box<Sleep>>>,
}

impl<B> Parting<B> {
    /// Returns the body that a connection sends.
    pub(super) fn new(body: B) -> Parting<B> {
        Parting { body, broken: None }
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for Parting<B> {
    type Data = Bytes;
    type Error = Abort;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Abort>>> {
        let parting = self.get_mut();
        if parting.broken.is_none() {
            match ready!(Pin::new(&mut parting.body).poll_frame(cx)) {
                None => return Poll::Ready(None),
                Some(Ok(frame)) => return Poll::Ready(Some(Ok(frame))),
                Some(Err(_)) => {}
            }
        }
        let pause = parting.broken.get_or_insert_with(|| Box::pin(sleep(LEAST)));
        ready!(pause.as_mut().poll(cx));
        Poll::Ready(Some(Err(Abort::Close)))
    }

    fn is_end_stream(&self) -> bool {
        self.broken.is_none() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

//! A body whose end, where it comes too early, is that of its connection.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::body::{Body, Bytes, Frame, SizeHint};
use tokio::time::{Sleep, sleep};

use super::abort::Abort;
use super::commons::LEAST;
use super::protocol::Protocol;

/// A body that breaks off by closing the connection, and only when what went before has left the gateway.
///
/// Over HTTP/2 its end is a frame of its own. A live body is often known to have ended only after its last piece, and a client
/// that shows frames sees the difference: so it is one always, and a replay looks like the recording.
pub(super) struct Parting<B> {
    body: B,
    protocol: Protocol,
    /// Whether something of it has been sent.
    begun: bool,
    broken: Option<Pin<Box<Sleep>>>,
}

impl<B> Parting<B> {
    /// Returns the body that a connection of this protocol sends.
    pub(super) fn new(body: B, protocol: Protocol) -> Parting<B> {
        Parting { body, protocol, begun: false, broken: None }
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
                Some(Ok(frame)) => {
                    parting.begun = true;
                    return Poll::Ready(Some(Ok(frame)));
                }
                Some(Err(_)) => {}
            }
        }
        let pause = parting.broken.get_or_insert_with(|| Box::pin(sleep(LEAST)));
        ready!(pause.as_mut().poll(cx));
        Poll::Ready(Some(Err(Abort::Close)))
    }

    fn is_end_stream(&self) -> bool {
        let may_end = self.protocol == Protocol::Http1 || !self.begun;
        may_end && self.broken.is_none() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

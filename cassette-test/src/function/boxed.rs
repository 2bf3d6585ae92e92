//! A stream whose own type is nobody's business.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

/// A recorded stream, live or replayed: what a `#[recordable]` trait's associated type is for whatever is recorded.
pub struct RecordedStream<I>(Pin<Box<dyn Stream<Item = I> + Send>>);

impl<I> RecordedStream<I> {
    /// Returns this stream.
    pub fn new(stream: impl Stream<Item = I> + Send + 'static) -> RecordedStream<I> {
        RecordedStream(Box::pin(stream))
    }
}

impl<I> Stream for RecordedStream<I> {
    type Item = I;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<I>> {
        self.get_mut().0.as_mut().poll_next(cx)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<I> fmt::Debug for RecordedStream<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordedStream").finish_non_exhaustive()
    }
}

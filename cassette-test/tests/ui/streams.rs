//! Streams that cannot be recorded.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

struct Foreign;

struct Nothing<T>(T);

impl<T> Stream for Nothing<T> {
    type Item = T;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<T>> {
        Poll::Ready(None)
    }
}

#[cassette_test::llm]
fn items() -> impl Stream<Item = Foreign> {
    Nothing(Foreign)
}

#[cassette_test::llm]
fn errors() -> impl Stream<Item = Result<u8, Foreign>> {
    Nothing(Ok(7))
}

#[cassette_test::llm]
async fn fails() -> Result<Pin<Box<dyn Stream<Item = u8>>>, Foreign> {
    Err(Foreign)
}

#[cassette_test::llm]
fn named() -> Nothing<u8> {
    Nothing(7)
}

#[cassette_test::llm]
fn nested() -> Option<impl Stream<Item = u8>> {
    Some(Nothing(7))
}

fn main() {}

//! Where `#[recordable]` goes without a word.
#![forbid(unsafe_code)]
#![deny(warnings)]

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;

use cassette_test::{Cassette, Recorded, RecordedStream, recordable};
use futures_core::Stream;

mod elsewhere {
    pub mod cassette_test_renamed {
        pub use cassette_test::*;
    }
}

/// A trait as libraries publish it.
#[recordable(error = "serde", crate = elsewhere::cassette_test_renamed)]
pub trait Provider<K: Clone + Debug = u8>: Debug + Send + Sync + 'static {
    /// Its name.
    const NAME: &'static str;
    /// Its error.
    type Error: Debug + Send;
    /// Its tokens.
    type Tokens: Stream<Item = Result<String, Self::Error>> + Send + Unpin;

    /// Answers.
    #[must_use]
    fn answer(&self, key: K, question: &[&str]) -> impl Future<Output = Result<Vec<K>, Self::Error>> + Send;

    /// Streams.
    fn tokens<'a>(&'a self, question: &'a str) -> Self::Tokens;

    /// Lends.
    fn lent(&self) -> &str;

    /// As a pointer needs it.
    fn boxed<'a>(&'a self) -> Pin<Box<dyn Future<Output = u8> + Send + 'a>>;

    /// Changes.
    #[cassette_test::memory(skip(self), name = "forget")]
    fn forget(&mut self) {}

    /// Gives itself.
    #[recordable(provided)]
    fn itself(self) -> Self
    where
        Self: Sized,
    {
        self
    }

    /// Is not always there.
    #[cfg(any())]
    fn gone(&self) -> std::rc::Rc<()>;
}

/// One without anything.
#[recordable]
pub trait Empty {}

/// One whose implementors go to other threads, without being shared by them.
#[recordable]
pub trait Sent: std::marker::Send {
    /// Goes.
    fn go(&self, x: u32) -> u32;
}

/// One with two parameters, one of them borrowed.
#[recordable(kind = "memory")]
pub trait Store<'a, K, const N: usize> {
    /// Gets.
    fn get(&self, key: &K, among: [u8; N]) -> Option<K>;
    /// Puts.
    fn put(&self, key: &'a str);
}

fn is_sent<T: Send + Sync + Clone + Debug>(_: &T) {}

fn wrapped(cassette: &Cassette) -> Recorded<u8> {
    let recorded = cassette.wrap(|| 7u8).named("seven");
    is_sent(&recorded);
    let failing = cassette.try_wrap(|| "x".parse::<u8>());
    is_sent(&failing);
    recorded
}

fn streamed<S: Stream<Item = u8> + Send + 'static>(stream: S) -> RecordedStream<u8> {
    RecordedStream::new(stream)
}

fn main() {
    let _ = wrapped;
    let _ = streamed::<RecordedStream<u8>>;
}

//! The forms of a function's call that a test writes.

use std::fmt::{Debug, Display};

use cassette_core::call::Kind;
use cassette_core::function::{
    ByDescription, Fallible, FunctionCall, Plain, ReplayedError, is_holder, layers, rebuilt,
};
use futures_core::Stream;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::shown::shown_alike;
use super::{asynchronous, blocking, streamed};
use crate::cassette::Cassette;

impl Cassette {
    /// Returns what a function gives: what was recorded for these arguments, or what `live` gives now, which is recorded.
    ///
    /// ```no_run
    /// # async fn search(_: &str) -> Result<Vec<String>, String> { Ok(Vec::new()) }
    /// # async fn of(cassette: cassette_test::Cassette) {
    /// use cassette_test::Call;
    ///
    /// let hits = cassette.call(Call::tool("search", &["Bergen"]), || search("Bergen")).await;
    /// # let _ = hits;
    /// # }
    /// ```
    ///
    /// The whole of it goes through serde, a `Result` as one. While recording, what is written is read back and written again, and compared by
    /// what `Debug` shows; a value that would not come back as it was fails the recording. Where some of it does not count, such as a cache,
    /// a function with an attribute goes by `PartialEq`. On replay `live` does not run. Functions that it calls are a part of it.
    ///
    /// # Panics
    ///
    /// Panics where the cassette fails outside the body of its test, as in a spawned task.
    pub async fn call<T, F>(&self, call: FunctionCall, live: impl FnOnce() -> F) -> T
    where
        T: Serialize + DeserializeOwned + Debug,
        F: Future<Output = T>,
    {
        asynchronous::call(self.clone(), call, Plain::new(Some(shown_alike)), live).await
    }

    /// Returns what a function gives, as [`call`](Cassette::call) does, with an error that is rebuilt from what is known of it.
    ///
    /// Of the error, its type's name and text are recorded, with the kind of an `io::Error`, and the errors beneath a boxed one. One of which
    /// `Debug` then shows something else fails the recording: a function with an attribute has other ways to keep it.
    ///
    /// # Errors
    ///
    /// Fails as the function does or did. In a spawned task, or with `on_miss = "error"`, a failure of the cassette is an error
    /// of kind [`Missed`](cassette_core::function::ErrorKind::Missed).
    pub async fn try_call<T, E, F>(&self, call: FunctionCall, live: impl FnOnce() -> F) -> Result<T, E>
    where
        T: Serialize + DeserializeOwned + Debug,
        E: From<ReplayedError> + Debug + Display + 'static,
        F: Future<Output = Result<T, E>>,
    {
        asynchronous::call(self.clone(), call, described(), live).await
    }

    /// Returns what a function gives, as [`call`](Cassette::call) does, without waiting.
    ///
    /// # Panics
    ///
    /// Panics where the cassette fails: the test ends there.
    #[track_caller]
    pub fn call_blocking<T>(&self, call: FunctionCall, live: impl FnOnce() -> T) -> T
    where
        T: Serialize + DeserializeOwned + Debug,
    {
        blocking::call(self, &call, &Plain::new(Some(shown_alike)), live)
    }

    /// Returns what a function gives, as [`try_call`](Cassette::try_call) does, without waiting.
    ///
    /// # Errors
    ///
    /// Fails as the function does or did; with `on_miss = "error"`, where the cassette fails.
    ///
    /// # Panics
    ///
    /// Panics where the cassette fails, unless the test says `on_miss = "error"`: the test ends there.
    #[track_caller]
    pub fn try_call_blocking<T, E>(&self, call: FunctionCall, live: impl FnOnce() -> Result<T, E>) -> Result<T, E>
    where
        T: Serialize + DeserializeOwned + Debug,
        E: From<ReplayedError> + Debug + Display + 'static,
    {
        blocking::call(self, &call, &described(), live)
    }

    /// Returns a stream that a function gives: what was recorded for these arguments, or what `live` gives now, which is recorded.
    ///
    /// ```no_run
    /// # use futures_core::Stream;
    /// # fn of<S: Stream<Item = String>>(cassette: cassette_test::Cassette, tokens: impl Fn(&str) -> S) {
    /// use cassette_test::Call;
    ///
    /// let said = cassette.stream(Call::llm("answer", "why"), || tokens("why"));
    /// # let _ = said;
    /// # }
    /// ```
    ///
    /// Each item goes through serde as the value of [`call`](Cassette::call) does, and is recorded when it passes. What the
    /// program has not read when it drops the stream is not recorded: if it wants more on replay, the test fails. The stream is
    /// read as fast as the program likes, or in its recorded rhythm with `pace`.
    pub fn stream<S, L>(&self, call: FunctionCall, live: L) -> impl Stream<Item = S::Item> + Unpin + use<S, L>
    where
        S: Stream<Item: Serialize + DeserializeOwned + Debug>,
        L: FnOnce() -> S,
    {
        streamed::stream(self, &call, Plain::new(Some(shown_alike)), live)
    }

    /// Returns a stream that a function gives, as [`stream`](Cassette::stream) does, of items that may be errors, which are
    /// rebuilt as those of [`try_call`](Cassette::try_call) are.
    pub fn try_stream<T, E, S, L>(
        &self,
        call: FunctionCall,
        live: L,
    ) -> impl Stream<Item = Result<T, E>> + Unpin + use<T, E, S, L>
    where
        T: Serialize + DeserializeOwned + Debug,
        E: From<ReplayedError> + Debug + Display + 'static,
        S: Stream<Item = Result<T, E>>,
        L: FnOnce() -> S,
    {
        streamed::stream(self, &call, described(), live)
    }

    /// Returns a value that differs from run to run, such as the time, an id or a seed: what was recorded under this name, or
    /// what `live` gives now.
    ///
    /// ```no_run
    /// # let cassette = cassette_test::Cassette::current();
    /// let now = cassette.value("now", std::time::SystemTime::now);
    /// # let _ = now;
    /// ```
    ///
    /// It goes through serde as the value of [`call`](Cassette::call) does. Several values of one name come back in the order in which they were
    /// recorded.
    ///
    /// # Panics
    ///
    /// Panics where the cassette fails: the test ends there.
    #[track_caller]
    pub fn value<T>(&self, name: &str, live: impl FnOnce() -> T) -> T
    where
        T: Serialize + DeserializeOwned + Debug,
    {
        self.call_blocking(FunctionCall::plain(Kind::Value, name), live)
    }
}

fn described<T: Debug, E: From<ReplayedError> + Debug + Display + 'static>() -> Fallible<T, ByDescription<E>> {
    let by = ByDescription::new(ReplayedError::of_displayed, rebuilt::<E>).with(layers);
    Fallible::new(Some(shown_alike), by.exactly((!is_holder::<E>()).then_some(shown_alike::<E>)))
}

//! How what a function gives is written into a recording and read out of it again.
//!
//! A value is written as it is; a `Result` as its value or as an error, which has ways of its own.

use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::errors::ErrorCodec;
use super::parting::Equal;
use super::{Misread, ReplayedError, Unwritable, faithful, restored};
use crate::json::{Json, Layout};
use crate::reply::Reply;
use crate::report::Report;

/// Writes and reads what a function gives.
pub trait Codec<R> {
    /// Writes what the function gave; `at` is how long it took.
    fn encode(&self, given: &R, at: Duration) -> Result<Reply, Unwritable>;

    /// Reads what a function gave.
    fn decode(&self, reply: &Reply) -> Result<R, Misread>;

    /// Returns what the function gives where the cassette has failed, if its type can say so.
    fn missed(&self, report: &Report) -> Option<R>;
}

/// A value, whatever it is.
#[derive(Clone, Copy, Debug)]
pub struct Plain<R> {
    equal: Option<Equal<R>>,
}

/// A `Result`.
#[derive(Clone, Copy, Debug)]
pub struct Fallible<T, C> {
    equal: Option<Equal<T>>,
    errors: C,
}

impl<R> Plain<R> {
    /// Returns the codec of values that are compared so, where they can be.
    pub fn new(equal: Option<Equal<R>>) -> Plain<R> {
        Plain { equal }
    }
}

impl<R: Serialize + DeserializeOwned> Codec<R> for Plain<R> {
    fn encode(&self, given: &R, at: Duration) -> Result<Reply, Unwritable> {
        Ok(Reply::value(bytes(&faithful(given, self.equal)?), at))
    }

    fn decode(&self, reply: &Reply) -> Result<R, Misread> {
        match reply.is_failure() {
            true => Err(Misread::whole("an error was recorded, and the function's type has none")),
            false => restored(&document(reply)?),
        }
    }

    fn missed(&self, _: &Report) -> Option<R> {
        None
    }
}

impl<T, C> Fallible<T, C> {
    /// Returns the codec of a `Result` with such errors, whose values are compared so, where they can be.
    pub fn new(equal: Option<Equal<T>>, errors: C) -> Fallible<T, C> {
        Fallible { equal, errors }
    }
}

impl<T: Serialize + DeserializeOwned, E, C: ErrorCodec<E>> Codec<Result<T, E>> for Fallible<T, C> {
    fn encode(&self, given: &Result<T, E>, at: Duration) -> Result<Reply, Unwritable> {
        match given {
            Ok(value) => Ok(Reply::value(bytes(&faithful(value, self.equal)?), at)),
            Err(error) => Ok(Reply::failure(bytes(&self.errors.encode(error)?), at)),
        }
    }

    fn decode(&self, reply: &Reply) -> Result<Result<T, E>, Misread> {
        let document = document(reply)?;
        if reply.is_failure() { self.errors.decode(&document).map(Err) } else { restored(&document).map(Ok) }
    }

    fn missed(&self, report: &Report) -> Option<Result<T, E>> {
        self.errors.missed(ReplayedError::missed(report)).map(Err)
    }
}

pub(super) fn bytes(json: &Json) -> Vec<u8> {
    json.print(Layout::Compact).into_bytes()
}

fn document(reply: &Reply) -> Result<Json, Misread> {
    if reply.is_stream() {
        return Err(Misread::whole("a stream was recorded, and the function gives one value"));
    }
    let body = reply.body();
    let text = std::str::from_utf8(&body).map_err(|_| Misread::whole("what was recorded is no text"))?;
    Json::parse(text).map_err(|error| Misread::whole(error.what))
}

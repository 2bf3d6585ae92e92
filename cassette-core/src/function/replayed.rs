//! An error as a recording keeps it.

use std::any::{Any, type_name};
use std::error::Error;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Misread, Unwritable, read, write};
use crate::json::Json;
use crate::report::Report;

/// What a recording knows of a function's error: enough for code that recovers from it to take the same way again.
///
/// A function's error type that has no serde of its own is rebuilt from it, by `impl From<ReplayedError> for MyError`; what
/// it keeps of the live error beyond its text, `impl From<&MyError> for ReplayedError` says.
///
/// ```
/// use cassette_core::function::ReplayedError;
///
/// let mut error = ReplayedError::new("my::RateLimited", "slow down");
/// error.status = Some(429);
/// assert_eq!((error.to_string().as_str(), error.status), ("slow down", Some(429)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ReplayedError {
    /// Whether it was recorded, or stands for a call that was not.
    #[serde(skip)]
    pub kind: ErrorKind,
    /// The name of the error's type when it was recorded.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The error's text.
    pub message: String,
    /// The HTTP status behind it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub status: Option<u16>,
    /// The provider's code; of an `io::Error`, its kind.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub code: Option<String>,
    /// The parameter that the provider blames.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub param: Option<String>,
    /// The provider's id of the request.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub request_id: Option<String>,
    /// The headers of the reply.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub headers: Vec<(String, String)>,
    /// How long to wait before the next attempt.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub retry_after: Option<Duration>,
    /// The body of the reply.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub body: Option<String>,
    /// The error beneath it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<Box<ReplayedError>>,
}

/// Where a [`ReplayedError`] comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The function failed so when it was recorded.
    #[default]
    Recorded,
    /// The call was never recorded, or the cassette had failed before: the text is the report.
    Missed,
}

/// The member of a recorded error that holds the error itself, where serde can write it.
const VALUE: &str = "value";

impl ReplayedError {
    /// Returns an error of this type and text.
    pub fn new(type_name: impl Into<String>, message: impl Into<String>) -> ReplayedError {
        ReplayedError { type_name: type_name.into(), message: message.into(), ..ReplayedError::default() }
    }

    /// Returns what there is to know of an error, with those beneath it.
    pub fn of<E: Error + 'static>(error: &E) -> ReplayedError {
        let mut found = ReplayedError::new(type_name::<E>(), error.to_string());
        found.code = kind_of(error);
        found.source = error.source().map(beneath);
        found
    }

    /// Returns what there is to know of something that says what went wrong: of a boxed error, and of an `io::Error`, what
    /// [`of`](ReplayedError::of) has.
    pub fn of_displayed<E: fmt::Display + 'static>(error: &E) -> ReplayedError {
        let any: &dyn Any = error;
        let boxed = || any.downcast_ref::<Box<dyn Error>>().map(|error| &**error);
        let sync =
            || any.downcast_ref::<Box<dyn Error + Send + Sync>>().map(|error| &**error as &(dyn Error + 'static));
        let io = || any.downcast_ref::<std::io::Error>().map(|error| error as &(dyn Error + 'static));
        match boxed().or_else(sync).or_else(io) {
            Some(error) => ReplayedError::of_dyn(type_name::<E>(), error),
            None => ReplayedError::new(type_name::<E>(), error.to_string()),
        }
    }

    /// Returns what there is to know of an error whose type is known no longer, with those beneath it.
    pub fn of_dyn(type_name: &str, error: &(dyn Error + 'static)) -> ReplayedError {
        ReplayedError { type_name: type_name.to_owned(), ..*beneath(error) }
    }

    /// Returns the error that stands for a call which the cassette failed.
    pub fn missed(report: &Report) -> ReplayedError {
        let error = ReplayedError::new("cassette_test::Report", report.to_string());
        ReplayedError { kind: ErrorKind::Missed, code: Some(report.code().to_owned()), ..error }
    }

    /// Returns the error as it stands in a cassette, with the error itself where serde can write it.
    pub fn to_json(&self, value: Option<Json>) -> Result<Json, Unwritable> {
        let mut json = write(self)?;
        if let (Json::Object(members), Some(value)) = (&mut json, value) {
            members.push((VALUE.into(), value));
        }
        Ok(json)
    }

    /// Reads an error as it stands in a cassette.
    pub fn from_json(json: &Json) -> Result<ReplayedError, Misread> {
        read(json)
    }

    /// Returns the error itself, where one stands in a cassette beside what is known of it.
    pub fn value(json: &Json) -> Option<&Json> {
        json.get(VALUE)
    }
}

/// Returns what is known of an error beneath another, whose type has no name here.
fn beneath(error: &(dyn Error + 'static)) -> Box<ReplayedError> {
    let mut found = ReplayedError::new("", error.to_string());
    found.code = error.downcast_ref::<std::io::Error>().and_then(kind_of);
    found.source = error.source().map(beneath);
    Box::new(found)
}

/// Returns the kind of an `io::Error`, by name.
fn kind_of<E: Error + 'static>(error: &E) -> Option<String> {
    let error: &(dyn Error + 'static) = error;
    error.downcast_ref::<std::io::Error>().map(|error| format!("{:?}", error.kind()))
}

impl fmt::Display for ReplayedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for ReplayedError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}

/// The kinds that code is likely to tell apart.
const KINDS: [std::io::ErrorKind; 21] = {
    use std::io::ErrorKind::{
        AddrInUse, AddrNotAvailable, AlreadyExists, BrokenPipe, ConnectionAborted, ConnectionRefused, ConnectionReset,
        HostUnreachable, Interrupted, InvalidData, InvalidInput, NetworkUnreachable, NotConnected, NotFound,
        OutOfMemory, PermissionDenied, TimedOut, UnexpectedEof, Unsupported, WouldBlock, WriteZero,
    };
    [
        AddrInUse,
        AddrNotAvailable,
        AlreadyExists,
        BrokenPipe,
        ConnectionAborted,
        ConnectionRefused,
        ConnectionReset,
        HostUnreachable,
        Interrupted,
        InvalidData,
        InvalidInput,
        NetworkUnreachable,
        NotConnected,
        NotFound,
        OutOfMemory,
        PermissionDenied,
        TimedOut,
        UnexpectedEof,
        Unsupported,
        WouldBlock,
        WriteZero,
    ]
};

impl From<ReplayedError> for std::io::Error {
    /// Returns an error of the recorded kind.
    fn from(error: ReplayedError) -> std::io::Error {
        let named = |kind: &&std::io::ErrorKind| error.code.as_deref() == Some(format!("{kind:?}").as_str());
        let kind = KINDS.iter().find(named).copied().unwrap_or(std::io::ErrorKind::Other);
        std::io::Error::new(kind, error)
    }
}

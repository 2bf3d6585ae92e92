//! What production code names of this crate, in a build in which nothing is recorded: the same names, and nothing behind them.
//!
//! ```
//! use cassette_test::{ErrorKind, ReplayedError, tool};
//!
//! #[derive(Debug)]
//! enum TimetableError {
//!     Status(u16),
//!     Other(String),
//! }
//!
//! impl std::fmt::Display for TimetableError {
//!     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
//!         write!(f, "{self:?}")
//!     }
//! }
//!
//! impl From<&TimetableError> for ReplayedError {
//!     fn from(error: &TimetableError) -> ReplayedError {
//!         let mut said = ReplayedError::new("TimetableError", error.to_string());
//!         said.status = if let TimetableError::Status(status) = error { Some(*status) } else { None };
//!         said
//!     }
//! }
//!
//! impl From<ReplayedError> for TimetableError {
//!     fn from(error: ReplayedError) -> TimetableError {
//!         match (error.kind, error.status) {
//!             (ErrorKind::Recorded, Some(status)) => TimetableError::Status(status),
//!             _ => TimetableError::Other(error.message),
//!         }
//!     }
//! }
//!
//! #[tool]
//! fn departures(town: &str) -> Result<Vec<u32>, TimetableError> {
//!     if town.is_empty() { Err(TimetableError::Status(404)) } else { Ok(vec![904]) }
//! }
//!
//! assert_eq!(departures("Bergen").unwrap(), [904]);
//! assert!(cassette_test::live_blocking(|| departures("")).is_err());
//!
//! # #[derive(Debug)] struct Foreign;
//! # impl std::fmt::Display for Foreign {
//! #     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str("foreign") }
//! # }
//! # impl std::error::Error for Foreign {}
//! # #[allow(dead_code)]
//! fn describe(error: &Foreign) -> ReplayedError {
//!     ReplayedError::of(error)
//! }
//!
//! # #[allow(dead_code)]
//! fn rebuild(_: ReplayedError) -> Foreign {
//!     Foreign
//! }
//!
//! #[tool(describe = describe, rebuild = rebuild)]
//! async fn look_up(town: &str) -> Result<String, Foreign> {
//!     Ok(town.to_owned())
//! }
//! # let _ = cassette_test::live(look_up("Bergen"));
//! ```

use std::any::type_name;
use std::error::Error;
use std::fmt;
use std::time::Duration;

/// What a recording knows of a function's error, for the conversions that the error type of an annotated function needs where it is
/// recorded: `impl From<ReplayedError> for MyError`, `impl From<&MyError> for ReplayedError`. In this build nothing calls them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplayedError {
    /// Whether it was recorded, or stands for a call that was not.
    pub kind: ErrorKind,
    /// The name of the error's type when it was recorded.
    pub type_name: String,
    /// The error's text.
    pub message: String,
    /// The HTTP status behind it.
    pub status: Option<u16>,
    /// The provider's code; of an `io::Error`, its kind, and of a `serde_json::Error`, its category.
    pub code: Option<String>,
    /// The parameter that the provider blames.
    pub param: Option<String>,
    /// The provider's id of the request.
    pub request_id: Option<String>,
    /// The headers of the reply.
    pub headers: Vec<(String, String)>,
    /// How long to wait before the next attempt.
    pub retry_after: Option<Duration>,
    /// The body of the reply.
    pub body: Option<String>,
    /// The error beneath it.
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

impl ReplayedError {
    /// Returns an error of this type and text.
    pub fn new(type_name: impl Into<String>, message: impl Into<String>) -> ReplayedError {
        ReplayedError { type_name: type_name.into(), message: message.into(), ..ReplayedError::default() }
    }

    /// Returns an error of this one's type and texts.
    pub fn of<E: Error + 'static>(error: &E) -> ReplayedError {
        ReplayedError::of_dyn(type_name::<E>(), error)
    }

    /// Returns an error of the type and the text of what says what went wrong.
    pub fn of_displayed<E: fmt::Display + 'static>(error: &E) -> ReplayedError {
        ReplayedError::new(type_name::<E>(), error.to_string())
    }

    /// Returns an error of this type, and of the texts of an error within it.
    pub fn of_dyn(type_name: &str, error: &(dyn Error + 'static)) -> ReplayedError {
        let source = error.source().map(|source| Box::new(ReplayedError::of_dyn("", source)));
        ReplayedError { source, ..ReplayedError::new(type_name, error.to_string()) }
    }
}

impl From<&ReplayedError> for ReplayedError {
    fn from(error: &ReplayedError) -> ReplayedError {
        error.clone()
    }
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

/// Runs a future; in this build annotated functions are what they are without their attribute everywhere.
pub async fn live<F: Future>(future: F) -> F::Output {
    future.await
}

/// Runs a closure, as [`live`] runs a future.
pub fn live_blocking<T>(function: impl FnOnce() -> T) -> T {
    function()
}

//! An error as a recording keeps it.

use std::any::{Any, type_name};
use std::error::Error;
use std::sync::OnceLock;
use std::time::Duration;
use std::{fmt, io, iter};

use serde::{Deserialize, Serialize};

use super::chain::{self, Of};
use super::known::KnownError;
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
    /// The provider's code; of an `io::Error`, its kind, and of a `serde_json::Error`, its category.
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
    /// What [`source`](Error::source) gives, where that is an error of another type.
    #[serde(skip)]
    pub(super) beneath: Beneath,
}

/// An error of a known type that is lent. It is the same wherever the error that has it is.
#[derive(Debug, Default)]
pub(super) struct Beneath(OnceLock<Box<dyn Error + Send + Sync>>);

impl Clone for Beneath {
    fn clone(&self) -> Beneath {
        Beneath::default()
    }
}

impl PartialEq for Beneath {
    fn eq(&self, _: &Beneath) -> bool {
        true
    }
}

impl Eq for Beneath {}

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
        found.code = KnownError::of(error).map(|known| known.code);
        found.source = error.source().map(beneath);
        found
    }

    /// Returns what there is to know of something that says what went wrong: of a boxed error, and of an `io::Error` or a
    /// `serde_json::Error`, what [`of`](ReplayedError::of) has.
    pub fn of_displayed<E: fmt::Display + 'static>(error: &E) -> ReplayedError {
        let any: &dyn Any = error;
        let boxed = || any.downcast_ref::<Box<dyn Error>>().map(|error| &**error);
        let sync =
            || any.downcast_ref::<Box<dyn Error + Send + Sync>>().map(|error| &**error as &(dyn Error + 'static));
        let io = || any.downcast_ref::<io::Error>().map(|error| error as &(dyn Error + 'static));
        let json = || any.downcast_ref::<serde_json::Error>().map(|error| error as &(dyn Error + 'static));
        let anyhow = || any.downcast_ref::<anyhow::Error>().map(|error| error.as_ref() as &(dyn Error + 'static));
        match boxed().or_else(sync).or_else(io).or_else(json).or_else(anyhow) {
            Some(error) => ReplayedError::of_dyn(type_name::<E>(), error),
            None => ReplayedError::of_shown(type_name::<E>(), error),
        }
    }

    /// Returns what an error shows that is no `Error`: `{:#}` of `anyhow::Error` and its like shows those beneath it too.
    fn of_shown(type_name: &str, error: &impl fmt::Display) -> ReplayedError {
        let (text, whole) = (error.to_string(), format!("{error:#}"));
        let beneath = whole.strip_prefix(&text).and_then(|rest| rest.strip_prefix(": "));
        let source = beneath.map(|beneath| Box::new(ReplayedError::new("", beneath)));
        ReplayedError { source, ..ReplayedError::new(type_name, text) }
    }

    /// Returns what there is to know of an error within a value of this type, with those beneath it.
    pub fn of_dyn(type_name: &str, error: &(dyn Error + 'static)) -> ReplayedError {
        let found = *beneath(error);
        let is_own = !matches!(chain::of(error), Of::Typed(Some(_)));
        ReplayedError { type_name: if is_own { type_name.to_owned() } else { found.type_name.clone() }, ..found }
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

    /// Returns the error without those beneath it.
    pub(super) fn alone(self) -> ReplayedError {
        ReplayedError { source: None, ..self }
    }

    /// Returns the texts of the error and of those beneath it.
    pub(super) fn texts(&self) -> Vec<String> {
        iter::successors(Some(self), |error| error.source.as_deref()).map(|error| error.message.clone()).collect()
    }

    /// Returns whether the type is the name that an error within another gives itself, and not the compiler's.
    pub(super) fn names_itself(&self) -> bool {
        !self.type_name.contains("::")
    }

    /// Returns whether the error is of the type that has this name now: modules may have moved since.
    pub(super) fn is_of(&self, type_name: &str) -> bool {
        without_modules(&self.type_name) == without_modules(type_name)
    }

    /// Returns what is no longer said of this error by what describes the one that was rebuilt from it.
    pub(super) fn lost_in(&self, rebuilt: &ReplayedError) -> Option<String> {
        let (was, is) = (self.texts().join(": "), rebuilt.texts().join(": "));
        let lost = [
            ("status", self.status != rebuilt.status),
            ("code", self.code != rebuilt.code),
            ("headers", self.headers != rebuilt.headers),
            ("retry-after", self.retry_after != rebuilt.retry_after),
        ];
        if was != is {
            return Some(format!("the error `{was}` reads back as `{is}`"));
        }
        let (name, _) = lost.into_iter().find(|(_, lost)| *lost)?;
        Some(format!("the {name} of the error `{was}` is another once it has been read back"))
    }

    /// Returns the error with this text, beneath these contexts.
    pub(super) fn beneath(self, contexts: Vec<String>, text: String) -> ReplayedError {
        let mut texts = contexts.into_iter().chain([text]).rev();
        let of = |message: String| ReplayedError { message, ..ReplayedError::default() };
        let last = of(texts.next().unwrap_or_default());
        let whole = texts.fold(last, |beneath, text| ReplayedError { source: Some(Box::new(beneath)), ..of(text) });
        ReplayedError { message: whole.message, source: whole.source, ..self }
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

/// Crates whose types stay where they are.
const SETTLED: [&str; 5] = ["std", "core", "alloc", "anyhow", "eyre"];

/// Returns a type's name without the crates and modules of the types in it, which move: of `towns::errors::Closed`, `Closed`.
fn without_modules(type_name: &str) -> String {
    let ends = |c: char| !c.is_alphanumeric() && !['_', ':'].contains(&c);
    let short = |path: &str| match (path.split_once("::"), path.rsplit_once("::")) {
        (Some((krate, _)), Some((_, name))) if !SETTLED.contains(&krate) => name.to_owned(),
        _ => path.to_owned(),
    };
    type_name.split_inclusive(ends).map(short).collect()
}

/// Returns what is known of an error beneath another, whose type has no name here.
fn beneath(error: &(dyn Error + 'static)) -> Box<ReplayedError> {
    let type_name = match chain::of(error) {
        Of::Known(known) => known.of.name().to_owned(),
        Of::Replayed => "ReplayedError".to_owned(),
        Of::Typed(name) => name.unwrap_or_else(|| "dyn Error".to_owned()),
        Of::Text | Of::Context | Of::Unseen(_) => String::new(),
    };
    let mut found = ReplayedError::new(type_name, error.to_string());
    found.code = KnownError::of(error).map(|known| known.code);
    found.source = error.source().map(beneath);
    Box::new(found)
}

impl From<&ReplayedError> for ReplayedError {
    /// Returns the error as it is: of a function that gives what another recording gave it.
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
        let source = self.source.as_deref()?;
        let Some(known) = source.known("") else { return Some(source) };
        Some(&**self.beneath.0.get_or_init(|| known.boxed(source.clone())))
    }
}

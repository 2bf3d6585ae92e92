//! Values as JSON.

use std::borrow::Borrow as _;
use std::fmt;
use std::mem::discriminant;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::compare::{When, difference};
use super::finite::finite;
use super::parting::{Equal, Parting};
use super::read::{read, read_lasting};
use super::respelled::respelled;
use crate::json::Json;
use crate::path::Path;

/// How many bytes are read again at most in search of what has no order.
const AGAIN: usize = 1 << 18;

/// Why a value cannot be recorded: what is written of it does not say all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// Where in the value, as reports name places; empty for the whole of it.
    pub path: String,
    /// What is wrong there.
    pub what: String,
    /// Of what it is wrong.
    pub part: Part,
    /// Where the value and what is read back of it part, where they are compared as they are, and not as they are written.
    pub parting: Option<Box<Parting>>,
}

/// A part of a call that cannot be recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// What it is asked, or what it gives.
    #[default]
    Value,
    /// The keys of a map in what it is asked or gives, which are no texts.
    Keys,
    /// The error with which it fails, which holds one of a type that is lost.
    Error,
    /// The error with which it fails, which comes back as another one of its own type.
    OwnError,
    /// The error with which it fails, of which the program tells no others apart, and which does not come back as it describes itself.
    Description,
    /// The error with which it fails, of which the program tells no others apart, and whose text does not come back.
    Text,
}

/// What is wrong with an error that is compared, and found to be another.
pub(super) const UNEQUAL: &str =
    "comes back as one that is not equal to it, by its `PartialEq` or, without one, by what `Debug` shows";

/// What is wrong with such a value.
const UNEQUAL_VALUE: &str = "the value that reads back is another, by its `PartialEq` or, without one, by what `Debug` shows: serde \
    leaves out a part of it";

impl Unwritable {
    /// Returns that this is wrong with the value as a whole.
    pub(crate) fn whole(what: impl Into<String>) -> Unwritable {
        Unwritable { path: String::new(), what: what.into(), part: Part::Value, parting: None }
    }

    /// Returns that this is wrong with an error as a whole.
    pub(crate) fn error(what: impl Into<String>) -> Unwritable {
        Unwritable { part: Part::Error, ..Unwritable::whole(what) }
    }

    /// Returns that this is lost of an error of the program's own type.
    pub(crate) fn own_error(what: impl Into<String>) -> Unwritable {
        Unwritable { part: Part::OwnError, ..Unwritable::whole(what) }
    }
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str(&self.what),
            path => write!(f, "{path}: {}", self.what),
        }
    }
}

impl std::error::Error for Unwritable {}

/// Writes a value as JSON.
///
/// # Errors
///
/// Fails where JSON has no word for it: a number that is not finite, which `serde_json` would write as `null`, a map whose
/// keys are no texts, two members of one name.
pub fn write<T: Serialize + ?Sized>(value: &T) -> Result<Json, Unwritable> {
    spelled(value).map(|(json, _)| json)
}

/// Writes a value, and returns it beside the text that serde made of it.
fn spelled<T: Serialize + ?Sized>(value: &T) -> Result<(Json, String), Unwritable> {
    finite(value)?;
    let text = serde_json::to_string(value).map_err(|error| Unwritable::whole(error.to_string()))?;
    let json = Json::parse(&text).map_err(|error| Unwritable::whole(error.what))?;
    Ok((json, text))
}

/// Writes a value whose elements have no order of their own: they are sorted by what they say, so that the same set is the
/// same JSON.
///
/// # Errors
///
/// Fails where the value cannot be written, and where it is no sequence.
pub fn unordered<T: Serialize + ?Sized>(value: &T) -> Result<Json, Unwritable> {
    match write(value)? {
        Json::Array(mut elements) => {
            elements.sort_by_cached_key(Json::canonical);
            Ok(Json::Array(elements))
        }
        _ => Err(Unwritable::whole("this is no sequence, so it has no order to do without")),
    }
}

/// Writes an argument, and makes sure that it says which argument it is: what is read from the JSON is compared with it, where it
/// can be read at all.
///
/// # Errors
///
/// Fails where another value is written in the same way, so that two questions would be one, as for a field that serde skips;
/// and where the same value is written in another way, so that no question would be asked twice, as for a set.
pub fn distinct<T, O>(value: &T, equal: fn(&T, &O) -> bool) -> Result<Json, Unwritable>
where
    T: Serialize + ?Sized,
    O: Serialize + Deserialize<'static>,
{
    let (written, text) = spelled(value)?;
    for _ in 0..turns(&written, text.len()) {
        let Ok(back) = read_lasting::<O>(&written) else { return Ok(written) };
        let Ok(again) = write(&back) else { return Ok(written) };
        match (unlike(&written, &again), equal(value, &back)) {
            (None, false) => {
                return Err(Unwritable::whole(
                    "another value is written in the same way: serde leaves out a part of it",
                ));
            }
            (Some(found), true) => return Err(found),
            _ => {}
        }
    }
    Ok(written)
}

/// Writes a value, and makes sure that it comes back: what is read from the JSON has to be written the same again and, where
/// its type can be compared, be equal.
///
/// # Errors
///
/// Fails with the place where the two differ, as for a field that serde skips, or a set.
pub fn faithful<T>(value: &T, equal: Option<Equal<T>>) -> Result<Json, Unwritable>
where
    T: Serialize + DeserializeOwned,
{
    let (written, back) = there_and_back::<T, T>(value)?;
    alike(value, &back, equal).map(|()| written)
}

/// Writes an error whose text is this, and makes sure that it comes back, as a value does.
///
/// # Errors
///
/// Fails as [`faithful`] does, with what is to be done about an error where it is another.
pub fn faithful_error<E>(error: &E, equal: Option<Equal<E>>, text: &str) -> Result<Json, Unwritable>
where
    E: Serialize + DeserializeOwned,
{
    let (written, back) = there_and_back::<E, E>(error)?;
    let told = if text.is_empty() { "the error".to_owned() } else { format!("the error `{text}`") };
    match equal {
        Some(equal) => equal(error, &back).map(|()| written).map_err(|parting| Unwritable {
            parting: Some(Box::new(parting)),
            ..Unwritable::own_error(format!("{told} {UNEQUAL}"))
        }),
        None => Ok(written),
    }
}

/// Writes a value that is lent, and makes sure that it comes back, as an owned one.
///
/// # Errors
///
/// Fails as [`faithful`] does.
pub fn faithful_lent<T>(value: &T, equal: Option<Equal<T>>) -> Result<Json, Unwritable>
where
    T: ToOwned<Owned: Serialize + DeserializeOwned> + Serialize + ?Sized,
{
    let (written, back) = there_and_back::<T, T::Owned>(value)?;
    alike(value, back.borrow(), equal).map(|()| written)
}

/// Makes sure that a value is what is read back of it, where they can be compared.
fn alike<T: ?Sized>(value: &T, back: &T, equal: Option<Equal<T>>) -> Result<(), Unwritable> {
    equal
        .map_or(Ok(()), |equal| equal(value, back))
        .map_err(|parting| Unwritable { parting: Some(Box::new(parting)), ..Unwritable::whole(UNEQUAL_VALUE) })
}

fn there_and_back<T: Serialize + ?Sized, O: Serialize + DeserializeOwned>(value: &T) -> Result<(Json, O), Unwritable> {
    let (written, text) = spelled(value)?;
    if let Some(found) = respelled(&written, &text) {
        return Err(found);
    }
    let read = || -> Result<O, Unwritable> {
        read(&written).map_err(|error| {
            let what = format!("what is written does not read back: {}", error.what);
            Unwritable { path: error.path(), ..Unwritable::whole(what) }
        })
    };
    let back = read()?;
    for turn in 0..turns(&written, text.len()) {
        let again = if turn == 0 { write(&back)? } else { write(&read()?)? };
        if let Some(found) = unlike(&written, &again) {
            return Err(found);
        }
    }
    Ok((written, back))
}

/// Returns how often a value of this length is to be read back and written again: a set of a few elements comes back in its own order
/// by chance.
fn turns(written: &Json, length: usize) -> usize {
    let turns = match fewest(written) {
        Some(2) => 8,
        Some(3) => 4,
        Some(4) => 2,
        _ => 1,
    };
    turns.min(AGAIN / length.max(1)).max(1)
}

/// Returns how many elements the shortest row has that may be a set: of one kind, and not all alike.
fn fewest(json: &Json) -> Option<usize> {
    match json {
        Json::Array(elements) => {
            let is_other = |element: &Json| *element != elements[0];
            let is_of_one_kind = |element: &Json| discriminant(element) == discriminant(&elements[0]);
            let may_be_a_set = elements.iter().any(is_other) && elements.iter().all(is_of_one_kind);
            let own = Some(elements.len()).filter(|_| may_be_a_set);
            own.into_iter().chain(elements.iter().filter_map(fewest)).min()
        }
        Json::Object(members) => members.iter().filter_map(|(_, value)| fewest(value)).min(),
        _ => None,
    }
}

fn unlike(written: &Json, again: &Json) -> Option<Unwritable> {
    let (steps, what) = difference(written, again, When::Recording)?;
    let path = if steps.is_empty() { String::new() } else { Path::Body(steps).to_string() };
    Some(Unwritable { path, ..Unwritable::whole(what) })
}

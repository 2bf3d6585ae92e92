//! Recorded values, as the types of today read them.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::compare::{When, difference};
use super::read::{Misread, read};
use super::write::write;
use crate::json::Json;

/// Reads a recorded value, and makes sure that its type still has a place for all that was recorded, and makes nothing up: what is
/// read has to be written the same again. A field that was renamed would else be served as its default.
///
/// # Errors
///
/// Fails with the place where the JSON does not fit the type.
pub fn restored<T: Serialize + DeserializeOwned>(json: &Json) -> Result<T, Misread> {
    let value: T = read(json)?;
    let again = write(&value).map_err(|error| Misread::whole(error.to_string()))?;
    match difference(json, &again, When::Replaying) {
        Some((steps, what)) => Err(steps.into_iter().rev().fold(Misread::whole(what), Misread::below)),
        None => Ok(value),
    }
}

//! What a call brings along that may tell its dialect: read when it is first looked at.

use std::cell::OnceCell;

use crate::call::Call;
use crate::json::Json;
use crate::redact::fields;

/// The body of a call, read as far as it is asked about.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    call: &'a Call,
    json: OnceCell<Option<Json>>,
}

impl<'a> Asked<'a> {
    pub(super) fn of(call: &'a Call) -> Asked<'a> {
        Asked { call, json: OnceCell::new() }
    }

    /// Returns the body where it is JSON.
    pub(super) fn json(&self) -> Option<&Json> {
        let read = || std::str::from_utf8(&self.call.body).ok().and_then(|text| Json::parse(text).ok());
        self.json.get_or_init(read).as_ref()
    }

    /// Returns the member of this name of a JSON body.
    pub(super) fn get(&self, name: &str) -> Option<&Json> {
        self.json()?.get(name)
    }

    /// Returns whether the body has this member and it says something: a string, an array or an object that is not empty.
    pub(super) fn says(&self, name: &str) -> bool {
        self.get(name).is_some_and(says)
    }

    /// Returns whether the body has a multipart field of this name.
    pub(super) fn has_field(&self, name: &str) -> bool {
        let kind = self.call.header("content-type").unwrap_or_default();
        let Some(boundary) = fields::boundary(kind) else { return false };
        let wanted = [format!("name=\"{name}\""), format!("name=\"{name}[]\"")];
        fields::parts(&self.call.body, boundary).into_iter().any(|part| {
            let head = String::from_utf8_lossy(&self.call.body[part.head]);
            head.split([';', '\r', '\n']).any(|said| wanted.iter().any(|name| name == said.trim()))
        })
    }
}

/// Returns whether a value is a string, an array or an object, and not an empty one.
pub(super) fn says(value: &Json) -> bool {
    match value {
        Json::String(text) => !text.source().is_empty(),
        other => !other.elements().is_empty() || !other.members().is_empty(),
    }
}

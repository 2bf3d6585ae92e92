//! Redaction of calls.

use std::fmt;
use std::ops::Deref;

use super::body::Task;
use super::{Rules, Secret, Secrets, fields, learn};
use crate::call::{Call, Header, Kind};
use crate::redact::headers;

/// How far redaction goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Names, shapes, structure and the user's rules: the text alone decides, on every machine alike.
    Shape,
    /// Known values too: what the environment holds, and what was seen under a secret name.
    Known,
}

/// A call in which nothing secret is left. Only redaction makes one, and only such a call can be recorded.
#[derive(Clone, PartialEq, Eq)]
pub struct RedactedCall {
    call: Call,
    secrets: Vec<Secret>,
}

impl RedactedCall {
    /// Returns the call.
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// Returns what was hidden in it, in order of first occurrence: in memory, never to be written.
    pub fn secrets(&self) -> &[Secret] {
        &self.secrets
    }
}

impl Deref for RedactedCall {
    type Target = Call;

    fn deref(&self) -> &Call {
        &self.call
    }
}

impl fmt::Debug for RedactedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedactedCall").field("call", &self.call).field("secrets", &self.secrets).finish()
    }
}

/// Returns the call without its secrets and without the headers that are not recorded.
///
/// What looks like a placeholder and is none of those loaded with [`Secrets::start_after`] is escaped. Values that stand
/// under a secret name become known to `secrets`.
pub fn redact_call(call: &Call, rules: &Rules, depth: Depth, secrets: &mut Secrets) -> RedactedCall {
    learn::from_request(call, rules, secrets);
    redact(call, Task { rules, secrets, known: depth == Depth::Known, escape: true, named: Vec::new() })
}

/// Returns a recorded call, redacted again by today's rules.
///
/// Nothing is escaped, and every placeholder stays: of a call that was redacted by the same rules, this is that call.
pub fn redact_recorded(call: &Call, rules: &Rules, depth: Depth, secrets: &mut Secrets) -> RedactedCall {
    redact(call, Task { rules, secrets, known: depth == Depth::Known, escape: false, named: Vec::new() })
}

fn redact(call: &Call, mut task: Task<'_>) -> RedactedCall {
    let kept = call.headers.iter().filter(|(name, _)| headers::is_kept(name, &task.rules.keep_request_headers));
    let kept: Vec<Header> = kept.cloned().collect();
    let mut call = Call { headers: kept, ..call.clone() };
    loop {
        let before = task.secrets.count();
        call.name = name(&call, &mut task);
        if let Some((body, _)) = task.body(&call.body, &call.headers, &[]) {
            call.body = body;
        }
        call.headers = call.headers.into_iter().map(|header| request_header(header, &mut task)).collect();
        learn::from_hidden(&task.named, task.secrets);
        // What was hidden under its name is known now, and may stand elsewhere without it.
        if !task.known || task.secrets.count() == before {
            return RedactedCall { call, secrets: task.named };
        }
        task.escape = false;
    }
}

fn name(call: &Call, task: &mut Task<'_>) -> String {
    if call.kind != Kind::Http {
        return task.line(&call.name);
    }
    let edited = task.text(&call.name, &[], |lens, text| {
        let mut edits = fields::query(text).map(|query| fields::form(lens, text, query)).unwrap_or_default();
        edits.extend(lens.edits(text, 0));
        edits
    });
    edited.and_then(|(bytes, _)| String::from_utf8(bytes).ok()).unwrap_or_else(|| call.name.clone())
}

fn request_header((name, value): Header, task: &mut Task<'_>) -> Header {
    let value = header_value(&name, &value, task);
    (name, value)
}

/// Returns a header's value without its secrets: the whole of it, where the name says so.
pub(crate) fn header_value(name: &str, value: &str, task: &mut Task<'_>) -> String {
    let hidden = headers::is_secret(name) || task.rules.names_header(name);
    let cookie = matches!(name, "cookie" | "set-cookie");
    let setting = name == "set-cookie";
    let edited = task.text(value, &[], |lens, text| match (cookie, hidden) {
        (true, _) => fields::cookies(text, setting),
        (_, true) if !text.is_empty() && !text.contains("REDACTED.") => {
            vec![super::edit::Edit::hide(text, 0..text.len(), "header")]
        }
        _ => lens.edits(text, 0),
    });
    edited.and_then(|(bytes, _)| String::from_utf8(bytes).ok()).unwrap_or_else(|| value.to_owned())
}

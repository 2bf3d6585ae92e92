//! Whose secrets are in a call: one that was met before stays with the recordings in which it was met.

use std::collections::HashMap;

use crate::digested::hidden;
use crate::redact::{RedactedCall, Secret};
use crate::tape::{Asked, Tape};

/// Returns the secrets of a call with these placeholders of a recording of the same request, in order.
pub(super) fn bindings(call: &RedactedCall, placeholders: Vec<String>) -> Vec<(Secret, String)> {
    let secrets = call.secrets();
    if secrets.len() != placeholders.len() {
        return Vec::new();
    }
    secrets.iter().cloned().zip(placeholders).collect()
}

/// Returns whether no secret of the call was met before under another placeholder: two tenants are not mixed.
pub(super) fn fits(call: &RedactedCall, placeholders: Vec<String>, bound: &HashMap<String, String>) -> bool {
    bindings(call, placeholders)
        .iter()
        .all(|(secret, placeholder)| bound.get(secret.value()).is_none_or(|known| known == placeholder))
}

/// Returns the placeholders in the request of a recording, each once, in order of first occurrence.
pub(super) fn placeholders(tape: &Tape, index: usize) -> Vec<String> {
    match &tape.interactions[index].asked {
        Asked::Whole(call) => hidden(call),
        Asked::Digest(digested) => digested.hidden.clone(),
    }
}

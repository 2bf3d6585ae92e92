//! Whose secrets are in a call: one that was met before stays with the recordings in which it was met.

use std::collections::HashMap;

use crate::call::Call;
use crate::redact::{self, RedactedCall, Secret};

/// Returns the secrets of a call with the placeholders of a recording of the same request, in order.
pub(super) fn bindings(call: &RedactedCall, recorded: &Call) -> Vec<(Secret, String)> {
    let secrets = call.secrets();
    let placeholders = placeholders(recorded);
    if secrets.len() != placeholders.len() {
        return Vec::new();
    }
    secrets.iter().cloned().zip(placeholders).collect()
}

/// Returns whether no secret of the call was met before under another placeholder: two tenants are not mixed.
pub(super) fn fits(call: &RedactedCall, recorded: &Call, bound: &HashMap<String, String>) -> bool {
    bindings(call, recorded)
        .iter()
        .all(|(secret, placeholder)| bound.get(secret.value()).is_none_or(|known| known == placeholder))
}

pub(super) fn placeholders(call: &Call) -> Vec<String> {
    let body = String::from_utf8_lossy(&call.body);
    let texts =
        [call.name.as_str()].into_iter().chain(call.headers.iter().map(|(_, value)| value.as_str())).chain([&*body]);
    let mut found: Vec<String> = Vec::new();
    for placeholder in texts.flat_map(redact::placeholders) {
        if !found.iter().any(|known| known == placeholder) {
            found.push(placeholder.to_owned());
        }
    }
    found
}

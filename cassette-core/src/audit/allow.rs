//! The findings that somebody vouches for.

use crate::json::Json;

/// A finding that the user vouches for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// The path, as in [`Finding::path`](super::Finding::path).
    pub path: String,
    /// The rule, as in [`Finding::rule`](super::Finding::rule).
    pub rule: String,
    /// Why it is no secret.
    pub reason: String,
}

/// Reads an allow list: a JSON array of objects with `path`, `rule` and a `reason` that is not empty.
///
/// # Errors
///
/// Fails where the text is anything else, with what is wrong.
pub fn read_allow_list(bytes: &[u8]) -> Result<Vec<Allowed>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "the file is no UTF-8".to_owned())?;
    let list = Json::parse(text).map_err(|error| error.to_string())?;
    let Json::Array(entries) = list else { return Err("the list is no array".to_owned()) };
    let read = |(i, entry): (usize, &Json)| {
        let field = |name: &str| {
            let value = entry.get(name).and_then(Json::as_str).filter(|value| !value.trim().is_empty());
            value
                .map(|value| value.into_owned())
                .ok_or_else(|| format!("entry {}: `{name}` is missing or empty", i + 1))
        };
        Ok(Allowed { path: field("path")?, rule: field("rule")?, reason: field("reason")? })
    };
    entries.iter().enumerate().map(read).collect()
}

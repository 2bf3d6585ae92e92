//! The findings that somebody vouches for.

use super::Finding;
use crate::json::Json;

/// A finding that the user vouches for: this value, under this rule, at this place of one cassette, and no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// The cassette's name.
    pub cassette: String,
    /// The path, as in [`Finding::path`].
    pub path: String,
    /// The rule, as in [`Finding::rule`].
    pub rule: String,
    /// The digest of what stands there, as in [`Finding::value`].
    pub value: String,
    /// Why it is no secret.
    pub reason: String,
}

impl Allowed {
    /// Returns whether it is this finding that is vouched for. The cassette is not asked: a list is read for one.
    pub(super) fn covers(&self, finding: &Finding) -> bool {
        (&self.path, &self.rule, &self.value) == (&finding.path, &finding.rule, &finding.value)
    }

    /// Returns whether it is this finding that is vouched for, wherever in the file its interaction will stand.
    pub(crate) fn covers_elsewhere(&self, finding: &Finding) -> bool {
        (within(&self.path), &self.rule, &self.value) == (within(&finding.path), &finding.rule, &finding.value)
    }
}

/// Returns a path without the interaction that it leads into.
fn within(path: &str) -> &str {
    path.strip_prefix("interactions[").and_then(|rest| rest.split_once(']')).map_or(path, |(_, within)| within)
}

/// Returns what is wrong with an allow list: the line, from 1, where it is known, and what it is.
pub fn allow_list_mistake(bytes: &[u8]) -> Option<(Option<usize>, String)> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Some((None, "the file is no UTF-8".to_owned())) };
    match Json::parse(text) {
        Err(error) => Some((Some(error.line), error.what.to_owned())),
        Ok(Json::Array(entries)) => {
            let (i, what) = entries.iter().enumerate().find_map(|(i, entry)| Some((i, read(entry).err()?)))?;
            Some((element_line(text, i), format!("entry {}: {what}", i + 1)))
        }
        Ok(_) => Some((Some(1), "the list is no array".to_owned())),
    }
}

/// Returns the line on which an element of the outermost array of a sound document begins.
fn element_line(text: &str, element: usize) -> Option<usize> {
    let (mut depth, mut commas, mut in_string, mut escaped) = (0_usize, 0, false, false);
    let mut line = 1;
    for c in text.chars() {
        match c {
            '\n' => line += 1,
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 1 => commas += 1,
            _ => {}
        }
        let begins = !c.is_whitespace() && c != ',' && (depth > 1 || c != '[');
        if begins && commas == element {
            return Some(line);
        }
    }
    None
}

/// Reads an allow list and returns the entries for this cassette.
///
/// The list is a JSON array of objects with `cassette`, `path`, `rule`, `value` and a `reason`, none of them empty.
///
/// # Errors
///
/// Fails where the text is anything else, with what is wrong, be it in another cassette's entry.
pub fn read_allow_list(bytes: &[u8], cassette: &str) -> Result<Vec<Allowed>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "the file is no UTF-8".to_owned())?;
    let list = Json::parse(text).map_err(|error| error.to_string())?;
    let Json::Array(entries) = list else { return Err("the list is no array".to_owned()) };
    let all =
        entries.iter().enumerate().map(|(i, entry)| read(entry).map_err(|what| format!("entry {}: {what}", i + 1)));
    let all: Vec<Allowed> = all.collect::<Result<_, _>>()?;
    Ok(all.into_iter().filter(|entry| entry.cassette == cassette).collect())
}

fn read(entry: &Json) -> Result<Allowed, String> {
    let field = |name: &str| {
        let value = entry.get(name).and_then(Json::as_str).filter(|value| !value.trim().is_empty());
        value.map(|value| value.into_owned()).ok_or_else(|| format!("`{name}` is missing or empty"))
    };
    let value = field("value")?;
    if value.len() != 8 || !value.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
        return Err("`value` is not eight hexadecimal digits in lower case".to_owned());
    }
    Ok(Allowed {
        cassette: field("cassette")?,
        path: field("path")?,
        rule: field("rule")?,
        value,
        reason: field("reason")?,
    })
}

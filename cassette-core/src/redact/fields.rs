//! Secrets in forms: URL queries, urlencoded bodies, the parts of a multipart body, cookies.

use std::ops::Range;

use super::coding::percent;
use super::detect::names::{self, Strength};
use super::detect::value;
use super::document::hides;
use super::edit::{By, Edit};
use super::lens::Lens;

/// Returns the edits of the fields of a form or a query that stands at `range` of a text.
pub(crate) fn form(lens: Lens<'_>, text: &str, range: Range<usize>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut start = range.start;
    for field in text[range].split('&') {
        if let Some((name, value)) = field.split_once('=') {
            let from = start + name.len() + 1;
            let decoded = percent(value).map_or_else(|| value.to_owned(), |view| view.text);
            let name = percent(name).map_or_else(|| name.to_owned(), |view| view.text);
            edits.extend(rule(lens, &name, &decoded).map(|rule| Edit {
                range: from..from + value.len(),
                by: By::Placeholder { value: decoded, rule, quote: String::new() },
            }));
        }
        start += field.len() + 1;
    }
    edits
}

/// Returns what a value of a query means.
pub(crate) fn meant(value: &str) -> String {
    percent(value).map_or_else(|| value.to_owned(), |view| view.text).replace('+', " ")
}

/// Returns the range of the query of the URL in a call's name.
pub(crate) fn query(name: &str) -> Option<Range<usize>> {
    let start = name.find('?')? + 1;
    let end = name[start..].find('#').map_or(name.len(), |length| start + length);
    Some(start..end)
}

/// Returns the edits of the text parts of a multipart body, and the range of each part's content with its type.
pub(crate) fn multipart(lens: Lens<'_>, body: &str, boundary: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    for part in parts(body.as_bytes(), boundary) {
        let (Some(head), Some(content)) = (body.get(part.head.clone()), body.get(part.content.clone())) else {
            continue;
        };
        edits.extend(lens.in_head(head).into_iter().map(|edit| edit.moved(part.head.start)));
        let named = part_name(head).and_then(|name| rule(lens, &name, content.trim_end()));
        let length = content.trim_end_matches(['\r', '\n']).len();
        let range = part.content.start..part.content.start + length;
        match named {
            Some(rule) => edits.push(Edit::hide(body, range, rule)),
            None => edits.extend(lens.edits(content, 0).into_iter().map(|edit| edit.moved(part.content.start))),
        }
    }
    edits
}

/// The head and the content of one part.
pub(crate) struct Part {
    pub(crate) head: Range<usize>,
    pub(crate) content: Range<usize>,
}

/// Cuts a multipart body into its parts (RFC 2046, section 5.1).
pub(crate) fn parts(body: &[u8], boundary: &str) -> Vec<Part> {
    let delimiter = format!("--{boundary}");
    let mut parts = Vec::new();
    let mut start = None;
    let mut at = 0;
    while let Some(next) = position(&body[at..], delimiter.as_bytes()) {
        let end = at + next;
        if let Some(start) = start {
            parts.extend(part(body, start..end));
        }
        at = end + delimiter.len();
        start = Some(at);
    }
    parts
}

fn part(body: &[u8], range: Range<usize>) -> Option<Part> {
    let text = &body[range.clone()];
    let (blank, length) =
        position(text, b"\r\n\r\n").map(|at| (at, 4)).or_else(|| position(text, b"\n\n").map(|at| (at, 2)))?;
    let end = range.end - if text.ends_with(b"\r\n") { 2 } else { usize::from(text.ends_with(b"\n")) };
    let content = range.start + blank + length;
    (content <= end).then_some(Part { head: range.start..range.start + blank, content: content..end })
}

fn position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// Returns the boundary that a multipart media type names.
pub(crate) fn boundary(content_type: &str) -> Option<&str> {
    let (media_type, parameters) = content_type.split_once(';')?;
    if !media_type.trim().to_ascii_lowercase().starts_with("multipart/") {
        return None;
    }
    let boundary = parameters.split(';').find_map(|parameter| parameter.trim().strip_prefix("boundary="))?;
    Some(boundary.trim_matches('"')).filter(|boundary| !boundary.is_empty())
}

/// Returns the name of a part by its head.
fn part_name(head: &str) -> Option<String> {
    let lines = head.lines().filter_map(|line| line.split_once(':'));
    let mut dispositions = lines.filter(|(name, _)| name.trim().eq_ignore_ascii_case("content-disposition"));
    let (_, disposition) = dispositions.next()?;
    parameters(disposition).into_iter().find(|(name, _)| name == "name").map(|(_, value)| value)
}

/// Returns the parameters of a header's value, in lower case, with their values as they stand within quotation marks.
pub(crate) fn parameters(value: &str) -> Vec<(String, String)> {
    let mut quoted = false;
    let mut escaped = false;
    let pieces = value.split(|c: char| {
        let ends = c == ';' && !quoted;
        quoted ^= c == '"' && !escaped;
        escaped = c == '\\' && quoted && !escaped;
        ends
    });
    let one = |piece: &str| {
        let (name, value) = piece.split_once('=')?;
        let value = value.trim();
        let bare = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
        Some((name.trim().to_ascii_lowercase(), bare.to_owned()))
    };
    pieces.skip(1).filter_map(one).collect()
}

/// Returns the edits of a cookie header's value: the value of each pair, and what stands there without a name.
pub(crate) fn cookies(text: &str, setting: bool) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut start = 0;
    for (i, pair) in text.split(';').enumerate() {
        if !setting || i == 0 {
            let (from, value) = match pair.split_once('=') {
                Some((name, value)) => (start + name.len() + 1, value),
                None => (start + pair.len() - pair.trim_start().len(), pair.trim()),
            };
            if !value.is_empty() && super::placeholder::parts(value).is_none() {
                let decoded = percent(value).map_or_else(|| value.to_owned(), |view| view.text);
                let by = By::Placeholder { value: decoded, rule: "cookie", quote: String::new() };
                edits.push(Edit { range: from..from + value.len(), by });
            }
        }
        start += pair.len() + 1;
    }
    edits
}

/// Returns the rule under which a field of this name makes this value secret.
fn rule(lens: Lens<'_>, name: &str, said: &str) -> Option<&'static str> {
    if super::placeholder::parts(said).is_some() || said.is_empty() {
        return None;
    }
    if lens.rules.names_field(name) {
        return Some("field");
    }
    let named = names::judge_field(name)?;
    let hidden = match named.strength {
        Strength::Weak => value::is_random(said),
        Strength::Strong => hides(named, said),
    };
    hidden.then_some(named.rule)
}

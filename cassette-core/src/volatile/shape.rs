//! What an id and a moment look like, where no table says what a value is.

use super::Volatile;
use crate::json::Json;

/// The form of an id or a moment: two values of one form may stand for one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `550e8400-e29b-41d4-a716-446655440000`.
    Uuid,
    /// Something random behind what it is an id of: `ord_8fK2pQ91xZ3b`.
    Behind(String),
    /// Random letters and digits, so many.
    Random(usize),
    /// A moment in this notation.
    Moment(Notation),
}

/// How a moment is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    /// Seconds since 1970, ten digits.
    Seconds,
    /// Milliseconds since 1970, thirteen digits.
    Milliseconds,
    /// `2026-11-29T17:00:00Z` (RFC 3339).
    Rfc3339,
}

/// How many letters and digits are random enough behind a name, and without one.
const BEHIND: usize = 10;
const ALONE: usize = 16;

impl Shape {
    /// Returns the shape of a value that has one.
    pub(super) fn of(value: &Json) -> Option<Shape> {
        match value {
            Json::String(text) => Shape::of_text(&text.value()),
            Json::Number(number) => since_1970(number.source()).map(Shape::Moment),
            _ => None,
        }
    }

    /// Returns the shape of a text that has one.
    pub(super) fn of_text(text: &str) -> Option<Shape> {
        if is_uuid(text) {
            return Some(Shape::Uuid);
        }
        if is_rfc3339(text) {
            return Some(Shape::Moment(Notation::Rfc3339));
        }
        if let Some(notation) = since_1970(text) {
            return Some(Shape::Moment(notation));
        }
        if is_random(text, ALONE) {
            return Some(Shape::Random(text.len()));
        }
        let end = text.rfind(['_', '-', ':', '.'])?;
        let (front, tail) = (&text[..end], &text[end + 1..]);
        let named = front.starts_with(|c: char| c.is_ascii_alphabetic());
        (named && is_random(tail, BEHIND)).then(|| Shape::Behind(front.to_owned()))
    }

    /// Returns how a value of this shape changes.
    pub(super) fn volatile(self) -> Volatile {
        match self {
            Shape::Moment(_) => Volatile::Free,
            Shape::Uuid | Shape::Behind(_) | Shape::Random(_) => Volatile::Id,
        }
    }
}

/// Returns whether a member of this name may hold an id.
pub(super) fn names_an_id(name: &str) -> bool {
    let camel = name.strip_suffix("Id").or_else(|| name.strip_suffix("ID"));
    matches!(name, "id" | "ID" | "uuid" | "guid" | "etag")
        || name.ends_with("_id")
        || name.ends_with("-id")
        || camel.is_some_and(|front| front.ends_with(|c: char| c.is_ascii_lowercase()))
}

/// What happens to whatever a reply tells of: `created`, `created_at`, `createTime`.
const LIFE: [&str; 18] = [
    "create",
    "created",
    "update",
    "updated",
    "modified",
    "completed",
    "finished",
    "failed",
    "cancelled",
    "expires",
    "expire",
    "expired",
    "queued",
    "inprogress",
    "finalizing",
    "cancelling",
    "cancelinitiated",
    "archived",
];

/// Returns whether a member of this name may hold the moment at which the reply, or what it tells of, was made.
///
/// A `date` or a `departure_time` is what the reply is about: it has to come back equal.
pub(super) fn names_a_moment(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| *c != '_' && *c != '-').collect::<String>().to_ascii_lowercase();
    let event = plain.strip_suffix("at").or_else(|| plain.strip_suffix("time")).unwrap_or(&plain);
    plain == "timestamp" || LIFE.contains(&event)
}

/// Returns whether a text is letters and digits mixed, at least so many: no word and no number is.
fn is_random(text: &str, least: usize) -> bool {
    let count = |of: fn(&u8) -> bool| text.bytes().filter(of).count();
    text.len() >= least
        && text.bytes().all(|b| b.is_ascii_alphanumeric())
        && count(u8::is_ascii_digit) >= 2
        && count(u8::is_ascii_alphabetic) >= 2
}

fn is_uuid(text: &str) -> bool {
    let groups = [8, 4, 4, 4, 12];
    let hex = |group: &str| group.bytes().all(|b| b.is_ascii_hexdigit());
    text.split('-').map(str::len).eq(groups) && text.split('-').all(hex)
}

fn is_rfc3339(text: &str) -> bool {
    let form = "dddd-dd-ddTdd:dd:dd";
    let fits = |(b, of): (u8, u8)| if of == b'd' { b.is_ascii_digit() } else { b == of };
    let Some(rest) = text.get(form.len()..) else { return false };
    let zone = rest.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    let offset = |zone: &str| zone.len() == 6 && zone.starts_with(['+', '-']) && zone.as_bytes()[3] == b':';
    text.bytes().zip(form.bytes()).all(fits) && (zone == "Z" || zone.is_empty() || offset(zone))
}

fn since_1970(text: &str) -> Option<Notation> {
    let whole = text.split('.').next()?;
    let digits = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    match whole.len() {
        10 if digits && whole.starts_with(['1', '2']) => Some(Notation::Seconds),
        13 if digits && whole.starts_with(['1', '2']) => Some(Notation::Milliseconds),
        _ => None,
    }
}

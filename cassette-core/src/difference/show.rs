//! Values as a report shows them: on one line, cut, and nothing in them invisible.

use std::fmt::Write as _;

use super::node::{Node, Value};
use crate::json::Json;

/// How many characters of a value are shown at most.
pub(super) const MOST: usize = 120;

/// How much is shown of what differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// What tells one value from another: a report is about the call, and names many places.
    Line,
    /// What a reader needs who has nothing else before him, and how much is left out.
    Page,
}

impl Room {
    /// Returns how many characters of a value, or of one change in a text, are shown.
    pub(super) fn of(self, line: usize) -> usize {
        if self == Room::Page { PAGE } else { line }
    }

    /// Returns how many changes of one text are shown.
    pub(super) fn changes(self) -> usize {
        if self == Room::Page { 8 } else { 3 }
    }

    /// Returns what is said of so many characters that are left out.
    pub(super) fn left_out(self, characters: usize) -> String {
        match (self, characters) {
            (Room::Line, _) | (_, 0) => String::new(),
            (Room::Page, 1) => " and 1 more character".to_owned(),
            (Room::Page, more) => format!(" and {more} more characters"),
        }
    }
}

/// How many characters of a value, or of one change in a text, a reader is shown.
const PAGE: usize = 1_200;

/// Returns a value as JSON on one line; a long one is cut at its end.
pub(super) fn shown(node: &Node) -> String {
    within(node, MOST).0
}

/// Returns a value as JSON on one line, as much of it as there is room for.
pub(super) fn shown_in(node: &Node, room: Room) -> String {
    let (text, is_cut) = within(node, room.of(MOST));
    if !is_cut || room == Room::Line {
        return text;
    }
    let all = within(node, usize::MAX - 1).0.chars().count();
    format!("{text}{}", room.left_out((all + 1).saturating_sub(text.chars().count())))
}

fn within(node: &Node, room: usize) -> (String, bool) {
    let mut out = Line { text: String::new(), room, cut: false };
    out.value(node);
    (out.text, out.cut)
}

/// Returns a canonical text as a value is shown: the JSON in it, or else the text.
pub(crate) fn said(text: &str) -> String {
    let node = Json::parse(text).map_or_else(|_| Node::text(text.to_owned()), |json| Node::of(&json));
    shown(&node)
}

/// Returns a text in quotation marks, with whatever no eye could see escaped.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    text.chars().for_each(|c| push(&mut out, c));
    out.push('"');
    out
}

/// Returns whether a character is there without being seen, white space apart.
pub(super) fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns whether a character belongs to the one before it: an accent, a joiner, a variation.
pub(super) fn joins(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}' | '\u{200d}' | '\u{1f3fb}'..='\u{1f3ff}')
}

fn push(out: &mut String, c: char) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        ' ' => out.push(' '),
        // A combining accent would make two spellings of one letter look the same.
        c if c.is_whitespace() || is_invisible(c) || matches!(c, '\u{300}'..='\u{36f}') => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
        c => out.push(c),
    }
}

/// A line that stops taking text where there is no more room.
struct Line {
    text: String,
    room: usize,
    cut: bool,
}

impl Line {
    fn value(&mut self, node: &Node) {
        match &node.value {
            Value::Null => self.put("null"),
            Value::Bool(value) => self.put(if *value { "true" } else { "false" }),
            Value::Number(source) => self.put(source),
            Value::Text(text) => self.string(text),
            Value::Bytes(bytes) => self.put(&format!("{} bytes", bytes.len())),
            Value::Part(said) => said.iter().filter(|(step, _)| step.is_empty()).for_each(|(_, node)| self.value(node)),
            Value::List(elements) => self.nest(["[", "]"], elements, Line::value),
            Value::Map(members) => self.nest(["{", "}"], members, |line, (name, node)| {
                line.string(name);
                line.put(": ");
                line.value(node);
            }),
        }
    }

    fn nest<T>(&mut self, [open, close]: [&str; 2], items: &[T], one: impl Fn(&mut Line, &T)) {
        self.put(open);
        for (i, item) in items.iter().enumerate() {
            if self.cut {
                return;
            }
            self.put(if i > 0 { ", " } else { "" });
            one(self, item);
        }
        self.put(close);
    }

    /// Writes a string; of a long one no more than the room can take.
    fn string(&mut self, text: &str) {
        let end = text.char_indices().nth(self.room + 1).map_or(text.len(), |(end, _)| end);
        self.put(&quoted(&text[..end]));
    }

    fn put(&mut self, text: &str) {
        if self.cut || text.is_empty() {
            return;
        }
        let length = text.chars().count();
        if length <= self.room {
            self.text.push_str(text);
            self.room -= length;
            return;
        }
        self.text.extend(text.chars().take(self.room));
        self.text.push('…');
        self.cut = true;
    }
}

#[cfg(test)]
mod tests {
    use super::{quoted, shown};
    use crate::difference::node::Node;
    use crate::json::Json;

    #[test]
    fn nothing_is_invisible() {
        assert_eq!(quoted("a\u{200b}b\u{a0}c\td\u{feff} e\u{301}\"é"), r#""a\u200bb\u00a0c\td\ufeff e\u0301\"é""#);
    }

    #[test]
    fn a_long_value_is_cut() {
        let json = |text: &str| Node::of(&Json::parse(text).unwrap());
        assert_eq!(shown(&json(r#"{"a":[1.50,null,true,"x"]}"#)), r#"{"a": [1.50, null, true, "x"]}"#);
        let long = shown(&json(&format!("[{:?}, 1]", "word ".repeat(1_000))));
        assert_eq!(long.chars().count(), 121);
        assert!(long.ends_with('…'));
    }
}

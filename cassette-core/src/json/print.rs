//! From tree to text.

use super::{Json, Member, Text};

/// How the white space of a JSON document is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// No white space at all, as `JSON.stringify` and serde_json write it.
    Compact,
    /// A space after each colon and comma, as Python's `json.dumps` writes it.
    Spaced,
    /// A line for each member and element, indented by so many spaces.
    Indent(usize),
}

impl Json {
    /// Returns the document in this layout; numbers and strings are spelled as they were written.
    pub fn print(&self, layout: Layout) -> String {
        let mut out = String::new();
        self.print_into(&mut out, layout, 0);
        out
    }

    /// Returns the object of these members in this layout.
    pub(crate) fn print_members<'a>(members: impl Iterator<Item = &'a Member>, layout: Layout) -> String {
        let mut out = String::new();
        object(&mut out, members, layout, 0);
        out
    }

    /// Appends the document as it stands at this depth of an outer one.
    pub(crate) fn print_into(&self, out: &mut String, layout: Layout, depth: usize) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Json::Number(number) => out.push_str(number.source()),
            Json::String(text) => push_string(out, text),
            Json::Array(elements) => {
                list(out, ['[', ']'], elements.iter(), layout, depth, |out, element| {
                    element.print_into(out, layout, depth + 1)
                });
            }
            Json::Object(members) => object(out, members.iter(), layout, depth),
        }
    }
}

fn object<'a>(out: &mut String, members: impl Iterator<Item = &'a Member>, layout: Layout, depth: usize) {
    list(out, ['{', '}'], members, layout, depth, |out, (name, value)| {
        push_string(out, name);
        out.push_str(if layout == Layout::Compact { ":" } else { ": " });
        value.print_into(out, layout, depth + 1);
    });
}

fn list<T>(
    out: &mut String,
    [open, close]: [char; 2],
    items: impl Iterator<Item = T>,
    layout: Layout,
    depth: usize,
    mut print: impl FnMut(&mut String, T),
) {
    out.push(open);
    let mut empty = true;
    for item in items {
        if !empty {
            out.push_str(if layout == Layout::Spaced { ", " } else { "," });
        }
        break_line(out, layout, depth + 1);
        print(out, item);
        empty = false;
    }
    if !empty {
        break_line(out, layout, depth);
    }
    out.push(close);
}

fn break_line(out: &mut String, layout: Layout, depth: usize) {
    if let Layout::Indent(width) = layout {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', width * depth));
    }
}

fn push_string(out: &mut String, text: &Text) {
    out.push('"');
    out.push_str(text.source());
    out.push('"');
}

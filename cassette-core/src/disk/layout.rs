//! How the document is laid out: for a reader first, and so that a program can cut it by lines.
//!
//! Every interaction opens with the line `    {` and closes with `    }` or `    },`; its key stands on the next line.
//! Headers, events, chunk lengths and times take one line each, everything else is indented by two.

use crate::json::{Json, Layout, Member};

const PRETTY: Layout = Layout::Indent(2);

/// Returns the whole document.
pub(super) fn print(head: &[Member], interactions: &[Json]) -> String {
    let mut out = String::from("{\n");
    for (name, value) in head {
        member(&mut out, name.source(), 1);
        match name.source() {
            "needs" => value.print_into(&mut out, Layout::Spaced, 1),
            _ => value.print_into(&mut out, PRETTY, 1),
        }
        out.push_str(",\n");
    }
    member(&mut out, "interactions", 1);
    out.push('[');
    separated(&mut out, interactions, 2, interaction);
    close(&mut out, interactions.is_empty(), 1, ']');
    out.push_str("\n}\n");
    out
}

fn interaction(out: &mut String, object: &Json) {
    members(out, object, 2, |out, name, value| match name {
        "request" | "reply" | "error" => members(out, value, 3, message),
        "digest" => members(out, value, 3, digest),
        "pace" => value.print_into(out, Layout::Spaced, 3),
        _ => value.print_into(out, PRETTY, 3),
    });
}

fn digest(out: &mut String, name: &str, value: &Json) {
    match name {
        "parts" | "rest" | "headers" => lines(out, value, 4),
        _ => value.print_into(out, Layout::Spaced, 4),
    }
}

fn message(out: &mut String, name: &str, value: &Json) {
    match name {
        "headers" | "trailers" => lines(out, value, 4),
        "chunks" => value.print_into(out, Layout::Spaced, 4),
        "body" => members(out, value, 4, |out, name, value| match name {
            "events" => lines(out, value, 5),
            _ => value.print_into(out, PRETTY, 5),
        }),
        _ => value.print_into(out, PRETTY, 4),
    }
}

/// Prints an array, each element on one line.
fn lines(out: &mut String, array: &Json, depth: usize) {
    out.push('[');
    separated(out, array.elements(), depth + 1, |out, element| element.print_into(out, Layout::Spaced, depth + 1));
    close(out, array.elements().is_empty(), depth, ']');
}

fn members(out: &mut String, object: &Json, depth: usize, mut print: impl FnMut(&mut String, &str, &Json)) {
    out.push('{');
    separated(out, object.members(), depth + 1, |out, (name, value)| {
        member(out, name.source(), 0);
        print(out, name.source(), value);
    });
    close(out, object.members().is_empty(), depth, '}');
}

fn separated<T>(out: &mut String, items: &[T], depth: usize, mut print: impl FnMut(&mut String, &T)) {
    for (i, item) in items.iter().enumerate() {
        out.push_str(if i > 0 { ",\n" } else { "\n" });
        indent(out, depth);
        print(out, item);
    }
}

fn member(out: &mut String, name: &str, depth: usize) {
    indent(out, depth);
    out.push('"');
    out.push_str(name);
    out.push_str("\": ");
}

fn close(out: &mut String, empty: bool, depth: usize, bracket: char) {
    if !empty {
        out.push('\n');
        indent(out, depth);
    }
    out.push(bracket);
}

fn indent(out: &mut String, depth: usize) {
    out.extend(std::iter::repeat_n("  ", depth));
}

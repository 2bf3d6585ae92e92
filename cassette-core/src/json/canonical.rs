//! The text in which two documents agree exactly when they mean the same.

use super::{Json, Text};

impl Json {
    /// Returns the canonical text: members sorted by name, no white space, the fewest escapes, numbers by value.
    ///
    /// `1` and `1.0` agree; `1` and `"1"` differ, and so do `null` and a missing member. Strings are compared by code
    /// point, without Unicode normalisation.
    pub fn canonical(&self) -> String {
        let mut out = String::new();
        self.canonical_into(&mut out);
        out
    }

    fn canonical_into(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Json::Number(number) => out.push_str(&number.canonical()),
            Json::String(text) => push_string(out, text),
            Json::Array(elements) => {
                out.push('[');
                for (i, element) in elements.iter().enumerate() {
                    separate(out, i);
                    element.canonical_into(out);
                }
                out.push(']');
            }
            Json::Object(members) => {
                let mut sorted: Vec<_> = members.iter().collect();
                sorted.sort_by(|(a, _), (b, _)| a.canonical().cmp(&b.canonical()));
                out.push('{');
                for (i, (name, value)) in sorted.into_iter().enumerate() {
                    separate(out, i);
                    push_string(out, name);
                    out.push(':');
                    value.canonical_into(out);
                }
                out.push('}');
            }
        }
    }
}

fn separate(out: &mut String, index: usize) {
    if index > 0 {
        out.push(',');
    }
}

fn push_string(out: &mut String, text: &Text) {
    out.push('"');
    out.push_str(&text.canonical());
    out.push('"');
}

//! How a JSON body was written: what its tree does not say.

use super::{Json, Layout, Text};

/// Everything about a JSON text that its tree leaves open: printing the tree in its style gives the text again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Style {
    /// The white space between tokens.
    pub layout: Layout,
    /// Whether everything outside printable ASCII is escaped; the tree then holds the readable spelling.
    pub ascii: bool,
    /// Whether a line feed follows the document.
    pub newline: bool,
}

impl Style {
    /// The style of `JSON.stringify` and serde_json.
    pub const COMPACT: Style = Style { layout: Layout::Compact, ascii: false, newline: false };

    /// Returns the tree of a JSON text and the style in which printing it gives the same text, if there is one.
    pub fn detect(text: &str) -> Option<(Json, Style)> {
        let document = text.strip_suffix('\n').unwrap_or(text);
        let newline = document.len() < text.len();
        let written = Json::parse(document).ok()?;
        let layout = layouts(document).into_iter().find(|layout| written.print(*layout) == document)?;
        let plain = document.contains("\\u").then(|| respell(&written, Text::plain));
        let ascii = document.is_ascii() && plain.as_ref().is_some_and(|plain| respell(plain, Text::ascii) == written);
        let tree = if ascii { plain? } else { written };
        Some((tree, Style { layout, ascii, newline }))
    }

    /// Returns the tree's text in this style.
    pub fn print(&self, tree: &Json) -> String {
        let mut text = if self.ascii { respell(tree, Text::ascii).print(self.layout) } else { tree.print(self.layout) };
        if self.newline {
            text.push('\n');
        }
        text
    }

    /// Returns the style's name in a cassette: `compact`, `spaced` or `indent 2`, then `ascii` and `newline` where they hold.
    pub fn name(&self) -> String {
        let mut name = match self.layout {
            Layout::Compact => "compact".to_owned(),
            Layout::Spaced => "spaced".to_owned(),
            Layout::Indent(width) => format!("indent {width}"),
        };
        name.push_str(if self.ascii { " ascii" } else { "" });
        name.push_str(if self.newline { " newline" } else { "" });
        name
    }

    /// Returns the style of this name.
    pub fn from_name(name: &str) -> Option<Style> {
        let (rest, newline) = name.strip_suffix(" newline").map_or((name, false), |rest| (rest, true));
        let (rest, ascii) = rest.strip_suffix(" ascii").map_or((rest, false), |rest| (rest, true));
        let layout = match rest {
            "compact" => Layout::Compact,
            "spaced" => Layout::Spaced,
            indent => Layout::Indent(indent.strip_prefix("indent ")?.parse().ok().filter(|width| *width <= 16)?),
        };
        Some(Style { layout, ascii, newline })
    }
}

/// The layouts in which a document that starts so may have been printed, the likeliest first.
fn layouts(document: &str) -> [Layout; 3] {
    let indent = document.split('\n').nth(1).map_or(0, |line| line.len() - line.trim_start_matches(' ').len());
    [Layout::Compact, Layout::Spaced, Layout::Indent(indent)]
}

fn respell(tree: &Json, spell: fn(&Text) -> Text) -> Json {
    match tree {
        Json::String(text) => Json::String(spell(text)),
        Json::Array(elements) => Json::Array(elements.iter().map(|element| respell(element, spell)).collect()),
        Json::Object(members) => {
            Json::Object(members.iter().map(|(name, value)| (spell(name), respell(value, spell))).collect())
        }
        leaf => leaf.clone(),
    }
}

//! The tree of a document, each node with the line on which it stands.

use super::coding;
use super::imported::Fault;

/// A node of a document.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The line, from 1.
    pub(super) line: usize,
    /// The tag of a YAML scalar that the document itself gives.
    pub(super) tag: Option<String>,
    /// What it says.
    pub(super) value: Value,
}

/// What a node says.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Nothing.
    Null,
    /// A number or a truth value, as it is spelled.
    Bare(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A map, in the document's order, duplicates kept.
    Map(Vec<(Node, Node)>),
}

/// Why a body that stands as a tree is refused.
pub(super) const PARSED: &str = "the body was stored parsed, and the bytes that were sent are lost";

/// Why a form that stands as its fields is refused.
pub(super) const FIELDS: &str = "the form was stored as fields, and the bytes that were sent are lost";

impl Node {
    /// Returns the member of this name unless it is null.
    pub(super) fn get(&self, name: &str) -> Option<&Node> {
        let member = self.members().iter().find(|(key, _)| key.text() == Some(name))?;
        (!matches!(member.1.value, Value::Null)).then_some(&member.1)
    }

    /// Returns whether there is a member of this name, be it null.
    pub(super) fn has(&self, name: &str) -> bool {
        self.members().iter().any(|(key, _)| key.text() == Some(name))
    }

    /// Returns the member of this name.
    pub(super) fn need(&self, name: &str) -> Result<&Node, Fault> {
        self.get(name).ok_or_else(|| Fault::at(self.line, format!("`{name}` is missing")))
    }

    /// Refuses a recording of a version that is none of these; one that says none is taken for one of them.
    pub(super) fn of_version(&self, known: &[&str]) -> Result<(), Fault> {
        let Some(version) = self.get("version") else { return Ok(()) };
        let told = version.text().unwrap_or("no number");
        let verb = if known.len() == 1 { "is" } else { "are" };
        let fault =
            || Fault::at(version.line, format!("its version is {told}, and only {} {verb} known", known.join(" and ")));
        if known.contains(&told) { Ok(()) } else { Err(fault()) }
    }

    /// Returns the text of the member of this name.
    pub(super) fn need_text(&self, name: &str) -> Result<&str, Fault> {
        let node = self.need(name)?;
        node.text().ok_or_else(|| Fault::at(node.line, format!("`{name}` is no text")))
    }

    /// Returns the text of a scalar.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Bare(text) | Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns whether it is `true`.
    pub(super) fn is_true(&self) -> bool {
        matches!(&self.value, Value::Bare(text) if text.eq_ignore_ascii_case("true"))
    }

    /// Returns the number that a scalar spells.
    pub(super) fn number(&self) -> Option<f64> {
        self.text()?.trim().parse().ok()
    }

    /// Returns the elements of a list.
    pub(super) fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// Returns the members of a map.
    pub(super) fn members(&self) -> &[(Node, Node)] {
        match &self.value {
            Value::Map(members) => members,
            _ => &[],
        }
    }

    /// Returns the elements, where it must be a list.
    pub(super) fn need_items(&self) -> Result<&[Node], Fault> {
        match &self.value {
            Value::List(items) => Ok(items),
            _ => Err(Fault::at(self.line, "this is no list")),
        }
    }

    /// Returns the bytes of a body that is a text, base64 under a `binary` tag, or nothing.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, Fault> {
        match &self.value {
            Value::Null => Ok(Vec::new()),
            Value::Text(text) if self.is_binary() => self.base64_of(text),
            Value::Text(text) => Ok(text.clone().into_bytes()),
            _ => Err(Fault::at(self.line, PARSED)),
        }
    }

    /// Returns the bytes that a text spells in base64.
    pub(super) fn base64(&self) -> Result<Vec<u8>, Fault> {
        match &self.value {
            Value::Text(text) => self.base64_of(text),
            _ => Err(Fault::at(self.line, "this is no base64")),
        }
    }

    fn base64_of(&self, text: &str) -> Result<Vec<u8>, Fault> {
        coding::base64(text).ok_or_else(|| Fault::at(self.line, "the base64 is damaged"))
    }

    /// Returns whether a scalar is tagged as base64: `!!binary`, and Ruby's `!binary`.
    pub(super) fn is_binary(&self) -> bool {
        matches!(self.tag.as_deref(), Some("tag:yaml.org,2002:binary" | "!binary"))
    }
}

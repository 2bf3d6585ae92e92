//! A value of a request, ready to be compared.

use std::cmp::Ordering;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

use crate::json::Json;
use crate::redact::{placeholders, replace_placeholders};

/// A value with a digest of what it means: equal exactly, but for chance, for values that mean the same.
///
/// Placeholders all count as one: which secrets are the same is the business of [`Sameness`](super::secrets::Sameness).
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) value: Value,
    digest: u64,
    /// How many scalars it holds.
    pub(super) leaves: usize,
    /// Whether a placeholder stands in it.
    pub(super) secret: bool,
}

/// What a node says.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it was written.
    Number(String),
    /// A string.
    Text(String),
    /// Bytes that are no text.
    Bytes(Vec<u8>),
    /// A list.
    List(Vec<Node>),
    /// Members as they were sent.
    Map(Vec<(String, Node)>),
    /// A part of a multipart body: what stands in it, each under what follows the part's own path.
    Part(Vec<(String, Node)>),
}

impl Node {
    /// Returns the node of a JSON value.
    pub(super) fn of(json: &Json) -> Node {
        match json {
            Json::Null => Node::leaf(Value::Null, |_| {}),
            Json::Bool(value) => Node::leaf(Value::Bool(*value), |hasher| value.hash(hasher)),
            Json::Number(number) => {
                let canonical = number.canonical();
                Node::leaf(Value::Number(number.source().to_owned()), |hasher| canonical.hash(hasher))
            }
            Json::String(text) => {
                let value = text.value();
                // A lone surrogate is no character: the escape stands for it.
                let lossy = value.contains(char::REPLACEMENT_CHARACTER);
                Node::text(if lossy { text.canonical() } else { value }.into_owned())
            }
            Json::Array(elements) => Node::list(elements.iter().map(Node::of).collect()),
            Json::Object(members) => {
                Node::map(members.iter().map(|(name, value)| (name.value().into_owned(), Node::of(value))).collect())
            }
        }
    }

    /// Returns the node of a string.
    pub(super) fn text(text: String) -> Node {
        let secret = placeholders(&text).next().is_some();
        let digest = |hasher: &mut DefaultHasher| match secret {
            true => replace_placeholders(&text, |_| "REDACTED.any".to_owned()).hash(hasher),
            false => text.hash(hasher),
        };
        let node = Node::leaf(Value::Text(String::new()), digest);
        Node { value: Value::Text(text), secret, ..node }
    }

    /// Returns the node of a text where it is one, else of the bytes.
    pub(super) fn bytes(bytes: &[u8]) -> Node {
        match std::str::from_utf8(bytes) {
            Ok(text) => Node::text(text.to_owned()),
            Err(_) => Node::leaf(Value::Bytes(bytes.to_vec()), |hasher| bytes.hash(hasher)),
        }
    }

    /// Returns the node of nothing said.
    pub(super) fn null() -> Node {
        Node::of(&Json::Null)
    }

    /// Returns the node of a list.
    pub(super) fn list(elements: Vec<Node>) -> Node {
        let mut hasher = hasher(&Value::List(Vec::new()));
        elements.iter().for_each(|element| element.digest.hash(&mut hasher));
        let leaves = elements.iter().map(|element| element.leaves).sum();
        let secret = elements.iter().any(|element| element.secret);
        Node { value: Value::List(elements), digest: hasher.finish(), leaves, secret }
    }

    /// Returns the node of these members, whose order does not count.
    pub(super) fn map(members: Vec<(String, Node)>) -> Node {
        let mut sorted: Vec<_> = members.iter().map(|(name, node)| (name, node.digest)).collect();
        sorted.sort_unstable();
        let mut hasher = hasher(&Value::Map(Vec::new()));
        sorted.hash(&mut hasher);
        let leaves = members.iter().map(|(_, node)| node.leaves).sum();
        let secret = members.iter().any(|(_, node)| node.secret);
        Node { value: Value::Map(members), digest: hasher.finish(), leaves, secret }
    }

    /// Returns the node of a part of a multipart body.
    pub(super) fn part(said: Vec<(String, Node)>) -> Node {
        match Node::map(said) {
            Node { value: Value::Map(said), digest, leaves, secret } => {
                Node { value: Value::Part(said), digest, leaves, secret }
            }
            other => other,
        }
    }

    fn leaf(value: Value, say: impl FnOnce(&mut DefaultHasher)) -> Node {
        let mut hasher = hasher(&value);
        say(&mut hasher);
        Node { value, digest: hasher.finish(), leaves: 1, secret: false }
    }

    /// Returns the digest, which is good for nothing but being compared.
    pub(super) fn digest(&self) -> u64 {
        self.digest
    }

    /// Returns whether the two mean the same, whatever secrets are in them.
    pub(super) fn is(&self, other: &Node) -> bool {
        self.digest == other.digest
    }

    /// Returns whether the two are of one type.
    pub(super) fn is_like(&self, other: &Node) -> bool {
        std::mem::discriminant(&self.value) == std::mem::discriminant(&other.value)
    }

    /// Returns whether this is a list or an object.
    pub(super) fn is_nest(&self) -> bool {
        matches!(self.value, Value::List(_) | Value::Map(_))
    }

    /// Returns the JSON that a string holds, where that is a list or an object.
    pub(super) fn nested(&self) -> Option<Node> {
        let Value::Text(text) = &self.value else { return None };
        if !text.trim_start().starts_with(['{', '[']) {
            return None;
        }
        Json::parse(text).ok().map(|json| Node::of(&json))
    }

    /// Orders two nodes by what they say, so that a tie is never broken by which one came first.
    pub(super) fn order(&self, other: &Node) -> Ordering {
        match (&self.value, &other.value) {
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Number(a), Value::Number(b)) | (Value::Text(a), Value::Text(b)) => a.cmp(b),
            (Value::Bytes(a), Value::Bytes(b)) => a.cmp(b),
            (Value::List(a), Value::List(b)) => {
                let unequal = a.iter().zip(b).map(|(a, b)| a.order(b)).find(|order| order.is_ne());
                unequal.unwrap_or_else(|| a.len().cmp(&b.len()))
            }
            (Value::Map(a), Value::Map(b)) | (Value::Part(a), Value::Part(b)) => {
                let (a, b) = (by_name(a), by_name(b));
                let pairs = a.iter().zip(&b);
                let unequal = pairs.map(|((a, x), (b, y))| a.cmp(b).then_with(|| x.order(y))).find(|o| o.is_ne());
                unequal.unwrap_or_else(|| a.len().cmp(&b.len()))
            }
            (a, b) => a.rank().cmp(&b.rank()),
        }
    }
}

impl Value {
    fn rank(&self) -> u8 {
        match self {
            Value::Null => 0,
            Value::Bool(_) => 1,
            Value::Number(_) => 2,
            Value::Text(_) => 3,
            Value::Bytes(_) => 4,
            Value::List(_) => 5,
            Value::Map(_) => 6,
            Value::Part(_) => 7,
        }
    }
}

/// Returns members in an order that says nothing of how they were sent.
fn by_name(members: &[(String, Node)]) -> Vec<&(String, Node)> {
    let mut sorted: Vec<_> = members.iter().collect();
    sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
    sorted
}

/// Returns a hasher that knows the type: `1` and `"1"` differ.
fn hasher(value: &Value) -> DefaultHasher {
    let mut hasher = DefaultHasher::new();
    value.rank().hash(&mut hasher);
    hasher
}

//! Headers, in the five ways in which recordings keep them.

use cassette_core::call::Header;

use super::imported::Fault;
use super::node::{Node, Value};

/// Returns the headers of a node: a map of names to a value or to values, or a list of objects with `name` and `value`, of
/// pairs, or of lines. No node is no header.
pub(super) fn of(node: Option<&Node>) -> Result<Vec<Header>, Fault> {
    let Some(node) = node else { return Ok(Vec::new()) };
    match &node.value {
        Value::Map(members) => {
            let mut headers = Vec::new();
            for (name, values) in members {
                match &values.value {
                    Value::List(values) => {
                        values.iter().try_for_each(|value| push(&mut headers, name, value))?;
                    }
                    _ => push(&mut headers, name, values)?,
                }
            }
            Ok(headers)
        }
        Value::List(items) => items.iter().map(one).collect(),
        _ => Err(Fault::at(node.line, "these are no headers")),
    }
}

/// Returns the headers of a list in which names and values alternate.
pub(super) fn alternating(items: &[Node]) -> Result<Vec<Header>, Fault> {
    let mut headers = Vec::new();
    for pair in items.chunks(2) {
        match pair {
            [name, value] => push(&mut headers, name, value)?,
            _ => return Err(Fault::at(pair[0].line, "a header has no value")),
        }
    }
    Ok(headers)
}

fn one(item: &Node) -> Result<Header, Fault> {
    let mut headers = Vec::new();
    match &item.value {
        Value::Map(_) => push(&mut headers, item.need("name")?, item.need("value")?)?,
        Value::List(pair) if pair.len() == 2 => push(&mut headers, &pair[0], &pair[1])?,
        Value::Text(line) => {
            let (name, value) = line.split_once(':').ok_or_else(|| Fault::at(item.line, "a header has no colon"))?;
            headers.push((name.trim().to_ascii_lowercase(), latin1(value.trim())));
        }
        _ => {}
    }
    headers.pop().ok_or_else(|| Fault::at(item.line, "this is no header"))
}

fn push(headers: &mut Vec<Header>, name: &Node, value: &Node) -> Result<(), Fault> {
    let name_of = |node: &Node| {
        if node.is_binary() { String::from_utf8(node.bytes().ok()?).ok() } else { node.text().map(str::to_owned) }
    };
    let name = name_of(name).ok_or_else(|| Fault::at(name.line, "a header has no name"))?;
    let text = match &value.value {
        Value::Null => String::new(),
        _ if value.is_binary() => value.bytes()?.into_iter().map(char::from).collect(),
        Value::Bare(text) | Value::Text(text) => latin1(text.trim_end_matches(['\r', '\n'])),
        _ => return Err(Fault::at(value.line, format!("the header `{name}` has no plain value"))),
    };
    headers.push((name.trim().to_ascii_lowercase(), text));
    Ok(())
}

/// Returns a value as the characters of its bytes. A character beyond Latin 1 can only have been UTF-8.
fn latin1(text: &str) -> String {
    let is_latin1 = text.chars().all(|c| u32::from(c) < 256);
    if is_latin1 { text.to_owned() } else { text.bytes().map(char::from).collect() }
}

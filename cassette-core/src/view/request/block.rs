//! The pieces of a message.

use super::Block;
use super::file;
use crate::json::{Json, Layout, Member};
use crate::view::ToolCall;
use crate::view::field::{arguments, at, string};

/// Returns what an element of a message's content says.
pub(super) fn blocks(json: Json) -> Vec<Block> {
    match json {
        Json::Null => Vec::new(),
        Json::String(text) => vec![Block::Text(text.value().into_owned())],
        Json::Object(_) => {
            let found = known(&json);
            found.unwrap_or_else(|| vec![Block::Other(json)])
        }
        other => vec![Block::Other(other)],
    }
}

/// Returns the text of a content, or its JSON where it is none.
pub(super) fn plain(json: &Json) -> String {
    let texts = |elements: &[Json]| -> Option<Vec<String>> {
        elements
            .iter()
            .map(|element| element.as_str().map(|text| text.into_owned()).or_else(|| string(element, "text")))
            .collect()
    };
    match json {
        Json::String(text) => text.value().into_owned(),
        Json::Array(elements) => texts(elements).map_or_else(|| json.print(Layout::Compact), |texts| texts.join("\n")),
        other => other.print(Layout::Compact),
    }
}

fn known(json: &Json) -> Option<Vec<Block>> {
    let kind = string(json, "type").unwrap_or_default();
    let (block, used): (Block, &[&str]) = match kind.as_str() {
        "text" | "input_text" | "output_text" => (Block::Text(string(json, "text")?), &["text"]),
        "thinking" => (Block::Thought(string(json, "thinking")?), &["thinking", "signature"]),
        "reasoning" => (Block::Thought(plain(json.get("text").or_else(|| json.get("summary"))?)), &["text", "summary"]),
        "tool_use" | "server_tool_use" => (call(json, "id", "input"), &["id", "name", "input"]),
        kind if kind.ends_with("tool_result") => (returned(json, "tool_use_id"), &["tool_use_id", "content"]),
        "" => return unnamed(json),
        _ => (Block::File(file::of_block(json, &kind)?), file::MEMBERS),
    };
    Some(with_rest(block, json, used))
}

/// Reads a piece that says what it is by its only member, as Gemini's and Bedrock's do.
fn unnamed(json: &Json) -> Option<Vec<Block>> {
    let member = |names: [&'static str; 2]| names.into_iter().find_map(|name| Some((name, json.get(name)?)));
    let is_thought = json.get("thought").and_then(Json::as_bool).unwrap_or_default();
    if let Some(text) = string(json, "text") {
        let block = if is_thought { Block::Thought(text) } else { Block::Text(text) };
        return Some(with_rest(block, json, &["text", "thought", "thoughtSignature"]));
    }
    let (name, block) = if let Some((name, inner)) = member(["functionCall", "toolUse"]) {
        let id = if name == "toolUse" { "toolUseId" } else { "id" };
        let given = if name == "toolUse" { "input" } else { "args" };
        (name, call(inner, id, given))
    } else if let Some((name, inner)) = member(["toolResult", "tool_result"]) {
        (name, returned(inner, "toolUseId"))
    } else if let Some((name, inner)) = member(["functionResponse", "function_response"]) {
        let id = string(inner, "id").or_else(|| string(inner, "name")).unwrap_or_default();
        (name, Block::Returned(id, inner.get("response").map(plain).unwrap_or_default()))
    } else if let Some(text) = at(json, "reasoningContent.reasoningText.text").and_then(Json::as_str) {
        ("reasoningContent", Block::Thought(text.into_owned()))
    } else {
        let (name, file) = file::unnamed(json)?;
        (name, Block::File(file))
    };
    Some(with_rest(block, json, &[name, "thoughtSignature"]))
}

fn call(json: &Json, id: &str, given: &str) -> Block {
    let text = |name: &str| string(json, name).unwrap_or_default();
    Block::Call(ToolCall { id: text(id), name: text("name"), arguments: arguments(json.get(given)) })
}

fn returned(json: &Json, id: &str) -> Block {
    Block::Returned(string(json, id).unwrap_or_default(), json.get("content").map(plain).unwrap_or_default())
}

/// Returns the piece, and the members that it does not tell.
fn with_rest(block: Block, json: &Json, used: &[&str]) -> Vec<Block> {
    let told = |name: &str| name == "type" || used.contains(&name);
    let rest: Vec<Member> = json.members().iter().filter(|(name, _)| !told(&name.value())).cloned().collect();
    let rest = (!rest.is_empty()).then_some(Block::Other(Json::Object(rest)));
    std::iter::once(block).chain(rest).collect()
}

//! The messages of a conversation.

use super::block::{blocks, plain};
use super::{Block, Message, file};
use crate::json::{Json, Member};
use crate::view::ToolCall;
use crate::view::field::{arguments, string};

/// Members of a message that say nothing to a reader.
const ASIDE: [&str; 4] = ["id", "object", "status", "type"];

/// Returns the messages in a member of a request: a string, a message, or a list of either. `role` speaks where nobody
/// is named.
pub(super) fn said(json: Json, role: &str) -> Vec<Message> {
    match json {
        Json::Array(elements) if elements.iter().all(is_block) && !elements.is_empty() => {
            vec![Message { role: role.to_owned(), blocks: elements.into_iter().flat_map(blocks).collect() }]
        }
        Json::Array(elements) => elements.into_iter().map(|element| one(element, role)).collect(),
        block if is_block(&block) => vec![Message { role: role.to_owned(), blocks: blocks(block) }],
        other => vec![one(other, role)],
    }
}

/// Returns the message of a picture that stands by itself, as an address or as data.
pub(super) fn shown(json: &Json) -> Option<Message> {
    let file = file::of_url(&json.as_str()?, "image");
    Some(Message { role: "user".to_owned(), blocks: vec![Block::File(file)] })
}

/// Members that a message has, and a piece of one has not.
const MESSAGE: [&str; 9] =
    ["role", "speaker", "content", "parts", "arguments", "output", "result", "summary", "message"];

/// Returns whether an element is a piece of a message, and no message: the blocks of a system prompt, or of an input.
fn is_block(json: &Json) -> bool {
    let is_message = MESSAGE.iter().any(|name| json.get(name).is_some());
    let is_file = ["data", "uri", "image_url", "document_url", "file_id"].iter().any(|name| json.get(name).is_some());
    (json.get("text").is_some() || is_file) && !is_message
}

fn one(json: Json, role: &str) -> Message {
    let Json::Object(members) = json else {
        return Message { role: role.to_owned(), blocks: blocks(json) };
    };
    let kind = string(&Json::Object(members.clone()), "type").unwrap_or_default();
    match kind.as_str() {
        "function_call" | "function.call" | "reasoning" | "thought" => item(&kind, Json::Object(members)),
        "function_call_output" | "function_result" | "function.result" => item(&kind, Json::Object(members)),
        "model_output" => message(members, "model"),
        "message.output" => message(members, "assistant"),
        _ => message(members, role),
    }
}

/// Reads an item that is no message: of a Responses input, of interactions, of Mistral's conversations.
fn item(kind: &str, json: Json) -> Message {
    let id = ["call_id", "tool_call_id", "id"].iter().find_map(|name| string(&json, name)).unwrap_or_default();
    let (role, block) = match kind {
        "function_call" | "function.call" => {
            let name = string(&json, "name").unwrap_or_default();
            ("assistant", Block::Call(ToolCall { id, name, arguments: arguments(json.get("arguments")) }))
        }
        "function_call_output" | "function_result" | "function.result" => {
            let returned = json.get("output").or_else(|| json.get("result"));
            ("tool", Block::Returned(id, returned.map(plain).unwrap_or_default()))
        }
        _ => ("assistant", Block::Thought(json.get("summary").map(plain).unwrap_or_default())),
    };
    Message { role: role.to_owned(), blocks: vec![block] }
}

fn message(members: Vec<Member>, role: &str) -> Message {
    let mut said = Message { role: role.to_owned(), blocks: Vec::new() };
    let mut calls = Vec::new();
    let mut rest: Vec<Member> = Vec::new();
    let mut answered = None;
    for (name, value) in members {
        match &*name.value() {
            "role" | "speaker" => said.role = value.as_str().unwrap_or_default().into_owned(),
            "content" | "parts" | "message" | "text" | "output" => said.blocks.extend(content(value)),
            "thinking" | "reasoning_content" if matches!(value, Json::String(_)) => {
                said.blocks.insert(0, Block::Thought(plain(&value)));
            }
            "images" => said.blocks.extend(value.elements().iter().filter_map(file::of_image).map(Block::File)),
            "tool_calls" => calls.extend(value.elements().iter().map(call)),
            "function_call" => calls.push(call(&value)),
            "tool_call_id" => answered = value.as_str().map(|id| id.into_owned()),
            name if ASIDE.contains(&name) => {}
            _ if is_nothing(&value) => {}
            _ => rest.push((name, value)),
        }
    }
    if answered.is_some() || matches!(said.role.as_str(), "tool" | "function") {
        said.blocks = said.blocks.into_iter().map(|block| returned(block, answered.as_deref())).collect();
    }
    said.blocks.extend(calls.into_iter().map(Block::Call));
    if !rest.is_empty() {
        said.blocks.push(Block::Other(Json::Object(rest)));
    }
    said
}

fn content(json: Json) -> Vec<Block> {
    match json {
        Json::Array(elements) => elements.into_iter().flat_map(blocks).collect(),
        other => blocks(other),
    }
}

fn returned(block: Block, id: Option<&str>) -> Block {
    match block {
        Block::Text(text) => Block::Returned(id.unwrap_or_default().to_owned(), text),
        other => other,
    }
}

/// Reads a call that is sent back, whose name and arguments stand in it or in its `function`.
fn call(json: &Json) -> ToolCall {
    let function = json.get("function").unwrap_or(json);
    ToolCall {
        id: string(json, "id").unwrap_or_default(),
        name: string(function, "name").unwrap_or_default(),
        arguments: arguments(function.get("arguments").or_else(|| function.get("parameters"))),
    }
}

fn is_nothing(json: &Json) -> bool {
    match json {
        Json::Null => true,
        Json::Array(elements) => elements.is_empty(),
        _ => false,
    }
}

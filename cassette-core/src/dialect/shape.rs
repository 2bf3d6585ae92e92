//! Which dialect a body speaks, where its address says nothing: only a conversation proves itself.
//!
//! `model` beside `input` or `prompt` is many an order's; such a body speaks a dialect only at a path that is one's.

use super::Dialect;
use super::proof::{is_contents, is_conversation, is_items};
use crate::json::Json;

/// What only Ollama puts beside `messages`.
const OLLAMA: &[&str] = &["keep_alive", "options", "think"];
/// What a block of Bedrock's `converse` is: its one member.
const BLOCKS: &[&str] = &[
    "text",
    "image",
    "document",
    "video",
    "audio",
    "toolUse",
    "toolResult",
    "reasoningContent",
    "cachePoint",
    "guardContent",
    "citationsContent",
    "searchResult",
];

/// Returns the dialect whose requests alone have this shape.
pub(super) fn detect(body: &Json) -> Option<Dialect> {
    let has = |name: &str| body.get(name).is_some();
    let is = |name: &str, is: fn(&Json) -> bool| body.get(name).is_some_and(is);
    if has("anthropic_version") && has("messages") {
        return Some(Dialect::Anthropic);
    }
    if is("contents", is_contents) && !has("messages") {
        return Some(Dialect::Gemini);
    }
    if is("messages", is_conversation) {
        return messages(body);
    }
    if is("chat_history", is_conversation) && is("message", |message| matches!(message, Json::String(_))) {
        return Some(Dialect::CohereV1);
    }
    (has("model") && is("input", is_items)).then_some(Dialect::OpenAiResponses)
}

/// Tells apart those that send a conversation as `messages`.
fn messages(body: &Json) -> Option<Dialect> {
    let has = |name: &str| body.get(name).is_some();
    let list = |name: &str| body.get(name).map_or(&[][..], Json::elements);
    let blocks: Vec<_> =
        list("messages").iter().filter_map(|message| message.get("content")).flat_map(Json::elements).collect();
    let is_block = |block: &&Json| match block.members() {
        [(name, _)] => BLOCKS.iter().any(|known| name.is(known)),
        _ => false,
    };
    if !has("model") && !blocks.is_empty() && blocks.iter().all(is_block) {
        return Some(Dialect::BedrockConverse);
    }
    if !has("model") && !has("model_id") {
        return None;
    }
    let typed =
        |kind: &str| blocks.iter().any(|block| block.get("type").and_then(Json::as_str).as_deref() == Some(kind));
    let schemas = list("tools").iter().any(|tool| tool.get("input_schema").is_some());
    let its_own = has("system") || has("thinking") || schemas || typed("tool_use") || typed("tool_result");
    if its_own && has("max_tokens") {
        return Some(Dialect::Anthropic);
    }
    let ollama = OLLAMA.iter().any(|name| has(name));
    Some(if ollama { Dialect::Ollama } else { Dialect::OpenAiChat })
}

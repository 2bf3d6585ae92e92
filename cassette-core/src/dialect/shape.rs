//! Which dialect a body speaks, where its address says nothing.

use super::Dialect;
use crate::json::Json;

/// What makes Responses of a body that has `model` and `input`.
const RESPONSES: &[&str] =
    &["instructions", "max_output_tokens", "previous_response_id", "reasoning", "store", "stream", "text", "tools"];
/// What makes embeddings of it.
const EMBEDDINGS: &[&str] = &["dimensions", "encoding_format", "input_type"];
/// What only Ollama puts beside `messages` or `prompt`.
const OLLAMA: &[&str] = &["keep_alive", "options", "think"];
/// What makes legacy completions of a body that has `model` and `prompt`.
const COMPLETIONS: &[&str] = &["best_of", "echo", "logprobs", "max_tokens", "stop", "stream", "suffix", "temperature"];

/// Returns the dialect whose requests alone have this shape.
pub(super) fn detect(body: &Json) -> Option<Dialect> {
    let has = |name: &str| body.get(name).is_some();
    let any = |names: &[&str]| names.iter().any(|name| has(name));
    let objects = |name: &str| body.get(name).is_some_and(is_objects);
    if has("anthropic_version") {
        return Some(Dialect::Anthropic);
    }
    if objects("contents") && !has("messages") {
        return Some(Dialect::Gemini);
    }
    if objects("messages") {
        return messages(body);
    }
    if has("inputs") && any(&["parameters", "options"]) {
        return Some(Dialect::HuggingFace);
    }
    if has("message") && any(&["chat_history", "preamble", "connectors"]) {
        return Some(Dialect::CohereV1);
    }
    if !has("model") {
        return None;
    }
    if has("query") && has("documents") || has("texts") && has("input_type") {
        return Some(Dialect::CohereEmbed);
    }
    if has("input") {
        return input(any(EMBEDDINGS), any(RESPONSES) || objects("input"), has("voice"));
    }
    if has("prompt") {
        return if any(OLLAMA) {
            Some(Dialect::Ollama)
        } else {
            any(COMPLETIONS).then_some(Dialect::OpenAiCompletions)
        };
    }
    None
}

fn input(embeds: bool, responds: bool, speaks: bool) -> Option<Dialect> {
    match (embeds, responds, speaks) {
        (true, ..) => Some(Dialect::OpenAiEmbeddings),
        (_, _, true) => Some(Dialect::OpenAiAudio),
        (_, true, _) => Some(Dialect::OpenAiResponses),
        _ => None,
    }
}

/// Tells apart those that send a conversation as `messages`.
fn messages(body: &Json) -> Option<Dialect> {
    let has = |name: &str| body.get(name).is_some();
    let list = |name: &str| body.get(name).map_or(&[][..], Json::elements);
    let blocks: Vec<_> =
        list("messages").iter().filter_map(|message| message.get("content")).flat_map(Json::elements).collect();
    if list("messages").iter().any(|message| message.get("role").is_none()) {
        return None;
    }
    let untyped = !blocks.is_empty() && blocks.iter().all(|block| block.get("type").is_none());
    if has("inferenceConfig") || has("toolConfig") || untyped && !has("model") {
        return Some(Dialect::BedrockConverse);
    }
    let typed =
        |kind: &str| blocks.iter().any(|block| block.get("type").and_then(Json::as_str).as_deref() == Some(kind));
    let schemas = list("tools").iter().any(|tool| tool.get("input_schema").is_some());
    if has("system") || has("thinking") && has("max_tokens") || schemas || typed("tool_use") || typed("tool_result") {
        return Some(Dialect::Anthropic);
    }
    if !has("model") && !has("model_id") {
        return None;
    }
    let ollama = OLLAMA.iter().any(|name| has(name));
    Some(if ollama { Dialect::Ollama } else { Dialect::OpenAiChat })
}

fn is_objects(value: &Json) -> bool {
    !value.elements().is_empty() && value.elements().iter().all(|element| matches!(element, Json::Object(_)))
}

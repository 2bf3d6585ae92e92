//! Anthropic messages: blocks by index.

use super::ToolCall;
use super::draft::{Block, Draft};
use super::field::{arguments, at, index, list, push, string};
use crate::json::Json;

/// Adds a message or a stream event.
pub(super) fn read(draft: &mut Draft, document: &Json) {
    let slot = (index(document, "index", 0), 0);
    match string(document, "type").as_deref() {
        Some("message_start") => whole(draft, document.get("message").unwrap_or(&Json::Null)),
        Some("content_block_start") => {
            *draft.answer().block(slot) = block(document.get("content_block").unwrap_or(&Json::Null), "");
        }
        Some("content_block_delta") => grow(draft.answer().block(slot), document.get("delta").unwrap_or(&Json::Null)),
        Some("content_block_stop") => {
            if let Some(call) = draft.answer().known(slot).and_then(|block| block.call.as_mut()) {
                close(call);
            }
        }
        Some("message_delta") => {
            draft.usage(document.get("usage"));
            draft.answer().ended(at(document, "delta.stop_reason"));
        }
        Some("ping" | "message_stop" | "error") => {}
        _ => whole(draft, document),
    }
}

fn whole(draft: &mut Draft, message: &Json) {
    draft.model(message.get("model"));
    draft.usage(message.get("usage"));
    // The answer to `count_tokens` is nothing but a count.
    draft.usage(Some(message).filter(|message| message.get("input_tokens").is_some()));
    for (place, part) in (0..).zip(list(message, "content")) {
        *draft.answer().block((place, 0)) = block(part, "{}");
    }
    draft.answer().ended(message.get("stop_reason"));
}

/// Reads a block; `empty` is how arguments begin that have no members yet.
fn block(json: &Json, empty: &str) -> Block {
    let mut block = Block::default();
    match string(json, "type").as_deref() {
        Some("text") => push(&mut block.text, json.get("text")),
        Some("thinking") => push(&mut block.reasoning, json.get("thinking")),
        Some("tool_use") => {
            let input = json.get("input").filter(|input| !input.members().is_empty());
            block.call = Some(ToolCall {
                id: string(json, "id").unwrap_or_default(),
                name: string(json, "name").unwrap_or_default(),
                arguments: input.map_or_else(|| empty.to_owned(), |input| arguments(Some(input))),
            });
        }
        _ => {}
    }
    block
}

fn grow(block: &mut Block, delta: &Json) {
    push(&mut block.text, delta.get("text"));
    push(&mut block.reasoning, delta.get("thinking"));
    if let Some(call) = &mut block.call {
        push(&mut call.arguments, delta.get("partial_json"));
    }
}

/// Completes the arguments of a call that has none: no delta ever says so.
pub(super) fn close(call: &mut ToolCall) {
    if call.arguments.is_empty() {
        call.arguments.push_str("{}");
    }
}

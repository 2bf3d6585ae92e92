//! Ollama's own API: a document a line, each with a piece of the message.

use super::ToolCall;
use super::draft::Draft;
use super::field::{arguments, at, list, push, string};
use crate::json::Json;

/// Adds a reply or a line.
pub(super) fn read(draft: &mut Draft, document: &Json) {
    draft.model(document.get("model"));
    draft.usage(Some(document));
    let turn = draft.answer();
    let said = turn.block((0, 0));
    for text in ["message.content", "response"] {
        push(&mut said.text, at(document, text));
    }
    for thought in ["message.thinking", "thinking"] {
        push(&mut said.reasoning, at(document, thought));
    }
    for call in list(document, "message.tool_calls") {
        turn.push_call(ToolCall {
            id: string(call, "id").unwrap_or_default(),
            name: string(call, "function.name").unwrap_or_default(),
            arguments: arguments(at(call, "function.arguments")),
        });
    }
    turn.ended(document.get("done_reason"));
}

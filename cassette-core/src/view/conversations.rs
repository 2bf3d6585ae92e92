//! Mistral conversations: entries by output index.

use super::ToolCall;
use super::draft::{Block, Draft};
use super::field::{arguments, index, list, push, string};
use crate::json::Json;

/// Adds a reply or a stream event.
pub(super) fn read(draft: &mut Draft, document: &Json) {
    let row = index(document, "output_index", 0);
    draft.model(document.get("model"));
    match string(document, "type").as_deref() {
        Some("message.output.delta") => {
            say(draft.answer().block((row, index(document, "content_index", 0))), document.get("content"));
        }
        Some("function.call.delta") => call(draft.answer().block((row, 0)), document),
        Some("conversation.response.done") => draft.usage(document.get("usage")),
        Some(_) => {}
        None => {
            draft.usage(document.get("usage"));
            for (row, entry) in (0..).zip(list(document, "outputs")) {
                draft.model(entry.get("model"));
                match string(entry, "type").as_deref() {
                    Some("message.output") => say(draft.answer().block((row, 0)), entry.get("content")),
                    Some("function.call") => call(draft.answer().block((row, 0)), entry),
                    _ => {}
                }
            }
        }
    }
}

/// Adds a content: a text, a part, or a list of parts.
fn say(block: &mut Block, content: Option<&Json>) {
    match content {
        Some(Json::Array(parts)) => parts.iter().for_each(|part| say(block, Some(part))),
        Some(part @ Json::Object(_)) => {
            push(&mut block.text, part.get("text"));
            list(part, "thinking").iter().for_each(|thought| push(&mut block.reasoning, thought.get("text")));
        }
        text => push(&mut block.text, text),
    }
}

fn call(block: &mut Block, said: &Json) {
    let call: &mut ToolCall = block.call.get_or_insert_default();
    for (known, name) in [(&mut call.id, "tool_call_id"), (&mut call.name, "name")] {
        if known.is_empty() {
            push(known, said.get(name));
        }
    }
    call.arguments.push_str(&arguments(said.get("arguments")));
}

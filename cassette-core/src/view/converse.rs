//! Bedrock `converse` and `converse-stream`; Amazon's own models speak it through `invoke` too.

use super::ToolCall;
use super::anthropic::close;
use super::draft::{Block, Draft};
use super::field::{arguments, at, index, list, push, string};
use crate::json::Json;

/// Adds a reply or an event under its name.
pub(super) fn read(draft: &mut Draft, document: &Json) {
    for (place, part) in (0..).zip(list(document, "output.message.content")) {
        add(draft.answer().block((place, 0)), part);
    }
    draft.answer().ended(document.get("stopReason"));
    draft.usage(document.get("usage"));
    // The answer to `count-tokens` is nothing but a count.
    draft.usage(Some(document).filter(|document| document.get("inputTokens").is_some()));
    for (name, event) in document.members() {
        let slot = (index(event, "contentBlockIndex", 0), 0);
        match &*name.value() {
            "contentBlockStart" => add(draft.answer().block(slot), event.get("start").unwrap_or(&Json::Null)),
            "contentBlockDelta" => grow(draft.answer().block(slot), event.get("delta").unwrap_or(&Json::Null)),
            "contentBlockStop" => {
                if let Some(call) = draft.answer().known(slot).and_then(|block| block.call.as_mut()) {
                    close(call);
                }
            }
            "messageStop" => draft.answer().ended(event.get("stopReason")),
            "metadata" => draft.usage(event.get("usage")),
            _ => {}
        }
    }
}

fn add(block: &mut Block, part: &Json) {
    push(&mut block.text, part.get("text"));
    push(&mut block.reasoning, at(part, "reasoningContent.reasoningText.text"));
    list(part, "citationsContent.content").iter().for_each(|cited| push(&mut block.text, cited.get("text")));
    let Some(call) = part.get("toolUse") else { return };
    if string(call, "type").as_deref() != Some("server_tool_use") {
        block.call = Some(ToolCall {
            id: string(call, "toolUseId").unwrap_or_default(),
            name: string(call, "name").unwrap_or_default(),
            arguments: arguments(call.get("input")),
        });
    }
}

fn grow(block: &mut Block, delta: &Json) {
    push(&mut block.text, delta.get("text"));
    push(&mut block.reasoning, at(delta, "reasoningContent.text"));
    if let Some(call) = &mut block.call {
        push(&mut call.arguments, at(delta, "toolUse.input"));
    }
}

//! OpenAI Assistants: a run, and the events of one.

use super::draft::Draft;
use super::field::{arguments, at, index, list, push, string};
use super::{ReplyError, ToolCall};
use crate::json::Json;

/// Adds a run or an event. What a message says whole at its end its deltas have said.
pub(super) fn read(draft: &mut Draft, document: &Json) {
    match string(document, "object").as_deref() {
        Some("thread.message.delta") => {
            for part in list(document, "delta.content") {
                let slot = (0, index(part, "index", 0));
                push(&mut draft.answer().block(slot).text, at(part, "text.value"));
            }
        }
        Some("thread.run") => run(draft, document),
        _ => {}
    }
}

fn run(draft: &mut Draft, run: &Json) {
    draft.model(run.get("model"));
    draft.usage(run.get("usage"));
    for (row, call) in (1..).zip(list(run, "required_action.submit_tool_outputs.tool_calls")) {
        draft.answer().block((row, 0)).call = Some(ToolCall {
            id: string(call, "id").unwrap_or_default(),
            name: string(call, "function.name").unwrap_or_default(),
            arguments: arguments(at(call, "function.arguments")),
        });
    }
    let status = run.get("status");
    let said = status.and_then(Json::as_str).unwrap_or_default();
    draft.answer().ended(status.filter(|_| !matches!(&*said, "queued" | "in_progress" | "cancelling")));
    if let Some(failure @ Json::Object(_)) = run.get("last_error") {
        let message = string(failure, "message").unwrap_or_default();
        draft.error.get_or_insert(ReplyError { kind: None, code: string(failure, "code"), message });
    }
}

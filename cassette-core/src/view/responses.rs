//! OpenAI Responses: items by output index, their parts by content index.

use super::ToolCall;
use super::draft::{Block, Draft, Turn};
use super::field::{arguments, index, list, push, string};
use crate::json::Json;

/// Behind the summaries of a reasoning item stand its own words.
const WORDS: u64 = 1 << 32;

/// Adds a response or a stream event.
pub(super) fn read(draft: &mut Draft, document: &Json) {
    let row = index(document, "output_index", 0);
    let content = (row, index(document, "content_index", 0));
    let delta = document.get("delta");
    match string(document, "type").as_deref() {
        Some("response.output_text.delta") => push(&mut draft.answer().block(content).text, delta),
        Some("response.refusal.delta") => {
            push(draft.answer().block(content).refusal.get_or_insert_default(), delta);
        }
        Some("response.reasoning_summary_text.delta") => {
            push(&mut draft.answer().block((row, index(document, "summary_index", 0))).reasoning, delta);
        }
        Some("response.reasoning_text.delta") => {
            push(&mut draft.answer().block((row, WORDS.saturating_add(content.1))).reasoning, delta);
        }
        Some("response.function_call_arguments.delta" | "response.custom_tool_call_input.delta") => {
            let call = draft.answer().block((row, 0)).call.get_or_insert_default();
            push(&mut call.arguments, delta);
        }
        Some("response.output_item.added" | "response.output_item.done") => {
            let mut blocks = Turn::default();
            add_item(&mut blocks, row, document.get("item").unwrap_or(&Json::Null));
            draft.answer().replace_row(row, blocks);
        }
        _ => whole(draft, document.get("response").unwrap_or(document)),
    }
}

/// Reads a whole response: what a stream's last event repeats stands in the place of what its deltas said.
fn whole(draft: &mut Draft, response: &Json) {
    draft.model(response.get("model"));
    draft.usage(response.get("usage"));
    if string(response, "object").as_deref() == Some("response.input_tokens") {
        draft.usage(Some(response));
    }
    let mut blocks = Turn::default();
    for (row, item) in (0..).zip(list(response, "output")) {
        add_item(&mut blocks, row, item);
    }
    let turn = draft.answer();
    turn.replace(blocks);
    match string(response, "status").as_deref() {
        None | Some("in_progress" | "queued") => {}
        Some("incomplete") => {
            let reason = response.get("incomplete_details").and_then(|details| details.get("reason"));
            turn.ended(reason.or_else(|| response.get("status")));
        }
        Some(_) => turn.ended(response.get("status")),
    }
}

fn add_item(turn: &mut Turn, row: u64, item: &Json) {
    let kind = string(item, "type").unwrap_or_default();
    match kind.as_str() {
        "message" | "" => add_parts(turn, row, item),
        "reasoning" => {
            for (place, part) in (0..).zip(list(item, "summary")) {
                push(&mut turn.block((row, place)).reasoning, part.get("text"));
            }
            for (place, part) in (WORDS..).zip(list(item, "content")) {
                push(&mut turn.block((row, place)).reasoning, part.get("text"));
            }
        }
        "function_call" => set_call(turn, row, item, item.get("arguments")),
        "custom_tool_call" => set_call(turn, row, item, item.get("input")),
        // These are the program's to run, but have neither a name nor arguments of their own.
        "computer_call" | "local_shell_call" | "shell_call" => set_call(turn, row, item, item.get("action")),
        "apply_patch_call" => set_call(turn, row, item, item.get("operation")),
        _ => {}
    }
}

fn add_parts(turn: &mut Turn, row: u64, message: &Json) {
    for (place, part) in (0..).zip(list(message, "content")) {
        let Block { text, refusal, .. } = turn.block((row, place));
        match part.get("refusal") {
            Some(said) => push(refusal.get_or_insert_default(), Some(said)),
            None => push(text, part.get("text")),
        }
    }
}

fn set_call(turn: &mut Turn, row: u64, item: &Json, said: Option<&Json>) {
    let name = string(item, "name")
        .unwrap_or_else(|| string(item, "type").unwrap_or_default().trim_end_matches("_call").to_owned());
    let id = string(item, "call_id").or_else(|| string(item, "id")).unwrap_or_default();
    turn.block((row, 0)).call = Some(ToolCall { id, name, arguments: arguments(said) });
}

//! Cohere chat: version 1, streamed as a document a line, and version 2, streamed as events.

use super::draft::{Draft, Turn};
use super::field::{arguments, at, index, list, push, string};
use super::{ToolCall, Usage};
use crate::dialect::Dialect;
use crate::json::Json;

// The rows of an answer of version 2. What is said and what is called are both counted from zero.
const PLAN: u64 = 0;
const SAID: u64 = 1;
const CALLS: u64 = 2;

/// Where the documents of a reply say what is paid for.
const BILLED: [&str; 4] = ["usage", "meta", "response.meta", "delta.usage"];

/// Returns the tokens that are paid for, which Cohere counts beside those that its models read and wrote.
pub(crate) fn billed(dialect: Dialect, documents: &[Json]) -> Option<Usage> {
    if !matches!(dialect, Dialect::CohereV1 | Dialect::CohereV2 | Dialect::CohereEmbed) {
        return None;
    }
    let units = |document: &Json| BILLED.iter().find_map(|path| Usage::read(at(at(document, path)?, "billed_units")?));
    documents.iter().rev().find_map(units)
}

/// Adds a reply or a line of version 1.
pub(super) fn read_v1(draft: &mut Draft, document: &Json) {
    match string(document, "event_type").as_deref() {
        Some("text-generation") => push(&mut draft.answer().block((0, 0)).text, document.get("text")),
        Some("tool-calls-chunk") => {
            let delta = document.get("tool_call_delta").unwrap_or(&Json::Null);
            let slot = (index(delta, "index", 0).saturating_add(1), 0);
            let call = draft.answer().block(slot).call.get_or_insert_default();
            push(&mut call.name, delta.get("name"));
            push(&mut call.arguments, delta.get("parameters"));
        }
        Some("tool-calls-generation" | "stream-end") => {
            draft.answer().ended(document.get("finish_reason"));
            whole_v1(draft, document.get("response").unwrap_or(document));
        }
        Some(_) => {}
        None if document.get("is_finished").is_some() => {
            push(&mut draft.answer().block((0, 0)).text, document.get("text"));
            draft.answer().ended(document.get("finish_reason"));
            draft.usage(at(document, "response.meta"));
        }
        None => whole_v1(draft, document),
    }
}

fn whole_v1(draft: &mut Draft, document: &Json) {
    draft.usage(document.get("meta"));
    let mut blocks = Turn::default();
    push(&mut blocks.block((0, 0)).text, document.get("text"));
    for (row, call) in (1..).zip(list(document, "tool_calls")) {
        blocks.block((row, 0)).call = Some(ToolCall {
            id: String::new(),
            name: string(call, "name").unwrap_or_default(),
            arguments: arguments(call.get("parameters")),
        });
    }
    draft.answer().replace(blocks);
    draft.answer().ended(document.get("finish_reason"));
    for (position, generation) in (0..).zip(list(document, "generations")) {
        let turn = draft.turn(position);
        push(&mut turn.block((0, 0)).text, generation.get("text"));
        turn.ended(generation.get("finish_reason"));
    }
}

/// Adds a reply or an event of version 2.
pub(super) fn read_v2(draft: &mut Draft, document: &Json) {
    let place = index(document, "index", 0);
    let delta = document.get("delta").unwrap_or(&Json::Null);
    let message = delta.get("message").unwrap_or(&Json::Null);
    match string(document, "type").as_deref() {
        Some("content-start" | "content-delta") => add(draft.answer(), place, message.get("content")),
        Some("tool-plan-delta") => push(&mut draft.answer().block((PLAN, 0)).reasoning, message.get("tool_plan")),
        Some("tool-call-start" | "tool-call-delta") => grow(draft.answer(), place, message.get("tool_calls")),
        Some("message-end") => {
            draft.answer().ended(delta.get("finish_reason"));
            draft.usage(delta.get("usage"));
        }
        Some(_) => {}
        None => whole_v2(draft, document),
    }
}

fn whole_v2(draft: &mut Draft, document: &Json) {
    draft.model(document.get("model"));
    draft.usage(document.get("usage"));
    let turn = draft.answer();
    turn.ended(document.get("finish_reason"));
    push(&mut turn.block((PLAN, 0)).reasoning, at(document, "message.tool_plan"));
    match at(document, "message.content") {
        Some(Json::Array(parts)) => (0..).zip(parts).for_each(|(place, part)| add(turn, place, Some(part))),
        content => push(&mut turn.block((SAID, 0)).text, content),
    }
    for (place, call) in (0..).zip(list(document, "message.tool_calls")) {
        grow(turn, place, Some(call));
    }
}

fn add(turn: &mut Turn, place: u64, part: Option<&Json>) {
    let Some(part) = part else { return };
    let block = turn.block((SAID, place));
    push(&mut block.text, part.get("text"));
    push(&mut block.reasoning, part.get("thinking"));
}

fn grow(turn: &mut Turn, place: u64, said: Option<&Json>) {
    let Some(said) = said else { return };
    let call = turn.block((CALLS, place)).call.get_or_insert_default();
    push(&mut call.id, said.get("id"));
    push(&mut call.name, at(said, "function.name"));
    call.arguments.push_str(&arguments(at(said, "function.arguments")));
}

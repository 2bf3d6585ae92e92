//! OpenAI chat completions and legacy completions, as twenty and more hosts answer them.

use super::ToolCall;
use super::draft::{Draft, Turn};
use super::field::{arguments, at, index, list, push, string};
use crate::json::Json;

/// Adds a reply or a chunk.
pub(super) fn read(draft: &mut Draft, document: &Json) {
    draft.model(document.get("model").or_else(|| document.get("model_id")));
    // Groq counts beside the usual place, or only there.
    draft.usage(at(document, "x_groq.usage"));
    draft.usage(document.get("usage"));
    for (position, choice) in (0..).zip(list(document, "choices")) {
        let turn = draft.turn(index(choice, "index", position));
        turn.ended(choice.get("finish_reason"));
        match (choice.get("delta"), choice.get("message")) {
            (Some(delta @ Json::Object(_)), _) => add(turn, delta),
            (_, Some(message)) => {
                let mut whole = Turn::default();
                add(&mut whole, message);
                turn.replace(whole);
            }
            // Together writes a completion's text into a delta as well.
            _ => push(&mut turn.block((0, 0)).text, choice.get("text")),
        }
    }
}

/// Adds a message, or a delta of one.
fn add(turn: &mut Turn, message: &Json) {
    let said = turn.block((0, 0));
    match message.get("content") {
        Some(Json::Array(parts)) => parts.iter().for_each(|part| {
            push(&mut said.text, part.get("text"));
            match part.get("thinking") {
                Some(Json::Array(thoughts)) => {
                    thoughts.iter().for_each(|thought| push(&mut said.reasoning, thought.get("text")));
                }
                thought => push(&mut said.reasoning, thought),
            }
        }),
        content => push(&mut said.text, content),
    }
    push(&mut said.text, at(message, "audio.transcript"));
    reason(&mut said.reasoning, message);
    if let Some(refusal) = string(message, "refusal") {
        said.refusal.get_or_insert_default().push_str(&refusal);
    }
    for (position, call) in (0..).zip(list(message, "tool_calls")) {
        add_call(turn, position, call);
    }
    if let Some(call @ Json::Object(_)) = message.get("function_call") {
        grow(turn.block((1, 0)).call.get_or_insert_default(), call, call.get("arguments"));
    }
}

/// Adds what was thought, which some servers say in two members at once.
fn reason(reasoning: &mut String, message: &Json) {
    let plain = ["reasoning_content", "reasoning"].iter().filter_map(|name| string(message, name));
    match plain.into_iter().find(|text| !text.is_empty()) {
        Some(text) => reasoning.push_str(&text),
        None => list(message, "reasoning_details").iter().for_each(|detail| {
            push(reasoning, detail.get("text").or_else(|| detail.get("summary")));
        }),
    }
}

/// Adds a tool call or a delta of one to the call of its index.
///
/// Some servers number every call of a message zero: a named call with another id is another call.
fn add_call(turn: &mut Turn, position: u64, call: &Json) {
    let row = index(call, "index", position).saturating_add(1);
    let function = call.get("function").or_else(|| call.get("custom")).unwrap_or(call);
    let id = string(call, "id").unwrap_or_default();
    let names = string(function, "name").is_some_and(|name| !name.is_empty());
    let last = turn.row(row).next_back().map(|(place, block)| (place, block.call.clone().unwrap_or_default().id));
    let place = match last {
        Some((place, known)) if names && !id.is_empty() && !known.is_empty() && known != id => place + 1,
        Some((place, _)) => place,
        None => 0,
    };
    let known = turn.block((row, place)).call.get_or_insert_default();
    if known.id.is_empty() {
        known.id = id;
    }
    grow(known, function, function.get("arguments").or_else(|| function.get("input")));
}

fn grow(known: &mut ToolCall, function: &Json, more: Option<&Json>) {
    // A name may come in pieces, as arguments do, but before them; some servers say the whole of it each time.
    let again = string(function, "name").is_some_and(|name| name == known.name);
    if known.arguments.is_empty() && !again {
        push(&mut known.name, function.get("name"));
    }
    known.arguments.push_str(&arguments(more));
}

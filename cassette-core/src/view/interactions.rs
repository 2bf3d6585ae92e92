//! Gemini interactions: steps by index, each with its contents; older replies list the contents alone.

use super::ToolCall;
use super::draft::{Block, Draft};
use super::field::{arguments, at, index, list, push, string};
use crate::json::Json;

/// Adds an interaction or a stream event.
pub(super) fn read(draft: &mut Draft, document: &Json) {
    let slot = (index(document, "index", 0), 0);
    match string(document, "event_type").as_deref() {
        Some("step.start" | "content.start") => {
            let begun = document.get("step").or_else(|| document.get("content")).unwrap_or(&Json::Null);
            *draft.answer().block(slot) = step(begun);
            // The arguments come in pieces, and what the first event has for them is a mere beginning.
            if let Some(call) = draft.answer().block(slot).call.as_mut().filter(|call| call.arguments == "{}") {
                call.arguments.clear();
            }
        }
        Some("step.delta" | "content.delta") => {
            grow(draft.answer().block(slot), document.get("delta").unwrap_or(&Json::Null));
        }
        Some("step.stop" | "content.stop") => {
            if let Some(call) = draft.answer().known(slot).and_then(|block| block.call.as_mut()) {
                super::anthropic::close(call);
            }
        }
        Some("interaction.status_update") => ended(draft, document),
        Some("error") => {}
        _ => whole(draft, document.get("interaction").unwrap_or(document)),
    }
}

fn whole(draft: &mut Draft, interaction: &Json) {
    draft.model(interaction.get("model"));
    draft.usage(interaction.get("usage"));
    for name in ["outputs", "steps"] {
        for (place, part) in (0..).zip(list(interaction, name)) {
            *draft.answer().block((place, 0)) = step(part);
        }
    }
    ended(draft, interaction);
}

fn ended(draft: &mut Draft, said: &Json) {
    let status = said.get("status");
    let under_way = status.and_then(Json::as_str).is_some_and(|status| status == "in_progress" || status == "queued");
    draft.answer().ended(status.filter(|_| !under_way));
}

fn step(json: &Json) -> Block {
    let mut block = Block::default();
    match string(json, "type").as_deref() {
        Some("text") => push(&mut block.text, json.get("text")),
        Some("model_output") => list(json, "content").iter().for_each(|part| push(&mut block.text, part.get("text"))),
        Some("thought") => list(json, "summary").iter().for_each(|part| push(&mut block.reasoning, part.get("text"))),
        Some("function_call") => {
            block.call = Some(ToolCall {
                id: string(json, "id").unwrap_or_default(),
                name: string(json, "name").unwrap_or_default(),
                arguments: json.get("arguments").map_or_else(|| "{}".to_owned(), |said| arguments(Some(said))),
            });
        }
        _ => {}
    }
    block
}

fn grow(block: &mut Block, delta: &Json) {
    match string(delta, "type").as_deref() {
        Some("text") => push(&mut block.text, delta.get("text")),
        Some("thought_summary") => push(&mut block.reasoning, at(delta, "content.text")),
        Some("function_call" | "arguments_delta") => {
            let call = block.call.get_or_insert_default();
            for (known, name) in [(&mut call.id, "id"), (&mut call.name, "name")] {
                if known.is_empty() {
                    push(known, delta.get(name));
                }
            }
            call.arguments.push_str(&arguments(delta.get("arguments")));
        }
        _ => {}
    }
}

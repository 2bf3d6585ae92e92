//! Gemini and Vertex: every event is a reply of its own, whose parts are joined.

use super::draft::{Draft, Turn};
use super::field::{arguments, at, index, list, push, string};
use super::{ToolCall, Usage};
use crate::json::Json;

/// Adds a reply or an event.
pub(super) fn read(draft: &mut Draft, document: &Json) {
    let document = document.get("response").unwrap_or(document);
    draft.model(document.get("modelVersion"));
    draft.usage(document.get("usageMetadata"));
    // The answer to `countTokens` is nothing but a count.
    draft.usage(Some(document).filter(|document| document.get("totalTokens").is_some()));
    let embedded = list(document, "predictions").iter();
    let counts = embedded.filter_map(|prediction| at(prediction, "embeddings.statistics.token_count")?.as_u64());
    let counts = counts.map(u128::from).reduce(|sum, count| sum + count);
    draft.usage_beside(Usage { input: counts, ..Usage::default() });
    if let Some(reason) = at(document, "promptFeedback.blockReason") {
        draft.answer().ended(Some(reason));
    }
    for (position, candidate) in (0..).zip(list(document, "candidates")) {
        let turn = draft.turn(index(candidate, "index", position));
        list(candidate, "content.parts").iter().for_each(|part| add(turn, part));
        turn.ended(candidate.get("finishReason"));
    }
}

fn add(turn: &mut Turn, part: &Json) {
    let said = turn.block((0, 0));
    if part.get("thought").and_then(Json::as_bool) == Some(true) {
        push(&mut said.reasoning, part.get("text"));
    } else {
        push(&mut said.text, part.get("text"));
    }
    if let Some(call) = part.get("functionCall") {
        let said = call.get("args").map_or_else(|| "{}".to_owned(), |args| arguments(Some(args)));
        turn.push_call(ToolCall {
            id: string(call, "id").unwrap_or_default(),
            name: string(call, "name").unwrap_or_default(),
            arguments: said,
        });
    }
}

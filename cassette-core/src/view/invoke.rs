//! Bedrock `invoke`: the model's own language, told by what its documents have.

use super::draft::Draft;
use super::field::{at, list, push};
use super::{Usage, anthropic, chat, converse};
use crate::json::Json;
use crate::reply::Reply;

/// Lists of answers: the list, the text in an element, why it ended.
const LISTS: &[(&str, &str, &str)] = &[
    ("results", "outputText", "completionReason"),
    ("outputs", "text", "stop_reason"),
    ("generations", "text", "finish_reason"),
    ("completions", "data.text", "finishReason.reason"),
];
/// Answers that stand alone, whole or as deltas: the text, why it ended.
const ALONE: &[(&str, &str)] = &[
    ("outputText", "completionReason"),
    ("generation", "stop_reason"),
    ("completion", "stop_reason"),
    ("text", "finish_reason"),
];
/// Members that only `converse` has.
const CONVERSE: &[&str] = &[
    "output",
    "messageStart",
    "contentBlockStart",
    "contentBlockDelta",
    "contentBlockStop",
    "messageStop",
    "metadata",
];

/// Adds a reply or the bytes of a chunk.
pub(super) fn read(draft: &mut Draft, document: &Json) {
    let has = |name: &&str| document.get(name).is_some();
    if has(&"type") || has(&"content") {
        anthropic::read(draft, document);
    } else if has(&"choices") {
        chat::read(draft, document);
    } else if CONVERSE.iter().any(has) {
        converse::read(draft, document);
    } else {
        other(draft, document);
    }
    draft.usage(document.get("amazon-bedrock-invocationMetrics"));
}

/// Reads the smaller families: Titan, Llama, Mistral, Cohere, AI21, the first Claude.
fn other(draft: &mut Draft, document: &Json) {
    draft.usage(Some(document));
    for (name, text, ended) in LISTS {
        for (position, element) in (0..).zip(list(document, name)) {
            let turn = draft.turn(position);
            push(&mut turn.block((0, 0)).text, at(element, text));
            turn.ended(at(element, ended));
            draft.usage(Some(element));
        }
    }
    for (text, ended) in ALONE {
        if let Some(said) = document.get(text) {
            push(&mut draft.answer().block((0, 0)).text, Some(said));
            draft.answer().ended(document.get(ended));
        }
    }
}

/// Returns the counts that stand in the headers of every `invoke`, whatever the model says itself.
pub(super) fn counted_in_headers(reply: &Reply) -> Usage {
    let count = |name| reply.header(name).and_then(|value| value.parse().ok());
    Usage {
        input: count("x-amzn-bedrock-input-token-count"),
        output: count("x-amzn-bedrock-output-token-count"),
        cached: count("x-amzn-bedrock-cache-read-input-token-count"),
        cache_written: count("x-amzn-bedrock-cache-write-input-token-count"),
        ..Usage::default()
    }
}

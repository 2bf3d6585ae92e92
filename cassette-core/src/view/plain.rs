//! Replies that hold no conversation: embeddings, images, moderation, reranking, and what was heard.

use super::Usage;
use super::draft::Draft;
use super::field::{at, push, string};
use crate::json::Json;

/// Notes the model and what was counted.
pub(super) fn read(draft: &mut Draft, document: &Json) {
    draft.model(document.get("model").or_else(|| document.get("model_id")));
    draft.usage(Some(document).filter(|document| document.get("input_token_count").is_some()));
    draft.usage(document.get("usage"));
    draft.usage(document.get("usageMetadata"));
    draft.usage(document.get("meta"));
    // Where nothing is written, the total is what was read.
    let total = at(document, "usage.total_tokens").and_then(Json::as_u64).map(u128::from);
    draft.usage_beside(Usage { input: total, ..Usage::default() });
}

/// Adds a transcript or an event of one.
pub(super) fn read_audio(draft: &mut Draft, document: &Json) {
    draft.model(document.get("model"));
    draft.usage(document.get("usage"));
    let text = &mut draft.answer().block((0, 0)).text;
    match string(document, "type").as_deref() {
        Some("transcript.text.delta") => push(text, document.get("delta")),
        // Segments repeat the deltas, speech has no words.
        Some(kind) if kind != "transcript.text.done" => {}
        _ if document.get("text").is_some() => {
            text.clear();
            push(text, document.get("text"));
        }
        _ => {}
    }
}

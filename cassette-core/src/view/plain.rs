//! Replies that hold no conversation: embeddings, images, moderation, reranking, and what was heard.

use super::draft::Draft;
use super::field::{push, string};
use crate::json::Json;

/// Notes the model and what was counted.
pub(super) fn read(draft: &mut Draft, document: &Json) {
    draft.model(document.get("model"));
    draft.usage(document.get("usage"));
    draft.usage(document.get("usageMetadata"));
    draft.usage(document.get("meta"));
}

/// Adds a transcript or an event of one.
pub(super) fn read_audio(draft: &mut Draft, document: &Json) {
    read(draft, document);
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

//! Model calls without a conversation: embeddings, images, moderation, audio; and what such calls are given.
//!
//! What they are given is their conversation, so that `match_on(messages)` compares what is asked of them too.

use super::form::{Body, Form};
use super::part::Element;
use crate::json::Json;

/// What such a call is given: members of a JSON body, and fields of a multipart one.
const GIVEN: &[&str] = &[
    "instructions",
    "input",
    "inputs",
    "texts",
    "prompt",
    "query",
    "documents",
    "messages",
    "file",
    "image",
    "images",
    "mask",
    "document",
];

/// Embeddings, reranking, images, moderation: a model, and what it is given.
pub(super) const FORM: Form = Form {
    model: &["model", "model_id"],
    messages: |body, found| given(body, GIVEN, found),
    tools: None,
    output_schema: &[],
    reasoning: &[],
    sampling: &[],
    streams: false,
};

/// Speech, transcription, translation.
pub(super) const AUDIO: Form = Form { sampling: &["temperature"], ..FORM };

/// Takes members out of the body, an element each; of an array each element under the member's name.
pub(super) fn given(body: &mut Body, names: &[&str], found: &mut Vec<Element>) {
    for name in names {
        match body.take(name) {
            Some(Json::Array(elements)) if !elements.is_empty() => {
                let each = elements.iter().enumerate();
                let text = |element: &Json| format!("{name}[] {}", element.canonical());
                found.extend(each.map(|(i, element)| Element::at(format!("{name}[{i}]"), text(element))));
            }
            Some(other) => found.push(Element::at(*name, format!("{name} {}", other.canonical()))),
            None => {}
        }
    }
}

/// Returns whether a field of a multipart body is what the call is given; `image[]` is one of several.
pub(super) fn is_given(field: &str) -> bool {
    GIVEN.contains(&field.strip_suffix("[]").unwrap_or(field))
}

//! Model calls without a conversation: embeddings, images, moderation, audio, and Hugging Face's tasks.

use super::form::Form;
use super::message;

/// Embeddings, reranking, images, moderation: a model, and what it is given.
pub(super) const FORM: Form = Form {
    model: &["model"],
    messages: |_, _| {},
    tools: |_, _| {},
    output_schema: &[],
    reasoning: &[],
    sampling: &[],
    streams: false,
};

/// Speech, transcription, translation.
pub(super) const AUDIO: Form = Form { sampling: &["temperature"], ..FORM };

/// A task of Hugging Face's.
pub(super) const HUGGING_FACE: Form = Form {
    messages: |body, found| message::single(body, "inputs", found),
    sampling: &[
        "parameters.temperature",
        "parameters.top_p",
        "parameters.top_k",
        "parameters.typical_p",
        "parameters.max_new_tokens",
        "parameters.seed",
        "parameters.repetition_penalty",
        "parameters.stop",
    ],
    ..FORM
};

//! Mistral: conversations, and the recognition of documents. All else it says in OpenAI's languages.

use super::form::Form;
use super::{message, plain, tool};

/// Mistral conversations: what is said is added to what is kept.
pub(super) const CONVERSATIONS: Form = Form {
    model: &["model", "agent_id"],
    messages: |body, found| {
        message::single(body, "instructions", found);
        plain::given(body, &["inputs"], found);
    },
    tools: Some(|body, found| {
        tool::each(body, "tools", found, tool::flat);
        tool::choice(body, "completion_args.tool_choice", found);
    }),
    output_schema: &["completion_args.response_format"],
    reasoning: &["completion_args.reasoning_effort"],
    sampling: &[
        "completion_args.temperature",
        "completion_args.top_p",
        "completion_args.max_tokens",
        "completion_args.random_seed",
        "completion_args.presence_penalty",
        "completion_args.frequency_penalty",
    ],
    streams: false,
};

/// Recognition of what stands in a document.
pub(super) const OCR: Form =
    Form { output_schema: &["bbox_annotation_format", "document_annotation_format"], ..plain::FORM };

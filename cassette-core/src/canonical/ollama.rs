//! Ollama's own API: `/api/chat`, `/api/generate`, `/api/embed`. It streams unless it is told not to.

use super::form::Form;
use super::{message, openai, plain};

pub(super) const FORM: Form = Form {
    model: &["model"],
    messages: |body, found| {
        message::single(body, "system", found);
        message::single(body, "prompt", found);
        message::each(body, "messages", found, |_| {});
        plain::given(body, &["suffix", "images", "context", "input"], found);
    },
    tools: Some(openai::chat_tools),
    output_schema: &["format"],
    reasoning: &["think"],
    sampling: &[
        "options.temperature",
        "options.top_p",
        "options.top_k",
        "options.min_p",
        "options.typical_p",
        "options.num_predict",
        "options.seed",
        "options.repeat_penalty",
        "options.presence_penalty",
        "options.frequency_penalty",
    ],
    streams: true,
};

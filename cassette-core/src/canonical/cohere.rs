//! Cohere: chat in both versions.

use super::form::Form;
use super::{message, openai, plain, tool};

const SAMPLING: &[&str] =
    &["temperature", "p", "k", "max_tokens", "max_input_tokens", "seed", "presence_penalty", "frequency_penalty"];

/// Version 1: the last message stands apart from the history, and `generate` has a prompt.
pub(super) const V1: Form = Form {
    model: &["model"],
    messages: |body, found| {
        message::single(body, "preamble", found);
        message::each(body, "chat_history", found, |_| {});
        message::single(body, "message", found);
        message::single(body, "prompt", found);
        message::single(body, "tool_results", found);
        plain::given(body, &["documents"], found);
    },
    tools: Some(|body, found| {
        tool::each(body, "tools", found, |tool| tool);
        message::single(body, "connectors", found);
    }),
    output_schema: &["response_format"],
    reasoning: &["thinking"],
    sampling: SAMPLING,
    streams: false,
};

/// Version 2, which is like OpenAI's.
pub(super) const V2: Form = Form {
    model: &["model"],
    messages: |body, found| {
        message::each(body, "messages", found, openai::chat);
        plain::given(body, &["documents"], found);
    },
    tools: Some(openai::chat_tools),
    output_schema: &["response_format"],
    reasoning: &["thinking"],
    sampling: SAMPLING,
    streams: false,
};

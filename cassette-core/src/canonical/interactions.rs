//! Gemini interactions: one list of steps, each with its contents.

use super::form::{Body, Form};
use super::part::Element;
use super::{message, tool};
use crate::json::Json;

/// Interactions, with a model or with an agent.
pub(super) const FORM: Form = Form {
    model: &["model", "agent"],
    messages: |body, found| {
        message::single(body, "system_instruction", found);
        input(body, found);
    },
    tools: Some(|body, found| {
        tool::each(body, "tools", found, |tool| tool);
        tool::choice(body, "generation_config.tool_choice", found);
    }),
    output_schema: &["response_format", "response_mime_type"],
    reasoning: &["generation_config.thinking_level", "generation_config.thinking_summaries"],
    sampling: &[
        "generation_config.temperature",
        "generation_config.top_p",
        "generation_config.seed",
        "generation_config.max_output_tokens",
    ],
    streams: false,
};

/// Takes the input: a string is one text.
fn input(body: &mut Body, found: &mut Vec<Element>) {
    match body.take("input") {
        Some(text @ Json::String(_)) => {
            let said = Json::object([("type", "text".into()), ("text", text)]);
            found.push(Element::at("input", said.canonical()));
        }
        Some(other) => {
            body.put("input", other);
            message::each(body, "input", found, |step| message::blocks(step, "text"));
        }
        None => {}
    }
}

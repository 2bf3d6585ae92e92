//! Gemini and Vertex: `generateContent` and its kin. Both spellings of each name occur.

use super::form::{Body, Form};
use super::message;
use super::part::Element;
use crate::json::Json;

/// `generateContent`, `streamGenerateContent`, `embedContent`, `countTokens`.
pub(super) const FORM: Form = Form {
    model: &["model"],
    messages: |body, found| {
        message::single(body, "systemInstruction", found);
        message::single(body, "system_instruction", found);
        message::each(body, "contents", found, |_| {});
    },
    tools: |body, found| {
        tools(body, found);
        message::single(body, "toolConfig", found);
        message::single(body, "tool_config", found);
    },
    output_schema: &[
        "generationConfig.responseMimeType",
        "generationConfig.responseSchema",
        "generationConfig.responseJsonSchema",
        "generation_config.response_mime_type",
        "generation_config.response_schema",
        "generation_config.response_json_schema",
    ],
    reasoning: &["generationConfig.thinkingConfig", "generation_config.thinking_config"],
    sampling: &[
        "generationConfig.temperature",
        "generationConfig.topP",
        "generationConfig.topK",
        "generationConfig.maxOutputTokens",
        "generationConfig.seed",
        "generationConfig.presencePenalty",
        "generationConfig.frequencyPenalty",
        "generationConfig.stopSequences",
        "generation_config.temperature",
        "generation_config.top_p",
        "generation_config.top_k",
        "generation_config.max_output_tokens",
        "generation_config.seed",
        "generation_config.presence_penalty",
        "generation_config.frequency_penalty",
        "generation_config.stop_sequences",
    ],
    streams: false,
};

/// Takes the tools; the declarations of several entries make up one list.
fn tools(body: &mut Body, found: &mut Vec<Element>) {
    match body.take("tools") {
        Some(Json::Array(tools)) if tools.is_empty() => found.push(Element::at("tools", "none")),
        Some(Json::Array(tools)) => tools.into_iter().enumerate().for_each(|(i, tool)| entry(i, &tool, found)),
        Some(other) => found.push(Element::at("tools", format!("tools {}", other.canonical()))),
        None => {}
    }
}

fn entry(i: usize, tool: &Json, found: &mut Vec<Element>) {
    if let [(name, Json::Array(declared))] = tool.members() {
        let name = name.value();
        if matches!(&*name, "functionDeclarations" | "function_declarations") && !declared.is_empty() {
            let declared = declared.iter().enumerate();
            let at =
                |(n, function): (usize, &Json)| Element::at(format!("tools[{i}].{name}[{n}]"), function.canonical());
            found.extend(declared.map(at));
            return;
        }
    }
    found.push(Element::at(format!("tools[{i}]"), format!("tool {}", tool.canonical())));
}

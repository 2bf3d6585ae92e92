//! OpenAI: chat completions, Responses and legacy completions, and all that speak them.

use super::form::{Body, Form};
use super::part::Element;
use super::{message, plain, tool};
use crate::json::Json;

const SAMPLING: &[&str] = &[
    "temperature",
    "top_p",
    "top_k",
    "min_p",
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "seed",
    "random_seed",
    "presence_penalty",
    "frequency_penalty",
    "repetition_penalty",
];

/// The forms that servers of open models let an answer have, beside `response_format`.
const GUIDED: &[&str] = &[
    "response_format",
    "structured_outputs",
    "guided_json",
    "guided_regex",
    "guided_choice",
    "guided_grammar",
    "json_schema",
    "grammar",
    "regex",
    "ebnf",
];

/// Chat completions; watsonx and Mistral's agents name the model otherwise.
pub(super) const CHAT: Form = Form {
    model: &["model", "model_id", "agent_id"],
    messages: |body, found| {
        message::each(body, "messages", found, chat);
        plain::given(body, &["documents", "variables"], found);
    },
    tools: Some(chat_tools),
    output_schema: GUIDED,
    reasoning: &[
        "reasoning_effort",
        "reasoning",
        "thinking",
        "reasoning_format",
        "include_reasoning",
        "enable_thinking",
        "thinking_budget",
        "thinking_token_budget",
        "reasoning_budget",
        "chat_template_kwargs.enable_thinking",
        "chat_template_kwargs.thinking",
        "chat_template_kwargs.thinking_budget",
        "chat_template_kwargs.reasoning_effort",
    ],
    sampling: SAMPLING,
    streams: false,
};

/// Responses.
pub(super) const RESPONSES: Form = Form {
    model: &["model"],
    messages: |body, found| {
        instructions(body, found);
        input(body, found);
        message::single(body, "prompt", found);
    },
    tools: Some(chat_tools),
    output_schema: &["text.format"],
    reasoning: &["reasoning"],
    sampling: SAMPLING,
    streams: false,
};

/// Legacy completions.
pub(super) const COMPLETIONS: Form = Form {
    model: &["model"],
    messages: |body, found| {
        message::single(body, "prompt", found);
        message::single(body, "suffix", found);
    },
    tools: None,
    output_schema: GUIDED,
    reasoning: &[],
    sampling: SAMPLING,
    streams: false,
};

/// Runs of a thread: the model, or the assistant that has one.
pub(super) const ASSISTANTS: Form = Form {
    model: &["model", "assistant_id"],
    messages: |body, found| {
        message::single(body, "instructions", found);
        message::single(body, "additional_instructions", found);
        message::each(body, "thread.messages", found, chat);
        plain::given(body, &["additional_messages", "tool_outputs"], found);
    },
    tools: Some(chat_tools),
    output_schema: &["response_format"],
    reasoning: &["reasoning_effort"],
    sampling: &["temperature", "top_p", "max_prompt_tokens", "max_completion_tokens"],
    streams: false,
};

/// Brings a chat message into one shape.
pub(super) fn chat(json: &mut Json) {
    message::blocks(json, "text");
    message::for_each(json.get_mut("tool_calls"), |call| {
        if let Some(function) = call.get_mut("function") {
            message::document(function, "arguments");
        }
    });
    if let Some(function) = json.get_mut("function_call") {
        message::document(function, "arguments");
    }
}

/// Takes tools and legacy functions, the choice of one, and the search that some run as a tool of their own.
pub(super) fn chat_tools(body: &mut Body, found: &mut Vec<Element>) {
    tool::each(body, "tools", found, tool::flat);
    message::single(body, "functions", found);
    tool::choice(body, "tool_choice", found);
    message::single(body, "function_call", found);
    for name in ["parallel_tool_calls", "max_tool_calls", "web_search_options", "search_parameters", "plugins"] {
        message::single(body, name, found);
    }
}

/// Takes the instructions: the system message that they equal, but where an answer is continued. Those of an earlier request
/// are not carried over then, and its items are.
fn instructions(body: &mut Body, found: &mut Vec<Element>) {
    if body.has("previous_response_id") || body.has("conversation") {
        message::single(body, "instructions", found);
    } else {
        message::system(body, "instructions", found, item);
    }
}

/// Takes the input: a string is what a user says.
fn input(body: &mut Body, found: &mut Vec<Element>) {
    match body.take("input") {
        Some(text @ Json::String(_)) => {
            let mut said = Json::object([("role", "user".into()), ("content", text)]);
            item(&mut said);
            found.push(Element::at("input", said.canonical()));
        }
        Some(other) => {
            body.put("input", other);
            message::each(body, "input", found, item);
        }
        None => {}
    }
}

/// Brings an item of the input into one shape: one with a role is a message, whether or not it says so.
fn item(json: &mut Json) {
    let is_message = json.get("role").is_some() && json.get("type").is_some_and(|kind| *kind == "message".into());
    if let Json::Object(members) = json
        && is_message
    {
        members.retain(|(name, _)| !name.is("type"));
    }
    let answers = json.get("role").and_then(Json::as_str).is_some_and(|role| role == "assistant");
    message::blocks(json, if answers { "output_text" } else { "input_text" });
    message::document(json, "arguments");
}

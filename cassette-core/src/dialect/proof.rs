//! What a body must be to prove that a path at an unknown host is a dialect's.
//!
//! A path like `v1/messages` or `responses` is many a service's. What is asked for here is what a provider refuses to go
//! without, in the shape in which it takes it, and no other service is likely to have.

use super::asked::{Asked, says};
use crate::json::Json;

/// A proof: whether a body can be nothing but a dialect's.
pub(super) type Proof = fn(&Asked<'_>) -> bool;

/// Who speaks in a conversation: one of them speaks in every one.
const ROLES: &[&str] = &["system", "developer", "user", "assistant", "tool", "function", "model", "chatbot"];
/// What a message says, or has done.
const SAID: &[&str] = &["content", "tool_calls", "parts", "function_call", "message", "refusal", "tool_results"];

/// What a part of Gemini's contents is, in either spelling.
const PARTS: &[&str] = &[
    "text",
    "thought",
    "inlineData",
    "inline_data",
    "fileData",
    "file_data",
    "functionCall",
    "function_call",
    "functionResponse",
    "function_response",
    "executableCode",
    "executable_code",
    "codeExecutionResult",
    "code_execution_result",
];

/// Returns whether this is a list of messages, each with who speaks and what is said.
pub(super) fn is_conversation(messages: &Json) -> bool {
    let role = |message: &Json| Some(message.get("role")?.as_str()?.to_ascii_lowercase());
    let messages = messages.elements();
    let sound = |message: &Json| role(message).is_some() && SAID.iter().any(|name| message.get(name).is_some());
    let known = |message: &Json| role(message).is_some_and(|role| ROLES.contains(&role.as_str()));
    !messages.is_empty() && messages.iter().all(sound) && messages.iter().any(known)
}

/// Returns whether this is a list of Gemini's contents.
pub(super) fn is_contents(contents: &Json) -> bool {
    let is_part = |part: &Json| PARTS.iter().any(|name| part.get(name).is_some());
    let has_parts = |content: &Json| {
        let parts = content.get("parts").map_or(&[][..], Json::elements);
        !parts.is_empty() && parts.iter().all(is_part)
    };
    !contents.elements().is_empty() && contents.elements().iter().all(has_parts)
}

/// Returns whether a body names its model, in whichever way.
pub(super) fn names_model(asked: &Asked<'_>) -> bool {
    ["model", "model_id"].iter().any(|name| is_text(asked, name))
}

pub(super) fn converses(asked: &Asked<'_>) -> bool {
    asked.get("messages").is_some_and(is_conversation)
}

pub(super) fn chat(asked: &Asked<'_>) -> bool {
    names_model(asked) && converses(asked)
}

/// Responses, at a path that is theirs alone.
pub(super) fn responses(asked: &Asked<'_>) -> bool {
    let kept = |name: &str| is_text(asked, name);
    let prompt = asked.get("prompt").is_some_and(|prompt| prompt.get("id").is_some());
    prompt || names_model(asked) && (asked.says("input") || kept("previous_response_id"))
}

/// Responses, at a path that might be another's: only items prove it.
pub(super) fn items(asked: &Asked<'_>) -> bool {
    names_model(asked) && asked.get("input").is_some_and(is_items)
}

/// Returns whether this is a list of items of Responses.
pub(super) fn is_items(input: &Json) -> bool {
    const ITEMS: &[&str] = &["message", "function_call", "function_call_output", "reasoning", "item_reference"];
    let kind = |item: &Json| item.get("type").and_then(Json::as_str).is_some_and(|kind| ITEMS.contains(&&*kind));
    let message = |item: &Json| is_conversation(&Json::Array(vec![item.clone()]));
    let items = input.elements();
    !items.is_empty()
        && items.iter().any(|item| message(item) || kind(item))
        && items.iter().all(|item| item.get("type").is_some() || message(item))
}

pub(super) fn run(asked: &Asked<'_>) -> bool {
    is_text(asked, "assistant_id")
}

pub(super) fn tool_outputs(asked: &Asked<'_>) -> bool {
    let outputs = asked.get("tool_outputs").map_or(&[][..], Json::elements);
    !outputs.is_empty() && outputs.iter().all(|output| output.get("tool_call_id").is_some())
}

/// Legacy completions, the model in the body.
pub(super) fn completion(asked: &Asked<'_>) -> bool {
    names_model(asked) && asked.says("prompt")
}

/// Legacy completions, the model in the path.
pub(super) fn prompt(asked: &Asked<'_>) -> bool {
    asked.says("prompt")
}

/// Embeddings, the model in the body.
pub(super) fn embedding(asked: &Asked<'_>) -> bool {
    names_model(asked) && (asked.says("input") || converses(asked))
}

pub(super) fn input(asked: &Asked<'_>) -> bool {
    asked.says("input")
}

pub(super) fn image(asked: &Asked<'_>) -> bool {
    is_text(asked, "prompt") || asked.has_field("image")
}

pub(super) fn speech(asked: &Asked<'_>) -> bool {
    is_text(asked, "input") && asked.get("voice").is_some()
}

/// A recording of speech, at a path that is OpenAI's, or beside the model that is to hear it.
pub(super) fn upload(asked: &Asked<'_>) -> bool {
    asked.has_field("file")
}

pub(super) fn sound(asked: &Asked<'_>) -> bool {
    asked.has_field("file") && asked.has_field("model")
}

pub(super) fn anthropic(asked: &Asked<'_>) -> bool {
    chat(asked) && asked.get("max_tokens").is_some_and(|tokens| matches!(tokens, Json::Number(_)))
}

pub(super) fn batch(asked: &Asked<'_>) -> bool {
    let requests = asked.get("requests").map_or(&[][..], Json::elements);
    let messages = |request: &Json| request.get("params")?.get("messages").map(is_conversation);
    !requests.is_empty() && requests.iter().all(|request| messages(request) == Some(true))
}

pub(super) fn interaction(asked: &Asked<'_>) -> bool {
    (is_text(asked, "model") || is_text(asked, "agent")) && asked.says("input")
}

pub(super) fn converse(asked: &Asked<'_>) -> bool {
    converses(asked) || asked.says("promptVariables")
}

pub(super) fn count(asked: &Asked<'_>) -> bool {
    asked.get("input").is_some_and(|input| input.get("converse").is_some() || input.get("invokeModel").is_some())
}

/// What is said to a model of Bedrock's, in the languages of those who made it.
pub(super) fn invoke(asked: &Asked<'_>) -> bool {
    const BESIDE: &[&str] =
        &["max_gen_len", "max_tokens_to_sample", "textGenerationConfig", "max_tokens", "maxTokens", "text_prompts"];
    let told = asked.says("prompt") || asked.says("inputText") || asked.says("text_prompts");
    asked.get("anthropic_version").is_some()
        || converses(asked)
        || told && BESIDE.iter().any(|name| asked.get(name).is_some())
}

pub(super) fn ollama_embedding(asked: &Asked<'_>) -> bool {
    is_text(asked, "model") && is_text(asked, "prompt")
}

pub(super) fn ollama_generate(asked: &Asked<'_>) -> bool {
    is_text(asked, "model") && is_text(asked, "prompt")
}

/// Cohere's first chat: a message that stands apart from the history.
pub(super) fn cohere(asked: &Asked<'_>) -> bool {
    let history = asked.get("chat_history").is_some_and(|history| says(history) && is_conversation(history));
    is_text(asked, "message") && (history || is_text(asked, "preamble") || asked.says("connectors"))
}

pub(super) fn cohere_embedding(asked: &Asked<'_>) -> bool {
    let given = ["texts", "images", "inputs"].iter().any(|name| asked.says(name));
    given && (is_text(asked, "input_type") || names_model(asked))
}

pub(super) fn rerank(asked: &Asked<'_>) -> bool {
    let listed = asked.get("documents").is_some_and(|documents| matches!(documents, Json::Array(_)));
    is_text(asked, "query") && listed && (asked.says("documents") || names_model(asked))
}

pub(super) fn recognition(asked: &Asked<'_>) -> bool {
    names_model(asked) && asked.get("document").is_some_and(|document| document.get("type").is_some())
}

pub(super) fn sourcegraph(asked: &Asked<'_>) -> bool {
    let messages = asked.get("messages").map_or(&[][..], Json::elements);
    !messages.is_empty() && messages.iter().all(|message| message.get("speaker").is_some())
}

/// Text generation of Hugging Face's server: a simulation's `inputs` and `parameters` have other names in them.
pub(super) fn generation(asked: &Asked<'_>) -> bool {
    const PARAMETERS: &[&str] = &[
        "adapter_id",
        "best_of",
        "decoder_input_details",
        "details",
        "do_sample",
        "grammar",
        "max_new_tokens",
        "repetition_penalty",
        "return_full_text",
        "top_n_tokens",
        "typical_p",
        "watermark",
    ];
    let known = |parameters: &Json| PARAMETERS.iter().any(|name| parameters.get(name).is_some());
    is_text(asked, "inputs") && asked.get("parameters").is_none_or(known)
}

fn is_text(asked: &Asked<'_>, name: &str) -> bool {
    asked.get(name).is_some_and(|value| matches!(value, Json::String(_)) && says(value))
}

//! What a request asks, whatever provider's language it speaks.
//!
//! [`asked`] reads the body of a model call into one shape for all dialects. The shapes of their conversations do not
//! contradict each other, so that one reader knows them all; what it does not know is told as JSON, and never left out.

mod block;
mod file;
mod message;

pub use file::File;
pub(crate) use file::{decoded, of_url};

use super::ToolCall;
use super::field::at;
use crate::call::Call;
use crate::dialect::{Dialect, detect, model_of};
use crate::json::{Json, Member};
use crate::path;

/// What a model is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestView {
    /// The model, as the body or the path names it.
    pub model: Option<String>,
    /// The conversation in its order, a system prompt that stands apart first.
    pub messages: Vec<Message>,
    /// The tools that the model may call.
    pub tools: Vec<Tool>,
    /// Everything else, by path.
    pub settings: Vec<(String, Json)>,
}

/// One message of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Who speaks, in the provider's words: `user`, `assistant`, `model`, `system`, `tool`.
    pub role: String,
    /// What is said.
    pub blocks: Vec<Block>,
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Block {
    /// A text.
    Text(String),
    /// What a model thought, sent back to it.
    Thought(String),
    /// A call that a model asked for, sent back to it.
    Call(ToolCall),
    /// What a call gave: its id, and the text or JSON.
    Returned(String, String),
    /// An image, a document, a sound.
    File(File),
    /// Anything else.
    Other(Json),
}

/// A tool that a model may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Its name; of a tool that the provider runs itself, its type.
    pub name: String,
    /// The whole definition.
    pub definition: Json,
}

/// Members that hold what the system says.
const SYSTEM: [&str; 7] = [
    "system",
    "instructions",
    "additional_instructions",
    "systemInstruction",
    "system_instruction",
    "preamble",
    "input.system_prompt",
];

/// Members that hold a conversation, or what the user says.
const SAID: [&str; 14] = [
    "chat_history",
    "thread.messages",
    "additional_messages",
    "messages",
    "contents",
    "prompt",
    "input.messages",
    "input.prompt",
    "input",
    "inputs",
    "inputText",
    "message",
    "tool_outputs",
    "document",
];

/// Members that hold a picture beside the words.
const PICTURES: [&str; 1] = ["input.image"];

/// Members that hold tools.
const TOOLS: [&str; 3] = ["tools", "functions", "toolConfig.tools"];

/// Returns what a request asks; `None` for a call that speaks no dialect, or whose body is no JSON object.
///
/// # Examples
///
/// ```
/// use cassette_core::{call::Call, view::{Block, asked}};
///
/// let body = br#"{"model":"gpt-4o-mini","messages":[{"role":"user","content":"When?"}],"seed":7}"#;
/// let call = Call::http("POST", "https://api.openai.com/v1/chat/completions", vec![], body.to_vec());
/// let asked = asked(&call).unwrap();
/// assert_eq!(asked.messages[0].blocks, [Block::Text("When?".into())]);
/// assert_eq!((asked.model.as_deref(), asked.settings[0].0.as_str()), (Some("gpt-4o-mini"), "seed"));
/// ```
pub fn asked(call: &Call) -> Option<RequestView> {
    let dialect = detect(call)?;
    let document = std::str::from_utf8(&call.body).ok().and_then(|text| Json::parse(text).ok())?;
    asked_in(dialect, document, &call.name)
}

/// Returns what the body of a model call in this dialect asks, which goes to the address in this name.
pub(crate) fn asked_in(dialect: Dialect, document: Json, name: &str) -> Option<RequestView> {
    let Json::Object(mut members) = document else { return None };
    let mut view = RequestView { model: model(dialect, &mut members, name), ..RequestView::default() };
    for name in SYSTEM {
        view.messages.extend(take(&mut members, name).into_iter().flat_map(|json| message::said(json, "system")));
    }
    for name in SAID.into_iter().filter(|name| says(dialect, name)) {
        view.messages.extend(take(&mut members, name).into_iter().flat_map(|json| message::said(json, "user")));
    }
    for name in PICTURES {
        view.messages.extend(take(&mut members, name).and_then(|json| message::shown(&json)));
    }
    for name in TOOLS {
        view.tools.extend(take(&mut members, name).into_iter().flat_map(tools));
    }
    view.settings = members.into_iter().map(|(name, value)| (path::member("", &name.value()), value)).collect();
    Some(view)
}

/// Returns whether what stands at this path is said in this dialect, and is no setting.
fn says(dialect: Dialect, path: &str) -> bool {
    match path {
        // What a model of Replicate's takes beside words is its own.
        "input" => dialect != Dialect::Replicate,
        "document" => dialect == Dialect::MistralOcr,
        _ => true,
    }
}

/// Takes out the model, or finds it in the path: `/models/m:generateContent`, `/model/m/converse`, `/deployments/m/..`.
fn model(dialect: Dialect, members: &mut Vec<Member>, name: &str) -> Option<String> {
    let known = match dialect {
        Dialect::Watsonx => "model_id",
        Dialect::Replicate if !members.iter().any(|(name, _)| name.is("model")) => "version",
        _ => "model",
    };
    let named = members.iter().position(|(name, value)| name.is(known) && matches!(value, Json::String(_)));
    let said = named.and_then(|at| members.remove(at).1.as_str().map(|model| model.into_owned()));
    said.filter(|model| !model.trim().is_empty()).or_else(|| model_of(name))
}

/// Takes out what stands at a path, and what held it with it if that becomes empty.
fn take(members: &mut Vec<Member>, path: &str) -> Option<Json> {
    let (name, inner) = path.split_once('.').map_or((path, None), |(name, inner)| (name, Some(inner)));
    let place = members.iter().position(|(known, _)| known.is(name))?;
    let Some(inner) = inner else { return Some(members.remove(place).1) };
    let Json::Object(within) = &mut members[place].1 else { return None };
    let found = take(within, inner)?;
    if within.is_empty() {
        members.remove(place);
    }
    Some(found)
}

fn tools(json: Json) -> Vec<Tool> {
    let Json::Array(tools) = json else { return vec![Tool { name: String::new(), definition: json }] };
    tools.into_iter().flat_map(declared).collect()
}

/// Returns a tool, or those that an entry of Gemini's declares.
fn declared(tool: Json) -> Vec<Tool> {
    let is_list = |name: &str| matches!(name, "functionDeclarations" | "function_declarations");
    match tool.members() {
        [(name, Json::Array(declared))] if is_list(&name.value()) => declared.iter().cloned().map(named).collect(),
        _ => vec![named(tool)],
    }
}

fn named(definition: Json) -> Tool {
    let known =
        ["name", "function.name", "toolSpec.name", "type"].iter().find_map(|path| at(&definition, path)?.as_str());
    let first = definition.members().first().map(|(name, _)| name.value());
    let name = known.or(first).unwrap_or_default().into_owned();
    Tool { name, definition }
}

#[cfg(test)]
mod tests;

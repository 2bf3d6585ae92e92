//! How a dialect's body falls into parts: a table for each dialect, and what takes a body apart by it.

use super::part::{Element, Part};
use super::{anthropic, bedrock, cohere, gemini, huggingface, interactions, message, mistral, ollama};
use super::{openai, plain, replicate, sourcegraph, watsonx};
use crate::dialect::Dialect;
use crate::json::{Json, Member};
use crate::matching::PartName;
use crate::path;

/// A dialect: which members of its body make up which part. `a.b` is the member `b` of the member `a`; whatever is not
/// named is `rest`.
pub(super) struct Form {
    pub(super) model: &'static [&'static str],
    /// Takes the conversation out of the body, a message an element.
    pub(super) messages: fn(&mut Body, &mut Vec<Element>),
    /// Takes the tools out of the body, then the choice of one; `None` where no request has any.
    pub(super) tools: Option<fn(&mut Body, &mut Vec<Element>)>,
    pub(super) output_schema: &'static [&'static str],
    pub(super) reasoning: &'static [&'static str],
    pub(super) sampling: &'static [&'static str],
    /// Whether a reply is streamed where nothing is said about it.
    pub(super) streams: bool,
}

/// The members of a body that no part has taken yet.
pub(super) struct Body {
    members: Vec<Member>,
}

/// Returns the parts of a body in this dialect. Whether the reply is streamed is told by the endpoint.
///
/// What is no setting of the sampling may be called like one: where nothing is said to a model, everything counts.
pub(super) fn parts(dialect: Dialect, members: Vec<Member>) -> Vec<Part> {
    let mut body = Body { members };
    let form = form(dialect, &body);
    body.members.retain(|(name, value)| !(name.is("stream") && value.as_bool().is_some()));
    let sampling = body.settings(form.sampling);
    let mut parts = Vec::new();
    let mut push = |name: PartName, class: PartName, elements: Vec<Element>| {
        if !elements.is_empty() {
            parts.push(Part::list(name.as_str().to_owned(), class, elements));
        }
    };
    push(PartName::Model, PartName::Model, body.settings(form.model));
    let mut messages = Vec::new();
    (form.messages)(&mut body, &mut messages);
    let is_asked = messages.iter().any(|element| element.text() != message::NONE);
    push(PartName::Messages, PartName::Messages, messages);
    let mut tools = Vec::new();
    form.tools.into_iter().for_each(|take| take(&mut body, &mut tools));
    push(PartName::Tools, PartName::Tools, tools);
    push(PartName::OutputSchema, PartName::OutputSchema, body.settings(form.output_schema));
    push(PartName::Reasoning, PartName::Reasoning, body.settings(form.reasoning));
    push(PartName::Sampling, if is_asked { PartName::Sampling } else { PartName::Rest }, sampling);
    push(PartName::Rest, PartName::Rest, body.rest());
    parts
}

/// Returns whether a request in this dialect that lacks a part is still one of which the part can be asked: every model
/// call has a model and is told something, if in a place that no table knows; tools it may well do without.
pub(super) fn may_lack(dialect: Dialect, part: PartName) -> bool {
    let form = form(dialect, &Body { members: Vec::new() });
    match part {
        PartName::Model | PartName::Messages => false,
        PartName::Tools => form.tools.is_some(),
        PartName::OutputSchema => !form.output_schema.is_empty(),
        PartName::Reasoning => !form.reasoning.is_empty(),
        PartName::Endpoint | PartName::Hooks | PartName::Sampling | PartName::Rest => true,
    }
}

/// Returns the part to which a field of a multipart body in this dialect belongs.
pub(super) fn class(dialect: Dialect, name: &str) -> PartName {
    let form = form(dialect, &Body { members: Vec::new() });
    match name {
        name if form.model.contains(&name) => PartName::Model,
        name if form.sampling.contains(&name) => PartName::Sampling,
        name if plain::is_given(name) => PartName::Messages,
        _ => PartName::Rest,
    }
}

/// Returns the members by which a body in this dialect names its model.
pub(super) fn model(dialect: Dialect) -> &'static [&'static str] {
    form(dialect, &Body { members: Vec::new() }).model
}

/// Returns whether a reply in this dialect is streamed where nothing is said about it.
pub(super) fn streams_unasked(dialect: Dialect) -> bool {
    form(dialect, &Body { members: Vec::new() }).streams
}

fn form(dialect: Dialect, body: &Body) -> &'static Form {
    match dialect {
        Dialect::OpenAiChat => &openai::CHAT,
        Dialect::OpenAiResponses => &openai::RESPONSES,
        Dialect::OpenAiCompletions => &openai::COMPLETIONS,
        Dialect::Anthropic => &anthropic::FORM,
        Dialect::OpenAiAssistants => &openai::ASSISTANTS,
        Dialect::Gemini => &gemini::FORM,
        Dialect::GeminiInteractions => &interactions::FORM,
        Dialect::BedrockConverse if body.has("input") => &bedrock::COUNT,
        Dialect::BedrockConverse => &bedrock::CONVERSE,
        Dialect::BedrockInvoke if body.has("anthropic_version") => &anthropic::FORM,
        Dialect::BedrockInvoke if body.has("inferenceConfig") => &bedrock::CONVERSE,
        Dialect::BedrockInvoke => &bedrock::INVOKE,
        Dialect::CohereV1 => &cohere::V1,
        Dialect::CohereV2 => &cohere::V2,
        Dialect::Ollama => &ollama::FORM,
        Dialect::OpenAiAudio => &plain::AUDIO,
        Dialect::HuggingFace => &huggingface::FORM,
        Dialect::MistralOcr => &mistral::OCR,
        Dialect::MistralConversations => &mistral::CONVERSATIONS,
        Dialect::Watsonx => &watsonx::FORM,
        Dialect::Replicate => &replicate::FORM,
        Dialect::Sourcegraph => &sourcegraph::FORM,
        Dialect::OpenAiEmbeddings | Dialect::OpenAiImages | Dialect::OpenAiModeration | Dialect::CohereEmbed => {
            &plain::FORM
        }
    }
}

impl Body {
    /// Returns whether there is such a member.
    pub(super) fn has(&self, name: &str) -> bool {
        self.members.iter().any(|(known, _)| known.is(name))
    }

    /// Takes out the member at this path, and what would hold it if nothing is left in that.
    pub(super) fn take(&mut self, path: &str) -> Option<Json> {
        take(&mut self.members, path)
    }

    /// Puts a member back.
    pub(super) fn put(&mut self, name: &str, value: Json) {
        self.members.push((name.into(), value));
    }

    fn settings(&mut self, paths: &[&str]) -> Vec<Element> {
        let one = |path: &&str| Some(Element::at(*path, format!("{path}:{}", self.take(path)?.canonical())));
        let mut settings: Vec<_> = paths.iter().filter_map(one).collect();
        settings.sort();
        settings
    }

    fn rest(self) -> Vec<Element> {
        let one = |(name, value): Member| {
            let text = format!("{}:{}", Json::String(name.clone()).canonical(), value.canonical());
            Element::at(path::member("", &name.value()), text)
        };
        let mut rest: Vec<_> = self.members.into_iter().map(one).collect();
        rest.sort();
        rest
    }
}

fn take(members: &mut Vec<Member>, path: &str) -> Option<Json> {
    let (name, inner) = path.split_once('.').map_or((path, None), |(name, inner)| (name, Some(inner)));
    let at = members.iter().position(|(known, _)| known.is(name))?;
    let Some(inner) = inner else { return Some(members.remove(at).1) };
    let Json::Object(within) = &mut members[at].1 else { return None };
    let found = take(within, inner);
    if within.is_empty() {
        members.remove(at);
    }
    found
}

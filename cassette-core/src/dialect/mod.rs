//! Which provider's language a call speaks.
//!
//! [`detect`] names the [`Dialect`], [`provider`] the service that was asked. A call that speaks a dialect is compared by
//! what it means, so that some of it counts no more; whatever is no model call must therefore never be taken for one. A
//! provider's own host and path are proof. At a host that nobody knows, a gateway or a local server, a path is proof only if
//! no other service has its like; else the body must be what the dialect alone says there. Where neither host nor path is
//! known, only a conversation proves itself. A provider's kept things (files, batches, models) are no model calls.

mod address;
mod asked;
mod hosts;
mod model;
mod proof;
mod routes;
mod shape;

use crate::call::{Call, Kind};
use address::Address;
use asked::Asked;

pub(crate) use model::{model_in, model_of};

/// A provider's language: how a request says what it asks, and a reply what it answers.
///
/// Many hosts speak one dialect: OpenAI's chat completions alone are spoken by twenty and more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// OpenAI chat completions, and every compatible host.
    OpenAiChat,
    /// OpenAI Responses.
    OpenAiResponses,
    /// OpenAI legacy completions.
    OpenAiCompletions,
    /// OpenAI embeddings.
    OpenAiEmbeddings,
    /// OpenAI images.
    OpenAiImages,
    /// OpenAI audio: speech, transcription, translation.
    OpenAiAudio,
    /// OpenAI moderation.
    OpenAiModeration,
    /// OpenAI Assistants, in version 2: runs of a thread. Threads, messages and files are kept, and no model calls.
    OpenAiAssistants,
    /// Anthropic messages, `count_tokens` and batches of them.
    Anthropic,
    /// Gemini and Vertex: `generateContent`, `streamGenerateContent`, `embedContent`, `countTokens`.
    Gemini,
    /// Gemini interactions.
    GeminiInteractions,
    /// Bedrock `converse`, `converse-stream` and `count-tokens`.
    BedrockConverse,
    /// Bedrock `invoke` and `invoke-with-response-stream`: the model's own language inside.
    BedrockInvoke,
    /// Cohere version 1: chat.
    CohereV1,
    /// Cohere version 2: chat.
    CohereV2,
    /// Cohere embed and rerank, both versions.
    CohereEmbed,
    /// Ollama's own API: `/api/chat`, `/api/generate`, `/api/embed`.
    Ollama,
    /// Hugging Face inference in its own form.
    HuggingFace,
    /// Mistral's optical character recognition.
    MistralOcr,
    /// Mistral conversations, with an agent or with a model.
    MistralConversations,
    /// Text generation of watsonx.
    Watsonx,
    /// Predictions of Replicate: what a model takes is the model's own.
    Replicate,
    /// Completions of Sourcegraph, as Cody asks for them.
    Sourcegraph,
}

/// Returns the dialect of a call: its host and path decide first, then the shape of its body; `None` for whatever else.
pub fn detect(call: &Call) -> Option<Dialect> {
    if call.kind != Kind::Http {
        return None;
    }
    let address = Address::of(&call.name)?;
    let provider = hosts::provider(&address);
    let asked = Asked::of(call);
    if let Some(route) = routes::find(&address, provider) {
        return if hosts::is_its_own(&address) || route.is_proved(&asked) { route.dialect(&asked) } else { None };
    }
    if !address.asks() || routes::is_resource(&address) {
        return None;
    }
    shape::detect(asked.json()?)
}

/// Returns whether a call goes to a GraphQL service, as far as its address tells.
pub(crate) fn is_graphql(call: &Call) -> bool {
    let address = (call.kind == Kind::Http).then(|| Address::of(&call.name)).flatten();
    address.is_some_and(|address| address.mentions("graphql") || address.names("gql"))
}

/// Returns the name under which the asked service is shown: `openai`, `azure`, `bedrock` and so on.
///
/// On a host that nobody knows, a dialect that only one provider speaks names it; else it is `unknown`.
pub fn provider(call: &Call) -> &'static str {
    let address = (call.kind == Kind::Http).then(|| Address::of(&call.name)).flatten();
    if let Some(name) = address.as_ref().and_then(hosts::provider) {
        return name;
    }
    if address.is_some_and(|address| address.ends_with("deployments/*/**")) {
        return "azure";
    }
    match detect(call) {
        Some(Dialect::Anthropic) => "anthropic",
        Some(Dialect::Gemini | Dialect::GeminiInteractions) => "gemini",
        Some(Dialect::BedrockConverse | Dialect::BedrockInvoke) => "bedrock",
        Some(Dialect::CohereV1 | Dialect::CohereV2) => "cohere",
        Some(Dialect::Ollama) => "ollama",
        Some(Dialect::HuggingFace) => "huggingface",
        Some(Dialect::Sourcegraph) => "sourcegraph",
        _ => "unknown",
    }
}

#[cfg(test)]
mod tests;

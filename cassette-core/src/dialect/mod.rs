//! Which provider's language a call speaks.
//!
//! [`detect`] names the [`Dialect`], [`provider`] the service that was asked. Hosts and paths stand in one table; where
//! the host is known, nothing else is believed, so that a provider's other resources (files, batches, models) are never
//! taken for model calls. Only a host that nobody knows, a gateway or a local server, is judged by the body's shape.

mod address;
mod hosts;
mod model;
mod routes;
mod shape;

use crate::call::{Call, Kind};
use crate::json::Json;
use address::Address;

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
    let body = || std::str::from_utf8(&call.body).ok().and_then(|text| Json::parse(text).ok());
    if let Some(route) = routes::find(&address, provider) {
        return if provider.is_some() || route.fits(body) { route.dialect(body) } else { None };
    }
    if provider.is_some() || !address.asks() || routes::is_resource(&address) {
        return None;
    }
    shape::detect(&body()?)
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

//! Which provider's language a call speaks.

use crate::call::Call;

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
    /// Anthropic messages, `count_tokens` and batches of them.
    Anthropic,
    /// Gemini and Vertex: `generateContent`, `streamGenerateContent`, `embedContent`, `countTokens`.
    Gemini,
    /// Bedrock `converse` and `converse-stream`.
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
}

/// Returns the dialect of a call: its host and path decide first, then the shape of its body; `None` for whatever else.
pub fn detect(call: &Call) -> Option<Dialect> {
    let _ = call;
    None
}

//! Which dialect is spoken at a path.

use super::Dialect;
use super::address::Address;
use crate::json::Json;

/// A path and the dialect that is spoken there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route {
    /// How the path ends, in the notation of [`Address::ends_with`].
    path: &'static str,
    speaks: Speaks,
    /// On a host that nobody knows: the member without which a body is somebody else's. Empty where the path says enough.
    member: &'static str,
}

#[derive(Clone, Copy, Debug)]
enum Speaks {
    Always(Dialect),
    /// The path is the model's own, and the body tells its language.
    Shape,
}

impl Route {
    /// Returns whether a body on an unknown host is one for this route.
    pub(super) fn fits(self, body: impl FnOnce() -> Option<Json>) -> bool {
        self.member.is_empty() || body().is_some_and(|body| body.get(self.member).is_some())
    }

    /// Returns the dialect of a body that was sent here.
    pub(super) fn dialect(self, body: impl FnOnce() -> Option<Json>) -> Option<Dialect> {
        match self.speaks {
            Speaks::Always(dialect) => Some(dialect),
            Speaks::Shape => super::shape::detect(&body()?),
        }
    }
}

const fn at(path: &'static str, dialect: Dialect) -> Route {
    Route { path, speaks: Speaks::Always(dialect), member: "" }
}

const fn with(path: &'static str, member: &'static str, dialect: Dialect) -> Route {
    Route { path, speaks: Speaks::Always(dialect), member }
}

/// What only a provider's own host means by a path. The first that fits decides.
const OWN: &[(&str, Route)] = &[
    ("cohere", at("v2/chat", Dialect::CohereV2)),
    ("cohere", at("chat", Dialect::CohereV1)),
    ("cohere", at("generate", Dialect::CohereV1)),
    ("cohere", at("embed", Dialect::CohereEmbed)),
    ("deepseek", at("beta/completions", Dialect::OpenAiCompletions)),
    ("huggingface", at("models/*", Dialect::HuggingFace)),
    ("huggingface", at("models/*/*", Dialect::HuggingFace)),
    ("huggingface", at("pipeline/*", Dialect::HuggingFace)),
    ("huggingface", at("models/*/*/pipeline/*", Dialect::HuggingFace)),
    ("huggingface", at("pipeline/*/*/*", Dialect::HuggingFace)),
    ("huggingface", at("generate", Dialect::HuggingFace)),
    ("huggingface", at("generate_stream", Dialect::HuggingFace)),
    ("gemini", at("interactions", Dialect::GeminiInteractions)),
    ("mistral", at("agents/completions", Dialect::OpenAiChat)),
    ("mistral", at("conversations", Dialect::MistralConversations)),
    ("mistral", at("conversations/*", Dialect::MistralConversations)),
    ("mistral", at("conversations/*/restart", Dialect::MistralConversations)),
    ("portkey", at("prompts/*/completions", Dialect::OpenAiChat)),
    ("replicate", at("predictions", Dialect::Replicate)),
    ("replicate", at("predictions/*/cancel", Dialect::Replicate)),
    ("vertex", at("interactions", Dialect::GeminiInteractions)),
    ("watsonx", at("text/chat", Dialect::OpenAiChat)),
    ("watsonx", at("text/chat_stream", Dialect::OpenAiChat)),
    ("watsonx", at("text/embeddings", Dialect::OpenAiEmbeddings)),
    ("watsonx", at("text/generation", Dialect::Watsonx)),
    ("watsonx", at("text/generation_stream", Dialect::Watsonx)),
];

/// What a path means wherever it stands. The first that fits decides.
const ANYWHERE: &[Route] = &[
    at("chat/completions", Dialect::OpenAiChat),
    at("responses", Dialect::OpenAiResponses),
    at("responses/compact", Dialect::OpenAiResponses),
    at("responses/input_tokens", Dialect::OpenAiResponses),
    at("responses/*/cancel", Dialect::OpenAiResponses),
    at("threads/runs", Dialect::OpenAiAssistants),
    at("threads/*/runs", Dialect::OpenAiAssistants),
    at("threads/*/runs/*/submit_tool_outputs", Dialect::OpenAiAssistants),
    at("threads/*/runs/*/cancel", Dialect::OpenAiAssistants),
    at("v1/completions", Dialect::OpenAiCompletions),
    at("deployments/*/completions", Dialect::OpenAiCompletions),
    at("engines/*/completions", Dialect::OpenAiCompletions),
    at("fim/completions", Dialect::OpenAiCompletions),
    at("v1/embeddings", Dialect::OpenAiEmbeddings),
    at("deployments/*/embeddings", Dialect::OpenAiEmbeddings),
    at("models/embeddings", Dialect::OpenAiEmbeddings),
    with("api/embeddings", "model", Dialect::Ollama),
    with("embeddings", "input", Dialect::OpenAiEmbeddings),
    at("images/generations", Dialect::OpenAiImages),
    at("images/edits", Dialect::OpenAiImages),
    at("images/variations", Dialect::OpenAiImages),
    at("audio/speech", Dialect::OpenAiAudio),
    at("audio/transcriptions", Dialect::OpenAiAudio),
    at("audio/translations", Dialect::OpenAiAudio),
    at("moderations", Dialect::OpenAiModeration),
    at("v1/messages", Dialect::Anthropic),
    at("messages/count_tokens", Dialect::Anthropic),
    at("messages/batches", Dialect::Anthropic),
    at("v1beta/interactions", Dialect::GeminiInteractions),
    at("*:generateContent", Dialect::Gemini),
    at("*:streamGenerateContent", Dialect::Gemini),
    at("*:embedContent", Dialect::Gemini),
    at("*:batchEmbedContents", Dialect::Gemini),
    at("*:countTokens", Dialect::Gemini),
    at("publishers/google/models/*:predict", Dialect::Gemini),
    at("publishers/anthropic/models/*:rawPredict", Dialect::Anthropic),
    at("publishers/anthropic/models/*:streamRawPredict", Dialect::Anthropic),
    at("publishers/mistralai/models/*:rawPredict", Dialect::OpenAiChat),
    at("publishers/mistralai/models/*:streamRawPredict", Dialect::OpenAiChat),
    Route { path: "*:rawPredict", speaks: Speaks::Shape, member: "" },
    Route { path: "*:streamRawPredict", speaks: Speaks::Shape, member: "" },
    at("model/*/converse", Dialect::BedrockConverse),
    at("model/*/converse-stream", Dialect::BedrockConverse),
    at("model/*/count-tokens", Dialect::BedrockConverse),
    at("model/*/invoke", Dialect::BedrockInvoke),
    at("model/*/invoke-with-response-stream", Dialect::BedrockInvoke),
    with("api/chat", "model", Dialect::Ollama),
    with("api/generate", "model", Dialect::Ollama),
    with("api/embed", "model", Dialect::Ollama),
    with("v2/chat", "messages", Dialect::CohereV2),
    with("v1/chat", "message", Dialect::CohereV1),
    with("v2/embed", "model", Dialect::CohereEmbed),
    with("v1/embed", "texts", Dialect::CohereEmbed),
    with("rerank", "query", Dialect::CohereEmbed),
    with("reranking", "query", Dialect::CohereEmbed),
    with("v1/ocr", "document", Dialect::MistralOcr),
    with(".api/completions/*", "messages", Dialect::Sourcegraph),
    with("generate", "inputs", Dialect::HuggingFace),
    with("generate_stream", "inputs", Dialect::HuggingFace),
];

/// What only a provider's own host gives back with the dialect in which it was made.
const OWN_READ: &[(&str, Route)] = &[
    ("gemini", at("interactions/*", Dialect::GeminiInteractions)),
    ("replicate", at("predictions/*", Dialect::Replicate)),
    ("vertex", at("interactions/*", Dialect::GeminiInteractions)),
];

/// What is read back with the dialect in which it was made, wherever it stands.
const READ: &[Route] = &[
    at("v1/responses/*", Dialect::OpenAiResponses),
    at("openai/responses/*", Dialect::OpenAiResponses),
    at("chat/completions/*", Dialect::OpenAiChat),
    at("threads/*/runs/*", Dialect::OpenAiAssistants),
    at("v1beta/interactions/*", Dialect::GeminiInteractions),
];

/// Path segments of what is kept by a provider and asked for by name: never a model call.
const RESOURCES: &[&str] = &[
    "assistants",
    "batches",
    "cachedContents",
    "conversations",
    "files",
    "fileSearchStores",
    "fine_tuning",
    "graphql",
    "runs",
    "sessions",
    "threads",
    "traces",
    "tracing",
    "uploads",
    "vector_stores",
];

/// Returns the route of this address.
pub(super) fn find(address: &Address<'_>, provider: Option<&str>) -> Option<Route> {
    let (own, anywhere) = match (address.reads(), address.asks()) {
        (true, _) => (OWN_READ, READ),
        (_, true) => (OWN, ANYWHERE),
        _ => return None,
    };
    let own = own.iter().filter(|(known, _)| provider == Some(known)).map(|(_, route)| route);
    own.chain(anywhere).find(|route| address.ends_with(route.path)).copied()
}

/// Returns whether the path leads to something that is kept, not asked.
pub(super) fn is_resource(address: &Address<'_>) -> bool {
    RESOURCES.iter().any(|segment| address.names(segment))
}

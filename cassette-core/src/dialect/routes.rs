//! Which dialect is spoken at a path.

use super::Dialect;
use super::address::Address;
use super::asked::Asked;
use super::proof::{self, Proof};

/// A path and the dialect that is spoken there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route {
    /// How the path ends, in the notation of [`Address::ends_with`].
    path: &'static str,
    speaks: Speaks,
    /// What a body must be at a host that nobody knows; `None` where no other service has such a path.
    proof: Option<Proof>,
}

#[derive(Clone, Copy, Debug)]
enum Speaks {
    Always(Dialect),
    /// The path is the model's own, and the body tells its language.
    Shape,
}

impl Route {
    /// Returns whether a call to an unknown host is one for this route.
    pub(super) fn is_proved(self, asked: &Asked<'_>) -> bool {
        self.proof.is_none_or(|proof| proof(asked))
    }

    /// Returns the dialect of a body that was sent here.
    pub(super) fn dialect(self, asked: &Asked<'_>) -> Option<Dialect> {
        match self.speaks {
            Speaks::Always(dialect) => Some(dialect),
            Speaks::Shape => super::shape::detect(asked.json()?),
        }
    }
}

const fn at(path: &'static str, dialect: Dialect) -> Route {
    Route { path, speaks: Speaks::Always(dialect), proof: None }
}

const fn when(proof: Proof, path: &'static str, dialect: Dialect) -> Route {
    Route { path, speaks: Speaks::Always(dialect), proof: Some(proof) }
}

const fn by_shape(path: &'static str) -> Route {
    Route { path, speaks: Speaks::Shape, proof: None }
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

/// What a path means wherever it stands, with what proves it at a host that nobody knows. The first that fits decides.
const ANYWHERE: &[Route] = &[
    at("chat/completions", Dialect::OpenAiChat),
    when(proof::responses, "v1/responses", Dialect::OpenAiResponses),
    when(proof::responses, "openai/responses", Dialect::OpenAiResponses),
    when(proof::responses, "/responses", Dialect::OpenAiResponses),
    when(proof::items, "responses", Dialect::OpenAiResponses),
    when(proof::responses, "responses/compact", Dialect::OpenAiResponses),
    when(proof::responses, "responses/input_tokens", Dialect::OpenAiResponses),
    at("responses/resp_*/cancel", Dialect::OpenAiResponses),
    when(never, "responses/*/cancel", Dialect::OpenAiResponses),
    when(proof::run, "threads/runs", Dialect::OpenAiAssistants),
    when(proof::run, "threads/*/runs", Dialect::OpenAiAssistants),
    when(proof::tool_outputs, "threads/*/runs/*/submit_tool_outputs", Dialect::OpenAiAssistants),
    at("threads/thread_*/runs/run_*/cancel", Dialect::OpenAiAssistants),
    when(never, "threads/*/runs/*/cancel", Dialect::OpenAiAssistants),
    when(proof::completion, "v1/completions", Dialect::OpenAiCompletions),
    when(proof::prompt, "deployments/*/completions", Dialect::OpenAiCompletions),
    when(proof::prompt, "engines/*/completions", Dialect::OpenAiCompletions),
    when(proof::completion, "fim/completions", Dialect::OpenAiCompletions),
    when(proof::embedding, "v1/embeddings", Dialect::OpenAiEmbeddings),
    when(proof::input, "deployments/*/embeddings", Dialect::OpenAiEmbeddings),
    when(proof::embedding, "models/embeddings", Dialect::OpenAiEmbeddings),
    when(proof::ollama_embedding, "api/embeddings", Dialect::Ollama),
    when(proof::embedding, "embeddings", Dialect::OpenAiEmbeddings),
    when(proof::image, "images/generations", Dialect::OpenAiImages),
    when(proof::image, "images/edits", Dialect::OpenAiImages),
    when(proof::image, "images/variations", Dialect::OpenAiImages),
    when(proof::speech, "audio/speech", Dialect::OpenAiAudio),
    when(proof::upload, "v1/audio/transcriptions", Dialect::OpenAiAudio),
    when(proof::upload, "v1/audio/translations", Dialect::OpenAiAudio),
    when(proof::upload, "deployments/*/audio/transcriptions", Dialect::OpenAiAudio),
    when(proof::upload, "deployments/*/audio/translations", Dialect::OpenAiAudio),
    when(proof::sound, "audio/transcriptions", Dialect::OpenAiAudio),
    when(proof::sound, "audio/translations", Dialect::OpenAiAudio),
    when(proof::input, "moderations", Dialect::OpenAiModeration),
    when(proof::anthropic, "v1/messages", Dialect::Anthropic),
    when(proof::chat, "messages/count_tokens", Dialect::Anthropic),
    when(proof::batch, "messages/batches", Dialect::Anthropic),
    when(proof::interaction, "v1beta/interactions", Dialect::GeminiInteractions),
    at("*:generateContent", Dialect::Gemini),
    at("*:streamGenerateContent", Dialect::Gemini),
    at("*:embedContent", Dialect::Gemini),
    at("*:batchEmbedContents", Dialect::Gemini),
    at("*:batchGenerateContent", Dialect::Gemini),
    at("*:countTokens", Dialect::Gemini),
    at("publishers/google/models/*:predict", Dialect::Gemini),
    at("publishers/anthropic/models/*:rawPredict", Dialect::Anthropic),
    at("publishers/anthropic/models/*:streamRawPredict", Dialect::Anthropic),
    at("publishers/mistralai/models/*:rawPredict", Dialect::OpenAiChat),
    at("publishers/mistralai/models/*:streamRawPredict", Dialect::OpenAiChat),
    by_shape("*:rawPredict"),
    by_shape("*:streamRawPredict"),
    when(proof::converse, "model/*/converse", Dialect::BedrockConverse),
    when(proof::converse, "model/*/converse-stream", Dialect::BedrockConverse),
    when(proof::count, "model/*/count-tokens", Dialect::BedrockConverse),
    when(proof::invoke, "model/*/invoke", Dialect::BedrockInvoke),
    when(proof::invoke, "model/*/invoke-with-response-stream", Dialect::BedrockInvoke),
    when(proof::chat, "api/chat", Dialect::Ollama),
    when(proof::ollama_generate, "api/generate", Dialect::Ollama),
    when(proof::embedding, "api/embed", Dialect::Ollama),
    when(proof::chat, "v2/chat", Dialect::CohereV2),
    when(proof::cohere, "v1/chat", Dialect::CohereV1),
    when(proof::cohere_embedding, "v2/embed", Dialect::CohereEmbed),
    when(proof::cohere_embedding, "v1/embed", Dialect::CohereEmbed),
    when(proof::rerank, "rerank", Dialect::CohereEmbed),
    when(proof::rerank, "reranking", Dialect::CohereEmbed),
    when(proof::recognition, "v1/ocr", Dialect::MistralOcr),
    when(proof::sourcegraph, ".api/completions/*", Dialect::Sourcegraph),
    when(proof::generation, "generate", Dialect::HuggingFace),
    when(proof::generation, "generate_stream", Dialect::HuggingFace),
];

/// What only a provider's own host gives back with the dialect in which it was made.
const OWN_READ: &[(&str, Route)] = &[
    ("gemini", at("interactions/*", Dialect::GeminiInteractions)),
    ("replicate", at("predictions/*", Dialect::Replicate)),
    ("vertex", at("interactions/*", Dialect::GeminiInteractions)),
];

/// What is read back with the dialect in which it was made, wherever it stands: OpenAI's ids say whose they are.
const READ: &[Route] = &[
    at("v1/responses/resp_*", Dialect::OpenAiResponses),
    at("openai/responses/resp_*", Dialect::OpenAiResponses),
    at("chat/completions/chatcmpl*", Dialect::OpenAiChat),
    at("threads/*/runs/run_*", Dialect::OpenAiAssistants),
    when(never, "v1/responses/*", Dialect::OpenAiResponses),
    when(never, "openai/responses/*", Dialect::OpenAiResponses),
    when(never, "chat/completions/*", Dialect::OpenAiChat),
    when(never, "threads/*/runs/*", Dialect::OpenAiAssistants),
    when(never, "v1beta/interactions/*", Dialect::GeminiInteractions),
];

/// No body proves what only a path and an id of the provider's own can.
fn never(_: &Asked<'_>) -> bool {
    false
}

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

//! What each address of the corpus means, told from the providers' documentation: nothing here asks the code under test.

use cassette_core::dialect::Dialect::{self, *};

/// Addresses, `*` standing for anything; who answers there, where the host alone says it; and which language is spoken.
/// The first that fits decides, and an address that none fits is a finding.
const ADDRESSES: &[(&str, &str, Option<Dialect>)] = &[
    // OpenAI
    ("POST https://api.openai.com/v1/chat/completions", "openai", Some(OpenAiChat)),
    ("POST https://api.openai.com/v1/responses", "openai", Some(OpenAiResponses)),
    ("GET https://api.openai.com/v1/responses/*/input_items", "openai", None),
    ("GET https://api.openai.com/v1/responses/*", "openai", Some(OpenAiResponses)),
    ("POST https://api.openai.com/v1/completions", "openai", Some(OpenAiCompletions)),
    ("POST https://api.openai.com/v1/embeddings", "openai", Some(OpenAiEmbeddings)),
    ("POST https://api.openai.com/v1/images/*", "openai", Some(OpenAiImages)),
    ("POST https://api.openai.com/v1/audio/*", "openai", Some(OpenAiAudio)),
    ("POST https://api.openai.com/v1/moderations", "openai", Some(OpenAiModeration)),
    ("POST https://api.openai.com/v1/threads/*/runs", "openai", Some(OpenAiAssistants)),
    ("POST https://api.openai.com/v1/threads/*/runs/*/submit_tool_outputs", "openai", Some(OpenAiAssistants)),
    ("GET https://api.openai.com/v1/threads/*/runs/*", "openai", Some(OpenAiAssistants)),
    ("* https://api.openai.com/v1/threads*", "openai", None),
    ("* https://api.openai.com/v1/assistants*", "openai", None),
    ("* https://api.openai.com/v1/batches*", "openai", None),
    ("* https://api.openai.com/v1/files*", "openai", None),
    ("* https://api.openai.com/v1/models*", "openai", None),
    ("POST https://api.openai.com/v1/traces/ingest", "openai", None),
    // Azure
    ("POST https://*.openai.azure.com/*chat/completions*", "azure", Some(OpenAiChat)),
    ("POST https://*.cognitiveservices.azure.com/*chat/completions*", "azure", Some(OpenAiChat)),
    ("POST https://*.cognitiveservices.azure.com/openai/responses*", "azure", Some(OpenAiResponses)),
    ("POST https://*.services.ai.azure.com/anthropic/v1/messages*", "azure", Some(Anthropic)),
    ("POST https://*.openai.azure.com/openai/v1/realtime/*", "azure", None),
    // Anthropic
    ("POST https://api.anthropic.com/v1/messages*", "anthropic", Some(Anthropic)),
    ("GET https://api.anthropic.com/v1/models*", "anthropic", None),
    // Google
    ("POST https://generativelanguage.googleapis.com/v1beta/openai/chat/completions", "gemini", Some(OpenAiChat)),
    ("POST https://generativelanguage.googleapis.com/v1beta/interactions*", "gemini", Some(GeminiInteractions)),
    ("POST https://generativelanguage.googleapis.com/*/models/*enerateContent*", "gemini", Some(Gemini)),
    ("POST https://generativelanguage.googleapis.com/*/models/*mbedContent*", "gemini", Some(Gemini)),
    ("POST https://generativelanguage.googleapis.com/*/models/*:countTokens*", "gemini", Some(Gemini)),
    ("* https://generativelanguage.googleapis.com/*", "gemini", None),
    ("POST https://*aiplatform.googleapis.com/*/publishers/anthropic/models/*awPredict*", "vertex", Some(Anthropic)),
    ("POST https://*aiplatform.googleapis.com/*/publishers/google/models/*enerateContent*", "vertex", Some(Gemini)),
    ("POST https://*aiplatform.googleapis.com/*publishers/google/models/*:predict*", "vertex", Some(Gemini)),
    ("* https://*aiplatform.googleapis.com/*/cachedContents*", "vertex", None),
    // Bedrock
    ("POST https://bedrock-runtime.*.amazonaws.com/model/*/converse*", "bedrock", Some(BedrockConverse)),
    ("POST https://bedrock-runtime.*.amazonaws.com/model/*/count-tokens", "bedrock", Some(BedrockConverse)),
    ("POST https://bedrock-runtime.*.amazonaws.com/model/*/invoke*", "bedrock", Some(BedrockInvoke)),
    ("POST https://bedrock-mantle.*.api.aws/*/chat/completions", "bedrock", Some(OpenAiChat)),
    ("POST https://bedrock-mantle.*.api.aws/*/responses", "bedrock", Some(OpenAiResponses)),
    // Cohere, Mistral, Ollama
    ("POST https://api.cohere.com/v2/chat", "cohere", Some(CohereV2)),
    ("POST https://api.cohere.com/v1/chat", "cohere", Some(CohereV1)),
    ("POST https://api.cohere.ai/v1/generate", "cohere", Some(CohereV1)),
    ("POST https://api.cohere.com/v*/embed", "cohere", Some(CohereEmbed)),
    ("POST https://api.cohere.com/v*/rerank", "cohere", Some(CohereEmbed)),
    ("POST https://api.cohere.com/v1/tokenize", "cohere", None),
    ("GET https://api.cohere.com/v1/models/*", "cohere", None),
    ("POST https://api.mistral.ai/v1/chat/completions*", "mistral", Some(OpenAiChat)),
    ("POST https://api.mistral.ai/v1/agents/completions", "mistral", Some(OpenAiChat)),
    ("POST https://api.mistral.ai/v1/fim/completions", "mistral", Some(OpenAiCompletions)),
    ("POST https://api.mistral.ai/v1/conversations*", "mistral", Some(MistralConversations)),
    ("POST https://api.mistral.ai/v1/ocr", "mistral", Some(MistralOcr)),
    ("POST https://api.mistral.ai/v1/audio/*", "mistral", Some(OpenAiAudio)),
    ("* https://api.mistral.ai/v1/batch/jobs*", "mistral", None),
    ("POST https://api.mistral.ai/v1/files", "mistral", None),
    ("POST http://*:11434/v1/chat/completions", "ollama", Some(OpenAiChat)),
    ("POST http://localhost:11434/api/chat", "ollama", Some(Ollama)),
    ("POST http://localhost:11434/api/generate", "ollama", Some(Ollama)),
    ("POST http://localhost:11434/api/embed", "ollama", Some(Ollama)),
    ("* http://localhost:11434/*", "ollama", None),
    ("POST http://unknown.invalid/api/chat", "ollama", Some(Ollama)),
    // Those who speak OpenAI's languages
    ("POST https://api.deepseek.com/chat/completions", "deepseek", Some(OpenAiChat)),
    ("POST https://api.deepseek.com/*responses", "deepseek", Some(OpenAiResponses)),
    ("POST https://api.x.ai/v1/chat/completions", "xai", Some(OpenAiChat)),
    ("POST https://api.x.ai/v1/responses", "xai", Some(OpenAiResponses)),
    ("* https://api.x.ai/v1/videos/*", "xai", None),
    ("* https://api.x.ai/v1/batches*", "xai", None),
    ("POST https://api.x.ai/v1/files", "xai", None),
    // xAI's speech is no speech of OpenAI's: `text` and `voice_id`.
    ("POST https://api.x.ai/v1/tts", "xai", None),
    ("POST https://openrouter.ai/api/v1/chat/completions", "openrouter", Some(OpenAiChat)),
    ("POST https://openrouter.ai/api/v1/responses", "openrouter", Some(OpenAiResponses)),
    ("GET https://openrouter.ai/api/v1/models", "openrouter", None),
    ("POST https://api.z.ai/*/chat/completions", "zai", Some(OpenAiChat)),
    ("POST https://api.groq.com/openai/v1/chat/completions", "groq", Some(OpenAiChat)),
    ("POST https://api.inference.crusoecloud.com/v1/chat/completions", "crusoe", Some(OpenAiChat)),
    ("POST https://api.avian.io/v1/chat/completions", "avian", Some(OpenAiChat)),
    ("POST https://router.huggingface.co/*/chat/completions", "huggingface", Some(OpenAiChat)),
    ("POST https://api-inference.huggingface.co/models/*", "huggingface", Some(HuggingFace)),
    ("GET https://huggingface.co/api/models/*", "huggingface", None),
    ("POST https://api.together.xyz/v1/chat/completions", "together", Some(OpenAiChat)),
    ("POST https://api.together.xyz/v1/completions", "together", Some(OpenAiCompletions)),
    ("POST https://api.fireworks.ai/inference/v1/chat/completions", "fireworks", Some(OpenAiChat)),
    ("POST https://api.portkey.ai/v1/chat/completions", "portkey", Some(OpenAiChat)),
    ("POST https://api.portkey.ai/v1/prompts/*/completions", "portkey", Some(OpenAiChat)),
    ("POST https://api.perplexity.ai/chat/completions", "perplexity", Some(OpenAiChat)),
    ("POST https://api.perplexity.ai/v1/embeddings", "perplexity", Some(OpenAiEmbeddings)),
    ("GET https://api.perplexity.ai/v1/models", "perplexity", None),
    ("POST https://api.voyageai.com/v1/embeddings", "voyageai", Some(OpenAiEmbeddings)),
    ("POST https://api.voyageai.com/v1/rerank", "voyageai", Some(CohereEmbed)),
    ("POST https://*.ml.cloud.ibm.com/ml/v1/text/chat*", "watsonx", Some(OpenAiChat)),
    ("POST https://*.ml.cloud.ibm.com/*/chat/completions", "watsonx", Some(OpenAiChat)),
    ("POST https://*.ml.cloud.ibm.com/*/models", "watsonx", None),
    ("POST https://*.ml.cloud.ibm.com/ml/v1/text/generation*", "watsonx", Some(Watsonx)),
    ("POST https://api.replicate.com/v1/*predictions", "replicate", Some(Replicate)),
    ("GET https://api.replicate.com/v1/predictions/*", "replicate", Some(Replicate)),
    ("POST https://*/.api/completions/*", "sourcegraph", Some(Sourcegraph)),
    ("* https://*sourcegraph.com/*", "sourcegraph", None),
    // vLLM, which listens wherever it is put
    ("POST http://vllm.internal:8000/v1/chat/completions", "", Some(OpenAiChat)),
    // A language of its own: compared by its JSON paths
    ("POST https://api.aleph-alpha.com/complete", "aleph-alpha", None),
    ("POST https://oracle.example/think/*", "unknown", None),
    // Servers without a name, in recordings that hide it: the path says what is spoken, and nobody says who answers
    ("POST http://unknown.invalid/model/*/converse", "bedrock", Some(BedrockConverse)),
    ("POST http://unknown.invalid/*chat/completions", "", Some(OpenAiChat)),
    ("POST http://unknown.invalid/v1/responses", "", Some(OpenAiResponses)),
    ("POST http://unknown.invalid/v1/embeddings", "", Some(OpenAiEmbeddings)),
    ("POST http://unknown.invalid/v1/images/generations", "", Some(OpenAiImages)),
    ("POST http://unknown.invalid/v1/audio/*", "", Some(OpenAiAudio)),
    ("POST http://unknown.invalid/v1/rerank", "", Some(CohereEmbed)),
    ("POST http://unknown.invalid/v1/embed", "", Some(CohereEmbed)),
    ("GET http://unknown.invalid/*", "", None),
    // No models
    ("POST https://oauth2.googleapis.com/token", "", None),
    ("* https://*.crewai.com*", "", None),
    ("* https://vidgen.x.ai/*", "", None),
    ("* https://api.tavily.com/*", "", None),
    ("* https://serpapi.com/*", "", None),
    ("* https://api.smith.langchain.com/*", "", None),
    ("* https://signal-metrics-collector-beta.s-onetag.com/*", "", None),
    ("* https://api.github.com/*", "", None),
    ("* https://static.simonwillison.net/*", "", None),
    ("* http://localhost:9999*", "", None),
    ("* http://localhost:7777/*", "", None),
    ("* http://127.0.0.1:5000/*", "", None),
    ("* http*://httpbin.org/*", "", None),
    ("* http*://hoverfly.io/*", "", None),
    ("* http://google.com/", "", None),
    ("* http://*moz.*/", "", None),
    ("* http://mockbin.com/", "", None),
    ("* http://example.com/*", "", None),
    ("* http://invalid_url/", "", None),
    ("* http://test.k6.io/*", "", None),
    ("* http://test.loadimpact.com/*", "", None),
    ("* https://api.someapi123.io*", "", None),
    ("* https://api.example.io*", "", None),
    ("* https://*mitmproxy.org*", "", None),
    ("* https://www.google.com/*", "", None),
    ("* https://github.com/*", "", None),
    ("* https://raw.githubusercontent.com/*", "", None),
];

/// What is to be recognised in a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected {
    /// Who answers, or nothing where nobody says so.
    pub(crate) provider: &'static str,
    pub(crate) dialect: Option<Dialect>,
}

/// Returns what is to be recognised in the call of this name, query apart.
pub(crate) fn expected(name: &str) -> Option<Expected> {
    let address = name.split('?').next().unwrap_or_default();
    let found = ADDRESSES.iter().find(|(pattern, ..)| fits(pattern, address));
    found.map(|(_, provider, dialect)| Expected { provider, dialect: *dialect })
}

/// Returns every language that is spoken at one of the addresses.
pub(crate) fn spoken() -> Vec<Dialect> {
    let mut found = Vec::new();
    for dialect in ADDRESSES.iter().filter_map(|(.., dialect)| *dialect) {
        if !found.contains(&dialect) {
            found.push(dialect);
        }
    }
    found
}

/// Returns whether the text is what the pattern says, in which `*` stands for any characters.
fn fits(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((front, rest)) => text.strip_prefix(front).is_some_and(|text| {
            let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            ends.into_iter().any(|at| fits(rest, &text[at..]))
        }),
    }
}

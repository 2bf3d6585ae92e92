use super::{Dialect, detect, provider};
use crate::call::Call;

#[track_caller]
fn check(name: &str, body: &str, expected: Option<Dialect>, shown: &str) {
    let (method, url) = name.split_once(' ').unwrap();
    let call = Call::http(method, url, Vec::new(), body.into());
    assert_eq!((detect(&call), provider(&call)), (expected, shown), "{name} {body}");
}

#[test]
fn a_known_host_and_path_decide() {
    use Dialect::*;
    let table = [
        ("POST https://api.openai.com/v1/chat/completions", Some(OpenAiChat), "openai"),
        ("POST https://eu.api.openai.com/v1/responses", Some(OpenAiResponses), "openai"),
        ("GET https://api.openai.com/v1/responses/resp_1", Some(OpenAiResponses), "openai"),
        ("POST https://api.openai.com/v1/completions", Some(OpenAiCompletions), "openai"),
        ("POST https://api.openai.com/v1/embeddings", Some(OpenAiEmbeddings), "openai"),
        ("POST https://api.openai.com/v1/images/edits", Some(OpenAiImages), "openai"),
        ("POST https://api.openai.com/v1/audio/speech", Some(OpenAiAudio), "openai"),
        ("POST https://api.openai.com/v1/moderations", Some(OpenAiModeration), "openai"),
        ("POST https://api.openai.com/v1/files", None, "openai"),
        ("POST https://api.openai.com/v1/batches", None, "openai"),
        ("POST https://api.openai.com/v1/threads/t_1/messages", None, "openai"),
        ("GET https://api.openai.com/v1/models", None, "openai"),
        ("DELETE https://api.openai.com/v1/responses/resp_1", None, "openai"),
        (
            "POST https://x.openai.azure.com//openai/deployments/d/chat/completions?api-version=1",
            Some(OpenAiChat),
            "azure",
        ),
        ("POST https://x.openai.azure.com/openai/deployments/d/embeddings", Some(OpenAiEmbeddings), "azure"),
        ("POST https://x.cognitiveservices.azure.com/openai/responses", Some(OpenAiResponses), "azure"),
        ("POST https://x.services.ai.azure.com/anthropic/v1/messages", Some(Anthropic), "azure"),
        ("POST https://api.anthropic.com/v1/messages?beta=true", Some(Anthropic), "anthropic"),
        ("POST https://api.anthropic.com/v1/messages/count_tokens", Some(Anthropic), "anthropic"),
        ("POST https://api.anthropic.com/v1/messages/batches", Some(Anthropic), "anthropic"),
        ("POST https://api.anthropic.com/v1/files", None, "anthropic"),
        (
            "POST https://generativelanguage.googleapis.com/v1beta/models/g:generateContent?key=k",
            Some(Gemini),
            "gemini",
        ),
        (
            "POST https://generativelanguage.googleapis.com/v1beta/models/g%3AstreamGenerateContent",
            Some(Gemini),
            "gemini",
        ),
        ("POST https://generativelanguage.googleapis.com/v1beta/openai/chat/completions", Some(OpenAiChat), "gemini"),
        ("POST https://generativelanguage.googleapis.com/v1beta/cachedContents", None, "gemini"),
        (
            "POST https://eu-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/anthropic/models/c@1:rawPredict",
            Some(Anthropic),
            "vertex",
        ),
        (
            "POST https://aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google/models/g:predict",
            Some(Gemini),
            "vertex",
        ),
        (
            "POST https://bedrock-runtime.us-east-1.amazonaws.com/model/a.b-v1%3A0/converse-stream",
            Some(BedrockConverse),
            "bedrock",
        ),
        (
            "POST https://bedrock-runtime.us-east-1.amazonaws.com/model/arn%3Aaws%3Ax%2Fy/invoke",
            Some(BedrockInvoke),
            "bedrock",
        ),
        (
            "POST https://bedrock-runtime.us-east-1.amazonaws.com/model/a.b-v1:0/count-tokens",
            Some(BedrockConverse),
            "bedrock",
        ),
        ("POST https://bedrock-mantle.us-east-2.api.aws/v1/v1/chat/completions", Some(OpenAiChat), "bedrock"),
        ("POST https://api.cohere.com/v2/chat", Some(CohereV2), "cohere"),
        ("POST https://api.cohere.com/v1/chat", Some(CohereV1), "cohere"),
        ("POST https://api.cohere.com/v2/embed", Some(CohereEmbed), "cohere"),
        ("POST https://api.cohere.com/v2/rerank", Some(CohereEmbed), "cohere"),
        ("POST https://api.mistral.ai/v1/fim/completions", Some(OpenAiCompletions), "mistral"),
        ("POST http://localhost:11434/api/chat", Some(Ollama), "ollama"),
        ("POST http://localhost:11434/api/embeddings", Some(Ollama), "ollama"),
        ("POST http://127.0.0.1:11434/v1/chat/completions", Some(OpenAiChat), "ollama"),
        ("POST http://localhost:11434/api/pull", None, "ollama"),
        ("POST https://api.groq.com/openai/v1/chat/completions", Some(OpenAiChat), "groq"),
        ("POST https://api.x.ai/v1/responses", Some(OpenAiResponses), "xai"),
        ("POST https://api.deepseek.com/chat/completions", Some(OpenAiChat), "deepseek"),
        ("POST https://api.deepseek.com/beta/completions", Some(OpenAiCompletions), "deepseek"),
        ("POST https://openrouter.ai/api/v1/chat/completions", Some(OpenAiChat), "openrouter"),
        ("POST https://openrouter.ai/api/v1/messages", Some(Anthropic), "openrouter"),
        ("POST https://api.together.xyz/v1/completions", Some(OpenAiCompletions), "together"),
        ("POST https://api.fireworks.ai/inference/v1/chat/completions", Some(OpenAiChat), "fireworks"),
        ("POST https://api.perplexity.ai/chat/completions", Some(OpenAiChat), "perplexity"),
        ("POST https://router.huggingface.co/novita/v3/openai/chat/completions", Some(OpenAiChat), "huggingface"),
        ("POST https://api-inference.huggingface.co/models/gpt2", Some(HuggingFace), "huggingface"),
        ("POST https://api-inference.huggingface.co/models/o/m/v1/chat/completions", Some(OpenAiChat), "huggingface"),
        ("GET https://huggingface.co/api/models/o/m", None, "huggingface"),
    ];
    for (name, expected, shown) in table {
        check(name, "{}", expected, shown);
    }
}

#[test]
fn a_path_alone_decides_on_an_unknown_host() {
    use Dialect::*;
    check("POST http://localhost:8000/v1/chat/completions", "", Some(OpenAiChat), "unknown");
    check("POST /v1/messages", "", Some(Anthropic), "anthropic");
    check("POST http://gateway/openai/deployments/d/chat/completions", "", Some(OpenAiChat), "azure");
    check("POST http://gateway/v1beta/models/g:generateContent", "", Some(Gemini), "gemini");
    check("POST http://gateway/model/a.b/converse", "", Some(BedrockConverse), "bedrock");
    check("POST http://app/api/chat", r#"{"messages":[]}"#, None, "unknown");
    check("POST http://app/api/chat", r#"{"model":"m","messages":[]}"#, Some(Ollama), "ollama");
    check("POST http://search/embed", r#"{"q":1}"#, None, "unknown");
}

#[test]
fn a_body_decides_where_nothing_else_does() {
    use Dialect::*;
    let table = [
        (r#"{"model":"m","messages":[{"role":"user","content":"a"}]}"#, Some(OpenAiChat)),
        (r#"{"messages":[{"role":"user","content":"a"}]}"#, None),
        (r#"{"model":"m","messages":[{"text":"a"}]}"#, None),
        (r#"{"model":"m","max_tokens":9,"system":"s","messages":[{"role":"user","content":"a"}]}"#, Some(Anthropic)),
        (r#"{"anthropic_version":"v","messages":[]}"#, Some(Anthropic)),
        (r#"{"messages":[{"role":"user","content":[{"text":"a"}]}]}"#, Some(BedrockConverse)),
        (r#"{"model":"m","options":{},"messages":[{"role":"user","content":"a"}]}"#, Some(Ollama)),
        (r#"{"contents":[{"parts":[{"text":"a"}]}]}"#, Some(Gemini)),
        (r#"{"model":"m","input":"a","instructions":"b"}"#, Some(OpenAiResponses)),
        (r#"{"model":"m","input":["a"],"encoding_format":"float"}"#, Some(OpenAiEmbeddings)),
        (r#"{"model":"m","prompt":"a","max_tokens":1}"#, Some(OpenAiCompletions)),
        (r#"{"message":"a","chat_history":[]}"#, Some(CohereV1)),
        (r#"{"model":"m","query":"a","documents":["b"]}"#, Some(CohereEmbed)),
        (r#"{"inputs":"a","parameters":{}}"#, Some(HuggingFace)),
        (r#"{"query":"query { a }","variables":{}}"#, None),
        ("not json", None),
    ];
    for (body, expected) in table {
        let call = Call::http("POST", "http://gateway/ask", Vec::new(), body.into());
        assert_eq!(detect(&call), expected, "{body}");
    }
    check("POST http://gateway/v1/threads/t/x", r#"{"model":"m","messages":[{"role":"user"}]}"#, None, "unknown");
    check("GET http://gateway/ask", r#"{"model":"m","messages":[{"role":"user"}]}"#, None, "unknown");
}

#[test]
fn only_http_calls_speak_a_dialect() {
    let mut call = Call::http("POST", "https://api.openai.com/v1/chat/completions", Vec::new(), Vec::new());
    call.kind = crate::call::Kind::Tool;
    assert_eq!((detect(&call), provider(&call)), (None, "unknown"));
}

#[test]
fn what_is_kept_is_no_model_call_and_what_is_run_is_one() {
    use Dialect::*;
    let table = [
        ("POST https://api.openai.com/v1/threads/runs", Some(OpenAiAssistants), "openai"),
        ("POST https://api.openai.com/v1/threads/t/runs", Some(OpenAiAssistants), "openai"),
        ("POST https://api.openai.com/v1/threads/t/runs/r/submit_tool_outputs", Some(OpenAiAssistants), "openai"),
        ("GET https://api.openai.com/v1/threads/t/runs/r", Some(OpenAiAssistants), "openai"),
        ("POST https://x.openai.azure.com/openai/threads/t/runs?api-version=1", Some(OpenAiAssistants), "azure"),
        ("GET https://api.openai.com/v1/threads/t/messages", None, "openai"),
        ("POST https://api.openai.com/v1/threads", None, "openai"),
        ("POST https://api.openai.com/v1/assistants", None, "openai"),
        ("GET https://api.openai.com/v1/batches/b", None, "openai"),
        ("GET https://api.openai.com/v1/files/f/content", None, "openai"),
        ("POST https://api.openai.com/v1/responses/resp_1/cancel", Some(OpenAiResponses), "openai"),
        ("GET https://api.openai.com/v1/responses/resp_1/input_items", None, "openai"),
        ("POST https://api.openai.com/v1/conversations", None, "openai"),
        (
            "POST https://generativelanguage.googleapis.com/v1beta/interactions?alt=sse",
            Some(GeminiInteractions),
            "gemini",
        ),
        ("GET https://generativelanguage.googleapis.com/v1beta/interactions/i", Some(GeminiInteractions), "gemini"),
        ("DELETE https://generativelanguage.googleapis.com/v1beta/interactions/i", None, "gemini"),
        ("POST https://api.mistral.ai/v1/ocr", Some(MistralOcr), "mistral"),
        ("POST https://api.mistral.ai/v1/agents/completions", Some(OpenAiChat), "mistral"),
        ("POST https://api.mistral.ai/v1/conversations#stream", Some(MistralConversations), "mistral"),
        ("POST https://api.mistral.ai/v1/conversations/c", Some(MistralConversations), "mistral"),
        ("POST https://api.mistral.ai/v1/agents", None, "mistral"),
        ("POST https://us-south.ml.cloud.ibm.com/ml/v1/text/generation?version=1", Some(Watsonx), "watsonx"),
        ("POST https://us-south.ml.cloud.ibm.com/ml/v1/deployments/d/text/generation_stream", Some(Watsonx), "watsonx"),
        ("POST https://us-south.ml.cloud.ibm.com/ml/v1/text/chat_stream", Some(OpenAiChat), "watsonx"),
        ("POST https://us-south.ml.cloud.ibm.com/ml/v1/text/embeddings", Some(OpenAiEmbeddings), "watsonx"),
        ("POST https://us-south.ml.cloud.ibm.com/ml/v1/text/rerank", Some(CohereEmbed), "watsonx"),
        ("POST https://iam.cloud.ibm.com/identity/token", None, "unknown"),
        ("POST https://api.replicate.com/v1/predictions", Some(Replicate), "replicate"),
        ("POST https://api.replicate.com/v1/models/o/m/predictions", Some(Replicate), "replicate"),
        ("GET https://api.replicate.com/v1/predictions/p", Some(Replicate), "replicate"),
        ("GET https://api.replicate.com/v1/predictions", None, "replicate"),
        ("POST https://sourcegraph.com/.api/completions/stream?api-version=8", Some(Sourcegraph), "sourcegraph"),
        ("POST https://sourcegraph.com/.api/graphql?CurrentUser", None, "sourcegraph"),
        ("POST https://x.openai.azure.com/openai/deployments/d/images/edits", Some(OpenAiImages), "azure"),
        ("POST https://x.openai.azure.com/openai/deployments/d/audio/transcriptions", Some(OpenAiAudio), "azure"),
    ];
    for (name, expected, shown) in table {
        check(name, "{}", expected, shown);
    }
    check("POST https://code.example/.api/completions/stream", r#"{"messages":[]}"#, Some(Sourcegraph), "sourcegraph");
    check("POST https://code.example/.api/completions/stream", "{}", None, "unknown");
    check("POST http://gateway/v1beta/interactions", "{}", Some(GeminiInteractions), "gemini");
    check("POST http://gateway/v1/predictions", r#"{"input":{}}"#, None, "unknown");
    check("GET http://gateway/v1/predictions/p", "", None, "unknown");
}

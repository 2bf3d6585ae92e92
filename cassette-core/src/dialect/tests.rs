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
fn a_path_that_no_other_service_has_decides_on_an_unknown_host() {
    use Dialect::*;
    check("POST http://localhost:8000/v1/chat/completions", "", Some(OpenAiChat), "unknown");
    check("POST http://gateway/openai/deployments/d/chat/completions", "", Some(OpenAiChat), "azure");
    check("POST http://gateway/v1beta/models/g:generateContent", "", Some(Gemini), "gemini");
    check("POST http://search/embed", r#"{"q":1}"#, None, "unknown");
}

#[test]
fn a_path_that_others_have_too_wants_a_body_that_only_the_dialect_has() {
    use Dialect::*;
    let said = r#""messages":[{"role":"user","content":"a"}]"#;
    let table = [
        ("/v1/messages", format!(r#"{{"model":"m","max_tokens":9,{said}}}"#), Anthropic, "anthropic"),
        ("/v1/messages/count_tokens", format!(r#"{{"model":"m",{said}}}"#), Anthropic, "anthropic"),
        (
            "/v1/messages/batches",
            format!(r#"{{"requests":[{{"custom_id":"a","params":{{{said}}}}}]}}"#),
            Anthropic,
            "anthropic",
        ),
        ("/v1/responses", r#"{"model":"m","input":"a"}"#.into(), OpenAiResponses, "unknown"),
        ("/v1/responses", r#"{"model":"m","previous_response_id":"resp_1"}"#.into(), OpenAiResponses, "unknown"),
        ("/v1/responses", r#"{"prompt":{"id":"p"}}"#.into(), OpenAiResponses, "unknown"),
        ("/responses", r#"{"model":"m","input":[{"role":"user","content":"a"}]}"#.into(), OpenAiResponses, "unknown"),
        (
            "/llm/responses",
            r#"{"model":"m","input":[{"role":"user","content":"a"}]}"#.into(),
            OpenAiResponses,
            "unknown",
        ),
        ("/v1/completions", r#"{"model":"m","prompt":"a"}"#.into(), OpenAiCompletions, "unknown"),
        ("/v1/embeddings", r#"{"model":"m","input":["a"]}"#.into(), OpenAiEmbeddings, "unknown"),
        ("/api/chat", format!(r#"{{"model":"m",{said}}}"#), Ollama, "ollama"),
        ("/api/generate", r#"{"model":"m","prompt":"a"}"#.into(), Ollama, "ollama"),
        ("/api/embed", r#"{"model":"m","input":"a"}"#.into(), Ollama, "ollama"),
        ("/v2/chat", format!(r#"{{"model":"m",{said}}}"#), CohereV2, "cohere"),
        ("/v1/chat", r#"{"message":"a","preamble":"b"}"#.into(), CohereV1, "cohere"),
        (
            "/model/a.b/converse",
            r#"{"messages":[{"role":"user","content":[{"text":"a"}]}]}"#.into(),
            BedrockConverse,
            "bedrock",
        ),
        ("/model/a.b/invoke", r#"{"prompt":"a","max_gen_len":1}"#.into(), BedrockInvoke, "bedrock"),
        ("/generate", r#"{"inputs":"a","parameters":{"max_new_tokens":1}}"#.into(), HuggingFace, "huggingface"),
        ("/v1/rerank", r#"{"model":"m","query":"a","documents":["b"]}"#.into(), CohereEmbed, "unknown"),
        ("/v1/rerank", r#"{"model":"m","query":"a","documents":[]}"#.into(), CohereEmbed, "unknown"),
        ("/v1beta/interactions", r#"{"model":"m","input":"a"}"#.into(), GeminiInteractions, "gemini"),
    ];
    for (path, body, dialect, shown) in table {
        check(&format!("POST http://gateway{path}"), &body, Some(dialect), shown);
        for other in ["", "{}", r#"{"to":"x","temperature":1}"#, r#"{"model":"X200","seed":4}"#] {
            check(&format!("POST http://gateway{path}"), other, None, "unknown");
        }
    }
    let sound = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.wav\"\r\n\r\nRIFF\r\n--x--\r\n";
    for (path, dialect) in [("/v1/audio/transcriptions", Some(OpenAiAudio)), ("/court/audio/transcriptions", None)] {
        let kind = vec![("content-type".to_owned(), "multipart/form-data; boundary=x".to_owned())];
        let call = Call::http("POST", &format!("http://gateway{path}"), kind, sound.into());
        assert_eq!(detect(&call), dialect, "{path}");
    }
    for read in ["/v1/responses/7", "/threads/4/runs/2", "/chat/completions/9"] {
        check(&format!("GET http://gateway{read}"), "", None, "unknown");
    }
    check("GET http://gateway/v1/responses/resp_7", "", Some(OpenAiResponses), "unknown");
}

#[test]
fn what_looks_like_a_model_call_and_is_none_speaks_no_dialect() {
    for (url, body) in [
        ("iot.example.com/v1/messages", r#"{"device":"d1","temperature":21.5}"#),
        ("clinic.example.com/surveys/7/responses", r#"{"answer":"yes","temperature":36.6,"seed":1}"#),
        ("clinic.example.com/surveys/7/responses", r#"{"model":"m","input":"yes","temperature":36.6}"#),
        ("sms.example.com/v1/messages", r#"{"to":"x","metadata":{"timestamp":"2026-01-01T09:00"}}"#),
        ("sms.example.com/v1/messages", r#"{"model":"m","messages":[{"to":"x","content":"a"}],"max_tokens":1}"#),
        ("sim.example.com/run", r#"{"inputs":{"mesh":"a"},"parameters":{"temperature":300,"seed":1}}"#),
        ("sim.example.com/generate", r#"{"inputs":"mesh a","parameters":{"temperature":300,"seed":1}}"#),
        ("serve.example.com/v2/models/m/infer", r#"{"inputs":[{"name":"x","data":[1]}],"parameters":{"top_k":1}}"#),
        ("erp.example.com/orders", r#"{"model":"X200","input":"steel","store":true,"temperature":20}"#),
        ("transit.example.com/board", r#"{"model":"x","prompt":"q","stop":"Bergen"}"#),
        ("cms.example.com/pages", r#"{"contents":[{"title":"A","parent":null}]}"#),
        ("cms.example.com/pages", r#"{"contents":[{"file_name":"A"}]}"#),
        ("cms.example.com/pages", r#"{"contents":[{"file_name":"A","parts":"two"}]}"#),
        ("shop.example.com/pages", r#"{"contents":[{"parts":[{"sku":1,"top_k":null}]}]}"#),
        ("forum.example.com/moderations", r#"{"post":1,"instructions":"a"}"#),
        ("mail.example.com/send", r#"{"model":"a","messages":[{"role":"clerk","content":"b"}]}"#),
        ("contoso.azure-api.net/shop/v1/messages", r#"{"device":"d1","temperature":21.5}"#),
    ] {
        let call = Call::http("POST", &format!("https://{url}"), Vec::new(), body.into());
        assert_eq!(detect(&call), None, "{url} {body}");
    }
}

#[test]
fn a_known_host_with_a_path_that_nobody_listed_is_judged_by_the_body() {
    let said = r#"{"model":"m","messages":[{"role":"user","content":"a"}]}"#;
    for (url, shown) in [
        ("POST https://api.minimax.io/v1/text/chatcompletion_v2", "minimax"),
        ("POST https://api.perplexity.ai/v1/sonar", "perplexity"),
    ] {
        check(url, said, Some(Dialect::OpenAiChat), shown);
        check(url, r#"{"model":"m","input":"a","temperature":1}"#, None, shown);
    }
    check("POST https://api.openai.com/v1/batches", said, None, "openai");
}

#[test]
fn a_body_decides_where_nothing_else_does() {
    use Dialect::*;
    let table = [
        (r#"{"model":"m","messages":[{"role":"user","content":"a"}]}"#, Some(OpenAiChat)),
        (r#"{"messages":[{"role":"user","content":"a"}]}"#, None),
        (r#"{"model":"m","messages":[{"text":"a"}]}"#, None),
        (r#"{"model":"m","max_tokens":9,"system":"s","messages":[{"role":"user","content":"a"}]}"#, Some(Anthropic)),
        (r#"{"model":"m","system":"s","messages":[{"role":"user","content":"a"}]}"#, Some(OpenAiChat)),
        (r#"{"anthropic_version":"v","messages":[]}"#, Some(Anthropic)),
        (r#"{"messages":[{"role":"user","content":[{"text":"a"}]}]}"#, Some(BedrockConverse)),
        (r#"{"model":"m","options":{},"messages":[{"role":"user","content":"a"}]}"#, Some(Ollama)),
        (r#"{"contents":[{"parts":[{"text":"a"}]}]}"#, Some(Gemini)),
        (r#"{"model":"m","input":[{"role":"user","content":"a"}]}"#, Some(OpenAiResponses)),
        (r#"{"model":"m","input":"a","instructions":"b"}"#, None),
        (r#"{"model":"m","input":["a"],"encoding_format":"float"}"#, None),
        (r#"{"model":"m","prompt":"a","max_tokens":1}"#, None),
        (r#"{"message":"a","chat_history":[{"role":"USER","message":"b"}]}"#, Some(CohereV1)),
        (r#"{"message":"a","chat_history":[]}"#, None),
        (r#"{"model":"m","query":"a","documents":["b"]}"#, None),
        (r#"{"inputs":"a","parameters":{}}"#, None),
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
    let said = r#"{"messages":[{"speaker":"human","text":"a"}]}"#;
    check("POST https://code.example/.api/completions/stream", said, Some(Sourcegraph), "sourcegraph");
    check("POST https://code.example/.api/completions/stream", "{}", None, "unknown");
    check("POST http://gateway/v1beta/interactions", "{}", None, "unknown");
    check("POST http://gateway/v1/predictions", r#"{"input":{}}"#, None, "unknown");
    check("GET http://gateway/v1/predictions/p", "", None, "unknown");
}

/// A conversation that proves itself.
const SAID: &str = r#"[{"role":"user","content":"a"}]"#;

#[test]
fn whatever_a_proof_asks_for_decides() {
    use Dialect::*;
    // At a path of a dialect's, at a host that nobody knows, each body lacks one thing.
    for (path, dialect, body) in [
        (
            "v1/messages",
            Anthropic,
            r#"{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a"},{"d":1}]}"#,
        ),
        ("v1/messages", Anthropic, r#"{"model":"m","messages":SAID}"#),
        ("v1/messages", Anthropic, r#"{"model":"m","max_tokens":"many","messages":SAID}"#),
        ("v1/messages/count_tokens", Anthropic, r#"{"messages":SAID}"#),
        ("v1/messages/batches", Anthropic, r#"{"requests":[{"params":{"messages":SAID}},{"custom_id":"x"}]}"#),
        ("pages", Gemini, r#"{"contents":[]}"#),
        ("pages", Gemini, r#"{"contents":[{"parts":[{"text":"a"}]},{"title":"b"}]}"#),
        ("v1/responses", OpenAiResponses, r#"{"input":"a"}"#),
        ("surveys/7/responses", OpenAiResponses, r#"{"input":[{"type":"message"}]}"#),
        ("surveys/7/responses", OpenAiResponses, r#"{"model":"m","input":[{"type":"message"},{"post":1}]}"#),
        ("surveys/7/responses", OpenAiResponses, r#"{"model":"m","input":[{"type":"steel"}]}"#),
        ("threads/runs", OpenAiAssistants, r#"{"assistant_id":7}"#),
        ("threads/runs", OpenAiAssistants, r#"{"assistant_id":""}"#),
        (
            "threads/t/runs/r/submit_tool_outputs",
            OpenAiAssistants,
            r#"{"tool_outputs":[{"tool_call_id":"a"},{"b":1}]}"#,
        ),
        ("v1/completions", OpenAiCompletions, r#"{"prompt":"a"}"#),
        ("v1/embeddings", OpenAiEmbeddings, r#"{"input":"a"}"#),
        ("audio/speech", OpenAiAudio, r#"{"input":"a"}"#),
        ("v1beta/interactions", GeminiInteractions, r#"{"input":"a"}"#),
        ("model/m/invoke", BedrockInvoke, r#"{"prompt":"a"}"#),
        ("v1/chat", CohereV1, r#"{"message":"a"}"#),
        ("v2/embed", CohereEmbed, r#"{"texts":["a"]}"#),
        ("rerank", CohereEmbed, r#"{"query":"a","model":"m"}"#),
        ("rerank", CohereEmbed, r#"{"query":"a","documents":[]}"#),
        ("v1/ocr", MistralOcr, r#"{"model":"m","document":{"id":1}}"#),
        (".api/completions/stream", Sourcegraph, r#"{"messages":[{"post":1}]}"#),
    ] {
        let body = body.replace("SAID", SAID);
        let call = Call::http("POST", &format!("https://service.example.com/{path}"), Vec::new(), body.clone().into());
        assert_ne!(detect(&call), Some(dialect), "{path} {body}");
    }
    for (path, dialect, body) in [
        ("v1/embeddings", OpenAiEmbeddings, r#"{"model":"m","messages":SAID}"#),
        ("v1beta/interactions", GeminiInteractions, r#"{"agent":"a","input":"b"}"#),
        ("model/m/converse", BedrockConverse, r#"{"promptVariables":{"q":{"text":"a"}}}"#),
        ("model/m/invoke", BedrockInvoke, r#"{"messages":SAID}"#),
    ] {
        let body = body.replace("SAID", SAID);
        let call = Call::http("POST", &format!("https://service.example.com/{path}"), Vec::new(), body.into());
        assert_eq!(detect(&call), Some(dialect), "{path}");
    }
}

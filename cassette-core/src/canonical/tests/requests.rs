//! A request in each dialect, with every part it can have.

use crate::dialect::Dialect;

/// A request, and the leaves of it that are sampling, by the beginnings of their paths.
pub(super) struct Request {
    pub(super) dialect: Dialect,
    pub(super) body: &'static str,
    pub(super) sampling: &'static [&'static str],
}

pub(super) const REQUESTS: &[Request] = &[
    Request {
        dialect: Dialect::OpenAiChat,
        body: r#"{"model":"gpt-4o-mini","messages":[{"role":"system","content":"Answer in Norwegian."},
            {"role":"user","content":[{"type":"text","text":"Look"},{"type":"image_url","image_url":{"url":"data:,x"}}],"name":"kari"},
            {"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function",
             "function":{"name":"next","arguments":"{\"to\": \"Bergen\", \"n\": 1}"}}]},
            {"role":"tool","tool_call_id":"call_1","content":"09:04"}],
            "tools":[{"type":"function","function":{"name":"next","description":"The next train","strict":true,
             "parameters":{"type":"object","properties":{"to":{"type":"string"}},"required":["to"]}}}],
            "tool_choice":{"type":"function","function":{"name":"next"}},"parallel_tool_calls":false,
            "response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object"}}},
            "reasoning_effort":"low","temperature":0.2,"top_p":1,"max_tokens":100,"seed":7,"presence_penalty":0,
            "frequency_penalty":0.5,"stop":["\n","END"],"n":2,"stream":true,"stream_options":{"include_usage":true},
            "logit_bias":{"50256":-100},"user":"u1","metadata":{"team":"rail","empty":{}}}"#,
        sampling: &["temperature", "top_p", "max_tokens", "seed", "presence_penalty", "frequency_penalty", "stop["],
    },
    Request {
        dialect: Dialect::OpenAiResponses,
        body: r#"{"model":"gpt-5","instructions":"Answer briefly.","input":[{"role":"user","content":"When?"},
            {"type":"reasoning","id":"rs_1","encrypted_content":"abc","summary":[]},
            {"type":"function_call","call_id":"c1","name":"next","arguments":"{\"to\":\"Oslo\"}"},
            {"type":"function_call_output","call_id":"c1","output":"{\"at\": \"09:04\"}"}],
            "tools":[{"type":"function","name":"next","parameters":{"type":"object"},"strict":false},{"type":"web_search"}],
            "tool_choice":"auto","text":{"format":{"type":"json_object"},"verbosity":"low"},
            "reasoning":{"effort":"high","summary":"auto"},"max_output_tokens":500,"temperature":1,
            "previous_response_id":"resp_1","store":false,"include":["reasoning.encrypted_content"]}"#,
        sampling: &["max_output_tokens", "temperature"],
    },
    Request {
        dialect: Dialect::OpenAiCompletions,
        body: r#"{"model":"davinci","prompt":"Once","suffix":"end","max_tokens":5,"echo":true,"best_of":2}"#,
        sampling: &["max_tokens"],
    },
    Request {
        dialect: Dialect::OpenAiEmbeddings,
        body: r#"{"model":"text-embedding-3-small","input":["a","b"],"dimensions":256,"encoding_format":"float"}"#,
        sampling: &[],
    },
    Request {
        dialect: Dialect::OpenAiImages,
        body: r#"{"model":"gpt-image-1","prompt":"a train","n":1,"size":"1024x1024"}"#,
        sampling: &[],
    },
    Request {
        dialect: Dialect::OpenAiAudio,
        body: r#"{"model":"tts-1","input":"Hello","voice":"alloy","speed":1.5}"#,
        sampling: &[],
    },
    Request {
        dialect: Dialect::Anthropic,
        body: r#"{"model":"claude-sonnet-4-5","max_tokens":1024,"system":[{"type":"text","text":"Be brief.",
            "cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"Hi"},
            {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"sig"},
             {"type":"tool_use","id":"toolu_1","name":"next","input":{"to":"Bergen","n":1}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"09:04","is_error":false}]}],
            "tools":[{"name":"next","description":"d","input_schema":{"type":"object","properties":{}}},
             {"type":"web_search_20250305","name":"web_search","max_uses":3}],
            "tool_choice":{"type":"tool","name":"next"},"thinking":{"type":"enabled","budget_tokens":2000},
            "output_config":{"effort":"low","format":{"type":"json_schema"}},"temperature":1,"top_k":5,
            "stop_sequences":["x"],"metadata":{"user_id":"u"},"service_tier":"auto","stream":true}"#,
        sampling: &["max_tokens", "temperature", "top_k", "stop_sequences["],
    },
    Request {
        dialect: Dialect::Gemini,
        body: r#"{"systemInstruction":{"parts":[{"text":"Be brief."}]},"contents":[{"role":"user","parts":[{"text":"Hi"},
            {"inlineData":{"mimeType":"image/png","data":"aGk="}}]},{"role":"model","parts":[{"functionCall":
            {"name":"next","args":{"to":"Oslo"}},"thoughtSignature":"s"}]}],
            "tools":[{"functionDeclarations":[{"name":"next","parameters":{"type":"OBJECT"}},{"name":"last"}]},
             {"googleSearch":{"depth":1}}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["next"]}},
            "generationConfig":{"temperature":0,"topP":0.9,"maxOutputTokens":5,"stopSequences":["x"],"candidateCount":2,
             "responseMimeType":"application/json","responseSchema":{"type":"OBJECT"},"thinkingConfig":{"thinkingBudget":0}},
            "safetySettings":[{"category":"C","threshold":"BLOCK_NONE"}],"cachedContent":"cachedContents/1"}"#,
        sampling: &[
            "generationConfig.temperature",
            "generationConfig.topP",
            "generationConfig.maxOutputTokens",
            "generationConfig.stopSequences",
        ],
    },
    Request {
        dialect: Dialect::BedrockConverse,
        body: r#"{"system":[{"text":"Be brief."},{"cachePoint":{"type":"default"}}],"messages":[{"role":"user","content":[{"text":"Hi"}]},
            {"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"next","input":{"to":"Oslo"}}}]}],
            "toolConfig":{"tools":[{"toolSpec":{"name":"next","inputSchema":{"json":{"type":"object"}}}},{"cachePoint":{"type":"default"}}],
             "toolChoice":{"tool":{"name":"next"}}},"inferenceConfig":{"maxTokens":10,"temperature":0.5},
            "additionalModelRequestFields":{"thinking":{"type":"enabled"},"other":1},"guardrailConfig":{"guardrailIdentifier":"g"}}"#,
        sampling: &["inferenceConfig"],
    },
    Request {
        dialect: Dialect::BedrockInvoke,
        body: r#"{"anthropic_version":"bedrock-2023-05-31","max_tokens":5,"system":"s","messages":[{"role":"user","content":"Hi"}]}"#,
        sampling: &["max_tokens"],
    },
    Request {
        dialect: Dialect::BedrockInvoke,
        body: r#"{"inputText":"Hi","textGenerationConfig":{"maxTokenCount":5,"other":1}}"#,
        sampling: &["textGenerationConfig.maxTokenCount"],
    },
    Request {
        dialect: Dialect::BedrockInvoke,
        body: r#"{"prompt":"<s>Hi","max_gen_len":5,"temperature":0.5,"images":["x"]}"#,
        sampling: &["max_gen_len", "temperature"],
    },
    Request {
        dialect: Dialect::CohereV1,
        body: r#"{"model":"command-r","message":"Hi","chat_history":[{"role":"USER","message":"Yo"}],"preamble":"Be brief.",
            "documents":[{"id":"1","text":"t"}],"tools":[{"name":"next","description":"d","parameter_definitions":{"to":{"type":"str"}}}],
            "tool_results":[{"call":{"name":"next"},"outputs":[{"at":"09:04"}]}],"temperature":0.3,"k":1,"stream":false}"#,
        sampling: &["temperature", "k"],
    },
    Request {
        dialect: Dialect::CohereV2,
        body: r#"{"model":"command-a","messages":[{"role":"user","content":"Hi"},{"role":"assistant","tool_plan":"p","tool_calls":
            [{"id":"1","type":"function","function":{"name":"next","arguments":"{\"to\":\"Oslo\"}"}}]}],
            "tools":[{"type":"function","function":{"name":"next","parameters":{"type":"object"}}}],"tool_choice":"REQUIRED",
            "response_format":{"type":"json_object"},"p":0.75,"k":0,"safety_mode":"OFF"}"#,
        sampling: &["p", "k"],
    },
    Request {
        dialect: Dialect::CohereEmbed,
        body: r#"{"model":"rerank-v3.5","query":"trains","documents":["a","b"],"top_n":1}"#,
        sampling: &[],
    },
    Request {
        dialect: Dialect::Ollama,
        body: r#"{"model":"llama3.2","messages":[{"role":"user","content":"Hi","images":["aGk="]},{"role":"assistant","content":"",
            "tool_calls":[{"function":{"name":"next","arguments":{"to":"Oslo"}}}]}],"tools":[{"type":"function","function":{"name":"next"}}],
            "format":{"type":"object"},"think":true,"options":{"temperature":0,"num_predict":5,"seed":1,"num_ctx":4096},"keep_alive":"5m"}"#,
        sampling: &["options.temperature", "options.num_predict", "options.seed"],
    },
    Request {
        dialect: Dialect::Ollama,
        body: r#"{"model":"llama3.2","system":"s","prompt":"p","suffix":"x","raw":true,"stream":true}"#,
        sampling: &[],
    },
    Request {
        dialect: Dialect::HuggingFace,
        body: r#"{"inputs":"Hi","parameters":{"temperature":1,"max_new_tokens":3,"return_full_text":true},"options":{"wait_for_model":true}}"#,
        sampling: &["parameters.temperature", "parameters.max_new_tokens"],
    },
];

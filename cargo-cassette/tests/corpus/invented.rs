//! Exchanges of our own making, of the shapes that the providers document: each language once, its reply plain and as a
//! stream. Where the folder of real ones is absent this is what is left of the corpus.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cargo_cassette::import::Exchange;
use cassette_core::call::Call;
use cassette_core::dialect::{Dialect, detect};
use cassette_core::reply::{Chunk, Outcome, Reply};
use cassette_core::view::view;

use crate::address::{expected, spoken};
use crate::archives::{Validator, round_trip};
use crate::checked::{Replays, check};
use crate::said::viewed;
use crate::tally::{Tally, table};

/// A request, and its reply in the two ways in which it can come.
struct Invented {
    url: &'static str,
    asked: Asked,
    plain: &'static str,
    stream: Stream,
}

enum Asked {
    Json(&'static str),
    /// Fields of a multipart body: what is said of each, and its value.
    Fields(&'static [(&'static str, &'static str)]),
}

enum Stream {
    /// It has none, or none that a client is shown.
    None,
    Events(&'static [&'static str]),
    Lines(&'static [&'static str]),
    /// An AWS event stream: the names of its events, and what they say.
    Frames(&'static [(&'static str, &'static str)]),
    /// The same, of chunks alone: the model's own events in base64.
    Chunks(&'static [&'static str]),
}

use Asked::{Fields, Json};
use Stream::{Chunks, Events, Frames, Lines};

const INVENTED: &[Invented] = &[
    Invented {
        url: "https://api.openai.com/v1/chat/completions",
        asked: Json(
            r#"{"model":"m-1","messages":[{"role":"system","content":"Answer briefly."},{"role":"user","content":[{"type":"text","text":"When?"}]},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"next","arguments":"{\"to\": \"Bergen\"}"}}]},{"role":"tool","tool_call_id":"call_1","content":"09:04"}],"tools":[{"type":"function","function":{"name":"next","parameters":{"type":"object","properties":{"to":{"type":"string"}}}}}],"tool_choice":"auto","response_format":{"type":"text"},"reasoning_effort":"low","temperature":0.5,"max_completion_tokens":90,"seed":4,"n":1,"user":"u"}"#,
        ),
        plain: r#"{"id":"c","model":"m-1-mini","choices":[{"index":0,"message":{"role":"assistant","content":"At 09:04.","tool_calls":[{"id":"call_2","type":"function","function":{"name":"next","arguments":"{\"to\":\"Oslo\"}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":30,"completion_tokens":9,"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":{"reasoning_tokens":2}}}"#,
        stream: Events(&[
            r#"{"model":"m-1-mini","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#,
            r#"{"model":"m-1-mini","choices":[{"index":0,"delta":{"content":"At "},"finish_reason":null}]}"#,
            r#"{"model":"m-1-mini","choices":[{"index":0,"delta":{"content":"09:04."},"finish_reason":null}]}"#,
            r#"{"model":"m-1-mini","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_2","type":"function","function":{"name":"next","arguments":""}}]},"finish_reason":null}]}"#,
            r#"{"model":"m-1-mini","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"to\":\"Oslo\"}"}}]},"finish_reason":null}]}"#,
            r#"{"model":"m-1-mini","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#,
            r#"{"model":"m-1-mini","choices":[],"usage":{"prompt_tokens":30,"completion_tokens":9,"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":{"reasoning_tokens":2}}}"#,
            "[DONE]",
        ]),
    },
    Invented {
        url: "https://api.openai.com/v1/responses",
        asked: Json(
            r#"{"model":"m-2","instructions":"Answer briefly.","input":[{"role":"user","content":"When?"},{"type":"function_call","call_id":"f1","name":"next","arguments":"{}"},{"type":"function_call_output","call_id":"f1","output":"09:04"}],"tools":[{"type":"function","name":"next","parameters":{"type":"object"}}],"text":{"format":{"type":"text"}},"reasoning":{"effort":"low"},"max_output_tokens":50,"store":false}"#,
        ),
        plain: r#"{"object":"response","status":"completed","model":"m-2-mini","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"At 09:04."}]},{"type":"function_call","call_id":"f2","name":"next","arguments":"{\"to\":\"Oslo\"}"}],"usage":{"input_tokens":30,"output_tokens":9,"input_tokens_details":{"cached_tokens":4},"output_tokens_details":{"reasoning_tokens":2}}}"#,
        stream: Events(&[
            r#"{"type":"response.created","response":{"object":"response","status":"in_progress","model":"m-2-mini","output":[]}}"#,
            r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"message","content":[]}}"#,
            r#"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"At "}"#,
            r#"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"09:04."}"#,
            r#"{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","call_id":"f2","name":"next","arguments":""}}"#,
            r#"{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\"to\":\"Oslo\"}"}"#,
            r#"{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","call_id":"f2","name":"next","arguments":"{\"to\":\"Oslo\"}"}}"#,
            r#"{"type":"response.completed","response":{"object":"response","status":"completed","model":"m-2-mini","output":[{"type":"message","content":[{"type":"output_text","text":"At 09:04."}]},{"type":"function_call","call_id":"f2","name":"next","arguments":"{\"to\":\"Oslo\"}"}],"usage":{"input_tokens":30,"output_tokens":9,"input_tokens_details":{"cached_tokens":4},"output_tokens_details":{"reasoning_tokens":2}}}}"#,
        ]),
    },
    Invented {
        url: "https://api.openai.com/v1/completions",
        asked: Json(r#"{"model":"m-3","prompt":"The next train","suffix":".","max_tokens":5,"echo":false}"#),
        plain: r#"{"model":"m-3","choices":[{"index":0,"text":" leaves","finish_reason":"length"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}"#,
        stream: Events(&[
            r#"{"model":"m-3","choices":[{"index":0,"text":" lea","finish_reason":null}]}"#,
            r#"{"model":"m-3","choices":[{"index":0,"text":"ves","finish_reason":"length"}]}"#,
            r#"{"model":"m-3","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1}}"#,
            "[DONE]",
        ]),
    },
    Invented {
        url: "https://api.openai.com/v1/embeddings",
        asked: Json(r#"{"model":"e-1","input":["When?","Where?"],"dimensions":2,"encoding_format":"float"}"#),
        plain: r#"{"object":"list","model":"e-1","data":[{"index":0,"embedding":[0.25,-0.5]},{"index":1,"embedding":[0.125,1e-3]}],"usage":{"prompt_tokens":4,"total_tokens":4}}"#,
        stream: Stream::None,
    },
    Invented {
        url: "https://api.openai.com/v1/images/edits",
        asked: Fields(&[
            ("name=\"model\"", "i-1"),
            ("name=\"prompt\"", "a train in snow"),
            ("name=\"image[]\"; filename=\"a.png\"\r\nContent-Type: image/png", "not really an image"),
            ("name=\"image[]\"; filename=\"b.png\"\r\nContent-Type: image/png", "nor this"),
            ("name=\"mask\"; filename=\"c.png\"\r\nContent-Type: image/png", "a mask"),
            ("name=\"size\"", "1024x1024"),
        ]),
        plain: r#"{"created":1,"data":[{"url":"https://images.example/1.png"}],"usage":{"input_tokens":40,"output_tokens":900}}"#,
        stream: Stream::None,
    },
    Invented {
        url: "https://api.openai.com/v1/audio/transcriptions",
        asked: Fields(&[
            ("name=\"model\"", "a-1"),
            ("name=\"file\"; filename=\"a.wav\"\r\nContent-Type: audio/wav", "RIFF and no sound"),
            ("name=\"prompt\"", "names of stations"),
            ("name=\"language\"", "no"),
            ("name=\"response_format\"", "json"),
        ]),
        plain: r#"{"text":"At nine.","usage":{"type":"tokens","input_tokens":20,"output_tokens":3}}"#,
        stream: Events(&[
            r#"{"type":"transcript.text.delta","delta":"At "}"#,
            r#"{"type":"transcript.text.delta","delta":"nine."}"#,
            r#"{"type":"transcript.text.done","text":"At nine.","usage":{"type":"tokens","input_tokens":20,"output_tokens":3}}"#,
        ]),
    },
    Invented {
        url: "https://api.openai.com/v1/moderations",
        asked: Json(r#"{"model":"o-1","input":[{"type":"text","text":"I miss every train."}]}"#),
        plain: r#"{"id":"modr-1","model":"o-1","results":[{"flagged":false,"categories":{"violence":false},"category_scores":{"violence":1.5e-7}}]}"#,
        stream: Stream::None,
    },
    Invented {
        url: "https://api.openai.com/v1/threads/thread_1/runs",
        asked: Json(
            r#"{"assistant_id":"asst_1","additional_instructions":"Be kind.","additional_messages":[{"role":"user","content":"When?"}],"max_prompt_tokens":99,"truncation_strategy":{"type":"auto"}}"#,
        ),
        plain: r#"{"object":"thread.run","status":"requires_action","model":"m-1","required_action":{"type":"submit_tool_outputs","submit_tool_outputs":{"tool_calls":[{"id":"call_1","type":"function","function":{"name":"next","arguments":"{\"to\":\"Oslo\"}"}}]}},"last_error":null,"usage":null}"#,
        stream: Events(&[
            r#"{"object":"thread.run","status":"queued","model":"m-1","usage":null}"#,
            r#"{"object":"thread.run","status":"requires_action","model":"m-1","required_action":{"type":"submit_tool_outputs","submit_tool_outputs":{"tool_calls":[{"id":"call_1","type":"function","function":{"name":"next","arguments":"{\"to\":\"Oslo\"}"}}]}},"last_error":null,"usage":null}"#,
            "[DONE]",
        ]),
    },
    Invented {
        url: "https://api.anthropic.com/v1/messages",
        asked: Json(
            r#"{"model":"c-1","max_tokens":90,"system":[{"type":"text","text":"Answer briefly.","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"When?"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"next","input":{"to":"Bergen"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"09:04"}]}],"tools":[{"name":"next","input_schema":{"type":"object"}}],"tool_choice":{"type":"auto"},"thinking":{"type":"enabled","budget_tokens":50},"stop_sequences":["END"],"metadata":{"user_id":"u"}}"#,
        ),
        plain: r#"{"type":"message","model":"c-1","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"At 09:04."},{"type":"tool_use","id":"t2","name":"next","input":{"to":"Oslo"}}],"stop_reason":"tool_use","usage":{"input_tokens":30,"output_tokens":9,"cache_read_input_tokens":4,"cache_creation_input_tokens":0}}"#,
        stream: Events(&[
            r#"{"type":"message_start","message":{"type":"message","model":"c-1","content":[],"stop_reason":null,"usage":{"input_tokens":30,"output_tokens":1,"cache_read_input_tokens":4,"cache_creation_input_tokens":0}}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}"#,
            r#"{"type":"content_block_stop","index":0}"#,
            r#"{"type":"ping"}"#,
            r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}"#,
            r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"At 09:04."}}"#,
            r#"{"type":"content_block_stop","index":1}"#,
            r#"{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t2","name":"next","input":{}}}"#,
            r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"to\":"}}"#,
            r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\"Oslo\"}"}}"#,
            r#"{"type":"content_block_stop","index":2}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}"#,
            r#"{"type":"message_stop"}"#,
        ]),
    },
    Invented {
        url: "https://generativelanguage.googleapis.com/v1beta/models/g-1:generateContent",
        asked: Json(
            r#"{"system_instruction":{"parts":[{"text":"Answer briefly."}]},"contents":[{"role":"user","parts":[{"text":"When?"}]},{"role":"model","parts":[{"functionCall":{"name":"next","args":{"to_city":"Bergen"}}}]},{"role":"user","parts":[{"functionResponse":{"name":"next","response":{"at":"09:04"}}}]}],"tools":[{"functionDeclarations":[{"name":"next","parameters":{"type":"OBJECT","properties":{"to_city":{"type":"STRING"}}}}]}],"generationConfig":{"temperature":0,"maxOutputTokens":90,"thinkingConfig":{"thinkingBudget":5}},"safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_NONE"}]}"#,
        ),
        plain: r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"hm","thought":true},{"text":"At 09:04."},{"functionCall":{"name":"next","args":{"to_city":"Oslo"}}}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":30,"candidatesTokenCount":9,"cachedContentTokenCount":4,"thoughtsTokenCount":2},"modelVersion":"g-1-002"}"#,
        stream: Events(&[
            r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"hm","thought":true},{"text":"At "}]},"index":0}],"usageMetadata":{"promptTokenCount":30},"modelVersion":"g-1-002"}"#,
            r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"09:04."}]},"index":0}],"modelVersion":"g-1-002"}"#,
            r#"{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"next","args":{"to_city":"Oslo"}}}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":30,"candidatesTokenCount":9,"cachedContentTokenCount":4,"thoughtsTokenCount":2},"modelVersion":"g-1-002"}"#,
        ]),
    },
    Invented {
        url: "https://generativelanguage.googleapis.com/v1beta/interactions",
        asked: Json(
            r#"{"model":"g-2","system_instruction":"Answer briefly.","input":[{"type":"user_input","content":[{"type":"text","text":"When?"}]}],"tools":[{"type":"function","name":"next","parameters":{"type":"object"}}],"generation_config":{"temperature":0,"thinking_level":"low"},"store":false}"#,
        ),
        plain: r#"{"object":"interaction","id":"i","model":"g-2","status":"requires_action","steps":[{"type":"thought","signature":"s"},{"type":"model_output","content":[{"type":"text","text":"At 09:04."}]},{"type":"function_call","id":"k","name":"next","arguments":{"to":"Oslo"}}],"usage":{"total_input_tokens":30,"total_output_tokens":9,"total_cached_tokens":0,"total_thought_tokens":2}}"#,
        stream: Events(&[
            r#"{"event_type":"interaction.created","interaction":{"object":"interaction","id":"i","model":"g-2","status":"in_progress"}}"#,
            r#"{"event_type":"step.start","index":0,"step":{"type":"thought"}}"#,
            r#"{"event_type":"step.stop","index":0}"#,
            r#"{"event_type":"step.start","index":1,"step":{"type":"model_output"}}"#,
            r#"{"event_type":"step.delta","index":1,"delta":{"type":"text","text":"At "}}"#,
            r#"{"event_type":"step.delta","index":1,"delta":{"type":"text","text":"09:04."}}"#,
            r#"{"event_type":"step.start","index":2,"step":{"type":"function_call","id":"k","name":"next","arguments":{}}}"#,
            r#"{"event_type":"step.delta","index":2,"delta":{"type":"arguments_delta","arguments":"{\"to\":\"Oslo\"}"}}"#,
            r#"{"event_type":"interaction.completed","interaction":{"status":"requires_action","usage":{"total_input_tokens":30,"total_output_tokens":9,"total_cached_tokens":0,"total_thought_tokens":2}}}"#,
            "[DONE]",
        ]),
    },
    Invented {
        url: "https://bedrock-runtime.eu-north-1.amazonaws.com/model/a.b-v1%3A0/converse",
        asked: Json(
            r#"{"system":[{"text":"Answer briefly."}],"messages":[{"role":"user","content":[{"text":"When?"}]}],"toolConfig":{"tools":[{"toolSpec":{"name":"next","inputSchema":{"json":{"type":"object"}}}}],"toolChoice":{"auto":{}}},"inferenceConfig":{"maxTokens":9,"temperature":0},"guardrailConfig":{"guardrailIdentifier":"g","guardrailVersion":"1"}}"#,
        ),
        plain: r#"{"output":{"message":{"role":"assistant","content":[{"text":"At 09:04."},{"toolUse":{"toolUseId":"t","name":"next","input":{"to":"Oslo"}}}]}},"stopReason":"tool_use","usage":{"inputTokens":30,"outputTokens":9,"totalTokens":39}}"#,
        stream: Frames(&[
            ("messageStart", r#"{"p":"abc","role":"assistant"}"#),
            ("contentBlockDelta", r#"{"contentBlockIndex":0,"delta":{"text":"At "},"p":"ab"}"#),
            ("contentBlockDelta", r#"{"contentBlockIndex":0,"delta":{"text":"09:04."},"p":"a"}"#),
            (
                "contentBlockStart",
                r#"{"contentBlockIndex":1,"start":{"toolUse":{"name":"next","toolUseId":"t"}},"p":"a"}"#,
            ),
            (
                "contentBlockDelta",
                r#"{"contentBlockIndex":1,"delta":{"toolUse":{"input":"{\"to\":\"Oslo\"}"}},"p":"a"}"#,
            ),
            ("messageStop", r#"{"p":"a","stopReason":"tool_use"}"#),
            (
                "metadata",
                r#"{"metrics":{"latencyMs":5},"p":"a","usage":{"inputTokens":30,"outputTokens":9,"totalTokens":39}}"#,
            ),
        ]),
    },
    Invented {
        url: "https://bedrock-runtime.eu-north-1.amazonaws.com/model/a.b-v1%3A0/count-tokens",
        asked: Json(
            r#"{"input":{"converse":{"system":[{"text":"Answer briefly."}],"messages":[{"role":"user","content":[{"text":"When?"}]}]}}}"#,
        ),
        plain: r#"{"inputTokens":12}"#,
        stream: Stream::None,
    },
    Invented {
        url: "https://bedrock-runtime.eu-north-1.amazonaws.com/model/c.d-v1%3A0/invoke",
        asked: Json(
            r#"{"anthropic_version":"bedrock-2023-05-31","max_tokens":9,"system":"Answer briefly.","messages":[{"role":"user","content":"When?"}]}"#,
        ),
        plain: r#"{"type":"message","model":"c-1","content":[{"type":"text","text":"At 09:04."}],"stop_reason":"end_turn","usage":{"input_tokens":30,"output_tokens":9}}"#,
        stream: Chunks(&[
            r#"{"type":"message_start","message":{"type":"message","model":"c-1","content":[],"usage":{"input_tokens":30,"output_tokens":1}}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"At 09:04."}}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}"#,
            r#"{"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":30,"outputTokenCount":9}}"#,
        ]),
    },
    Invented {
        url: "https://api.cohere.com/v1/chat",
        asked: Json(
            r#"{"model":"k-1","message":"When?","chat_history":[{"role":"USER","message":"Hi"}],"preamble":"Answer briefly.","documents":[{"id":"1","text":"09:04"}],"temperature":0.3}"#,
        ),
        plain: r#"{"text":"At 09:04.","finish_reason":"COMPLETE","meta":{"tokens":{"input_tokens":30,"output_tokens":9}}}"#,
        stream: Lines(&[
            r#"{"is_finished":false,"event_type":"stream-start","generation_id":"g"}"#,
            r#"{"is_finished":false,"event_type":"text-generation","text":"At "}"#,
            r#"{"is_finished":false,"event_type":"text-generation","text":"09:04."}"#,
            r#"{"is_finished":true,"event_type":"stream-end","finish_reason":"COMPLETE","response":{"text":"At 09:04.","meta":{"tokens":{"input_tokens":30,"output_tokens":9}}}}"#,
        ]),
    },
    Invented {
        url: "https://api.cohere.com/v2/chat",
        asked: Json(
            r#"{"model":"k-2","messages":[{"role":"system","content":"Answer briefly."},{"role":"user","content":"When?"}],"tools":[{"type":"function","function":{"name":"next","parameters":{"type":"object"}}}],"p":0.5,"safety_mode":"NONE"}"#,
        ),
        plain: r#"{"id":"i","message":{"role":"assistant","content":[{"type":"text","text":"At 09:04."}],"tool_calls":[{"id":"t","type":"function","function":{"name":"next","arguments":"{\"to\":\"Oslo\"}"}}]},"finish_reason":"TOOL_CALL","usage":{"billed_units":{"input_tokens":3},"tokens":{"input_tokens":30,"output_tokens":9}}}"#,
        stream: Events(&[
            r#"{"type":"message-start","delta":{"message":{"role":"assistant","content":[]}}}"#,
            r#"{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}}"#,
            r#"{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"At 09:04."}}}}"#,
            r#"{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"t","type":"function","function":{"name":"next","arguments":""}}}}}"#,
            r#"{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"{\"to\":\"Oslo\"}"}}}}}"#,
            r#"{"type":"message-end","delta":{"finish_reason":"TOOL_CALL","usage":{"tokens":{"input_tokens":30,"output_tokens":9}}}}"#,
        ]),
    },
    Invented {
        url: "https://api.cohere.com/v2/rerank",
        asked: Json(r#"{"model":"k-3","query":"trains","documents":["a timetable","a recipe"],"top_n":1}"#),
        plain: r#"{"results":[{"index":0,"relevance_score":0.875}],"meta":{"billed_units":{"search_units":1}}}"#,
        stream: Stream::None,
    },
    Invented {
        url: "http://localhost:11434/api/chat",
        asked: Json(
            r#"{"model":"l-1","messages":[{"role":"user","content":"When?","images":["aGk="]}],"tools":[{"type":"function","function":{"name":"next"}}],"think":true,"stream":false,"options":{"temperature":0,"num_ctx":4096},"keep_alive":"5m"}"#,
        ),
        plain: r#"{"model":"l-1","message":{"role":"assistant","content":"At 09:04.","tool_calls":[{"function":{"name":"next","arguments":{"to":"Oslo"}}}]},"done":true,"done_reason":"stop","prompt_eval_count":30,"eval_count":9}"#,
        stream: Lines(&[
            r#"{"model":"l-1","message":{"role":"assistant","content":"At "},"done":false}"#,
            r#"{"model":"l-1","message":{"role":"assistant","content":"09:04.","tool_calls":[{"function":{"name":"next","arguments":{"to":"Oslo"}}}]},"done":false}"#,
            r#"{"model":"l-1","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":30,"eval_count":9}"#,
        ]),
    },
    Invented {
        url: "https://api-inference.huggingface.co/models/o/m",
        asked: Json(r#"{"inputs":"The next train","parameters":{"max_new_tokens":2,"return_full_text":false}}"#),
        plain: r#"[{"generated_text":" leaves","details":{"finish_reason":"length","generated_tokens":2}}]"#,
        stream: Events(&[
            r#"{"index":1,"token":{"id":1,"text":" lea","special":false},"generated_text":null,"details":null}"#,
            r#"{"index":2,"token":{"id":2,"text":"ves","special":false},"generated_text":null,"details":null}"#,
            r#"{"index":3,"token":{"id":3,"text":"</s>","special":true},"generated_text":" leaves","details":{"finish_reason":"length","generated_tokens":2}}"#,
        ]),
    },
    Invented {
        url: "https://api.mistral.ai/v1/ocr",
        asked: Json(
            r#"{"model":"o-2","document":{"type":"document_url","document_url":"https://documents.example/timetable.pdf"},"pages":[0,1],"include_image_base64":false}"#,
        ),
        plain: r##"{"model":"o-2","pages":[{"index":0,"markdown":"# Bergen\n"},{"index":1,"markdown":"09:04"}],"usage_info":{"pages_processed":2}}"##,
        stream: Stream::None,
    },
    Invented {
        url: "https://api.mistral.ai/v1/fim/completions",
        asked: Json(r#"{"model":"f-1","prompt":"fn next() {","suffix":"}","max_tokens":9,"temperature":0}"#),
        plain: r#"{"model":"f-1","choices":[{"index":0,"message":{"role":"assistant","content":" 904 "},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2}}"#,
        stream: Events(&[
            r#"{"model":"f-1","choices":[{"index":0,"delta":{"content":" 90"},"finish_reason":null}]}"#,
            r#"{"model":"f-1","choices":[{"index":0,"delta":{"content":"4 "},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2}}"#,
            "[DONE]",
        ]),
    },
    Invented {
        url: "https://api.mistral.ai/v1/conversations",
        asked: Json(
            r#"{"agent_id":"ag_1","inputs":[{"role":"user","content":"When?"}],"completion_args":{"temperature":0.3,"tool_choice":"auto"},"store":false}"#,
        ),
        plain: r#"{"object":"conversation.response","conversation_id":"c","outputs":[{"type":"message.output","model":"m-4","content":"At 09:04."},{"type":"function.call","tool_call_id":"k","name":"next","arguments":"{\"to\":\"Oslo\"}"}],"usage":{"prompt_tokens":30,"completion_tokens":9}}"#,
        stream: Events(&[
            r#"{"type":"conversation.response.started","conversation_id":"c"}"#,
            r#"{"type":"message.output.delta","output_index":0,"content_index":0,"model":"m-4","content":"At "}"#,
            r#"{"type":"message.output.delta","output_index":0,"content_index":0,"model":"m-4","content":"09:04."}"#,
            r#"{"type":"function.call.delta","output_index":1,"tool_call_id":"k","name":"next","arguments":"{\"to\":\"Oslo\"}"}"#,
            r#"{"type":"conversation.response.done","usage":{"prompt_tokens":30,"completion_tokens":9}}"#,
        ]),
    },
    Invented {
        url: "https://eu-de.ml.cloud.ibm.com/ml/v1/text/generation?version=2025-01-01",
        asked: Json(
            r#"{"model_id":"w-1","project_id":"p","input":"The next train","parameters":{"decoding_method":"greedy","max_new_tokens":2}}"#,
        ),
        plain: r#"{"model_id":"w-1","results":[{"generated_text":" leaves","generated_token_count":2,"input_token_count":3,"stop_reason":"max_tokens"}]}"#,
        stream: Events(&[
            r#"{"model_id":"w-1","results":[{"generated_text":" lea","generated_token_count":1,"input_token_count":3,"stop_reason":"not_finished"}]}"#,
            r#"{"model_id":"w-1","results":[{"generated_text":"ves","generated_token_count":2,"input_token_count":0,"stop_reason":"max_tokens"}]}"#,
        ]),
    },
    Invented {
        url: "https://api.replicate.com/v1/models/o/m/predictions",
        asked: Json(r#"{"input":{"prompt":"When?","system_prompt":"Answer briefly.","max_tokens":9,"style":"plain"}}"#),
        plain: r#"{"id":"p","model":"o/m","status":"succeeded","output":["At ","09:04."],"error":null,"metrics":{"input_token_count":30,"output_token_count":9}}"#,
        stream: Stream::None,
    },
    Invented {
        url: "https://code.example/.api/completions/stream?api-version=8",
        asked: Json(
            r#"{"model":"s-1","messages":[{"speaker":"human","text":"When?"},{"speaker":"assistant"}],"maxTokensToSample":90,"temperature":0,"topK":-1,"topP":-1}"#,
        ),
        plain: r#"{"completion":"At 09:04.","stopReason":"end_turn"}"#,
        stream: Events(&[r#"{"deltaText":"At "}"#, r#"{"deltaText":"09:04.","stopReason":"end_turn"}"#, "{}"]),
    },
    Invented {
        url: "https://api.fireworks.ai/inference/v1/chat/completions",
        asked: Json(
            r#"{"model":"accounts/fireworks/models/q-1","messages":[{"role":"user","content":"When?"}],"response_format":{"type":"grammar","grammar":"root ::= [0-9:]+"},"context_length_exceeded_behavior":"truncate","top_k":40,"reasoning_effort":"low","stop":["END"]}"#,
        ),
        plain: r#"{"id":"c","object":"chat.completion","model":"accounts/fireworks/models/q-1","choices":[{"index":0,"message":{"role":"assistant","content":"09:04","reasoning_content":"hm"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"total_tokens":12,"completion_tokens":3}}"#,
        stream: Events(&[
            r#"{"object":"chat.completion.chunk","model":"accounts/fireworks/models/q-1","choices":[{"index":0,"delta":{"role":"assistant"},"finish_reason":null}],"usage":null}"#,
            r#"{"object":"chat.completion.chunk","model":"accounts/fireworks/models/q-1","choices":[{"index":0,"delta":{"reasoning_content":"hm"},"finish_reason":null}],"usage":null}"#,
            r#"{"object":"chat.completion.chunk","model":"accounts/fireworks/models/q-1","choices":[{"index":0,"delta":{"content":"09:04"},"finish_reason":null}],"usage":null}"#,
            r#"{"object":"chat.completion.chunk","model":"accounts/fireworks/models/q-1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"total_tokens":12,"completion_tokens":3}}"#,
            "[DONE]",
        ]),
    },
    Invented {
        url: "http://vllm.internal:8000/v1/chat/completions",
        asked: Json(
            r#"{"model":"Qwen/Q-2","messages":[{"role":"user","content":"When?"}],"guided_json":{"type":"object"},"chat_template_kwargs":{"enable_thinking":false,"tone":"dry"},"min_p":0.1,"repetition_penalty":1.1,"seed":7,"tools":[{"type":"function","function":{"name":"next","parameters":{"type":"object"}}}],"parallel_tool_calls":false}"#,
        ),
        plain: r#"{"id":"chatcmpl-1","object":"chat.completion","model":"Qwen/Q-2","choices":[{"index":0,"message":{"role":"assistant","reasoning_content":null,"content":"{\"at\":\"09:04\"}","tool_calls":[]},"logprobs":null,"finish_reason":"stop","stop_reason":null}],"usage":{"prompt_tokens":9,"total_tokens":15,"completion_tokens":6,"prompt_tokens_details":null},"prompt_logprobs":null}"#,
        stream: Events(&[
            r#"{"id":"chatcmpl-1","object":"chat.completion.chunk","model":"Qwen/Q-2","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]}"#,
            r#"{"id":"chatcmpl-1","object":"chat.completion.chunk","model":"Qwen/Q-2","choices":[{"index":0,"delta":{"content":"{\"at\":"},"logprobs":null,"finish_reason":null}]}"#,
            r#"{"id":"chatcmpl-1","object":"chat.completion.chunk","model":"Qwen/Q-2","choices":[{"index":0,"delta":{"content":"\"09:04\"}"},"logprobs":null,"finish_reason":"stop","stop_reason":null}]}"#,
            r#"{"id":"chatcmpl-1","object":"chat.completion.chunk","model":"Qwen/Q-2","choices":[],"usage":{"prompt_tokens":9,"total_tokens":15,"completion_tokens":6}}"#,
            "[DONE]",
        ]),
    },
    // A language that nobody has seen.
    Invented {
        url: "https://oracle.example/think/v9?tenant=rail&trace=1",
        asked: Json(
            r#"{"oracle":"delphi-2","utterances":[{"from":"asker","words":["When?","Where?"]}],"mood":{"calm":0.50,"seed":7,"temperature":1},"empty":[],"nothing":null}"#,
        ),
        plain: r#"{"prophecy":{"words":"At 09:04."},"cost":{"breaths":9}}"#,
        stream: Events(&[r#"{"prophecy":{"words":"At "}}"#, r#"{"prophecy":{"words":"09:04."}}"#]),
    },
];

#[test]
fn an_exchange_in_each_language_keeps_every_promise() {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut seen: Vec<Dialect> = Vec::new();
    let mut validator = Validator::start();
    for invented in INVENTED {
        let exchanges = invented.exchanges();
        let call = &exchanges[0].call;
        seen.extend(detect(call));
        let provider = expected(&call.name).map_or("unlisted", |expected| expected.provider);
        let checked = check(&exchanges, Replays::ByteForByte);
        let tally = tallies.entry(provider.to_owned()).or_default();
        tally.files.note(true);
        tally.add(&checked.tally);
        wrong.extend(checked.wrong);
        wrong.extend(otherwise(&exchanges));
        if let Some(tape) = &checked.tape {
            validator.take(&call.name, tape);
            wrong.extend(round_trip(tape).into_iter().map(|what| format!("{}: as an archive: {what}", call.name)));
        }
    }
    wrong.extend(validator.verdict());
    println!("{}", table(&tallies));
    let missing: Vec<_> = spoken().into_iter().filter(|dialect| !seen.contains(dialect)).collect();
    assert!(missing.is_empty(), "no exchange speaks {missing:?}");
    assert!(wrong.is_empty(), "{} findings:\n{}", wrong.len(), wrong.join("\n"));
    assert!(tallies.values().all(|tally| tally.is_full() && tally.replayed.of == tally.recognised.of));
}

/// Returns the finding that a stream says something else than the plain reply.
fn otherwise(exchanges: &[Exchange]) -> Option<String> {
    let said = |exchange: &Exchange| match &exchange.reply {
        Outcome::Reply(reply) => view(&exchange.call, reply).as_ref().map(viewed),
        Outcome::Error(_) => None,
    };
    let [plain, stream] = exchanges else { return None };
    let (plain, stream) = (said(plain), said(stream));
    (plain != stream).then(|| format!("{}: plain {plain:?}, and streamed {stream:?}", exchanges[0].call.name))
}

impl Invented {
    /// Returns the exchange with the plain reply, and the one with the stream.
    fn exchanges(&self) -> Vec<Exchange> {
        let (kind, chunks) = match &self.stream {
            Stream::None => ("", Vec::new()),
            Events(events) => {
                let event = |event: &&str| format!("data: {event}\n\n").into_bytes();
                ("text/event-stream", events.iter().map(event).collect())
            }
            Lines(lines) => {
                ("application/x-ndjson", lines.iter().map(|line| format!("{line}\n").into_bytes()).collect())
            }
            Frames(events) => (EVENT_STREAM, events.iter().map(|(name, payload)| frame(name, payload)).collect()),
            Chunks(events) => {
                let chunk =
                    |event: &&str| frame("chunk", &format!(r#"{{"bytes":"{}","p":"ab"}}"#, STANDARD.encode(event)));
                (EVENT_STREAM, events.iter().map(chunk).collect())
            }
        };
        let plain = self.exchange("application/json", vec![self.plain.as_bytes().to_vec()]);
        let streamed = (!chunks.is_empty()).then(|| self.exchange(kind, chunks));
        std::iter::once(plain).chain(streamed).collect()
    }

    fn exchange(&self, kind: &str, chunks: Vec<Vec<u8>>) -> Exchange {
        let (asked, body) = match self.asked {
            Json(body) => ("application/json".to_owned(), body.to_owned()),
            Fields(fields) => {
                let field = |(said, value): &(&str, &str)| {
                    format!("--xyz\r\nContent-Disposition: form-data; {said}\r\n\r\n{value}\r\n")
                };
                let fields: String = fields.iter().map(field).collect();
                ("multipart/form-data; boundary=xyz".to_owned(), format!("{fields}--xyz--\r\n"))
            }
        };
        let headers = vec![("content-type".to_owned(), asked)];
        let chunks = chunks.into_iter().map(|bytes| Chunk { bytes, at: Some(Duration::ZERO) }).collect();
        let answered = vec![("content-type".to_owned(), kind.to_owned())];
        Exchange {
            call: Call::http("POST", self.url, headers, body.into_bytes()),
            reply: Outcome::Reply(Reply {
                status: 200,
                headers: answered,
                chunks,
                trailers: Vec::new(),
                truncated: None,
            }),
            line: None,
            note: None,
        }
    }
}

const EVENT_STREAM: &str = "application/vnd.amazon.eventstream";

/// Returns a message of an AWS event stream under the name of its event.
fn frame(name: &str, payload: &str) -> Vec<u8> {
    let number = |length: usize| u32::try_from(length).expect("a short frame").to_be_bytes();
    let sum = |bytes: &[u8]| {
        let mut sum = flate2::Crc::new();
        sum.update(bytes);
        sum.sum().to_be_bytes()
    };
    let mut head = vec![11];
    head.extend(b":event-type");
    head.push(7);
    head.extend(&number(name.len())[2..]);
    head.extend(name.bytes());
    let mut frame = [number(16 + head.len() + payload.len()), number(head.len())].concat();
    frame.extend(sum(&frame));
    frame.extend(head);
    frame.extend(payload.bytes());
    frame.extend(sum(&frame));
    frame
}

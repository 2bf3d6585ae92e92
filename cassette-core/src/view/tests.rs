use std::time::Duration;

use ::base64::Engine as _;
use ::base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;

use super::{Choice, ReplyView, Usage, view};
use crate::call::{Call, Header};
use crate::eventstream::tests::frame;
use crate::reply::{Chunk, Reply};

const CHAT: &str = "https://api.openai.com/v1/chat/completions";
const RESPONSES: &str = "https://api.openai.com/v1/responses";
const MESSAGES: &str = "https://api.anthropic.com/v1/messages";
const GEMINI: &str = "https://generativelanguage.googleapis.com/v1beta/models/g:streamGenerateContent";
const CONVERSE: &str = "https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse-stream";
const INVOKE: &str = "https://bedrock-runtime.us-east-1.amazonaws.com/model/m/invoke-with-response-stream";
const COHERE_1: &str = "https://api.cohere.com/v1/chat";
const COHERE_2: &str = "https://api.cohere.com/v2/chat";
const OLLAMA: &str = "http://localhost:11434/api/chat";
const GENERATE: &str = "http://localhost:11434/api/generate";
const HUGGING_FACE: &str = "https://api-inference.huggingface.co/models/o/m";
const AUDIO: &str = "https://api.openai.com/v1/audio/transcriptions";
const INTERACTIONS: &str = "https://generativelanguage.googleapis.com/v1beta/interactions";
const RUNS: &str = "https://api.openai.com/v1/threads/t/runs";
const CONVERSATIONS: &str = "https://api.mistral.ai/v1/conversations";
const PREDICTIONS: &str = "https://api.replicate.com/v1/predictions";
const GENERATION: &str = "https://us-south.ml.cloud.ibm.com/ml/v1/text/generation";
const CODY: &str = "https://sourcegraph.com/.api/completions/stream";
const EMBEDDINGS: &str = "https://api.openai.com/v1/embeddings";

fn read(url: &str, status: u16, headers: &[(&str, &str)], body: &[u8]) -> Option<ReplyView> {
    let call = Call::http("POST", url, Vec::new(), Vec::new());
    let headers: Vec<Header> = headers.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    let chunks = vec![Chunk { bytes: body.to_vec(), at: Some(Duration::ZERO) }];
    view(&call, &Reply { status, headers, chunks, trailers: Vec::new(), truncated: None })
}

/// Checks that every one of these bodies reads as `expected`, in the notation of [`shown`].
#[track_caller]
fn check(url: &str, bodies: &[&[u8]], expected: &str) {
    for body in bodies {
        let view = read(url, 200, &[], body).map(|view| shown(&view));
        assert_eq!(view.as_deref(), Some(expected), "{}", String::from_utf8_lossy(body));
    }
}

#[test]
fn a_name_that_comes_in_pieces_is_put_together_and_one_that_is_said_again_is_not() {
    let delta = |function: &str| {
        format!(
            r#"{{"choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":0,"id":"a","function":{{{function}}}}}]}}}}]}}"#
        )
    };
    let pieces = [r#""name":"next_""#, r#""name":"train","arguments":"""#, r#""arguments":"{}""#].map(delta);
    let again =
        [r#""name":"next_train""#, r#""name":"next_train""#, r#""name":"next_train","arguments":"{}""#].map(delta);
    for documents in [pieces, again] {
        let body = sse(&documents.each_ref().map(String::as_str));
        check(CHAT, &[&body], r#""" a=next_train{}"#);
    }
}

#[test]
fn a_reply_that_names_a_member_twice_says_what_it_says_last() {
    check(CHAT, &[br#"{"model":"m","choices":[{"message":{"content":"a","content":"Hi"}}]}"#], r#""Hi" <m>"#);
}

#[test]
fn a_line_that_is_broken_takes_no_other_with_it() {
    let lines = "{\"message\":{\"content\":\"H\"},\"done\":false}\n{\"message\":{\"content\":\"x\n{\"message\":{\"content\":\"i\"},\"done\":false}\n";
    check(OLLAMA, &[lines.as_bytes()], r#""Hi""#);
}

/// Returns the data of server-sent events.
fn sse(documents: &[&str]) -> Vec<u8> {
    let events: Vec<_> = documents.iter().map(|document| format!("data: {document}\n\n")).collect();
    events.concat().into_bytes()
}

/// Returns named messages of an AWS event stream.
fn aws(events: &[(&str, &str)]) -> Vec<u8> {
    events.iter().flat_map(|(name, payload)| frame(&[(":event-type", name)], payload.as_bytes())).collect()
}

/// Returns the chunks of an `invoke` stream.
fn chunks(documents: &[&str]) -> Vec<u8> {
    let chunk = |document: &&str| {
        let payload = format!(r#"{{"bytes":"{}","p":"abc"}}"#, STANDARD.encode(document));
        frame(&[(":event-type", "chunk")], payload.as_bytes())
    };
    documents.iter().flat_map(chunk).collect()
}

/// Writes a view on one line: `"text" (reasoning) id=name{args} !refusal [finish] | others <model in/out/c/w/r> error`.
fn shown(view: &ReplyView) -> String {
    let ReplyView { text, reasoning, tool_calls, finish, refusal, others, model, usage, error } = view.clone();
    let mut parts = vec![answer(&Choice { text, reasoning, tool_calls, finish, refusal })];
    parts.extend(others.iter().map(|other| format!("| {}", answer(other))));
    parts.extend(model.map(|model| format!("<{model}>")));
    parts.extend(usage.map(|Usage { input, output, cached, cache_written, reasoning }| {
        let counts = [input, output, cached, cache_written, reasoning];
        counts.map(|count| count.map_or("-".to_owned(), |count| count.to_string())).join("/")
    }));
    parts.extend(error.map(|error| format!("error {:?} {:?} {}", error.kind, error.code, error.message)));
    parts.join(" ")
}

fn answer(choice: &Choice) -> String {
    let mut parts = vec![format!("{:?}", choice.text)];
    if !choice.reasoning.is_empty() {
        parts.push(format!("({})", choice.reasoning));
    }
    parts.extend(choice.tool_calls.iter().map(|call| format!("{}={}{}", call.id, call.name, call.arguments)));
    parts.extend(choice.refusal.as_ref().map(|refusal| format!("!{refusal}")));
    parts.extend(choice.finish.as_ref().map(|finish| format!("[{finish}]")));
    parts.join(" ")
}

#[test]
fn chat_completions() {
    check(
        CHAT,
        &[
            br#"{"model":"m-1","choices":[{"index":0,"message":{"content":"Hi there","refusal":null,"reasoning_content":"why"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"completion_tokens_details":{"reasoning_tokens":1}}}"#,
            &sse(&[
                r#"{"model":"","choices":[],"prompt_filter_results":[]}"#,
                r#"{"model":"m-1","choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning":"wh"}}]}"#,
                r#"{"model":"m-1","choices":[{"index":0,"delta":{"reasoning_content":"y","reasoning":"y"}}]}"#,
                r#"{"model":"m-1","choices":[{"index":0,"delta":{"content":"Hi "}}],"usage":null}"#,
                r#"{"model":"m-1","choices":[{"index":0,"delta":{"content":"there"},"finish_reason":null}]}"#,
                r#"{"model":"m-1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
                r#"{"model":"m-1","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"completion_tokens_details":{"reasoning_tokens":1}}}"#,
                "[DONE]",
            ]),
        ],
        r#""Hi there" (why) [stop] <m-1> 3/2/-/-/1"#,
    );
}

#[test]
fn chat_tool_calls_are_merged_by_index() {
    check(
        CHAT,
        &[
            br#"{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\": 1}"}},{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#,
            &sse(&[
                r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"g","arguments":""}}]}}]}"#,
                r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]}}]}"#,
                r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\":"}},{"index":1,"function":{"arguments":"{}"}}]}}]}"#,
                r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"","function":{"arguments":" 1}"}}]},"finish_reason":"tool_calls"}]}"#,
            ]),
            // All of one index, told apart by their ids.
            &sse(&[
                r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\": 1}"}}]}}]}"#,
                r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"g","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#,
            ]),
        ],
        r#""" a=f{"x": 1} b=g{} [tool_calls]"#,
    );
    check(
        CHAT,
        &[br#"{"choices":[{"message":{"content":null,"function_call":{"name":"f","arguments":"{}"}},"finish_reason":"function_call"}]}"#],
        r#""" =f{} [function_call]"#,
    );
}

#[test]
fn chat_choices_refusals_and_dialects() {
    check(
        CHAT,
        &[
            br#"{"choices":[{"index":1,"message":{"content":"b"}},{"index":0,"message":{"refusal":"no"}}]}"#,
            &sse(&[
                r#"{"choices":[{"index":1,"delta":{"content":"b"}}]}"#,
                r#"{"choices":[{"index":0,"delta":{"refusal":"n"}}]}"#,
                r#"{"choices":[{"index":0,"delta":{"refusal":"o"}}]}"#,
            ]),
        ],
        r#""" !no | "b""#,
    );
    // Mistral's content in parts.
    check(
        CHAT,
        &[br#"{"choices":[{"message":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}]},{"type":"text","text":"a"}]}}]}"#],
        r#""a" (t)"#,
    );
    // Groq counts in a place of its own, Perplexity repeats the message beside the delta.
    check(
        CHAT,
        &[&sse(&[
            r#"{"choices":[{"delta":{"content":"a"},"message":{"content":"a"}}]}"#,
            r#"{"choices":[{"delta":{"content":"b"},"message":{"content":"ab"}}],"x_groq":{"usage":{"prompt_tokens":1,"completion_tokens":2}}}"#,
        ])],
        r#""ab" 1/2/-/-/-"#,
    );
    check(
        CHAT,
        &[&sse(&[r#"{"choices":[{"delta":{"content":"a"}}]}"#, r#"{"error":{"message":"m","code":500}}"#])],
        r#""a" error None Some("500") m"#,
    );
    check(
        "https://api.openai.com/v1/completions",
        &[
            br#"{"choices":[{"text":"ab","index":0,"finish_reason":"length"}]}"#,
            &sse(&[
                r#"{"choices":[{"text":"a","index":0}]}"#,
                r#"{"choices":[{"text":"b","index":0,"finish_reason":"length"}]}"#,
            ]),
            // Together says it twice.
            &sse(&[
                r#"{"choices":[{"text":"a","delta":{"content":"a"}}]}"#,
                r#"{"choices":[{"text":"b","delta":{"content":"b"},"finish_reason":"length"}]}"#,
            ]),
        ],
        r#""ab" [length]"#,
    );
}

#[test]
fn responses() {
    let whole = r#"{"object":"response","model":"m","status":"completed","error":null,"output":[{"type":"reasoning","summary":[{"type":"summary_text","text":"th"}]},{"type":"web_search_call","id":"w"},{"type":"message","content":[{"type":"output_text","text":"Hi"},{"type":"refusal","refusal":"no"}]},{"type":"function_call","id":"fc","call_id":"c","name":"f","arguments":"{\"x\":1}"}],"usage":{"input_tokens":5,"input_tokens_details":{"cached_tokens":0},"output_tokens":6,"output_tokens_details":{"reasoning_tokens":2}}}"#;
    let deltas = [
        r#"{"type":"response.created","response":{"model":"m","status":"in_progress","output":[],"usage":null}}"#,
        r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","summary":[]}}"#,
        r#"{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"th"}"#,
        r#"{"type":"response.output_item.added","output_index":2,"item":{"type":"message","content":[]}}"#,
        r#"{"type":"response.output_text.delta","output_index":2,"content_index":0,"delta":"H","obfuscation":"x"}"#,
        r#"{"type":"response.output_text.delta","output_index":2,"content_index":0,"delta":"i"}"#,
        r#"{"type":"response.output_text.done","output_index":2,"content_index":0,"text":"Hi"}"#,
        r#"{"type":"response.refusal.delta","output_index":2,"content_index":1,"delta":"no"}"#,
        r#"{"type":"response.output_item.added","output_index":3,"item":{"type":"function_call","call_id":"c","name":"f","arguments":""}}"#,
        r#"{"type":"response.function_call_arguments.delta","output_index":3,"delta":"{\"x\":1}"}"#,
        r#"{"type":"response.output_item.done","output_index":3,"item":{"type":"function_call","call_id":"c","name":"f","arguments":"{\"x\":1}"}}"#,
    ];
    let last = format!(r#"{{"type":"response.completed","response":{whole}}}"#);
    let stream = sse(&[&deltas[..], &[&last]].concat());
    check(RESPONSES, &[whole.as_bytes(), &stream], r#""Hi" (th) c=f{"x":1} !no [completed] <m> 5/6/0/-/2"#);
    check(RESPONSES, &[&sse(&deltas), &sse(&deltas[..10])], r#""Hi" (th) c=f{"x":1} !no <m>"#);
    check(
        RESPONSES,
        &[br#"{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}"#],
        r#""" [max_output_tokens]"#,
    );
    check(RESPONSES, &[&sse(&[r#"{"type":"error","code":"c","message":"m"}"#])], r#""" error None Some("c") m"#);
}

#[test]
fn anthropic() {
    check(
        MESSAGES,
        &[
            br#"{"type":"message","model":"c","content":[{"type":"thinking","thinking":"th","signature":"s"},{"type":"text","text":"Hi"},{"type":"server_tool_use","id":"s","name":"web","input":{"q":1}},{"type":"tool_use","id":"t","name":"f","input":{"x":[1,2.0]}},{"type":"tool_use","id":"u","name":"g","input":{}}],"stop_reason":"tool_use","usage":{"input_tokens":5,"output_tokens":9,"cache_read_input_tokens":0,"cache_creation_input_tokens":3}}"#,
            &sse(&[
                r#"{"type":"message_start","message":{"model":"c","content":[],"stop_reason":null,"usage":{"input_tokens":5,"output_tokens":1,"cache_read_input_tokens":0,"cache_creation_input_tokens":3}}}"#,
                r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
                r#"{"type":"ping"}"#,
                r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"th"}}"#,
                r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}"#,
                r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}"#,
                r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Hi"}}"#,
                r#"{"type":"content_block_start","index":2,"content_block":{"type":"server_tool_use","id":"s","name":"web","input":{}}}"#,
                r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"q\":1}"}}"#,
                r#"{"type":"content_block_stop","index":2}"#,
                r#"{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}"#,
                r#"{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":""}}"#,
                r#"{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"x\":[1,"}}"#,
                r#"{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"2.0]}"}}"#,
                r#"{"type":"content_block_stop","index":3}"#,
                r#"{"type":"content_block_start","index":4,"content_block":{"type":"tool_use","id":"u","name":"g","input":{}}}"#,
                r#"{"type":"content_block_stop","index":4}"#,
                r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}"#,
                r#"{"type":"message_stop"}"#,
            ]),
        ],
        r#""Hi" (th) t=f{"x":[1,2.0]} u=g{} [tool_use] <c> 5/9/0/3/-"#,
    );
    check("https://api.anthropic.com/v1/messages/count_tokens", &[br#"{"input_tokens":7}"#], r#""" 7/-/-/-/-"#);
    check(
        MESSAGES,
        &[&sse(&[r#"{"type":"error","error":{"type":"overloaded_error","message":"m"}}"#])],
        r#""" error Some("overloaded_error") None m"#,
    );
}

#[test]
fn gemini() {
    let first = r#"{"candidates":[{"content":{"parts":[{"text":"th","thought":true},{"text":"H"}]}}],"usageMetadata":{"promptTokenCount":4,"candidatesTokenCount":1},"modelVersion":"g"}"#;
    let last = r#"{"candidates":[{"content":{"parts":[{"text":"i"},{"functionCall":{"name":"f","args":{"x":1}},"thoughtSignature":"s"},{"functionCall":{"id":"k","name":"g"}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":4,"candidatesTokenCount":2,"thoughtsTokenCount":3,"cachedContentTokenCount":1}}"#;
    let crlf = format!("data: {first}\r\n\r\ndata: {last}\r\n\r\n");
    check(
        GEMINI,
        &[
            br#"{"candidates":[{"content":{"parts":[{"text":"th","thought":true},{"text":"Hi"},{"functionCall":{"name":"f","args":{"x":1}}},{"functionCall":{"id":"k","name":"g","args":{}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":4,"candidatesTokenCount":2,"thoughtsTokenCount":3,"cachedContentTokenCount":1},"modelVersion":"g"}"#,
            crlf.as_bytes(),
            format!("[{first}\n,\r\n{last}\n]").as_bytes(),
            format!("[{first}\n,\r\n{last}\n").as_bytes(),
        ],
        r#""Hi" (th) =f{"x":1} k=g{} [STOP] <g> 4/2/1/-/3"#,
    );
    check(GEMINI, &[br#"{"candidates":[{"finishReason":1}]}"#], r#""" [1]"#);
    check(
        "https://aiplatform.googleapis.com/v1/publishers/google/models/g:predict",
        &[br#"{"predictions":[{"embeddings":{"statistics":{"token_count":2}}},{"embeddings":{"statistics":{"token_count":3}}}]}"#],
        r#""" 5/-/-/-/-"#,
    );
    check(GEMINI, &[br#"{"promptFeedback":{"blockReason":"SAFETY"}}"#], r#""" [SAFETY]"#);
    check(GEMINI, &[br#"[{"error":{"code":400,"message":"m","status":"S"}}]"#], r#""" error Some("S") Some("400") m"#);
}

#[test]
fn bedrock_converse() {
    let stream = aws(&[
        ("messageStart", r#"{"p":"ab","role":"assistant"}"#),
        ("contentBlockDelta", r#"{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"th"}},"p":"a"}"#),
        ("contentBlockDelta", r#"{"contentBlockIndex":1,"delta":{"text":"H"},"p":"a"}"#),
        ("contentBlockDelta", r#"{"contentBlockIndex":1,"delta":{"text":"i"},"p":"a"}"#),
        ("contentBlockStart", r#"{"contentBlockIndex":2,"start":{"toolUse":{"name":"f","toolUseId":"t"}},"p":"a"}"#),
        ("contentBlockDelta", r#"{"contentBlockIndex":2,"delta":{"toolUse":{"input":"{\"x\":"}},"p":"a"}"#),
        ("contentBlockDelta", r#"{"contentBlockIndex":2,"delta":{"toolUse":{"input":"1}"}},"p":"a"}"#),
        ("contentBlockStop", r#"{"contentBlockIndex":2,"p":"a"}"#),
        ("messageStop", r#"{"stopReason":"tool_use","p":"a"}"#),
        ("metadata", r#"{"usage":{"inputTokens":4,"outputTokens":5,"cacheReadInputTokens":0},"p":"a"}"#),
    ]);
    check(
        CONVERSE,
        &[
            br#"{"output":{"message":{"content":[{"reasoningContent":{"reasoningText":{"text":"th","signature":"s"}}},{"text":"Hi"},{"toolUse":{"toolUseId":"t","name":"f","input":{"x":1}}}]}},"stopReason":"tool_use","usage":{"inputTokens":4,"outputTokens":5,"cacheReadInputTokens":0}}"#,
            &stream,
        ],
        r#""Hi" (th) t=f{"x":1} [tool_use] 4/5/0/-/-"#,
    );
    let cut = &stream[..stream.len() - 200];
    assert!(shown(&read(CONVERSE, 200, &[], cut).unwrap()).starts_with(r#""Hi" (th) t=f"#));
    let exception =
        frame(&[(":message-type", "exception"), (":exception-type", "throttlingException")], br#"{"message":"m"}"#);
    check(CONVERSE, &[&exception], r#""" error Some("throttlingException") None m"#);
}

#[test]
fn bedrock_invoke() {
    check(
        INVOKE,
        &[
            br#"{"type":"message","model":"c","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":2}}"#,
            &chunks(&[
                r#"{"type":"message_start","message":{"model":"c","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}"#,
                r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}"#,
                r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}"#,
                r#"{"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":1,"outputTokenCount":2}}"#,
            ]),
        ],
        r#""Hi" [end_turn] <c> 1/2/-/-/-"#,
    );
    check(
        INVOKE,
        &[
            br#"{"inputTextTokenCount":3,"results":[{"tokenCount":2,"outputText":"Hi","completionReason":"FINISH"}]}"#,
            &chunks(&[
                r#"{"outputText":"H","index":0,"totalOutputTextTokenCount":null,"completionReason":null,"inputTextTokenCount":3}"#,
                r#"{"outputText":"i","index":0,"totalOutputTextTokenCount":2,"completionReason":"FINISH","inputTextTokenCount":null}"#,
            ]),
        ],
        r#""Hi" [FINISH] 3/2/-/-/-"#,
    );
    let llama = br#"{"generation":"Hi","prompt_token_count":3,"generation_token_count":2,"stop_reason":"stop"}"#;
    let nova = chunks(&[
        r#"{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"Hi"}}}"#,
        r#"{"messageStop":{"stopReason":"stop"}}"#,
        r#"{"metadata":{"usage":{"inputTokens":3,"outputTokens":2}}}"#,
    ]);
    check(INVOKE, &[llama, &nova], r#""Hi" [stop] 3/2/-/-/-"#);
    let headers = [("x-amzn-bedrock-input-token-count", "3"), ("x-amzn-bedrock-output-token-count", "2")];
    let view = read(INVOKE, 200, &headers, br#"{"outputs":[{"text":"Hi","stop_reason":"stop"}]}"#).unwrap();
    assert_eq!(shown(&view), r#""Hi" [stop] 3/2/-/-/-"#);
}

#[test]
fn cohere() {
    check(
        COHERE_1,
        &[
            br#"{"text":"Hi","finish_reason":"COMPLETE","tool_calls":[{"name":"f","parameters":{"x":1}}],"meta":{"billed_units":{"input_tokens":1},"tokens":{"input_tokens":3,"output_tokens":2}}}"#,
            br#"{"is_finished":false,"event_type":"stream-start","generation_id":"g"}
{"is_finished":false,"event_type":"text-generation","text":"H"}
{"is_finished":false,"event_type":"text-generation","text":"i"}
{"is_finished":true,"event_type":"stream-end","finish_reason":"COMPLETE","response":{"text":"Hi","tool_calls":[{"name":"f","parameters":{"x":1}}],"meta":{"tokens":{"input_tokens":3,"output_tokens":2}}}}
"#,
        ],
        r#""Hi" =f{"x":1} [COMPLETE] 3/2/-/-/-"#,
    );
    check(
        COHERE_2,
        &[
            br#"{"message":{"role":"assistant","tool_plan":"p","content":[{"type":"thinking","thinking":"th"},{"type":"text","text":"Hi"}],"tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},"finish_reason":"TOOL_CALL","usage":{"billed_units":{"input_tokens":1},"tokens":{"input_tokens":3,"output_tokens":2},"cached_tokens":0}}"#,
            &sse(&[
                r#"{"type":"message-start","delta":{"message":{"role":"assistant","content":[],"tool_plan":"","tool_calls":[]}}}"#,
                r#"{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"p"}}}"#,
                r#"{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"thinking","thinking":""}}}}"#,
                r#"{"type":"content-delta","index":0,"delta":{"message":{"content":{"thinking":"th"}}}}"#,
                r#"{"type":"content-start","index":1,"delta":{"message":{"content":{"type":"text","text":""}}}}"#,
                r#"{"type":"content-delta","index":1,"delta":{"message":{"content":{"text":"Hi"}}}}"#,
                r#"{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"t","type":"function","function":{"name":"f","arguments":""}}}}}"#,
                r#"{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"{\"x\":1}"}}}}}"#,
                r#"{"type":"tool-call-end","index":0}"#,
                r#"{"type":"message-end","delta":{"finish_reason":"TOOL_CALL","usage":{"tokens":{"input_tokens":3,"output_tokens":2},"cached_tokens":0}}}"#,
                "[DONE]",
            ]),
        ],
        r#""Hi" (pth) t=f{"x":1} [TOOL_CALL] 3/2/0/-/-"#,
    );
}

#[test]
fn ollama() {
    check(
        OLLAMA,
        &[
            br#"{"model":"q","message":{"role":"assistant","content":"Hi","thinking":"th","tool_calls":[{"function":{"name":"f","arguments":{"x":1}}}]},"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":2}"#,
            br#"{"model":"q","message":{"content":"","thinking":"th"},"done":false}
{"model":"q","message":{"content":"H"},"done":false}
{"model":"q","message":{"content":"i","tool_calls":[{"function":{"name":"f","arguments":{"x":1}}}]},"done":false}
{"model":"q","message":{"content":""},"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":2}
"#,
        ],
        r#""Hi" (th) =f{"x":1} [stop] <q> 3/2/-/-/-"#,
    );
    check(GENERATE, &[b"{\"response\":\"H\"}\n{\"response\":\"i\",\"context\":[1]}\n{\"respon"], r#""Hi""#);
    check(OLLAMA, &[br#"{"error":"model not found"}"#], r#""" error None None model not found"#);
}

#[test]
fn hugging_face() {
    check(
        HUGGING_FACE,
        &[
            br#"[{"generated_text":"Hi","details":{"finish_reason":"length","generated_tokens":2}}]"#,
            &sse(&[
                r#"{"index":1,"token":{"text":"Hi","special":false},"generated_text":null,"details":null}"#,
                r#"{"index":2,"token":{"text":"</s>","special":true},"generated_text":"Hi","details":{"finish_reason":"length","generated_tokens":2}}"#,
            ]),
        ],
        r#""Hi" [length] -/2/-/-/-"#,
    );
}

#[test]
fn gemini_interactions() {
    check(
        INTERACTIONS,
        &[
            br#"{"object":"interaction","model":"g","status":"requires_action","steps":[{"type":"thought","summary":[{"type":"text","text":"th"}],"signature":"s"},{"type":"model_output","content":[{"type":"text","text":"Hi"}]},{"type":"function_call","id":"k","name":"f","arguments":{"x":1}}],"usage":{"total_input_tokens":4,"total_output_tokens":2,"total_thought_tokens":3,"total_cached_tokens":0}}"#,
            // As the API was at first.
            br#"{"model":"g","status":"requires_action","outputs":[{"type":"thought","summary":[{"text":"th"}]},{"type":"text","text":"Hi"},{"type":"function_call","id":"k","name":"f","arguments":{"x":1}}],"usage":{"total_input_tokens":4,"total_output_tokens":2,"total_thought_tokens":3,"total_cached_tokens":0}}"#,
            &sse(&[
                r#"{"event_type":"interaction.created","interaction":{"model":"g","status":"in_progress"}}"#,
                r#"{"event_type":"interaction.status_update","status":"in_progress"}"#,
                r#"{"event_type":"step.start","index":0,"step":{"type":"thought"}}"#,
                r#"{"event_type":"step.delta","index":0,"delta":{"type":"thought_summary","content":{"type":"text","text":"th"}}}"#,
                r#"{"event_type":"step.delta","index":0,"delta":{"type":"thought_signature","signature":"s"}}"#,
                r#"{"event_type":"step.stop","index":0}"#,
                r#"{"event_type":"step.start","index":1,"step":{"type":"model_output"}}"#,
                r#"{"event_type":"step.delta","index":1,"delta":{"type":"text","text":"H"}}"#,
                r#"{"event_type":"step.delta","index":1,"delta":{"type":"text","text":"i"}}"#,
                r#"{"event_type":"step.start","index":2,"step":{"type":"function_call","id":"k","name":"f","arguments":{}}}"#,
                r#"{"event_type":"step.delta","index":2,"delta":{"type":"arguments_delta","arguments":"{\"x\":"}}"#,
                r#"{"event_type":"step.delta","index":2,"delta":{"type":"arguments_delta","arguments":"1}"}}"#,
                r#"{"event_type":"step.stop","index":2}"#,
                r#"{"event_type":"interaction.completed","interaction":{"status":"requires_action","usage":{"total_input_tokens":4,"total_output_tokens":2,"total_thought_tokens":3,"total_cached_tokens":0}}}"#,
                "[DONE]",
            ]),
        ],
        r#""Hi" (th) k=f{"x":1} [requires_action] <g> 4/2/0/-/3"#,
    );
    check(
        INTERACTIONS,
        &[&sse(&[
            r#"{"event_type":"content.start","index":0,"content":{"type":"function_call","id":"k","name":"f","arguments":{}}}"#,
            r#"{"event_type":"content.stop","index":0}"#,
        ])],
        r#""" k=f{}"#,
    );
    check(INTERACTIONS, &[br#"{"error":{"code":"c","message":"m"}}"#], r#""" error None Some("c") m"#);
}

#[test]
fn assistants() {
    let run = r#"{"object":"thread.run","status":"requires_action","model":"m","required_action":{"submit_tool_outputs":{"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}},"last_error":null,"usage":null}"#;
    check(RUNS, &[run.as_bytes(), &sse(&[run, "[DONE]"])], r#""" c=f{} [requires_action] <m>"#);
    check(
        RUNS,
        &[&sse(&[
            r#"{"object":"thread.run","status":"queued","model":"m","usage":null}"#,
            r#"{"object":"thread.message","role":"assistant","content":[]}"#,
            r#"{"object":"thread.message.delta","delta":{"content":[{"index":0,"type":"text","text":{"value":"H","annotations":[]}}]}}"#,
            r#"{"object":"thread.message.delta","delta":{"content":[{"index":0,"type":"text","text":{"value":"i"}}]}}"#,
            r#"{"object":"thread.message","role":"assistant","content":[{"type":"text","text":{"value":"Hi"}}]}"#,
            r#"{"object":"thread.run","status":"completed","model":"m","usage":{"prompt_tokens":3,"completion_tokens":2}}"#,
        ])],
        r#""Hi" [completed] <m> 3/2/-/-/-"#,
    );
    check(
        RUNS,
        &[br#"{"object":"thread.run","status":"failed","last_error":{"code":"rate_limit_exceeded","message":"m"}}"#],
        r#""" [failed] error None Some("rate_limit_exceeded") m"#,
    );
}

#[test]
fn mistral_beside_chat() {
    check(
        CONVERSATIONS,
        &[
            br#"{"object":"conversation.response","outputs":[{"type":"tool.execution","name":"web_search"},{"type":"message.output","model":"m","content":[{"type":"thinking","thinking":[{"type":"text","text":"th"}]},{"type":"text","text":"Hi"},{"type":"tool_reference"}]},{"type":"function.call","tool_call_id":"k","name":"f","arguments":"{\"x\":1}"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}"#,
            &sse(&[
                r#"{"type":"conversation.response.started"}"#,
                r#"{"type":"message.output.delta","output_index":1,"content_index":0,"model":"m","content":{"type":"thinking","thinking":[{"type":"text","text":"th"}]}}"#,
                r#"{"type":"message.output.delta","output_index":1,"content_index":1,"model":"m","content":"H"}"#,
                r#"{"type":"message.output.delta","output_index":1,"content_index":1,"content":{"type":"text","text":"i"}}"#,
                r#"{"type":"function.call.delta","output_index":2,"tool_call_id":"k","name":"f","arguments":"{\"x\":"}"#,
                r#"{"type":"function.call.delta","output_index":2,"tool_call_id":"k","name":"f","arguments":"1}"}"#,
                r#"{"type":"conversation.response.done","usage":{"prompt_tokens":3,"completion_tokens":2}}"#,
            ]),
        ],
        r#""Hi" (th) k=f{"x":1} <m> 3/2/-/-/-"#,
    );
    check(
        "https://api.mistral.ai/v1/ocr",
        &[br##"{"model":"o","pages":[{"index":0,"markdown":"# A\n"},{"index":1,"markdown":"b"}],"usage_info":{"pages_processed":2}}"##],
        r##""# A\nb" <o>"##,
    );
    check(
        "https://api.mistral.ai/v1/fim/completions",
        &[br#"{"model":"c","choices":[{"index":0,"message":{"content":"Hi"},"finish_reason":"stop"}]}"#],
        r#""Hi" [stop] <c>"#,
    );
}

#[test]
fn watsonx() {
    let host = "https://us-south.ml.cloud.ibm.com/ml/v1/text";
    check(
        &format!("{host}/generation"),
        &[br#"{"model_id":"g","results":[{"generated_text":"Hi","generated_token_count":2,"input_token_count":3,"stop_reason":"max_tokens"}]}"#],
        r#""Hi" [max_tokens] <g> 3/2/-/-/-"#,
    );
    check(
        &format!("{host}/generation_stream"),
        &[&sse(&[
            r#"{"model_id":"g","results":[{"generated_text":"H","generated_token_count":1,"input_token_count":3,"stop_reason":"not_finished"}]}"#,
            r#"{"model_id":"g","results":[{"generated_text":"i","generated_token_count":2,"input_token_count":0,"stop_reason":"max_tokens"}]}"#,
        ])],
        r#""Hi" [max_tokens] <g> 3/2/-/-/-"#,
    );
    check(
        &format!("{host}/embeddings"),
        &[br#"{"model_id":"e","results":[{"embedding":[0.1]}],"input_token_count":3}"#],
        r#""" <e> 3/-/-/-/-"#,
    );
}

#[test]
fn replicate() {
    check(
        PREDICTIONS,
        &[
            br#"{"id":"p","model":"o/m","status":"succeeded","error":null,"output":["H","i"],"metrics":{"input_token_count":3,"output_token_count":2}}"#,
            br#"{"id":"p","model":"o/m","status":"succeeded","output":"Hi","metrics":{"input_token_count":3,"output_token_count":2}}"#,
        ],
        r#""Hi" [succeeded] <o/m> 3/2/-/-/-"#,
    );
    check(
        "https://api.replicate.com/v1/models/o/m/predictions",
        &[br#"{"id":"p","status":"starting","output":null}"#],
        r#""""#,
    );
}

#[test]
fn sourcegraph() {
    check(
        "https://sourcegraph.com/.api/completions/stream?api-version=1",
        &[
            &sse(&[r#"{"completion":"H"}"#, r#"{"completion":"Hi","stopReason":"end_turn"}"#, "{}"]),
            &sse(&[r#"{"deltaText":"H"}"#, r#"{"deltaText":"i","stopReason":"end_turn"}"#, "{}"]),
            br#"{"completion":"Hi","stopReason":"end_turn"}"#,
        ],
        r#""Hi" [end_turn]"#,
    );
    check(
        "https://sourcegraph.com/.api/completions/stream?api-version=1",
        &[b"event: error\ndata: {\"error\":\"m\"}\n\n"],
        r#""" error None None m"#,
    );
}

#[test]
fn replies_without_a_conversation() {
    check(
        "https://bedrock-runtime.us-east-1.amazonaws.com/model/m/count-tokens",
        &[br#"{"inputTokens":7}"#],
        r#""" 7/-/-/-/-"#,
    );
    check(
        "https://api.openai.com/v1/moderations",
        &[br#"{"id":"modr-1","model":"omni","results":[{"flagged":false,"categories":{"hate":false}}]}"#],
        r#""" <omni>"#,
    );
    check(
        "https://api.openai.com/v1/images/edits",
        &[br#"{"created":1,"data":[{"b64_json":"aGk="}],"usage":{"input_tokens":3,"output_tokens":9}}"#],
        r#""" 3/9/-/-/-"#,
    );
    check("https://api.voyageai.com/v1/rerank", &[br#"{"data":[],"usage":{"total_tokens":4}}"#], r#""" 4/-/-/-/-"#);
    check(
        EMBEDDINGS,
        &[br#"{"model":"e","data":[{"embedding":[0.1]}],"usage":{"prompt_tokens":2}}"#],
        r#""" <e> 2/-/-/-/-"#,
    );
    check(
        AUDIO,
        &[
            br#"{"text":"Hi"}"#,
            &sse(&[
                r#"{"type":"transcript.text.delta","delta":"H"}"#,
                r#"{"type":"transcript.text.done","text":"Hi"}"#,
            ]),
        ],
        r#""Hi""#,
    );
    let plain = read(AUDIO, 200, &[("content-type", "text/plain")], b"Hi\n").map(|view| view.text);
    assert_eq!(plain.as_deref(), Some("Hi"));
    assert_eq!(
        read("https://api.openai.com/v1/audio/speech", 200, &[("content-type", "audio/mpeg")], b"\xff\xfb"),
        None
    );
    assert_eq!(read("https://api.openai.com/v1/files", 200, &[], b"{}"), None);
}

#[test]
fn a_failure_is_told_of_whatever_its_body() {
    let page = read(CHAT, 502, &[("content-type", "text/html")], b"<html>bad gateway</html>").unwrap();
    assert_eq!(page.error.unwrap().message, "<html>bad gateway</html>");
    let packed = read(CHAT, 401, &[("content-encoding", "br")], b"\x8b\xff\x00").unwrap();
    assert_eq!(packed.error.unwrap().message, "3 bytes that are no text");
    let bedrock = read(CONVERSE, 400, &[], br#"{"message":"m"}"#).unwrap();
    assert_eq!(bedrock.error.unwrap().message, "m");
    let broken = read(CHAT, 200, &[("content-type", "text/event-stream")], b"").unwrap();
    assert_eq!(broken, ReplyView::default());
}

#[test]
fn a_packed_body_is_unpacked() {
    let body = crate::redact::coding::gzip::pack(br#"{"choices":[{"message":{"content":"Hi"}}]}"#, &[0x1f]).unwrap();
    check(CHAT, &[&body], r#""Hi""#);
}

const URLS: [&str; 19] = [
    CHAT,
    RESPONSES,
    MESSAGES,
    GEMINI,
    CONVERSE,
    INVOKE,
    COHERE_1,
    COHERE_2,
    OLLAMA,
    GENERATE,
    HUGGING_FACE,
    AUDIO,
    INTERACTIONS,
    RUNS,
    CONVERSATIONS,
    PREDICTIONS,
    GENERATION,
    CODY,
    EMBEDDINGS,
];

/// Returns documents that have the right members and the wrong values.
fn documents() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec![
        "choices",
        "delta",
        "message",
        "content",
        "tool_calls",
        "index",
        "function",
        "arguments",
        "type",
        "item",
        "response",
        "output",
        "output_index",
        "content_block",
        "usage",
        "candidates",
        "parts",
        "error",
        "token",
        "contentBlockDelta",
        "contentBlockIndex",
        "bytes",
        "text",
        "id",
        "name",
    ]);
    let word = prop::sample::select(vec![
        "response.output_item.done",
        "response.output_text.delta",
        "content_block_start",
        "content_block_delta",
        "message_start",
        "tool-call-delta",
        "content-delta",
        "function_call",
        "tool_use",
        "text",
        "stream-end",
    ]);
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<u64>().prop_map(|number| number.to_string()),
        word.prop_map(|word| format!("\"{word}\"")),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|elements| format!("[{}]", elements.join(","))),
            prop::collection::btree_map(name.clone(), inner, 0..5).prop_map(|members| {
                let members: Vec<_> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(body in prop::collection::vec(any::<u8>(), 0..200), status in 100_u16..600) {
        for url in URLS {
            read(url, status, &[], &body);
        }
    }

    #[test]
    fn no_documents_make_it_panic(documents in prop::collection::vec(documents(), 1..6), cut in 0_usize..400) {
        let documents: Vec<_> = documents.iter().map(String::as_str).collect();
        for body in [sse(&documents), chunks(&documents), documents.join("\n").into_bytes()] {
            for url in URLS {
                read(url, 200, &[], &body);
                read(url, 200, &[], &body[..cut.min(body.len())]);
            }
        }
    }
}

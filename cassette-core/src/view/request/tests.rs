//! What is asked, in every shape in which the dialects ask it.

use super::{Block, asked};
use crate::call::Call;
use crate::json::Layout;

/// Checks what is read of a body, a line a piece.
#[track_caller]
fn check(url: &str, body: &str, expected: &[&str]) {
    let view = asked(&Call::http("POST", url, vec![], body.as_bytes().to_vec())).unwrap();
    let mut lines: Vec<String> = view.model.iter().map(|model| format!("model {model}")).collect();
    for message in &view.messages {
        lines.extend(message.blocks.iter().map(|block| format!("{} {}", message.role, line(block))));
    }
    lines.extend(view.tools.iter().map(|tool| format!("tool {}", tool.name)));
    lines.extend(view.settings.iter().map(|(path, value)| format!("{path} = {}", value.print(Layout::Compact))));
    assert_eq!(lines, expected);
}

fn line(block: &Block) -> String {
    match block {
        Block::Text(text) => format!("says {text}"),
        Block::Thought(text) => format!("thinks {text}"),
        Block::Call(call) => format!("calls {}({}) as {}", call.name, call.arguments, call.id),
        Block::Returned(id, text) => format!("returns {text} to {id}"),
        Block::File(file) => format!("shows {} {:?} {:?}", file.media, file.name, file.bytes.as_ref().map(Vec::len)),
        Block::Other(json) => format!("has {}", json.print(Layout::Compact)),
    }
}

#[test]
fn openai_chat() {
    check(
        "https://api.openai.com/v1/chat/completions",
        r#"{"model":"m","messages":[
            {"role":"system","content":"Be brief."},
            {"role":"user","name":"ann","content":[{"type":"text","text":"See"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]},
            {"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"look","arguments":"{\"a\":1}"}}]},
            {"role":"tool","tool_call_id":"call_1","content":"09:04"}],
          "tools":[{"type":"function","function":{"name":"look","parameters":{}}}],"temperature":0.5}"#,
        &[
            "model m",
            "system says Be brief.",
            "user says See",
            "user shows image/png None Some(3)",
            r#"user has {"name":"ann"}"#,
            r#"assistant calls look({"a":1}) as call_1"#,
            "tool returns 09:04 to call_1",
            "tool look",
            "temperature = 0.5",
        ],
    );
}

#[test]
fn openai_responses() {
    check(
        "https://api.openai.com/v1/responses",
        r#"{"model":"m","instructions":"Be brief.","input":[
            {"role":"user","content":[{"type":"input_text","text":"When?"},{"type":"input_image","image_url":"https://example.com/a.png"}]},
            {"type":"function_call","id":"fc_1","call_id":"call_1","name":"look","arguments":"{}"},
            {"type":"function_call_output","call_id":"call_1","output":"09:04"}],"store":false}"#,
        &[
            "model m",
            "system says Be brief.",
            "user says When?",
            r#"user shows image Some("https://example.com/a.png") None"#,
            "assistant calls look({}) as call_1",
            "tool returns 09:04 to call_1",
            "store = false",
        ],
    );
    check("https://api.openai.com/v1/responses", r#"{"input":"When?"}"#, &["user says When?"]);
}

#[test]
fn anthropic() {
    check(
        "https://api.anthropic.com/v1/messages",
        r#"{"model":"m","max_tokens":9,"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],"messages":[
            {"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]},
            {"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"s"},{"type":"tool_use","id":"t1","name":"look","input":{"a":1}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"09:04"}],"is_error":true}]}],
          "tools":[{"name":"look","input_schema":{}},{"type":"web_search_20250305","name":"web_search"}]}"#,
        &[
            "model m",
            "system says Be brief.",
            r#"system has {"cache_control":{"type":"ephemeral"}}"#,
            "user shows image/png None Some(3)",
            "assistant thinks Hm.",
            r#"assistant calls look({"a":1}) as t1"#,
            "user returns 09:04 to t1",
            r#"user has {"is_error":true}"#,
            "tool look",
            "tool web_search",
            "max_tokens = 9",
        ],
    );
}

#[test]
fn gemini_and_bedrock() {
    check(
        "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.0-flash:generateContent",
        r#"{"systemInstruction":{"parts":[{"text":"Be brief."}]},"contents":[
            {"role":"user","parts":[{"text":"When?"},{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]},
            {"role":"model","parts":[{"functionCall":{"name":"look","args":{"a":1}}}]},
            {"role":"user","parts":[{"functionResponse":{"name":"look","response":{"at":"09:04"}}}]}],
          "tools":[{"functionDeclarations":[{"name":"look"},{"name":"buy"}]}]}"#,
        &[
            "model gemini-2.0-flash",
            "system says Be brief.",
            "user says When?",
            "user shows image/png None Some(3)",
            r#"model calls look({"a":1}) as "#,
            r#"user returns {"at":"09:04"} to look"#,
            "tool look",
            "tool buy",
        ],
    );
    check(
        "https://bedrock-runtime.us-east-1.amazonaws.com/model/nova/converse",
        r#"{"system":[{"text":"Be brief."}],"messages":[
            {"role":"user","content":[{"text":"When?"},{"image":{"format":"png","source":{"bytes":"AAAA"}}}]},
            {"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"look","input":{}}}]},
            {"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"09:04"}]}}]}],
          "toolConfig":{"tools":[{"toolSpec":{"name":"look"}}],"toolChoice":{"auto":{}}}}"#,
        &[
            "model nova",
            "system says Be brief.",
            "user says When?",
            "user shows image/png None Some(3)",
            "assistant calls look({}) as t1",
            "user returns 09:04 to t1",
            "tool look",
            r#"toolConfig = {"toolChoice":{"auto":{}}}"#,
        ],
    );
}

#[test]
fn the_others() {
    check(
        "https://api.cohere.com/v1/chat",
        r#"{"model":"m","preamble":"Be brief.","chat_history":[{"role":"USER","message":"Hi"}],"message":"When?"}"#,
        &["model m", "system says Be brief.", "USER says Hi", "user says When?"],
    );
    check(
        "http://127.0.0.1:11434/api/chat",
        r#"{"model":"m","messages":[{"role":"user","content":"See","images":["AAAA"]}],"options":{"seed":1}}"#,
        &["model m", "user says See", "user shows image None Some(3)", r#"options = {"seed":1}"#],
    );
    check(
        "https://api.openai.com/v1/embeddings",
        r#"{"model":"m","input":["one","two"]}"#,
        &["model m", "user says one", "user says two"],
    );
}

#[test]
fn assistants_and_interactions() {
    check(
        "https://api.openai.com/v1/threads/runs",
        r#"{"assistant_id":"asst_1","instructions":"Be brief.","additional_instructions":"And polite.",
          "thread":{"messages":[{"role":"user","content":"When?"}]},"additional_messages":[{"role":"user","content":"Where?"}]}"#,
        &[
            "system says Be brief.",
            "system says And polite.",
            "user says When?",
            "user says Where?",
            r#"assistant_id = "asst_1""#,
        ],
    );
    check(
        "https://api.openai.com/v1/threads/t/runs/r/submit_tool_outputs",
        r#"{"tool_outputs":[{"tool_call_id":"call_1","output":"09:04"}]}"#,
        &["user returns 09:04 to call_1"],
    );
    check(
        "https://generativelanguage.googleapis.com/v1beta/interactions",
        r#"{"model":"g","system_instruction":"Be brief.","input":[
            {"type":"user_input","content":[{"type":"text","text":"See"},{"type":"image","data":"AAAA","mime_type":"image/png"}]},
            {"type":"thought","summary":[{"type":"text","text":"Hm."}]},
            {"type":"function_call","id":"c","name":"look","arguments":{"a":1}},
            {"type":"function_result","call_id":"c","name":"look","result":{"at":"09:04"}},
            {"type":"model_output","content":[{"type":"text","text":"At 9."}]}],
          "tools":[{"type":"function","name":"look"}],"generation_config":{"seed":3}}"#,
        &[
            "model g",
            "system says Be brief.",
            "user says See",
            "user shows image/png None Some(3)",
            "assistant thinks Hm.",
            r#"assistant calls look({"a":1}) as c"#,
            r#"tool returns {"at":"09:04"} to c"#,
            "model says At 9.",
            "tool look",
            r#"generation_config = {"seed":3}"#,
        ],
    );
    check(
        "https://generativelanguage.googleapis.com/v1beta/interactions",
        r#"{"agent":"a","input":[{"type":"text","text":"See"},{"type":"image","uri":"https://example.com/a.png"}]}"#,
        &["user says See", r#"user shows image Some("https://example.com/a.png") None"#, r#"agent = "a""#],
    );
}

#[test]
fn mistral_beside_chat() {
    check(
        "https://api.mistral.ai/v1/conversations",
        r#"{"agent_id":"ag_1","inputs":[{"object":"entry","type":"message.input","role":"user","content":"When?"},
            {"type":"function.call","tool_call_id":"k","name":"look","arguments":"{}"},
            {"type":"function.result","tool_call_id":"k","result":"09:04"},{"type":"message.output","content":"At 9."}],
          "completion_args":{"temperature":0.3}}"#,
        &[
            "user says When?",
            "assistant calls look({}) as k",
            "tool returns 09:04 to k",
            "assistant says At 9.",
            r#"agent_id = "ag_1""#,
            r#"completion_args = {"temperature":0.3}"#,
        ],
    );
    check(
        "https://api.mistral.ai/v1/ocr",
        r#"{"model":"m","document":{"type":"document_url","document_url":"https://example.com/a.pdf"},"pages":[0]}"#,
        &["model m", r#"user shows document Some("https://example.com/a.pdf") None"#, "pages = [0]"],
    );
}

#[test]
fn watsonx_replicate_and_sourcegraph() {
    check(
        "https://us-south.ml.cloud.ibm.com/ml/v1/text/generation",
        r#"{"model_id":"ibm/granite","input":"When?","parameters":{"max_new_tokens":3}}"#,
        &["model ibm/granite", "user says When?", r#"parameters = {"max_new_tokens":3}"#],
    );
    check(
        "https://api.replicate.com/v1/models/o/m/predictions",
        r#"{"input":{"prompt":"See","system_prompt":"Be brief.","image":"data:image/png;base64,AAAA","width":512},"stream":true}"#,
        &[
            "model o/m",
            "system says Be brief.",
            "user says See",
            "user shows image/png None Some(3)",
            r#"input = {"width":512}"#,
            "stream = true",
        ],
    );
    check(
        "https://api.replicate.com/v1/predictions",
        r#"{"version":"5c7d","input":{}}"#,
        &["model 5c7d", "input = {}"],
    );
    check(
        "https://sourcegraph.com/.api/completions/stream",
        r#"{"model":"m","messages":[{"speaker":"human","text":"When?"},{"speaker":"assistant","text":"At 9."}],"topK":-1}"#,
        &["model m", "human says When?", "assistant says At 9.", "topK = -1"],
    );
    // The model is told as it is called, whatever the path spells.
    check(
        "https://bedrock-runtime.us-east-1.amazonaws.com/model/a.b-v1%3A0/converse",
        r#"{"messages":[{"role":"user","content":[{"text":"When?"}]}]}"#,
        &["model a.b-v1:0", "user says When?"],
    );
}

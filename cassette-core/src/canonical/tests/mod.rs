mod collisions;
mod parts;
mod requests;
mod selection;
mod spelling;
mod structure;

use proptest::prelude::*;

use super::Canonical;
use crate::call::Call;
use crate::dialect::Dialect;
use crate::json::{Json, Layout};
use crate::key::Key;
use crate::matching::Matching;
use crate::path::{self, Path, Step};
use requests::REQUESTS;

fn call(body: &str) -> Call {
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    Call::http("POST", "https://api.example.com/v1/ask?b=2&a=1", headers, body.as_bytes().to_vec())
}

fn form(dialect: Option<Dialect>, body: &str) -> Canonical {
    Canonical::in_dialect(&call(body), dialect, &Matching::default())
}

fn key(dialect: Dialect, body: &str) -> Key {
    form(Some(dialect), body).key()
}

#[track_caller]
fn same(dialect: Dialect, a: &str, b: &str) {
    let [a, b] = [a, b].map(|body| form(Some(dialect), body));
    assert_eq!(a.parts(), b.parts());
    assert_eq!(a.key(), b.key());
}

#[track_caller]
fn different(dialect: Dialect, a: &str, b: &str) {
    let [one, other] = [a, b].map(|body| form(Some(dialect), body));
    assert_ne!(one.parts(), other.parts(), "{a} and {b}");
    assert_ne!(one.key(), other.key());
}

/// Returns the path of each leaf, empty arrays and objects among them.
fn leaves(path: &str, json: &Json, found: &mut Vec<String>) {
    match json {
        Json::Array(elements) if !elements.is_empty() => {
            let elements = elements.iter().enumerate();
            elements.for_each(|(i, element)| leaves(&format!("{path}[{i}]"), element, found));
        }
        Json::Object(members) if !members.is_empty() => {
            members.iter().for_each(|(name, value)| leaves(&path::member(path, &name.value()), value, found));
        }
        _ => found.push(path.to_owned()),
    }
}

/// Changes the leaf at this path.
fn change(json: &mut Json, path: &str) {
    let Path::Body(steps) = path.parse().unwrap() else { panic!("{path}") };
    let leaf = steps.iter().fold(json, |json, step| match (step, json) {
        (Step::Member(name), json) => json.get_mut(name).unwrap(),
        (Step::Element(at), Json::Array(elements)) => &mut elements[*at],
        _ => panic!("{path}"),
    });
    *leaf = changed(leaf);
}

fn changed(leaf: &Json) -> Json {
    match leaf {
        Json::Bool(value) => Json::Bool(!value),
        Json::String(text) => format!("{}!", text.value()).into(),
        Json::Number(number) => Json::parse(&format!("{}1", number.source())).unwrap_or(Json::Null),
        _ => "something".into(),
    }
}

#[test]
fn each_leaf_that_is_not_sampling_counts_and_sampling_does_not() {
    for request in REQUESTS {
        let whole = key(request.dialect, request.body);
        let document = Json::parse(request.body).unwrap();
        let mut found = Vec::new();
        leaves("", &document, &mut found);
        assert!(found.len() > 1, "{}", request.body);
        for path in found {
            let mut edited = document.clone();
            change(&mut edited, &path);
            let sampling = request.sampling.iter().any(|start| path.starts_with(start));
            let same = key(request.dialect, &edited.print(Layout::Compact)) == whole;
            assert_eq!(same, sampling, "{path} of {:?}, {}", request.dialect, request.body);
        }
    }
}

#[test]
fn each_member_that_is_taken_away_counts() {
    for request in REQUESTS {
        let whole = key(request.dialect, request.body);
        let Json::Object(members) = Json::parse(request.body).unwrap() else { panic!("{}", request.body) };
        for i in 0..members.len() {
            let mut fewer = members.clone();
            let (name, value) = fewer.remove(i);
            let name = name.value();
            let sampling = request.sampling.iter().any(|start| start.trim_end_matches('[') == name);
            let no_stream = name == "stream" && (value == Json::Bool(false) || request.dialect == Dialect::Ollama);
            let same = key(request.dialect, &Json::Object(fewer).print(Layout::Compact)) == whole;
            assert_eq!(same, sampling || no_stream, "{name} of {}", request.body);
        }
    }
}

/// Turns the members of every object round and round.
fn turned(json: &Json, by: usize) -> Json {
    match json {
        Json::Array(elements) => Json::Array(elements.iter().map(|element| turned(element, by)).collect()),
        Json::Object(members) => {
            let mut members: Vec<_> =
                members.iter().map(|(name, value)| (name.ascii(), turned(value, by.rotate_right(3)))).collect();
            let by = by % members.len().max(1);
            members.rotate_left(by);
            Json::Object(members)
        }
        Json::String(text) => Json::String(text.ascii()),
        other => other.clone(),
    }
}

proptest! {
    #[test]
    fn spelling_does_not_count(which in 0..REQUESTS.len(), by in any::<usize>(), indent in 0_usize..4) {
        let request = &REQUESTS[which];
        let respelled = turned(&Json::parse(request.body).unwrap(), by).print(Layout::Indent(indent));
        prop_assert_eq!(key(request.dialect, &respelled), key(request.dialect, request.body));
        let generic = |body: &str| form(None, body).key();
        prop_assert_eq!(generic(&respelled), generic(request.body));
    }
}

#[test]
fn what_is_equal_in_chat() {
    let chat = Dialect::OpenAiChat;
    same(
        chat,
        r#"{"messages":[{"role":"user","content":"Hi"}]}"#,
        r#"{"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}"#,
    );
    let arguments = |text: &str| {
        let text = Json::from(text).print(Layout::Compact);
        format!(
            r#"{{"messages":[{{"role":"assistant","tool_calls":[{{"id":"1","function":{{"arguments":{text}}}}}]}}]}}"#
        )
    };
    same(chat, &arguments(r#"{"a":1,"b":"x"}"#), &arguments(r#"{ "b": "x", "a": 1.0 }"#));
    different(chat, &arguments(r#"{"a":1}"#), &arguments(r#"{"a":"1"}"#));
    different(chat, &arguments(r#"{"a":"x"}"#), &arguments(r#"{"a":"x "}"#));
    different(chat, &arguments("{"), &arguments("{ "));
    same(
        chat,
        r#"{"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"auto"}"#,
        r#"{"tools":[{"type":"function","name":"f"}],"tool_choice":{"type":"auto"}}"#,
    );
    same(chat, r#"{"messages":[],"stream":false}"#, r#"{"messages":[]}"#);
    same(
        chat,
        r#"{"messages":[{"role":"user"}],"metadata":{"a":1,"timestamp":1764400000}}"#,
        r#"{"messages":[{"role":"user"}],"metadata":{"a":1,"timestamp":1764400777}}"#,
    );
    for (a, b) in [("\"morning\"", "\"evening\""), ("{\"day\":1}", "{\"day\":2}"), ("1", "2"), ("\"2026\"", "\"2027\"")]
    {
        let at = |time: &str| format!(r#"{{"messages":[{{"role":"user"}}],"metadata":{{"timestamp":{time}}}}}"#);
        different(chat, &at(a), &at(b));
    }
    // Where nothing is said to a model, nothing is taken for what goes with it.
    different(chat, r#"{"to":"x","metadata":{"timestamp":1}}"#, r#"{"to":"x","metadata":{"timestamp":2}}"#);
    different(chat, r#"{"to":"x","temperature":1}"#, r#"{"to":"x","temperature":2}"#);
    different(chat, r#"{"messages":[],"seed":1}"#, r#"{"messages":[],"seed":2}"#);
    same(
        chat,
        r#"{"messages":[{"role":"user","metadata":{"timestamp":1764400000.25}}]}"#,
        r#"{"messages":[{"role":"user","metadata":{"timestamp":"2026-11-29T17:00:00Z"}}]}"#,
    );
}

#[test]
fn what_differs_in_chat() {
    let chat = Dialect::OpenAiChat;
    let said = |text: &str| format!(r#"{{"messages":[{{"role":"user","content":"{text}"}}]}}"#);
    for (a, b) in [
        ("Hi", "hi"),
        ("Hi", "Hi "),
        ("a b", "a  b"),
        ("on 2026-11-29", "on 2026-11-30"),
        ("id 7f3c1c9e-4c1e-4b8e-9a0e-0d4e2f9b1a11", "id 7f3c1c9e-4c1e-4b8e-9a0e-0d4e2f9b1a12"),
        ("at 1700000000", "at 1700000001"),
        (r#"{\"a\":1}"#, r#"{\"a\": 1}"#),
    ] {
        different(chat, &said(a), &said(b));
    }
    different(chat, r#"{"messages":[]}"#, "{}");
    different(chat, r#"{"tools":[]}"#, "{}");
    different(chat, r#"{"tools":[[]]}"#, r#"{"tools":[]}"#);
    different(chat, r#"{"messages":[{"content":null}]}"#, r#"{"messages":[{}]}"#);
    different(chat, r#"{"messages":{"role":"user"}}"#, r#"{"messages":[{"role":"user"}]}"#);
    different(chat, r#"{"messages":[{"role":"system"}]}"#, r#"{"messages":[{"role":"developer"}]}"#);
    different(chat, r#"{"stream":true}"#, r#"{"stream":false}"#);
    different(chat, r#"{"stream":null}"#, "{}");
    different(chat, r#"{"n":1}"#, r#"{"n":"1"}"#);
    different(chat, r#"{"text":"timestamp"}"#, r#"{"text":"timestamp "}"#);
    different(chat, r#"{"tool_choice":"auto"}"#, r#"{"tools":[{"type":"auto"}]}"#);
    different(chat, r#"{"metadata":{}}"#, "{}");
    different(chat, r#"{"timestamp":1}"#, r#"{"timestamp":2}"#);
}

#[test]
fn what_is_equal_elsewhere() {
    same(
        Dialect::OpenAiResponses,
        r#"{"instructions":"Be brief.","input":"Hi"}"#,
        r#"{"input":[{"role":"system","content":"Be brief."},{"role":"user","content":[{"type":"input_text","text":"Hi"}]}]}"#,
    );
    same(
        Dialect::OpenAiResponses,
        r#"{"input":[{"type":"message","role":"user","content":"Hi"}]}"#,
        r#"{"input":[{"role":"user","content":"Hi"}]}"#,
    );
    same(
        Dialect::Anthropic,
        r#"{"system":"Be brief.","messages":[{"role":"user","content":"Hi"}]}"#,
        r#"{"messages":[{"role":"system","content":[{"type":"text","text":"Be brief."}]},{"role":"user","content":"Hi"}]}"#,
    );
    same(
        Dialect::Anthropic,
        r#"{"messages":[{"role":"user","content":[{"type":"tool_result","content":"x"}]}]}"#,
        r#"{"messages":[{"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":"x"}]}]}]}"#,
    );
    same(
        Dialect::Gemini,
        r#"{"tools":[{"functionDeclarations":[{"name":"a"},{"name":"b"}]}]}"#,
        r#"{"tools":[{"functionDeclarations":[{"name":"a"}]},{"functionDeclarations":[{"name":"b"}]}]}"#,
    );
    same(Dialect::Ollama, r#"{"prompt":"Hi","stream":true}"#, r#"{"prompt":"Hi"}"#);
    same(Dialect::BedrockInvoke, r#"{"prompt":"Hi","max_gen_len":1}"#, r#"{"prompt":"Hi"}"#);
}

#[test]
fn what_differs_elsewhere() {
    different(Dialect::Ollama, r#"{"prompt":"Hi","stream":false}"#, r#"{"prompt":"Hi"}"#);
    different(Dialect::OpenAiCompletions, r#"{"prompt":"Hi"}"#, r#"{"prompt":["Hi"]}"#);
    // Instructions are not carried over to the next answer, and a system item is.
    for kept in ["previous_response_id", "conversation"] {
        different(
            Dialect::OpenAiResponses,
            &format!(r#"{{"{kept}":"a","instructions":"Be brief.","input":"Hi"}}"#),
            &format!(
                r#"{{"{kept}":"a","input":[{{"role":"system","content":"Be brief."}},{{"role":"user","content":"Hi"}}]}}"#
            ),
        );
    }
    different(
        Dialect::OpenAiResponses,
        r#"{"input":[{"type":"message","content":"Hi"}]}"#,
        r#"{"input":[{"content":"Hi"}]}"#,
    );
    different(Dialect::OpenAiResponses, r#"{"input":[]}"#, r#"{"input":""}"#);
    different(
        Dialect::OpenAiResponses,
        r#"{"input":[{"type":"function_call_output","output":"{\"a\":1}"}]}"#,
        r#"{"input":[{"type":"function_call_output","output":"{\"a\": 1}"}]}"#,
    );
    different(Dialect::CohereV1, r#"{"message":"Hi"}"#, r#"{"chat_history":[{"role":"USER","message":"Hi"}]}"#);
    different(Dialect::Gemini, r#"{"tools":[{"functionDeclarations":[]}]}"#, r#"{"tools":[]}"#);
    different(
        Dialect::Gemini,
        r#"{"contents":[{"parts":[{"text":"a"}]}]}"#,
        r#"{"contents":[{"parts":[{"text":"a"},{}]}]}"#,
    );
    different(
        Dialect::Anthropic,
        r#"{"messages":[{"role":"user","content":[{"type":"text","text":"Hi","cache_control":{"type":"ephemeral"}}]}]}"#,
        r#"{"messages":[{"role":"user","content":"Hi"}]}"#,
    );
    different(
        Dialect::BedrockConverse,
        r#"{"messages":[{"role":"user","content":[{"text":"a"}]}]}"#,
        r#"{"messages":[{"role":"user","content":[{"text":"b"}]}]}"#,
    );
}

#[test]
fn elements_tell_where_they_stood_in_the_request_as_it_was_sent() {
    let form = form(
        Some(Dialect::Anthropic),
        r#"{"system":"s","messages":[{"role":"user","content":"a"}],"tools":[{"name":"t"}],"tool_choice":{"type":"any"},
            "thinking":{"type":"enabled"},"my tag":1}"#,
    );
    let paths: Vec<_> = form
        .parts()
        .iter()
        .flat_map(|part| part.elements().map(|(path, _)| format!("{}: {path}", part.name)))
        .collect();
    assert_eq!(
        paths,
        [
            "endpoint: @kind",
            "endpoint: @method",
            "endpoint: @path",
            "endpoint: stream",
            "endpoint: @host",
            "endpoint: @query.a",
            "endpoint: @query.b",
            "messages: system",
            "messages: messages[0]",
            "tools: tools[0]",
            "tools: tool_choice",
            "reasoning: thinking",
            "rest: [\"my tag\"]",
        ]
    );
}

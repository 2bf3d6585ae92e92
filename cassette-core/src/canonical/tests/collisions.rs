//! Different requests have different keys: what a part is called, and what stands in it, stays apart.

use proptest::prelude::*;

use super::super::Canonical;
use super::form;
use crate::call::Call;
use crate::dialect::{Dialect, detect};
use crate::json::{Json, Layout};
use crate::matching::{Matching, Selector};

#[track_caller]
fn apart(a: &Call, b: &Call) {
    let [one, other] = [a, b].map(|call| Canonical::in_dialect(call, detect(call), &Matching::default()));
    assert_ne!(one.parts(), other.parts(), "{a:?} and {b:?}");
    assert_ne!(one.key(), other.key(), "{a:?} and {b:?}");
}

fn post(url: &str, headers: &[(&str, &str)], body: &str) -> Call {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Call::http("POST", url, headers, body.into())
}

#[test]
fn a_body_without_members_is_no_member_of_a_name_of_ours() {
    let sent = |body: &str| post("https://svc.example.com/x", &[], body);
    apart(&sent("{}"), &sent(r#"{"@body":{}}"#));
    apart(&sent("[1,2]"), &sent(r#"{"@body":[1,2]}"#));
    apart(&sent(r#""x""#), &sent(r#"{"@body":"x"}"#));
    apart(&sent("[]"), &sent(""));
    // The same character in UTF-8, and as a byte that is none of it.
    let bytes = Call { body: b"\"\xe9\"".to_vec(), ..sent("") };
    apart(&sent("\"\u{e9}\""), &bytes);
}

#[test]
fn a_header_is_no_member_of_its_name() {
    let url = "https://svc.example.com/x";
    apart(&post(url, &[("soapaction", "5")], r#"{"1":1}"#), &post(url, &[], r#"{"1":1,"@header.soapaction":5}"#));
}

#[test]
fn a_field_is_no_member_and_a_part_is_neither() {
    let url = "https://svc.example.com/x";
    let form = post(url, &[("content-type", "application/x-www-form-urlencoded")], "a=b");
    apart(&form, &post(url, &[], r#"{"@form":"","a":"b"}"#));
    let kind = [("content-type", "multipart/form-data; boundary=x")];
    let part = post(url, &kind, "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n5\r\n--x--\r\n");
    let text = r#"{"@part[\"a\"]":["content-disposition: form-data; name=\"a\"\n\n5"]}"#;
    apart(&part, &post(url, &[], text));
    apart(&post(url, &kind, "--x--\r\n"), &post(url, &kind, ""));
}

#[test]
fn an_upload_of_which_a_line_breaks_within_a_header_is_another() {
    let kind = [("content-type", "multipart/form-data; boundary=x")];
    let sent = |between: &str| {
        let text = format!("--x\r\nContent-Disposition: form-data; name=\"a\"{between}\r\n--x--\r\n");
        post("https://svc.example.com/x", &kind, &text)
    };
    apart(&sent("\n\nB\r\n\r\nC"), &sent("\r\n\r\nB\n\nC"));
}

#[test]
fn a_path_that_is_named_is_no_member_of_that_name() {
    let on = Matching { match_on: Some(vec![Selector::Path("a.b".parse().unwrap())]), ..Matching::default() };
    let key = |body: &str| Canonical::in_dialect(&super::call(body), None, &on).key();
    assert_ne!(key(r#"{"a":{"b":1}}"#), key(r#"{"a.b":["a.b:1"]}"#));
}

fn arguments(text: &str) -> Canonical {
    let call = format!(r#"{{"id":"c","type":"function","function":{{"name":"n","arguments":{text}}}}}"#);
    let body = format!(r#"{{"messages":[{{"role":"assistant","tool_calls":[{call}]}}]}}"#);
    form(Some(Dialect::OpenAiChat), &body)
}

#[test]
fn arguments_in_a_string_are_no_document() {
    let spelled = arguments(r#""{\"to\":1}""#);
    assert_eq!(spelled.key(), arguments(r#""{ \"to\" : 1.0 }""#).key());
    for other in [r#"{"~":{"to":1}}"#, r#"{"to":1}"#, r#""\"{\\\"to\\\":1}\"""#] {
        assert_ne!(spelled.key(), arguments(other).key(), "{other}");
    }
}

#[test]
fn lone_surrogates_in_arguments_are_kept() {
    let keys = [
        r#""{\"to\":\"\ud800\"}""#,
        r#""{\"to\":\"\udbff\"}""#,
        r#""{\"to\":\"\\ud800\"}""#,
        "\"{\\\"to\\\":\\\"\u{fffd}\\\"}\"",
    ]
    .map(|text| arguments(text).key());
    for (i, key) in keys.iter().enumerate() {
        assert!(!keys[..i].contains(key), "{i}");
    }
}

#[test]
fn a_setting_beside_a_function_is_another_than_within() {
    let tool = |text: &str| form(Some(Dialect::OpenAiChat), &format!(r#"{{"tools":[{text}]}}"#)).key();
    let within = tool(r#"{"type":"function","function":{"name":"a","strict":true}}"#);
    assert_ne!(tool(r#"{"type":"function","function":{"name":"a"},"strict":true}"#), within);
    assert_eq!(tool(r#"{"type":"function","name":"a","strict":true}"#), within);
}

#[test]
fn whether_a_transcription_is_streamed_is_read_as_servers_read_it() {
    let sent = |value: Option<&str>| {
        let field = |name: &str, value: &str| {
            format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        let stream = value.map_or(String::new(), |value| field("stream", value));
        let body = format!("{}{}{stream}--x--\r\n", field("model", "m"), field("file", "RIFF"));
        let kind = [("content-type", "multipart/form-data; boundary=x")];
        post("https://api.openai.com/v1/audio/transcriptions", &kind, &body)
    };
    let key = |call: &Call| Canonical::in_dialect(call, detect(call), &Matching::default()).key();
    assert_eq!(key(&sent(None)), key(&sent(Some("false"))));
    let others = [None, Some("true"), Some("True"), Some("1"), Some("0"), Some("False"), Some("on")];
    for (i, one) in others.iter().enumerate() {
        others[..i].iter().for_each(|other| apart(&sent(*one), &sent(*other)));
    }
}

#[test]
fn a_model_in_a_path_is_no_word_of_the_path() {
    let url = |model: &str| format!("https://generativelanguage.googleapis.com/v1beta/models/{model}:generateContent");
    let said = r#""contents":[{"parts":[{"text":"a"}]}]"#;
    for word in ["<model>", "{model}"] {
        apart(
            &post(&url("x"), &[], &format!("{{{said}}}")),
            &post(&url(word), &[], &format!(r#"{{"model":"x",{said}}}"#)),
        );
    }
}

#[test]
fn a_hidden_value_is_no_text_that_looks_like_its_place() {
    let call = |text: &str| super::call(&format!(r#"{{"a":"{text}"}}"#));
    let key = |text: &str| Canonical::in_dialect(&call(text), None, &Matching::default()).key();
    assert_eq!(key("REDACTED.openai-key.3"), key("REDACTED.email.1"));
    for text in ["REDACTED.1", "REDACTED..hidden.1", "hidden"] {
        assert_ne!(key("REDACTED.openai-key.3"), key(text), "{text}");
    }
}

const NAMES: &[&str] = &[
    "@body",
    "@form",
    "@header.range",
    "@query.x",
    "@part[\"a\"]",
    "endpoint",
    "model",
    "messages",
    "tools",
    "rest",
    "sampling",
    "stream",
    "a",
    "a.b",
    "a[]",
    "[0]",
    "~",
    "",
    "none",
    "temperature",
    "content",
    "input",
    "role",
    "type",
];

fn value() -> impl Strategy<Value = Json> {
    let name = || (0..NAMES.len()).prop_map(|which| NAMES[which]);
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        (0_u64..3).prop_map(Json::from),
        name().prop_map(Json::from),
        Just(Json::parse(r#""{\"a\":1}""#).unwrap()),
        Just(Json::parse(r#""\ud800""#).unwrap()),
    ];
    leaf.prop_recursive(3, 12, 3, move |inner| {
        let member = (0..NAMES.len(), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..3).prop_map(Json::Array),
            prop::collection::vec(member, 0..4).prop_map(|members| {
                let mut named: Vec<(crate::json::Text, Json)> = Vec::new();
                for (which, value) in members {
                    if !named.iter().any(|(known, _)| known.is(NAMES[which])) {
                        named.push((NAMES[which].into(), value));
                    }
                }
                Json::Object(named)
            }),
        ]
    })
}

proptest! {
    #[test]
    fn two_documents_share_a_key_only_if_they_mean_the_same(a in value(), b in value()) {
        let key = |json: &Json| form(None, &json.print(Layout::Compact)).key();
        prop_assert_eq!(key(&a) == key(&b), a.canonical() == b.canonical());
        // One wrapped into the other's names.
        let within = |json: &Json, name: &str| Json::object([(name, json.clone())]);
        for name in ["@body", "@form", "a"] {
            prop_assert_ne!(key(&a), key(&within(&a, name)));
        }
    }

    #[test]
    fn two_model_calls_share_a_key_only_where_the_dialect_says_so(a in value(), b in value(), which in 0_usize..NAMES.len()) {
        // Within what a user names, nothing has another meaning: neither in a rest of the body nor in a message's metadata.
        for dialect in [Dialect::OpenAiChat, Dialect::Anthropic, Dialect::OpenAiResponses, Dialect::Gemini] {
            let key = |json: &Json| {
                let own = Json::object([(NAMES[which], json.clone())]);
                let rest = Json::object([("x", own)]);
                form(Some(dialect), &rest.print(Layout::Compact)).key()
            };
            prop_assert_eq!(key(&a) == key(&b), a.canonical() == b.canonical());
        }
    }
}

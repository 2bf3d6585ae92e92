//! `match_on`, `ignore` and `normalize`.

use super::super::Canonical;
use super::requests::REQUESTS;
use crate::call::{Call, Kind};
use crate::dialect::Dialect;
use crate::json::Json;
use crate::matching::{Matching, PartName, Selector};
use crate::normalize;

fn match_on(selectors: &[&str]) -> Matching {
    let one = |text: &&str| match PartName::from_name(text) {
        Some(part) => Selector::Part(part),
        None => Selector::Path(text.trim_start_matches(' ').parse().unwrap()),
    };
    Matching { match_on: Some(selectors.iter().map(one).collect()), ..Matching::default() }
}

fn ignore(paths: &[&str]) -> Matching {
    Matching { ignore: paths.iter().map(|path| path.parse().unwrap()).collect(), ..Matching::default() }
}

#[track_caller]
fn check(dialect: Option<Dialect>, matching: &Matching, [a, b]: [&str; 2], equal: bool) {
    let [one, other] = [a, b].map(|body| Canonical::in_dialect(&super::call(body), dialect, matching));
    assert_eq!(one.parts() == other.parts(), equal, "{a} and {b}");
    assert_eq!(one.key() == other.key(), equal);
}

const CHAT: Option<Dialect> = Some(Dialect::OpenAiChat);

#[test]
fn only_the_parts_named_are_compared() {
    let base = r#"{"model":"a","messages":[{"role":"user","content":"Hi"}],"tools":[{"name":"t"}],"temperature":0}"#;
    let prompt = base.replace("Hi", "Ho");
    let tool = base.replace("\"t\"", "\"u\"");
    let hot = base.replace("re\":0", "re\":1");
    let streamed = base.replace("{\"model", "{\"stream\":true,\"model");
    check(CHAT, &match_on(&["tools"]), [base, &prompt], true);
    check(CHAT, &match_on(&["tools"]), [base, &tool], false);
    check(CHAT, &match_on(&["tools"]), [base, &streamed], false);
    check(CHAT, &match_on(&["tools", "messages"]), [base, &prompt], false);
    check(CHAT, &match_on(&["sampling"]), [base, &hot], false);
    check(CHAT, &match_on(&["sampling"]), [base, &prompt], true);
    check(CHAT, &match_on(&["endpoint"]), [base, &prompt], true);
    check(CHAT, &match_on(&["messages[0].content"]), [base, &prompt], false);
    check(CHAT, &match_on(&["messages[0].content"]), [base, &tool], true);
    check(CHAT, &match_on(&["tools"]), ["{}", &prompt.replace("tools", "others")], true);
}

#[test]
fn a_call_that_has_nothing_of_what_is_named_is_compared_whole() {
    check(None, &match_on(&["model"]), [r#"{"q":"a"}"#, r#"{"q":"b"}"#], false);
    check(None, &match_on(&["input"]), [r#"{"q":"a"}"#, r#"{"q":"b"}"#], false);
    check(None, &match_on(&["endpoint"]), [r#"{"q":"a"}"#, r#"{"q":"b"}"#], true);
    check(None, &match_on(&["model"]), [r#"{"model":"m","q":"a"}"#, r#"{"model":"m","q":"b"}"#], true);
    check(CHAT, &match_on(&["input"]), [r#"{"messages":["a"]}"#, r#"{"messages":["b"]}"#], false);
    let tool = |body: &str| {
        let call = Call { kind: Kind::Tool, name: "f".into(), headers: Vec::new(), body: body.as_bytes().to_vec() };
        Canonical::in_dialect(&call, None, &match_on(&["model"]))
    };
    assert_ne!(tool(r#"{"model":"T","year":1908}"#).parts(), tool(r#"{"model":"T","year":1909}"#).parts());
}

#[test]
fn hooks_are_nothing_of_a_request() {
    // They are compared by the session: alone, they leave all of a request to be compared.
    for (named, equal) in [(&["hooks"][..], false), (&["hooks", "endpoint"], true), (&["endpoint"], true)] {
        check(CHAT, &match_on(named), [r#"{"messages":["a"]}"#, r#"{"messages":["b"]}"#], equal);
        check(None, &match_on(named), [r#"{"q":"a"}"#, r#"{"q":"b"}"#], equal);
        check(CHAT, &match_on(named), [r#"{"stream":true}"#, "{}"], false);
        assert_eq!(match_on(named).mistakes(), [""; 0]);
    }
    check(CHAT, &match_on(&["hooks", "messages"]), [r#"{"messages":["a"]}"#, r#"{"messages":["b"]}"#], false);
}

#[test]
fn a_header_that_is_named_and_sent_is_all_that_is_compared() {
    let sent = |headers: &[(&str, &str)], body: &str| {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let call = Call::http("POST", "https://api.example.com/x", headers, body.into());
        Canonical::in_dialect(&call, None, &match_on(&["@header.x-a"]))
    };
    let a = [("x-a", "1")];
    assert_eq!(sent(&a, r#"{"q":1}"#).parts(), sent(&a, r#"{"q":2}"#).parts());
    assert_ne!(sent(&a, r#"{"q":1}"#).parts(), sent(&[("x-a", "2")], r#"{"q":1}"#).parts());
    assert_ne!(sent(&[], r#"{"q":1}"#).parts(), sent(&[], r#"{"q":2}"#).parts(), "it is not there");
}

#[test]
fn a_string_in_which_nothing_is_left_out_stays_as_it_was_sent() {
    check(None, &ignore(&["a~.t"]), [r#"{"a":"1"}"#, r#"{"a":"1.0"}"#], false);
    check(None, &ignore(&["a~.t"]), [r#"{"a":"{\"b\":1}"}"#, r#"{"a":"{\"b\": 1}"}"#], false);
    check(None, &ignore(&["a~.t"]), [r#"{"a":"{\"b\":1,\"t\":2}"}"#, r#"{"a":"{\"b\":1,\"t\":3}"}"#], true);
}

#[test]
fn a_field_of_gemini_is_ignored_anywhere_in_either_spelling() {
    let sent =
        |name: &str, value: &str| format!(r#"{{"contents":[{{"parts":[{{"text":"Hi","{name}":"{value}"}}]}}]}}"#);
    for path in ["**.thought_signature", "**.thoughtSignature"] {
        for name in ["thought_signature", "thoughtSignature"] {
            let (a, b) = (sent(name, "a"), sent(name, "b"));
            check(Some(Dialect::Gemini), &ignore(&[path]), [&a, &b], true);
        }
    }
}

#[test]
fn an_empty_holder_of_settings_says_nothing() {
    for (dialect, holder) in [
        (Dialect::Ollama, "options"),
        (Dialect::Gemini, "generationConfig"),
        (Dialect::BedrockConverse, "inferenceConfig"),
        (Dialect::OpenAiResponses, "text"),
    ] {
        let said = r#""messages":[{"role":"user","content":"Hi"}]"#;
        let (with, without) = (format!("{{{said},\"{holder}\":{{}}}}"), format!("{{{said}}}"));
        check(Some(dialect), &Matching::default(), [&with, &without], true);
        let other = format!("{{{said},\"{holder}\":{{\"other\":1}}}}");
        check(Some(dialect), &Matching::default(), [&with, &other], false);
    }
}

#[test]
fn what_a_call_without_a_conversation_is_given_is_compared_as_messages() {
    for (dialect, a, b) in [
        (Dialect::OpenAiEmbeddings, r#"{"model":"m","input":"a"}"#, r#"{"model":"m","input":"b"}"#),
        (Dialect::OpenAiImages, r#"{"model":"m","prompt":"a"}"#, r#"{"model":"m","prompt":"b"}"#),
        (Dialect::OpenAiAudio, r#"{"model":"m","input":"a"}"#, r#"{"model":"m","input":"b"}"#),
        (Dialect::OpenAiModeration, r#"{"model":"m","input":"a"}"#, r#"{"model":"m","input":"b"}"#),
        (Dialect::CohereEmbed, r#"{"model":"m","texts":["a"]}"#, r#"{"model":"m","texts":["b"]}"#),
        (Dialect::HuggingFace, r#"{"inputs":"a"}"#, r#"{"inputs":"b"}"#),
        (Dialect::MistralOcr, r#"{"document":"a"}"#, r#"{"document":"b"}"#),
    ] {
        check(Some(dialect), &match_on(&["messages"]), [a, b], false);
    }
}

#[test]
fn kind_method_and_path_are_always_compared_and_host_and_query_as_part_of_the_endpoint() {
    let form = |matching: &Matching, name: &str| {
        let call =
            Call { kind: Kind::Http, name: name.into(), headers: Vec::new(), body: br#"{"model":"m"}"#.to_vec() };
        Canonical::in_dialect(&call, CHAT, matching).key()
    };
    let base = "POST https://a.example/v1/chat?v=1";
    for (other, named, equal) in [
        ("PUT https://a.example/v1/chat?v=1", "model", false),
        ("POST https://a.example/v2/chat?v=1", "model", false),
        ("POST https://b.example/v1/chat?v=1", "model", true),
        ("POST https://a.example/v1/chat?v=2", "model", true),
        ("POST https://b.example/v1/chat?v=1", "endpoint", false),
        ("POST https://a.example/v1/chat?v=2", "endpoint", false),
        ("POST https://b.example/v1/chat?v=1", "@host", false),
        ("POST https://a.example/v1/chat?v=2", "@query.v", false),
        ("POST https://a.example/v1/chat?v=2", "@host", true),
    ] {
        let matching = match_on(&[named]);
        assert_eq!(form(&matching, base) == form(&matching, other), equal, "{other} by {named}");
    }
    for (other, path, equal) in [
        ("POST https://b.example/v1/chat?v=1", "@host", true),
        ("POST https://a.example/v1/chat?v=2", "@query.v", true),
        ("POST https://a.example/v1/chat", "@query.v", true),
        ("POST https://a.example/v1/chat?w=1", "@query.v", false),
    ] {
        assert_eq!(form(&ignore(&[path]), base) == form(&ignore(&[path]), other), equal, "{other} without {path}");
    }
}

#[test]
fn what_is_ignored_does_not_count_and_all_else_does() {
    let base = r#"{"messages":[{"content":"a","id":1},{"content":"b","x":{"request_id":"r"}}],"user":"u"}"#;
    check(CHAT, &ignore(&["messages[*].id"]), [base, &base.replace("\"id\":1", "\"id\":2")], true);
    check(CHAT, &ignore(&["messages[*].id"]), [base, &base.replace("\"a\"", "\"c\"")], false);
    check(CHAT, &ignore(&["**.request_id"]), [base, &base.replace("\"r\"", "\"s\"")], true);
    check(
        CHAT,
        &ignore(&["user", "messages[0]"]),
        [base, &base.replace("\"u\"", "\"v\"").replace("\"a\"", "\"c\"")],
        true,
    );
    let arguments = |city: &str, id: u8| {
        format!(
            r#"{{"messages":[{{"tool_calls":[{{"function":{{"arguments":"{{\"city\":\"{city}\",\"id\":{id}}}"}}}}]}}]}}"#
        )
    };
    let path = ignore(&["messages[*].tool_calls[*].function.arguments~.id"]);
    check(CHAT, &path, [&arguments("Oslo", 1), &arguments("Oslo", 2)], true);
    check(CHAT, &path, [&arguments("Oslo", 1), &arguments("Voss", 1)], false);
}

#[test]
fn no_path_ignored_makes_another_leaf_go_unnoticed() {
    for request in REQUESTS {
        let key =
            |body: &str| Canonical::in_dialect(&super::call(body), Some(request.dialect), &ignore(&["model"])).key();
        let base = key(request.body);
        let mut document = Json::parse(request.body).unwrap();
        if let Some(model) = document.get_mut("model") {
            *model = "another".into();
        }
        assert_eq!(key(&document.canonical()), base, "{}", request.body);
        let Json::Object(mut members) = document else { panic!("{}", request.body) };
        members.push(("more".into(), Json::Bool(true)));
        assert_ne!(key(&Json::Object(members).canonical()), base, "{}", request.body);
    }
}

#[test]
fn white_space_counts_unless_a_test_says_otherwise() {
    let pair =
        [r#"{"messages":[{"role":"user","content":"a b"}]}"#, r#"{"messages":[{"role":"user","content":" a\n b"}]}"#];
    check(CHAT, &Matching::default(), pair, false);
    check(CHAT, &Matching { normalize: vec![normalize::whitespace], ..Matching::default() }, pair, true);
}

#[test]
fn headers_count_where_they_are_asked_for() {
    let form = |matching: &Matching, tenant: &str| {
        let mut call = super::call("{}");
        call.headers.push(("x-tenant".into(), tenant.into()));
        Canonical::in_dialect(&call, None, matching).key()
    };
    let asked = Matching { headers: vec!["x-tenant".into()], ..Matching::default() };
    let ignored = Matching { ignore: vec!["@header.x-tenant".parse().unwrap()], ..asked.clone() };
    for (matching, equal) in
        [(Matching::default(), true), (asked, false), (ignored, true), (match_on(&["@header.x-tenant", "rest"]), false)]
    {
        assert_eq!(form(&matching, "a") == form(&matching, "b"), equal, "{matching:?}");
    }
}

#[test]
fn what_is_asked_for_in_vain_is_refused() {
    assert_eq!(Matching::default().mistakes(), [""; 0]);
    assert_eq!(
        match_on(&[]).mistakes(),
        [
            "`match_on` names nothing to compare; there are endpoint, model, messages, tools, output_schema, reasoning, hooks, \
         sampling, rest, and paths"
        ]
    );
    let refused = ignore(&["@path", "@method", "@host", "a"]).mistakes();
    assert_eq!(refused.len(), 2);
    assert_eq!(refused[0], "`@path` cannot be ignored: it is always compared");
}

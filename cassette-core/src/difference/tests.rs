use std::collections::BTreeSet;

use proptest::prelude::*;

use super::compare::{Blocks, Telling, compare};
use super::form::Form;
use super::show::Room;
use super::{Differences, differences};
use crate::call::Call;
use crate::canonical::Canonical;
use crate::dialect::detect;
use crate::json::{Json, Layout};
use crate::matching::{Matching, Wanted};
use crate::redact::{Depth, RedactedCall, Rules, Secrets, redact_call};
use crate::report::Edit;

fn post(body: &str) -> Call {
    Call::http("POST", "https://api.example.com/v1/ask", Vec::new(), body.as_bytes().to_vec())
}

/// Returns each difference as `edit path`, with the recorded path where that is another.
fn found(recorded: &str, incoming: &str) -> Vec<String> {
    let told =
        differences(&post(recorded), &post(incoming), &Matching::default()).found.into_iter().map(|difference| {
            let from = difference.from.map_or(String::new(), |from| format!(" from {from}"));
            format!("{:?} {}{from}", difference.edit, difference.path)
        });
    told.collect()
}

#[track_caller]
fn check(recorded: &str, incoming: &str, expected: &[&str]) {
    assert_eq!(found(recorded, incoming), expected);
}

#[test]
fn which_of_two_swapped_elements_moved_hangs_on_no_order_of_members() {
    let [a, b] = [("user", "z"), ("tool", "a")].map(|(role, content)| {
        [
            format!(r#"{{"role":"{role}","content":"{content}"}}"#),
            format!(r#"{{"content":"{content}","role":"{role}"}}"#),
        ]
    });
    let told = |recorded: usize, incoming: usize| {
        let list = |first: &str, second: &str| format!("[{first},{second}]");
        found(&list(&a[recorded], &b[recorded]), &list(&b[incoming], &a[incoming]))
    };
    for (recorded, incoming) in [(0, 1), (1, 0), (1, 1)] {
        assert_eq!(told(recorded, incoming), told(0, 0));
    }
}

#[test]
fn the_smallest_places_are_named() {
    check(r#"{"a":1,"b":[1,2]}"#, r#"{"b":[1.0,2],"a":10e-1}"#, &[]);
    check(r#"{"a":1}"#, r#"{"a":"1"}"#, &["Changed a"]);
    check(r#"{"a":null}"#, "{}", &["Removed a"]);
    check("{}", r#"{"a b":{"c":1}}"#, &["Added [\"a b\"]"]);
    check("[1]", "[2]", &["Changed [0]"]);
    check("[1]", "{}", &["Changed @body"]);
    check("", "{}", &["Added @body"]);
    check("plain text", "plain words", &["Changed @body"]);
    check("\"\\ud800\"", "\"\\ud801\"", &["Changed @body"]);
}

#[test]
fn json_in_a_string_is_entered() {
    let call = |arguments: &str| Json::object([("arguments", Json::from(arguments))]).print(Layout::Compact);
    check(&call(r#"{"city":"Bergen"}"#), &call(r#"{ "city": "Oslo" }"#), &["Changed arguments~.city"]);
    check(&call(r#"{"city":"Bergen"}"#), &call(r#"{ "city":"Bergen" }"#), &["Changed arguments"]);
    check(&call(r#"{"city":"Bergen"}"#), &call("[1]"), &["Changed arguments"]);
    check(&call("[[1,2]]"), &call("[[1,3]]"), &["Changed arguments~[0][1]"]);
}

#[test]
fn a_string_is_one_text_block_where_a_provider_says_so() {
    let paths = |recorded: &str, incoming: &str, blocks| {
        let form = |text: &str| Form::of(&post(text), &Matching::default(), None, Wanted::InBody);
        let Differences { found, respelled, .. } =
            compare(&form(recorded), &form(incoming), Telling { blocks, whole: "@body", room: Room::Line });
        let found = found.into_iter().enumerate().filter(|(at, _)| !respelled.contains(at)).map(|(_, found)| found);
        found.map(|difference| (difference.path, difference.from)).collect::<Vec<_>>()
    };
    let string = r#"{"messages":[{"role":"user","content":"to Bergen"}]}"#;
    let block =
        |text: &str| format!(r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"{text}"}}]}}]}}"#);
    let [plain, inside] = ["messages[0].content", "messages[0].content[0].text"].map(str::to_owned);
    assert_eq!(paths(string, &block("to Bergen"), Blocks::AreStrings), []);
    assert_eq!(paths(string, &block("to Oslo"), Blocks::AreStrings), [(inside.clone(), Some(plain.clone()))]);
    assert_eq!(paths(&block("to Oslo"), string, Blocks::AreStrings), [(plain.clone(), Some(inside))]);
    assert_eq!(paths(string, &block("to Bergen"), Blocks::AreLists), [(plain, None)]);
}

#[test]
fn numbers_by_the_hundred_are_one_difference() {
    let list = |offset: usize| {
        format!("{{\"v\":[{}]}}", (0..1_536).map(|i| (i + offset).to_string()).collect::<Vec<_>>().join(","))
    };
    check(&list(0), &list(5_000), &["Changed v"]);
}

#[test]
fn secrets_are_compared_by_which_are_the_same() {
    check(r#"{"a":"REDACTED.x.1","b":"REDACTED.x.2"}"#, r#"{"a":"REDACTED.x.7","b":"REDACTED.y.3"}"#, &[]);
    check(r#"{"a":"REDACTED.x.1","b":"REDACTED.x.1"}"#, r#"{"a":"REDACTED.x.1","b":"REDACTED.x.2"}"#, &["Changed b"]);
    check(r#"{"a":"REDACTED.x.1","b":"REDACTED.x.2"}"#, r#"{"a":"REDACTED.x.1","b":"REDACTED.x.1"}"#, &["Changed b"]);
}

#[test]
fn what_a_call_is_called_is_taken_apart() {
    let check = |recorded: &str, incoming: &str, expected: &[&str]| {
        let call = |name: &str| Call { name: name.into(), ..post("") };
        let found = differences(&call(recorded), &call(incoming), &Matching::default()).found;
        assert_eq!(found.iter().map(|difference| difference.path.as_str()).collect::<Vec<_>>(), expected);
    };
    check("GET https://A.example:443/x?b=1&a=2", "GET https://a.example/x?a=2&b=1", &[]);
    check("GET https://a.example/x", "PUT http://a.example/y", &["@method", "@host", "@path"]);
    check(
        "GET https://a.example/?a=1&a=2&c",
        "GET https://a.example/?a=2&a=3&d.e=",
        &["@query.a", "@query.c", "@query.d.e"],
    );
}

#[test]
fn a_system_parameter_and_a_system_message_are_one_place() {
    let check = |url: &str, recorded: &str, incoming: &str, expected: &[&str]| {
        let call = |body: &str| Call::http("POST", url, Vec::new(), body.as_bytes().to_vec());
        let found = differences(&call(recorded), &call(incoming), &Matching::default()).found.into_iter();
        let told = found.map(|difference| {
            let from = difference.from.map_or(String::new(), |from| format!(" from {from}"));
            format!("{:?} {}{from}", difference.edit, difference.path)
        });
        assert_eq!(told.collect::<Vec<_>>(), expected, "{recorded} and {incoming}");
    };
    let messages = "https://api.anthropic.com/v1/messages";
    let user = r#"{"role":"user","content":"When?"}"#;
    let parameter = |system: &str| format!(r#"{{"system":{system},"messages":[{user}]}}"#);
    let message = |system: &str, user: &str| {
        format!(r#"{{"messages":[{{"role":"system","content":{system}}},{{"role":"user","content":"{user}"}}]}}"#)
    };
    let (brief, kind) = (r#""Be brief.""#, r#""Be kind to whoever asks.""#);
    check(messages, &parameter(brief), &message(r#"[{"type":"text","text":"Be brief."}]"#, "When?"), &[]);
    check(messages, &message(brief, "When?"), &parameter(brief), &[]);
    check(messages, &parameter(brief), &message(kind, "When?"), &["Changed messages[0].content from system"]);
    check(messages, &message(kind, "When?"), &parameter(brief), &["Changed system from messages[0].content"]);
    check(
        messages,
        &parameter(brief),
        &message(brief, "Where?"),
        &["Changed messages[1].content from messages[0].content"],
    );
    check(
        messages,
        &message(brief, "Where?"),
        &parameter(kind),
        &["Changed system from messages[0].content", "Changed messages[0].content from messages[1].content"],
    );
    check(messages, &parameter(brief), &format!(r#"{{"messages":[{user}]}}"#), &["Removed system"]);
    check(messages, &parameter(brief), &parameter(kind), &["Changed system"]);
    check(
        "https://api.openai.com/v1/responses",
        r#"{"instructions":"Be brief.","input":[{"role":"user","content":"When?"}]}"#,
        r#"{"input":[{"role":"system","content":"Be kind."},{"role":"user","content":"When?"}]}"#,
        &["Changed input[0].content from instructions"],
    );
}

#[test]
fn a_model_in_the_path_is_told_of_as_a_model() {
    let call = |model: &str, text: &str| {
        let url = format!("https://generativelanguage.googleapis.com/v1beta/models/{model}:generateContent");
        Call::http(
            "POST",
            &url,
            Vec::new(),
            format!(r#"{{"contents":[{{"parts":[{{"text":"{text}"}}]}}]}}"#).into_bytes(),
        )
    };
    let paths = |recorded: &Call, incoming: &Call| {
        let found = differences(recorded, incoming, &Matching::default()).found.into_iter();
        found.map(|difference| difference.path).collect::<Vec<_>>()
    };
    assert_eq!(paths(&call("pro", "a"), &call("flash", "a")), ["model"]);
    assert_eq!(paths(&call("pro", "a"), &call("pro", "b")), ["contents[0].parts[0].text"]);
}

#[test]
fn geminis_two_spellings_are_no_difference() {
    let call = |body: &str| {
        let url = "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent";
        Call::http("POST", url, Vec::new(), body.as_bytes().to_vec())
    };
    let camel = call(r#"{"contents":[],"systemInstruction":{"parts":[{"text":"a"}]}}"#);
    let snake =
        |text: &str| call(&format!(r#"{{"contents":[],"system_instruction":{{"parts":[{{"text":"{text}"}}]}}}}"#));
    let found = |incoming: &Call| differences(&camel, incoming, &Matching::default()).found;
    assert_eq!(found(&snake("a")), []);
    let paths: Vec<_> = found(&snake("b")).into_iter().map(|difference| difference.path).collect();
    assert_eq!(paths, ["systemInstruction.parts[0].text"]);
}

#[test]
fn a_language_that_nobody_knows_is_told_of_by_its_own_paths() {
    let call = |body: &str| Call::http("POST", "https://oracle.example/think/v9", Vec::new(), body.as_bytes().to_vec());
    let recorded = r#"{"oracle":"delphi-2","utterances":[{"from":"asker","words":["When?","Where?"]}],"mood":{"calm":0.50,"seed":7}}"#;
    let respelled = r#"{ "mood": {"seed": 7.0, "calm": 5e-1}, "utterances": [{"words": ["Whe\u006e?", "Where?"], "from": "asker"}],
        "oracle": "delphi-2" }"#;
    let told = |incoming: &str| {
        let found = differences(&call(recorded), &call(incoming), &Matching::default()).found.into_iter();
        found.map(|difference| format!("{:?} {}", difference.edit, difference.path)).collect::<Vec<_>>()
    };
    let key = |body: &str| Canonical::of(&redacted(call(body)), &Matching::default()).key();
    assert_eq!(detect(&call(recorded)), None);
    assert_eq!((told(respelled), key(respelled)), (vec![], key(recorded)));
    for (from, to, path) in [
        ("delphi-2", "dodona-1", "Changed oracle"),
        ("Where?", "Why?", "Changed utterances[0].words[1]"),
        ("\"seed\":7", "\"seed\":8", "Changed mood.seed"),
        (",\"seed\":7", "", "Removed mood.seed"),
        ("\"from\":", "\"to\":\"x\",\"from\":", "Added utterances[0].to"),
    ] {
        let other = recorded.replace(from, to);
        assert_eq!(told(&other), [path]);
        assert_ne!(key(&other), key(recorded), "{path}");
    }
}

fn redacted(call: Call) -> RedactedCall {
    redact_call(&call, &Rules::default(), Depth::Known, &mut Secrets::default())
}

#[test]
fn long_lists_take_no_time() {
    let list = |offset: usize| {
        let one = |i: usize| format!(r#"{{"role":"user","content":"message {i}"}}"#);
        format!("[{}]", (0..3_000).map(|i| one(i * 2 + offset)).collect::<Vec<_>>().join(","))
    };
    let started = std::time::Instant::now();
    assert_eq!(differences(&post(&list(0)), &post(&list(1)), &Matching::default()).found.len(), 3_000);
    let numbers = |offset: usize| {
        format!("[{}]", (0..20_000).map(|i| (i * 2 + offset).to_string()).collect::<Vec<_>>().join(","))
    };
    assert_eq!(found(&numbers(0), &numbers(1)), ["Changed @body"]);
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
}

fn json() -> impl Strategy<Value = Json> {
    let text = prop_oneof!["[ab]{0,2}", Just("REDACTED.x.1".to_owned()), Just("[1,{\"a\":2}]".to_owned())];
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        (0_u64..4).prop_map(Json::from),
        text.prop_map(Json::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let members = proptest::collection::btree_map("[abc]", inner.clone(), 0..4);
        prop_oneof![
            proptest::collection::vec(inner, 0..6).prop_map(Json::from),
            members.prop_map(|members| {
                Json::Object(members.into_iter().map(|(name, value)| (name.as_str().into(), value)).collect())
            }),
        ]
    })
}

proptest! {
    #[test]
    fn equal_values_have_no_difference_and_others_have_one(a in json(), b in json()) {
        let (ours, theirs) = (a.print(Layout::Compact), b.print(Layout::Spaced));
        prop_assert_eq!(found(&ours, &a.print(Layout::Indent(2))), [""; 0]);
        prop_assert_eq!(found(&ours, &theirs).is_empty(), a.canonical() == b.canonical());
        prop_assert_eq!(found(&ours, &theirs), found(&ours, &theirs));
    }

    #[test]
    fn swapping_the_sides_swaps_what_was_added_and_removed_and_no_more(a in json(), b in json()) {
        let places = |recorded: &Json, incoming: &Json, swapped: bool| -> BTreeSet<(Edit, String, String)> {
            let call = |json: &Json| post(&json.print(Layout::Compact));
            let found = differences(&call(recorded), &call(incoming), &Matching::default()).found;
            let one = |difference: crate::report::Difference| {
                let from = difference.from.unwrap_or_else(|| difference.path.clone());
                match (swapped, difference.edit) {
                    (false, edit) => (edit, from, difference.path),
                    (true, Edit::Added) => (Edit::Removed, difference.path, from),
                    (true, Edit::Removed) => (Edit::Added, difference.path, from),
                    (true, edit) => (edit, difference.path, from),
                }
            };
            found.into_iter().map(one).collect()
        };
        prop_assert_eq!(places(&a, &b, false), places(&b, &a, true));
    }
}

/// Returns each difference between two bodies that are sent to this address.
fn found_at(url: &str, recorded: &str, incoming: &str) -> Vec<String> {
    let [recorded, incoming] =
        [recorded, incoming].map(|body| Call::http("POST", url, Vec::new(), body.as_bytes().to_vec()));
    let one = |difference: crate::report::Difference| {
        let from = difference.from.map_or(String::new(), |from| format!(" from {from}"));
        format!("{:?} {}{from}", difference.edit, difference.path)
    };
    differences(&recorded, &incoming, &Matching::default()).found.into_iter().map(one).collect()
}

#[test]
fn a_tool_that_is_spelled_otherwise_is_the_same_tool() {
    let messages = "https://api.anthropic.com/v1/messages";
    let tool = |schema: &str, description: &str| {
        format!(
            r#"{{"model":"m","max_tokens":9,"messages":[{{"role":"user","content":"When?"}}],"tools":[{{"name":"next","description":"{description}","{schema}":{{"type":"object","properties":{{"to":{{"type":"string"}}}}}}}}]}}"#
        )
    };
    let change = ["Changed tools[0].description"];
    let told =
        |ours: &str, theirs: &str| found_at(messages, &tool(ours, "Finds a train."), &tool(theirs, "Finds trains."));
    assert_eq!(told("input_schema", "input_schema"), change);
    assert_eq!(told("input_schema", "parameters"), change);
    assert_eq!(told("parameters", "input_schema"), change);
    let other = tool("parameters", "Finds a train.").replace("\"to\"", "\"from\"");
    assert_eq!(
        found_at(messages, &tool("input_schema", "Finds a train."), &other),
        ["Removed tools[0].input_schema.properties.to", "Added tools[0].parameters.properties.from",]
    );
    assert_eq!(found_at(messages, &tool("input_schema", "a"), &tool("parameters", "a")), [""; 0]);
}

#[test]
fn a_choice_of_a_tool_is_one_choice_however_it_is_spelled() {
    let chat = "https://api.openai.com/v1/chat/completions";
    let choose = |choice: &str| {
        format!(r#"{{"model":"m","messages":[{{"role":"user","content":"When?"}}],"tool_choice":{choice}}}"#)
    };
    let nested = |name: &str| choose(&format!(r#"{{"type":"function","function":{{"name":"{name}"}}}}"#));
    let flat = |name: &str| choose(&format!(r#"{{"type":"function","name":"{name}"}}"#));
    assert_eq!(found_at(chat, &nested("a"), &flat("b")), ["Changed tool_choice.name from tool_choice.function.name"]);
    assert_eq!(found_at(chat, &flat("a"), &nested("b")), ["Changed tool_choice.function.name from tool_choice.name"]);
    assert_eq!(found_at(chat, &nested("a"), &nested("b")), ["Changed tool_choice.function.name"]);
    assert_eq!(found_at(chat, &nested("a"), &flat("a")), [""; 0]);
}

#[test]
fn a_call_that_stops_being_a_conversation_has_lost_no_time() {
    let url = "https://svc.example.com/ask";
    let ask = |message: &str, time: &str| {
        format!(r#"{{"model":"m","messages":[{message}],"metadata":{{"timestamp":"{time}"}},"temperature":0.5}}"#)
    };
    let talks = ask(r#"{"role":"user","content":"When?"}"#, "2026-01-01T09:00:00Z");
    let told = |message: &str| {
        let other = ask(message, "2026-01-01T09:00:00Z");
        [found_at(url, &talks, &other), found_at(url, &other, &talks)]
    };
    assert_eq!(told(r#"{"content":"When?"}"#), [["Removed messages[0].role"], ["Added messages[0].role"]]);
    assert_eq!(told(r#"{"role":"x","content":"When?"}"#), [["Changed messages[0].role"]; 2]);
    // There a time counts, and it is another.
    let later = ask(r#"{"content":"When?"}"#, "2026-02-01T09:00:00Z");
    assert_eq!(found_at(url, &talks, &later), ["Removed messages[0].role", "Changed metadata.timestamp"]);
}

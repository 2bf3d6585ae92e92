//! Edits of requests, alone and together: what a report names is what was edited, and each path in it can be used.

use cassette_core::call::Call;
use cassette_core::matching::{Matching, PartName, Selector};
use cassette_core::mode::Mode;
use cassette_core::report::{Mismatch, Report};
use cassette_core::session::{BodyEnd, Plan};
use cassette_core::store::MemoryStore;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::bench_of_calls::{counting, gone, plan, run};
use crate::requests::{ANTHROPIC, CHAT, FORM, GEMINI, RESPONSES, anthropic, chat, gemini, post, raw, responses};

/// An edit of a request, and the path at which a report tells of it.
type Edit = (fn(&mut Value), &'static str);

/// Returns what a replay of this call says where the other alone was recorded: nothing where it is served.
fn asked(recorded: &Call, incoming: &Call, matching: &Matching) -> Option<Mismatch> {
    let store = MemoryStore::default();
    let plan = |mode| Plan { matching: matching.clone(), ..plan(&store, mode) };
    let (_, verdict) = run(plan(Mode::Record), std::slice::from_ref(recorded), counting(), BodyEnd::Passed);
    assert_eq!(verdict.reports, []);
    let (_, verdict) = run(plan(Mode::Replay), std::slice::from_ref(incoming), gone, BodyEnd::Passed);
    match verdict.reports.first().map(|report| (**report).clone()) {
        None => None,
        Some(Report::Mismatch(mismatch)) => Some(*mismatch),
        Some(other) => panic!("no mismatch: {other}"),
    }
}

/// Returns the paths that a report prints; each comes with what it shows.
fn paths(recorded: &Call, incoming: &Call, matching: &Matching) -> Vec<String> {
    let Some(mismatch) = asked(recorded, incoming, matching) else { return Vec::new() };
    let differences = mismatch.nearest.unwrap().differences;
    for difference in &differences {
        let is_shown = difference.shown.iter().any(|shown| shown.recorded.is_some() || shown.incoming.is_some());
        assert!(is_shown, "{} shows nothing", difference.path);
    }
    let mut paths: Vec<_> = differences.into_iter().map(|difference| difference.path).collect();
    paths.sort();
    paths
}

fn ignoring(paths: &[String]) -> Matching {
    Matching {
        ignore: paths.iter().map(|path| path.parse().expect("a printed path is one")).collect(),
        ..Matching::default()
    }
}

#[track_caller]
fn named(recorded: &Call, incoming: &Call, expected: &[&str]) {
    let found = paths(recorded, incoming, &Matching::default());
    assert_eq!(found, expected);
    let Some(mismatch) = asked(recorded, incoming, &Matching::default()) else { return };
    // Where a text was recorded at another path, that is printed too.
    let from = mismatch.nearest.into_iter().flat_map(|nearest| nearest.differences).filter_map(|found| found.from);
    let printed: Vec<_> = found.into_iter().chain(from).collect();
    assert_eq!(paths(recorded, incoming, &ignoring(&printed)), [""; 0], "{printed:?} are ignored");
}

const LETTER: &str = "https://post.example.com/letters";

fn letter() -> Value {
    json!({
        "subject": "Trains", "body": ["Dear Kari,", "the 09:04 leaves from platform 2"], "@query.x": 1, "@body": "b",
        "na me": {"a.b": [1, {"c": null}], "[0]": "x"}, "to": {"body": ["Kari", "Ola"], "@part": 2}, "~": "t", "": 5,
        "inside": "{\"city\":\"Bergen\",\"days\":[1,2]}", "model": "m-1", "stream": false,
    })
}

/// Edits that do not overlap, of each kind of body: whichever of them are made, exactly those are told.
fn kinds() -> Vec<(&'static str, Value, Vec<Edit>)> {
    vec![
        (
            LETTER,
            letter(),
            vec![
                (|r| r["subject"] = "Buses".into(), "subject"),
                (|r| r["body"][1] = "the 10:34 leaves from platform 4".into(), "body[1]"),
                (|r| r["@query.x"] = 2.into(), "[\"@query.x\"]"),
                (|r| r["@body"] = "c".into(), "[\"@body\"]"),
                (|r| r["na me"]["a.b"][1]["c"] = 1.into(), "[\"na me\"][\"a.b\"][1].c"),
                (|r| r["na me"]["[0]"] = "y".into(), "[\"na me\"][\"[0]\"]"),
                (|r| r["to"]["body"][1] = "Per".into(), "to.body[1]"),
                (|r| r["to"]["@part"] = 3.into(), "to[\"@part\"]"),
                (|r| r["~"] = "u".into(), "[\"~\"]"),
                (|r| r[""] = 6.into(), "[\"\"]"),
                (|r| r["inside"] = "{\"city\":\"Oslo\",\"days\":[1,2]}".into(), "inside~.city"),
                (|r| r["model"] = "m-2".into(), "model"),
                (|r| r["added"] = json!({"x": 1}), "added"),
            ],
        ),
        (
            CHAT,
            chat(),
            vec![
                (|r| r["model"] = "gpt-4o".into(), "model"),
                (|r| r["messages"][0]["role"] = "developer".into(), "messages[0].role"),
                (|r| r["messages"][1]["content"] = "When is the next train to Oslo?".into(), "messages[1].content"),
                (
                    |r| {
                        r["messages"][2]["tool_calls"][0]["function"]["arguments"] =
                            "{\"city\":\"Oslo\",\"limit\":3}".into();
                    },
                    "messages[2].tool_calls[0].function.arguments~.city",
                ),
                (
                    |r| r["messages"][3]["content"] = "[{\"train\":\"R40\",\"leaves\":\"09:08\"}]".into(),
                    "messages[3].content~[0].leaves",
                ),
                (
                    |r| r["tools"][1]["function"]["description"] = "Names the track of a train.".into(),
                    "tools[1].function.description",
                ),
                (|r| r["tool_choice"] = "required".into(), "tool_choice"),
                (
                    |r| r["response_format"]["json_schema"]["schema"]["properties"]["late"]["type"] = "string".into(),
                    "response_format.json_schema.schema.properties.late.type",
                ),
                (|r| r["metadata"]["trace id"] = "t-2".into(), "metadata[\"trace id\"]"),
                (|r| r["parallel_tool_calls"] = false.into(), "parallel_tool_calls"),
                (|r| r["prediction"] = json!({"type": "content", "content": "x"}), "prediction"),
            ],
        ),
        (
            RESPONSES,
            responses(),
            vec![
                (|r| r["input"][0]["content"][0]["text"] = "Which train was in it?".into(), "input[0].content[0].text"),
                (|r| r["input"][1]["arguments"] = "{\"city\":\"Oslo\"}".into(), "input[1].arguments~.city"),
                (|r| r["input"][2]["output"] = "09:05".into(), "input[2].output"),
                (|r| r["reasoning"]["effort"] = "high".into(), "reasoning.effort"),
                (|r| r["tools"][1]["parameters"]["type"] = "array".into(), "tools[1].parameters.type"),
                (|r| r["store"] = true.into(), "store"),
            ],
        ),
        (
            ANTHROPIC,
            anthropic(),
            vec![
                (|r| r["model"] = "claude-haiku-4-5".into(), "model"),
                (|r| r["messages"][0]["content"] = "When is the last train to Bergen?".into(), "messages[0].content"),
                (
                    |r| r["messages"][1]["content"][1]["input"]["city"] = "Oslo".into(),
                    "messages[1].content[1].input.city",
                ),
                (
                    |r| r["messages"][2]["content"][0]["content"] = "09:04 from platform 4".into(),
                    "messages[2].content[0].content",
                ),
                (|r| r["system"][0]["cache_control"]["type"] = "none".into(), "system[0].cache_control.type"),
                (|r| r["metadata"] = json!({"user_id": "u"}), "metadata"),
            ],
        ),
        (
            GEMINI,
            gemini(),
            vec![
                (
                    |r| r["contents"][0]["parts"][0]["text"] = "When is the last one?".into(),
                    "contents[0].parts[0].text",
                ),
                (
                    |r| r["contents"][1]["parts"][0]["functionCall"]["args"]["city"] = "Oslo".into(),
                    "contents[1].parts[0].functionCall.args.city",
                ),
                (
                    |r| r["generationConfig"]["thinkingConfig"]["thinkingBudget"] = 1024.into(),
                    "generationConfig.thinkingConfig.thinkingBudget",
                ),
                (|r| r["safetySettings"][0]["threshold"] = "BLOCK_ONLY_HIGH".into(), "safetySettings[0].threshold"),
            ],
        ),
    ]
}

/// Settings that are not compared: an edit of one is told of beside no other.
fn sampling(kind: usize, request: &mut Value) {
    match kind {
        1 | 3 => request["temperature"] = 0.9.into(),
        4 => request["generationConfig"]["temperature"] = 0.9.into(),
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn edits_together_are_named_and_nothing_else(
        kind in 0..5_usize,
        chosen in prop::collection::vec(any::<prop::sample::Index>(), 1..5),
        sampled in any::<bool>(),
    ) {
        let (url, request, edits) = kinds().swap_remove(kind);
        let mut chosen: Vec<_> = chosen.iter().map(|index| index.index(edits.len())).collect();
        chosen.sort_unstable();
        chosen.dedup();
        let mut edited = request.clone();
        chosen.iter().for_each(|at| edits[*at].0(&mut edited));
        if sampled {
            sampling(kind, &mut edited);
        }
        let mut expected: Vec<_> = chosen.iter().map(|at| edits[*at].1.to_owned()).collect();
        expected.sort();
        let (recorded, incoming) = (post(url, &request), post(url, &edited));
        let found = paths(&recorded, &incoming, &Matching::default());
        prop_assert_eq!(&found, &expected);
        prop_assert_eq!(paths(&incoming, &recorded, &Matching::default()), expected);
        prop_assert_eq!(paths(&recorded, &incoming, &ignoring(&found)), [""; 0]);
    }
}

#[test]
fn a_member_of_the_name_body_is_told_beside_another() {
    let edited = |edit: fn(&mut Value)| {
        let mut request = letter();
        edit(&mut request);
        post(LETTER, &request)
    };
    let both = edited(|r| {
        r["subject"] = "Buses".into();
        r["body"][0] = "Dear Ola,".into();
        r["@query.x"] = 7.into();
    });
    named(&post(LETTER, &letter()), &both, &["[\"@query.x\"]", "body[0]", "subject"]);
    let form = |text: &str| raw(FORM, "application/x-www-form-urlencoded", text.as_bytes().to_vec());
    named(&form("body=a&body=b&to=x"), &form("body=a&body=c&to=y"), &["body[1]", "to"]);
}

#[test]
fn a_spelling_that_matters_is_told_beside_a_word_and_one_that_does_not_is_not() {
    let call = |output: Value, text: Value| {
        let item = json!({"type": "function_call_output", "call_id": "c", "output": output});
        post(RESPONSES, &json!({"model": "m", "input": [item, {"role": "user", "content": text}]}))
    };
    let blocks = || json!([{"type": "input_text", "text": "x"}]);
    let words = |text: &str| json!([{"type": "input_text", "text": text}]);
    let recorded = call("x".into(), "To Bergen?".into());
    named(&recorded, &call(blocks(), "To Oslo?".into()), &["input[0].output", "input[1].content"]);
    named(&recorded, &call(blocks(), "To Bergen?".into()), &["input[0].output"]);
    named(&recorded, &call(blocks(), words("To Oslo?")), &["input[0].output", "input[1].content[0].text"]);
    named(&recorded, &call("x".into(), words("To Bergen?")), &[]);
    let told = asked(&recorded, &call(blocks(), "To Bergen?".into()), &Matching::default()).unwrap().to_string();
    assert!(
        told.contains(
            "    input[0].output\n      recorded  \"x\"\n      incoming  [{\"text\": \"x\", \"type\": \"input_text\"}]"
        ),
        "{told}"
    );
}

#[test]
fn what_no_walk_tells_is_told_all_the_same() {
    let chat = |prediction: Value| {
        post(CHAT, &json!({"model": "m", "messages": [], "prediction": {"type": "content", "content": prediction}}))
    };
    named(&chat("a".into()), &chat(json!([{"type": "text", "text": "a"}])), &["prediction.content"]);
    let get = |query: &str| Call::http("GET", &format!("https://x.example.com/a?{query}"), Vec::new(), Vec::new());
    named(&get("a=1&a=2"), &get("a=1, 2"), &["@query.a"]);
    named(&get("a=1&b=2"), &get("a=2&b=2"), &["@query.a"]);
    let form = raw(FORM, "application/x-www-form-urlencoded", b"a=1".to_vec());
    named(&form, &post(FORM, &json!({"a": "1"})), &["@body"]);
    named(&raw(FORM, "text/plain", b"one two".to_vec()), &raw(FORM, "text/plain", b"one three".to_vec()), &["@body"]);
    named(&post(FORM, &json!([1, [2]])), &post(FORM, &json!([1, [3]])), &["[1][0]"]);
    let string = |text: &str| post(FORM, &json!(text));
    named(&string("{\"a\":1}"), &string("{\"a\":2}"), &["@body~.a"]);
    named(&raw(FORM, "text/plain", Vec::new()), &post(FORM, &json!({"a": 1})), &["@body", "@header.content-type"]);
}

#[test]
fn a_tool_that_is_spelled_flat_is_compared_with_the_same_spelled_in_a_member() {
    let call = |tool: Value| post(CHAT, &json!({"model": "m", "messages": [], "tools": [tool]}));
    let nested = |what: &str| call(json!({"type": "function", "function": {"name": "a", "description": what}}));
    let flat = |what: &str| call(json!({"type": "function", "name": "a", "description": what}));
    named(&nested("Finds a train."), &flat("Finds a train."), &[]);
    let found = asked(&nested("Finds a train."), &flat("Finds a bus."), &Matching::default()).unwrap().nearest.unwrap();
    let [difference] = found.differences.as_slice() else { panic!("{:?}", found.differences) };
    let from = difference.from.as_deref();
    assert_eq!((difference.path.as_str(), from), ("tools[0].description", Some("tools[0].function.description")));
}

fn upload(parts: &[(&str, &str)]) -> Call {
    let part = |(head, value): &(&str, &str)| format!("--B\r\nContent-Disposition: {head}\r\n\r\n{value}\r\n");
    let body = parts.iter().map(part).collect::<String>() + "--B--\r\n";
    raw("https://files.example.com/up", "multipart/form-data; boundary=B", body.into_bytes())
}

#[test]
fn the_order_and_the_quotation_marks_of_a_parts_head_do_not_count() {
    let head = |head: &str| upload(&[(head, "x")]);
    let recorded = head("form-data; name=\"a\"; filename=\"n; m\"");
    for same in [
        "form-data; filename=\"n; m\"; name=\"a\"",
        "form-data; name=a; filename=\"n; m\"",
        "Form-Data;name=a;FILENAME=\"n; m\"",
    ] {
        named(&recorded, &head(same), &[]);
    }
    named(&recorded, &head("form-data; name=\"a\"; filename=\"o\""), &["@part[\"a\"]@filename"]);
    named(&recorded, &head("attachment; name=\"a\"; filename=\"n; m\""), &["@part[\"a\"]@header.content-disposition"]);
}

#[test]
fn each_place_of_an_upload_is_told_and_can_be_ignored() {
    let base = [
        ("form-data; name=\"a\"", "{\"k\":1,\"l\":[1,2]}"),
        ("form-data; name=\"f\"; filename=\"n\"\r\nContent-Type: text/plain", "one"),
        ("form-data; name=\"f\"; filename=\"m\"\r\nContent-Type: text/plain", "two"),
    ];
    let recorded = upload(&base);
    let edited = |at: usize, head: &'static str, value: &'static str| {
        let mut parts = base;
        parts[at] = (head, value);
        upload(&parts)
    };
    named(&recorded, &edited(0, base[0].0, "{\"k\":2,\"l\":[1,2]}"), &["@part[\"a\"]~.k"]);
    named(&recorded, &edited(0, base[0].0, "{\"l\":[1,2],\"k\":1}"), &["@part[\"a\"]"]);
    named(&recorded, &edited(2, base[2].0, "three"), &["@part[\"f\"][1]"]);
    let other = "form-data; name=\"f\"; filename=\"o\"\r\nContent-Type: text/html";
    named(&recorded, &edited(2, other, "two"), &["@part[\"f\"][1]@filename", "@part[\"f\"][1]@header.content-type"]);
    let mut parts = base;
    parts[0].1 = "{\"l\":[1,2],\"k\":1}";
    parts[1].1 = "three";
    named(&recorded, &upload(&parts), &["@part[\"a\"]", "@part[\"f\"]"]);
    let on = Matching {
        match_on: Some(vec![Selector::Path("@part[\"f\"]@filename".parse().unwrap())]),
        ..Matching::default()
    };
    assert!(asked(&recorded, &edited(2, base[2].0, "three"), &on).is_none());
    assert!(asked(&recorded, &edited(2, other, "two"), &on).is_some());
}

#[test]
fn a_model_in_the_path_is_ignored_and_compared_as_one_in_the_body_is() {
    let call = |model: &str, text: &str| {
        let url = format!("https://generativelanguage.googleapis.com/v1beta/models/{model}:generateContent");
        post(
            &url,
            &json!({"contents": [{"parts": [{"text": text}]}], "tools": [{"functionDeclarations": [{"name": "a"}]}]}),
        )
    };
    let on = |selector| Matching { match_on: Some(vec![selector]), ..Matching::default() };
    let model = ignoring(&["model".to_owned()]);
    let (one, other) = (call("g-1", "When?"), call("g-2", "When?"));
    named(&one, &other, &["model"]);
    assert_eq!(paths(&one, &call("g-2", "Where?"), &model), ["contents[0].parts[0].text"]);
    assert!(asked(&one, &other, &on(Selector::Part(PartName::Tools))).is_none());
    assert!(asked(&one, &other, &on(Selector::Part(PartName::Model))).is_some());
    assert!(asked(&one, &other, &on(Selector::Path("model".parse().unwrap()))).is_some());
    assert!(asked(&one, &call("g-1", "Where?"), &on(Selector::Path("model".parse().unwrap()))).is_none());
}

#[test]
fn a_report_says_so_where_match_on_names_nothing_that_is_there() {
    let call = |say: &str| post("https://new.example.com/v9/talk", &json!({"dialogue": say, "config": {"tools": [1]}}));
    let tools = Matching { match_on: Some(vec![Selector::Part(PartName::Tools)]), ..Matching::default() };
    let told = asked(&call("a"), &call("b"), &tools).unwrap().to_string();
    let line = "\n  nothing that `match_on` names is in this request, so all of it was compared: tools\n";
    assert!(told.contains(line), "{told}");
    let named = |say: &str| post("https://new.example.com/v9/talk", &json!({"dialogue": say, "tools": [say]}));
    assert!(!asked(&named("a"), &named("b"), &tools).unwrap().to_string().contains("match_on"));
}

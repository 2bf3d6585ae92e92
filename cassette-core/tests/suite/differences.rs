//! A report names what was edited, and nothing else.

use cassette_core::call::Call;
use cassette_core::matching::{Matching, PartName, Selector};
use cassette_core::mode::Mode;
use cassette_core::report::{Edit, Mismatch, Report};
use cassette_core::session::{BodyEnd, Plan};
use cassette_core::store::MemoryStore;
use serde_json::{Value, json};

use crate::bench_of_calls::{gone, plan, record, run};
use crate::requests::{
    ANTHROPIC, CHAT, FIELDS, GEMINI, GRAPHQL, INSTRUCTIONS, PARTS, RESPONSES, anthropic, chat, form, gemini, graphql,
    post, responses, upload,
};

/// Returns the report of asking this of a cassette which holds those.
pub(crate) fn mismatch(recorded: &[Call], incoming: &Call) -> Mismatch {
    mismatch_after(recorded, &[], incoming)
}

/// Returns the same where some calls were made before.
pub(crate) fn mismatch_after(recorded: &[Call], before: &[Call], incoming: &Call) -> Mismatch {
    let store = MemoryStore::default();
    record(&store, recorded);
    let calls = [before, std::slice::from_ref(incoming)].concat();
    let (_, verdict) = run(plan(&store, Mode::Replay), &calls, gone, BodyEnd::Passed);
    match verdict.reports.first().map(|report| (**report).clone()) {
        Some(Report::Mismatch(mismatch)) => *mismatch,
        other => panic!("no mismatch: {other:?}"),
    }
}

#[track_caller]
fn check(recorded: &Call, incoming: &Call, expected: &[&str]) {
    let nearest = mismatch(std::slice::from_ref(recorded), incoming).nearest.unwrap();
    let told = nearest.differences.iter().map(|difference| {
        let from = difference.from.as_ref().map_or(String::new(), |from| format!(" < {from}"));
        let sign = match difference.edit {
            Edit::Changed => "",
            Edit::Added => "+",
            Edit::Removed => "-",
            _ => "~",
        };
        format!("{sign}{}{from}", difference.path)
    });
    assert_eq!(told.collect::<Vec<_>>(), expected, "{:?}", String::from_utf8_lossy(&incoming.body));
}

type Change = fn(&mut Value);

/// Checks each edit of a JSON request, and that undoing it is told the other way round.
#[track_caller]
fn check_all(url: &str, request: &Value, edits: &[(Change, &[&str])]) {
    for (edit, expected) in edits {
        let mut edited = request.clone();
        edit(&mut edited);
        check(&post(url, request), &post(url, &edited), expected);
        let back = mismatch(&[post(url, &edited)], &post(url, request)).nearest.unwrap();
        let from = |path: &&str| path.trim_start_matches(['+', '-', '~']).split(" < ").last().unwrap().to_owned();
        let mut paths: Vec<_> = back.differences.into_iter().map(|difference| difference.path).collect();
        let mut expected: Vec<_> = expected.iter().map(from).collect();
        paths.sort();
        expected.sort();
        assert_eq!(paths, expected);
    }
}

fn list<'a>(value: &'a mut Value, pointer: &str) -> &'a mut Vec<Value> {
    value.pointer_mut(pointer).unwrap().as_array_mut().unwrap()
}

fn set(value: &mut Value, pointer: &str, new: impl Into<Value>) {
    *value.pointer_mut(pointer).unwrap() = new.into();
}

fn remove(value: &mut Value, pointer: &str, name: &str) {
    value.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(name).unwrap();
}

#[test]
fn edits_of_a_chat_request_are_named() {
    check_all(
        CHAT,
        &chat(),
        &[
            (|r| set(r, "/model", "gpt-4o"), &["model"]),
            (|r| set(r, "/tool_choice", "required"), &["tool_choice"]),
            (|r| set(r, "/messages/1/content", "When is the next train to Oslo?"), &["messages[1].content"]),
            (|r| set(r, "/messages/0/content", INSTRUCTIONS.replace("five", "ten")), &["messages[0].content"]),
            (|r| set(r, "/messages/0/role", "developer"), &["messages[0].role"]),
            (
                |r| set(r, "/messages/2/tool_calls/0/function/arguments", "{\"city\":\"Oslo\",\"limit\":3}"),
                &["messages[2].tool_calls[0].function.arguments~.city"],
            ),
            (
                |r| set(r, "/messages/2/tool_calls/0/function/arguments", "{\"city\":\"Bergen\"}"),
                &["-messages[2].tool_calls[0].function.arguments~.limit"],
            ),
            (
                |r| set(r, "/messages/3/content", "[{\"train\": \"R40\",\"leaves\":\"09:04\"}]"),
                &["messages[3].content"],
            ),
            (
                |r| set(r, "/messages/3/content", "[{\"train\":\"R40\",\"leaves\":\"09:08\"}]"),
                &["messages[3].content~[0].leaves"],
            ),
            (|r| list(r, "/messages").insert(0, json!({"role": "system", "content": "Be brief."})), &["+messages[0]"]),
            (|r| list(r, "/messages").push(json!({"role": "user", "content": "And back?"})), &["+messages[5]"]),
            (|r| drop(list(r, "/messages").remove(1)), &["-messages[1]"]),
            (|r| list(r, "/messages").swap(3, 4), &["~messages[3] < messages[4]"]),
            (|r| drop(list(r, "/tools").remove(0)), &["-tools[0]"]),
            (|r| list(r, "/tools").rotate_left(1), &["~tools[2] < tools[0]"]),
            (
                |r| set(r, "/tools/1/function/description", "Names the track of a train."),
                &["tools[1].function.description"],
            ),
            (
                |r| {
                    set(r, "/tools/2/function/name", "prices");
                    set(r, "/tools/2/function/parameters/properties/to/type", "integer");
                },
                &["tools[2].function.name", "tools[2].function.parameters.properties.to.type"],
            ),
            (
                |r| list(r, "/tools/0/function/parameters/required").push("limit".into()),
                &["+tools[0].function.parameters.required[1]"],
            ),
            (
                |r| remove(r, "/tools/0/function/parameters/properties", "limit"),
                &["-tools[0].function.parameters.properties.limit"],
            ),
            (
                |r| set(r, "/response_format/json_schema/schema/properties/late/type", "string"),
                &["response_format.json_schema.schema.properties.late.type"],
            ),
            (|r| r["metadata"]["trace id"] = "t-2".into(), &["metadata[\"trace id\"]"]),
            (|r| r["parallel_tool_calls"] = false.into(), &["+parallel_tool_calls"]),
            (|r| remove(r, "", "metadata"), &["-metadata"]),
            (
                |r| {
                    list(r, "/messages").insert(1, json!({"role": "user", "content": "Hello!"}));
                    set(r, "/messages/2/content", "When is the next train to Oslo?");
                    set(r, "/tool_choice", "none");
                },
                &["+messages[1]", "messages[2].content < messages[1].content", "tool_choice"],
            ),
        ],
    );
}

#[test]
fn edits_of_other_providers_requests_are_named() {
    check_all(
        RESPONSES,
        &responses(),
        &[
            (|r| set(r, "/input/0/content/0/text", "Which train was in it?"), &["input[0].content[0].text"]),
            (
                |r| set(r, "/input/0/content/1/image_url", "https://example.com/bus.png"),
                &["input[0].content[1].image_url"],
            ),
            (|r| set(r, "/input/1/arguments", "{\"city\":\"Oslo\"}"), &["input[1].arguments~.city"]),
            (|r| set(r, "/reasoning/effort", "high"), &["reasoning.effort"]),
            (|r| drop(list(r, "/tools").remove(0)), &["-tools[0]"]),
            (|r| set(r, "/input/2/output", "09:05"), &["input[2].output"]),
        ],
    );
    check_all(
        ANTHROPIC,
        &anthropic(),
        &[
            (|r| set(r, "/system/0/text", INSTRUCTIONS.replace("fare", "price")), &["system[0].text"]),
            (|r| remove(r, "/system/0", "cache_control"), &["-system[0].cache_control"]),
            (|r| set(r, "/messages/1/content/1/input/city", "Oslo"), &["messages[1].content[1].input.city"]),
            (
                |r| list(r, "/messages/1/content/1/input/days").push(3.into()),
                &["+messages[1].content[1].input.days[2]"],
            ),
            (|r| drop(list(r, "/messages/1/content").remove(0)), &["-messages[1].content[0]"]),
            (|r| set(r, "/messages/0/content", json!([{"type": "image"}])), &["messages[0].content"]),
        ],
    );
    check_all(
        GEMINI,
        &gemini(),
        &[
            (|r| set(r, "/contents/0/parts/0/text", "When is the last one?"), &["contents[0].parts[0].text"]),
            (
                |r| set(r, "/contents/1/parts/0/functionCall/args/city", "Oslo"),
                &["contents[1].parts[0].functionCall.args.city"],
            ),
            (
                |r| set(r, "/generationConfig/thinkingConfig/thinkingBudget", 1024),
                &["generationConfig.thinkingConfig.thinkingBudget"],
            ),
            (|r| set(r, "/safetySettings/0/threshold", "BLOCK_ONLY_HIGH"), &["safetySettings[0].threshold"]),
        ],
    );
    check_all(
        GRAPHQL,
        &graphql(),
        &[
            (|r| r["query"] = r["query"].as_str().unwrap().replace("first: 3", "first: 5").into(), &["query"]),
            (|r| set(r, "/variables/city", "Oslo"), &["variables.city"]),
            (|r| drop(list(r, "/variables/filter/lines").remove(0)), &["-variables.filter.lines[0]"]),
            (|r| set(r, "/variables/filter/late", Value::Null), &["variables.filter.late"]),
        ],
    );
}

#[test]
fn who_asks_for_a_stream_is_told_once() {
    let ollama = "http://localhost:11434/api/chat";
    let bodies = [(CHAT, chat(), true), (RESPONSES, responses(), true), (ANTHROPIC, anthropic(), true)];
    for (url, body, unusual) in [&bodies[..], &[(ollama, chat(), false)]].concat() {
        let asked = |stream: Option<bool>| {
            let mut body = body.clone();
            body.as_object_mut().unwrap().remove("stream");
            stream.into_iter().for_each(|stream| body["stream"] = stream.into());
            post(url, &body)
        };
        check(&asked(None), &asked(Some(unusual)), &["+stream"]);
        check(&asked(Some(unusual)), &asked(None), &["-stream"]);
        check(&asked(Some(false)), &asked(Some(true)), &["stream"]);
    }
}

#[test]
fn edits_of_an_address_are_named() {
    let call = |url: &str| post(url, &gemini());
    check(&call(GEMINI), &call(&GEMINI.replace("flash", "pro")), &["model"]);
    check(&call(GEMINI), &call(&GEMINI.replace("v1beta", "v1")), &["@path"]);
    check(&call(GEMINI), &call(&GEMINI.replace("alt=sse", "alt=json&trace=1")), &["@query.alt", "+@query.trace"]);
    check(&call(GEMINI), &call(&GEMINI.replace("?alt=sse", "")), &["-@query.alt"]);
    check(&call(GEMINI), &call(&GEMINI.replace("https", "http")), &["@host"]);
    let mut put = call(GEMINI);
    put.name = put.name.replace("POST", "PUT");
    check(&call(GEMINI), &put, &["@method"]);
    check(&call(GEMINI), &Call { body: Vec::new(), ..call(GEMINI) }, &["-@body"]);
}

#[test]
fn edits_of_a_form_are_named() {
    let edited = |i: usize, field: (&'static str, &'static str)| {
        let mut fields = FIELDS;
        fields[i] = field;
        form(&fields)
    };
    check(&form(&FIELDS), &edited(0, ("city", "Oslo")), &["city"]);
    check(&form(&FIELDS), &edited(2, ("line", "F5")), &["line[1]"]);
    check(&form(&FIELDS), &edited(3, ("note", "window+table")), &["note"]);
    check(&form(&FIELDS), &form(&FIELDS[..4]), &["-when"]);
    check(&form(&FIELDS), &edited(4, ("day", "today")), &["-when", "+day"]);
}

#[test]
fn edits_of_an_upload_are_named() {
    let recorded = upload(&PARTS, "b0undary");
    let edited = |edit: fn(&mut [crate::requests::UploadPart; 4])| {
        let mut parts = PARTS;
        edit(&mut parts);
        upload(&parts, "an0ther")
    };
    check(&recorded, &edited(|parts| parts[0].2 = b"whisper-2"), &["@part[\"model\"]"]);
    check(&recorded, &edited(|parts| parts[3].2 = b"RIFF\xff\xfe\x00\x02WAVE"), &["@part[\"file\"]"]);
    check(
        &recorded,
        &edited(|parts| parts[1].2 = b"{\"language\":\"nn\",\"hints\":[\"Myrdal\"]}"),
        &["@part[\"options\"]~.language", "-@part[\"options\"]~.hints[0]"],
    );
    check(
        &recorded,
        &edited(|parts| parts[3].1 = "; filename=\"b.wav\"\r\ncontent-type: audio/x-wav"),
        &["@part[\"file\"]@filename", "@part[\"file\"]@header.content-type"],
    );
    check(&recorded, &upload(&PARTS[1..], "an0ther"), &["-@part[\"model\"]"]);
}

#[test]
fn parts_of_one_name_are_a_list() {
    let files: [crate::requests::UploadPart; 4] = [
        ("f", "; filename=\"0.txt\"", b"Bodo"),
        ("f", "; filename=\"1.txt\"", b"Bergen"),
        ("f", "; filename=\"2.txt\"", b"Oslo"),
        ("f", "; filename=\"3.txt\"", b"Voss"),
    ];
    let body = |parts: &[usize]| upload(&parts.iter().map(|at| files[*at]).collect::<Vec<_>>(), "b0undary");
    check(&body(&[1, 2, 3]), &body(&[0, 1, 2, 3]), &["+@part[\"f\"]"]);
    check(&body(&[1, 2, 3]), &body(&[1, 2, 3, 0]), &["+@part[\"f\"][3]"]);
    check(&body(&[0, 1, 2, 3]), &body(&[1, 2, 3]), &["-@part[\"f\"]"]);
    check(&body(&[0, 1, 2, 3]), &body(&[0, 2, 3]), &["-@part[\"f\"][1]"]);
    check(&body(&[1, 2, 3]), &body(&[3, 1, 2]), &["~@part[\"f\"] < @part[\"f\"][2]"]);
    let mut renamed = files;
    renamed[2].1 = "; filename=\"two.txt\"";
    let named = |files: &[crate::requests::UploadPart]| upload(files, "b0undary");
    check(&named(&files), &named(&renamed), &["@part[\"f\"][2]@filename"]);
}

#[test]
fn what_stands_beside_the_declarations_of_a_tool_is_named_alone() {
    let asked = |tool: Value| {
        let mut body = gemini();
        body["tools"] = json!([tool]);
        post(GEMINI, &body)
    };
    let declared = json!({"functionDeclarations": [{"name": "departures"}, {"name": "fares"}]});
    let beside = json!({"functionDeclarations": [{"name": "departures"}, {"name": "fares"}], "googleSearch": {}});
    check(&asked(declared.clone()), &asked(beside.clone()), &["+tools[0].googleSearch"]);
    check(&asked(beside), &asked(declared), &["-tools[0].googleSearch"]);
}

#[test]
fn strings_in_strings_are_entered_as_far_as_anybody_would_look() {
    let nested = |leaf: &str| {
        let mut text = leaf.to_owned();
        for _ in 0..9 {
            text = format!("{}{}{}", "[".repeat(150), Value::from(text), "]".repeat(150));
        }
        crate::requests::raw("https://api.example.com/deep", "application/json", text.into_bytes())
    };
    let found = mismatch(&[nested("a")], &nested("b")).nearest.unwrap().differences;
    assert_eq!((found.len(), found[0].path.matches('~').count()), (1, 1));
}

#[test]
fn a_header_that_counts_is_named() {
    let tenant = |name: &str| {
        let mut call = post(CHAT, &chat());
        call.headers.push(("x-tenant".into(), name.into()));
        call
    };
    let store = MemoryStore::default();
    let matching = |mode| Plan {
        matching: Matching { headers: vec!["x-tenant".into()], ..Matching::default() },
        ..plan(&store, mode)
    };
    run(matching(Mode::Record), &[tenant("north")], crate::bench_of_calls::counting(), BodyEnd::Passed);
    let (_, verdict) = run(matching(Mode::Replay), &[tenant("south")], gone, BodyEnd::Passed);
    let Report::Mismatch(mismatch) = &*verdict.reports[0] else { panic!("{:?}", verdict.reports) };
    assert_eq!(mismatch.nearest.as_ref().unwrap().differences[0].path, "@header.x-tenant");
}

#[test]
fn the_nearest_of_many_is_named_whatever_its_place() {
    let ask = |i: usize, word: &str| {
        let mut request = chat();
        set(&mut request, "/messages/1/content", format!("Question {i}: when does the {word} leave?"));
        post(CHAT, &request)
    };
    let recorded: Vec<_> = (0..40).map(|i| ask(i, "train")).collect();
    for i in [0, 17, 39] {
        let nearest = mismatch(&recorded, &ask(i, "bus")).nearest.unwrap();
        assert_eq!((nearest.interaction, nearest.used, nearest.differences.len()), (i + 1, false, 1));
    }
    let used = mismatch_after(&recorded[..2], &recorded[..2], &ask(1, "bus"));
    let nearest = used.nearest.as_ref().unwrap();
    assert_eq!((nearest.interaction, nearest.used), (2, true));
    assert!(used.to_string().contains(", which was served already"));
    assert!(used.to_string().contains("all 2 recordings have been served"));
    let twins = [ask(1, "train"), ask(1, "train")];
    assert_eq!(mismatch(&twins, &ask(1, "bus")).nearest.unwrap().interaction, 1);
    assert_eq!(mismatch_after(&twins, &twins[..1], &ask(1, "bus")).nearest.unwrap().interaction, 2);
}

#[test]
fn the_same_pair_gives_the_same_report() {
    let mut edited = chat();
    list(&mut edited, "/messages").rotate_left(2);
    list(&mut edited, "/tools").rotate_left(1);
    edited["metadata"] = json!({"a": 1, "b": 2, "c": 3});
    let report = || mismatch(&[post(CHAT, &chat())], &post(CHAT, &edited)).to_string();
    let first = report();
    (0..5).for_each(|_| assert_eq!(report(), first));
}

#[test]
fn what_does_not_count_is_not_named() {
    let told = |matching: Matching, edits: &[Change]| {
        let mut edited = chat();
        edits.iter().for_each(|edit| edit(&mut edited));
        let store = MemoryStore::default();
        let plan = |mode| Plan { matching: matching.clone(), ..plan(&store, mode) };
        let recorded = [post(CHAT, &chat())];
        run(plan(Mode::Record), &recorded, crate::bench_of_calls::counting(), BodyEnd::Passed);
        let (_, verdict) = run(plan(Mode::Replay), &[post(CHAT, &edited)], gone, BodyEnd::Passed);
        let Some(Report::Mismatch(mismatch)) = verdict.reports.first().map(|report| &**report) else {
            panic!("{:?}", verdict.reports)
        };
        let differences = &mismatch.nearest.as_ref().unwrap().differences;
        differences.iter().map(|difference| difference.path.clone()).collect::<Vec<_>>()
    };
    let prompt: Change = |r| set(r, "/messages/1/content", "When is the next train to Oslo?");
    let sampling: Change = |r| set(r, "/temperature", 0.9);
    let tool: Change = |r| set(r, "/tools/0/function/name", "arrivals");
    let blocks: Change = |r| set(r, "/messages/0/content", json!([{"type": "text", "text": INSTRUCTIONS}]));
    let note: Change = |r| r["messages"][1]["note"] = "n-1".into();
    let stamp: Change = |r| r["messages"][1]["metadata"] = json!({"timestamp": 1});
    let all = [prompt, sampling, tool, blocks, note, stamp];
    assert_eq!(told(Matching::default(), &[prompt, sampling, blocks]), ["messages[1].content"]);
    let ignoring = Matching { ignore: vec!["messages[*].note".parse().unwrap()], ..Matching::default() };
    assert_eq!(told(ignoring, &[note, prompt, sampling]), ["messages[1].content"]);
    let tools = Matching { match_on: Some(vec![Selector::Part(PartName::Tools)]), ..Matching::default() };
    assert_eq!(told(tools, &all), ["tools[0].function.name"]);
}

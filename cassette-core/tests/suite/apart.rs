//! Requests that differ, told apart: each pair is recorded with the first and replayed with the second.

use cassette_core::call::Call;
use cassette_core::json::Json;
use cassette_core::matching::{Matching, PartName, Selector};
use cassette_core::mode::Mode;
use cassette_core::session::{BodyEnd, Plan, Session};
use cassette_core::store::MemoryStore;

use crate::bench_of_calls::{codes, counting, gone, plan, run};

fn post(url: &str, body: &str) -> Call {
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    Call::http("POST", &format!("https://{url}"), headers, body.into())
}

/// Returns what a replay says of a call that was recorded as another.
fn replayed(recorded: &Call, incoming: &Call, matching: &Matching) -> Vec<&'static str> {
    let store = MemoryStore::default();
    let plan = |mode| Plan { matching: matching.clone(), ..plan(&store, mode) };
    let (_, verdict) = run(plan(Mode::Record), std::slice::from_ref(recorded), counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0], "{recorded:?}");
    codes(&run(plan(Mode::Replay), std::slice::from_ref(incoming), gone, BodyEnd::Passed).1)
}

#[track_caller]
fn missed(recorded: &Call, incoming: &Call, matching: &Matching) {
    assert_eq!(replayed(recorded, incoming, matching), ["mismatch"], "{recorded:?} and {incoming:?}");
    assert_eq!(replayed(recorded, recorded, matching), [""; 0], "{recorded:?}");
}

#[track_caller]
fn served(recorded: &Call, incoming: &Call, matching: &Matching) {
    assert_eq!(replayed(recorded, incoming, matching), [""; 0], "{recorded:?} and {incoming:?}");
}

fn on(part: PartName) -> Matching {
    Matching { match_on: Some(vec![Selector::Part(part)]), ..Matching::default() }
}

#[test]
fn an_ordinary_service_is_no_model_whatever_its_fields_are_called() {
    for (url, recorded, incoming) in [
        ("iot.example.com/v1/messages", r#"{"device":"d1","temperature":21.5}"#, r#"{"device":"d1","temperature":99}"#),
        (
            "clinic.example.com/surveys/7/responses",
            r#"{"answer":"yes","temperature":36.6,"seed":1}"#,
            r#"{"answer":"yes","temperature":41.2,"seed":2}"#,
        ),
        (
            "sms.example.com/v1/messages",
            r#"{"to":"x","metadata":{"timestamp":"2026-01-01T09:00"}}"#,
            r#"{"to":"x","metadata":{"timestamp":"2027-01-01T09:00"}}"#,
        ),
        (
            "sim.example.com/run",
            r#"{"inputs":{"mesh":"a"},"parameters":{"temperature":300,"seed":1}}"#,
            r#"{"inputs":{"mesh":"a"},"parameters":{"temperature":900,"seed":2}}"#,
        ),
        (
            "serve.example.com/v2/models/m/infer",
            r#"{"inputs":[{"name":"x","data":[1]}],"parameters":{"top_k":1}}"#,
            r#"{"inputs":[{"name":"x","data":[1]}],"parameters":{"top_k":9}}"#,
        ),
        (
            "erp.example.com/orders",
            r#"{"model":"X200","input":"steel","store":true,"temperature":20}"#,
            r#"{"model":"X200","input":"steel","store":true,"temperature":900}"#,
        ),
        (
            "transit.example.com/board",
            r#"{"model":"x","prompt":"q","stop":"Bergen"}"#,
            r#"{"model":"x","prompt":"q","stop":"Oslo"}"#,
        ),
        ("cms.example.com/pages", r#"{"contents":[{"title":"A","parent":null}]}"#, r#"{"contents":[{"title":"A"}]}"#),
        ("cms.example.com/pages", r#"{"contents":[{"file_name":"A"}]}"#, r#"{"contents":[{"fileName":"A"}]}"#),
        // A host and a path that are a provider's, and nothing that is said to a model.
        (
            "api.openai.com/v1/chat/completions",
            r#"{"device":"d1","temperature":21.5}"#,
            r#"{"device":"d1","temperature":99}"#,
        ),
    ] {
        missed(&post(url, recorded), &post(url, incoming), &Matching::default());
    }
}

#[test]
fn what_a_model_is_told_is_compared_as_messages_wherever_it_stands() {
    for (url, body) in [
        ("api.replicate.com/v1/predictions", r#"{"version":"v","input":{"text":"A"}}"#),
        ("bedrock-runtime.us-east-1.amazonaws.com/model/t/invoke", r#"{"textToImageParams":{"text":"A"}}"#),
        ("bedrock-runtime.us-east-1.amazonaws.com/model/s/invoke", r#"{"text_prompts":[{"text":"A"}]}"#),
        ("bedrock-runtime.us-east-1.amazonaws.com/model/n/invoke", r#"{"unheardOf":{"text":"A"}}"#),
        (
            "api.anthropic.com/v1/messages/batches",
            r#"{"requests":[{"custom_id":"1","params":{"messages":[{"role":"user","content":"A"}]}}]}"#,
        ),
        (
            "generativelanguage.googleapis.com/v1beta/models/g:countTokens",
            r#"{"generateContentRequest":{"contents":[{"parts":[{"text":"A"}]}]}}"#,
        ),
        (
            "generativelanguage.googleapis.com/v1beta/models/g:batchGenerateContent",
            r#"{"batch":{"input_config":{"requests":{"requests":[{"request":{"contents":[{"parts":[{"text":"A"}]}]}}]}}}}"#,
        ),
        ("api.portkey.ai/v1/prompts/p/completions", r#"{"variables":{"q":"A"}}"#),
        ("api.openai.com/v1/responses", r#"{"model":"m","prompt":{"id":"p","variables":{"q":"A"}}}"#),
        ("api.openai.com/v1/responses", r#"{"model":"m","previous_response_id":"A"}"#),
        ("bedrock-runtime.us-east-1.amazonaws.com/model/m/converse", r#"{"promptVariables":{"q":{"text":"A"}}}"#),
        ("api.cohere.com/v1/chat", r#"{"model":"m","message":"hi","documents":[{"t":"A"}]}"#),
        ("ollama.com/api/embed", r#"{"model":"m","input":"A"}"#),
        // Of a service that nobody knows.
        ("models.example.com/ask", r#"{"model":"m","question":"A"}"#),
    ] {
        let other = body.replace("\"A\"", "\"B\"");
        missed(&post(url, body), &post(url, &other), &on(PartName::Messages));
        let both = [PartName::Model, PartName::Messages].map(Selector::Part).to_vec();
        missed(&post(url, body), &post(url, &other), &Matching { match_on: Some(both), ..Matching::default() });
    }
}

#[test]
fn a_model_that_no_table_finds_is_compared_with_the_rest() {
    let sent = |assistant: &str| {
        let body = format!(r#"{{"instructions":"a","assistant":"{assistant}"}}"#);
        post("api.openai.com/v1/threads/t/runs", &body)
    };
    missed(&sent("a"), &sent("b"), &on(PartName::Model));
}

#[test]
fn each_part_has_every_name_that_servers_give_it() {
    let said = r#""messages":[{"role":"user","content":"x"}]"#;
    let chat = |more: &str| format!(r#"{{"model":"m",{said},{more}}}"#);
    for (part, url, [recorded, incoming]) in [
        (
            PartName::OutputSchema,
            "llm.example.com/v1/chat/completions",
            [r#""guided_json":{"a":1}"#, r#""guided_json":{"a":2}"#].map(chat),
        ),
        (
            PartName::OutputSchema,
            "router.huggingface.co/hf-inference/models/o/m",
            ["1", "2"].map(|n| format!(r#"{{"inputs":"x","parameters":{{"grammar":{{"a":{n}}}}}}}"#)),
        ),
        (
            PartName::Reasoning,
            "api.together.xyz/v1/chat/completions",
            ["true", "false"].map(|on| chat(&format!(r#""chat_template_kwargs":{{"enable_thinking":{on}}}"#))),
        ),
        (
            PartName::Reasoning,
            "dashscope.aliyuncs.com/compatible-mode/v1/chat/completions",
            ["1", "2"].map(|n| chat(&format!(r#""thinking_budget":{n}"#))),
        ),
        (
            PartName::Tools,
            "api.anthropic.com/v1/messages",
            ["a", "b"].map(|url| chat(&format!(r#""max_tokens":1,"mcp_servers":[{{"url":"{url}"}}]"#))),
        ),
        (
            PartName::Tools,
            "api.openai.com/v1/chat/completions",
            ["true", "false"].map(|on| chat(&format!(r#""parallel_tool_calls":{on}"#))),
        ),
        (
            PartName::Tools,
            "api.perplexity.ai/chat/completions",
            ["1", "2"].map(|n| chat(&format!(r#""web_search_options":{{"a":{n}}}"#))),
        ),
    ] {
        missed(&post(url, &recorded), &post(url, &incoming), &on(part));
    }
}

#[test]
fn a_call_that_can_have_no_tools_is_compared_whole_by_a_test_over_tools() {
    let url = "api.openai.com/v1/embeddings";
    missed(
        &post(url, r#"{"model":"m","input":"A"}"#),
        &post(url, r#"{"model":"m","input":"B"}"#),
        &on(PartName::Tools),
    );
    let chat = |said: &str| {
        let body = format!(r#"{{"model":"m","messages":[{{"role":"user","content":"{said}"}}]}}"#);
        post("api.openai.com/v1/chat/completions", &body)
    };
    served(&chat("A"), &chat("B"), &on(PartName::Tools));
}

#[test]
fn a_whole_reply_is_never_served_for_a_stream() {
    let url = "api.openai.com/v1/chat/completions";
    let whole = post(url, r#"{"model":"m","messages":[{"role":"user","content":"x"}]}"#);
    let streamed = post(url, r#"{"model":"m","messages":[{"role":"user","content":"x"}],"stream":true}"#);
    let taken_out = Matching {
        normalize: vec![|json| {
            if let Json::Object(members) = json {
                members.retain(|(name, _)| !name.is("stream"));
            }
        }],
        ..Matching::default()
    };
    let anywhere = Matching { ignore: vec!["**.stream".parse().unwrap()], ..Matching::default() };
    for matching in [Matching::default(), taken_out, anywhere, on(PartName::Messages)] {
        missed(&whole, &streamed, &matching);
        missed(&streamed, &whole, &matching);
    }
    let gemini = |query: &str| {
        let url = "generativelanguage.googleapis.com/v1beta/models/g:streamGenerateContent";
        post(&format!("{url}{query}"), r#"{"contents":[{"parts":[{"text":"a"}]}]}"#)
    };
    missed(&gemini(""), &gemini("?alt=sse"), &on(PartName::Messages));
}

#[test]
fn streaming_cannot_be_ignored() {
    for path in ["stream", "@part[\"stream\"]"] {
        let store = MemoryStore::default();
        let ignore = Matching { ignore: vec![path.parse().unwrap()], ..Matching::default() };
        let report = Session::open(Plan { matching: ignore, ..plan(&store, Mode::Replay) }).unwrap_err();
        assert!(report.to_string().contains(&format!("`{path}` cannot be ignored: it is always compared")), "{report}");
    }
}

#[test]
fn a_stop_sequence_is_compared_and_the_temperature_is_not() {
    let said = r#""messages":[{"role":"user","content":"x"}]"#;
    for (url, settings) in [
        ("api.openai.com/v1/chat/completions", r#""stop":["A"]"#),
        ("api.anthropic.com/v1/messages", r#""max_tokens":1,"stop_sequences":["A"]"#),
        ("ollama.com/api/chat", r#""options":{"stop":"A"}"#),
    ] {
        let sent = |settings: &str| post(url, &format!(r#"{{"model":"m",{said},{settings}}}"#));
        missed(&sent(settings), &sent(&settings.replace("\"A\"", "\"B\"")), &Matching::default());
    }
    let warm =
        |n: &str| post("api.openai.com/v1/chat/completions", &format!(r#"{{"model":"m",{said},"temperature":{n}}}"#));
    served(&warm("0"), &warm("1"), &Matching::default());
}

#[test]
fn a_condition_is_a_part_of_what_is_asked() {
    for name in ["if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range"] {
        let get = |value: Option<&str>| {
            let headers = value.map(|value| (name.to_owned(), value.to_owned())).into_iter().collect();
            Call::http("GET", "https://docs.example.com/a", headers, Vec::new())
        };
        missed(&get(None), &get(Some("\"v1\"")), &Matching::default());
        missed(&get(Some("\"v1\"")), &get(None), &Matching::default());
        missed(&get(Some("\"v1\"")), &get(Some("\"v2\"")), &Matching::default());
    }
}

#[test]
fn the_parameters_of_one_name_stand_in_their_order() {
    let get = |query: &str| Call::http("GET", &format!("https://a.test/x?{query}"), Vec::new(), Vec::new());
    let asked = get("sort=price&page=2&sort=date");
    served(&asked, &get("page=2&sort=price&sort=date"), &Matching::default());
    missed(&asked, &get("page=2&sort=date&sort=price"), &Matching::default());
    missed(&get("a=1&a=2&b=1"), &get("a=2&b=1&a=1"), &on(PartName::Endpoint));
}

#[test]
fn a_method_that_a_header_names_is_one() {
    let overridden = |header: &str, method: &str| {
        Call::http("POST", "https://a.test/x", vec![(header.into(), method.into())], Vec::new())
    };
    for header in ["x-http-method-override", "x-http-method", "x-method-override"] {
        served(&overridden(header, "PUT"), &overridden(header, "PUT"), &Matching::default());
        missed(&overridden(header, "PUT"), &overridden(header, "DELETE"), &Matching::default());
        missed(
            &Call::http("POST", "https://a.test/x", Vec::new(), Vec::new()),
            &overridden(header, "PUT"),
            &Matching::default(),
        );
    }
}

#[test]
fn a_query_of_graphql_goes_by_its_tokens() {
    let sent = |url: &str, query: &str| {
        let query = Json::from(query).canonical();
        post(url, &format!(r#"{{"query":{query},"variables":{{"x":1,"y":2}}}}"#))
    };
    let url = "api.example.com/graphql";
    let plain = sent(url, r#"query A($x: Int) { a(x: $x, s: "b  c", t: """d  e""") b }"#);
    for same in [
        "query A($x:Int){\n  # a comment, with {\n  a(x:$x s:\"b  c\" t:\"\"\"d  e\"\"\"),\n  b\n}",
        "query A ( $x : Int ) {,a ( x : $x , s : \"b  c\" , t : \"\"\"d  e\"\"\" ) b}",
    ] {
        served(&plain, &sent(url, same), &Matching::default());
        missed(&plain, &sent(url, &same.replace("b  c", "b c")), &Matching::default());
        missed(&plain, &sent(url, &same.replace("d  e", "d e")), &Matching::default());
    }
    missed(&plain, &sent(url, r#"query A($x: Int) { a(x: $x, s: "b  c", t: """d  e""") c }"#), &Matching::default());
    missed(&sent(url, "{ ab }"), &sent(url, "{ a b }"), &Matching::default());
    // What is none, and another service's query, are compared as they are.
    missed(&sent(url, "trains  to Bergen"), &sent(url, "trains to Bergen"), &Matching::default());
    let search = "api.example.com/search";
    missed(&sent(search, "{ a }"), &sent(search, "{a}"), &Matching::default());
    let get = |query: &str| Call::http("GET", &format!("https://{url}?{query}"), Vec::new(), Vec::new());
    let asked = get("query=%7Ba%20b%7D&variables=%7B%22x%22:1,%22y%22:2%7D");
    served(&asked, &get("variables=%7B%22y%22%3A2%2C+%22x%22%3A1.0%7D&query=%7B+a%2C+b+%7D"), &Matching::default());
    missed(&asked, &get("query=%7Ba%20b%7D&variables=%7B%22x%22:1,%22y%22:3%7D"), &Matching::default());
}

#[test]
fn a_known_host_is_understood_at_a_path_that_nobody_listed() {
    for url in ["api.minimax.io/v1/text/chatcompletion_v2", "api.perplexity.ai/v1/sonar"] {
        served(
            &post(url, r#"{"model":"m","messages":[{"role":"user","content":"hi"}]}"#),
            &post(url, r#"{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}"#),
            &Matching::default(),
        );
    }
}

//! Values that only something later shows to be secret: such a recording stays pending, and what its report advises mends it.

use cassette_core::call::{Call, Header, Kind};
use cassette_core::mode::Mode;
use cassette_core::redact::Rules;
use cassette_core::reply::Outcome;
use cassette_core::rerun::{Rerun, Target};
use cassette_core::session::{BodyEnd, Plan, Session, Verdict};
use cassette_core::store::MemoryStore;
use insta::assert_snapshot;

use crate::bench_of_calls::{ask, asked, codes, counting, ended, file, gone, plan, run, tool, typed, value};

/// A value that only its name shows to be secret.
fn ticket() -> String {
    ["CAUQAA", "abc123def456", "ghi789"].concat()
}

fn post(content_type: &str, url: &str, body: &str) -> Call {
    let headers: Vec<Header> = vec![("content-type".to_owned(), content_type.to_owned())];
    Call::http("POST", &format!("https://api.example.com{url}"), headers, body.as_bytes().to_vec())
}

fn json(body: &str) -> Call {
    post("application/json", "/x", body)
}

/// Answers with what shows the value to be secret.
fn grant(call: &Call) -> Outcome {
    let body = format!(r#"{{"access_token":"{}"}}"#, ticket());
    if call.kind == Kind::Http { typed("application/json", &body) } else { value(&body) }
}

/// A request for each part that one has, with the value in it.
fn requests() -> Vec<(&'static str, Call)> {
    let it = ticket();
    let get = |url: &str, headers: Vec<Header>| {
        Call::http("GET", &format!("https://api.example.com{url}"), headers, Vec::new())
    };
    let part = format!("--b\r\ncontent-disposition: form-data; name=\"tok\"\r\n\r\n{it}\r\n--b--\r\n");
    let said = format!(r#"[{{"role":"user","content":"say {it} now"}}]"#);
    let mcp = |body: String| Call { kind: Kind::Mcp, ..tool("timetable tools/call", &body) };
    vec![
        ("member", json(&format!(r#"{{"ticket":"{it}"}}"#))),
        ("odd member", json(&format!(r#"{{"a.b c":"{it}"}}"#))),
        ("message", post("application/json", "/v1/chat/completions", &format!(r#"{{"model":"m","messages":{said}}}"#))),
        ("element", json(&format!(r#"["a","{it}"]"#))),
        ("string", json(&format!("\"{it}\""))),
        ("name of a member", json(&format!(r#"{{"{it}":1}}"#))),
        ("document in a string", json(&format!(r#"{{"a":"{{\"b\":\"{it}\"}}"}}"#))),
        ("text", post("text/plain", "/x", &format!("hello {it}"))),
        ("form", post("application/x-www-form-urlencoded", "/x", &format!("a=1&b={it}"))),
        ("part", post("multipart/form-data; boundary=b", "/x", &part)),
        ("query", get(&format!("/x?q={it}"), Vec::new())),
        ("path", get(&format!("/x/{it}/y"), Vec::new())),
        ("header", get("/x", vec![("accept-language".to_owned(), it.clone())])),
        ("argument", tool("f", &format!(r#"{{"q":{{"x":"{it}"}}}}"#))),
        ("bare argument", tool("f", &format!("\"{it}\""))),
        ("one of a list", tool("f", &format!(r#"["a","{it}"]"#))),
        ("name of a function", tool(&format!("f_{it}"), "1")),
        ("argument over MCP", mcp(format!(r#"{{"name":"next","arguments":{{"to":"{it}"}}}}"#))),
        ("message over HTTP", {
            let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{it}"}}}}"#);
            post("application/json", "/mcp", &message)
        }),
    ]
}

fn ruled(store: &MemoryStore, mode: Mode, rules: &Rules) -> Plan {
    Plan { rules: rules.clone(), ..plan(store, mode) }
}

fn values(values: &[&str]) -> Rules {
    Rules { values: values.iter().map(|value| (*value).to_owned()).collect(), ..Rules::default() }
}

/// Records these calls, and returns the report that keeps them pending.
fn kept(rules: &Rules, calls: &[Call], upstream: impl FnMut(&Call) -> Outcome) -> String {
    let store = MemoryStore::default();
    let (_, verdict) = run(ruled(&store, Mode::Record, rules), calls, upstream, BodyEnd::Passed);
    assert_eq!(codes(&verdict), ["pending"], "{}", text(&store));
    assert_eq!(file(&store), None);
    verdict.reports[0].to_string()
}

/// Records and replays these calls, neither of which fails, and returns the file.
fn mended(rules: &Rules, calls: &[Call], upstream: impl FnMut(&Call) -> Outcome) -> String {
    let store = MemoryStore::default();
    let (_, verdict) = run(ruled(&store, Mode::Record, rules), calls, upstream, BodyEnd::Passed);
    assert_eq!(told(&verdict), "");
    let (_, verdict) = run(ruled(&store, Mode::Replay, rules), calls, gone, BodyEnd::Passed);
    assert_eq!(told(&verdict), "");
    text(&store)
}

fn told(verdict: &Verdict) -> String {
    verdict.reports.iter().map(ToString::to_string).collect()
}

fn text(store: &MemoryStore) -> String {
    String::from_utf8(file(store).unwrap_or_default()).unwrap()
}

#[test]
fn a_value_that_its_own_reply_shows_to_be_secret_is_seen_wherever_it_stands_and_its_advice_mends_it() {
    let mut reports = Vec::new();
    for (what, call) in requests() {
        let report = kept(&Rules::default(), std::slice::from_ref(&call), grant);
        assert!(!report.contains(&ticket()), "{what}: {report}");
        let advised = report.contains(r#"`redact_value("..")` in the attribute"#) && !report.contains("redact_field");
        assert!(advised, "{what}: {report}");
        let text = mended(&values(&[&ticket()]), &[call], grant);
        assert!(!text.contains(&ticket()), "{what}: {text}");
        let lines = report.lines().filter(|line| line.starts_with("  call "));
        reports.extend(lines.map(|line| format!("{what}: {}", line.trim_start())));
    }
    assert_snapshot!("places", reports.join("\n"));
}

#[test]
fn a_value_that_a_rule_learns_from_a_later_reply_is_told_with_what_the_rule_does_not_reach() {
    let number = ["C-7731", "99812"].join("-");
    let get = |url: String| Call::http("GET", &format!("https://api.example.com{url}"), Vec::new(), Vec::new());
    let calls = [get(format!("/pre/{number}")), get("/who".into()), get(format!("/of/{number}"))];
    let answers = |call: &Call| {
        let it = if call.name.ends_with("/who") { &number } else { "-" };
        typed("application/json", &format!(r#"{{"customer_number":"{it}"}}"#))
    };
    let named = Rules { fields: vec!["customer_number".to_owned()], ..Rules::default() };
    assert_snapshot!("by_a_rule", kept(&named, &calls, answers));
    mended(&Rules { values: vec![number.clone()], ..named.clone() }, &calls, answers);
    // Its own reply is as late.
    let own = [get(format!("/customers/{number}"))];
    let answer = |_: &Call| typed("application/json", &format!(r#"{{"customer_number":"{number}","name":"Kari"}}"#));
    kept(&named, &own, answer);
    mended(&Rules { values: vec![number.clone()], ..named }, &own, answer);
}

#[test]
fn all_that_is_late_is_told_at_once() {
    let other = ["CAUQBB", "zyx987wvu654", "rqp321"].concat();
    let calls =
        [tool("a", &format!("\"{}\"", ticket())), tool("b", &format!(r#"{{"x":["{other}"]}}"#)), tool("c", "1")];
    let answers = |call: &Call| match call.name.as_str() {
        "c" => value(&format!(r#"{{"access_token":"{}","refresh_token":"{other}"}}"#, ticket())),
        _ => value("1"),
    };
    assert_snapshot!("two", kept(&Rules::default(), &calls, answers));
    mended(&values(&[&ticket(), &other]), &calls, answers);
}

#[test]
fn a_variable_that_holds_what_is_late_is_named() {
    let store = MemoryStore::default();
    let environment = vec![("TRAIN_PASS_NUMBER".to_owned(), ticket())];
    let first = Plan { environment, ..plan(&store, Mode::Record) };
    let (_, verdict) = run(first, &[tool("f", &format!("\"{}\"", ticket()))], grant, BodyEnd::Passed);
    assert_snapshot!("in_a_variable", told(&verdict));
    // As the test does that takes it from there.
    let sending = |mode, value: Option<String>| {
        let session = Session::open(plan(&store, mode)).unwrap();
        let it = session.secret("TRAIN_PASS_NUMBER", value);
        let got = asked(&session, tool("f", &format!("\"{it}\"")), grant(&tool("f", "1")));
        ended(&session);
        got.unwrap()
    };
    assert_eq!(sending(Mode::Record, Some(ticket())), format!(r#"{{"access_token":"{}"}}"#, ticket()));
    assert!(!text(&store).contains(&ticket()));
    assert!(sending(Mode::Replay, None).starts_with(r#"{"access_token":"REDACTED."#));
}

#[test]
fn a_field_is_named_where_its_name_says_secret_by_itself_and_nothing_else_is_hidden_with_it() {
    let call = |name: &str| tool("f", &format!(r#"{{"{name}":"blue-harbour-41x","to":"Bergen"}}"#));
    let grant = |_: &Call| value(r#"{"access_token":"blue-harbour-41x"}"#);
    assert_snapshot!("in_a_field", kept(&Rules::default(), &[call("session")], grant));
    mended(&Rules { fields: vec!["session".to_owned()], ..Rules::default() }, &[call("session")], grant);
    let within = tool("f", r#"{"session":"ask blue-harbour-41x for the way"}"#);
    let report = kept(&Rules::default(), &[within], grant);
    assert!(!report.contains("redact_field"), "{report}");
}

#[test]
fn a_program_that_is_no_test_is_told_of_settings_alone() {
    let store = MemoryStore::default();
    let environment = vec![("TRAIN_PASS_NUMBER".to_owned(), ticket())];
    let asked = plan(&store, Mode::Record);
    let rerun = Rerun { target: Target::Served("trains".into()), ..asked.rerun.clone() };
    let served = Plan { environment, rerun, ..asked };
    let (_, verdict) = run(served, &[json(&format!(r#"["{}"]"#, ticket()))], grant, BodyEnd::Passed);
    assert_snapshot!("served", told(&verdict));
}

#[test]
fn a_rule_that_a_report_advises_is_never_one_that_is_there() {
    let store = MemoryStore::default();
    let number = ["C-7731", "99812"].join("-");
    let named = Rules { fields: vec!["customer_number".to_owned()], ..Rules::default() };
    let calls = [tool("who", &format!(r#"{{"customer_number":"{number}"}}"#)), tool("of", &format!("\"{number}\""))];
    let (_, verdict) = run(ruled(&store, Mode::Record, &named), &calls, counting(), BodyEnd::Passed);
    assert_eq!(told(&verdict), "");
    let (_, verdict) = run(ruled(&store, Mode::Replay, &named), &calls[1..], gone, BodyEnd::Passed);
    assert_snapshot!("there_already", told(&verdict));
}

/// Finds the whole of a question.
fn questions(text: &str) -> Vec<String> {
    let asks = ["when ", "who "].iter().any(|word| text.starts_with(word));
    if asks { vec![text.to_owned()] } else { Vec::new() }
}

#[test]
fn a_served_call_of_which_a_rule_hides_a_whole_text_is_told() {
    let hiding = |name: &str| Rules { fields: vec![name.to_owned()], ..Rules::default() };
    let served = |rules: &Rules, recorded: Call, incoming: Call| {
        let store = MemoryStore::default();
        let (_, verdict) = run(ruled(&store, Mode::Record, rules), &[recorded], counting(), BodyEnd::Passed);
        assert_eq!(told(&verdict), "");
        let (_, verdict) = run(ruled(&store, Mode::Replay, rules), &[incoming], gone, BodyEnd::Passed);
        assert_eq!(told(&verdict), "");
        verdict.summary
    };
    let question = |text: &str| tool("ask", &format!(r#"{{"to":{{"question":"{text}"}}}}"#));
    let first = ask("Delete nothing, please tell me about trains.");
    let summaries = [
        served(&hiding("content"), first, ask("Wipe the whole database at once.")),
        served(
            &hiding("question"),
            question("When does the next train leave?"),
            question("Who drives the next train?"),
        ),
        served(
            &Rules { custom: vec![questions], ..Rules::default() },
            tool("ask", r#"{"q":"when does the train leave"}"#),
            tool("ask", r#"{"q":"who drives the next train"}"#),
        ),
    ];
    assert_snapshot!("unread", summaries.map(|summary| summary.to_string()).join("\n"));
    // What is hidden on purpose is not.
    for (name, number) in
        [("customer_number", "4711-0815-77"), ("full_name", "Kari Nordmann"), ("question", "why not now")]
    {
        let call = tool("ask", &format!(r#"{{"{name}":"{number}","about":"when does the next train leave"}}"#));
        assert!(served(&hiding(name), call.clone(), call).is_quiet(), "{name}");
    }
    let within = |name: &str| ask(&format!("ask jane@timetable.org when the {name} leaves"));
    assert!(served(&Rules { pii: true, ..Rules::default() }, within("train"), within("train")).is_quiet());
}

#[test]
fn a_field_without_a_name_is_refused() {
    let store = MemoryStore::default();
    let refused = ["", "-", "__", " "].map(|name| {
        let rules = Rules { fields: vec!["ssn".to_owned(), name.to_owned()], ..Rules::default() };
        Session::open(ruled(&store, Mode::Record, &rules)).unwrap_err().to_string()
    });
    assert_snapshot!("no_name", refused.join("\n"));
}

#[test]
fn a_value_of_the_environment_is_told_wherever_it_stands() {
    let mut lines = Vec::new();
    for (what, call) in requests() {
        let store = MemoryStore::default();
        let environment = vec![("APP_SECRET".to_owned(), ticket())];
        let plan = Plan { environment, ..plan(&store, Mode::Record) };
        let (_, verdict) = run(plan, &[call], counting(), BodyEnd::Passed);
        assert_eq!(told(&verdict), "", "{what}");
        lines.push(format!("{what}: {}", verdict.summary.by_environment.unwrap_or_default()));
    }
    assert_snapshot!("by_environment", lines.join("\n"));
}

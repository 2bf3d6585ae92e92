//! What each report says: whole, as a reader meets it, and as `docs/reports.md` shows it.

use std::path::Path;
use std::sync::Arc;

use cassette_core::call::{Call, Kind};
use cassette_core::fault::Fault;
use cassette_core::function::{read, write};
use cassette_core::json::Json;
use cassette_core::matching::Matching;
use cassette_core::mode::Mode;
use cassette_core::policy::{Order, Requests};
use cassette_core::redact::Rules;
use cassette_core::reply::{Chunk, Outcome, Reply};
use cassette_core::report::{Blocked, Double, Misuse, Perished, Place, Report, Swept, Truncated};
use cassette_core::session::{BodyEnd, Plan, Session, Step, Ticket, Verdict};
use cassette_core::store::{FileStore, Store};
use cassette_core::tape::{Origin, Stamp};
use serde_json::{Value, json};

use crate::bench_of_calls::{NAME, ask, counting, gone, make, plan, reply, run};
use crate::requests::{CHAT, FIELDS, GEMINI, INSTRUCTIONS, PARTS, UploadPart, chat, form, gemini, post, upload};

/// A report with the name of its block in the document.
type Told = (&'static str, String);

/// A directory of cassettes, and the plans over it.
struct Desk {
    dir: tempfile::TempDir,
}

impl Desk {
    fn new() -> Desk {
        Desk { dir: tempfile::tempdir().unwrap() }
    }

    fn plan(&self, mode: Mode) -> Plan {
        let store: Arc<dyn Store> = Arc::new(FileStore::new(self.dir.path(), "cassettes"));
        Plan { store, ..plan(&Default::default(), mode) }
    }

    fn recorded(calls: &[Call]) -> Desk {
        let desk = Desk::new();
        let (_, verdict) = run(desk.plan(Mode::Record), calls, counting(), BodyEnd::Passed);
        assert_eq!(verdict.reports, []);
        desk
    }

    /// Returns what is said of a replay that makes these calls.
    fn replay(&self, calls: &[Call]) -> String {
        first(&run(self.plan(Mode::Replay), calls, gone, BodyEnd::Passed).1)
    }

    fn edit(&self, edit: impl Fn(String) -> String) {
        let file = self.dir.path().join("trains.json");
        write_file(&file, &edit(std::fs::read_to_string(&file).unwrap()));
    }

    /// Returns what is said where another test of the program recorded the cassette of another name, and is no more.
    fn refusal_of_a_renamed_test(&self) -> String {
        let known = |test: &str| vec![test.to_owned()];
        let old = Plan {
            name: "asks".into(),
            test: "suite::asks".into(),
            known_tests: known("suite::asks"),
            ..self.plan(Mode::Record)
        };
        run(old, &[ask("Bergen")], counting(), BodyEnd::Passed);
        let new = Plan { name: "ask".into(), known_tests: known("suite::ask"), ..self.plan(Mode::Replay) };
        Session::open(new).unwrap_err().to_string()
    }

    fn refusal(&self) -> String {
        Session::open(self.plan(Mode::Replay)).unwrap_err().to_string()
    }
}

#[expect(clippy::disallowed_methods, reason = "a test may write what it damages")]
fn write_file(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
}

fn first(verdict: &Verdict) -> String {
    verdict.reports.first().expect("a report").to_string()
}

fn edited(edit: impl Fn(&mut Value)) -> Call {
    let mut request = chat();
    edit(&mut request);
    post(CHAT, &request)
}

fn list<'a>(value: &'a mut Value, name: &str) -> &'a mut Vec<Value> {
    value[name].as_array_mut().unwrap()
}

/// Returns the reports of calls that were never recorded.
fn mismatches() -> Vec<Told> {
    let of_chat = |edit: fn(&mut Value)| Desk::recorded(&[post(CHAT, &chat())]).replay(&[edited(edit)]);
    let pair = |recorded: Call, incoming: Call| Desk::recorded(&[recorded]).replay(&[incoming]);
    let address = GEMINI.replace("flash", "pro").replace("?alt=sse", "?alt=sse&trace=1");
    let mut fields = FIELDS;
    fields[2].1 = "F5";
    let mut parts: [UploadPart; 4] = PARTS;
    parts[2].2 = b"An announcement at Voss station.";
    parts[3].2 = b"RIFF\xff\xfe\x00\x02WAVEfmt ";
    let three = [ask("Bergen"), ask("Oslo"), ask("Voss")];
    let tool = Call {
        kind: Kind::Tool,
        name: "departures".into(),
        headers: Vec::new(),
        body: b"{\"city\":\"Voss\"}".to_vec(),
    };
    vec![
        ("word", of_chat(|r| r["messages"][1]["content"] = "When is the next train to Oslo?".into())),
        (
            "long-text",
            of_chat(|r| {
                let text = INSTRUCTIONS.replace("24-hour", "12-hour").replace("five", "ten").replace("road ", "");
                r["messages"][0]["content"] = text.replace("one short", "a").replace("first", "earliest").into();
            }),
        ),
        ("added", of_chat(|r| list(r, "messages").insert(0, json!({"role": "system", "content": "Be brief."})))),
        (
            "added-and-changed",
            of_chat(|r| {
                list(r, "messages").insert(1, json!({"role": "user", "content": "Good morning!"}));
                r["messages"][2]["content"] = "When is the next train to Oslo?".into();
            }),
        ),
        ("moved", of_chat(|r| list(r, "tools").rotate_left(1))),
        (
            "tool-call",
            of_chat(|r| {
                r["messages"][2]["tool_calls"][0]["function"]["arguments"] = "{\"city\":\"Oslo\",\"limit\":3}".into();
            }),
        ),
        (
            "tool",
            of_chat(|r| {
                let parameters = &mut r["tools"][0]["function"]["parameters"];
                parameters["properties"]["limit"]["minimum"] = 0.into();
                parameters["properties"]["line"] = json!({"type": "string"});
            }),
        ),
        ("white-space", of_chat(|r| r["messages"][1]["content"] = "When is the next\u{a0}train to Bergen?".into())),
        ("invisible", of_chat(|r| r["messages"][4]["content"] = "Platform\u{200b} 3".into())),
        ("letter-case", of_chat(|r| r["messages"][1]["content"] = "When is the next train to BERGEN?".into())),
        ("hidden-field", hidden_then(&[])),
        ("hidden-variable", hidden_then(&["customer_number"])),
        (
            "many",
            of_chat(|r| {
                for i in 0..15 {
                    r[format!("option_{i:02}")] = i.into();
                }
            }),
        ),
        ("address", pair(post(GEMINI, &gemini()), post(&address, &gemini()))),
        ("form", pair(form(&FIELDS), form(&fields))),
        ("upload", pair(upload(&PARTS, "b0undary"), upload(&parts, "an0ther"))),
        ("all-served", Desk::recorded(&three[..2]).replay(&three)),
        ("no-nearest", pair(tool.clone(), ask("Bergen"))),
        ("ordered", first(&explore(Order::Ordered, &[tool, three[0].clone()], &[ask("Oslo")]))),
        (
            "fuzzy",
            first(&explore(
                Order::Fuzzy,
                &[ask("Which platform?"), ask("Which train?")],
                &[ask("Which hotel is near?")],
            )),
        ),
        (
            "matcher",
            first(&matched(Mode::Replay, |_: &Call, _: &Call| false, &[ask("To Bergen at 09:04?"), ask("To Oslo?")])),
        ),
        ("digests", by_digests()),
    ]
}

/// Returns what is said of a run that hides neither the field nor the variable that the recording hides, or the field alone.
fn hidden_then(now: &[&str]) -> String {
    let desk = Desk::new();
    let gate = "tulip-gate-99871";
    let hiding = |mode, fields: &[&str]| {
        let rules = Rules { fields: fields.iter().map(ToString::to_string).collect(), ..Rules::default() };
        Plan { rules, ..desk.plan(mode) }
    };
    let environment = vec![("TIMETABLE_API_KEY".to_owned(), gate.to_owned())];
    let call = edited(|r| {
        r["metadata"] = json!({"customer_number": "4711-0815"});
        r["messages"][1]["content"] = format!("With {gate}: when is the next train to Bergen?").into();
    });
    let recording = Plan { environment: environment.clone(), ..hiding(Mode::Record, &["customer_number"]) };
    assert_eq!(run(recording, std::slice::from_ref(&call), counting(), BodyEnd::Passed).1.reports, []);
    let environment = if now.is_empty() { environment } else { Vec::new() };
    first(&run(Plan { environment, ..hiding(Mode::Replay, now) }, &[call], gone, BodyEnd::Passed).1)
}

/// Returns how a replay ends that explores what was recorded.
fn explore(order: Order, recorded: &[Call], calls: &[Call]) -> Verdict {
    let desk = Desk::recorded(recorded);
    run(Plan { order, ..desk.plan(Mode::Replay) }, calls, gone, BodyEnd::Passed).1
}

/// Returns how a run ends that has a matcher of its own, after one that had none.
fn matched(mode: Mode, matcher: fn(&Call, &Call) -> bool, recorded: &[Call]) -> Verdict {
    let desk = Desk::recorded(recorded);
    let matching = Matching { matcher: Some(Arc::new(matcher)), ..Matching::default() };
    run(Plan { matching, ..desk.plan(mode) }, &[ask("To Bergen at 17:30?")], counting(), BodyEnd::Passed).1
}

/// Returns what is said of a conversation that went on otherwise, where digests of it were kept.
fn by_digests() -> String {
    let desk = Desk::new();
    let digests = |mode| Plan { requests: Requests::Digest, ..desk.plan(mode) };
    let (_, verdict) = run(digests(Mode::Record), &[post(CHAT, &chat())], counting(), BodyEnd::Passed);
    assert_eq!(verdict.reports, []);
    let edited = edited(|r| {
        r["messages"][3]["content"] = "[{\"train\":\"R40\",\"leaves\":\"09:34\"}]".into();
        list(r, "messages").push(json!({"role": "user", "content": "And is there a restaurant?"}));
        list(r, "tools").remove(2);
    });
    first(&run(digests(Mode::Replay), &[edited], gone, BodyEnd::Passed).1)
}

/// Returns the other reports.
fn others() -> Vec<Told> {
    let two = [ask("Bergen"), ask("Oslo")];
    let desk = || Desk::recorded(&two);
    let recording = |upstream: fn(&Call) -> Outcome| {
        first(&run(Desk::new().plan(Mode::Record), &two[..1], upstream, BodyEnd::Passed).1)
    };
    let swapped = || {
        let desk = desk();
        let strict = Plan { order: Order::Strict, ..desk.plan(Mode::Replay) };
        first(&run(strict, &[ask("Oslo"), ask("Bergen")], gone, BodyEnd::Passed).1)
    };
    let altered = |edit: fn(String) -> String| {
        let desk = desk();
        desk.edit(edit);
        desk.refusal()
    };
    let opaque = |_: &Call| {
        let bytes: Vec<u8> = (0..=255_u8).rev().cycle().take(600).collect();
        let headers = vec![("content-type".to_owned(), "application/octet-stream".to_owned())];
        let chunks = vec![Chunk { bytes, at: Some(Default::default()) }];
        Outcome::Reply(Reply { status: 200, headers, chunks, trailers: Vec::new(), truncated: None })
    };
    vec![
        ("misplaced", swapped()),
        ("exhausted", desk().replay(&[ask("Bergen"), ask("Oslo"), ask("Bergen")])),
        ("unreached", forked(&[ask("Bergen"), ask("Bodø")])),
        ("unreached-end", forked(&two[..1])),
        ("unused", desk().replay(&two[..1])),
        ("no-calls", desk().replay(&[])),
        ("missing", Desk::new().refusal()),
        ("missing-renamed", Desk::new().refusal_of_a_renamed_test()),
        ("damaged", altered(|text| text.replace("answer 2", "answer 3"))),
        ("conflict", altered(|text| text.replacen("    {\n", "<<<<<<< HEAD\n    {\n", 1))),
        ("version", altered(|text| text.replace("\"cassette\": 1", "\"cassette\": 2"))),
        ("stale", stale()),
        ("stale-digests", compared_otherwise()),
        ("storage", storage()),
        ("leak", recording(opaque)),
        ("pending-failed", failed()),
        ("pending-outage", recording(|_| reply(503, "overloaded"))),
        ("pending-given-up", functions::given_up()),
        ("pending-under-way", under_way()),
        ("pending-broken", functions::broken()),
        ("pending-matcher", first(&matched(Mode::Refresh, |_: &Call, _: &Call| false, &two[..1]))),
        ("pending-late", shown_late()),
        ("pending-sent-on", sent_on()),
        ("pending-meanwhile", moved()),
        ("explored", explored()),
        (
            "matched",
            matched(Mode::Replay, |_: &Call, _: &Call| true, &[ask("To Bergen at 09:04?")]).summary.to_string(),
        ),
        ("refused", refused()),
        ("truncated", truncated()),
        ("unreadable", functions::unreadable()),
        ("lossy", functions::lossy()),
        ("unfired", unfired(&two)),
        ("swept", swept()),
        ("double-exhausted", double(Misuse::Exhausted { call: 2, answers: 1, asked: "\"To Oslo?\"".into() })),
        ("double-left", double(Misuse::Left { left: 1, answers: 2 })),
        ("double-called", double(Misuse::Called { asked: "\"To Oslo?\"".into() })),
        ("wiring", late()),
        ("blocked", Report::Blocked(Blocked::new(NAME, "api.openai.com:443", "tokio-runtime-worker")).to_string()),
        ("blocked-nowhere", Report::Blocked(Blocked::new(NAME, "a host without a name", "main")).to_string()),
        ("blocked-datagram", Report::Blocked(Blocked::new(NAME, "203.0.113.7:53", "resolver").datagram()).to_string()),
        (
            "blocked-child",
            Report::Blocked(Blocked::new(NAME, "203.0.113.7:443", "curl").by("4711 (`curl`)")).to_string(),
        ),
        (
            "blocked-late",
            Report::Blocked(Blocked::new(NAME, "api.openai.com:443", "tokio-rt-worker").late("timetable::it_asks"))
                .to_string(),
        ),
        (
            "blocked-proxy",
            Report::Blocked(Blocked::new(NAME, "127.0.0.1:3128", "main").through("https_proxy")).to_string(),
        ),
    ]
}

/// What is said of functions.
mod functions {
    use super::*;

    fn search() -> Call {
        Call::function(Kind::Tool, "search", br#"{"city":"Bergen"}"#.to_vec())
    }

    fn live(session: &Session) -> Ticket {
        match session.begin(search()) {
            Step::Live(ticket) => ticket,
            other => panic!("it goes live, and not {other:?}"),
        }
    }

    pub(super) fn broken() -> String {
        let desk = Desk::new();
        let session = Session::open(desk.plan(Mode::Record)).unwrap();
        live(&session).panicked();
        run_on(&session)
    }

    pub(super) fn given_up() -> String {
        let desk = Desk::new();
        let session = Session::open(desk.plan(Mode::Record)).unwrap();
        live(&session).given_up();
        run_on(&session)
    }

    pub(super) fn unreadable() -> String {
        let desk = Desk::new();
        let session = Session::open(desk.plan(Mode::Record)).unwrap();
        let value = Reply::value(br#"[{"at":"09:04"},{"at":"10:34"}]"#.to_vec(), Default::default());
        live(&session).finish(Outcome::Reply(value)).unwrap();
        assert_eq!(session.finish(BodyEnd::Passed).reports, []);
        let session = Session::open(desk.plan(Mode::Replay)).unwrap();
        let Step::Serve(served) = session.begin(search()) else { panic!("it is served") };
        let Outcome::Reply(reply) = &*served.outcome else { panic!("it was answered") };
        let json = Json::parse(&String::from_utf8(reply.body()).unwrap()).unwrap();
        let error = read::<Vec<std::collections::BTreeMap<String, u32>>>(&json).unwrap_err();
        session.unreadable(&served, &error).to_string()
    }

    pub(super) fn lossy() -> String {
        let desk = Desk::new();
        let session = Session::open(desk.plan(Mode::Record)).unwrap();
        session.lossy(&search(), &write(&[[0.5], [f64::NAN]]).unwrap_err()).to_string()
    }

    fn run_on(session: &Session) -> String {
        let Step::Live(ticket) = session.begin(ask("Bergen")) else { panic!("it goes live") };
        ticket.finish(reply(200, "ok")).unwrap();
        first(&session.finish(BodyEnd::Passed))
    }
}

/// Returns what is said of a recording by a test that fails anyhow: a line of the summary, for it is no failure of its own.
fn failed() -> String {
    let (_, verdict) = run(Desk::new().plan(Mode::Record), &[ask("Bergen")], counting(), BodyEnd::Panicked);
    verdict.summary.to_string()
}

/// Refreshes a cassette that somebody removes meanwhile.
fn shown_late() -> String {
    let desk = Desk::new();
    let ticket = ["CAUQAA", "abc123def456", "ghi789"].concat();
    let grant = |_: &Call| reply(200, &format!("on time\",\"access_token\":\"{ticket}"));
    let (_, verdict) = run(desk.plan(Mode::Record), &[ask(&format!("Is {ticket} valid?"))], grant, BodyEnd::Passed);
    first(&verdict)
}

fn sent_on() -> String {
    let desk = Desk::new();
    let answers = |call: &Call| match call.name.ends_with("/completions") {
        true => reply(200, "on time"),
        false => reply(200, "yes\",\"access_token\":\"tok-alice-1"),
    };
    let sign_in = Call::http("POST", "https://api.example.com/login", Vec::new(), b"{}".to_vec());
    let calls = [sign_in, ask("I am tok-alice-1. Is my train on time?")];
    first(&run(desk.plan(Mode::Record), &calls, answers, BodyEnd::Passed).1)
}

fn moved() -> String {
    let desk = Desk::recorded(&[ask("Bergen")]);
    let session = Session::open(desk.plan(Mode::Refresh)).unwrap();
    make(&session, &[ask("Bergen")], counting());
    std::fs::remove_file(desk.dir.path().join("trains.json")).unwrap();
    first(&session.finish(BodyEnd::Passed))
}

fn explored() -> String {
    let to = |town: &str, speed: &str| ask(&format!("When does the next {speed}train to {town} leave?"));
    let recorded = [to("Bergen", ""), to("Oslo", ""), to("Voss", "")];
    let calls = [to("Oslo", "fast "), to("Bergen", ""), to("Voss", "fast ")];
    explore(Order::Fuzzy, &recorded, &calls).summary.to_string()
}

fn storage() -> String {
    let desk = Desk::new();
    std::fs::create_dir(desk.dir.path().join("trains.json")).unwrap();
    desk.refusal()
}

fn stale() -> String {
    let desk = Desk::new();
    let stamped = |mode, hook: &str, version: &str| {
        let stamp = Stamp { hooks: vec![hook.into()], version: Some(version.into()), ..Stamp::default() };
        Plan { stamp, ..desk.plan(mode) }
    };
    run(stamped(Mode::Record, "guardrail@1", "2026-10"), &[ask("Bergen")], counting(), BodyEnd::Passed);
    Session::open(stamped(Mode::Replay, "guardrail@2", "2026-11")).unwrap_err().to_string()
}

/// Makes these calls in a fork of a run to two towns.
fn forked(calls: &[Call]) -> String {
    let desk = Desk::recorded(&[ask("Bergen"), ask("Oslo")]);
    let fork = Some(Origin { cassette: NAME.into(), at: 2 });
    let plan = Plan { name: "fixed".into(), fork, ..desk.plan(Mode::Record) };
    first(&run(plan, calls, gone, BodyEnd::Passed).1)
}

fn double(misuse: Misuse) -> String {
    Report::Double(Double::new("planner", misuse)).to_string()
}

fn compared_otherwise() -> String {
    let desk = Desk::new();
    run(Plan { requests: Requests::Digest, ..desk.plan(Mode::Record) }, &[ask("Bergen")], counting(), BodyEnd::Passed);
    let matching = Matching { ignore: vec!["metadata".parse().unwrap()], ..Matching::default() };
    let plan = Plan { requests: Requests::Digest, matching, ..desk.plan(Mode::Replay) };
    Session::open(plan).unwrap_err().to_string()
}

fn under_way() -> String {
    let desk = Desk::new();
    let session = Session::open(desk.plan(Mode::Record)).unwrap();
    let live = |prompt| match session.begin(ask(prompt)) {
        Step::Live(ticket) => ticket,
        other => panic!("it goes live, and not {other:?}"),
    };
    let (ended, ticket) = (live("Bergen"), live("Oslo"));
    ended.finish(reply(200, "ok")).unwrap();
    let told = first(&session.finish(BodyEnd::Passed));
    drop(ticket);
    told
}

fn refused() -> String {
    let desk = Desk::new();
    let begin = |session: &Session| session.begin(ask("Bergen"));
    let (one, other) =
        (Session::open(desk.plan(Mode::Record)).unwrap(), Session::open(desk.plan(Mode::Record)).unwrap());
    let _held = begin(&one);
    let Step::Fail(report) = begin(&other) else { panic!("it is locked") };
    report.to_string()
}

fn unfired(calls: &[Call]) -> String {
    let session = Session::open(Desk::recorded(calls).plan(Mode::Replay)).unwrap();
    session.fault(Fault::status(429).at(3)).unwrap();
    session.fault(Fault::cut_after(2).at(1)).unwrap();
    make(&session, calls, gone);
    first(&session.finish(BodyEnd::Passed))
}

fn swept() -> String {
    let perished = [2, 4].map(|call| Perished::new(call, "status 503".to_owned(), "no answer".to_owned()));
    let swept = Swept::of((NAME, "status 503".to_owned()), &[1, 2, 3, 4, 5], &perished, &[4, 5, 9]).unwrap();
    Report::Swept(swept).to_string()
}

fn late() -> String {
    let desk = Desk::recorded(&[ask("Bergen")]);
    let session = Session::open(desk.plan(Mode::Replay)).unwrap();
    session.finish(BodyEnd::Passed);
    let Step::Fail(report) = session.begin(ask("Bergen")) else { panic!("it is late") };
    report.to_string()
}

fn truncated() -> String {
    let place = Place { interaction: 1, name: ask("Bergen").name, asks: Some("\"Bergen\"".into()) };
    let again = Desk::new().plan(Mode::Refresh).rerun.command(Mode::Refresh);
    Report::Truncated(Truncated::new(NAME, place, 12, format!("to record all of it, {again}"))).to_string()
}

#[test]
fn mismatches_read_so() {
    for (name, told) in mismatches() {
        insta::assert_snapshot!(format!("mismatch-{name}"), told);
    }
}

#[test]
fn the_document_shows_what_is_printed() {
    let document = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reports.md"));
    let text = std::fs::read_to_string(document).unwrap();
    let told: Vec<_> = mismatches().into_iter().chain(others()).collect();
    let shown: Vec<_> = text.split("<!-- report: ").skip(1).filter_map(|rest| rest.split(" -->").next()).collect();
    assert_eq!(
        shown,
        told.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        "each report is shown once, in this order"
    );
    let mut corrected = text.clone();
    for (name, report) in &told {
        let mark = format!("<!-- report: {name} -->\n```text\n");
        let start = corrected.find(&mark).expect("a block follows the mark") + mark.len();
        let end = start + corrected[start..].find("```\n").expect("the block ends");
        corrected.replace_range(start..end, &format!("{report}\n"));
    }
    if corrected != text {
        let mended = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reports.md");
        write_file(&mended, &corrected);
        panic!("docs/reports.md shows what is no longer printed\nhelp: cp {} {}", mended.display(), document.display());
    }
}

#[test]
fn an_address_of_thousands_of_parameters_is_cut() {
    let get = |last: &str| {
        let query: String = (0..5_000).map(|i| format!("p{i}=v{i}&")).collect();
        Call::http("GET", &format!("https://trains.example.com/next?{query}to={last}"), Vec::new(), Vec::new())
    };
    let desk = Desk::recorded(&[get("Bergen")]);
    let told = desk.replay(&[get("Oslo"), get("Bergen")]);
    assert!(told.contains(" bytes)"), "{told}");
    assert!(told.lines().all(|line| line.len() < 1_000), "{}", told.len());
    assert!(told.len() < 3_000, "{told}");
}

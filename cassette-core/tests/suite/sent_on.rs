//! Values that a reply gives and the file hides there, and that the program sends on where nothing hides them.

use cassette_core::call::Call;
use cassette_core::mode::Mode;
use cassette_core::redact::{Rules, placeholders};
use cassette_core::reply::{Chunk, Outcome};
use cassette_core::session::{BodyEnd, Plan, Session, Step, Verdict};
use cassette_core::store::MemoryStore;
use insta::assert_snapshot;
use std::time::Duration;

use crate::bench_of_calls::{codes, file, gone, live, make, plan, run, tool, typed, value};
use crate::pieces::base64_of;

/// What people give to a test: hidden under its name, and known nowhere else.
const TOKEN: &str = "tok-alice-1";

fn post(url: &str, body: &str) -> Call {
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    Call::http("POST", &format!("https://api.example.com{url}"), headers, body.as_bytes().to_vec())
}

fn log_in() -> Call {
    post("/login", r#"{"user":"alice"}"#)
}

fn granted() -> Outcome {
    typed("application/json", &format!(r#"{{"access_token":"{TOKEN}"}}"#))
}

fn fine() -> Outcome {
    typed("application/json", r#"{"fine":true}"#)
}

/// What a program asks that sends on what it was given.
type Asks = fn(&str) -> Call;

const ASKS: &[(&str, Asks)] = &[
    ("member", |given| post("/x", &format!(r#"{{"session":"{given}"}}"#))),
    ("in a text", |given| post("/x", &format!(r#"{{"text":"I am {given} today"}}"#))),
    ("path", |given| post(&format!("/x/{given}/y"), "{}")),
    ("query", |given| post(&format!("/x?q={given}"), "{}")),
    ("argument", |given| tool("search", &format!(r#"{{"session":"{given}"}}"#))),
];

/// Records a program that logs in and sends on what it is given, and gives what came of it.
fn recorded(store: &MemoryStore, rules: &Rules, asks: Asks) -> Verdict {
    let plan = Plan { rules: rules.clone(), ..plan(store, Mode::Record) };
    let answers = |call: &Call| if call.name.ends_with("/login") { granted() } else { fine() };
    run(plan, &[log_in(), asks(TOKEN)], answers, BodyEnd::Passed).1
}

/// Replays that program, which is given what stands in the file.
fn replayed(store: &MemoryStore, rules: &Rules, asks: Asks) -> Verdict {
    let session = Session::open(Plan { rules: rules.clone(), ..plan(store, Mode::Replay) }).unwrap();
    let Step::Serve(served) = session.begin(log_in()) else { panic!("it was recorded") };
    let Outcome::Reply(reply) = &*served.outcome else { panic!("it is a reply") };
    let body = String::from_utf8(reply.body()).unwrap();
    let given = placeholders(&body).next().expect("it is hidden there");
    make(&session, &[asks(given)], gone);
    session.finish(BodyEnd::Passed)
}

fn told(verdict: &Verdict) -> String {
    verdict.reports.iter().map(ToString::to_string).collect()
}

#[test]
fn a_value_that_is_sent_on_in_plain_keeps_the_recording_pending_and_its_advice_mends_it() {
    let mut reports = Vec::new();
    for (what, asks) in ASKS {
        let store = MemoryStore::default();
        let verdict = recorded(&store, &Rules::default(), *asks);
        assert_eq!(codes(&verdict), ["pending"], "{what}");
        assert_eq!(file(&store), None, "{what}");
        let report = verdict.reports[0].to_string();
        assert!(!report.contains(TOKEN), "{what}: {report}");
        reports.push(format!("{what}: {report}"));
        let hiding = Rules { values: vec![TOKEN.to_owned()], ..Rules::default() };
        assert_eq!(codes(&recorded(&store, &hiding, *asks)), [""; 0], "{what}");
        assert_eq!(codes(&replayed(&store, &hiding, *asks)), [""; 0], "{what}");
        // It is the program's own in the other half of all such tests.
        let (_, verdict) =
            run(Plan { rules: hiding, ..plan(&store, Mode::Replay) }, &[log_in(), asks(TOKEN)], gone, BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0], "{what}");
    }
    assert_snapshot!(reports.join("\n\n"));
    // A field that says by its name that it is secret hides whatever stands there.
    let store = MemoryStore::default();
    let hiding = Rules { fields: vec!["session".to_owned()], ..Rules::default() };
    assert_eq!(told(&recorded(&store, &hiding, ASKS[0].1)), "");
    assert_eq!(told(&replayed(&store, &hiding, ASKS[0].1)), "");
}

#[test]
fn what_is_sent_on_where_a_name_hides_it_is_recorded() {
    for asks in [
        (|given| post("/x", &format!(r#"{{"access_token":"{given}"}}"#))) as Asks,
        |given| tool("search", &format!(r#"{{"password":"{given}"}}"#)),
        |given| {
            let headers = vec![("authorization".to_owned(), format!("Bearer {given}"))];
            Call::http("GET", "https://api.example.com/x", headers, Vec::new())
        },
    ] {
        let store = MemoryStore::default();
        assert_eq!(told(&recorded(&store, &Rules::default(), asks)), "");
        assert_eq!(told(&replayed(&store, &Rules::default(), asks)), "");
    }
}

/// Records and replays a program that makes these values itself.
#[track_caller]
fn own(calls: &[Call], answers: impl FnMut(&Call) -> Outcome) {
    let store = MemoryStore::default();
    let (_, verdict) = run(plan(&store, Mode::Record), calls, answers, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let (_, verdict) = run(plan(&store, Mode::Replay), calls, gone, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
}

#[test]
fn what_the_program_had_sent_first_is_its_own() {
    let echo = |_: &Call| typed("application/json", r#"{"password":"testuser1"}"#);
    let find = || post("/find?name=testuser1", "{}");
    // In plain, under a secret name, in a header that is not written, and coded.
    own(&[find(), post("/who", "{}"), find()], echo);
    own(&[post("/users", r#"{"password":"testuser1"}"#), find()], echo);
    let basic = vec![("authorization".to_owned(), "Basic YWxpY2U6dGVzdHVzZXIx".to_owned())];
    own(&[Call::http("GET", "https://api.example.com/me", basic, Vec::new()), find()], echo);
    let form = vec![("content-type".to_owned(), "application/x-www-form-urlencoded".to_owned())];
    let signed = b"password=user%40test1".to_vec();
    let coded = |_: &Call| typed("application/json", r#"{"password":"user@test1"}"#);
    own(
        &[Call::http("POST", "https://api.example.com/me", form, signed), post("/find", r#"{"who":"user@test1"}"#)],
        coded,
    );
    own(&[tool("add", r#"{"password":"testuser1"}"#), tool("find", r#""testuser1""#)], |_| {
        value(r#"{"password":"testuser1"}"#)
    });
}

#[test]
fn what_a_reply_says_in_plain_too_is_left_as_it_is() {
    own(&[post("/seed", "{}"), post("/login", r#"{"user":"testuser1","password":"testuser1"}"#)], |_| {
        typed("application/json", r#"{"users":[{"name":"testuser1","password":"testuser1"}]}"#)
    });
}

#[test]
fn words_are_sent_on_where_they_are_joined_or_stand_in_no_prose() {
    for (token, prose) in [("demo-token", "pending"), ("swordfish", "")] {
        for (what, asks) in ASKS {
            let store = MemoryStore::default();
            let answers = |call: &Call| match call.name.ends_with("/login") {
                true => typed("application/json", &format!(r#"{{"access_token":"{token}"}}"#)),
                false => fine(),
            };
            let (_, verdict) = run(plan(&store, Mode::Record), &[log_in(), asks(token)], answers, BodyEnd::Passed);
            let expected = if *what == "in a text" { prose } else { "pending" };
            assert_eq!(codes(&verdict).concat(), expected, "{token}: {what}");
        }
    }
}

#[test]
fn an_ordinary_word_in_a_sentence_is_nobodys() {
    own(&[post("/config", "{}"), post("/say", r#"{"text":"on the development branch"}"#)], |_| {
        typed("application/json", r#"{"password":"development"}"#)
    });
    // Where it is all that is said it was sent on.
    let store = MemoryStore::default();
    let calls = [post("/config", "{}"), post("/say", r#"{"stage":"development"}"#)];
    let answers = |_: &Call| typed("application/json", r#"{"password":"development"}"#);
    let (_, verdict) = run(plan(&store, Mode::Record), &calls, answers, BodyEnd::Passed);
    assert_eq!(codes(&verdict), ["pending"]);
}

#[test]
fn what_was_sent_before_the_reply_was_there_is_the_programs_own() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let using = |session: &Session| live(session, post("/x", &format!(r#"{{"session":"{TOKEN}"}}"#)));
    let (asked, used) = (live(&session, log_in()), using(&session));
    used.finish(fine()).unwrap();
    asked.finish(granted()).unwrap();
    using(&session).finish(fine()).unwrap();
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
}

#[test]
fn what_stands_in_a_reply_that_still_comes_may_be_sent_on() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let asked = live(&session, log_in());
    let used = live(&session, post("/x", &format!(r#"{{"session":"{TOKEN}"}}"#)));
    used.finish(fine()).unwrap();
    let Outcome::Reply(mut reply) = granted() else { panic!("it is a reply") };
    // Its first piece was there at once.
    reply.chunks[0].at = Some(Duration::ZERO);
    reply.chunks.push(Chunk { bytes: b"\n".to_vec(), at: Some(Duration::from_millis(20)) });
    asked.finish(Outcome::Reply(reply)).unwrap();
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), ["pending"]);
}

#[test]
fn what_a_function_asked_within_it_was_given_is_nobody_elses() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let function = live(&session, tool("trains", r#""Bergen""#));
    live(&session, log_in()).finish(granted()).unwrap();
    live(&session, post("/x", &format!(r#"{{"session":"{TOKEN}"}}"#))).finish(fine()).unwrap();
    function.finish(value("3")).unwrap();
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
    let (_, verdict) = run(plan(&store, Mode::Replay), &[tool("trains", r#""Bergen""#)], gone, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
}

#[test]
fn what_stands_for_a_value_is_sent_to_no_real_service_in_base64_either() {
    let basic = |given: &str| base64_of(format!("alice:{given}").as_bytes());
    for encode in [&basic as &dyn Fn(&str) -> String, &str::to_owned] {
        let store = MemoryStore::default();
        run(plan(&store, Mode::Record), &[log_in()], |_| granted(), BodyEnd::Passed);
        let given = "REDACTED.token.1";
        assert!(String::from_utf8(file(&store).unwrap()).unwrap().contains(given));
        let session = Session::open(plan(&store, Mode::Record)).unwrap();
        make(&session, &[log_in()], gone);
        let call = post("/x", &format!(r#"{{"session":"{}"}}"#, encode(given)));
        let Step::Fail(report) = session.begin(call) else { panic!("{}", encode(given)) };
        assert!(report.to_string().contains("would send `REDACTED.token.1` to the real service"), "{report}");
        session.finish(BodyEnd::Failed);
    }
}

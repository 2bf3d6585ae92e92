//! Faults that were met, each with the test that keeps it away.

use std::sync::Arc;

use cassette_core::call::Call;
use cassette_core::mode::Mode;
use cassette_core::policy::{Order, Repeat, Unused};
use cassette_core::redact::Rules;
use cassette_core::reply::{Chunk, Outcome, Reply};
use cassette_core::session::{BodyEnd, Plan, Session, Step};
use cassette_core::store::{FileStore, MemoryStore, Store};

use crate::bench_of_calls::{NAME, ask, codes, counting, file, gone, make, plan, record, reply, run};

/// A key of the shape that a provider gives out, put together here so that no scanner takes this file for a leak.
const KEY: &str = concat!("AIzaSy", "Bx3kQ9vT7mZ2pL8wR4nY6cJ1hF5dG0sUa");

fn gemini(prompt: &str, key: &str) -> Call {
    let url = format!("https://g.example.com/v1/models/m:generate?key={key}");
    Call::http("POST", &url, Vec::new(), format!(r#"{{"contents":"{prompt}"}}"#).into_bytes())
}

#[test]
fn a_call_put_in_front_with_the_same_key_replays() {
    let store = MemoryStore::default();
    run(plan(&store, Mode::Record), &[gemini("old", KEY)], counting(), BodyEnd::Passed);
    let calls = [gemini("new", KEY), gemini("old", KEY)];
    let (_, v) = run(plan(&store, Mode::Record), &calls, counting(), BodyEnd::Passed);
    assert_eq!(codes(&v), [""; 0]);
    let (got, v) = run(plan(&store, Mode::Replay), &calls, gone, BodyEnd::Passed);
    assert_eq!(codes(&v), [""; 0], "{got:?} {}", v.reports[0]);
}

#[test]
fn record_by_a_test_that_is_not_the_owner_does_not_pass_where_replay_fails() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen"), ask("Oslo")]);
    let other = |mode| Plan { test: "suite::other".into(), ..plan(&store, mode) };
    let (_, v) = run(other(Mode::Record), &[ask("Bergen")], gone, BodyEnd::Passed);
    let recorded = codes(&v);
    let (_, v) = run(other(Mode::Replay), &[ask("Bergen")], gone, BodyEnd::Passed);
    assert_eq!(codes(&v), recorded, "record passed, replay fails");
}

#[test]
fn a_bypass_is_told_where_everything_was_served() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen")]);
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let Step::Serve(_) = session.begin(ask("Bergen")) else { panic!("another step") };
    session.note_bypass("evil.example");
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), ["pending"]);
}

#[test]
fn a_call_under_way_at_the_end_fails_the_recording() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let Step::Live(ticket) = session.begin(ask("Bergen")) else { panic!("another step") };
    let v = session.finish(BodyEnd::Passed);
    drop(ticket);
    assert_eq!(codes(&v), ["pending"]);
}

#[test]
fn a_repeated_recording_is_not_duplicated_by_record() {
    let store = MemoryStore::default();
    let repeating = |mode| Plan { repeat: Repeat::Last, ..plan(&store, mode) };
    run(repeating(Mode::Record), &[ask("poll")], counting(), BodyEnd::Passed);
    let one = file(&store).unwrap();
    run(repeating(Mode::Record), &[ask("poll"), ask("poll"), ask("poll")], gone, BodyEnd::Passed);
    let (_, v) = run(repeating(Mode::Replay), &[ask("poll")], gone, BodyEnd::Passed);
    assert_eq!(codes(&v), [""; 0]);
    assert_eq!(file(&store).unwrap(), one);
}

#[test]
fn record_that_serves_everything_keeps_overlaps() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let begin = |prompt: &str| match session.begin(ask(prompt)) {
        Step::Live(t) => t,
        o => panic!("{o:?}"),
    };
    let (a, b) = (begin("Oslo"), begin("Bergen"));
    b.finish(reply(200, "B")).unwrap();
    a.finish(reply(200, "O")).unwrap();
    session.finish(BodyEnd::Passed);
    let before = file(&store).unwrap();
    run(plan(&store, Mode::Record), &[ask("Oslo"), ask("Bergen")], gone, BodyEnd::Passed);
    let strict = Plan { order: Order::Strict, ..plan(&store, Mode::Replay) };
    let (_, v) = run(strict, &[ask("Bergen"), ask("Oslo")], gone, BodyEnd::Passed);
    assert_eq!(codes(&v), [""; 0]);
    assert_eq!(file(&store).unwrap(), before);
}

#[test]
fn two_processes_that_append_to_a_shared_file_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(FileStore::new(dir.path(), "cassettes")) as Arc<dyn Store>;
    let mk = |test: &str, mode| Plan {
        store: Arc::clone(&store),
        unused: Unused::Allow,
        test: test.into(),
        ..plan(&MemoryStore::default(), mode)
    };
    let a = Session::open(mk("suite::a", Mode::Record)).unwrap();
    let b = Session::open(mk("suite::b", Mode::Record)).unwrap();
    make(&a, &[ask("A")], counting());
    assert_eq!(codes(&a.finish(BodyEnd::Passed)), [""; 0]);
    make(&b, &[ask("B")], counting());
    let vb = codes(&b.finish(BodyEnd::Passed));
    let text = String::from_utf8(store.load(NAME).unwrap().unwrap()).unwrap();
    assert!(text.contains(r#""content": "A""#) || !vb.is_empty(), "A's recording is lost, B said {vb:?}");
}

#[test]
fn an_owner_that_was_opened_in_code_is_not_taken_for_gone() {
    let store = MemoryStore::default();
    record(&store, &[ask("paid")]);
    let other = Plan {
        test: "suite::other".into(),
        known_tests: vec!["suite::annotated".into()],
        ..plan(&store, Mode::Record)
    };
    let (_, v) = run(other, &[ask("else")], counting(), BodyEnd::Passed);
    assert_eq!(codes(&v), ["refused"], "{}", v.summary);
}

#[test]
fn debug_tells_no_secret() {
    let store = MemoryStore::default();
    let p =
        Plan { environment: vec![("OPENAI_API_KEY".into(), "very-secret-value".into())], ..plan(&store, Mode::Record) };
    let session = Session::open(p).unwrap();
    assert!(!format!("{session:?}").contains("very-secret-value"));
}

#[test]
fn a_panicking_redactor_fails_the_recording() {
    fn boom(text: &str) -> Vec<String> {
        if text.contains("boom") {
            panic!("custom")
        }
        Vec::new()
    }
    let store = MemoryStore::default();
    let p = Plan { rules: Rules { custom: vec![boom], ..Rules::default() }, ..plan(&store, Mode::Record) };
    let session = Session::open(p).unwrap();
    let Step::Live(t) = session.begin(ask("x")) else { panic!("another step") };
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| t.finish(reply(200, "boom"))));
    assert_ne!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
}

#[test]
fn a_conflicted_file_that_tests_share_is_left_to_git() {
    let store = MemoryStore::default();
    let conflicted = String::from_utf8(record(&store, &[ask("of the owner")])).unwrap();
    let conflicted = conflicted.replace("    {\n", "<<<<<<< HEAD\n    {\n");
    store.put(NAME, conflicted.as_bytes());
    let shared = Plan { unused: Unused::Allow, ..plan(&store, Mode::Refresh) };
    let report = Session::open(shared).unwrap_err().to_string();
    assert!(report.ends_with("\nhelp: restore it from git: other tests' recordings are in it too"), "{report}");
    assert_eq!(file(&store), Some(conflicted.into_bytes()));
}

#[test]
fn a_stand_in_is_not_sent_live() {
    let store = MemoryStore::default();
    let token = "kX9vQ7mZ2pL8wR4nY6cJ1hF5dG0sUaT3";
    let login = |_: &Call| {
        let body = format!(r#"{{"access_token":"{token}"}}"#).into_bytes();
        Outcome::Reply(Reply {
            status: 200,
            headers: vec![("content-type".into(), "application/json".into())],
            chunks: vec![Chunk { bytes: body, at: Some(Default::default()) }],
            trailers: Vec::new(),
            truncated: None,
        })
    };
    run(plan(&store, Mode::Record), &[ask("login")], login, BodyEnd::Passed);
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let Step::Serve(served) = session.begin(ask("login")) else { panic!("another step") };
    let Outcome::Reply(r) = &*served.outcome else { panic!("another step") };
    let got = String::from_utf8(r.body()).unwrap();
    let got = got.split('"').nth(3).unwrap().to_owned();
    let mut c = ask("trains");
    c.headers[1].1 = format!("Bearer {got}");
    let step = session.begin(c);
    let Step::Live(t) = step else { return };
    let sent = t.call().header("authorization").unwrap().to_owned();
    t.finish(reply(401, "who are you")).unwrap();
    let v = session.finish(BodyEnd::Passed);
    panic!("sent to the upstream: {sent}\n{}", v.reports[0]);
}

#[test]
fn numbers_of_reply_secrets_are_not_given_again() {
    let store = MemoryStore::default();
    let login = |_: &Call| {
        let body = br#"{"access_token":"kX9vQ7mZ2pL8wR4nY6cJ1hF5dG0sUaT3"}"#.to_vec();
        Outcome::Reply(Reply {
            status: 200,
            headers: vec![("content-type".into(), "application/json".into())],
            chunks: vec![Chunk { bytes: body, at: Some(Default::default()) }],
            trailers: Vec::new(),
            truncated: None,
        })
    };
    run(plan(&store, Mode::Record), &[ask("login")], login, BodyEnd::Passed);
    let mut other = ask("x");
    other.body = br#"{"access_token":"zZ8vQ7mZ2pL8wR4nY6cJ1hF5dG0sUaT9"}"#.to_vec();
    run(plan(&store, Mode::Record), &[ask("login"), other], counting(), BodyEnd::Passed);
    let text = String::from_utf8(file(&store).unwrap()).unwrap();
    let found: Vec<_> = text.lines().filter(|l| l.contains("REDACTED")).map(str::trim).collect();
    assert_ne!(found[0], found[1], "two values, one placeholder");
}

#[test]
fn what_is_appended_to_a_shared_file_does_not_overlap_with_a_stranger() {
    let store = MemoryStore::default();
    record(&store, &[ask("a"), ask("z")]);
    let session = Session::open(Plan { unused: Unused::Allow, ..plan(&store, Mode::Refresh) }).unwrap();
    let begin = |p: &str| match session.begin(ask(p)) {
        Step::Live(t) => t,
        o => panic!("{o:?}"),
    };
    let (a, n) = (begin("a"), begin("new"));
    a.finish(reply(200, "1")).unwrap();
    n.finish(reply(200, "2")).unwrap();
    session.finish(BodyEnd::Passed);
    let text = String::from_utf8(file(&store).unwrap()).unwrap();
    let tape = cassette_core::disk::read(text.as_bytes()).unwrap();
    let marks: Vec<_> = tape.interactions.iter().map(|i| i.overlaps()).collect();
    assert_eq!(marks, [false, false, false], "the last is said to overlap with `z`, which was never asked");
}

#[test]
fn a_cookie_without_a_name_is_hidden_and_does_not_keep_a_recording_from_being_saved() {
    let store = MemoryStore::default();
    let Outcome::Reply(mut answer) = reply(200, "09:04") else { panic!("it is a reply") };
    answer.headers.push(("set-cookie".into(), "nameless-session-4711".into()));
    let (_, verdict) =
        run(plan(&store, Mode::Record), &[ask("x")], |_| Outcome::Reply(answer.clone()), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let text = String::from_utf8(file(&store).unwrap()).unwrap();
    assert!(text.contains(r#"["set-cookie", "REDACTED.cookie.1"]"#), "{text}");
}

#[test]
fn a_word_such_as_hidden_within_a_secret_does_not_excuse_it() {
    let rest = ["q8Zt", "3LmP0xWv72Kd"];
    for word in ["Hidden", "your-", "example", "fake", "XXXX", "xxxx-", "placeholder", "MASKED"] {
        for secret in [format!("{word}{}{}", rest[0], rest[1]), format!("{}{word}{}", rest[0], rest[1])] {
            let store = MemoryStore::default();
            let environment = vec![("ODD_KEY".to_owned(), secret.clone())];
            let call = post(&format!(r#"{{"password":"{secret}","note":"it is {secret}"}}"#));
            let recording = Plan { environment, ..plan(&store, Mode::Record) };
            let (_, verdict) = run(recording, &[call], counting(), BodyEnd::Passed);
            assert_eq!(codes(&verdict), [""; 0]);
            let text = String::from_utf8(file(&store).unwrap()).unwrap();
            assert!(!text.contains(&secret), "{text}");
        }
    }
}

#[test]
fn the_length_that_head_asks_for_comes_back() {
    let store = MemoryStore::default();
    let call = Call::http("HEAD", "https://api.example.com/file", Vec::new(), Vec::new());
    let headers = vec![("content-length".to_owned(), "4711".to_owned())];
    let answer =
        Outcome::Reply(Reply { status: 200, headers, chunks: Vec::new(), trailers: Vec::new(), truncated: None });
    run(plan(&store, Mode::Record), std::slice::from_ref(&call), |_| answer.clone(), BodyEnd::Passed);
    let (got, _) = run(plan(&store, Mode::Replay), &[call], gone, BodyEnd::Passed);
    assert_eq!(got, [Ok(answer)]);
}

#[test]
fn a_header_that_says_what_is_asked_counts_unasked() {
    for (name, recorded, incoming) in [
        ("range", "bytes=0-9", "bytes=10-19"),
        ("x-amz-target", "S.List", "S.Delete"),
        ("soapaction", "a", "b"),
        ("accept", "application/json", "text/csv"),
        ("accept-language", "en", "no"),
        ("last-event-id", "1", "5"),
        ("destination", "/a", "/b"),
        ("content-encoding", "gzip", "br"),
        ("x-amzn-sagemaker-target-model", "a", "b"),
        ("accept-profile", "public", "billing"),
        ("x-github-api-version", "2022-11-28", "2026-03-10"),
        ("content-range", "bytes 0-9/20", "bytes 10-19/20"),
        ("dropbox-api-arg", r#"{"path":"/a"}"#, r#"{"path":"/b"}"#),
        ("if-range", "\"v1\"", "\"v2\""),
        ("upload-offset", "0", "10"),
        ("x-amz-copy-source", "/a/b", "/a/c"),
        ("x-amz-copy-source-range", "bytes=0-9", "bytes=10-19"),
        ("x-goog-upload-command", "upload", "upload, finalize"),
        ("x-ms-copy-source", "https://a.test/1", "https://a.test/2"),
    ] {
        let asking = |value: &str| {
            let mut call = post("{}");
            call.headers.push((name.into(), value.into()));
            call
        };
        let store = MemoryStore::default();
        record(&store, &[asking(recorded)]);
        let (got, _) = run(plan(&store, Mode::Replay), &[asking(recorded)], gone, BodyEnd::Passed);
        assert!(got[0].is_ok());
        for other in [asking(incoming), post("{}")] {
            let (got, verdict) = run(plan(&store, Mode::Replay), &[other], gone, BodyEnd::Passed);
            assert_eq!(got, [Err("mismatch")], "{name}");
            assert!(verdict.reports[0].to_string().contains(&format!("@header.{name}")), "{}", verdict.reports[0]);
        }
    }
}

#[test]
fn as_what_a_body_is_sent_counts_and_a_boundary_does_not() {
    let patch = |media_type: &str| {
        let media_type = Some(media_type).filter(|media_type| !media_type.is_empty());
        let headers = media_type.map(|it| ("content-type".to_owned(), it.to_owned())).into_iter().collect();
        Call::http("PATCH", "https://api.example.com/item", headers, br#"{"a":null}"#.to_vec())
    };
    for (recorded, incoming, is_served) in [
        ("application/merge-patch+json", "application/merge-patch+json", true),
        ("application/merge-patch+json", "application/strategic-merge-patch+json", false),
        ("application/merge-patch+json", "application/json", false),
        ("application/json", "Application/JSON; charset=\"UTF-8\"", true),
        ("application/json", "text/plain", false),
        ("application/json", "", true),
        ("text/plain", "text/plain; charset=latin1", false),
        ("multipart/form-data; boundary=a", "multipart/form-data; boundary=b", true),
    ] {
        let store = MemoryStore::default();
        record(&store, &[patch(recorded)]);
        let (got, _) = run(plan(&store, Mode::Replay), &[patch(incoming)], gone, BodyEnd::Passed);
        assert_eq!(got[0].is_ok(), is_served, "{recorded}, then {incoming}");
    }
}

#[test]
fn what_form_of_an_answer_is_wanted_counts_where_it_says_something() {
    let asking = |url: &str, headers: &[(&str, &str)]| {
        let headers = headers.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        Call::http("POST", url, headers, br#"{"model":"m","messages":[]}"#.to_vec())
    };
    let is_served = |url: &str, recorded: &[(&str, &str)], incoming: &[(&str, &str)]| {
        let store = MemoryStore::default();
        record(&store, &[asking(url, recorded)]);
        let (got, _) = run(plan(&store, Mode::Replay), &[asking(url, incoming)], gone, BodyEnd::Passed);
        got[0].is_ok()
    };
    let anybody = "https://api.example.com/v1/x";
    assert!(is_served(anybody, &[("accept", "*/*"), ("accept-language", "*")], &[]));
    assert!(is_served(anybody, &[], &[("accept", "application/json, text/plain, */*")]));
    assert!(!is_served(anybody, &[("accept", "*/*")], &[("accept", "text/csv")]));
    assert!(!is_served(anybody, &[("accept", "application/json, */*;q=0.1")], &[("accept", "text/csv, */*;q=0.1")]));
    assert!(!is_served(anybody, &[("accept-language", "*")], &[("accept-language", "no")]));
    let provider = "https://api.openai.com/v1/chat/completions";
    assert!(is_served(provider, &[("accept", "*/*")], &[("accept", "application/json")]));
    assert!(!is_served(provider, &[("accept-language", "en")], &[("accept-language", "no")]));
}

fn post(body: &str) -> Call {
    let headers = vec![("content-type".into(), "application/json".into())];
    Call::http("POST", "https://api.example.com/v1/x", headers, body.as_bytes().to_vec())
}

#[test]
fn polling_is_replayed_in_its_order_however_members_are_ordered() {
    let store = MemoryStore::default();
    let (ab, ba) = (post(r#"{"a":1,"b":2}"#), post(r#"{"b":2,"a":1}"#));
    run(plan(&store, Mode::Record), &[ab.clone(), ba.clone()], counting(), BodyEnd::Passed);
    let (got, _) = run(plan(&store, Mode::Replay), &[ba.clone(), ab.clone()], gone, BodyEnd::Passed);
    let strict = Plan { order: Order::Strict, ..plan(&store, Mode::Replay) };
    let (s, _) = run(strict, &[ba, ab], gone, BodyEnd::Passed);
    assert_eq!(
        (got, s.iter().all(Result::is_ok)),
        (vec![Ok(reply(200, "answer 1")), Ok(reply(200, "answer 2"))], true)
    );
}

#[test]
fn different_bodies_differ() {
    for (a, b) in [("{}", ""), ("[1,2]", r#"{"body":[1,2]}"#), (r#""x""#, r#"{"body":"x"}"#)] {
        let store = MemoryStore::default();
        run(plan(&store, Mode::Record), &[post(a)], counting(), BodyEnd::Passed);
        let (got, _) = run(plan(&store, Mode::Replay), &[post(b)], gone, BodyEnd::Passed);
        assert!(got[0].is_err(), "{b:?} was answered with the answer to {a:?}");
    }
}

#[test]
fn maps_of_people_replay() {
    let store = MemoryStore::default();
    let people: Vec<_> =
        (0..12).map(|i| format!(r#""person{}@mail.example.org":{i}"#, (b'a' + i as u8) as char)).collect();
    let call = post(&format!(r#"{{"people":{{{}}}}}"#, people.join(",")));
    let with = |mode| Plan { rules: Rules { pii: true, ..Rules::default() }, ..plan(&store, mode) };
    run(with(Mode::Record), std::slice::from_ref(&call), counting(), BodyEnd::Passed);
    let (got, v) = run(with(Mode::Replay), &[call], gone, BodyEnd::Passed);
    assert!(got[0].is_ok(), "{}", v.reports[0]);
}

#[test]
fn a_token_learned_late_is_hidden_where_it_stood_before() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let tok = "kX9vQ7mZ2pL8wR4nY6cJ1hF5dG0sUaT3";
    let Step::Live(t) = session.begin(ask("login")) else { panic!("another step") };
    t.finish(reply(200, tok)).unwrap();
    let mut c = ask("next");
    c.headers[1].1 = format!("Bearer {tok}");
    let Step::Live(t) = session.begin(c) else { panic!("another step") };
    t.finish(reply(200, "x")).unwrap();
    let v = session.finish(BodyEnd::Passed);
    assert_eq!(codes(&v), [""; 0], "{}", v.reports[0]);
}

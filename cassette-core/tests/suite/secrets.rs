//! Where secrets go: to the program while it is live, and nowhere else.

use cassette_core::call::Call;
use cassette_core::mode::Mode;
use cassette_core::policy::Order;
use cassette_core::redact::Rules;
use cassette_core::reply::{Chunk, Outcome, Reply};
use cassette_core::session::{BodyEnd, Plan, Session, Step};
use cassette_core::store::{MemoryStore, Store};
use std::time::Duration;

use crate::bench_of_calls::{NAME, ask, codes, counting, file, gone, plan, record, reply, run, tool, value};
use insta::assert_snapshot;

/// A key of the shape that a provider gives out, put together here so that no scanner takes this file for a leak.
fn key() -> String {
    ["sk-", "proj-", "Zx8Qw2Rt5Yp0La9Sd4Fg7Hj1", "T3Blbk", "FJMn6Bv3Cx0Kl8Pq2Wz5Ue9R"].concat()
}

fn login(answer: &str) -> Outcome {
    let body = format!(r#"{{"access_token":"{answer}","expires_in":3600}}"#).into_bytes();
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    Outcome::Reply(Reply {
        status: 200,
        headers,
        chunks: vec![Chunk { bytes: body, at: Some(Duration::ZERO) }],
        trailers: Vec::new(),
        truncated: None,
    })
}

fn with_token(token: &str) -> Call {
    let body = format!(r#"{{"token":"{token}","ask":"Bergen"}}"#);
    Call::http("POST", "https://api.example.com/v1/ask", Vec::new(), body.into_bytes())
}

#[test]
fn the_program_sees_the_secret_and_the_file_does_not() {
    let store = MemoryStore::default();
    let secret = "Qz81-xYwv-77Kd-plain-token";
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let Step::Live(ticket) = session.begin(ask("log in")) else { panic!("it goes live") };
    ticket.finish(login(secret)).unwrap();
    let Step::Live(ticket) = session.begin(with_token(secret)) else { panic!("it goes live") };
    ticket.finish(reply(200, &format!("{secret} is valid"))).unwrap();
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
    let text = String::from_utf8(file(&store).unwrap()).unwrap();
    assert!(!text.contains(secret), "{text}");

    // On replay the program is served the placeholder and sends it back.
    let session = Session::open(plan(&store, Mode::Replay)).unwrap();
    let Step::Serve(served) = session.begin(ask("log in")) else { panic!("it was recorded") };
    let Outcome::Reply(served) = &*served.outcome else { panic!("it is a reply") };
    let body = String::from_utf8(served.body()).unwrap();
    let token = body.split('"').nth(3).unwrap().to_owned();
    assert!(token.starts_with("REDACTED."), "{token}");
    assert!(matches!(session.begin(with_token(&token)), Step::Serve(_)));
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
}

#[test]
fn a_rotated_key_and_another_environment_still_match() {
    let asking = |key: &str| ask(&format!("my key is {key}, and my pet is timetable-cat"));
    let environment = vec![("PET_KEY".to_owned(), "timetable-cat".to_owned())];
    let store = MemoryStore::default();
    let recording = Plan { environment: environment.clone(), ..plan(&store, Mode::Record) };
    let (_, verdict) = run(recording, &[asking(&key())], counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let text = String::from_utf8(file(&store).unwrap()).unwrap();
    assert!(!text.contains("timetable-cat") && !text.contains(&key()));

    let rotated = key().replace("Zx8Q", "Ab1C");
    let same = Plan { environment, ..plan(&store, Mode::Replay) };
    let (got, _) = run(same, &[asking(&rotated)], gone, BodyEnd::Passed);
    assert_eq!(got, [Ok(reply(200, "answer 1"))]);

    // Recorded without that variable, replayed with it.
    let store = MemoryStore::default();
    record(&store, &[asking(&key())]);
    let environment = vec![("PET_KEY".to_owned(), "timetable-cat".to_owned())];
    let other = Plan { environment, ..plan(&store, Mode::Replay) };
    let (got, _) = run(other, &[asking(&rotated)], gone, BodyEnd::Passed);
    assert_eq!(got, [Ok(reply(200, "answer 1"))]);
}

#[test]
fn two_tenants_are_not_mixed() {
    let (a, b) = (key(), key().replace("Zx8Q", "Ab1C"));
    let store = MemoryStore::default();
    record(&store, &[with_token(&a), with_token(&b), with_token(&a)]);
    let (got, verdict) =
        run(plan(&store, Mode::Replay), &[with_token(&a), with_token(&a), with_token(&b)], gone, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    assert_eq!(got, [Ok(reply(200, "answer 1")), Ok(reply(200, "answer 3")), Ok(reply(200, "answer 2"))]);
}

#[test]
fn what_only_a_hidden_value_tells_apart_is_served_by_position_and_told() {
    let (a, b) = (key(), key().replace("Zx8Q", "Ab1C"));
    let store = MemoryStore::default();
    record(&store, &[with_token(&a), with_token(&b)]);
    let (_, verdict) = run(plan(&store, Mode::Replay), &[with_token(&b), with_token(&a)], gone, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    insta::assert_snapshot!(verdict.summary.to_string());
}

#[test]
fn what_only_a_header_that_is_not_written_tells_apart_is_served_by_position_and_told() {
    let asking = |name: &str, value: &str| {
        let headers = vec![(name.to_owned(), value.to_owned())];
        Call::http("GET", "https://api.example.com/me", headers, Vec::new())
    };
    for name in ["authorization", "x-api-key", "cookie"] {
        let (alice, bob) = (asking(name, "Bearer alice-4711"), asking(name, "Bearer bobby-4712"));
        let store = MemoryStore::default();
        record(&store, &[alice.clone(), bob.clone()]);
        let (_, verdict) = run(plan(&store, Mode::Replay), &[bob, alice.clone()], gone, BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0]);
        assert_eq!(verdict.summary.by_position.len(), 1, "{name}");
        let store = MemoryStore::default();
        record(&store, &[alice.clone(), alice.clone()]);
        let (_, verdict) = run(plan(&store, Mode::Replay), &[alice.clone(), alice], gone, BodyEnd::Passed);
        assert!(verdict.summary.by_position.is_empty(), "{name}");
    }
}

#[test]
fn no_report_and_no_pending_file_shows_a_secret() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen")]);
    let (_, verdict) = run(plan(&store, Mode::Replay), &[ask(&key())], gone, BodyEnd::Passed);
    let shown = verdict.reports[0].to_string();
    assert!(!shown.contains(&key()) && shown.contains("REDACTED."), "{shown}");
    run(plan(&store, Mode::Record), &[ask(&key())], counting(), BodyEnd::Panicked);
    let pending = String::from_utf8(store.pending(NAME).unwrap().unwrap()).unwrap();
    assert!(!pending.contains(&key()), "{pending}");
}

#[test]
fn a_report_hides_what_has_become_a_secret_since() {
    let store = MemoryStore::default();
    let said = |word: &str| ask(&format!("with tulip-gate-99872-zz, what does a day {word} cost"));
    record(&store, &[said("ticket"), ask("Bergen")]);
    let environment = vec![("OTHER_TOKEN".to_owned(), "tulip-gate-99872-zz".to_owned())];
    let here = || Plan { environment: environment.clone(), ..plan(&store, Mode::Replay) };
    let (_, verdict) = run(here(), &[said("pass")], gone, BodyEnd::Passed);
    let (_, left) = run(here(), &[ask("Bergen")], gone, BodyEnd::Passed);
    insta::assert_snapshot!(format!("{}\n\n{}", verdict.reports[0], left.reports[0]));
}

#[test]
fn a_hidden_value_that_no_recording_gave_is_no_change_of_its_own() {
    let store = MemoryStore::default();
    let said = |other: &str, word: &str| ask(&format!("key {}, then {other}, how much {word}", key()));
    let (one, another) = (key().replace("Zx8Q", "Ab1C"), key().replace("Zx8Q", "De2F"));
    record(&store, &[with_token("elsewhere-7f3a9c2e4b88"), said(&one, "luggage")]);
    let told = |asked: Call| {
        let (_, verdict) = run(plan(&store, Mode::Replay), &[asked], gone, BodyEnd::Passed);
        verdict.reports[0].to_string()
    };
    insta::assert_snapshot!(format!("{}\n\n{}", told(said(&one, "baggage")), told(said(&another, "room"))));
    // One that is known from elsewhere in the cassette is told.
    let served = told(ask("key REDACTED.token.1, then REDACTED.openai-key.2, how much luggage"));
    assert!(served.contains("REDACTED.token.1"), "{served}");
}

#[test]
fn a_text_that_looks_like_a_placeholder_comes_back_as_it_was() {
    let store = MemoryStore::default();
    let literal = ask("what is REDACTED.openai-key.1?");
    let answer = reply(200, "REDACTED.openai-key.1 is a placeholder, REDACTED..x.2 is none");
    let (_, verdict) =
        run(plan(&store, Mode::Record), std::slice::from_ref(&literal), |_| answer.clone(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let (got, _) = run(plan(&store, Mode::Replay), &[literal], gone, BodyEnd::Passed);
    assert_eq!(got, [Ok(answer)]);
}

#[test]
fn the_value_of_a_volatile_header_stays_where_a_later_request_takes_it_up() {
    let answered = |id: &str| {
        let Outcome::Reply(mut reply) = reply(200, "09:04") else { panic!("it is a reply") };
        reply.headers.push(("x-request-id".to_owned(), id.to_owned()));
        Outcome::Reply(reply)
    };
    let id = |outcome: &Outcome| match outcome {
        Outcome::Reply(reply) => reply.header("x-request-id").map(str::to_owned),
        Outcome::Error(_) => None,
    };
    let store = MemoryStore::default();
    let calls = [ask("Bergen"), ask("more about request-4711-abc")];
    let mut ids = ["request-4711-abc", "request-4712-abd"].into_iter();
    let (_, verdict) = run(plan(&store, Mode::Record), &calls, |_| answered(ids.next().unwrap()), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let (got, _) = run(plan(&store, Mode::Replay), &calls, gone, BodyEnd::Passed);
    assert_eq!(id(got[0].as_ref().unwrap()).as_deref(), Some("request-4711-abc"));
    assert_eq!(id(got[1].as_ref().unwrap()).as_deref(), Some("volatile"));

    // A date is of several words.
    let dated = |date: &str| {
        let Outcome::Reply(mut reply) = reply(200, "09:04") else { panic!("it is a reply") };
        reply.headers.push(("date".to_owned(), date.to_owned()));
        Outcome::Reply(reply)
    };
    let store = MemoryStore::default();
    let calls = [ask("Bergen"), ask("what is new since Mon, 30 Nov 2026 07:28:00 GMT?")];
    let mut dates = ["Mon, 30 Nov 2026 07:28:00 GMT", "Mon, 30 Nov 2026 07:28:01 GMT"].into_iter();
    let (_, verdict) = run(plan(&store, Mode::Record), &calls, |_| dated(dates.next().unwrap()), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let (got, _) = run(plan(&store, Mode::Replay), &calls, gone, BodyEnd::Passed);
    let date = |got: &Result<Outcome, &str>| match got {
        Ok(Outcome::Reply(reply)) => reply.header("date").map(str::to_owned),
        _ => None,
    };
    assert_eq!(date(&got[0]).as_deref(), Some("Mon, 30 Nov 2026 07:28:00 GMT"));
    assert_eq!(date(&got[1]).as_deref(), Some("Thu, 01 Jan 1970 00:00:00 GMT"));
}

#[test]
fn recording_in_another_order_numbers_secrets_alike() {
    let (a, b) = (key(), key().replace("Zx8Q", "Ab1C"));
    let files = [[&a, &b], [&b, &a]].map(|order| {
        let store = MemoryStore::default();
        let session = Session::open(plan(&store, Mode::Record)).unwrap();
        let tickets: Vec<_> = [with_token(&a), with_token(&b)]
            .into_iter()
            .map(|call| match session.begin(call) {
                Step::Live(ticket) => ticket,
                other => panic!("{other:?}"),
            })
            .collect();
        let mut tickets: Vec<_> = [&a, &b].into_iter().zip(tickets).collect();
        tickets.sort_by_key(|(key, _)| order.iter().position(|known| known == key));
        for (_, ticket) in tickets {
            ticket.finish(reply(200, "09:04")).unwrap();
        }
        assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
        file(&store).unwrap()
    });
    assert_eq!(files[0], files[1]);
}

#[test]
fn trailers_come_back_as_they_were_but_for_their_secrets() {
    let store = MemoryStore::default();
    let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    let secret = "Qz81-xYwv-77Kd-plain-token";
    let trailers = pairs(&[("grpc-status", "0"), ("x-api-key", secret), ("x-two", "1"), ("x-two", "REDACTED.a.1")]);
    let Outcome::Reply(plain) = reply(200, "on time") else { unreachable!() };
    let answer = Outcome::Reply(Reply { trailers: trailers.clone(), ..plain });
    let (_, verdict) = run(plan(&store, Mode::Record), &[ask("Bergen")], |_| answer.clone(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let text = String::from_utf8(file(&store).unwrap()).unwrap();
    assert!(
        !text.contains(secret) && text.contains("        \"trailers\": [\n          [\"grpc-status\", \"0\"],"),
        "{text}"
    );

    let (got, _) = run(plan(&store, Mode::Replay), &[ask("Bergen")], gone, BodyEnd::Passed);
    let [Ok(Outcome::Reply(served))] = got.as_slice() else { panic!("{got:?}") };
    let expected =
        pairs(&[("grpc-status", "0"), ("x-api-key", "REDACTED.header.1"), ("x-two", "1"), ("x-two", "REDACTED.a.1")]);
    assert_eq!(served.trailers, expected);
}

/// A value that only its name shows to be secret.
fn ticket() -> String {
    ["CAUQAA", "abc123def456", "ghi789"].concat()
}

fn open() -> Call {
    tool("open", &format!(r#"{{"ticket":"{}"}}"#, ticket()))
}

fn sign_in() -> Call {
    tool("sign_in", &format!(r#"{{"csrf_token":"{}"}}"#, ticket()))
}

#[test]
fn a_value_that_a_name_has_shown_to_be_secret_is_hidden_from_then_on() {
    let store = MemoryStore::default();
    let (_, verdict) = run(plan(&store, Mode::Record), &[sign_in(), open()], counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let (_, verdict) = run(plan(&store, Mode::Replay), &[sign_in(), open()], gone, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
}

#[test]
fn a_value_that_is_shown_to_be_secret_too_late_keeps_the_recording_pending() {
    let store = MemoryStore::default();
    let (_, verdict) = run(plan(&store, Mode::Record), &[open(), sign_in()], counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), ["pending"]);
    assert_snapshot!("too_late", verdict.reports[0].to_string());
    assert_eq!(file(&store), None);
}

#[test]
fn a_value_that_the_reply_shows_to_be_secret_is_too_late_for_its_request() {
    let store = MemoryStore::default();
    let grant = |_: &Call| value(&format!(r#"{{"access_token":"{}"}}"#, ticket()));
    let (_, verdict) = run(plan(&store, Mode::Record), &[open()], grant, BodyEnd::Passed);
    assert_snapshot!("too_late_by_the_reply", verdict.reports[0].to_string());
    let form = || {
        let headers = vec![("content-type".to_owned(), "application/x-www-form-urlencoded".to_owned())];
        Call::http(
            "POST",
            &format!("https://api.example.com/a?q={}", ticket()),
            headers,
            format!("a=1&b={}", ticket()).into(),
        )
    };
    let (_, verdict) = run(plan(&store, Mode::Record), &[form()], grant, BodyEnd::Passed);
    assert_eq!(codes(&verdict), ["pending"], "{}", String::from_utf8(file(&store).unwrap_or_default()).unwrap());
    assert_snapshot!("too_late_in_a_form", verdict.reports[0].to_string());
    // Where the user says so, it is hidden from the start.
    let hiding = |mode| {
        let plan = plan(&store, mode);
        let mut rules = plan.rules.clone();
        rules.fields.push("ticket".to_owned());
        Plan { rules, ..plan }
    };
    let (_, verdict) = run(hiding(Mode::Record), &[open()], grant, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let (_, verdict) = run(hiding(Mode::Replay), &[open()], gone, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
}

#[test]
fn a_value_of_the_environment_in_a_request_is_told() {
    let store = MemoryStore::default();
    let here = |mode| {
        let environment = vec![("APP_SECRET".to_owned(), ["devel", "opment"].concat())];
        Plan { environment, ..plan(&store, mode) }
    };
    let asks = [tool("prompt", r#"{"text":"the development branch"}"#)];
    let (_, verdict) = run(here(Mode::Record), &asks, counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    assert_snapshot!("by_environment", verdict.summary.to_string());
    let (_, verdict) = run(here(Mode::Replay), &asks, gone, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let (_, verdict) = run(plan(&store, Mode::Replay), &asks, gone, BodyEnd::Passed);
    assert_eq!(codes(&verdict), ["mismatch"]);
    // What stands under a secret name is hidden wherever it is replayed.
    let asks = [tool("prompt", r#"{"password":"development"}"#)];
    let (_, verdict) = run(here(Mode::Refresh), &asks, counting(), BodyEnd::Passed);
    assert_eq!(verdict.summary.by_environment, None);
}

/// Returns what is said of a run without rules after a recording with these.
fn bared(rules: Rules, recorded: Call, incoming: Call, order: Order) -> String {
    let store = MemoryStore::default();
    let (_, verdict) = run(Plan { rules, ..plan(&store, Mode::Record) }, &[recorded], counting(), BodyEnd::Passed);
    assert_eq!(verdict.reports, []);
    let (_, verdict) = run(Plan { order, ..plan(&store, Mode::Replay) }, &[incoming], gone, BodyEnd::Passed);
    verdict.reports.first().map_or_else(|| verdict.summary.to_string(), ToString::to_string)
}

#[test]
fn what_was_hidden_and_is_not_now_is_never_recorded_on_advice_alone() {
    let named = |name: &str| Rules { fields: vec![name.to_owned()], ..Rules::default() };
    let pii = Rules { pii: true, ..Rules::default() };
    let any = |rules: Rules, call: Call| bared(rules, call.clone(), call, Order::Any);
    let post = |name: &str, body: &str| {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Call::http("POST", name, headers, body.as_bytes().to_vec())
    };
    let url = "https://api.example.com/v1/ask";
    let told = [
        ("an address alone", any(pii.clone(), ask("jane@timetable.org"))),
        ("a number", any(named("pin"), post(url, r#"{"customer":{"pin":471108},"to":"Bergen"}"#))),
        ("a list", any(named("pins"), post(url, r#"{"pins":["4711-08","4711-09"]}"#))),
        ("a parameter", any(named("pin"), post(&format!("{url}?pin=4711-0815&to=Bergen"), "{}"))),
        ("an argument", any(named("pin"), tool("book", r#"{"pin":"4711-0815"}"#))),
        ("within words", any(Rules { values: vec!["tulip".into()], ..Rules::default() }, ask("say tulip twice"))),
        (
            "and another word",
            bared(pii.clone(), ask("ask jane@timetable.org now"), ask("ask jane@timetable.org soon"), Order::Any),
        ),
        ("taken out", bared(pii.clone(), ask("ask jane@timetable.org now"), ask("ask now"), Order::Any)),
        (
            "a key, and other words in its place",
            bared(
                Rules::default(),
                ask(&format!("How much luggage, with {}?", key())),
                ask("How much luggage may I take?"),
                Order::Any,
            ),
        ),
        (
            "taken for the likest",
            bared(
                pii,
                ask("ask jane@timetable.org when the train leaves"),
                ask("ask jane@timetable.org when the train leaves"),
                Order::Fuzzy,
            ),
        ),
    ];
    let told: Vec<_> = told.into_iter().map(|(what, told)| format!("{what}\n\n{told}")).collect();
    insta::assert_snapshot!(told.join("\n\n"));
}

#[test]
fn what_is_hidden_in_bodies_is_told_and_the_usual_header_is_not() {
    let asking = |question: &str| {
        let mut call = ask(question);
        call.headers.push(("authorization".into(), format!("Bearer {}", key())));
        call
    };
    let hidden = |mode: Mode, store: &MemoryStore, question: &str, answer: &str| {
        let (_, verdict) = run(plan(store, mode), &[asking(question)], |_| reply(200, answer), BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0]);
        (
            verdict.summary.hidden.to_string(),
            verdict.summary.to_string().contains("hides in bodies 1 secret: openai-key"),
        )
    };
    let nothing = ("0 secrets: ".to_owned(), false);
    assert_eq!(hidden(Mode::Record, &MemoryStore::default(), "When?", "At nine."), nothing);
    let told = ("1 secret: openai-key".to_owned(), true);
    let store = MemoryStore::default();
    // The same key in a prompt, in an answer, and in both, is one.
    let prompt = format!("With {}: when?", key());
    assert_eq!(hidden(Mode::Record, &store, &prompt, "At nine."), told);
    assert_eq!(hidden(Mode::Record, &MemoryStore::default(), "When?", &key()), told);
    assert_eq!(hidden(Mode::Record, &MemoryStore::default(), &prompt, &key()), told);
    // What is hidden already is no news: not in a replay, nor where a refresh changes nothing.
    assert_eq!(hidden(Mode::Replay, &store, &prompt, "At nine."), nothing);
    assert_eq!(hidden(Mode::Refresh, &store, &prompt, "At nine."), nothing);
    // Of a test that failed it is told too: what it recorded is pending.
    let failed =
        run(plan(&MemoryStore::default(), Mode::Record), &[asking(&prompt)], |_| reply(200, "x"), BodyEnd::Failed);
    assert_eq!(failed.1.summary.hidden.to_string(), told.0);
}

//! Cassettes that keep digests of requests: what is in the file, what is not, and that all else is as ever.

use std::sync::Arc;
use std::time::Duration;

use cassette_core::call::Call;
use cassette_core::disk;
use cassette_core::journal;
use cassette_core::json::{Json, Layout};
use cassette_core::key::SCHEME;
use cassette_core::matching::{Matching, PartName, Selector};
use cassette_core::mode::Mode;
use cassette_core::policy::{Order, Repeat, Requests, Unused};
use cassette_core::redact::Rules;
use cassette_core::reply::{Chunk, Outcome, Reply};
use cassette_core::session::{BodyEnd, Plan, Session, Step};
use cassette_core::store::{MemoryStore, Store};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::bench_of_calls::{NAME, ask, codes, counting, file, gone, make, plan, refused, reply, run};
use crate::requests::{CHAT, chat, post};

fn digests(store: &MemoryStore, mode: Mode) -> Plan {
    Plan { requests: Requests::Digest, ..plan(store, mode) }
}

#[track_caller]
fn recorded(plan: Plan, calls: &[Call]) {
    let (_, verdict) = run(plan, calls, counting(), BodyEnd::Passed);
    assert_eq!(verdict.reports, []);
}

/// Returns a store that holds digests of these calls.
fn store_of(calls: &[Call]) -> MemoryStore {
    let store = MemoryStore::default();
    recorded(digests(&store, Mode::Record), calls);
    store
}

/// Returns the file, as if it had been recorded on a certain day.
fn text(store: &MemoryStore) -> String {
    let text = String::from_utf8(file(store).unwrap()).unwrap();
    let date = text.lines().find(|line| line.contains("\"recorded\"")).unwrap().to_owned();
    text.replace(&date, "  \"recorded\": \"2026-11-29\",")
}

/// Returns what failed a replay of these calls.
fn replay(store: &MemoryStore, calls: &[Call]) -> Vec<&'static str> {
    codes(&run(digests(store, Mode::Replay), calls, gone, BodyEnd::Passed).1)
}

/// A key of the shape that a provider gives out, put together here so that no scanner takes this file for a leak.
fn key() -> String {
    ["sk-", "proj-", "Zx8Qw2Rt5Yp0La9Sd4Fg7Hj1", "T3Blbk", "FJMn6Bv3Cx0Kl8Pq2Wz5Ue9R"].concat()
}

fn with_token(token: &str) -> Call {
    let body = format!(r#"{{"token":"{token}","ask":"Bergen"}}"#);
    Call::http("POST", "https://api.example.com/v1/ask?when=now&where=Bergen", Vec::new(), body.into_bytes())
}

#[test]
fn the_file_holds_digests_and_the_replies() {
    let mut request = chat();
    request["seed"] = 7.into();
    request["stop"] = json!(["\n\n"]);
    insta::assert_snapshot!(text(&store_of(&[post(CHAT, &request), with_token(&key())])));
}

/// The texts in which a prompt is looked for: all that goes to a disk.
fn on_disk(prompt: &str, end: BodyEnd) -> Vec<String> {
    let store = MemoryStore::default();
    let quoted = |name: &str| json!({ name: prompt, "city": [prompt, {"inner": prompt}] });
    let mut request = chat();
    request["messages"][1]["content"] = prompt.into();
    request["messages"][2]["tool_calls"][0]["function"]["arguments"] = quoted("city").to_string().into();
    request["tools"][0]["function"]["description"] = prompt.into();
    request["metadata"] = json!({ prompt: prompt });
    request[prompt] = prompt.into();
    request["stop"] = json!([prompt]);
    request["user"] = prompt.into();
    let encoded = prompt.replace(' ', "%20");
    let form = vec![("content-type".to_owned(), "application/x-www-form-urlencoded".to_owned())];
    let upload = vec![("content-type".to_owned(), "multipart/form-data; boundary=b".to_owned())];
    let part = format!("--b\r\ncontent-disposition: form-data; name=\"{prompt}\"\r\n\r\n{prompt}\r\n--b--\r\n");
    let calls = [
        post(CHAT, &request),
        post("https://api.example.com/graphql", &quoted(prompt)),
        Call::http("GET", &format!("https://api.example.com/find?q={encoded}&{encoded}"), Vec::new(), Vec::new()),
        Call::http("POST", "https://api.example.com/form", form, format!("{encoded}={encoded}").into_bytes()),
        Call::http("POST", "https://api.example.com/upload", upload, part.into_bytes()),
        Call::http("POST", "https://api.example.com/text", Vec::new(), prompt.as_bytes().to_vec()),
    ];
    let session = Session::open(digests(&store, Mode::Record)).unwrap();
    make(&session, &calls, counting());
    let journal = store.journal_text(NAME).unwrap();
    let (ended, torn) = journal::recover(&journal).unwrap();
    assert!(ended.len() == calls.len() && ended.iter().all(|one| one.call().is_none()) && !torn);
    let verdict = session.finish(end);
    assert_eq!(verdict.reports, []);
    let kept = [file(&store), store.pending(NAME).unwrap()].into_iter().flatten();
    let kept: Vec<_> = kept.map(|bytes| String::from_utf8(bytes).unwrap()).collect();
    assert_eq!(kept.len(), 1);
    if end == BodyEnd::Passed {
        assert_eq!(replay(&store, &calls), [""; 0]);
    }
    [vec![journal], kept].concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn no_piece_of_a_prompt_is_written_to_a_disk(prompt in "([A-Z]{2,6} ){2,5}[A-Z]{3,6}", passes in any::<bool>()) {
        for text in on_disk(&prompt, if passes { BodyEnd::Passed } else { BodyEnd::Panicked }) {
            let pieces = (0..prompt.len() - 7).map(|at| &prompt[at..at + 8]);
            for piece in pieces.flat_map(|piece| [piece.to_owned(), piece.replace(' ', "%20")]) {
                prop_assert!(!text.contains(&piece), "{} is in {}", piece, text);
            }
        }
    }

    #[test]
    fn what_was_recorded_replays_in_any_order_and_nothing_else(
        old in prop::collection::vec(0..4_usize, 1..8),
        new in prop::collection::vec(0..4_usize, 1..8),
    ) {
        let calls = |program: &[usize]| program.iter().map(|i| ask(["Bergen", "Oslo", "Voss", "Myrdal"][*i])).collect::<Vec<_>>();
        let sorted = |program: &[usize]| { let mut sorted = program.to_vec(); sorted.sort_unstable(); sorted };
        let store = store_of(&calls(&old));
        prop_assert_eq!(replay(&store, &calls(&new)).is_empty(), sorted(&old) == sorted(&new));
        let backwards: Vec<_> = old.iter().rev().copied().collect();
        prop_assert_eq!(replay(&store, &calls(&backwards)), [""; 0]);
        let (_, verdict) = run(digests(&store, Mode::Record), &calls(&new), counting(), BodyEnd::Passed);
        prop_assert_eq!(codes(&verdict), [""; 0]);
        prop_assert_eq!(replay(&store, &calls(&new)), [""; 0]);
    }
}

#[test]
fn the_run_itself_is_told_in_full() {
    let store = MemoryStore::default();
    let calls = [post(CHAT, &chat()), ask("Oslo")];
    let told = |requests: Requests, mode: Mode| {
        let session = Session::open(Plan { requests, ..plan(&store, mode) }).unwrap();
        make(&session, &calls, counting());
        let told = (session.calls(), session.transcript());
        assert_eq!(session.finish(BodyEnd::Passed).reports, []);
        told
    };
    let live = told(Requests::Digest, Mode::Record);
    assert!(live.1.contains("When is the next train to Bergen?"));
    assert_eq!(told(Requests::Digest, Mode::Replay), live);
    assert_eq!(told(Requests::Full, Mode::Refresh), live);
}

fn sampled(sampling: &str) -> Call {
    let body = format!(r#"{{"model":"m","messages":[{{"role":"user","content":"Hi"}}]{sampling}}}"#);
    Call::http("POST", CHAT, Vec::new(), body.into_bytes())
}

#[test]
fn of_one_request_the_recording_is_served_that_is_likest_in_sampling() {
    let seeds: Vec<_> = (0..40).map(|seed| sampled(&format!(r#","seed":{seed},"temperature":1"#))).collect();
    let store = store_of(&seeds);
    let backwards: Vec<_> = seeds.iter().rev().cloned().collect();
    let (got, verdict) = run(digests(&store, Mode::Replay), &backwards, gone, BodyEnd::Passed);
    let expected: Vec<_> = (1..=40).rev().map(|n| Ok(reply(200, &format!("answer {n}")))).collect();
    assert_eq!((got, verdict.summary.drifted), (expected, Vec::new()));
}

#[test]
fn sampling_that_moved_is_told() {
    let store = store_of(&[sampled(r#","seed":1,"temperature":0.20,"max_tokens":"few""#)]);
    let incoming = sampled(r#","temperature":0.7,"top_p":1,"max_tokens":"many""#);
    let (_, verdict) = run(digests(&store, Mode::Replay), &[incoming], gone, BodyEnd::Passed);
    insta::assert_snapshot!(verdict.summary.to_string());
    let same = sampled(r#","max_tokens":"few","temperature":2e-1,"seed":1.0"#);
    let (_, verdict) = run(digests(&store, Mode::Replay), &[same], gone, BodyEnd::Passed);
    assert!(verdict.summary.is_quiet());
}

fn on_model() -> Matching {
    Matching { match_on: Some(vec![Selector::Part(PartName::Model)]), ..Matching::default() }
}

#[test]
fn of_what_is_not_compared_the_recording_that_is_the_same_is_served() {
    let store = MemoryStore::default();
    let loose = |mode| Plan { matching: on_model(), ..digests(&store, mode) };
    // Of so many prompts some have one mark: it is not marks that decide.
    let prompts: Vec<_> = (0..700).map(|n| ask(&format!("question {n}"))).collect();
    recorded(loose(Mode::Record), &prompts);
    let backwards: Vec<_> = prompts.iter().rev().cloned().collect();
    let (got, _) = run(loose(Mode::Replay), &backwards, gone, BodyEnd::Passed);
    assert_eq!(got, (1..=700).rev().map(|n| Ok(reply(200, &format!("answer {n}")))).collect::<Vec<_>>());
}

#[test]
fn another_comparison_is_refused_and_a_refresh_mends_it() {
    let store = store_of(&[ask("Bergen")]);
    let ignored = ["messages[*].id", "user"].map(|path| path.parse().unwrap()).to_vec();
    let normalize: Vec<fn(&mut Json)> = vec![cassette_core::normalize::whitespace];
    let matching = Matching { ignore: ignored, headers: vec!["x-tenant".into()], normalize, ..on_model() };
    let other = |mode| Plan { matching: matching.clone(), ..digests(&store, mode) };
    let report = Session::open(other(Mode::Replay)).unwrap_err().to_string();
    assert_eq!(Session::open(other(Mode::Record)).unwrap_err().to_string(), report);
    insta::assert_snapshot!(report);
    recorded(other(Mode::Refresh), &[ask("Bergen")]);
    let (got, verdict) = run(other(Mode::Replay), &[ask("Oslo")], gone, BodyEnd::Passed);
    assert_eq!((got, codes(&verdict)), (vec![Ok(reply(200, "answer 1"))], vec![]));
    assert_eq!(Session::open(digests(&store, Mode::Replay)).unwrap_err().code(), "stale");
}

#[test]
fn what_compares_words_is_refused() {
    let store = store_of(&[ask("Bergen")]);
    let refused = |plan: Plan| Session::open(plan).unwrap_err().to_string();
    for (order, name) in [(Order::Ordered, "ordered"), (Order::Fuzzy, "fuzzy")] {
        assert_eq!(
            refused(Plan { order, ..digests(&store, Mode::Replay) }),
            format!(
                "cassette refused: memory:trains.json holds digests of requests, and the order `{name}` compares what they say\n\
                 help: use the order `any` or `strict` with this cassette"
            ),
        );
        // By identity, a recording run compares no words.
        recorded(Plan { order, ..digests(&store, Mode::Refresh) }, &[ask("Bergen")]);
    }
    let matcher: fn(&Call, &Call) -> bool = |_, _| true;
    let matching = Matching { matcher: Some(Arc::new(matcher)), ..Matching::default() };
    let told = "cassette refused: memory:trains.json is to hold digests of requests, and the test's matcher compares what they \
                say\nhelp: take the matcher away, or keep requests in full";
    for mode in [Mode::Replay, Mode::Record, Mode::Refresh] {
        assert_eq!(refused(Plan { matching: matching.clone(), ..digests(&store, mode) }), told);
    }
    assert_eq!(refused(Plan { matching, ..plan(&store, Mode::Record) }), told, "a file goes on holding digests");
}

#[test]
fn who_refreshes_a_shared_file_must_compare_as_it_does() {
    let store = MemoryStore::default();
    let shared = |mode| Plan { unused: Unused::Allow, ..digests(&store, mode) };
    recorded(shared(Mode::Record), &[ask("Bergen")]);
    let other = Plan { matching: on_model(), ..shared(Mode::Refresh) };
    assert_eq!(Session::open(other).unwrap_err().code(), "stale");
    // Who shares it without the option adds digests to it.
    recorded(Plan { unused: Unused::Allow, ..plan(&store, Mode::Refresh) }, &[ask("Oslo")]);
    let text = text(&store);
    assert_eq!((text.matches("\"digest\":").count(), text.matches("\"request\":").count()), (2, 0), "{text}");
}

#[test]
fn requests_that_should_not_be_there_fail_a_replay_and_record_takes_them_out() {
    let store = MemoryStore::default();
    recorded(plan(&store, Mode::Record), &[ask("Bergen"), ask("Oslo")]);
    insta::assert_snapshot!(Session::open(digests(&store, Mode::Replay)).unwrap_err().to_string());
    let (_, verdict) = run(digests(&store, Mode::Record), &[ask("Bergen"), ask("Oslo")], gone, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let text = text(&store);
    assert!(!text.contains("Bergen") && !text.contains("\"request\":"), "{text}");
    assert_eq!(text, self::text(&store_of(&[ask("Bergen"), ask("Oslo")])));
    assert_eq!(replay(&store, &[ask("Oslo"), ask("Bergen")]), [""; 0]);
}

#[test]
fn digests_stay_digests_until_their_owner_refreshes_without_the_option() {
    let store = store_of(&[ask("Bergen")]);
    let both = [ask("Bergen"), ask("Oslo")];
    recorded(plan(&store, Mode::Record), &both);
    assert_eq!(text(&store).matches("\"digest\":").count(), 2);
    assert_eq!(codes(&run(plan(&store, Mode::Replay), &both, gone, BodyEnd::Passed).1), [""; 0]);
    recorded(plan(&store, Mode::Refresh), &both);
    let text = text(&store);
    assert_eq!((text.matches("\"request\":").count(), text.contains("digest")), (2, false), "{text}");
}

#[test]
fn a_refresh_that_changes_nothing_leaves_the_file_and_one_that_does_keeps_the_salt() {
    let calls = [ask("Bergen"), ask("Oslo")];
    let store = store_of(&calls);
    let before = text(&store);
    let (_, verdict) = run(digests(&store, Mode::Refresh), &calls, counting(), BodyEnd::Passed);
    assert!(verdict.summary.unchanged);
    let renamed = Plan { test: "suite::asks".into(), ..digests(&store, Mode::Refresh) };
    let renamed = Plan { unused: Unused::Allow, ..renamed };
    run(renamed, &calls, |call| reply(200, &format!("{} bytes", call.body.len())), BodyEnd::Passed);
    let salt = |text: &str| text.lines().find(|line| line.contains("\"salt\"")).unwrap().to_owned();
    assert_eq!(salt(&text(&store)), salt(&before));
    assert_ne!(text(&store), before);
}

#[test]
fn two_files_have_nothing_in_common_but_their_words() {
    let (store, other) = (store_of(&[ask("Bergen")]), MemoryStore::default());
    recorded(Plan { name: "boats".into(), ..digests(&other, Mode::Record) }, &[ask("Bergen")]);
    let marks = |bytes: Vec<u8>| {
        let tape = Json::parse(std::str::from_utf8(&bytes).unwrap()).unwrap();
        let digest = tape.get("interactions").unwrap().elements()[0].get("digest").unwrap().print(Layout::Compact);
        let marks: Vec<_> = digest.split(|c: char| !c.is_ascii_hexdigit()).map(str::to_owned).collect();
        marks.into_iter().filter(|mark| mark.len() == 4 && mark.bytes().any(|b| b.is_ascii_digit())).collect::<Vec<_>>()
    };
    let (ours, theirs) = (marks(file(&store).unwrap()), marks(other.load("boats").unwrap().unwrap()));
    assert!(ours.len() > 5 && ours.iter().all(|mark| !theirs.contains(mark)), "{ours:?} {theirs:?}");
}

/// Returns the file with its first interaction edited and sealed again.
fn resealed(text: &str, edit: impl Fn(&str) -> String) -> String {
    let tape = Json::parse(text).unwrap();
    let first = tape.get("interactions").unwrap().elements()[0].print(Layout::Compact);
    let edited = edit(&first);
    assert_ne!(edited, first);
    let seal = |object: &str| Json::parse(object).unwrap().get("seal").unwrap().as_str().unwrap().into_owned();
    let sealed = edited.replace(&seal(&edited), &disk::seal(&Json::parse(&edited).unwrap()));
    tape.print(Layout::Compact).replace(&first, &sealed)
}

fn refusal(text: &str) -> String {
    let store = MemoryStore::default();
    store.put(NAME, text.as_bytes());
    Session::open(digests(&store, Mode::Replay)).map_or_else(|report| report.to_string(), |_| "it opens".into())
}

#[test]
fn what_is_no_sound_file_of_digests_is_refused() {
    let good = text(&store_of(&[with_token(&key())]));
    let whole = MemoryStore::default();
    recorded(plan(&whole, Mode::Record), &[ask("Bergen")]);
    let line = |part: &str| good.lines().find(|line| line.contains(part)).unwrap();
    let flipped = line("\"endpoint\"").replace(':', ".").replacen('.', ":", 1);
    let cases = [
        ("edited by hand", good.replace(line("\"endpoint\""), &flipped)),
        ("edited and sealed", resealed(&good, |object| object.replacen("\"aside\":\"", "\"aside\":\"x", 1))),
        ("no mark", resealed(&good, |object| object.replacen("[\"endpoint\",\"[", "[\"endpoint\",\"[z", 1))),
        ("both", resealed(&good, |object| object.replace("\"digest\":", "\"request\":{\"headers\":[]},\"digest\":"))),
        ("unknown member", resealed(&good, |object| object.replace("\"aside\":", "\"colour\":1,\"aside\":"))),
        ("not needed", good.replace("\"needs\": [\"digests\"]", "\"needs\": []")),
        ("not there", text(&whole).replace("\"needs\": []", "\"needs\": [\"digests\"]")),
        (
            "of another kind",
            text(&whole)
                .replace("\"needs\": []", &format!("\"needs\": [\"digests\"], \"digests\": {{{}}}", line("\"salt\""))),
        ),
        ("no salt", good.replace("\"salt\"", "\"pepper\"")),
        ("older scheme", resealed(&good, |object| object.replacen(&format!("\"key\":\"{SCHEME}."), "\"key\":\"1.", 1))),
    ];
    let mut all = String::new();
    for (name, text) in cases {
        all.push_str(&format!("## {name}\n{}\n\n", refusal(&text)));
    }
    insta::assert_snapshot!(all);
    assert_eq!(refusal(&good.replace('\n', "\r\n")), "it opens");
}

#[test]
fn digests_of_an_older_scheme_are_refreshed() {
    let store = store_of(&[ask("Bergen")]);
    let old = resealed(&text(&store), |object| object.replacen(&format!("\"key\":\"{SCHEME}."), "\"key\":\"1.", 1));
    store.put(NAME, old.as_bytes());
    assert_eq!(Session::open(digests(&store, Mode::Record)).unwrap_err().code(), "version");
    recorded(digests(&store, Mode::Refresh), &[ask("Bergen")]);
    assert_eq!(replay(&store, &[ask("Bergen")]), [""; 0]);
}

#[test]
fn orders_and_repetition_are_as_ever() {
    let two = [ask("Bergen"), ask("Oslo")];
    let store = store_of(&two);
    let strict = Plan { order: Order::Strict, ..digests(&store, Mode::Replay) };
    let swapped = run(strict.clone(), &[two[1].clone(), two[0].clone()], gone, BodyEnd::Passed);
    assert_eq!(codes(&swapped.1), ["misplaced"]);
    assert_eq!(codes(&run(strict, &two, gone, BodyEnd::Passed).1), [""; 0]);
    let thrice = [two[0].clone(), two[1].clone(), two[1].clone()];
    assert_eq!(replay(&store, &thrice), ["exhausted"]);
    let repeat = Plan { repeat: Repeat::Last, ..digests(&store, Mode::Replay) };
    assert_eq!(codes(&run(repeat, &thrice, gone, BodyEnd::Passed).1), [""; 0]);
    let (_, verdict) = run(digests(&store, Mode::Record), &two[..1], gone, BodyEnd::Passed);
    let dropped: Vec<_> = verdict.summary.dropped.iter().map(|place| place.interaction).collect();
    assert_eq!((dropped, codes(&verdict)), (vec![2], vec![]));
}

#[test]
fn a_rotated_key_still_matches_and_two_tenants_are_not_mixed() {
    let (a, b) = (key(), key().replace("Zx8Q", "Ab1C"));
    let store = store_of(&[with_token(&a), with_token(&b), with_token(&a)]);
    assert_eq!(text(&store).matches("\"hidden\": [\"REDACTED.").count(), 3);
    let calls = [with_token(&a), with_token(&a), with_token(&b)];
    let (got, verdict) = run(digests(&store, Mode::Replay), &calls, gone, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    assert_eq!(got, [1, 3, 2].map(|n| Ok(reply(200, &format!("answer {n}")))));
    assert_eq!(verdict.summary.by_position.len(), 1);
    let rotated = key().replace("Zx8Q", "Cd3E");
    let store = store_of(&[with_token(&a)]);
    assert_eq!(replay(&store, &[with_token(&rotated)]), [""; 0]);
}

fn login(token: &str) -> Outcome {
    let body = format!(r#"{{"access_token":"{token}","expires_in":3600}}"#).into_bytes();
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    let chunks = vec![Chunk { bytes: body, at: Some(Duration::ZERO) }];
    Outcome::Reply(Reply { status: 200, headers, chunks, trailers: Vec::new(), truncated: None })
}

#[test]
fn a_token_from_a_reply_says_whose_recording_it_asks_for() {
    let store = MemoryStore::default();
    let tokens = ["Qz81-xYwv-77Kd-plain-token", "Rt92-aBcd-88Le-other-token"];
    let session = Session::open(digests(&store, Mode::Record)).unwrap();
    for token in tokens {
        let answer = |_: &Call| login(token);
        make(&session, &[ask(&format!("log in {}", &token[..2]))], answer);
    }
    make(&session, &tokens.map(with_token), counting());
    assert_eq!(session.finish(BodyEnd::Passed).reports, []);
    let written = text(&store);
    assert!(tokens.iter().all(|token| !written.contains(token)), "{written}");

    let session = Session::open(digests(&store, Mode::Replay)).unwrap();
    let served = make(&session, &[ask("log in Qz"), ask("log in Rt")], gone);
    let token = |got: &Result<Outcome, &str>| {
        let Ok(Outcome::Reply(reply)) = got else { panic!("it was recorded") };
        serde_json::from_slice::<Value>(&reply.body()).unwrap()["access_token"].as_str().unwrap().to_owned()
    };
    let calls = [with_token(&token(&served[1])), with_token(&token(&served[0]))];
    assert_eq!(make(&session, &calls, gone), [2, 1].map(|n| Ok(reply(200, &format!("answer {n}")))));
    assert_eq!(session.finish(BodyEnd::Passed).reports, []);
}

#[test]
fn another_environment_and_a_later_rule_still_match() {
    let question = ask("my pet is timetable-cat");
    let store = store_of(std::slice::from_ref(&question));
    let environment = vec![("PET_KEY".to_owned(), "timetable-cat".to_owned())];
    let rules = Rules { values: vec!["timetable-cat".into()], ..Rules::default() };
    for plan in [
        Plan { environment: environment.clone(), ..digests(&store, Mode::Replay) },
        Plan { rules: rules.clone(), ..digests(&store, Mode::Replay) },
    ] {
        let (_, verdict) = run(plan, std::slice::from_ref(&question), gone, BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0]);
    }
    // What was hidden before is hidden still, and something else is hidden now: no reading of the call is the recorded one.
    let both = ask(&format!("{} and timetable-cat", key()));
    let store = store_of(std::slice::from_ref(&both));
    let later = Plan { rules, ..digests(&store, Mode::Replay) };
    let (_, verdict) = run(later, &[both], gone, BodyEnd::Passed);
    insta::assert_snapshot!(verdict.reports[0].to_string());
}

#[test]
fn a_text_that_looks_like_a_placeholder_is_no_placeholder() {
    let literal = with_token("REDACTED.token.1");
    let store = store_of(&[with_token(&key()), literal.clone()]);
    assert!(text(&store).contains("[\"REDACTED.token.1\"]"));
    let (got, verdict) = run(digests(&store, Mode::Replay), &[with_token(&key()), literal], gone, BodyEnd::Passed);
    assert_eq!(got, [1, 2].map(|n| Ok(reply(200, &format!("answer {n}")))));
    assert_eq!(verdict.reports, []);
}

#[test]
fn a_reply_that_repeats_the_request_is_told() {
    let store = MemoryStore::default();
    let question = "When is the \"next\" train to Bergen?";
    let mut request = chat();
    request["messages"][1]["content"] = question.into();
    let asked = post(CHAT, &request);
    let delta = |text: &str| format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": {"content": text}}]}));
    let (first, rest) = question.split_at(20);
    let stream = format!("{}{}", delta(first), delta(rest));
    let answers = [
        ("application/json", json!({"answer": "09:04"}).to_string()),
        ("application/json", json!({ "echo": question }).to_string()),
        ("text/plain", format!("You asked: {question}")),
        ("text/event-stream", stream),
    ];
    let mut replies = answers.into_iter().map(|(kind, body)| {
        let headers = vec![("content-type".to_owned(), kind.to_owned())];
        let chunks = vec![Chunk { bytes: body.into_bytes(), at: Some(Duration::ZERO) }];
        Outcome::Reply(Reply { status: 200, headers, chunks, trailers: Vec::new(), truncated: None })
    });
    let calls = vec![asked; 4];
    let (_, verdict) = run(digests(&store, Mode::Record), &calls, |_| replies.next().unwrap(), BodyEnd::Passed);
    assert_eq!(verdict.reports, []);
    insta::assert_snapshot!(verdict.summary.to_string());
}

#[test]
fn a_header_that_repeats_the_request_is_told() {
    let told = |headers: &[(&str, &str)]| {
        let store = MemoryStore::default();
        let asked =
            Call::http("POST", "https://a.test/p?q=trains%20to%20Bergen", Vec::new(), b"when is it due".to_vec());
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let answer = Reply { status: 201, headers, chunks: Vec::new(), trailers: Vec::new(), truncated: None };
        let (_, verdict) =
            run(digests(&store, Mode::Record), &[asked], |_| Outcome::Reply(answer.clone()), BodyEnd::Passed);
        verdict.summary.to_string().contains("repeat")
    };
    assert!(told(&[("location", "https://a.test/p?q=trains%20to%20Bergen")]));
    assert!(told(&[("x-asked", "trains to Bergen")]) && told(&[("x-echo", "when is it due")]));
    assert!(!told(&[("location", "https://a.test/p/7"), ("x-model", "trains")]));
}

#[test]
fn nothing_of_a_query_stands_in_what_is_kept_pending() {
    let call = Call::http("POST", "https://a.test/p?q=trains%20to%20Bergen#now", Vec::new(), Vec::new());
    for answer in [reply(503, "down"), refused()] {
        let store = MemoryStore::default();
        run(digests(&store, Mode::Record), std::slice::from_ref(&call), |_| answer.clone(), BodyEnd::Passed);
        let kept = String::from_utf8(store.pending(NAME).unwrap().expect("it is kept")).unwrap();
        assert!(
            kept.contains("POST https://a.test/p: ") && !kept.contains("Bergen") && !kept.contains("now"),
            "{kept}"
        );
    }
}

#[test]
fn nothing_is_kept_of_a_call_that_was_never_let_through() {
    let store = store_of(&[ask("Bergen")]);
    let session = Session::open(digests(&store, Mode::Replay)).unwrap();
    let Step::Fail(report) = session.begin(ask("Oslo")) else { panic!("it was never recorded") };
    assert!(!report.to_string().contains("Bergen"), "{report}");
}

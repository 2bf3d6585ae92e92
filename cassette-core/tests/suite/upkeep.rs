//! What is done with recordings outside a run: accepting what is pending, dropping from it, recovering, compacting, scrubbing.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use cassette_core::audit::{audit, read_allow_list};
use cassette_core::call::{Call, Kind};
use cassette_core::disk;
use cassette_core::mode::Mode;
use cassette_core::pending::{Over, Pending, Reason, Since};
use cassette_core::policy::Requests;
use cassette_core::redact::{Rules, Secrets, TABLE};
use cassette_core::reply::{Chunk, Outcome, Reply};
use cassette_core::session::{BodyEnd, Outages, Plan, Session, Step};
use cassette_core::store::{FileStore, MemoryStore, Store, StoreError};
use cassette_core::tape::Stamp;
use cassette_core::upkeep::{Candidate, Known, Refusal, compacted, recovered, scrubbed};

use crate::bench_of_calls::{NAME, ask, codes, counting, file, gone, make, plan, record, refused, reply, run};

/// A key of the shape that a provider gives out, put together here so that no scanner takes this file for a leak.
fn key() -> String {
    ["sk-", "proj-", "Zx8Qw2Rt5Yp0La9Sd4Fg7Hj1", "T3Blbk", "FJMn6Bv3Cx0Kl8Pq2Wz5Ue9R"].concat()
}

fn known(store: &dyn Store) -> Known {
    Known::of(store, NAME, &[]).unwrap()
}

fn candidate(store: &dyn Store) -> Candidate {
    Candidate::read(store, NAME).unwrap().expect("something is pending")
}

/// Returns a reply whose body is this.
fn of_body(kind: &str, body: &[u8]) -> Outcome {
    let chunks = vec![Chunk { bytes: body.to_vec(), at: Some(Duration::from_millis(20)) }];
    let headers = vec![("content-type".to_owned(), kind.to_owned())];
    Outcome::Reply(Reply { status: 200, headers, chunks, trailers: Vec::new(), truncated: None })
}

/// Leaves a recording of these calls pending, since the upstream is out of order at last.
fn outage(plan: Plan, calls: &[Call]) {
    let mut upstream = counting();
    let last = ask("the last");
    let calls: Vec<_> = calls.iter().chain([&last]).cloned().collect();
    let (_, verdict) =
        run(plan, &calls, |call| if *call == last { reply(503, "later") } else { upstream(call) }, BodyEnd::Passed);
    assert_eq!(codes(&verdict), ["pending"]);
}

#[test]
fn what_is_accepted_is_what_a_session_would_have_saved() {
    let calls = [ask("Bergen"), ask("REDACTED.openai-key.1 is what I typed"), ask("Bergen")];
    let pending = MemoryStore::default();
    outage(plan(&pending, Mode::Record), &calls);
    let told = Pending::of(&disk::read(&pending.pending(NAME).unwrap().unwrap()).unwrap().head).unwrap();
    let lines = vec!["POST https://api.example.com/v1/chat/completions: status 503".to_owned()];
    assert_eq!((told.reason, told.found, told.masked, told.over), (Reason::Outage, lines, false, Over::Nothing));

    candidate(&pending).accept(&pending, &known(&pending)).unwrap();
    assert_eq!((pending.pending(NAME), pending.journal_text(NAME)), (Ok(None), None));

    let saved = MemoryStore::default();
    let allowing = Plan { outages: Outages::Allow, ..plan(&saved, Mode::Record) };
    let all: Vec<_> = calls.iter().chain([&ask("the last")]).cloned().collect();
    let mut upstream = counting();
    let last = ask("the last");
    run(allowing, &all, |call| if *call == last { reply(503, "later") } else { upstream(call) }, BodyEnd::Passed);
    assert_eq!(file(&pending), file(&saved), "one way leads to a file");
    let (got, verdict) = run(plan(&pending, Mode::Replay), &all, gone, BodyEnd::Passed);
    assert!(got.iter().all(Result::is_ok) && verdict.reports.is_empty());
}

#[test]
fn each_reason_is_kept_with_what_was_found() {
    let reason = |calls: &[Call], upstream: &mut dyn FnMut(&Call) -> Outcome, end: BodyEnd| {
        let store = MemoryStore::default();
        run(plan(&store, Mode::Record), calls, upstream, end);
        let candidate = candidate(&store);
        (candidate.pending().reason.clone(), candidate.pending().found.clone())
    };
    let url = "POST https://api.example.com/v1/chat/completions";
    assert_eq!(reason(&[ask("a")], &mut counting(), BodyEnd::Panicked), (Reason::Failed, Vec::new()));
    assert_eq!(
        reason(&[ask("a")], &mut |_| refused(), BodyEnd::Passed),
        (Reason::Outage, vec![format!("{url}: connect error, connection refused")])
    );
    let opaque = || of_body("application/octet-stream", b"\x00\x01\x02\xff\xfe of no known kind");
    assert_eq!(
        reason(&[ask("a")], &mut |_| opaque(), BodyEnd::Passed),
        (Reason::Leak, vec!["interactions[0].reply.body.base64: opaque-body".to_owned()])
    );
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    make(&session, &[ask("a")], counting());
    session.note_bypass("elsewhere.example.com:443");
    let Step::Live(_under_way) = session.begin(ask("b")) else { panic!("it goes live") };
    session.finish(BodyEnd::Passed);
    let pending = candidate(&store).pending().clone();
    assert_eq!((pending.reason, pending.found), (Reason::UnderWay, vec![url.to_owned()]));
}

#[test]
fn what_had_a_secret_in_it_is_never_accepted() {
    let store = MemoryStore::default();
    // A redactor of the test's own does not know it, and what the test knows the person at the terminal does not.
    let environment = vec![("TIMETABLE_TOKEN".to_owned(), "f00d-cafe-f00d-cafe-1".to_owned())];
    let leaky = Plan { environment: environment.clone(), ..plan(&store, Mode::Record) };
    let body = b"\x00\x01\x02\xff\xfe of no known kind";
    run(leaky, &[ask("Bergen")], |_| of_body("application/octet-stream", body), BodyEnd::Passed);
    let text = String::from_utf8(store.pending(NAME).unwrap().unwrap()).unwrap();
    assert!(text.contains("MASKED.opaque-body") && text.contains("\"masked\": true"), "{text}");
    let refusal = candidate(&store).accept(&store, &known(&store)).unwrap_err();
    assert_eq!(refusal, Refusal::Masked(vec!["interactions[0].reply.body.text".to_owned()]));
    // Nor where the head was edited, and the mask is all that tells.
    let sealed = disk::reseal(&text.replace(",\n    \"masked\": true", "")).unwrap();
    store.keep_pending(NAME, &sealed).unwrap();
    assert_eq!(candidate(&store).accept(&store, &known(&store)).unwrap_err(), refusal);
    assert_eq!(file(&store), None);
}

#[test]
fn the_audit_runs_again_and_knows_what_is_secret_here() {
    let store = MemoryStore::default();
    run(plan(&store, Mode::Record), &[ask("the word is f00d-cafe-f00d-cafe-1")], counting(), BodyEnd::Failed);
    let environment = vec![("TIMETABLE_TOKEN".to_owned(), "f00d-cafe-f00d-cafe-1".to_owned())];
    let here = Known::of(&store, NAME, &environment).unwrap();
    let Err(Refusal::Leak(findings)) = candidate(&store).accept(&store, &here) else { panic!("it is refused") };
    assert_eq!(findings[0].path, "interactions[0].request.body.json.messages[0].content");
    let text = String::from_utf8(store.pending(NAME).unwrap().unwrap()).unwrap();
    let leaky = disk::reseal(&text.replace("f00d-cafe-f00d-cafe-1", &key())).unwrap();
    store.keep_pending(NAME, &leaky).unwrap();
    let Err(Refusal::Leak(findings)) = candidate(&store).accept(&store, &known(&store)) else { panic!("refused") };
    assert_eq!(findings[0].rule, "openai-key");
    assert!(!Refusal::Leak(findings).to_string().contains(&key()));
    assert_eq!(file(&store), None);
}

#[test]
fn what_was_changed_meanwhile_is_not_replaced() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen")]);
    outage(plan(&store, Mode::Record), &[ask("Oslo")]);
    let looked_at = candidate(&store);
    assert!(matches!(looked_at.pending().over, Over::File(_)));

    let before = file(&store).unwrap();
    record(&store, &[ask("Voss")]);
    store.keep_pending(NAME, &disk::write(looked_at.tape())).unwrap();
    let since = file(&store);
    assert_eq!(candidate(&store).accept(&store, &known(&store)), Err(Refusal::Meanwhile(Since::Changed)));
    assert_eq!(file(&store), since);

    store.put(NAME, &before);
    outage(plan(&store, Mode::Record), &[ask("Flåm")]);
    assert_eq!(looked_at.accept(&store, &known(&store)), Err(Refusal::Moved), "it is not what was looked at");

    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let Step::Live(ticket) = session.begin(ask("Geilo")) else { panic!("it goes live") };
    let refusal = candidate(&store).accept(&store, &known(&store)).unwrap_err();
    assert!(matches!(refusal, Refusal::Storage(StoreError::Locked(_))), "{refusal}");
    ticket.finish(reply(200, "now")).unwrap();
}

#[test]
fn what_is_rejected_is_what_was_looked_at() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen")]);
    let committed = file(&store);
    outage(plan(&store, Mode::Record), &[ask("Oslo")]);
    let looked_at = candidate(&store);
    outage(plan(&store, Mode::Record), &[ask("Flåm")]);
    assert_eq!(looked_at.reject(&store), Err(Refusal::Moved), "nobody has looked at it");
    assert!(store.pending(NAME).unwrap().is_some());

    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let Step::Live(ticket) = session.begin(ask("Geilo")) else { panic!("it goes live") };
    let refusal = candidate(&store).reject(&store).unwrap_err();
    assert!(matches!(refusal, Refusal::Storage(StoreError::Locked(_))), "{refusal}");
    ticket.finish(reply(503, "later")).unwrap();
    session.finish(BodyEnd::Passed);

    let looked_at = candidate(&store);
    looked_at.reject(&store).unwrap();
    assert_eq!((store.pending(NAME), store.journal_text(NAME), file(&store)), (Ok(None), None, committed));
    assert_eq!(looked_at.reject(&store), Err(Refusal::Moved), "it is gone already");
}

#[test]
fn what_is_accepted_would_be_served() {
    let store = MemoryStore::default();
    outage(plan(&store, Mode::Record), &[ask("Bergen"), ask("Bergen")]);
    // By its hand-edited text the first was asked within the last, so that a replay gives its answer to the second as well.
    let text = String::from_utf8(store.pending(NAME).unwrap().unwrap()).unwrap();
    let name = "\"name\": \"POST https://api.example.com/v1/chat/completions\",\n";
    let edited = disk::reseal(&text.replacen(name, &format!("{name}      \"within\": 3,\n"), 1)).unwrap();
    store.keep_pending(NAME, &edited).unwrap();
    let what = "interaction 2 would be served another reply than it got".to_owned();
    assert_eq!(candidate(&store).accept(&store, &known(&store)), Err(Refusal::Broken(what)));
    assert_eq!((file(&store), store.pending(NAME)), (None, Ok(Some(edited.into_bytes()))));
}

#[test]
fn what_a_recording_was_made_with_is_no_reason_against_it() {
    let store = MemoryStore::default();
    let stamp = Stamp { hooks: vec!["guardrail@2".into()], ..Stamp::default() };
    let with = Plan { stamp, ..plan(&store, Mode::Record) };
    outage(with, &[ask("Bergen")]);
    candidate(&store).accept(&store, &known(&store)).unwrap();
    assert!(String::from_utf8(file(&store).unwrap()).unwrap().contains("guardrail@2"));
}

#[test]
fn interactions_are_dropped_as_far_as_the_others_stay_whole() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let tool = |name: &str| Call::function(Kind::Tool, name, b"{}".to_vec());
    let Step::Live(search) = session.begin(tool("search")) else { panic!("it goes live") };
    make(&session, &[ask("Voss")], counting());
    search.finish(Outcome::Reply(Reply::value(b"1".to_vec(), Duration::ZERO))).unwrap();
    make(&session, &[ask("Oslo"), ask("Bergen")], counting());
    session.finish(BodyEnd::Failed);
    let all = candidate(&store);
    let names = |candidate: &Candidate| {
        let one = |one: &cassette_core::tape::Interaction| {
            let call = one.call().unwrap();
            let town =
                ["Voss", "Oslo", "Bergen"].into_iter().find(|town| String::from_utf8_lossy(&call.body).contains(town));
            (town.unwrap_or("search"), one.within())
        };
        candidate.tape().interactions.iter().map(one).collect::<Vec<_>>()
    };
    assert_eq!(names(&all), [("search", None), ("Voss", Some(0)), ("Oslo", None), ("Bergen", None)]);
    let without = |positions: &[usize]| all.without(&positions.iter().copied().collect::<BTreeSet<_>>());
    assert_eq!(names(&without(&[0]).unwrap()), [("Oslo", None), ("Bergen", None)], "with what it asked");
    assert_eq!(names(&without(&[1]).unwrap()), [("search", None), ("Oslo", None), ("Bergen", None)]);
    assert_eq!(names(&without(&[2]).unwrap()), [("search", None), ("Voss", Some(0)), ("Bergen", None)]);
    assert_eq!(without(&[0, 2, 3]), Err(Refusal::Empty));
    without(&[0]).unwrap().accept(&store, &known(&store)).unwrap();
    let (got, verdict) = run(plan(&store, Mode::Replay), &[ask("Oslo"), ask("Bergen")], gone, BodyEnd::Passed);
    assert!(got.iter().all(Result::is_ok) && verdict.reports.is_empty());
}

#[test]
fn placeholders_are_numbered_by_what_is_left() {
    let store = MemoryStore::default();
    let keys = ["a", "b"].map(|end| key() + end);
    let calls = keys.each_ref().map(|key| ask(&format!("my key is {key}")));
    run(plan(&store, Mode::Record), &calls, counting(), BodyEnd::Failed);
    let left = candidate(&store).without(&BTreeSet::from([0])).unwrap();
    assert_eq!(left.accept(&store, &known(&store)), Ok(()));
    let text = String::from_utf8(file(&store).unwrap()).unwrap();
    assert!(text.contains("REDACTED.openai-key.1") && !text.contains("REDACTED.openai-key.2"), "{text}");
    let (got, verdict) = run(plan(&store, Mode::Replay), &calls[1..], gone, BodyEnd::Passed);
    assert!(got[0].is_ok() && verdict.reports.is_empty());
}

#[test]
fn what_gave_an_id_that_stays_is_not_dropped() {
    let store = MemoryStore::default();
    let ordered = of_body("application/json", br#"{"id":"ord_8fK2pQ91xZ3b","seats":2}"#);
    let cancel = Call::http("POST", "https://api.example.com/orders/ord_8fK2pQ91xZ3b/cancel", Vec::new(), Vec::new());
    let order = Call::http("POST", "https://api.example.com/orders", Vec::new(), Vec::new());
    run(plan(&store, Mode::Record), &[order, cancel], |_| ordered.clone(), BodyEnd::Failed);
    let refusal = candidate(&store).without(&BTreeSet::from([0])).unwrap_err();
    assert_eq!(refusal, Refusal::Needed(vec!["interaction 2 takes `ord_8fK2pQ91xZ3b` from interaction 1".to_owned()]));
    assert!(candidate(&store).without(&BTreeSet::from([1])).is_ok());
}

/// Makes calls in a session that dies, and returns its journal.
fn died(plan: Plan, store: &MemoryStore, calls: &[Call]) -> String {
    let session = Session::open(plan).unwrap();
    make(&session, calls, counting());
    let journal = store.journal_text(NAME).unwrap();
    drop(session);
    journal
}

#[test]
fn what_a_crash_left_can_be_accepted() {
    let (store, other) = (MemoryStore::default(), MemoryStore::default());
    let journal = died(plan(&store, Mode::Record), &store, &[ask("Bergen"), ask("Oslo")]);
    let left = recovered(&journal, None).unwrap();
    assert_eq!((left.calls, left.kept, left.torn), (2, 0, 0));
    other.keep_pending(NAME, &left.document).unwrap();
    let found = candidate(&other);
    assert_eq!(
        (found.pending().reason.clone(), found.tape().head.test.as_deref()),
        (Reason::CutShort, Some("suite::ask"))
    );
    found.accept(&other, &known(&other)).unwrap();
    let mut upstream = counting();
    let (got, verdict) = run(plan(&other, Mode::Replay), &[ask("Bergen"), ask("Oslo")], gone, BodyEnd::Passed);
    assert_eq!(got, [ask("Bergen"), ask("Oslo")].map(|call| Ok(upstream(&call))));
    assert!(verdict.reports.is_empty());
}

#[test]
fn what_later_calls_show_to_be_secret_is_in_nothing_that_is_recovered() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let ticket = ["CAUQAA", "abc123", "def456", "ghi789"].concat();
    let said = [format!("{{\"ticket\":\"{ticket}\"}}"), format!("{{\"csrf_token\":\"{ticket}\"}}")];
    let mut answers = said.iter().map(|said| of_body("application/json", said.as_bytes()));
    make(&session, &[ask("Bergen"), ask("Oslo")], |_| answers.next().unwrap());
    let journal = store.journal_text(NAME).unwrap();
    let left = recovered(&journal, None).unwrap();
    assert_eq!((left.calls, left.document.contains(&ticket)), (2, false), "{}", left.document);
    assert!(left.document.contains("\"ticket\": \"REDACTED.token.1\""), "{}", left.document);
    let cut = journal.replace("{\"again\":1,", "{\"again\":3,");
    assert!(matches!(recovered(&cut, None), Err(Refusal::Unreadable(disk::ReadError::Damaged(Some(4), _)))));
}

#[test]
fn what_a_crash_left_of_a_secret_that_only_the_run_knew_is_masked_and_accepted_by_nobody() {
    let secret = ["Zq9Horse", "bat+tery77=xK"].join("/");
    let picture = [b"\x89PNG\r\n\x1a\n".as_slice(), b"\0\0text ", secret.as_bytes(), b"\xff\0"].concat();
    let deep = (0..4).fold(secret.clone(), |text, _| format!("{{\"a\":{}}}", serde_json::to_string(&text).unwrap()));
    let bodies: [(&str, &[u8]); 3] = [
        ("image/png", &picture),
        ("application/octet-stream", b"\x00\x01\x02\xff\xfe of no known kind"),
        ("text/plain", deep.as_bytes()),
    ];
    for (media, body) in bodies {
        let (store, other) = (MemoryStore::default(), MemoryStore::default());
        let environment = vec![("LAB_API_KEY".to_owned(), secret.clone())];
        let session = Session::open(Plan { environment, ..plan(&store, Mode::Record) }).unwrap();
        make(&session, &[ask("Bergen")], |_| of_body(media, body));
        let journal = store.journal_text(NAME).unwrap();
        session.finish(BodyEnd::Failed);
        let left = recovered(&journal, None).unwrap();
        let document = String::from_utf8_lossy(left.document.as_bytes()).into_owned();
        let found =
            audit(&document, &Rules::default(), &Secrets::new(&[("LAB_API_KEY".to_owned(), secret.clone())]), &[]);
        assert_eq!((left.calls, found), (1, Vec::new()), "{document}");
        if media == "text/plain" {
            continue;
        }
        other.keep_pending(NAME, &left.document).unwrap();
        assert!(matches!(candidate(&other).accept(&other, &known(&other)), Err(Refusal::Masked(_))), "{document}");
    }
}

#[test]
fn everything_but_a_torn_last_line_is_recovered() {
    let store = MemoryStore::default();
    let journal = died(plan(&store, Mode::Record), &store, &[ask("Bergen"), ask("Oslo")]);
    let head = journal.find('\n').unwrap();
    for end in head + 1..journal.len() {
        let whole = journal[..end].matches('\n').count() - 1;
        match recovered(&journal[..end], None) {
            Ok(left) => assert_eq!((left.calls, left.torn > 0), (whole, !journal[..end].ends_with('\n')), "{end}"),
            Err(refusal) => assert_eq!((refusal, whole), (Refusal::Empty, 0), "{end}"),
        }
    }
    let damaged = journal.replacen("Bergen", "Berlin", 1);
    assert!(matches!(recovered(&damaged, None), Err(Refusal::Unreadable(disk::ReadError::Damaged(Some(2), _)))));
}

#[test]
fn what_a_crash_left_takes_no_place_of_what_came_since() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen")]);
    let journal = died(plan(&store, Mode::Refresh), &store, &[ask("Bergen")]);
    let (_, verdict) = run(plan(&store, Mode::Refresh), &[ask("Bergen"), ask("Oslo")], counting(), BodyEnd::Passed);
    assert_eq!(verdict.reports.len(), 0);
    let newer = store.load(NAME).unwrap();
    store.keep_pending(NAME, &recovered(&journal, newer.as_deref()).unwrap().document).unwrap();
    let refused = candidate(&store).accept(&store, &known(&store));
    assert!(matches!(refused, Err(Refusal::Meanwhile(_))), "{refused:?}");
    assert_eq!(store.load(NAME).unwrap(), newer);
    candidate(&store).over_anything().accept(&store, &known(&store)).unwrap();
}

#[test]
fn a_run_that_added_to_a_file_keeps_it_and_a_refresh_replaces_it() {
    let store = MemoryStore::default();
    let old = record(&store, &[ask("Bergen")]);
    let calls = [ask("Bergen"), ask("Oslo")];
    let added = died(plan(&store, Mode::Record), &store, &calls);
    let left = recovered(&added, Some(&old)).unwrap();
    assert_eq!((left.calls, left.kept), (1, 1));
    let anew = died(plan(&store, Mode::Refresh), &store, &calls);
    let left = recovered(&anew, Some(&old)).unwrap();
    assert_eq!((left.calls, left.kept), (2, 0));
    store.keep_pending(NAME, &recovered(&added, Some(&old)).unwrap().document).unwrap();
    candidate(&store).accept(&store, &known(&store)).unwrap();
    let (got, verdict) = run(plan(&store, Mode::Replay), &calls, gone, BodyEnd::Passed);
    assert!(got.iter().all(Result::is_ok) && verdict.reports.is_empty());
}

#[test]
fn a_journal_of_digests_is_recovered_as_digests() {
    let store = MemoryStore::default();
    let digests = |mode| Plan { requests: Requests::Digest, ..plan(&store, mode) };
    let left = recovered(&died(digests(Mode::Record), &store, &[ask("Bergen")]), None).unwrap();
    assert!(!left.document.contains("Bergen"));
    store.keep_pending(NAME, &left.document).unwrap();
    candidate(&store).accept(&store, &known(&store)).unwrap();
    let (got, verdict) = run(digests(Mode::Replay), &[ask("Bergen")], gone, BodyEnd::Passed);
    assert!(got[0].is_ok() && verdict.reports.is_empty());
}

#[test]
fn a_journal_whose_program_lives_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let store = FileStore::new(dir.path().join("cassettes"), "cassettes");
    let recording = Plan { store: Arc::new(store.clone()), ..plan(&MemoryStore::default(), Mode::Record) };
    let session = Session::open(recording).unwrap();
    make(&session, &[ask("Bergen")], counting());
    let path = dir.path().join("cassettes/.pending/trains.journal");
    let locked = store.abandoned(&path).unwrap_err();
    assert_eq!(locked, StoreError::Locked("cassettes/.pending/trains.journal".to_owned()));
    drop(session);
    let left = store.abandoned(&path).unwrap().unwrap();
    assert_eq!(recovered(&left.text().unwrap(), None).unwrap().calls, 1);
    left.remove().unwrap();
    assert!(store.abandoned(&path).unwrap().is_none());
}

#[test]
fn compacting_changes_the_layout_and_the_keys_and_nothing_that_is_replayed() {
    let store = MemoryStore::default();
    let calls = [ask("Bergen"), ask("Oslo")];
    let text = String::from_utf8(record(&store, &calls)).unwrap();
    let known = known(&store);
    assert_eq!(compacted(text.as_bytes(), &known).unwrap().document, None);
    let key = disk::read(text.as_bytes()).unwrap().interactions[0].key().to_string();
    let older = text.replace(&key, "2.00000000000000000000000000000000").replace("    ", "\t\t");
    let older = older.replace('\n', "\r\n");
    let older = match disk::reseal(&older) {
        Some(sealed) => sealed.replace("  ", "      "),
        None => panic!("it can be sealed"),
    };
    let anew = compacted(older.as_bytes(), &known).unwrap();
    assert_eq!((anew.keys, anew.stuck), (1, 0));
    assert_eq!(anew.document.unwrap().text(), text, "to the byte what was recorded");
    let broken = older.replace("answer 1", "answer 3");
    assert!(matches!(compacted(broken.as_bytes(), &known), Err(Refusal::Edited(_))), "nothing else is wrong with it");
    assert!(matches!(compacted(&broken.as_bytes()[..400], &known), Err(Refusal::Unreadable(_))));
}

#[test]
fn scrubbing_hides_what_is_known_and_the_request_still_finds_its_recording() {
    let store = MemoryStore::default();
    let word = "f00d-cafe-f00d-cafe-1";
    let calls = [ask(&format!("the word is {word}")), ask("Oslo")];
    let text = String::from_utf8(record(&store, &calls)).unwrap();
    assert!(text.contains(word));
    let environment = vec![("TIMETABLE_TOKEN".to_owned(), word.to_owned())];
    let here = Known::of(&store, NAME, &environment).unwrap();
    let scrubbed = scrubbed(text.as_bytes(), &here).unwrap();
    let told: Vec<_> = scrubbed.hidden.iter().map(|hidden| (hidden.path.as_str(), hidden.rules.join(" "))).collect();
    assert_eq!(told, [("interactions[0].request.body.json.messages[0].content", "secret".to_owned())]);
    let clean = scrubbed.document.unwrap();
    assert!(!clean.text().contains(word));
    store.save(NAME, &clean).unwrap();
    let (got, verdict) = run(Plan { environment, ..plan(&store, Mode::Replay) }, &calls, gone, BodyEnd::Passed);
    assert!(got.iter().all(Result::is_ok) && verdict.reports.is_empty(), "{:?}", verdict.reports);
    let again = cassette_core::upkeep::scrubbed(clean.text().as_bytes(), &here).unwrap();
    assert_eq!((again.hidden, again.document), (Vec::new(), None), "scrubbing twice changes nothing");
}

#[test]
fn scrubbing_brings_a_file_to_the_table_of_today_where_nothing_is_to_be_hidden_too() {
    let store = MemoryStore::default();
    let text = String::from_utf8(record(&store, &[ask("Bergen")])).unwrap();
    let today = format!("\"redaction\": {TABLE}");
    let older = text.replace(&today, "\"redaction\": 0");
    assert_ne!(older, text);
    let here = known(&store);
    let scrubbed = scrubbed(older.as_bytes(), &here).unwrap();
    assert_eq!((scrubbed.hidden, scrubbed.older), (Vec::new(), Some(0)));
    assert_eq!(scrubbed.document.unwrap().text(), text, "nothing else changes");
    let again = cassette_core::upkeep::scrubbed(text.as_bytes(), &here).unwrap();
    assert_eq!((again.older, again.document), (None, None));
}

#[test]
fn scrubbing_leaves_alone_what_somebody_vouches_for() {
    let store = MemoryStore::default();
    let (word, other) = ("tickets12", "f00d-cafe-f00d-cafe-1");
    let both = Call::http(
        "POST",
        "https://timetable.example.com/ask",
        vec![("content-type".to_owned(), "application/json".to_owned())],
        format!(r#"{{"first": "{word}", "then": "{other}"}}"#).into_bytes(),
    );
    let calls = [ask(&format!("Are there {word}?")), both, ask(&format!("{word}, or {other}?"))];
    let text = String::from_utf8(record(&store, &calls)).unwrap();
    let environment = [("MY_TOKEN", word), ("TIMETABLE_TOKEN", other)].map(|(name, value)| (name.into(), value.into()));
    let mut here = Known::of(&store, NAME, &environment).unwrap();
    let findings = audit(&text, &here.rules, &here.secrets, &[]);
    let digest = findings[0].value.clone();
    let vouched = findings.iter().filter(|it| it.value == digest);
    let list = vouched.map(|it| it.entry(NAME).replace("\"reason\": \"\"", "\"reason\": \"a word\""));
    let list = format!("[{}]", list.collect::<Vec<_>>().join(","));
    here.allowed = read_allow_list(list.as_bytes(), NAME).unwrap();
    let scrubbed = scrubbed(text.as_bytes(), &here).unwrap();
    let paths: Vec<_> = scrubbed.hidden.iter().map(|hidden| hidden.path.as_str()).collect();
    // Of one text, of which one part is vouched for, all is hidden.
    let hidden = ["interactions[1].request.body.json.then", "interactions[2].request.body.json.messages[0].content"];
    assert_eq!(paths, hidden);
    let [before, clean] = [text.as_bytes(), scrubbed.document.as_ref().unwrap().text().as_bytes()]
        .map(|document| disk::read(document).unwrap().interactions);
    assert_eq!(before[0], clean[0], "it is as it was, its key too");
    let body = String::from_utf8(clean[1].call().unwrap().body.to_vec()).unwrap();
    assert_eq!(body, format!(r#"{{"first": "{word}", "then": "REDACTED.secret.1"}}"#));

    // What is vouched for wholly is not touched.
    let all = findings.iter().map(|it| it.entry(NAME).replace("\"reason\": \"\"", "\"reason\": \"a word\""));
    here.allowed = read_allow_list(format!("[{}]", all.collect::<Vec<_>>().join(",")).as_bytes(), NAME).unwrap();
    let untouched = cassette_core::upkeep::scrubbed(text.as_bytes(), &here).unwrap();
    assert_eq!((untouched.hidden, untouched.document), (Vec::new(), None));
}

#[test]
fn scrubbing_hides_by_shape_in_replies_streams_and_facts_and_a_key_in_a_prompt_still_matches() {
    let store = MemoryStore::default();
    let key = key();
    let calls = [ask("Bergen"), ask("my key is KEY")];
    let event = |text: &str| format!("data: {{\"delta\":\"{text}\"}}\n\n");
    let stream = of_body("text/event-stream", [event("KEY"), event(" at nine")].concat().as_bytes());
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    session.set_meta("note", "KEY".into());
    make(&session, &calls, |_| stream.clone());
    session.finish(BodyEnd::Passed);
    let text = String::from_utf8(file(&store).unwrap()).unwrap().replace("KEY", &key);
    let leaky = disk::reseal(&text).unwrap();
    let known = known(&store);
    let scrubbed = scrubbed(leaky.as_bytes(), &known).unwrap();
    let told: Vec<_> =
        scrubbed.hidden.iter().map(|hidden| format!("{} {}", hidden.path, hidden.rules.join(" "))).collect();
    let expected = [
        "meta.note openai-key",
        "interactions[0].reply.body.events[0].data.delta openai-key",
        "interactions[1].request.body.json.messages[0].content openai-key",
        "interactions[1].reply.body.events[0].data.delta openai-key",
    ];
    assert_eq!(told, expected);
    store.save(NAME, &scrubbed.document.unwrap()).unwrap();
    assert!(!String::from_utf8(file(&store).unwrap()).unwrap().contains(&key));
    let calls = [ask("Bergen"), ask(&format!("my key is {key}"))];
    let (got, verdict) = run(plan(&store, Mode::Replay), &calls, gone, BodyEnd::Passed);
    assert!(got.iter().all(Result::is_ok) && verdict.reports.is_empty(), "{:?}", verdict.reports);
}

#[test]
fn what_cannot_be_hidden_is_refused_and_told() {
    let store = MemoryStore::default();
    let text = String::from_utf8(record(&store, &[ask("Bergen")])).unwrap();
    let opaque = text
        .replace("\"json\": {\n            \"answer\": \"answer 1\"\n          }", "\"base64\": \"AAEC//4gb2Ygbm8=\"");
    let opaque = disk::reseal(&opaque).unwrap();
    assert_ne!(opaque, text);
    let Err(Refusal::Leak(findings)) = scrubbed(opaque.as_bytes(), &known(&store)) else { panic!("it is refused") };
    assert_eq!(findings[0].rule, "opaque-body");
}

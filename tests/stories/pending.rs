//! Recordings that are refused, or not taken over.

use std::sync::mpsc;

use cassette_test::{Cassette, cassette};
use stages::{Answer, Rehearsal, assert_told, is_set, seen};

use crate::asking::{ask, must_ask, timetable, towns};
use crate::secrets::spellings;
use crate::told::base;

const STORY: &str = "pending::it_records";

#[cassette("recorded")]
#[test]
#[ignore]
fn it_records(cassette: Cassette) {
    towns().iter().for_each(|town| drop(must_ask(&cassette, town)));
    assert!(!is_set("STORY_FAILS"), "the assertion fails");
}

#[test]
fn a_test_that_fails_while_recording_changes_no_file() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen");
    rehearsal.passes(STORY, "record");
    let before = rehearsal.file("recorded");
    let failing = rehearsal.with("STORY_ASKS", "Bergen,Oslo").with("STORY_FAILS", "1");
    assert_told!("a_failed_recording", failing.fails(STORY, "record"));
    assert_eq!(failing.file("recorded"), before);
    failing.fails(STORY, "refresh");
    assert_eq!(failing.file("recorded"), before);
    let pending = failing.pending("recorded");
    assert!(pending.contains("train to Oslo leaves") && pending.contains("\"why\": \"failed\""), "{pending}");
    let ignored = std::fs::read_to_string(failing.stage.cassettes().join(".pending/.gitignore")).unwrap();
    assert_eq!((ignored.as_str(), failing.journal("recorded").as_str()), ("*\n", ""));
}

#[test]
fn a_missing_file_is_told_of_its_pending_one() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen").with("STORY_FAILS", "1");
    rehearsal.fails(STORY, "record");
    assert_told!("missing_but_pending", rehearsal.fails(STORY, "replay"));
}

#[cassette("outage")]
#[test]
#[ignore]
fn it_meets_an_outage(cassette: Cassette) {
    seen(towns().iter().map(|town| ask(&cassette, town).0.to_string()).collect::<Vec<_>>().join(" "));
}

#[test]
fn an_outage_is_not_taken_over() {
    let rehearsal = Rehearsal::of(|request| match request.text().contains("Oslo") {
        true => Answer::json(503, r#"{"error":{"message":"overloaded"}}"#),
        false => timetable(request),
    });
    let rehearsal = rehearsal.with("STORY_ASKS", "Bergen,Oslo");
    assert_told!("an_outage", rehearsal.fails("pending::it_meets_an_outage", "record"));
    assert_eq!(rehearsal.file("outage"), "");
    assert!(rehearsal.pending("outage").contains("\"status\": 503"));
}

#[cassette("down")]
#[test]
#[ignore]
fn it_does_without(cassette: Cassette) {
    seen(format!("{}", ureq::get(format!("{}/trains", base(&cassette))).call().is_ok()));
}

#[test]
fn an_upstream_that_hangs_up_or_is_down_is_not_taken_over() {
    let mut rehearsal = Rehearsal::of(|_| Answer::Nothing);
    assert_told!("it_hung_up", rehearsal.fails("pending::it_does_without", "record"));
    assert!(rehearsal.pending("down").contains("\"class\": \"closed\""), "{}", rehearsal.pending("down"));
    rehearsal.shut_down();
    let played = rehearsal.play("pending::it_does_without", "record");
    assert_eq!((played.passed, played.seen.as_str()), (false, "false"), "{}", played.printed);
    assert_told!("it_is_down", played.told);
}

#[cassette("hasty")]
#[test]
#[ignore]
fn it_does_not_wait(cassette: Cassette) {
    must_ask(&cassette, "Bergen");
    let (url, (say, hear)) = (format!("{}/slow", base(&cassette)), mpsc::channel());
    std::thread::spawn(move || {
        let reply = ureq::get(url).call().unwrap();
        say.send(()).unwrap();
        reply.into_body().read_to_string()
    });
    hear.recv().unwrap();
}

#[test]
fn a_call_that_the_test_does_not_wait_for_keeps_the_recording_pending() {
    let headers = vec![("content-type".to_owned(), "text/plain".to_owned())];
    let rehearsal = Rehearsal::of(move |request| match request.target.as_str() {
        "/v1/slow" => Answer::Endless(headers.clone(), vec![b"At ".to_vec()]),
        _ => timetable(request),
    });
    let told = rehearsal.fails("pending::it_does_not_wait", "record");
    assert_told!("under_way", told);
}

#[test]
fn a_directory_that_is_none_is_met_before_anything_is_paid_for() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen");
    let file = tempfile::NamedTempFile::new().unwrap();
    let inside = file.path().join("cassettes");
    let rehearsal = rehearsal.with("CASSETTE_DIR", inside.to_str().unwrap());
    let told = rehearsal.fails(STORY, "record");
    assert_told!("no_directory", told.replace(file.path().to_str().unwrap(), "/tmp/file"));
    assert_eq!(rehearsal.asked(), 0);
}

#[test]
fn ci_records_nothing() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen").with("CI", "true");
    for mode in ["record", "refresh", "off"] {
        assert_told!(format!("ci_{mode}"), rehearsal.fails(STORY, mode));
    }
    assert_eq!((rehearsal.asked(), rehearsal.stage.cassettes().exists()), (0, false));
    let rehearsal = rehearsal.with("CASSETTE_ALLOW_CI", "1");
    rehearsal.passes(STORY, "record");
    rehearsal.passes(STORY, "replay");
}

#[test]
fn a_mode_that_is_none_never_means_replay() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen");
    rehearsal.passes(STORY, "record");
    assert_told!("an_unknown_mode", rehearsal.fails(STORY, "replya"));
}

#[cassette("opaque")]
#[test]
#[ignore]
fn it_gets_bytes(cassette: Cassette) {
    let mut reply = ureq::get(format!("{}/bytes", base(&cassette))).call().unwrap();
    seen(reply.body_mut().read_to_vec().unwrap().len().to_string());
}

#[test]
fn a_body_that_nobody_can_look_into_is_refused() {
    let bytes: Vec<u8> = (0..600_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8 | 0x80).collect();
    let rehearsal = Rehearsal::of(move |_| Answer::bytes("application/octet-stream", &bytes));
    assert_told!("an_opaque_body", rehearsal.fails("pending::it_gets_bytes", "record"));
    assert_eq!(rehearsal.file("opaque"), "", "nothing is saved");
}

/// Returns a text in the shape of a credential, which stands nowhere in this file.
fn credential() -> String {
    ["sk", "proj", "Zx81QmR7vK2pLd9sWn4TbYc6Hf3GjE5uAo0iVtBq"].join("-")
}

#[test]
fn a_secret_where_no_edit_reaches_is_refused_and_masked() {
    // A part of a message that calls itself one, in bytes that are no text: the redactor leaves such a body as it came.
    let body = [&b"\xff\xfe Content-Disposition: form-data\r\n\r\n"[..], credential().as_bytes(), b"\r\n\xff"].concat();
    let rehearsal = Rehearsal::of(move |_| Answer::bytes("application/octet-stream", &body));
    let told = rehearsal.fails("pending::it_gets_bytes", "record");
    assert!(!told.contains(&credential()), "{told}");
    assert_told!("a_leak", told);
    assert_eq!(rehearsal.file("opaque"), "", "nothing is saved");
    let pending = rehearsal.pending("opaque");
    let found: Vec<_> = spellings(&credential()).into_iter().filter(|spelling| pending.contains(spelling)).collect();
    assert!(!pending.is_empty() && found.is_empty(), "{found:?}: {pending}");
    assert_eq!(rehearsal.journal("opaque"), "", "the journal held it");
}

/// A verdict that only `Termination` can read.
struct Verdict;

impl std::process::Termination for Verdict {
    fn report(self) -> std::process::ExitCode {
        std::process::ExitCode::from(u8::from(is_set("STORY_FAILS")))
    }
}

#[cassette("judged")]
#[test]
#[ignore]
fn it_has_a_verdict_of_its_own(cassette: Cassette) -> Verdict {
    must_ask(&cassette, "Bergen");
    Verdict
}

#[test]
fn a_test_that_fails_by_a_verdict_of_its_own_saves_nothing() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_FAILS", "1");
    rehearsal.fails("pending::it_has_a_verdict_of_its_own", "record");
    assert_eq!((rehearsal.file("judged").as_str(), rehearsal.pending("judged").is_empty()), ("", false));
    let rehearsal = Rehearsal::of(timetable);
    rehearsal.passes("pending::it_has_a_verdict_of_its_own", "record");
    rehearsal.passes("pending::it_has_a_verdict_of_its_own", "replay");
}

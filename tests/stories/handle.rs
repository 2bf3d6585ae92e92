//! What the handle answers, and when it answers no more.

use std::fmt::Write as _;
use std::sync::mpsc;

use cassette_test::{Cassette, cassette};
use serde_json::json;
use stages::{Answer, Rehearsal, assert_told, seen, var};

use crate::asking::{must_ask, timetable};
use crate::told::{base, upstream};

/// Returns a token such as a vendor hands out, which stands nowhere in this file.
fn token() -> String {
    ["vt", "8Kq2", "mZ5x", "Wd7R", "bN4j", "Hs9T"].concat()
}

#[cassette("vendor")]
#[test]
#[ignore]
fn it_needs_a_token(cassette: Cassette) {
    let secret = cassette.secret("VENDOR_TOKEN");
    let mut reply = ureq::post(format!("{}/login?by={secret}", base(&cassette)))
        .header("x-whose", &secret)
        .send_json(json!({"note": format!("{secret} is mine"), "other": ["x", secret]}))
        .unwrap();
    seen(format!("{secret} {}", reply.body_mut().read_to_string().unwrap()));
}

#[test]
fn a_secret_is_itself_when_live_and_a_stand_in_otherwise() {
    let rehearsal = Rehearsal::of(|request| {
        assert!(request.text().contains(&format!("{} is mine", token())));
        Answer::json(200, r#"{"ok":true}"#)
    });
    assert_told!("a_secret_that_is_not_set", rehearsal.fails("handle::it_needs_a_token", "record"));
    assert_eq!(rehearsal.asked(), 0, "nothing goes live without it");
    let rehearsal = rehearsal.with("VENDOR_TOKEN", &token());
    let live = rehearsal.passes("handle::it_needs_a_token", "record");
    assert_eq!(live.seen, format!("{} {{\"ok\":true}}", token()));
    let file = rehearsal.file("vendor");
    assert!(!file.contains(&token()), "{file}");
    // With the variable and without it, the stand-in matches what was recorded.
    let replays = [rehearsal.passes("handle::it_needs_a_token", "replay").seen, {
        let rehearsal = rehearsal.with("VENDOR_TOKEN", "");
        rehearsal.passes("handle::it_needs_a_token", "replay").seen
    }];
    assert_eq!(replays, ["stand-in-for-vendor-token {\"ok\":true}"; 2]);
}

#[cassette("questions")]
#[test]
#[ignore]
fn it_asks_its_handle(cassette: Cassette) {
    let mut said = format!("{} {} {}\n", cassette.name(), cassette.mode(), cassette.is_replaying());
    cassette.meta("purpose", "timetables");
    let mut ask = |cassette: &Cassette| {
        let (calls, live, left) = (cassette.calls(), cassette.live_calls(), cassette.remaining());
        writeln!(
            said,
            "{} asked, {live} live, {left} left, recorded {}",
            calls.len(),
            cassette.recorded_at().is_some()
        )
        .unwrap();
    };
    ask(&cassette);
    for town in ["Bergen", "Voss"] {
        must_ask(&cassette, town);
        ask(&cassette);
    }
    let call = cassette.calls().pop().unwrap();
    assert!(String::from_utf8_lossy(&call.body).contains("the next train to Voss?"));
    said.push_str(&call.name);
    seen(said);
}

#[test]
fn the_handle_answers_of_this_run() {
    let rehearsal = Rehearsal::of(timetable);
    let recorded = rehearsal.passes("handle::it_asks_its_handle", "record");
    let file = rehearsal.file("questions");
    assert!(file.contains(r#""purpose": "timetables""#), "{file}");
    let kept = rehearsal.passes("handle::it_asks_its_handle", "record");
    let replayed = rehearsal.passes("handle::it_asks_its_handle", "replay");
    let refreshed = rehearsal.passes("handle::it_asks_its_handle", "refresh");
    let off = rehearsal.passes("handle::it_asks_its_handle", "off");
    let all = [recorded, kept, replayed, refreshed, off].map(|played| played.seen).join("\n\n");
    assert_told!("answers", all);
}

#[cassette("brief")]
fn a_test_that_is_over(give: mpsc::Sender<(Cassette, String)>, cassette: Cassette) {
    must_ask(&cassette, "Bergen");
    give.send((cassette.clone(), base(&cassette))).unwrap();
}

#[test]
#[ignore]
fn it_outlives_its_test() {
    let (give, take) = mpsc::channel();
    a_test_that_is_over(give);
    let late = std::thread::spawn(move || {
        let (cassette, base) = take.recv().unwrap();
        let refused = ureq::get(format!("{base}/late")).call().map(drop).unwrap_err();
        let report = cassette.try_base_url(upstream()).unwrap_err();
        let current = Cassette::try_current().unwrap_err();
        let asked = cassette.calls().len();
        format!("{}\n{report}\n{current}\n{asked} call was made", matches!(refused, ureq::Error::Io(_)))
    });
    seen(late.join().unwrap());
}

#[test]
fn a_handle_that_outlives_its_test_fails() {
    let rehearsal = Rehearsal::of(timetable);
    let live = rehearsal.passes("handle::it_outlives_its_test", "record");
    let replayed = rehearsal.passes("handle::it_outlives_its_test", "replay");
    assert_eq!((live.seen, rehearsal.asked()), (replayed.seen.clone(), 1));
    assert_told!("too_late", replayed.seen);
}

#[cassette("outer")]
#[test]
#[ignore]
fn it_opens_another(cassette: Cassette) {
    let first = must_ask(&cassette, "Bergen");
    let inner = Cassette::builder("inner").open().unwrap();
    let between = must_ask(&inner, "Voss");
    let second = must_ask(&cassette, "Oslo");
    inner.finish().unwrap();
    seen([first, between, second].join("\n"));
}

#[test]
fn a_cassette_within_another_has_its_own_file() {
    let rehearsal = Rehearsal::of(timetable);
    let live = rehearsal.passes("handle::it_opens_another", "record");
    let count = |cassette| rehearsal.file(cassette).matches("\"kind\": \"http\"").count();
    assert_eq!((count("outer"), count("inner")), (2, 1));
    let asked = rehearsal.asked();
    let replayed = rehearsal.passes("handle::it_opens_another", "replay");
    assert_eq!((replayed.seen, rehearsal.asked()), (live.seen, asked));
}

#[cassette("addresses", unused = "allow")]
#[test]
#[ignore]
fn it_names_what_is_no_address(cassette: Cassette) {
    must_ask(&cassette, "Bergen");
    let wrong =
        ["api.openai.com/v1", "https://me:hunter22@api.openai.com/v1", "https://api.openai.com/v1?key=hunter22"];
    seen(wrong.map(|url| cassette.try_base_url(url).unwrap_err().to_string()).join("\n"));
    if var("STORY_PANICS") == "1" {
        let _ = cassette.base_url("localhost:11434");
    }
}

#[test]
fn a_wrong_base_url_is_told_what_is_wrong() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_PANICS", "0");
    assert_told!("addresses", rehearsal.passes("handle::it_names_what_is_no_address", "record").seen);
    let rehearsal = rehearsal.with("STORY_PANICS", "1");
    assert_told!("no_address", rehearsal.fails("handle::it_names_what_is_no_address", "replay"));
}

//! Sessions that their process leaves open.

use std::sync::LazyLock;

use cassette_test::{Call, Cassette, Session, cassette};
use stages::{Rehearsal, assert_told, is_set};

use crate::asking::{ask, must_ask, timetable};

#[cassette("exiting")]
#[test]
#[ignore]
fn it_exits(cassette: Cassette) {
    must_ask(&cassette, "Bergen");
    if is_set("STORY_EXITS") {
        let _ = ask(&cassette, "Oslo");
        std::process::exit(0);
    }
}

static SHARED: LazyLock<Session> = LazyLock::new(|| Cassette::builder("shared").open().unwrap());

#[test]
#[ignore]
fn it_keeps_its_session_in_a_static() {
    assert_eq!(SHARED.call_blocking(Call::tool("count", &1), || 5), 5);
}

#[test]
fn a_test_that_ends_its_process_fails() {
    let rehearsal = Rehearsal::of(timetable);
    rehearsal.passes("unended::it_exits", "record");
    assert_told!("exited", rehearsal.with("STORY_EXITS", "1").fails("unended::it_exits", "replay"));
}

#[test]
fn a_session_that_never_ends_fails() {
    let rehearsal = Rehearsal::of(timetable);
    assert_told!("in_a_static", rehearsal.fails("unended::it_keeps_its_session_in_a_static", "record"));
    assert_eq!(rehearsal.file("shared"), "");
}

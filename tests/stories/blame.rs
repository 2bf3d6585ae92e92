//! Who failed first: the test or its cassette.

use cassette_test::{Cassette, cassette};

use crate::asking::{ask, timetable};
use stages::{Rehearsal, assert_told, var};

/// Makes a call that was not recorded, on its way out.
struct Parting(Cassette);

impl Drop for Parting {
    fn drop(&mut self) {
        ask(&self.0, "Oslo");
    }
}

#[cassette("blamed")]
#[test]
#[ignore]
fn it_fails(cassette: Cassette) -> Result<(), String> {
    ask(&cassette, "Bergen");
    match var("STORY_FAILS").as_str() {
        "by a panic, then a miss" => {
            let _parting = Parting(cassette);
            panic!("the train has left");
        }
        "by a miss, then a panic" => {
            ask(&cassette, "Oslo");
            panic!("the train has left");
        }
        "by a miss, then an error" => {
            ask(&cassette, "Oslo");
            Err("the train has left".to_owned())
        }
        "by an error, recordings left over" => Err("the train has left".to_owned()),
        _ => {
            ask(&cassette, "Voss");
            Ok(())
        }
    }
}

#[track_caller]
fn check(name: &str, fails: &str) {
    let rehearsal = Rehearsal::of(timetable).with("STORY_FAILS", "not at all");
    rehearsal.passes("blame::it_fails", "record");
    assert_told!(name, rehearsal.with("STORY_FAILS", fails).fails("blame::it_fails", "replay"));
}

#[test]
fn a_panic_before_a_miss_is_the_headline() {
    check("a_panic_then_a_miss", "by a panic, then a miss");
}

#[test]
fn a_miss_before_a_panic_is_the_headline() {
    check("a_miss_then_a_panic", "by a miss, then a panic");
}

#[test]
fn a_miss_before_an_error_is_the_headline() {
    check("a_miss_then_an_error", "by a miss, then an error");
}

#[test]
fn what_is_left_over_is_no_matter_where_the_test_failed() {
    check("an_error_alone", "by an error, recordings left over");
}

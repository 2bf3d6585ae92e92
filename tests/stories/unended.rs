//! What is left when its process ends: sessions that are open, and threads that outlive their test.

use std::sync::LazyLock;
use std::sync::mpsc::{self, Sender};
use std::thread;

use cassette_test::{Call, Cassette, Session, cassette, tool};
use stages::{Rehearsal, assert_told, is_set, var};

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

#[expect(unsafe_code, reason = "a library in C that ends its process")]
mod c {
    unsafe extern "C" {
        pub(super) safe fn _exit(code: i32) -> !;
        #[link_name = "_Exit"]
        pub(super) safe fn exit_at_once(code: i32) -> !;
    }
}

#[cassette("exiting-at-once")]
#[test]
#[ignore]
fn it_exits_at_once(cassette: Cassette) {
    must_ask(&cassette, "Bergen");
    let way = if is_set("STORY_EXITS") { var("STORY_EXITS") } else { String::new() };
    match way.as_str() {
        "posix" => c::_exit(0),
        "c" => c::exit_at_once(0),
        _ => {}
    }
}

#[test]
fn a_test_that_ends_its_process_at_once_fails() {
    let rehearsal = Rehearsal::of(timetable);
    rehearsal.passes("unended::it_exits_at_once", "record");
    for way in ["posix", "c"] {
        let rehearsal = rehearsal.stage.clone().with("STORY_EXITS", way);
        let told = rehearsal.play("unended::it_exits_at_once", "replay").unwrap().fails();
        assert_told!("exited_at_once", told);
    }
}

static SHARED: LazyLock<Session> = LazyLock::new(|| Cassette::builder("shared").open().unwrap());

#[test]
#[ignore]
fn it_keeps_its_session_in_a_static() {
    assert_eq!(SHARED.call_blocking(Call::tool("count", &1), || 5), 5);
}

#[tool]
fn double(number: u32) -> u32 {
    number * 2
}

/// A pool of one thread, which the first test that uses it makes.
static POOL: LazyLock<Sender<Box<dyn FnOnce() + Send>>> = LazyLock::new(|| {
    let (work, works) = mpsc::channel::<Box<dyn FnOnce() + Send>>();
    let pool = thread::Builder::new().name("pool".to_owned());
    pool.spawn(move || works.into_iter().for_each(|work| work())).unwrap();
    work
});

fn double_on_the_pool(number: u32) -> u32 {
    let (done, doubled) = mpsc::channel();
    POOL.send(Box::new(move || done.send(double(number)).unwrap())).unwrap();
    doubled.recv().unwrap()
}

#[cassette("pool", repeat = true)]
#[test]
#[ignore]
fn it_makes_a_pool() {
    assert_eq!(double_on_the_pool(3), 6);
    if is_set("STORY_BESIDE") {
        runs_beside(|| assert_eq!(double_on_the_pool(3), 6));
    }
}

#[test]
#[ignore]
fn it_runs_beside() {
    runs_beside(|| ());
}

fn runs_beside(work: impl FnOnce()) {
    let session = Cassette::builder("beside").open().unwrap();
    assert_eq!(session.call_blocking(Call::tool("count", &1), || 5), 5);
    work();
    session.finish().unwrap();
}

#[test]
fn a_pool_that_works_for_two_tests_at_once_fails() {
    let rehearsal = Rehearsal::of(timetable);
    rehearsal.passes("unended::it_runs_beside", "record");
    rehearsal.passes("unended::it_makes_a_pool", "record");
    rehearsal.passes("unended::it_makes_a_pool", "replay");
    let beside = rehearsal.with("STORY_BESIDE", "1");
    assert_told!("a_shared_pool", beside.fails("unended::it_makes_a_pool", "replay"));
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

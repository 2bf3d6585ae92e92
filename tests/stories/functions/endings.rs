//! What a thread-local's destructor calls, as its thread ends: it is of the thread's test like anything else that the thread calls.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use cassette_test::{Call, Cassette, cassette};
use stages::seen;

use super::effects::{Counting, effect};

#[cassette_test::tool]
fn counts(what: &str) -> usize {
    effect(what);
    what.len()
}

/// Calls this as it is dropped.
struct AtTheEnd(Box<dyn Fn()>);

impl Drop for AtTheEnd {
    fn drop(&mut self) {
        (self.0)();
    }
}

thread_local! {
    static LAST: RefCell<Option<AtTheEnd>> = const { RefCell::new(None) };
}

fn at_the_end(call: impl Fn() + 'static) {
    LAST.set(Some(AtTheEnd(Box::new(call))));
}

#[cassette("endings")]
#[test]
#[ignore]
fn its_threads_call_as_they_end(cassette: Cassette) {
    counts("before");
    let scoped = cassette.scoped(|| {
        at_the_end(|| _ = counts("scoped, at the end"));
        counts("scoped")
    });
    thread::spawn(scoped).join().unwrap();
    let bare = || {
        at_the_end(|| _ = counts("at the end"));
        counts("bare")
    };
    thread::spawn(bare).join().unwrap();
    let held = cassette.clone();
    let held = move || {
        at_the_end(move || _ = held.call_blocking(Call::tool("held", &1), || counts("within")));
        counts("held")
    };
    thread::spawn(held).join().unwrap();
    seen("done");
}

#[test]
fn a_function_is_recorded_to_the_last_moment_of_its_thread() {
    let counting = Counting::new();
    let (_, effects) = counting.comes_back("endings::its_threads_call_as_they_end");
    let expected = ["before", "scoped", "scoped, at the end", "bare", "at the end", "held", "within"];
    assert_eq!(effects, expected);
    assert!(!counting.rehearsal.file("endings").contains("within"), "it is a part of what was called");
}

#[cassette("ended")]
#[test]
#[ignore]
fn it_leaves_a_call_to_its_end() {
    counts("before");
    at_the_end(|| {
        let told = catch_unwind(AssertUnwindSafe(|| counts("after the test")));
        let told = told.unwrap_err().downcast_ref::<String>().cloned().unwrap_or_default();
        seen(told.lines().next().unwrap_or_default());
    });
}

/// As libtest runs it, on a thread of its own.
#[test]
#[ignore]
fn it_is_called_once_more() {
    let test = thread::Builder::new().name("left".to_owned());
    test.spawn(it_leaves_a_call_to_its_end).unwrap().join().unwrap();
}

#[test]
fn what_is_called_after_the_test_is_told_as_elsewhere() {
    let counting = Counting::new();
    let played = counting.passes("endings::it_is_called_once_more", "record");
    assert_eq!(
        played.seen,
        "cassette wiring: `counts` was called where no cassette is open, in a program that has cassette tests"
    );
    assert_eq!(counting.effects(), ["before"]);
}

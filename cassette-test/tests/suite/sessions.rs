//! Sessions that are opened in code, and the cassette that is current.

use std::sync::mpsc;

use cassette_test::_macro_support::{Entry, entered, fail_current};
use cassette_test::{Cassette, Mode, Session, cassette};
use insta::assert_snapshot;

use crate::child::{self, told};

const OFF: [(&str, &str); 1] = [("CASSETTE_MODE", "off")];

/// Opens a session that demands nothing.
fn open(name: &str) -> Session {
    Cassette::builder(name).mode(Mode::Off).allow_ci().open().unwrap()
}

#[test]
fn a_session_goes_as_it_should() {
    child::all_pass("sessions::good::", 11);
}

#[test]
fn a_session_on_a_thread_of_a_recording_test_shares_its_turn() {
    let ended = child::run("sessions::within::", &[("CASSETTE_MODE", "record")]);
    assert!(ended.text.contains("both were opened"), "{}", ended.text);
}

#[test]
fn what_another_test_makes_gets_none() {
    let ended = child::run_at_once("sessions::beside::", &[]);
    assert!(ended.passed && ended.text.contains("2 passed"), "{}", ended.text);
}

#[test]
fn nothing_that_is_to_be_hidden_is_in_what_debug_shows() {
    let builder = Cassette::builder("trains").redact_value("hunter2").mode(Mode::Off).allow_ci();
    assert!(format!("{builder:?}").contains("redact_values: 1"), "{builder:?}");
    let session = builder.open().unwrap();
    let (outer, inner) = (session.enter(), session.enter());
    let shown = format!("{session:?} {outer:?} {inner:?}");
    drop((inner, outer));
    session.finish().unwrap();
    assert!(!shown.contains("hunter2") && !shown.contains("PATH"), "{shown}");
    assert!(shown.contains("trains"), "{shown}");
}

#[test]
fn a_comparison_that_is_none_opens_no_session() {
    let builder = || Cassette::builder("trains").mode(Mode::Off).allow_ci();
    let refused = builder().match_on([""; 0]).open().unwrap_err();
    assert!(
        refused.to_string().starts_with("cassette refused: `match_on` names nothing to compare; there are endpoint, ")
    );
    let refused = builder().ignore("messages[x]").open().unwrap_err();
    assert!(refused.to_string().starts_with("cassette refused: `messages[x]` is no path: at character 10, "));
    let refused = builder().ignore("@path").open().unwrap_err();
    assert!(refused.to_string().starts_with("cassette refused: `@path` cannot be ignored"));
    builder().match_on([cassette_test::PartName::Tools]).ignore("**.id").open().unwrap().finish().unwrap();
}

#[test]
fn a_session_that_is_not_finished_fails_its_test() {
    assert_snapshot!("dropped", told("sessions::of::dropped_quietly", &OFF));
    assert_snapshot!("dropped_after_a_miss", told("sessions::of::dropped_after_a_miss", &OFF));
    assert_snapshot!("dropped_while_panicking", told("sessions::of::dropped_while_panicking", &OFF));
}

#[test]
fn a_thread_that_belongs_to_no_cassette_is_told_what_to_do() {
    assert_snapshot!("lost", told("sessions::of::lost", &OFF));
    assert_snapshot!("nothing_open", told("sessions::of::nothing_open", &OFF));
}

#[test]
fn a_body_without_its_session_is_told_what_stood_between() {
    assert_snapshot!("unreached", told("sessions::of::unreached", &OFF));
}

mod good {
    use super::*;

    #[test]
    #[ignore]
    fn finished() {
        let session = open("trains");
        assert_eq!((session.name(), session.mode(), session.is_replaying()), ("trains", Mode::Off, false));
        assert!(session.finish().unwrap().is_quiet());
    }

    #[test]
    #[ignore]
    fn finished_after_a_miss() {
        let session = open("trains");
        let entered = session.enter();
        fail_current("a miss");
        drop(entered);
        assert_eq!(session.finish().unwrap_err().to_string(), "cassette wiring: a miss\nhelp: mend it");
        assert!(Cassette::try_current().is_err());
    }

    #[test]
    #[ignore]
    fn finished_with_an_outcome() {
        type Outcome<T> = Result<T, Box<dyn std::error::Error>>;
        let good: Outcome<u32> = open("trains").finish_with(Ok(7));
        assert_eq!(good.unwrap(), 7);
        let bad: Outcome<u32> = open("trains").finish_with(Err("no train".into()));
        assert_eq!(bad.unwrap_err().to_string(), "no train");
        let session = open("trains");
        {
            let _entered = session.enter();
            fail_current("a miss");
        }
        let missed: Outcome<u32> = session.finish_with(Ok(7));
        assert_eq!(missed.unwrap_err().to_string(), "cassette wiring: a miss\nhelp: mend it");
        assert!(Cassette::try_current().is_err());
    }

    #[test]
    #[ignore]
    fn blocked() {
        let session = Cassette::builder("../trains").open_blocked();
        let expected = "cassette refused: `../trains` is no cassette's name";
        assert!(session.finish().unwrap_err().to_string().starts_with(expected));
        let refused = Cassette::builder("../trains").open().unwrap_err();
        assert!(refused.to_string().starts_with(expected));
        assert!(Cassette::try_current().is_err());
    }

    #[cassette("outer")]
    #[test]
    #[ignore]
    fn nested(cassette: Cassette) {
        let inner = open("inner");
        assert_eq!(Cassette::current().name(), "outer");
        let entered = inner.enter();
        assert_eq!(Cassette::current().name(), "inner");
        fail_current("a miss of the inner one");
        drop(entered);
        assert_eq!(Cassette::current().name(), cassette.name());
        inner.finish().unwrap_err();
    }

    #[cassette("only")]
    #[tokio::test]
    #[ignore]
    async fn the_only_one_is_current_everywhere() {
        let name = || Cassette::current().name().to_owned();
        assert_eq!(std::thread::spawn(name).join().unwrap(), "only");
        assert_eq!(tokio::task::spawn_blocking(name).await.unwrap(), "only");
        assert_eq!(tokio::spawn(async move { name() }).await.unwrap(), "only");
    }

    #[test]
    #[ignore]
    fn a_thread_that_its_test_made_has_it_under_any_name() {
        let session = open("trains");
        for name in ["tokio-rt-worker", "pool-1", "main", "plain", "suite::plain"] {
            let thread = std::thread::Builder::new().name(name.to_owned());
            let found = thread.spawn(|| Cassette::current().name().to_owned()).unwrap().join().unwrap();
            assert_eq!(found, "trains");
        }
        session.finish().unwrap();
    }

    #[test]
    #[ignore]
    fn a_handle_goes_to_other_threads() {
        let (one, other) = (open("one"), open("other"));
        let (handle, its_own) = (one.cassette().clone(), other.cassette().clone());
        let thread = std::thread::spawn(move || {
            assert!(Cassette::try_current().is_err());
            let _entered = handle.enter();
            let first = Cassette::current().name().to_owned();
            {
                let _entered = its_own.enter();
                assert_eq!(Cassette::current().name(), "other");
            }
            (first, Cassette::current().name().to_owned())
        });
        assert_eq!(thread.join().unwrap(), ("one".to_owned(), "one".to_owned()));
        one.finish().unwrap();
        other.finish().unwrap();
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    #[ignore]
    async fn a_future_keeps_its_own() {
        let (one, other) = (open("one"), open("other"));
        let named = |session: &Session| {
            let name = session.name().to_owned();
            tokio::spawn(session.scope(async move {
                for _ in 0..100 {
                    assert_eq!(Cassette::current().name(), name);
                    tokio::task::yield_now().await;
                }
            }))
        };
        let tasks = [named(&one), named(&other), named(&one)];
        for task in tasks {
            task.await.unwrap();
        }
        one.finish().unwrap();
        other.finish().unwrap();
    }

    #[test]
    #[ignore]
    fn a_thread_that_bears_the_tests_name_belongs_to_it() {
        let ours = open("ours");
        let other = std::thread::Builder::new().name("other".to_owned());
        let other = other.spawn(|| open("other")).unwrap().join().unwrap();
        assert_eq!(Cassette::current().name(), "ours");
        let timed = std::thread::Builder::new().name(std::thread::current().name().unwrap().to_owned());
        timed.spawn(|| assert_eq!(Cassette::current().name(), "ours")).unwrap().join().unwrap();
        ours.finish().unwrap();
        other.finish().unwrap();
    }

    #[test]
    #[ignore]
    fn a_url_of_a_session_that_is_open() {
        let session = open("trains");
        let said = session.try_base_url("no url").unwrap_err();
        assert!(said.to_string().contains("no url"), "{said}");
        session.finish().unwrap();
    }
}

mod within {
    use super::*;

    #[cassette("within")]
    #[test]
    #[ignore]
    fn a_thread_of_its_own() {
        let open = || drop(Cassette::builder("of-a-thread").open().unwrap().finish());
        std::thread::spawn(open).join().unwrap();
        std::thread::Builder::new().name("worker".to_owned()).spawn(open).unwrap().join().unwrap();
        panic!("both were opened");
    }
}

/// Two tests at once, of which one has a cassette.
mod beside {
    use std::sync::Barrier;

    use super::*;

    static BOTH: Barrier = Barrier::new(2);

    /// Both are there at one time; a test that fails lets the other go.
    struct Together;

    impl Together {
        fn begin() -> Together {
            BOTH.wait();
            Together
        }
    }

    impl Drop for Together {
        fn drop(&mut self) {
            BOTH.wait();
        }
    }

    #[cassette("beside", mode = "off")]
    #[test]
    #[ignore]
    fn with_one() {
        let _together = Together::begin();
        let name = || Cassette::current().name().to_owned();
        assert_eq!((name(), std::thread::spawn(name).join().unwrap()), ("beside".to_owned(), "beside".to_owned()));
    }

    #[test]
    #[ignore]
    fn without() {
        let _together = Together::begin();
        let asks = || Cassette::try_current().map(|cassette| cassette.name().to_owned()).unwrap_err().to_string();
        let refused = |thread: &str| {
            format!(
                "cassette wiring: thread `{thread}` asks for a cassette, and the only cassette that is open, `beside`, is another test's\n\
                 help: put `#[cassette]` on this test too, or run the function bare: `cassette_test::live(..)`, and \
                 `live_blocking(..)` where it is not async; where this test has one, say whose the work of a pool or a runtime is \
                 that others share: `cassette_test::scope(future)`, `cassette_test::scoped(closure)`, or `cassette.enter()` on the thread"
            )
        };
        assert_eq!(asks(), refused("sessions::beside::without"));
        assert_eq!(
            std::thread::spawn(move || std::thread::spawn(asks).join().unwrap()).join().unwrap(),
            refused("unnamed")
        );
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
        let told = runtime.block_on(async move { tokio::spawn(async move { asks() }).await.unwrap() });
        assert_eq!(told, refused("tokio-rt-worker"));
    }
}

mod of {
    use super::*;

    #[test]
    #[ignore]
    fn dropped_quietly() {
        let _session = open("trains");
    }

    #[test]
    #[ignore]
    fn dropped_after_a_miss() {
        let session = open("trains");
        let _entered = session.enter();
        fail_current("a miss");
    }

    #[test]
    #[ignore]
    fn dropped_while_panicking() {
        let session = open("trains");
        let _entered = session.enter();
        fail_current("a miss");
        panic!("boom");
    }

    #[test]
    #[ignore]
    fn lost() {
        let (one, other) = (open("one"), open("other"));
        let (send, receive) = mpsc::channel();
        let worker = std::thread::Builder::new().name("worker".to_owned());
        worker.spawn(move || send.send(Cassette::try_current().unwrap_err().to_string()).unwrap()).unwrap();
        let said = receive.recv().unwrap();
        one.finish().unwrap();
        other.finish().unwrap();
        panic!("{said}");
    }

    #[test]
    #[ignore]
    fn nothing_open() {
        let _ = Cassette::current();
    }

    #[test]
    #[ignore]
    fn unreached() {
        let entry = Entry { function: "unreached", file: file!(), attributes: "`#[apply]`, `#[tokio::test]`" };
        let _ = entered(&entry, &[]);
    }
}

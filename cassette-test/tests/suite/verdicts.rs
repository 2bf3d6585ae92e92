//! What a failing test says, and that it fails.

use std::process::{ExitCode, Termination};
use std::time::{Duration, Instant};

use cassette_test::_macro_support::fail_current;
use cassette_test::{Cassette, cassette};
use insta::assert_snapshot;

use crate::child::{self, told};

/// Fails the current cassette when it goes out of scope.
struct FailsLate;

impl Drop for FailsLate {
    fn drop(&mut self) {
        fail_current("a late miss");
    }
}

const OFF: [(&str, &str); 1] = [("CASSETTE_MODE", "off")];

macro_rules! each_says {
    ($($test:ident),* $(,)?) => {
        $(#[test]
        fn $test() {
            assert_snapshot!(stringify!($test), told(concat!("verdicts::of::", stringify!($test)), &OFF));
        })*
    };
}

each_says![
    a_miss_that_the_body_swallowed,
    a_miss_and_its_consequence,
    a_panic_and_a_miss_after_it,
    a_miss_and_an_error,
    an_error_and_a_miss_after_it,
    an_error_alone,
    an_exit_code_alone,
    a_verdict_of_its_own,
    a_verdict_behind_an_impl,
    a_panic_alone,
    an_error_that_the_body_may_see,
    an_expected_panic_that_never_came,
    an_expected_panic_with_another_text,
    an_expected_panic_and_a_miss_before_it,
    an_expected_panic_and_a_miss_after_it,
    a_miss_instead_of_an_expected_panic,
    a_name_that_is_asked_for_too_early,
    a_name_made_of_nothing_good,
];

#[test]
fn an_async_body_ends_where_its_cassette_fails() {
    for test in ["verdicts::of::a_client_that_backs_off", "verdicts::of::a_client_on_another_thread"] {
        let start = Instant::now();
        let told = told(test, &OFF);
        assert!(start.elapsed() < Duration::from_secs(20), "{told}");
        assert!(told.starts_with("failed\nthread"), "{told}");
        assert!(told.contains("cassette wiring: a miss\nhelp: mend it\n"), "{told}");
    }
}

#[test]
fn a_panic_that_is_expected_passes() {
    child::all_pass("verdicts::panics::", 7);
}

#[test]
fn a_verdict_of_its_own_passes() {
    child::all_pass("verdicts::codes::", 3);
}

/// A verdict that only `Termination` can read.
struct Verdict(bool);

impl Termination for Verdict {
    fn report(self) -> ExitCode {
        if self.0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

#[test]
fn the_verdict_points_at_the_test() {
    let text = child::run("verdicts::of::a_miss_that_the_body_swallowed", &OFF).text;
    let here = format!("panicked at {}:{}:", file!(), of::LINE);
    assert!(text.contains(&here), "{here}\n{text}");
}

mod of {
    use super::*;

    /// Where the attribute of the first test stands.
    pub(super) const LINE: u32 = line!() + 2;

    #[cassette("a")]
    #[test]
    #[ignore]
    fn a_miss_that_the_body_swallowed() {
        fail_current("a miss");
        fail_current("a second miss");
    }

    #[cassette("a")]
    #[test]
    #[ignore]
    fn a_miss_and_its_consequence() {
        fail_current("a miss");
        let ask = || Err::<(), _>("the service said 404".to_owned());
        ask().unwrap();
    }

    #[cassette("a")]
    #[test]
    #[ignore]
    fn a_panic_and_a_miss_after_it() {
        let _late = FailsLate;
        panic!("boom");
    }

    #[cassette("a")]
    #[test]
    #[ignore]
    fn a_miss_and_an_error() -> Result<(), String> {
        fail_current("a miss");
        Err("the service said 404".to_owned())
    }

    #[cassette("a")]
    #[tokio::test]
    #[ignore]
    async fn an_error_and_a_miss_after_it() -> Result<(), String> {
        tokio::spawn(async {
            let _late = FailsLate;
            std::future::pending::<()>().await;
        });
        tokio::task::yield_now().await;
        Err("the timetable is empty".to_owned())
    }

    #[cassette("a")]
    #[test]
    #[ignore]
    fn an_error_alone() -> Result<(), String> {
        Err("the timetable is empty".to_owned())
    }

    #[cassette("a")]
    #[test]
    #[ignore]
    fn an_exit_code_alone() -> ExitCode {
        ExitCode::from(3)
    }

    #[cassette("a")]
    #[test]
    #[ignore]
    fn a_verdict_of_its_own() -> Verdict {
        Verdict(false)
    }

    #[cassette("a")]
    #[test]
    #[ignore]
    fn a_verdict_behind_an_impl() -> impl Termination {
        Verdict(false)
    }

    #[cassette("a")]
    #[tokio::test]
    #[ignore]
    async fn a_panic_alone() {
        tokio::task::yield_now().await;
        panic!("boom");
    }

    #[cassette("a")]
    #[tokio::test]
    #[ignore]
    async fn a_client_that_backs_off() {
        fail_current("a miss");
        for _ in 0..10 {
            tokio::time::sleep(Duration::from_secs(60)).await;
        }
        panic!("the body was not abandoned");
    }

    #[cassette("a")]
    #[tokio::test(flavor = "multi_thread")]
    #[ignore]
    async fn a_client_on_another_thread(cassette: Cassette) {
        let task = tokio::spawn(cassette.scope(async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            fail_current("a miss");
            std::future::pending::<()>().await;
        }));
        task.await.unwrap();
        panic!("the body was not abandoned");
    }

    #[cassette("a", on_miss = "error")]
    #[tokio::test]
    #[ignore]
    async fn an_error_that_the_body_may_see() {
        fail_current("a miss");
        tokio::task::yield_now().await;
        panic!("it saw the error");
    }

    #[cassette("a")]
    #[test]
    #[should_panic]
    #[ignore]
    fn an_expected_panic_that_never_came() {}

    #[cassette("a")]
    #[test]
    #[should_panic = "bang"]
    #[ignore]
    fn an_expected_panic_with_another_text() {
        panic!("boom");
    }

    #[cassette("a")]
    #[test]
    #[should_panic(expected = "boom")]
    #[ignore]
    fn an_expected_panic_and_a_miss_before_it() {
        fail_current("a miss");
        panic!("boom");
    }

    #[cassette("a")]
    #[test]
    #[should_panic]
    #[ignore]
    fn an_expected_panic_and_a_miss_after_it() {
        let _late = FailsLate;
        panic!("boom");
    }

    #[cassette("a")]
    #[tokio::test]
    #[should_panic]
    #[ignore]
    async fn a_miss_instead_of_an_expected_panic() {
        fail_current("a miss");
        tokio::task::yield_now().await;
    }

    #[rstest::fixture]
    fn eager() -> Option<String> {
        Cassette::current().try_base_url("https://api.example.com").ok()
    }

    #[cassette("trains/{text}")]
    #[rstest::rstest]
    #[ignore]
    fn a_name_that_is_asked_for_too_early(eager: Option<String>, #[values("x")] text: &str, cassette: Cassette) {
        assert_eq!((eager, text, cassette.name()), (None, "x", "trains/x"));
    }

    #[cassette("{text}")]
    #[rstest::rstest]
    #[ignore]
    fn a_name_made_of_nothing_good(#[values("allow")] text: &str) {
        assert_eq!(text, "allow");
    }
}

mod codes {
    use super::*;

    #[cassette("a")]
    #[test]
    #[ignore]
    fn sync() -> Verdict {
        Verdict(true)
    }

    #[cassette("a")]
    #[test]
    #[ignore]
    fn behind_an_impl() -> impl Termination {
        Verdict(true)
    }

    #[cassette("a")]
    #[rstest::rstest]
    #[case(true)]
    #[ignore]
    fn of_a_case(#[case] good: bool) -> Result<Verdict, String> {
        Ok(Verdict(good))
    }
}

mod panics {
    use super::*;

    #[cassette("a")]
    #[test]
    #[should_panic]
    #[ignore]
    fn plain() {
        panic!("boom");
    }

    #[cassette("a")]
    #[should_panic = "oo"]
    #[test]
    #[ignore]
    fn with_a_text(cassette: Cassette) {
        assert_eq!(cassette.name(), "a");
        panic!("boom {}", 3);
    }

    #[should_panic(expected = "boom 3")]
    #[cassette("a")]
    #[tokio::test]
    #[ignore]
    async fn above_an_async_test() {
        tokio::task::yield_now().await;
        panic!("boom {}", 3);
    }

    #[tokio::test]
    #[cassette("a")]
    #[should_panic]
    #[ignore]
    async fn below_an_async_test() {
        panic!("boom");
    }

    #[cassette("a")]
    #[rstest::rstest]
    #[case(1)]
    #[should_panic(expected = "boom 2")]
    #[case(2)]
    #[ignore]
    fn of_one_case(#[case] number: u32) {
        assert!(number < 2, "boom {number}");
    }

    #[cassette("a")]
    #[rstest::rstest]
    #[case(1)]
    #[should_panic]
    #[tokio::test]
    #[ignore]
    async fn of_all_cases(#[case] number: u32) {
        panic!("boom {number}");
    }
}

//! Every order of attributes in which `#[cassette]` works, with the handle and without.

use cassette_test::{Cassette, cassette};
use rstest::{fixture, rstest};

use crate::child;

/// Asserts that the test's own session stands, and goes by this name.
fn stands(name: &str) {
    assert_eq!(Cassette::current().name(), name);
}

#[test]
fn they_all_pass() {
    child::all_pass("orders::above::", 20);
    child::all_pass("orders::below::", 9);
}

mod above {
    use super::*;

    #[cassette("a")]
    #[test]
    #[ignore]
    fn test(cassette: Cassette) {
        assert_eq!(cassette.name(), "a");
        stands("a");
    }

    #[cassette("a")]
    #[test]
    #[ignore]
    fn test_bare() {
        stands("a");
    }

    #[cassette]
    #[test]
    #[ignore]
    fn nameless(cassette: &Cassette) {
        assert_eq!(cassette.name(), "suite/orders/above/nameless");
    }

    #[cassette("a")]
    #[tokio::test]
    #[ignore]
    async fn tokio(cassette: Cassette) {
        tokio::task::yield_now().await;
        assert_eq!(cassette.name(), "a");
        stands("a");
    }

    #[cassette("a")]
    #[tokio::test]
    #[ignore]
    async fn tokio_bare() {
        stands("a");
    }

    #[cassette("a", order = "strict", unused = "allow")]
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    #[ignore]
    async fn tokio_multi(mut cassette: Cassette) {
        let name = tokio::spawn(cassette.scope(async { Cassette::current().name().to_owned() })).await.unwrap();
        assert_eq!(name, "a");
        cassette = cassette.clone();
        assert!(!cassette.is_replaying());
    }

    #[cassette("a")]
    #[tokio::test(start_paused = true)]
    #[ignore]
    async fn tokio_paused(_cassette: cassette_test::Cassette) {
        tokio::time::sleep(std::time::Duration::from_secs(3600)).await;
        stands("a");
    }

    #[fixture]
    fn seven() -> u32 {
        stands("a");
        7
    }

    #[cassette("a")]
    #[rstest]
    #[ignore]
    fn rstest_fixture(cassette: Cassette, seven: u32) {
        assert_eq!((cassette.name(), seven), ("a", 7));
    }

    #[cassette("a")]
    #[rstest]
    #[case(1, "x")]
    #[case::named(2, "y")]
    #[ignore]
    fn rstest_cases(#[case] number: u32, cassette: Cassette, #[case] text: &str) {
        let name = ["a.case_1", "a.case_2_named"][number as usize - 1];
        assert_eq!((cassette.name(), text.len()), (name, 1));
        stands(name);
    }

    #[fixture]
    fn early() -> String {
        Cassette::current().name().to_owned()
    }

    #[cassette("a/{number}/{text}")]
    #[rstest]
    #[ignore]
    #[tokio::test]
    async fn rstest_values(
        #[values(1, 2)] number: u32,
        #[values("../x")] text: &str,
        early: String,
        cassette: Cassette,
    ) {
        assert_eq!(early, "a/{number}/{text}");
        assert_eq!(cassette.name(), format!("a/{number}/-x-d6b96a97-8f15ff14"));
        assert_eq!(text, "../x");
    }

    #[cassette]
    #[rstest]
    #[case(1)]
    #[ignore]
    #[tokio::test]
    async fn rstest_nameless(#[case] number: u32, cassette: Cassette) {
        assert_eq!(cassette.name(), "suite/orders/above/rstest_nameless/case_1");
        assert_eq!(number, 1);
    }

    #[fixture]
    async fn late() -> u32 {
        8
    }

    #[cassette("a")]
    #[rstest]
    #[tokio::test]
    #[ignore]
    async fn rstest_future(#[future] late: u32, cassette: Cassette) {
        assert_eq!((late.await, cassette.name()), (8, "a"));
    }

    #[cassette(
        "a",
        allow_errors,
        pii = true,
        pace = 0.5,
        match_header("x-tenant", "x-user"),
        redact(hide),
        match_on(model, tools, "input[*].content", "@query.api-version"),
        ignore("messages[*].id", "**.request_id", r#"["na me"]"#),
        normalize(cassette_test::normalize::whitespace),
        matcher(alike),
        hooks("guardrail@2", "trim"),
        provider = "azure",
        version = "7"
    )]
    #[doc = "documented"]
    #[cfg(not(windows))]
    #[allow(clippy::unnecessary_wraps)]
    #[tokio::test]
    #[ignore = "run by a child"]
    async fn all_sorts_of_attributes(cassette: Cassette) -> Result<(), Box<dyn std::error::Error>> {
        #![allow(unused_variables)]
        let unused = "1".parse::<u32>()?;
        assert_eq!(cassette.name(), "a");
        Ok(())
    }

    fn alike(recorded: &cassette_test::Call, incoming: &cassette_test::Call) -> bool {
        recorded == incoming
    }

    fn hide(text: &str) -> Vec<String> {
        text.split_whitespace().filter(|word| word.starts_with("secret-")).map(str::to_owned).collect()
    }

    /// No test of its own: it runs in a session wherever it is called.
    #[cassette("helper/{number}", unused = "allow")]
    pub(super) fn helper(
        number: u32,
        (one, two): (u32, u32),
        cassette: &Cassette,
        mut rest: Vec<u32>,
    ) -> std::process::ExitCode {
        assert_eq!(cassette.name(), format!("helper/{number}"));
        rest.push(number);
        assert_eq!((one, two, rest.len()), (1, 2, 2));
        std::process::ExitCode::SUCCESS
    }

    #[cassette("a")]
    #[test]
    #[ignore]
    fn nested() {
        stands("a");
        assert_eq!(helper(7, (1, 2), vec![3]), std::process::ExitCode::SUCCESS);
        stands("a");
    }

    #[cassette("a")]
    #[test]
    #[ignore]
    fn opaque(cassette: Cassette) -> impl std::process::Termination {
        assert_eq!(cassette.name(), "a");
        std::process::ExitCode::SUCCESS
    }

    #[cassette("a")]
    #[tokio::test]
    #[ignore]
    async fn coerced(cassette: Cassette) -> Result<(), Box<dyn std::error::Error>> {
        let seven: u32 = "7".parse()?;
        if seven != 7 {
            return Err(Box::new(std::fmt::Error));
        }
        match cassette.name() {
            "a" => Ok(()),
            _ => Err(Box::new(std::io::Error::other("never"))),
        }
    }

    #[cassette("a")]
    #[tokio::test]
    #[ignore]
    async fn empty() {}

    #[cassette("a")]
    #[tokio::test]
    #[ignore]
    async fn early_return(cassette: Cassette) -> Result<(), String> {
        if cassette.name() == "a" {
            return Ok(());
        }
        Err("never".into())
    }
}

mod below {
    use super::*;

    #[tokio::test]
    #[cassette("a")]
    #[ignore]
    async fn tokio(cassette: Cassette) {
        assert_eq!(cassette.name(), "a");
        stands("a");
    }

    #[tokio::test(flavor = "multi_thread")]
    #[cassette("a")]
    #[ignore]
    async fn tokio_bare() {
        stands("a");
    }

    #[test]
    #[cassette("a")]
    #[ignore]
    fn test_bare() {
        stands("a");
    }

    #[rstest]
    #[case(1)]
    #[case(2)]
    #[cassette("a")]
    #[ignore]
    fn rstest_cases(#[case] number: u32) {
        stands(&format!("a.case_{number}"));
    }

    #[rstest]
    #[case(1)]
    #[case(2)]
    #[cassette("a")]
    #[tokio::test]
    #[ignore]
    async fn between(#[case] number: u32) {
        stands(&format!("a.case_{number}"));
    }

    #[rstest]
    #[case(1)]
    #[case(2)]
    #[tokio::test]
    #[cassette("a")]
    #[ignore]
    async fn below_both(#[case] number: u32) {
        stands(&format!("a.case_{number}"));
    }
}

#[test]
fn a_handle_may_go_anywhere() {
    fn anywhere<T: Clone + Send + Sync + 'static>() {}
    anywhere::<Cassette>();
}

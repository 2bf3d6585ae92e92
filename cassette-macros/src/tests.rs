//! What the two expansions come to, as `rustfmt` writes it.

use std::io::Write;
use std::process::{Command, Stdio};

use insta::assert_snapshot;
use proc_macro2::TokenStream;

use crate::{enter, wrap};

#[test]
fn a_test_is_entered() {
    let item = "#[test] #[should_panic = \"late\"] fn answers(mut cassette: Cassette, model: u32) { ask(model); }";
    assert_snapshot!("entered", shown(&enter::expand(tokens("\"trains/{model}\", order = \"strict\""), tokens(item))));
}

#[test]
fn an_async_test_can_be_abandoned() {
    let item = "#[tokio::test] async fn answers(cassette: &Cassette) -> Result<(), Error> { ask().await?; Ok(()) }";
    assert_snapshot!("abandonable", shown(&enter::expand(tokens("\"trains\""), tokens(item))));
}

#[test]
fn what_is_left_is_wrapped() {
    let handed = "(answers) () (\"trains\", order = \"strict\", match_header(\"a\", \"b\"), crate = other)";
    let item = "/// Asks.\n#[test] fn case_1() -> Result<(), Error> { ask()?; Ok(()) }";
    assert_snapshot!("wrapped", shown(&wrap::expand(tokens(handed), tokens(item))));
}

#[test]
fn a_value_that_does_not_tell_its_end_becomes_its_code() {
    for (output, is_told) in [
        ("", true),
        ("-> ()", true),
        ("-> !", true),
        ("-> ExitCode", true),
        ("-> anyhow::Result<()>", true),
        ("-> anyhow::Result", true),
        ("-> Result<std::process::ExitCode, Box<dyn Error>>", true),
        ("-> Result<Verdict, Error>", false),
        ("-> impl Termination", false),
        ("-> Verdict", false),
    ] {
        let item = format!("#[test] fn answers() {output} {{ ask() }}");
        let wrapped = shown(&wrap::expand(tokens("(answers) () (\"trains\")"), tokens(&item)));
        assert_eq!(!wrapped.contains("run_to_code(&__CASSETTE, || __body())"), is_told, "{wrapped}");
        assert_eq!(!wrapped.contains("fn answers() -> ::std::process::ExitCode"), is_told, "{wrapped}");
    }
}

#[test]
fn what_should_panic_is_wrapped() {
    let item = "#[test] fn answers() { ask(); }";
    assert_snapshot!(
        "wrapped_to_panic",
        shown(&wrap::expand(tokens("(answers) (should_panic = \"late\") ()"), tokens(item)))
    );
}

#[test]
fn an_async_function_waits_for_the_attribute_that_makes_a_test_of_it() {
    let expanded =
        |left: &str, item: &str| shown(&wrap::expand(tokens(&format!("(answers) () () {left}")), tokens(item)));
    let waiting = expanded("", "#[allow(unused)] #[tokio::test] async fn answers() {}");
    assert!(waiting.contains("wrap ((answers) () () 1usize)"), "{waiting}");
    assert!(expanded("1", "#[tokio::test] async fn answers() {}").contains("compile_error"));
    assert!(expanded("", "#[allow(unused)] async fn answers() {}").contains("compile_error"));
}

#[test]
fn a_mistake_leaves_the_function_in_place() {
    let item = "#[test] fn answers(cassette: Cassette) { ask(); }";
    assert_snapshot!("mistaken", shown(&enter::expand(tokens("speed = 3"), tokens(item))));
}

pub(crate) fn tokens(source: &str) -> TokenStream {
    source.parse().unwrap()
}

/// Returns the code as `rustfmt` writes it, which has to be there: it comes with the toolchain that the repository names.
pub(crate) fn shown(code: &TokenStream) -> String {
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--edition", "2024", "--config", "max_width=120,use_small_heuristics=Max"]);
    let mut rustfmt = rustfmt.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    rustfmt.stdin.take().unwrap().write_all(code.to_string().as_bytes()).unwrap();
    let output = rustfmt.wait_with_output().unwrap();
    assert!(output.status.success(), "{code}");
    String::from_utf8(output.stdout).unwrap()
}

use std::sync::Arc;
use std::time::Duration;

use cargo_cassette::comparison::compare;
use cargo_cassette::pricing::PriceList;
use cassette_core::call::Call;
use cassette_core::json::{Json, Layout};
use cassette_core::mode::Mode;
use cassette_core::reply::{Chunk, Outcome, Reply};
use cassette_core::rerun::{Rerun, Target};
use cassette_core::session::{BodyEnd, Plan, Session, Step};
use cassette_core::store::{MemoryStore, Store as _};
use proptest::prelude::*;

use super::super::Compared;
use super::{MOST, code, comment, within};
use crate::output::Advice;

/// Returns the document of a cassette of these questions, each with its answer.
fn document(calls: &[(String, String)]) -> Vec<u8> {
    let quoted = |text: &str| Json::from(text).print(Layout::Compact);
    let store = MemoryStore::default();
    let rerun = Rerun { package: "p".into(), target: Target::Test("t".into()), test: "t".into(), ignored: false };
    let session = Session::open(Plan::new("c", Arc::new(store.clone()), Mode::Record, "t::t", rerun)).unwrap();
    for (question, answer) in calls {
        let body =
            format!(r#"{{"model":"gpt-4o-mini","messages":[{{"role":"user","content":{}}}]}}"#, quoted(question));
        let url = "https://api.openai.com/v1/chat/completions";
        let Step::Live(ticket) = session.begin(Call::http("POST", url, Vec::new(), body.into_bytes())) else {
            panic!("a call did not go live");
        };
        let reply =
            format!(r#"{{"choices":[{{"index":0,"message":{{"role":"assistant","content":{}}}}}]}}"#, quoted(answer));
        let chunks = vec![Chunk { bytes: reply.into_bytes(), at: Some(Duration::from_millis(100)) }];
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        let reply = Reply { status: 200, headers, chunks, trailers: Vec::new(), truncated: None };
        ticket.finish(Outcome::Reply(reply)).unwrap();
    }
    assert!(session.finish(BodyEnd::Passed).reports.is_empty());
    store.load("c").unwrap().unwrap()
}

type Calls = Vec<(String, String)>;

/// Returns what was compared: of each cassette its name, and its calls before and after.
fn compared(cassettes: &[(String, Option<Calls>, Option<Calls>)], base: &str) -> Compared {
    let one = |(name, before, after): &(String, Option<Calls>, Option<Calls>)| {
        let [before, after] = [before, after].map(|calls| calls.as_ref().map(|calls| document(calls)));
        compare(name, before.as_deref(), after.as_deref(), [None; 2])
    };
    let all = cassettes.iter().filter_map(one).collect();
    let (base, command) = (base.to_owned(), format!("cargo cassette diff --base {base}"));
    let (advice, prices, unseen) = (Advice::default(), PriceList::default(), Vec::new());
    Compared { base, command, all, files: None, advice, prices, unseen }
}

/// Checks that a reader of Markdown finds every block closed: nothing stands in another's fence or element.
fn check(text: &str) {
    let (mut fence, mut open) = (None, 0);
    for line in text.lines() {
        let ticks = line.chars().take_while(|c| *c == '`').count();
        match fence {
            Some(length) if ticks >= length && line.trim_end().len() == ticks => fence = None,
            Some(_) => {}
            None if ticks >= 3 => fence = Some(ticks),
            // Elsewhere it stands in a stretch of code.
            None => {
                open += i32::from(line.starts_with("<details>"));
                open -= i32::from(line.starts_with("</details>"));
                assert!((0..=1).contains(&open), "{text}");
            }
        }
    }
    assert_eq!((fence, open), (None, 0), "{text}");
}

/// Texts of pieces that Markdown, HTML and terminals take for something.
fn text() -> impl Strategy<Value = String> {
    let pieces = [
        "```",
        "`",
        "~~~\n",
        "</details>",
        "<details>",
        "| a | b |\n|---|---|\n",
        "\n",
        "\n\n",
        "# 1\n",
        "- [ ] x\n",
        "word ",
        "列車は九時に",
        "\u{1f682}",
        "e\u{301}",
        "\t",
        "\r\n",
        "\u{202e}",
        "<!--",
        "&amp;",
        "\\",
        "\u{2028}",
        "@@",
        "+ ",
        "- ",
    ];
    let piece = (proptest::sample::select(pieces.to_vec()), prop_oneof![4 => 1..4usize, 1 => 50..900usize]);
    proptest::collection::vec(piece, 1..6)
        .prop_map(|pieces| pieces.into_iter().map(|(piece, times)| piece.repeat(times)).collect())
}

fn calls() -> impl Strategy<Value = Option<Calls>> {
    proptest::option::weighted(0.8, proptest::collection::vec((text(), text()), 1..5))
}

fn cassettes() -> impl Strategy<Value = Vec<(String, Option<Calls>, Option<Calls>)>> {
    proptest::collection::vec((text(), calls(), calls()), 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_comment_fits_and_every_block_in_it_is_closed(cassettes in cassettes(), base in text(), most in 3_000..20_000usize) {
        let compared = compared(&cassettes, &base);
        let whole = within(&compared, usize::MAX / 4);
        check(&whole);
        let text = within(&compared, most);
        prop_assert!(text.len() <= most, "{} of {most}", text.len());
        check(&text);
        // What is not there is told, with what shows it.
        let is_told = text.contains(" not shown here: it would be too long. See `");
        prop_assert_eq!(is_told, text != whole);
        let end = format!(" {}.\n", code(&compared.command));
        prop_assert!(!is_told || text.ends_with(&end));
    }
}

#[test]
fn a_big_one_takes_no_room_from_the_small_ones() {
    let many = |word: &str| Some((0..200).map(|i| (format!("{word} {i}?"), "word ".repeat(90))).collect::<Calls>());
    // Each of the small ones takes more than is kept for it in any case.
    let one = |question: &str| Some((0..8).map(|i| (format!("{i}. {question}"), "At nine.".to_owned())).collect());
    let mut cassettes = vec![("a".to_owned(), None, many("When")), ("b".to_owned(), many("Where"), None)];
    cassettes.extend((0..20).map(|i| (format!("c{i}"), one("When?"), one("When, on Sunday?"))));
    let comment = comment(&compared(&cassettes, "main"));
    check(&comment);
    assert!((60_000..=MOST).contains(&comment.len()), "{}", comment.len());
    assert_eq!(comment.matches("When, on Sunday?\"\n").count(), 160, "each of the small ones is whole");
    assert_eq!(comment.matches("more lines, not shown here").count(), 2);
    assert!(comment.ends_with(
        "\n\nSome lines are not shown here: it would be too long. See `cargo cassette diff --base main`.\n"
    ));
}

#[test]
fn a_long_line_does_not_hide_those_behind_it() {
    let long = "列".repeat(34_000);
    let calls = vec![(long, "```".repeat(20_000)), ("Where?".to_owned(), "Here.".to_owned())];
    let comment = comment(&compared(&[("a".to_owned(), None, Some(calls))], "main"));
    check(&comment);
    insta::assert_snapshot!(comment);
}

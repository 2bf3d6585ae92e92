//! What many calls cost: a call costs what it costs, however many came before.

use std::time::{Duration, Instant};

use cassette_core::call::Call;
use cassette_core::mode::Mode;
use cassette_core::session::BodyEnd;
use cassette_core::store::MemoryStore;

use crate::bench_of_calls::{codes, gone, plan, run, tool, value};

/// Returns what this many calls cost as they are recorded and replayed.
fn cost(calls: &[Call]) -> (Duration, Duration) {
    let store = MemoryStore::default();
    let timed = |mode, answer: &mut dyn FnMut(&Call) -> cassette_core::reply::Outcome| {
        let start = Instant::now();
        let (got, verdict) = run(plan(&store, mode), calls, |call| answer(call), BodyEnd::Passed);
        assert_eq!((codes(&verdict).len(), got.len()), (0, calls.len()));
        start.elapsed()
    };
    let mut number = 0;
    let recorded = timed(Mode::Record, &mut |_| {
        number += 1;
        value(&number.to_string())
    });
    (recorded, timed(Mode::Replay, &mut |call| gone(call)))
}

#[test]
#[ignore = "it measures: cargo test -p cassette-core --test suite costs -- --ignored --nocapture"]
#[expect(clippy::print_stderr, reason = "what it measures is for whoever runs it")]
fn costs_of_many_calls() {
    for count in [1000, 2000, 4000, 8000] {
        let equal: Vec<Call> = (0..count).map(|_| tool("same", "{}")).collect();
        let other: Vec<Call> = (0..count).map(|i| tool("other", &format!("{{\"x\":{i}}}"))).collect();
        let ((recorded, replayed), (others, other)) = (cost(&equal), cost(&other));
        eprintln!("{count}: equal {recorded:.1?} recorded, {replayed:.1?} replayed; others {others:.1?}, {other:.1?}");
    }
}

#[test]
#[ignore = "it measures: cargo test -p cassette-core --test suite costs -- --ignored --nocapture"]
#[expect(clippy::print_stderr, reason = "what it measures is for whoever runs it")]
fn costs_of_a_conversation_that_grows() {
    let said = "The night train from Bergen was late again, and nobody at the station could say why it stood there. "
        .repeat(8);
    for turns in [50, 100, 200, 400] {
        let ((recorded, replayed), bytes) = (cost(&conversation(turns, &said, "")), turns * turns * said.len() / 2);
        eprintln!("{turns} turns, {} KB asked: {recorded:.1?} recorded, {replayed:.1?} replayed", bytes / 1024);
    }
    let letters =
        std::iter::successors(Some(1_u32), |last| Some(last.wrapping_mul(1_664_525).wrapping_add(1_013_904_223)));
    let image: String =
        letters.take(1_000_000).map(|i| char::from(b"ABCDEFGHIJKLMNOPabcdefghijklmnop"[(i >> 27) as usize])).collect();
    for turns in [1, 2, 4, 8] {
        let (recorded, replayed) = cost(&conversation(turns, &said, &image));
        eprintln!("{turns} turns with an image of 1 MB: {recorded:.1?} recorded, {replayed:.1?} replayed");
    }
}

/// Returns the calls of a conversation, each of which says again all that was said before.
fn conversation(turns: usize, said: &str, image: &str) -> Vec<Call> {
    let image = match image {
        "" => String::new(),
        image => format!(
            r#"{{"role":"user","content":[{{"type":"image_url","image_url":{{"url":"data:image/png;base64,{image}"}}}}]}},"#
        ),
    };
    let turn = |i: usize| format!(r#"{{"role":"user","content":"{i} {said}"}}"#);
    let call = |count: usize| {
        let messages: Vec<_> = (0..=count).map(turn).collect();
        let body = format!(r#"{{"model":"gpt-4o-mini","messages":[{image}{}]}}"#, messages.join(","));
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Call::http("POST", "https://api.openai.com/v1/chat/completions", headers, body.into_bytes())
    };
    (0..turns).map(call).collect()
}

#[test]
#[ignore = "it measures: cargo test -p cassette-core --test suite costs -- --ignored --nocapture"]
#[expect(clippy::print_stderr, reason = "what it measures is for whoever runs it")]
fn costs_of_values_that_are_hidden_in_replies() {
    let logs_in = |i: usize| tool("log_in", &format!("{{\"user\":{i}}}"));
    let goes_on = |i: usize| {
        let headers = vec![("authorization".to_owned(), format!("Bearer tok-alice-{i}"))];
        Call::http("POST", "https://api.example.com/v1/next", headers, format!("{{\"page\":{i}}}").into_bytes())
    };
    let all: [(&str, &dyn Fn(usize) -> Call); 2] =
        [("are each given a value", &logs_in), ("send on what they were given", &goes_on)];
    for (count, (what, call)) in [50, 100, 200].into_iter().flat_map(|count| all.map(|kind| (count, kind))) {
        let calls: Vec<Call> = (0..count).map(call).collect();
        let store = MemoryStore::default();
        let start = Instant::now();
        let mut number = 0;
        let answer = |_: &Call| {
            number += 1;
            value(&format!(r#"{{"access_token":"tok-alice-{number}","name":"Alice"}}"#))
        };
        let (_, verdict) = run(plan(&store, Mode::Record), &calls, answer, BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0]);
        eprintln!("{count} calls that {what}: {:.1?} recorded", start.elapsed());
    }
}

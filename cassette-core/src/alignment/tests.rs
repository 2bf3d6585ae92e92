//! What is told of two cassettes, a line a change.

use std::time::Duration;

use super::{Aspect, Pair, Place, diff};
use crate::call::Call;
use crate::digested::{Digested, Digests};
use crate::key::{Key, Salt};
use crate::matching::Matching;
use crate::redact::{Depth, Rules, Secrets, redact_call};
use crate::reply::{Chunk, Outcome, Reply};
use crate::report::Shown;
use crate::tape::{Asked, Head, Interaction, Tape};

fn reply(body: &str) -> Outcome {
    let chunks = vec![Chunk { bytes: body.as_bytes().to_vec(), at: Some(Duration::ZERO) }];
    let headers = vec![
        ("content-type".to_owned(), "application/json".to_owned()),
        ("x-request-id".to_owned(), body.len().to_string()),
    ];
    Outcome::Reply(Reply { status: 200, headers, chunks, trailers: Vec::new(), truncated: None })
}

fn recorded(body: &str, outcome: Outcome) -> Interaction {
    let call = Call::http("POST", "https://api.openai.com/v1/chat/completions", Vec::new(), body.as_bytes().to_vec());
    Interaction { key: Key::over([]), asked: Asked::Whole(call), within: None, overlaps: false, outcome }
}

fn ask(question: &str, answer: &str) -> Interaction {
    recorded(
        &format!(r#"{{"model":"m","messages":[{{"role":"user","content":"{question}"}}]}}"#),
        reply(&format!(
            r#"{{"id":"chatcmpl-{0}","created":{0},"choices":[{{"message":{{"content":"{answer}"}},"finish_reason":"stop"}}],"usage":{{"prompt_tokens":9,"completion_tokens":{0},"total_tokens":{0}}}}}"#,
            answer.len()
        )),
    )
}

fn tape(interactions: Vec<Interaction>) -> Tape {
    Tape { interactions, ..Tape::default() }
}

/// Checks what is told, a line a call that is not the same.
#[track_caller]
fn check(a: Vec<Interaction>, b: Vec<Interaction>, expected: &[&str]) {
    let alignment = diff(&tape(a), &tape(b));
    let told: Vec<_> = alignment.pairs.iter().filter(|pair| !pair.is_same()).flat_map(lines).collect();
    assert_eq!(told, expected);
    assert_eq!(alignment.is_same(), expected.is_empty());
    assert_eq!(alignment.first_divergence().is_none(), expected.is_empty());
}

fn lines(pair: &Pair) -> Vec<String> {
    let at = |place: Option<usize>| place.map_or("-".to_owned(), |place| (place + 1).to_string());
    let moved = if pair.place == Place::Moved { " moved" } else { "" };
    let head = format!("{} {}{moved}", at(pair.before), at(pair.after));
    let changes = pair.changes.iter().filter(|change| !change.told_before && !change.follows).map(|change| {
        let shown = change.difference.shown.iter().map(|Shown { recorded, incoming }| {
            format!("{} -> {}", recorded.as_deref().unwrap_or("-"), incoming.as_deref().unwrap_or("-"))
        });
        format!("  {} {}: {}", change.aspect.as_str(), change.difference.path, shown.collect::<Vec<_>>().join("; "))
    });
    std::iter::once(head).chain(changes).collect()
}

#[test]
fn the_same_call_is_the_same() {
    check(
        vec![ask("When?", "At 9."), ask("Where?", "There.")],
        vec![ask("When?", "At 9."), ask("Where?", "There.")],
        &[],
    );
}

#[test]
fn a_call_that_was_added_shifts_no_other() {
    let [a, b, c] = [ask("When?", "At 9."), ask("Where?", "There."), ask("How much does it cost?", "A lot.")];
    check(vec![a.clone(), c.clone()], vec![a.clone(), b.clone(), c.clone()], &["- 2"]);
    check(vec![a.clone(), b.clone(), c.clone()], vec![a.clone(), c.clone()], &["2 -"]);
    check(vec![a.clone(), b.clone(), c.clone()], vec![c, a, b], &["3 1 moved"]);
}

#[test]
fn answer_prompt_and_tokens_are_told_as_what_they_are_and_ids_are_noise() {
    check(
        vec![ask("When does it leave?", "At 9.")],
        vec![ask("When does it arrive?", "At 10.")],
        &[
            "1 1",
            r#"  prompt messages[0].content: "When does it leave?" -> "When does it arrive?""#,
            r#"  answer text: "At 9." -> "At 10.""#,
            "  usage tokens.output: 5 -> 6",
        ],
    );
    let alignment = diff(&tape(vec![ask("When?", "At 9.")]), &tape(vec![ask("When?", "At 10.")]));
    // The reply's id, its date, and the header with the request's id.
    assert_eq!(alignment.noise(), 3);
}

#[test]
fn another_spelling_of_what_is_no_models_is_told_and_of_what_is_it_is_counted() {
    let get = |body: &str| {
        let call = Call::http("GET", "https://api.timetable.example/v1/trains", Vec::new(), Vec::new());
        Interaction {
            key: Key::over([]),
            asked: Asked::Whole(call),
            within: None,
            overlaps: false,
            outcome: reply(body),
        }
    };
    for (before, after) in [
        (r#"{"v":1}"#, r#"{"v":1.0}"#),
        (r#"{"v":-0}"#, r#"{"v":0}"#),
        (r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#),
        (r#"{"v":"\u00e9"}"#, r#"{"v":"é"}"#),
        (r#"{"v":1}"#, "{ \"v\": 1 }"),
    ] {
        let alignment = diff(&tape(vec![get(before)]), &tape(vec![get(after)]));
        let told = lines(alignment.first_divergence().expect(after));
        let told = told.iter().find_map(|line| line.strip_prefix("  answer "));
        assert!(told.is_some_and(|told| told.contains(" -> ")), "{before} {after}: {told:?}");
    }
    let spaced = |interaction: Interaction| {
        let Outcome::Reply(mut reply) = interaction.outcome else { panic!("it is a reply") };
        reply.chunks[0].bytes.insert(1, b' ');
        Interaction { outcome: Outcome::Reply(reply), ..interaction }
    };
    let alignment = diff(&tape(vec![ask("When?", "At 9.")]), &tape(vec![spaced(ask("When?", "At 9."))]));
    assert!(alignment.is_same());
    assert_eq!((alignment.noise(), alignment.respelled()), (0, 1), "it is no more another one with every recording");
}

#[test]
fn what_a_replay_goes_by_is_told_beside_what_was_said() {
    let outer = ask("Where?", "There.");
    let inner = |within| Interaction { within, ..ask("When?", "At 9.") };
    let within = ["2 2", r#"  within within: - -> "POST https://api.openai.com/v1/chat/completions (1)""#];
    check(vec![outer.clone(), inner(None)], vec![outer.clone(), inner(Some(0))], &within);
    // Another one before both shifts their numbers.
    let more = ask("How much does it cost?", "A lot.");
    check(vec![outer.clone(), inner(Some(0))], vec![more, outer.clone(), inner(Some(1))], &["- 1"]);
    let ended = |edit: fn(&mut Reply)| {
        let Outcome::Reply(mut reply) = reply(r#"{"v":1}"#) else { panic!("it is a reply") };
        edit(&mut reply);
        recorded("{}", Outcome::Reply(reply))
    };
    let status = |reply: &mut Reply| reply.trailers = vec![("grpc-status".to_owned(), "0".to_owned())];
    let failed = |reply: &mut Reply| reply.trailers = vec![("grpc-status".to_owned(), "13".to_owned())];
    check(vec![ended(status)], vec![ended(failed)], &["1 1", r#"  ending @trailer.grpc-status: "0" -> "13""#]);
    let stream = |end: &str| {
        let event = r#"{"choices":[{"delta":{"content":"At 9."},"finish_reason":"stop"}]}"#;
        let Outcome::Reply(mut reply) = reply(&format!("data: {event}\n\n{end}")) else { panic!("it is a reply") };
        reply.headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
        recorded(r#"{"model":"m","messages":[],"stream":true}"#, Outcome::Reply(reply))
    };
    check(vec![stream("data: [DONE]\n\n")], vec![stream("")], &["1 1", r#"  ending stream.end: "[DONE]" -> -"#]);
}

#[test]
fn the_pieces_of_a_stream_do_not_count() {
    let event = |text: &str, finish: &str| {
        format!(
            "data: {{\"id\":\"c\",\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}},\"finish_reason\":{finish}}}]}}\n\n"
        )
    };
    let stream = |pieces: &[&str]| {
        let body: String = pieces.iter().map(|piece| event(piece, "null")).collect();
        let Outcome::Reply(mut reply) = reply(&(body + &event("", "\"stop\""))) else { panic!("it is a reply") };
        reply.headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
        recorded(r#"{"model":"m","messages":[],"stream":true}"#, Outcome::Reply(reply))
    };
    check(vec![stream(&["At ", "9", "."])], vec![stream(&["At 9", "."])], &[]);
    check(
        vec![stream(&["At ", "9."])],
        vec![stream(&["At ", "10."])],
        &["1 1", r#"  answer text: "At 9." -> "At 10.""#],
    );
}

#[test]
fn an_id_that_later_requests_take_up_is_noise_and_what_else_a_reply_holds_is_not() {
    let call = |id: &str, city: &str, tier: &str| {
        recorded(
            r#"{"model":"m","messages":[{"role":"user","content":"When?"}]}"#,
            reply(&format!(
                r#"{{"choices":[{{"message":{{"content":null,"tool_calls":[{{"id":"{id}","type":"function","function":{{"name":"look","arguments":"{{\"city\":\"{city}\"}}"}}}}]}}}}],"service_tier":"{tier}"}}"#
            )),
        )
    };
    let result = |id: &str| {
        recorded(
            &format!(
                r#"{{"model":"m","messages":[{{"role":"user","content":"When?"}},{{"role":"tool","tool_call_id":"{id}","content":"9"}}]}}"#
            ),
            reply(r#"{"choices":[]}"#),
        )
    };
    check(
        vec![call("call_a1", "Bergen", "default"), result("call_a1")],
        vec![call("call_b2", "Bergen", "default"), result("call_b2")],
        &[],
    );
    check(
        vec![call("call_a1", "Bergen", "default"), result("call_a1")],
        vec![call("call_b2", "Oslo", "flex"), result("call_c3")],
        &[
            "1 1",
            r#"  tool-call tool_calls[0].arguments.city: "Bergen" -> "Oslo""#,
            r#"  reply service_tier: "default" -> "flex""#,
            "2 2",
            r#"  prompt messages[1].tool_call_id: "call_b2" -> "call_c3""#,
        ],
    );
}

#[test]
fn ids_of_calls_are_noise_whatever_they_look_like_and_however_the_reply_came() {
    let asked = r#"{"model":"m","messages":[{"role":"user","content":"When?"}]}"#;
    let called = |ids: &[&str], field: &str| {
        let one = |(i, id): (usize, &&str)| {
            format!(r#"{{"index":{i},"id":"{id}","type":"function","function":{{"name":"look","arguments":"{{}}"}}}}"#)
        };
        let calls: Vec<_> = ids.iter().enumerate().map(one).collect();
        format!(r#"{{"id":"c","choices":[{{"{field}":{{"tool_calls":[{}]}}}}]}}"#, calls.join(","))
    };
    let whole = |ids: &[&str]| recorded(asked, reply(&called(ids, "message")));
    let streamed = |ids: &[&str]| {
        let Outcome::Reply(mut reply) = reply(&format!("data: {}\n\n", called(ids, "delta"))) else { unreachable!() };
        reply.headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
        recorded(asked, Outcome::Reply(reply))
    };
    let results = |ids: &[&str]| {
        let one = |id: &&str| format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"call_AAA"}}"#);
        let said: Vec<_> = ids.iter().map(one).collect();
        recorded(&format!(r#"{{"model":"m","messages":[{}]}}"#, said.join(",")), reply(r#"{"choices":[]}"#))
    };
    let noise = |a: Vec<Interaction>, b: Vec<Interaction>| {
        let alignment = diff(&tape(a), &tape(b));
        alignment.pairs[1].changes.iter().map(|change| change.difference.path.clone()).collect::<Vec<_>>()
    };
    let [ours, theirs] = [["call_AAA", "call_BBB"], ["call_XXX", "call_YYY"]];
    assert_eq!(noise(vec![whole(&ours), results(&ours)], vec![whole(&theirs), results(&theirs)]), [""; 0]);
    assert_eq!(noise(vec![whole(&ours), results(&ours)], vec![streamed(&theirs), results(&theirs)]), [""; 0]);
    let [ours, theirs] = [["call_45048949"], ["call_27480597"]];
    assert_eq!(noise(vec![streamed(&ours), results(&ours)], vec![whole(&theirs), results(&theirs)]), [""; 0]);
    // A result that now stands under the other call's id is something else, and so is an id that no reply gave.
    let [ours, theirs] = [["call_AAA", "call_BBB"], ["call_XXX", "call_YYY"]];
    let swapped = ["call_YYY", "call_XXX"];
    assert_eq!(noise(vec![whole(&ours), results(&ours)], vec![whole(&theirs), results(&swapped)]).len(), 2);
    let invented = ["call_XXX", "call_ZZZ"];
    let told = noise(vec![whole(&ours), results(&ours)], vec![whole(&theirs), results(&invented)]);
    assert_eq!(told, ["messages[1].tool_call_id"]);
}

#[test]
fn tokens_are_counted_in_one_shape_whatever_a_provider_counts_within_what() {
    let said = |name: &str, usage: &str| {
        let (method, url) = name.split_once(' ').unwrap();
        let body = br#"{"model":"m","messages":[{"role":"user","content":"When?"}]}"#.to_vec();
        let asked = Asked::Whole(Call::http(method, url, Vec::new(), body));
        Interaction { asked, ..recorded("", reply(&format!(r#"{{"choices":[],"usage":{usage}}}"#))) }
    };
    let usage = |cached: u64, said: u64, thought: u64| {
        format!(
            r#"{{"prompt_tokens":100,"completion_tokens":{said},"prompt_tokens_details":{{"cached_tokens":{cached}}},"completion_tokens_details":{{"reasoning_tokens":{thought}}}}}"#
        )
    };
    let openai = "POST https://api.openai.com/v1/chat/completions";
    check(
        vec![said(openai, &usage(60, 50, 20))],
        vec![said(openai, &usage(90, 50, 30))],
        &[
            "1 1",
            "  usage tokens.input: 40 -> 10",
            "  usage tokens.cached: 60 -> 90",
            "  usage tokens.reasoning: 20 -> 30",
        ],
    );
    // Grok counts what it thought beside its answer.
    let xai = "POST https://api.x.ai/v1/chat/completions";
    check(
        vec![said(xai, &usage(60, 50, 20))],
        vec![said(xai, &usage(60, 50, 30))],
        &["1 1", "  usage tokens.output: 70 -> 80", "  usage tokens.reasoning: 20 -> 30"],
    );
}

#[test]
fn of_a_call_that_fails_now_the_failure_comes_first_and_what_follows_from_it_is_marked() {
    let failed = |status: u16, body: &str| {
        let Outcome::Reply(reply) = reply(body) else { panic!("it is a reply") };
        recorded(
            r#"{"model":"m","messages":[{"role":"user","content":"Where?"}]}"#,
            Outcome::Reply(Reply { status, ..reply }),
        )
    };
    let overloaded = failed(503, r#"{"error":{"message":"Overloaded."}}"#);
    let told = |a: &Interaction, b: &Interaction| {
        let alignment = diff(&tape(vec![a.clone()]), &tape(vec![b.clone()]));
        let changes = alignment.pairs[0].changes.iter();
        changes.map(|change| (change.difference.path.clone(), change.follows)).collect::<Vec<_>>()
    };
    let answered = ask("When?", "At 9.");
    let changes = told(&answered, &overloaded);
    let (shown, folded): (Vec<_>, Vec<_>) = changes.into_iter().partition(|(_, follows)| !follows);
    let shown: Vec<_> = shown.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(shown, ["status", "error.message", "messages[0].content"]);
    let folded: Vec<_> = folded.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(folded, ["text", "finish", "tokens.input", "tokens.output"]);
    assert_eq!(told(&overloaded, &answered)[0].0, "status");
    // Between two failures nothing is folded.
    assert!(
        told(&overloaded, &failed(429, r#"{"error":{"message":"Slow down."}}"#)).iter().all(|(_, follows)| !follows)
    );
}

#[test]
fn any_other_body_is_compared_whole() {
    let get = |at: &str| Interaction {
        asked: Asked::Whole(Call::http("GET", "https://timetable.example.com/next", Vec::new(), Vec::new())),
        ..recorded("", reply(&format!(r#"{{"id":7,"at":"{at}"}}"#)))
    };
    check(vec![get("09:04")], vec![get("09:14")], &["1 1", r#"  answer at: "09:04" -> "09:14""#]);
}

#[test]
fn what_a_conversation_repeats_is_told_once() {
    let again = |answer: &str| {
        recorded(
            &format!(
                r#"{{"model":"m","messages":[{{"role":"user","content":"When?"}},{{"role":"assistant","content":"{answer}"}},{{"role":"user","content":"Sure?"}}]}}"#
            ),
            reply(r#"{"choices":[]}"#),
        )
    };
    let (a, b) = (tape(vec![ask("When?", "At 9."), again("At 9.")]), tape(vec![ask("When?", "At 8."), again("At 8.")]));
    let alignment = diff(&a, &b);
    let told: Vec<_> =
        alignment.pairs.iter().flat_map(|pair| &pair.changes).map(|it| (it.aspect, it.told_before)).collect();
    assert_eq!(told, [(Aspect::Answer, false), (Aspect::Prompt, true)]);
    assert!(!alignment.pairs[1].is_same());
}

#[test]
fn a_value_is_not_taken_for_words_because_it_occurs_in_them() {
    let tiered = |tier: &str| {
        recorded(
            "{}",
            reply(&format!(r#"{{"choices":[{{"message":{{"content":"flex or default"}}}}],"tier":"{tier}"}}"#)),
        )
    };
    check(vec![tiered("flex")], vec![tiered("default")], &["1 1", r#"  reply tier: "flex" -> "default""#]);
}

#[test]
fn a_call_that_moved_and_changed_is_the_likest_one_and_not_the_one_in_its_place() {
    let [a, b, c] =
        [ask("When?", "At 9."), ask("What does the ticket cost?", "A lot."), ask("Which carriage has food?", "Four.")];
    let seat = ask("Is there a window seat left?", "Two.");
    let twice = ask("What does the ticket cost for two?", "A lot.");
    check(
        vec![a.clone(), b.clone(), c.clone()],
        vec![a.clone(), seat.clone(), c.clone(), twice.clone()],
        &[
            "- 2",
            "2 4 moved",
            r#"  prompt messages[0].content: "What does the ticket cost?" -> "What does the ticket cost for two?""#,
        ],
    );
    // Where nothing is alike, what stands in its place is it, changed.
    check(
        vec![a.clone(), b, c.clone()],
        vec![a, seat, c],
        &[
            "2 2",
            r#"  prompt messages[0].content: "What does the ticket cost?" -> "Is there a window seat left?""#,
            r#"  answer text: "A lot." -> "Two.""#,
            "  usage tokens.output: 6 -> 4",
        ],
    );
}

#[test]
fn turns_of_a_conversation_that_changed_at_its_beginning_stay_in_their_order() {
    let turns = |opening: &str| {
        let turn = |n: usize| {
            let more: String = (0..n)
                .map(|i| {
                    format!(r#",{{"role":"assistant","content":"step {i}"}},{{"role":"tool","content":"result {i}"}}"#)
                })
                .collect();
            recorded(
                &format!(r#"{{"model":"m","messages":[{{"role":"user","content":"{opening}"}}{more}]}}"#),
                reply(r#"{"choices":[]}"#),
            )
        };
        (0..12).map(turn).collect::<Vec<_>>()
    };
    let alignment = diff(&tape(turns("Book a train to Bergen.")), &tape(turns("Please book me a train to Bergen.")));
    let places: Vec<_> = alignment.pairs.iter().map(|pair| (pair.before, pair.after, pair.place)).collect();
    let expected: Vec<_> = (0..12).map(|i| (Some(i), Some(i), Place::Kept)).collect();
    assert_eq!(places, expected);
}

/// A call of which digests are kept.
fn digested(question: &str, answer: &str) -> Interaction {
    let whole = ask(question, answer);
    let call = whole.call().unwrap().clone();
    let redacted = redact_call(&call, &Rules::default(), Depth::Known, &mut Secrets::default());
    let (key, digested) = Digested::of(&redacted, &Matching::default(), &Salt::of("trains", "it_answers"));
    Interaction { key, asked: Asked::Digest(digested), ..whole }
}

fn tape_of_digests(salt: &str, interactions: Vec<Interaction>) -> Tape {
    let digests = Digests::of(Salt::of("trains", salt), &Matching::default(), &Rules::default());
    Tape { head: Head { digests: Some(digests), ..Head::default() }, interactions }
}

fn told(a: &Tape, b: &Tape) -> Vec<String> {
    let alignment = diff(a, b);
    let head = alignment.head.iter().map(|difference| format!("head {}", difference.path));
    head.chain(alignment.pairs.iter().filter(|pair| !pair.is_same()).flat_map(lines)).collect()
}

#[test]
fn calls_kept_as_digests_are_aligned_by_key_and_their_answers_compared() {
    let a = tape_of_digests("it_answers", vec![digested("When?", "At 9."), digested("What does it cost?", "A lot.")]);
    let same =
        tape_of_digests("it_answers", vec![digested("When?", "At 9."), digested("What does it cost?", "A lot.")]);
    assert_eq!(told(&a, &same), [""; 0]);
    let other = vec![
        digested("Is there a seat?", "Two."),
        digested("When?", "At 10."),
        digested("What does it cost?", "A lot."),
    ];
    assert_eq!(
        told(&a, &tape_of_digests("it_answers", other)),
        ["- 1", "1 2", r#"  answer text: "At 9." -> "At 10.""#, "  usage tokens.output: 5 -> 6"]
    );
    let changed = vec![digested("When does it leave?", "At 9."), digested("What does it cost?", "A lot.")];
    assert_eq!(
        told(&a, &tape_of_digests("it_answers", changed)),
        ["1 1", "  prompt messages: 1 of 1 kept as digests -> 1 of 1 kept as digests"]
    );
}

#[test]
fn digests_of_another_make_and_requests_are_held_against_them_by_name_alone() {
    let a = tape_of_digests("it_answers", vec![digested("When?", "At 9.")]);
    let other = tape_of_digests("another_test", vec![digested("Where?", "At 9.")]);
    assert_eq!(told(&a, &other), ["head digests.salt"]);
    let whole = tape(vec![ask("Where?", "At 10.")]);
    assert_eq!(
        told(&a, &whole),
        ["head digests", "1 1", r#"  answer text: "At 9." -> "At 10.""#, "  usage tokens.output: 5 -> 6"]
    );
}

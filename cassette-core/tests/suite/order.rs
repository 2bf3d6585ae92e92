//! In which order recordings are served, and what is said where it is another.

use cassette_core::matching::Matching;
use cassette_core::mode::Mode;
use cassette_core::policy::{Order, Unused};
use cassette_core::session::{BodyEnd, Plan, Session, Step};
use cassette_core::store::MemoryStore;

use crate::bench_of_calls::{ask, codes, counting, gone, make, plan, record, reply, run};

fn strict(store: &MemoryStore) -> Plan {
    Plan { order: Order::Strict, ..plan(store, Mode::Replay) }
}

#[test]
fn swapped_calls_each_get_their_own_answer_and_a_note() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen"), ask("Oslo")]);
    let (got, verdict) = run(plan(&store, Mode::Replay), &[ask("Oslo"), ask("Bergen")], gone, BodyEnd::Passed);
    assert_eq!(got, [Ok(reply(200, "answer 2")), Ok(reply(200, "answer 1"))]);
    assert_eq!(codes(&verdict), [""; 0]);
    insta::assert_snapshot!(verdict.summary.to_string());
}

#[test]
fn swapped_calls_fail_a_strict_order_naming_both_positions() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen"), ask("Oslo")]);
    let (got, verdict) = run(strict(&store), &[ask("Oslo"), ask("Bergen")], gone, BodyEnd::Passed);
    assert_eq!(got, [Err("misplaced"), Err("misplaced")]);
    insta::assert_snapshot!(verdict.reports[0].to_string());
}

#[test]
fn calls_that_overlapped_may_swap_in_a_strict_order() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let begin = |prompt: &str| match session.begin(ask(prompt)) {
        Step::Live(ticket) => ticket,
        other => panic!("{other:?}"),
    };
    let (first, second) = (begin("Oslo"), begin("Bergen"));
    second.finish(reply(200, "to Bergen")).unwrap();
    first.finish(reply(200, "to Oslo")).unwrap();
    begin("Voss").finish(reply(200, "to Voss")).unwrap();
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);

    let swapped = [ask("Oslo"), ask("Bergen"), ask("Voss")];
    let (got, verdict) = run(strict(&store), &swapped, gone, BodyEnd::Passed);
    assert_eq!(got, [Ok(reply(200, "to Oslo")), Ok(reply(200, "to Bergen")), Ok(reply(200, "to Voss"))]);
    assert_eq!(codes(&verdict), [""; 0]);
    assert!(verdict.summary.is_quiet());
    let (got, _) = run(strict(&store), &[ask("Voss")], gone, BodyEnd::Passed);
    assert_eq!(got, [Err("misplaced")]);
}

#[test]
fn overlapping_calls_are_filed_in_an_order_that_no_scheduler_decides() {
    let files = [["Oslo", "Bergen"], ["Bergen", "Oslo"]].map(|prompts| {
        let store = MemoryStore::default();
        let session = Session::open(plan(&store, Mode::Record)).unwrap();
        let tickets = prompts.map(|prompt| match session.begin(ask(prompt)) {
            Step::Live(ticket) => (ticket, prompt),
            other => panic!("{other:?}"),
        });
        for (ticket, prompt) in tickets {
            ticket.finish(reply(200, prompt)).unwrap();
        }
        session.finish(BodyEnd::Passed);
        crate::bench_of_calls::file(&store)
    });
    assert_eq!(files[0], files[1]);
}

#[test]
fn the_first_miss_latches() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen"), ask("Oslo")]);
    let calls = [ask("Bergen"), ask("Voss"), ask("Oslo")];
    let (got, verdict) = run(plan(&store, Mode::Replay), &calls, gone, BodyEnd::Passed);
    assert_eq!(got, [Ok(reply(200, "answer 1")), Err("mismatch"), Err("mismatch")]);
    assert_eq!(codes(&verdict), ["mismatch"]);
    insta::assert_snapshot!(verdict.reports[0].to_string());
}

#[test]
fn asking_once_more_than_recorded_exhausts() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen"), ask("Bergen")]);
    let calls = [ask("Bergen"), ask("Bergen"), ask("Bergen")];
    let (got, verdict) = run(plan(&store, Mode::Replay), &calls, gone, BodyEnd::Passed);
    assert_eq!(got[2], Err("exhausted"));
    insta::assert_snapshot!(verdict.reports[0].to_string());
}

#[test]
fn what_nothing_asked_for_fails_a_passing_replay_alone() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen"), ask("Oslo")]);
    let (_, verdict) = run(plan(&store, Mode::Replay), &[ask("Bergen")], gone, BodyEnd::Passed);
    insta::assert_snapshot!(verdict.reports[0].to_string());
    let (_, verdict) = run(plan(&store, Mode::Replay), &[ask("Bergen")], gone, BodyEnd::Panicked);
    assert_eq!(codes(&verdict), [""; 0]);
    let allowing = Plan { unused: Unused::Allow, ..plan(&store, Mode::Replay) };
    let (_, verdict) = run(allowing, &[ask("Bergen")], gone, BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
}

#[test]
fn spelling_does_not_count() {
    let store = MemoryStore::default();
    record(&store, &[ask("Bergen")]);
    let mut call = ask("Bergen");
    call.body = br#"{ "messages": [{"content": "B\u0065rgen", "role": "user"}], "model": "gpt-4o-mini" }"#.to_vec();
    let (got, _) = run(plan(&store, Mode::Replay), &[call], gone, BodyEnd::Passed);
    assert_eq!(got, [Ok(reply(200, "answer 1"))]);
}

#[test]
fn a_header_counts_where_it_is_asked_for() {
    let tenant = |name: &str| {
        let mut call = ask("Bergen");
        call.headers.push(("x-tenant".into(), name.into()));
        call
    };
    let store = MemoryStore::default();
    let matching = |mode| {
        let matching = Matching { headers: vec!["x-tenant".into()], ..Matching::default() };
        Plan { matching, ..plan(&store, mode) }
    };
    let (_, verdict) = run(matching(Mode::Record), &[tenant("a"), tenant("b")], counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    let (got, _) = run(matching(Mode::Replay), &[tenant("b"), tenant("a")], gone, BodyEnd::Passed);
    assert_eq!(got, [Ok(reply(200, "answer 2")), Ok(reply(200, "answer 1"))]);
    let (got, _) = run(matching(Mode::Replay), &[tenant("c")], gone, BodyEnd::Passed);
    assert_eq!(got, [Err("mismatch")]);
}

#[test]
fn sixty_four_tasks_each_get_one_answer_of_their_own() {
    let store = MemoryStore::default();
    let calls: Vec<_> = (0..64).map(|_| ask("Bergen")).collect();
    record(&store, &calls);
    let session = Session::open(plan(&store, Mode::Replay)).unwrap();
    let mut answers: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..64).map(|_| scope.spawn(|| make(&session, &[ask("Bergen")], gone).remove(0))).collect();
        threads.into_iter().map(|thread| format!("{:?}", thread.join().unwrap().unwrap())).collect()
    });
    answers.sort();
    answers.dedup();
    assert_eq!(answers.len(), 64);
    assert_eq!(codes(&session.finish(BodyEnd::Passed)), [""; 0]);
}

//! Two runs of a test, compared.

use cassette_core::call::{Call, Kind};
use cassette_core::mode::Mode;
use cassette_core::reply::Outcome;
use cassette_core::run::{Fact, Run};
use cassette_core::session::{BodyEnd, Session, Step};
use cassette_core::store::MemoryStore;

use crate::bench_of_calls::{file, gone, make, plan, refused, typed};

/// One exchange of a run.
#[derive(Clone)]
struct Exchange {
    call: Call,
    outcome: Outcome,
}

/// Returns a model's exchange that sends this back and calls a tool for a town.
fn chat(sent: &str, id: &str, town: &str, tokens: u32) -> Exchange {
    let body =
        format!(r#"{{"model":"gpt-4o-mini","messages":[{{"role":"tool","tool_call_id":"{sent}","content":""}}]}}"#);
    let answer = format!(
        r#"{{"id":"chat-{id}","choices":[{{"message":{{"content":"a word {id}","tool_calls":[{{"id":"{id}","function":{{"name":"lookup","arguments":"{{\"to\": \"{town}\", \"of\": \"{sent}\"}}"}}}}]}}}}],"usage":{{"prompt_tokens":{tokens}}}}}"#
    );
    let call = Call::http("POST", "https://api.openai.com/v1/chat/completions", Vec::new(), body.into_bytes());
    Exchange { call, outcome: typed("application/json", &answer) }
}

/// Returns a call to a service that is no model.
fn lookup(id: &str, town: &str) -> Exchange {
    let body = format!(r#"{{"call":"{id}","to":"{town}"}}"#);
    let url = format!("https://api.example.com/trains/{id}?to={town}");
    Exchange {
        call: Call::http("POST", &url, Vec::new(), body.into_bytes()),
        outcome: typed("application/json", r#"{"at":"09:04"}"#),
    }
}

/// Makes the calls of a run live, these so many at once, and returns it.
fn live(exchanges: &[Exchange], at_once: usize) -> Run {
    let session = Session::open(plan(&MemoryStore::default(), Mode::Record)).unwrap();
    for together in exchanges.chunks(at_once) {
        let begin = |exchange: &Exchange| match session.begin(exchange.call.clone()) {
            Step::Live(ticket) => (ticket, exchange.outcome.clone()),
            other => panic!("{other:?}"),
        };
        let tickets: Vec<_> = together.iter().map(begin).collect();
        tickets.into_iter().for_each(|(ticket, outcome)| ticket.finish(outcome).unwrap());
    }
    let run = session.run();
    session.finish(BodyEnd::Passed);
    run
}

fn run(exchanges: &[Exchange]) -> Run {
    live(exchanges, 1)
}

/// A run of an agent in which every id hangs on `ids`.
fn agent(ids: &str) -> Vec<Exchange> {
    let id = |n: usize| format!("call_{ids}{n}");
    vec![chat("none", &id(1), "Bergen", 9), lookup(&id(1), "Bergen"), chat(&id(1), &id(2), "Oslo", 12)]
}

#[track_caller]
fn same(first: &Run, second: &Run) {
    if let Err(diverged) = first.same_as(second) {
        panic!("{diverged}");
    }
}

/// Returns the report of two runs that differ, which either order of them finds at the same call.
fn told(first: &[Exchange], second: &[Exchange]) -> String {
    let (first, second) = (run(first), run(second));
    let diverged = first.same_as(&second).unwrap_err();
    assert_eq!(second.same_as(&first).unwrap_err().call, diverged.call);
    diverged.to_string()
}

#[test]
fn a_run_is_the_same_as_itself_and_under_other_ids() {
    same(&run(&agent("A")), &run(&agent("A")));
    same(&run(&agent("A")), &run(&agent("B")));
}

#[test]
fn two_runs_without_a_call_say_nothing() {
    assert_eq!(
        told(&[], &[]),
        "neither run makes a call, so there is nothing to compare\n\
         help: take `run()` after the calls, from the cassette that they go through"
    );
}

#[test]
fn a_run_is_the_same_live_replayed_and_in_the_file() {
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    let exchanges = agent("A");
    let calls: Vec<_> = exchanges.iter().map(|exchange| exchange.call.clone()).collect();
    let mut outcomes = exchanges.iter().map(|exchange| exchange.outcome.clone());
    make(&session, &calls, |_| outcomes.next().unwrap());
    let live = session.run();
    session.finish(BodyEnd::Passed);
    let session = Session::open(plan(&store, Mode::Replay)).unwrap();
    make(&session, &calls, gone);
    same(&live, &session.run());
    same(&live, &Run::of(&cassette_core::disk::read(&file(&store).unwrap()).unwrap()).unwrap());
    assert_eq!(live.steps().len(), 3);
}

#[test]
fn an_id_is_one_over_the_whole_run() {
    let mut other = agent("B");
    other[1] = lookup("call_B2", "Bergen");
    insta::assert_snapshot!(told(&agent("A"), &other));
}

#[test]
fn a_changed_argument_is_named() {
    let mut other = agent("B");
    other[2] = chat("call_B1", "call_B2", "Voss", 12);
    insta::assert_snapshot!(told(&agent("A"), &other));
}

#[test]
fn another_usage_is_named_unless_it_is_left_out() {
    let mut other = agent("B");
    other[2] = chat("call_B1", "call_B2", "Oslo", 14);
    insta::assert_snapshot!(told(&agent("A"), &other));
    same(&run(&agent("A")).without(Fact::Usage), &run(&other));
    same(&run(&agent("A")), &run(&other).without(Fact::Usage));
}

#[test]
fn another_request_to_what_is_no_model_is_named() {
    let mut other = agent("B");
    other[1] = lookup("call_B1", "Oslo");
    insta::assert_snapshot!(told(&agent("A"), &other));
    same(&run(&agent("A")).without(Fact::Names), &run(&other));
}

#[test]
fn one_call_more_is_named() {
    let mut other = agent("B");
    other.push(lookup("call_B2", "Oslo"));
    insta::assert_snapshot!(told(&agent("A"), &other));
    assert_eq!(run(&other).same_as(&run(&agent("A"))).unwrap_err().names[1], None);
}

#[test]
fn swapped_calls_are_named_unless_they_overlapped_in_either_run() {
    let pair = |ids: &str| vec![chat("none", &format!("call_{ids}1"), "Bergen", 9), lookup("fixed", "Oslo")];
    let swapped = |ids: &str| pair(ids).into_iter().rev().collect::<Vec<_>>();
    insta::assert_snapshot!(told(&pair("A"), &swapped("B")));
    same(&live(&pair("A"), 2), &live(&swapped("B"), 2));
    same(&run(&pair("A")), &live(&swapped("B"), 2));
    let mut third = swapped("B");
    third.insert(0, lookup("fixed", "Voss"));
    assert_eq!(live(&pair("A"), 2).same_as(&live(&third, 3)).unwrap_err().call, 1);
}

#[test]
fn a_failure_is_no_answer() {
    let mut other = agent("B");
    other[0].outcome = refused();
    insta::assert_snapshot!(told(&agent("A"), &other));
}

#[test]
fn a_function_counts_by_its_arguments() {
    let tool = |town: &str| {
        let body = format!(r#"{{"to":"{town}"}}"#).into_bytes();
        let call = Call { kind: Kind::Tool, name: "lookup".into(), headers: Vec::new(), body };
        vec![Exchange { call, outcome: typed("application/json", r#"{"at":"09:04"}"#) }]
    };
    same(&run(&tool("Bergen")), &run(&tool("Bergen")));
    insta::assert_snapshot!(told(&tool("Bergen"), &tool("Oslo")));
}

//! A program of calls and the upstream that answers them: what the tests of a session are written with.

use std::sync::Arc;
use std::time::Duration;

use cassette_core::call::{Call, Kind};
use cassette_core::mode::Mode;
use cassette_core::reply::{Chunk, Outcome, Reply, TransportClass, TransportError};
use cassette_core::rerun::{Rerun, Target};
use cassette_core::session::{BodyEnd, Plan, Session, Step, Summary, Ticket, Verdict};
use cassette_core::store::{MemoryStore, Store};

/// The cassette that every test here uses.
pub(crate) const NAME: &str = "trains";

/// Returns the plan of the test `suite::ask`.
pub(crate) fn plan(store: &MemoryStore, mode: Mode) -> Plan {
    let rerun =
        Rerun { package: "timetable".into(), target: Target::Test("suite".into()), test: "ask".into(), ignored: false };
    Plan::new(NAME, Arc::new(store.clone()) as Arc<dyn Store>, mode, "suite::ask", rerun)
}

/// Returns a call with this prompt.
pub(crate) fn ask(prompt: &str) -> Call {
    let body = format!(r#"{{"model":"gpt-4o-mini","messages":[{{"role":"user","content":"{prompt}"}}]}}"#);
    let headers = vec![
        ("content-type".to_owned(), "application/json".to_owned()),
        ("authorization".to_owned(), "Bearer not-written-anywhere".to_owned()),
    ];
    Call::http("POST", "https://api.example.com/v1/chat/completions", headers, body.into_bytes())
}

/// Returns a reply of this text.
pub(crate) fn reply(status: u16, text: &str) -> Outcome {
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    let body = format!(r#"{{"answer":"{text}"}}"#).into_bytes();
    Outcome::Reply(Reply {
        status,
        headers,
        chunks: vec![Chunk { bytes: body, at: Some(Duration::from_millis(20)) }],
        trailers: Vec::new(),
        truncated: None,
    })
}

/// Returns a reply of this body.
pub(crate) fn typed(content_type: &str, body: &str) -> Outcome {
    let Outcome::Reply(mut answer) = reply(200, "") else { panic!("it is a reply") };
    answer.headers = vec![("content-type".to_owned(), content_type.to_owned())];
    answer.chunks[0].bytes = body.as_bytes().to_vec();
    Outcome::Reply(answer)
}

/// Returns the call of a tool.
pub(crate) fn tool(name: &str, arguments: &str) -> Call {
    Call::function(Kind::Tool, name, arguments.as_bytes().to_vec())
}

/// Returns the value of a function.
pub(crate) fn value(json: &str) -> Outcome {
    Outcome::Reply(Reply::value(json.as_bytes().to_vec(), Duration::from_millis(20)))
}

/// Returns the failure to connect.
pub(crate) fn refused() -> Outcome {
    Outcome::Error(TransportError { class: TransportClass::Connect, message: "connection refused".into() })
}

/// What each call of a run got: the outcome, or the code of the report that failed it.
pub(crate) type Got = Result<Outcome, &'static str>;

/// Begins a call that goes live.
#[track_caller]
pub(crate) fn live(session: &Session, call: Call) -> Ticket {
    match session.begin(call) {
        Step::Live(ticket) => ticket,
        other => panic!("it goes live: {other:?}"),
    }
}

/// Makes a call, and returns the body that it is answered: the recorded one, or else this.
pub(crate) fn asked(session: &Session, call: Call, answer: Outcome) -> Result<String, &'static str> {
    let [got] = make(session, &[call], |_| answer.clone()).try_into().expect("one call is made");
    let Outcome::Reply(reply) = got? else { panic!("it was answered") };
    Ok(String::from_utf8(reply.body()).expect("it is a text"))
}

/// Ends a test that has to pass.
#[track_caller]
pub(crate) fn ended(session: &Session) -> Summary {
    let Verdict { reports, summary } = session.finish(BodyEnd::Passed);
    assert_eq!(reports, []);
    summary
}

/// Makes these calls one after the other, answering the live ones by `upstream`.
pub(crate) fn make(session: &Session, calls: &[Call], mut upstream: impl FnMut(&Call) -> Outcome) -> Vec<Got> {
    let one = |call: &Call| match session.begin(call.clone()) {
        Step::Serve(served) => Ok((*served.outcome).clone()),
        Step::Live(ticket) => {
            let outcome = upstream(call);
            ticket.finish(outcome.clone()).map_err(|report| report.code())?;
            Ok(outcome)
        }
        Step::Fail(report) => Err(report.code()),
    };
    calls.iter().map(one).collect()
}

/// Opens the cassette, makes the calls, and ends the test so.
pub(crate) fn run(
    plan: Plan,
    calls: &[Call],
    upstream: impl FnMut(&Call) -> Outcome,
    end: BodyEnd,
) -> (Vec<Got>, Verdict) {
    let session = Session::open(plan).expect("the cassette opens");
    let got = make(&session, calls, upstream);
    (got, session.finish(end))
}

/// Returns the codes of what failed a test.
pub(crate) fn codes(verdict: &Verdict) -> Vec<&'static str> {
    verdict.reports.iter().map(|report| report.code()).collect()
}

/// Answers with the number of live calls so far.
pub(crate) fn counting() -> impl FnMut(&Call) -> Outcome {
    let mut count = 0;
    move |_| {
        count += 1;
        reply(200, &format!("answer {count}"))
    }
}

/// An upstream that is gone.
pub(crate) fn gone(call: &Call) -> Outcome {
    panic!("a live call was made: {}", call.name)
}

/// Records these calls and returns the file.
pub(crate) fn record(store: &MemoryStore, calls: &[Call]) -> Vec<u8> {
    let (_, verdict) = run(plan(store, Mode::Record), calls, counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    file(store).expect("the file was written")
}

/// Returns the file.
pub(crate) fn file(store: &MemoryStore) -> Option<Vec<u8>> {
    store.load(NAME).expect("memory cannot fail")
}

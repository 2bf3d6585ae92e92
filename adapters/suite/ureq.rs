//! ureq's middleware.

use std::io::Read as _;

use cassette_test::{Cassette, Report, cassette};
use stages::{Answer, Rehearsal, assert_told, is_set, seen, story, tell, upstream};
use std::sync::{Arc, OnceLock};
use ureq::Agent;
use ureq::http::Response;

fn agent(cassette: &Cassette) -> Agent {
    Agent::config_builder().middleware(cassette.middleware()).build().into()
}

/// Returns everything that a program can see of a reply.
fn whole(reply: &mut Response<ureq::Body>) -> String {
    let mut headers: Vec<_> = reply.headers().iter().map(|(name, value)| format!("{name}: {value:?}")).collect();
    headers.sort();
    format!("{} {:?} {headers:?} {:?}", reply.status(), reply.version(), reply.body_mut().read_to_vec().unwrap())
}

#[cassette]
#[test]
#[ignore]
fn it_asks(cassette: Cassette) {
    let request = agent(&cassette).post(format!("{}/v1/trains?to=Bergen", upstream()));
    let mut reply = request.send_json(serde_json::json!({"to": "Bergen"})).unwrap();
    seen(whole(&mut reply));
}

#[test]
fn a_whole_reply_is_the_same_live_and_replayed() {
    let file = tell(story!(it_asks), |request| {
        assert_eq!(request.header("content-type"), "application/json; charset=utf-8");
        Answer::json(201, r#"{"train":"09:04"}"#).with("x-a", "1").with("x-a", "2")
    });
    assert!(file.contains("\"name\": \"POST http://127.0.0.1:") && file.contains("/v1/trains?to=Bergen\","), "{file}");
    assert!(file.contains("\"to\": \"Bergen\""), "{file}");
}

#[cassette]
#[test]
#[ignore]
fn it_meets_a_status(cassette: Cassette) {
    let err = agent(&cassette).get(upstream()).call().unwrap_err();
    let kept = agent(&cassette).get(upstream()).config().http_status_as_error(false).build().call();
    seen(format!("{err:?} {}", whole(&mut kept.unwrap())));
}

#[test]
fn a_status_is_an_error_or_a_reply_as_the_agent_is_set() {
    tell(story!(it_meets_a_status), |_| Answer::json(404, r#"{"error":"no such train"}"#));
}

#[cassette]
#[test]
#[ignore]
fn it_is_redirected(cassette: Cassette) {
    let mut reply = agent(&cassette).get(format!("{}/old", upstream())).call().unwrap();
    assert!(ureq::ResponseExt::get_uri(&reply).path() == "/new");
    seen(reply.body_mut().read_to_string().unwrap());
}

#[test]
fn redirects_are_recorded_hop_by_hop() {
    let file = tell(story!(it_is_redirected), |request| match request.target.as_str() {
        "/old" => Answer::json(302, "{}").with("location", "/new"),
        _ => Answer::json(200, r#"{"moved":true}"#),
    });
    assert_eq!(file.matches("\"kind\": \"http\"").count(), 2, "{file}");
}

const EVENTS: [&str; 3] = ["data: 1\n\n", "data: 2\n\n", "data: [DONE]\n\n"];

/// Reads a stream to its end, or so many bytes of it; where one read ends is ureq's affair.
fn read(cassette: &Cassette, limit: u64) -> String {
    let body = agent(cassette).get(upstream()).call().unwrap().into_body().into_reader();
    let mut read = String::new();
    let ended = body.take(limit).read_to_string(&mut read);
    format!("{read} {}", ended.is_ok())
}

#[cassette]
#[test]
#[ignore]
fn it_reads_events(cassette: Cassette) {
    seen(read(&cassette, u64::MAX));
}

#[test]
fn events_keep_their_boundaries() {
    let file = tell(story!(it_reads_events), |_| Answer::events(&EVENTS));
    assert!(file.contains("\"events\": [") && !file.contains("\"chunks\""), "each event is one chunk: {file}");
}

#[cassette]
#[test]
#[ignore]
fn it_stops_reading(cassette: Cassette) {
    seen(read(&cassette, 12));
}

#[test]
fn a_consumer_that_stops_half_way_is_recorded_as_it_was() {
    let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
    let events: Vec<_> = EVENTS.map(|event| event.replace("[DONE]", "3").into_bytes()).to_vec();
    let file = tell(story!(it_stops_reading), move |_| Answer::Endless(headers.clone(), events.clone()));
    assert!(file.contains("\"truncated\": \"client\""), "{file}");
}

#[cassette(allow_errors)]
#[test]
#[ignore]
fn it_gets_no_reply(cassette: Cassette) {
    seen(agent(&cassette).get(upstream()).call().unwrap_err().to_string());
}

#[test]
fn a_connection_that_closes_is_the_agents_own_error_again() {
    let file = tell(story!(it_gets_no_reply), |_| Answer::Nothing);
    assert!(file.contains("\"class\": \"closed\""), "{file}");
}

#[cassette]
#[test]
#[ignore]
fn it_asks_for_another_train(cassette: Cassette) {
    let city = if cassette.is_replaying() { "Oslo" } else { "Bergen" };
    match agent(&cassette).get(format!("{}/{city}", upstream())).call() {
        Err(ureq::Error::Other(err)) => seen(err.downcast_ref::<Arc<Report>>().unwrap().to_string()),
        reply => drop(reply.unwrap()),
    }
}

#[test]
fn a_miss_is_an_error_that_holds_the_whole_report() {
    let rehearsal = Rehearsal::of(|_| Answer::json(200, "{}"));
    rehearsal.passes(story!(it_asks_for_another_train), "record");
    let told = rehearsal.fails(story!(it_asks_for_another_train), "replay");
    assert!(told.contains(&rehearsal.seen()) && rehearsal.seen().starts_with("cassette mismatch: "), "{told}");
    assert_told!("miss", told);
    assert_eq!(rehearsal.asked(), 1);
}

#[cassette]
#[test]
#[ignore]
fn it_goes_round(cassette: Cassette) {
    agent(&cassette).get(upstream()).call().unwrap();
    if is_set("STORY_GOES_ROUND") {
        assert!(ureq::get(upstream()).call().is_err());
    }
}

#[test]
fn an_agent_without_the_middleware_is_denied_in_a_replay() {
    let rehearsal = Rehearsal::of(|_| Answer::json(200, "{}"));
    rehearsal.passes(story!(it_goes_round), "record");
    let rehearsal = rehearsal.with("STORY_GOES_ROUND", "1");
    assert_told!("round", rehearsal.fails(story!(it_goes_round), "replay"));
    assert_eq!(rehearsal.asked(), 1, "nothing reached the server");
}

#[cassette]
#[test]
#[ignore]
fn it_has_two(cassette: Cassette) {
    let twice = Agent::config_builder().middleware(cassette.middleware()).middleware(cassette.middleware());
    assert!(Agent::from(twice.build()).get(upstream()).call().is_err());
}

#[test]
fn two_middlewares_of_one_agent_are_told() {
    let rehearsal = Rehearsal::of(|_| Answer::json(200, "{}"));
    assert_told!("two", rehearsal.fails(story!(it_has_two), "record"));
    assert_eq!(rehearsal.asked(), 0, "nothing is sent");
}

static AGENT: OnceLock<Agent> = OnceLock::new();

fn ask_by_the_first_agent(cassette: &Cassette) -> bool {
    AGENT.get_or_init(|| agent(cassette)).get(upstream()).call().is_ok()
}

#[cassette("ureq-first")]
#[test]
#[ignore]
fn it_makes_an_agent(cassette: Cassette) {
    assert!(ask_by_the_first_agent(&cassette));
}

#[cassette("ureq-second")]
#[test]
#[ignore]
fn it_finds_the_agent_of_a_test_that_has_ended(cassette: Cassette) {
    cassette.value("one", || 1);
    seen(format!("{}", is_set("STORY_OUTLIVES") && ask_by_the_first_agent(&cassette)));
}

/// As libtest runs them, each on a thread of its own.
#[test]
#[ignore]
fn one_after_the_other() {
    std::thread::Builder::new().name("first".into()).spawn(it_makes_an_agent).unwrap().join().unwrap();
    let second = std::thread::Builder::new().name("second".into());
    second.spawn(it_finds_the_agent_of_a_test_that_has_ended).unwrap().join().unwrap();
}

#[test]
fn an_agent_that_outlives_its_test_fails_whichever_test_has_it_then() {
    let rehearsal = Rehearsal::of(|_| Answer::json(200, "{}"));
    rehearsal.passes(story!(one_after_the_other), "record");
    rehearsal.passes(story!(one_after_the_other), "replay");
    // That nobody minds the error is no way round.
    let rehearsal = rehearsal.with("STORY_OUTLIVES", "1");
    assert_told!("outlived", rehearsal.fails(story!(one_after_the_other), "replay"));
    assert_eq!(rehearsal.asked(), 1);
}

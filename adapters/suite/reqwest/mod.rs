//! The stories of reqwest's middleware, of the major that the module above names.

use std::error::Error as _;
use std::time::Duration;

use cassette_test::{Cassette, Fault, cassette};
use futures_util::StreamExt as _;
use stages::{Answer, Rehearsal, assert_told, is_set, seen, story, tell, tell_on, upstream};

use super::reqwest::{Client, Error, Response, redirect};
use super::reqwest_middleware::{self, ClientBuilder, ClientWithMiddleware};

const EVENTS: [&str; 4] = [
    "data: {\"delta\":\"The 09:04\"}\n\n",
    ": keep-alive\n\n",
    "data: {\"delta\":\", platform 2\"}\n\n",
    "data: [DONE]\n\n",
];

fn client(cassette: &Cassette) -> ClientWithMiddleware {
    ClientBuilder::new(Client::new()).with(cassette.middleware()).build()
}

/// Returns everything that a program can see of a reply but its body.
fn head(reply: &Response) -> String {
    let mut headers: Vec<_> = reply.headers().iter().map(|(name, value)| format!("{name}: {value:?}")).collect();
    headers.sort();
    let (status, version, url, length) = (reply.status(), reply.version(), reply.url(), reply.content_length());
    format!("{status} {version:?} {url} {length:?} {:?} {headers:?}", reply.remote_addr())
}

/// Reads a stream, chunk by chunk, up to so many.
async fn chunks(reply: Response, limit: usize) -> Vec<String> {
    let stream = reply.bytes_stream().take(limit);
    stream
        .map(|chunk| chunk.map_or_else(|_| "broken".into(), |chunk| String::from_utf8_lossy(&chunk).into_owned()))
        .collect()
        .await
}

/// Returns what a program can ask of an error.
fn kinds(err: &Error) -> String {
    let kinds = [err.is_connect(), err.is_timeout(), err.is_request(), err.is_body(), err.is_decode()];
    format!("{kinds:?} {:?} {}", err.url().map(ToString::to_string), err.source().is_some())
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks(cassette: Cassette) {
    let request = client(&cassette).post(format!("{}/v1/trains?to=Bergen#top", upstream()));
    let body = r#"{"to": "Bergen", "price": 1.50}"#;
    let reply = request.header("content-type", "application/json").bearer_auth("opensesame").body(body).send().await;
    let reply = reply.unwrap();
    let head = head(&reply);
    seen(format!("{head} {:?}", reply.bytes().await.unwrap()));
    assert_eq!(cassette.calls().len(), 1);
}

#[test]
fn a_whole_reply_is_the_same_live_and_replayed() {
    let file = tell(story!(it_asks), |request| {
        assert_eq!(request.text(), r#"{"to": "Bergen", "price": 1.50}"#);
        assert_eq!(request.header("authorization"), "Bearer opensesame");
        let reply = Answer::json(201, r#"{"train":"09:04","price":1.50}"#);
        reply.with("x-a", "1").with("x-a", "2").with("keep-alive", "timeout=5")
    });
    assert!(file.contains("/v1/trains?to=Bergen\","), "{file}");
    assert!(!file.contains("opensesame") && !file.contains("keep-alive"), "{file}");
    assert!(file.contains(r#""price": 1.50"#), "{file}");
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_streams_a_request(cassette: Cassette) {
    let pieces = ["one ", "two"].map(Ok::<_, std::io::Error>);
    let body = super::reqwest::Body::wrap_stream(futures_util::stream::iter(pieces));
    let reply = client(&cassette).post(upstream()).body(body).send().await.unwrap();
    seen(reply.bytes().await.unwrap());
}

#[test]
fn a_streamed_request_is_sent_and_recorded_whole() {
    let file = tell(story!(it_streams_a_request), |request| Answer::bytes("text/plain", &request.body));
    assert_eq!(file.matches(r#""text": "one two""#).count(), 2, "{file}");
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_reads_events(cassette: Cassette) {
    let reply = client(&cassette).get(format!("{}/stream", upstream())).send().await.unwrap();
    let head = head(&reply);
    let chunks = chunks(reply, 99).await;
    assert_eq!(chunks, EVENTS, "each event is one chunk");
    seen(format!("{head} {chunks:?}"));
}

#[test]
fn events_keep_their_boundaries() {
    let file = tell(story!(it_reads_events), |_| Answer::events(&EVENTS));
    assert!(file.contains(r#"{"data": {"delta": "The 09:04"}}"#) && !file.contains("\"chunks\""), "{file}");
}

#[cassette_test::tool(skip(client, asked))]
async fn look_up(client: &ClientWithMiddleware, asked: tokio::sync::oneshot::Receiver<()>) -> String {
    let reply = client.get(format!("{}/within", upstream())).send().await.unwrap().text().await.unwrap();
    // What is asked beside it is asked while it runs.
    let _ = asked.await;
    reply
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks_beside_a_tool(cassette: Cassette) {
    let client = client(&cassette);
    let (said, asked) = tokio::sync::oneshot::channel();
    let beside = async {
        if !is_set("STORY_LEAVES_IT") {
            client.get(format!("{}/beside", upstream())).send().await.unwrap().text().await.unwrap();
        }
        let _ = said.send(());
    };
    let (found, ()) = tokio::join!(look_up(&client, asked), beside);
    seen(found);
}

#[test]
fn what_is_asked_beside_a_function_is_no_part_of_it() {
    let rehearsal = Rehearsal::of(|_| Answer::bytes("text/plain", b"09:04"));
    rehearsal.passes(story!(it_asks_beside_a_tool), "record");
    rehearsal.passes(story!(it_asks_beside_a_tool), "replay");
    let told = rehearsal.with("STORY_LEAVES_IT", "1").fails(story!(it_asks_beside_a_tool), "replay");
    assert!(told.contains("/beside") && !told.contains("/within"), "{told}");
}

#[cassette(on_miss = "error")]
#[tokio::test]
#[ignore]
async fn it_has_two(cassette: Cassette) {
    let builder = ClientBuilder::new(Client::new()).with(cassette.middleware());
    let client = builder.with(cassette.middleware()).build();
    let reply = client.get(format!("{}/v1/trains", upstream())).send().await;
    seen(reply.unwrap_err().to_string());
}

#[test]
fn two_in_one_client_are_told() {
    let rehearsal = Rehearsal::of(|_| Answer::json(200, "{}"));
    assert_told!("two", rehearsal.fails(story!(it_has_two), "record"));
    assert_eq!(rehearsal.asked(), 0, "nothing is sent");
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_stops_reading(cassette: Cassette) {
    let limit = if cassette.is_replaying() && is_set("STORY_READS_ON") { 99 } else { 2 };
    let reply = client(&cassette).get(format!("{}/stream", upstream())).send().await.unwrap();
    seen(chunks(reply, limit).await.join("|"));
}

fn endless() -> Rehearsal {
    let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
    let events: Vec<_> = EVENTS[..3].iter().map(|event| event.as_bytes().to_vec()).collect();
    Rehearsal::of(move |_| Answer::Endless(headers.clone(), events.clone()))
}

#[test]
fn a_consumer_that_stops_half_way_is_recorded_as_it_was() {
    let file = tell_on(endless(), story!(it_stops_reading));
    assert!(file.contains("\"truncated\": \"left\""), "{file}");
}

#[test]
fn a_consumer_that_reads_on_fails_its_test() {
    let rehearsal = endless();
    rehearsal.passes(story!(it_stops_reading), "record");
    let told = rehearsal.with("STORY_READS_ON", "1").fails(story!(it_stops_reading), "replay");
    assert!(told.contains("was recorded up to event 2"), "{told}");
}

#[cassette(allow_errors)]
#[tokio::test]
#[ignore]
async fn its_stream_breaks(cassette: Cassette) {
    let reply = client(&cassette).get(format!("{}/stream", upstream())).send().await.unwrap();
    seen(chunks(reply, 99).await.join("|"));
}

#[test]
fn a_stream_that_breaks_breaks_again() {
    let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
    let events: Vec<_> = EVENTS[..2].iter().map(|event| event.as_bytes().to_vec()).collect();
    let file = tell(story!(its_stream_breaks), move |_| Answer::Broken(headers.clone(), events.clone()));
    assert!(file.contains("\"truncated\": \"upstream\""), "{file}");
}

#[cassette(allow_errors)]
#[tokio::test]
#[ignore]
async fn it_gets_no_reply(cassette: Cassette) {
    // The thread that looks up names is the test's own, and no child of the call's.
    tokio::task::spawn_blocking(|| ()).await.unwrap();
    let request = client(&cassette).get(format!("{}/none", upstream())).timeout(Duration::from_millis(100));
    match request.send().await.unwrap_err() {
        reqwest_middleware::Error::Reqwest(err) => seen(kinds(&err)),
        reqwest_middleware::Error::Middleware(err) => panic!("{err:?}"),
    }
}

/// Tells of a failure that is recorded under this class.
#[track_caller]
fn fails(rehearsal: Rehearsal, class: &str) {
    let file = tell_on(rehearsal, story!(it_gets_no_reply));
    assert!(file.contains(&format!("\"class\": \"{class}\"")), "{file}");
}

#[test]
fn a_connection_that_closes_is_the_clients_own_error_again() {
    fails(Rehearsal::of(|_| Answer::Nothing), "closed");
}

#[test]
fn a_refused_connection_is_the_clients_own_error_again() {
    // No process of a user's may listen there.
    fails(Rehearsal::at("http://127.0.0.1:1"), "connect");
}

#[test]
fn an_unknown_name_is_the_clients_own_error_again() {
    fails(Rehearsal::at("http://nowhere.invalid"), "dns");
}

#[test]
fn a_time_out_of_the_clients_is_its_own_error_again() {
    let silent = Rehearsal::of(|_| {
        std::thread::sleep(Duration::from_secs(1));
        Answer::Nothing
    });
    fails(silent, "timeout");
}

#[cassette(allow_errors)]
#[tokio::test(start_paused = true)]
#[ignore]
async fn it_gives_up(cassette: Cassette) {
    if !cassette.is_replaying() {
        tokio::time::resume();
    }
    let client = client(&cassette);
    let waited = tokio::time::timeout(Duration::from_millis(100), client.get(upstream()).send()).await;
    seen(format!("{}", waited.is_err()));
}

#[test]
fn a_program_that_gave_up_gives_up_again_by_a_paused_clock_too() {
    let file = tell(story!(it_gives_up), |_| {
        std::thread::sleep(Duration::from_secs(1));
        Answer::Nothing
    });
    assert!(file.contains("the program stopped waiting for the reply"), "{file}");
}

#[cassette]
#[tokio::test(start_paused = true)]
#[ignore]
async fn it_asks_with_a_time_out_by_a_paused_clock(cassette: Cassette) {
    if !cassette.is_replaying() {
        tokio::time::resume();
    }
    let client = ClientBuilder::new(Client::builder().timeout(Duration::from_secs(30)).build().unwrap());
    let client = client.with(cassette.middleware()).build();
    let ask = async { chunks(client.get(upstream()).send().await.unwrap(), 99).await };
    seen(tokio::time::timeout(Duration::from_secs(30), ask).await.unwrap().join("|"));
}

#[test]
fn a_paused_clock_does_not_run_ahead_of_a_replay() {
    tell(story!(it_asks_with_a_time_out_by_a_paused_clock), |_| Answer::events(&EVENTS));
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks_for_another_train(cassette: Cassette) {
    let city = if cassette.is_replaying() { "Oslo" } else { "Bergen" };
    let body = format!(r#"{{"to":"{city}"}}"#);
    let request =
        client(&cassette).post(format!("{}/v1/trains", upstream())).header("content-type", "application/json");
    let _ = request.body(body).send().await;
}

#[test]
fn a_miss_fails_with_the_whole_report() {
    let rehearsal = Rehearsal::of(|_| Answer::json(200, "{}"));
    rehearsal.passes(story!(it_asks_for_another_train), "record");
    assert_told!("miss", rehearsal.fails(story!(it_asks_for_another_train), "replay"));
    assert_eq!(rehearsal.asked(), 1);
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_goes_round(cassette: Cassette) {
    client(&cassette).get(upstream()).send().await.unwrap();
    if is_set("STORY_GOES_ROUND") {
        let around = Client::new().get(upstream()).send().await;
        assert!(around.is_err() || !cassette.is_replaying());
    }
}

#[test]
fn a_client_without_the_middleware_is_denied_in_a_replay() {
    let rehearsal = Rehearsal::of(|_| Answer::json(200, "{}"));
    rehearsal.passes(story!(it_goes_round), "record");
    let rehearsal = rehearsal.with("STORY_GOES_ROUND", "1");
    assert_told!("round", rehearsal.fails(story!(it_goes_round), "replay"));
    assert_eq!(rehearsal.asked(), 1, "nothing reached the server");
}

/// An address that belongs to nobody (RFC 1112, section 4).
const OUTSIDE: &str = "http://240.0.0.1:9";

#[cassette(allow_errors)]
#[tokio::test]
#[ignore]
async fn it_asks_outside(cassette: Cassette) {
    let client = ClientBuilder::new(Client::builder().connect_timeout(Duration::from_millis(100)).build().unwrap());
    // Whatever may answer here, or nobody.
    let _ = client.with(cassette.middleware()).build().get(format!("{OUTSIDE}/through")).send().await;
    if is_set("STORY_GOES_ROUND") {
        let around = Client::builder().connect_timeout(Duration::from_millis(100)).build().unwrap();
        let _ = around.get(OUTSIDE).send().await;
    }
    seen("asked");
}

#[test]
fn what_the_middleware_lets_through_is_no_way_round_it() {
    tell_on(Rehearsal::at(OUTSIDE), story!(it_asks_outside));
}

#[test]
fn a_host_that_is_reached_round_the_middleware_keeps_the_recording_pending() {
    let told = Rehearsal::at(OUTSIDE).with("STORY_GOES_ROUND", "1").fails(story!(it_asks_outside), "record");
    assert!(told.contains("240.0.0.1"), "{told}");
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_is_redirected(cassette: Cassette) {
    let _ = client(&cassette).get(format!("{}/old", upstream())).send().await;
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_follows_by_itself(cassette: Cassette) {
    let client = Client::builder().redirect(redirect::Policy::none()).build().unwrap();
    let client = ClientBuilder::new(client).with(cassette.middleware()).build();
    let reply = client.get(format!("{}/old", upstream())).send().await.unwrap();
    let next = reply.headers()["location"].to_str().unwrap().to_owned();
    let reply = client.get(format!("{}{next}", upstream())).send().await.unwrap();
    seen(format!("{next} {:?}", reply.bytes().await.unwrap()));
}

fn moved(request: &stages::Request) -> Answer {
    match request.target.as_str() {
        "/old" => Answer::json(302, "{}").with("location", "/new"),
        _ => Answer::json(200, r#"{"moved":true}"#),
    }
}

#[test]
fn a_redirect_that_the_client_follows_itself_is_told() {
    let told = Rehearsal::of(moved).fails(story!(it_is_redirected), "record");
    assert_told!("redirected", told);
}

#[test]
fn redirects_that_the_program_follows_are_recorded_hop_by_hop() {
    let file = tell(story!(it_follows_by_itself), moved);
    assert_eq!(file.matches("\"kind\": \"http\"").count(), 2, "{file}");
}

#[cassette]
#[tokio::test]
#[ignore]
async fn its_reply_is_coded(cassette: Cassette) {
    let reply = client(&cassette).get(upstream()).header("accept-encoding", "gzip").send().await.unwrap();
    assert_eq!(reply.headers().get("content-encoding"), None);
    seen(reply.bytes().await.unwrap());
}

#[test]
fn a_body_that_comes_coded_is_plain_for_program_and_file() {
    // `{"zipped":true}`, as gzip writes it.
    let zipped: &[u8] = &[
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 170, 202, 44, 40, 72, 77, 81, 178, 42, 41, 42, 77, 173, 5, 0, 132,
        40, 188, 8, 15, 0, 0, 0,
    ];
    let file = tell(story!(its_reply_is_coded), move |_| {
        Answer::bytes("application/json", zipped).with("content-encoding", "gzip")
    });
    assert!(file.contains("\"zipped\": true") && !file.contains("content-encoding"), "{file}");
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks_for_the_head(cassette: Cassette) {
    let reply = client(&cassette).head(upstream()).send().await.unwrap();
    seen(head(&reply));
}

#[test]
fn a_reply_without_a_body_keeps_its_length() {
    tell(story!(it_asks_for_the_head), |_| Answer::json(200, "12345"));
}

/// Asks until it is answered whole, and notes why an attempt failed.
async fn insist(client: &ClientWithMiddleware) -> String {
    let mut notes = String::new();
    for _ in 0..6 {
        let attempt = async {
            match client.get(format!("{}/stream", upstream())).send().await {
                Err(reqwest_middleware::Error::Reqwest(err)) => format!("failed {}\n", kinds(&err)),
                Err(reqwest_middleware::Error::Middleware(err)) => panic!("{err:?}"),
                Ok(reply) => format!("{} {:?}\n", reply.status(), chunks(reply, 99).await),
            }
        };
        let patience = Duration::from_secs(3);
        notes += &tokio::time::timeout(patience, attempt).await.unwrap_or_else(|_| "given up\n".into());
    }
    notes
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_meets_faults(cassette: Cassette) {
    let client = client(&cassette);
    if !cassette.is_replaying() {
        client.get(format!("{}/stream", upstream())).send().await.unwrap().bytes().await.unwrap();
        return;
    }
    let faults = [
        Fault::status(429).retry_after(2),
        Fault::reset(),
        Fault::cut_after(1),
        Fault::garbage(2),
        Fault::stall_after(1),
        Fault::split_at(30),
    ];
    (1..).zip(faults).for_each(|(call, fault)| cassette.fault(fault.at(call)));
    seen(insist(&client).await);
}

#[test]
fn faults_reach_a_program_as_its_client_tells_them() {
    let rehearsal = Rehearsal::of(|_| Answer::events(&EVENTS));
    rehearsal.passes(story!(it_meets_faults), "record");
    let played = rehearsal.passes(story!(it_meets_faults), "replay");
    assert_told!("faults", played.seen);
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks_twice_over(cassette: Cassette) {
    let base = cassette.base_url(upstream());
    let asked = client(&cassette).get(format!("{base}/x")).send().await;
    seen(format!("{}", asked.is_err()));
}

#[test]
fn a_client_with_an_adapter_is_not_led_to_the_gateway_too() {
    let rehearsal = Rehearsal::of(|_| Answer::json(200, "{}"));
    let told = rehearsal.fails(story!(it_asks_twice_over), "record");
    let url = rehearsal.url();
    let expected = format!(
        "cassette wiring: a client that the cassette records by an adapter was given the cassette's own address for {url}\n\
         help: give it the upstream's own URL, {url}, or leave the adapter out of it: either records the call"
    );
    assert!(told.contains(&expected), "{told}");
    assert_eq!(rehearsal.asked(), 0);
}

static CLIENT: std::sync::OnceLock<ClientWithMiddleware> = std::sync::OnceLock::new();

async fn ask_by_the_first_client(cassette: &Cassette) -> bool {
    CLIENT.get_or_init(|| client(cassette)).get(upstream()).send().await.is_ok()
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_makes_a_client(cassette: Cassette) {
    assert!(ask_by_the_first_client(&cassette).await);
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_finds_the_client_of_a_test_that_has_ended(cassette: Cassette) {
    cassette.value("one", || 1);
    seen(format!("{}", is_set("STORY_OUTLIVES") && ask_by_the_first_client(&cassette).await));
}

/// As libtest runs them, each on a thread of its own.
#[test]
#[ignore]
fn one_after_the_other() {
    std::thread::Builder::new().name("first".into()).spawn(it_makes_a_client).unwrap().join().unwrap();
    let second = std::thread::Builder::new().name("second".into());
    second.spawn(it_finds_the_client_of_a_test_that_has_ended).unwrap().join().unwrap();
}

#[test]
fn a_client_that_outlives_its_test_fails_whichever_test_has_it_then() {
    let rehearsal = Rehearsal::of(|_| Answer::json(200, "{}"));
    rehearsal.passes(story!(one_after_the_other), "record");
    rehearsal.passes(story!(one_after_the_other), "replay");
    // That nobody minds the error is no way round.
    let rehearsal = rehearsal.with("STORY_OUTLIVES", "1");
    let told = rehearsal.fails(story!(one_after_the_other), "replay");
    assert!(told.contains("whose test has ended\nhelp: make the client anew in each test"), "{told}");
}

//! The tower layer, round hyper-util's client.

use std::time::Duration;

use cassette_test::adapters::{CassetteService, Failed, ReplyBody};
use cassette_test::{Cassette, Report, cassette};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Body as _, Bytes};
use hyper::{Request, Response};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use stages::{Answer, Rehearsal, assert_told, is_set, seen, story, tell, tell_on, upstream};
use std::sync::Arc;
use tower::{BoxError, Layer as _, ServiceExt as _};

const EVENTS: [&str; 4] = ["data: 1\n\n", ": keep-alive\n\n", "data: 2\n\n", "data: [DONE]\n\n"];

type Http = Client<HttpConnector, Full<Bytes>>;

fn plain() -> Http {
    Client::builder(TokioExecutor::new()).build_http()
}

fn client(cassette: &Cassette) -> CassetteService<Http> {
    cassette.layer().layer(plain())
}

async fn get(cassette: &Cassette, url: &str) -> Result<Response<ReplyBody>, BoxError> {
    client(cassette).oneshot(Request::get(url).body(Full::default()).unwrap()).await
}

/// Returns everything that a program can see of a reply but its body.
fn head(reply: &Response<ReplyBody>) -> String {
    let mut headers: Vec<_> = reply.headers().iter().map(|(name, value)| format!("{name}: {value:?}")).collect();
    headers.sort();
    format!("{} {:?} {:?} {headers:?}", reply.status(), reply.version(), reply.body().size_hint())
}

/// Reads a body, frame by frame, up to so many.
async fn frames(mut body: ReplyBody, limit: usize) -> Vec<String> {
    let mut frames = Vec::new();
    while frames.len() < limit {
        match body.frame().await {
            Some(Ok(frame)) => frames.push(String::from_utf8_lossy(frame.data_ref().unwrap()).into_owned()),
            Some(Err(_)) => frames.push("broken".to_owned()),
            None => break,
        }
    }
    frames
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks(cassette: Cassette) {
    let body = Full::from(r#"{"to": "Bergen"}"#);
    let request =
        Request::post(format!("{}/v1/trains?to=Bergen", upstream())).header("content-type", "application/json");
    let reply = client(&cassette).oneshot(request.body(body).unwrap()).await.unwrap();
    let head = head(&reply);
    seen(format!("{head} {:?}", reply.into_body().collect().await.unwrap().to_bytes()));
}

#[test]
fn a_whole_reply_is_the_same_live_and_replayed() {
    let file = tell(story!(it_asks), |request| {
        assert_eq!(request.text(), r#"{"to": "Bergen"}"#);
        Answer::json(201, r#"{"train":"09:04"}"#).with("x-a", "1").with("x-a", "2").with("keep-alive", "timeout=5")
    });
    assert!(file.contains("/v1/trains?to=Bergen\",") && !file.contains("keep-alive"), "{file}");
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_names_no_server(cassette: Cassette) {
    let origin = cassette.layer().origin(if is_set("STORY_ORIGIN") { upstream() } else { "http://models".to_owned() });
    let layer = if is_set("STORY_ORIGIN") { origin } else { cassette.layer() };
    // The server is added below the layer, as gRPC channels do.
    let below = tower::ServiceBuilder::new().map_request(|request: Request<Full<Bytes>>| {
        let (mut head, body) = request.into_parts();
        head.uri = format!("{}{}", upstream(), head.uri).parse().unwrap();
        Request::from_parts(head, body)
    });
    let client = layer.layer(below.service(plain()));
    let request = Request::get("/v1/trains").header("host", "timetable.example.com").body(Full::default()).unwrap();
    let reply = client.oneshot(request).await.unwrap();
    seen(reply.into_body().collect().await.unwrap().to_bytes());
}

#[test]
fn the_server_of_a_request_that_names_none_is_the_layers() {
    let rehearsal = Rehearsal::of(|_| Answer::json(200, "{}")).with("STORY_ORIGIN", "1");
    assert!(tell_on(rehearsal, story!(it_names_no_server)).contains("/v1/trains\","));
}

#[test]
fn a_request_without_a_server_is_told() {
    let told = Rehearsal::of(|_| Answer::json(200, "{}")).fails(story!(it_names_no_server), "record");
    assert_told!("serverless", told);
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_reads_events(cassette: Cassette) {
    let reply = get(&cassette, &upstream()).await.unwrap();
    let head = head(&reply);
    let frames = frames(reply.into_body(), 99).await;
    assert_eq!(frames, EVENTS, "each event is one frame");
    seen(format!("{head} {frames:?}"));
}

#[test]
fn events_keep_their_boundaries() {
    tell(story!(it_reads_events), |_| Answer::events(&EVENTS));
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_stops_reading(cassette: Cassette) {
    seen(frames(get(&cassette, &upstream()).await.unwrap().into_body(), 2).await.join("|"));
}

#[test]
fn a_consumer_that_stops_half_way_is_recorded_as_it_was() {
    let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
    let events: Vec<_> = EVENTS[..3].iter().map(|event| event.as_bytes().to_vec()).collect();
    let file = tell(story!(it_stops_reading), move |_| Answer::Endless(headers.clone(), events.clone()));
    assert!(file.contains("\"truncated\": \"left\""), "{file}");
}

#[cassette(allow_errors)]
#[tokio::test]
#[ignore]
async fn its_stream_breaks(cassette: Cassette) {
    seen(frames(get(&cassette, &upstream()).await.unwrap().into_body(), 3).await.join("|"));
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
    let err = get(&cassette, &upstream()).await.unwrap_err();
    let failed = err.downcast_ref::<Failed>().unwrap();
    seen(format!("{} {failed}", failed.class()));
}

#[test]
fn a_failure_is_the_same_again() {
    for (rehearsal, class) in [
        (Rehearsal::of(|_| Answer::Nothing), "closed"),
        (Rehearsal::at("http://127.0.0.1:1"), "connect"),
        (Rehearsal::at("http://nowhere.invalid"), "dns"),
    ] {
        let file = tell_on(rehearsal, story!(it_gets_no_reply));
        assert!(file.contains(&format!("\"class\": \"{class}\"")), "{file}");
    }
}

#[cassette(allow_errors)]
#[tokio::test(start_paused = true)]
#[ignore]
async fn it_gives_up(cassette: Cassette) {
    if !cassette.is_replaying() {
        tokio::time::resume();
    }
    let client = tower::ServiceBuilder::new().timeout(Duration::from_millis(100)).service(client(&cassette));
    let reply = client.oneshot(Request::get(upstream()).body(Full::default()).unwrap()).await;
    seen(reply.unwrap_err().to_string());
}

#[test]
fn a_layer_that_gave_up_gives_up_again_by_a_paused_clock_too() {
    tell(story!(it_gives_up), |_| {
        std::thread::sleep(Duration::from_secs(1));
        Answer::Nothing
    });
}

#[cassette(on_miss = "error")]
#[tokio::test]
#[ignore]
async fn it_asks_for_another_train(cassette: Cassette) {
    let city = if cassette.is_replaying() { "Oslo" } else { "Bergen" };
    match get(&cassette, &format!("{}/{city}", upstream())).await {
        Ok(_) => {}
        Err(err) => seen(err.downcast_ref::<Arc<Report>>().unwrap().to_string()),
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

#[cassette(on_miss = "error")]
#[tokio::test]
#[ignore]
async fn it_has_two(cassette: Cassette) {
    let below = client(&cassette);
    let twice = tower::ServiceBuilder::new().layer(cassette.layer()).map_request(|request| request).service(below);
    assert!(twice.oneshot(Request::get(upstream()).body(Full::default()).unwrap()).await.is_err());
}

#[test]
fn two_layers_round_one_client_are_told() {
    let rehearsal = Rehearsal::of(|_| Answer::json(200, "{}"));
    assert_told!("two", rehearsal.fails(story!(it_has_two), "record"));
    assert_eq!(rehearsal.asked(), 0, "nothing is sent");
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_goes_round(cassette: Cassette) {
    get(&cassette, &upstream()).await.unwrap();
    if is_set("STORY_GOES_ROUND") {
        let _ = plain().oneshot(Request::get(upstream()).body(Full::default()).unwrap()).await;
    }
}

#[test]
fn a_client_without_the_layer_is_denied_in_a_replay() {
    let rehearsal = Rehearsal::of(|_| Answer::json(200, "{}"));
    rehearsal.passes(story!(it_goes_round), "record");
    let rehearsal = rehearsal.with("STORY_GOES_ROUND", "1");
    assert_told!("round", rehearsal.fails(story!(it_goes_round), "replay"));
    assert_eq!(rehearsal.asked(), 1, "nothing reached the server");
}

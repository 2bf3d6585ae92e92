//! A layer that retries, outside the middleware.

use cassette_test::{Cassette, cassette};
use reqwest_middleware::{ClientBuilder, ClientWithMiddleware};
use reqwest_retry::RetryTransientMiddleware;
use reqwest_retry::policies::ExponentialBackoff;
use stages::{Answer, Rehearsal, seen, story, tell, upstream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn client(cassette: &Cassette) -> ClientWithMiddleware {
    let policy = ExponentialBackoff::builder().retry_bounds(Duration::ZERO, Duration::ZERO).build_with_max_retries(3);
    ClientBuilder::new(reqwest::Client::builder().pool_max_idle_per_host(0).build().unwrap())
        .with(RetryTransientMiddleware::new_with_policy(policy))
        .with(cassette.middleware())
        .build()
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_tries_again(cassette: Cassette) {
    let reply = client(&cassette).get(upstream()).send().await.unwrap();
    seen(format!("{} {:?} after {} calls", reply.status(), reply.text().await.unwrap(), cassette.calls().len()));
}

#[test]
fn failures_that_were_retried_are_retried_again() {
    let asked = AtomicUsize::new(0);
    let file = tell(story!(it_tries_again), move |_| match asked.fetch_add(1, Ordering::SeqCst) {
        0 => Answer::Nothing,
        1 => Answer::json(503, "{}"),
        _ => Answer::json(200, r#"{"train":"09:04"}"#),
    });
    assert_eq!(file.matches("\"kind\": \"http\"").count(), 3, "{file}");
}

#[cassette(on_miss = "error")]
#[tokio::test]
#[ignore]
async fn it_misses(cassette: Cassette) {
    let path = if cassette.is_replaying() { "Oslo" } else { "Bergen" };
    let reply = client(&cassette).get(format!("{}/{path}", upstream())).send().await;
    if let Err(err) = reply {
        seen(format!("{err} after {} calls", cassette.calls().len()));
    }
}

#[test]
fn a_miss_is_not_retried() {
    let mut rehearsal = Rehearsal::of(|_| Answer::json(200, "{}"));
    rehearsal.passes(story!(it_misses), "record");
    rehearsal.shut_down();
    let told = rehearsal.fails(story!(it_misses), "replay");
    let seen = rehearsal.seen();
    assert!(seen.starts_with("cassette mismatch: ") && seen.ends_with(" after 1 calls"), "{seen}");
    let report = seen.trim_end_matches(" after 1 calls");
    assert!(told.contains(report), "{told} holds {report}");
}

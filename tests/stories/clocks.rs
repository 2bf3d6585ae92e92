//! Clocks that do not run with the real one.

use std::time::Duration;

use cassette_test::{Cassette, cassette};
use stages::{Answer, Rehearsal};

use crate::told::base;

#[cassette("paused")]
#[tokio::test(start_paused = true)]
#[ignore]
async fn a_client_with_a_time_out_on_a_paused_clock(cassette: Cassette) {
    let request = reqwest::Client::new().get(format!("{}/slow", base(&cassette)));
    request.timeout(Duration::from_secs(30)).send().await.unwrap().text().await.unwrap();
}

#[test]
fn a_paused_clock_with_a_client_time_out_is_explained() {
    // A reply that never ends: nothing but the clock can end the call.
    let rehearsal = Rehearsal::of(|_| Answer::Endless(Vec::new(), Vec::new()));
    let told = rehearsal.fails("clocks::a_client_with_a_time_out_on_a_paused_clock", "record");
    assert!(told.contains("note: tokio's clock is paused in this test"), "{told}");
}

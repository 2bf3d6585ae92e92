//! Numbers and order, which hold whatever features of `serde_json` somebody's dependencies switch on.
//!
//! `cargo xtask ci` runs the suite a second time with all that change what a value is: see `any-json` in the manifest.

use cassette_test::{Cassette, cassette};
use serde_json::Value;
use stages::{Answer, seen, tell};

use crate::told::base;

/// What is asked: numbers that no float holds, in an order that is not the alphabet's.
const ASKED: &str = r#"{"to":"Bergen","fare":349.50,"at":-1e3,"id":12345678901234567890123}"#;
/// What is answered, spelled as no printer would.
const ANSWERED: &str = "{ \"z\":1.50,\"a\" : 1E+3,\n\"text\":\"\\u00e9\\/\", \"id\":98765432109876543210123 }";

#[cfg(feature = "any-json")]
#[test]
fn the_features_are_switched_on() {
    let asked: Value = serde_json::from_str(ASKED).unwrap();
    assert_eq!(asked.to_string().replace("-1e+3", "-1e3"), ASKED);
}

#[cassette("exact")]
#[tokio::test]
#[ignore]
async fn a_program_sends_numbers(cassette: Cassette) {
    let asked: Value = serde_json::from_str(ASKED).unwrap();
    let reply = reqwest::Client::new().post(format!("{}/fares", base(&cassette))).json(&asked).send().await.unwrap();
    let (body, call) = (reply.text().await.unwrap(), &cassette.calls()[0]);
    assert_eq!(String::from_utf8_lossy(&call.body), asked.to_string());
    let read: Value = serde_json::from_str(&body).unwrap();
    seen(format!("{body}\n{read}\n{}", cassette.transcript()));
}

#[test]
fn numbers_and_order_come_back_as_they_were() {
    let file = tell("numbers::a_program_sends_numbers", |request| {
        assert_eq!(request.text(), serde_json::from_str::<Value>(ASKED).unwrap().to_string());
        Answer::json(200, ANSWERED)
    });
    // Neither compact nor indented: the file keeps it as a text.
    assert!(
        file.contains(
            r#""text": "{ \"z\":1.50,\"a\" : 1E+3,\n\"text\":\"\\u00e9\\/\", \"id\":98765432109876543210123 }""#
        ),
        "{file}"
    );
}

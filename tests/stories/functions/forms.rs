//! Every form in which a test calls a function itself.

use std::io;
use std::time::SystemTime;

use cassette_test::{Call, Cassette, cassette};
use serde::{Deserialize, Serialize};

use super::effects::{Counting, effect};
use stages::seen;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Hit {
    title: String,
    score: f64,
}

fn search(city: &str) -> Vec<Hit> {
    effect(&format!("search {city}"));
    vec![Hit { title: format!("09:04 to {city}"), score: 0.1 + 0.2 }]
}

#[cassette("forms")]
#[tokio::test]
#[ignore]
async fn it_calls_in_every_form(cassette: Cassette) {
    let hits: Vec<Hit> = cassette.call(Call::tool("search", &["Bergen"]), || async { search("Bergen") }).await;
    let again: Vec<Hit> = cassette.call_blocking(Call::tool("search", &["Voss"]), || search("Voss"));
    let whole: Result<u8, String> =
        cassette.call(Call::memory("recall", &("key", 1)), || async { Err("forgotten".to_owned()) }).await;
    let tried: Result<u8, anyhow::Error> = cassette
        .try_call(Call::llm("answer", "why"), || async {
            effect("answer");
            Err(anyhow::anyhow!("no idea").context("asked the model"))
        })
        .await;
    let read: io::Result<String> = cassette.try_call_blocking(Call::tool("read", "file"), || {
        effect("read");
        Err(io::Error::new(io::ErrorKind::PermissionDenied, "not yours"))
    });
    let read = read.unwrap_err();
    seen(format!("{hits:?} {again:?} {whole:?} {} {:?} {read}", tried.unwrap_err(), read.kind()));
}

#[test]
fn every_form_of_a_call_comes_back_without_running() {
    let counting = Counting::new();
    let (seen, effects) = counting.comes_back("forms::it_calls_in_every_form");
    assert_eq!(
        seen,
        "[Hit { title: \"09:04 to Bergen\", score: 0.30000000000000004 }] \
         [Hit { title: \"09:04 to Voss\", score: 0.30000000000000004 }] Err(\"forgotten\") asked the model PermissionDenied not yours"
    );
    assert_eq!(effects, ["search Bergen", "search Voss", "answer", "read"]);
    insta::with_settings!({ filters => vec![(r#""(recorded|by)": ".*""#, r#""$1": "..""#), (r#""pace": \[\d+\]"#, r#""pace": [0]"#), (r#""seal": ".*""#, r#""seal": "..""#)] }, {
        insta::assert_snapshot!("forms", counting.rehearsal.file("forms"));
    });
}

#[cassette("clock")]
#[test]
#[ignore]
fn it_looks_at_the_clock(cassette: Cassette) {
    #[expect(clippy::disallowed_methods, reason = "the clock of the program under test")]
    let now = || cassette.value("now", SystemTime::now);
    let seed: u64 = cassette.value("seed", || {
        effect("seed");
        u64::MAX - 1
    });
    seen(format!("{:?} {:?} {seed}", now(), now()));
}

#[test]
fn values_that_differ_from_run_to_run_come_back_in_their_order() {
    let (_, effects) = Counting::new().comes_back("forms::it_looks_at_the_clock");
    assert_eq!(effects, ["seed"]);
}

#[cassette("off", mode = "off")]
#[tokio::test]
#[ignore]
async fn it_records_nothing(cassette: Cassette) {
    let number: f64 = cassette.call(Call::tool("number", &f64::NAN), || async { f64::NAN }).await;
    seen(format!("{number} {}", cassette.live_calls()));
}

#[test]
fn where_nothing_is_recorded_any_value_will_do() {
    let counting = Counting::new();
    assert_eq!(counting.passes("forms::it_records_nothing", "record").seen, "NaN 1");
    assert_eq!(counting.rehearsal.file("off"), "");
}

#[test]
#[ignore]
fn it_opens_its_own() {
    let session = Cassette::builder("own").open().unwrap();
    let hits: Vec<Hit> = session.call_blocking(Call::tool("search", &["Bergen"]), || search("Bergen"));
    session.finish().unwrap();
    seen(format!("{hits:?}"));
}

#[test]
fn a_session_in_code_records_functions_too() {
    let counting = Counting::new();
    counting.comes_back("forms::it_opens_its_own");
}

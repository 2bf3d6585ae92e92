//! A build that only replays.

use cassette_core::reply::{Outcome, TransportClass};

use super::client::{Client, get};
use super::stage::Stage;

#[test]
fn a_live_call_is_refused_with_the_command_that_makes_it() {
    let stage = Stage::live();
    let url = stage.url("https://api.openai.com/v1");
    let seen = Client::connect(&url).ask(get(&url)).unwrap();
    assert_eq!((seen.head.status, seen.head.header("x-cassette-error")), (404, Some("refused")));
    assert_eq!(
        stage.notebook.failure(),
        "cassette refused: GET https://api.openai.com/v1 has to go live, and cassette-test was built without the feature \
         `record`\n\
         help: CASSETTE_MODE=record cargo test --features cassette-test/record -p demo --lib tests::it_talks -- --exact"
    );
    let written = stage.notebook.written(1);
    assert!(matches!(&written[0].1, Outcome::Error(error) if error.class == TransportClass::Connect), "{written:?}");
}

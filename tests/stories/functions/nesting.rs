//! What functions call: other functions, the gateway, the network.

use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use cassette_test::{Call, Cassette, cassette};
use futures_util::stream::{self, BoxStream, StreamExt as _};

use super::effects::{Counting, effect, word};
use crate::asking::must_ask;
use stages::{assert_told, is_set, seen};

#[cassette_test::tool]
fn look_up(town: &str) -> String {
    effect(&format!("look up {town}"));
    let cassette = Cassette::current();
    let seed: u32 = cassette.value("seed", || 7);
    format!("{} {seed}", must_ask(&cassette, town))
}

#[cassette_test::llm]
async fn plan(town: &str) -> String {
    effect("plan");
    let (one, two) = (look_up(town), look_up(town));
    format!("{one} {two}")
}

#[cassette("nested")]
#[tokio::test]
#[ignore]
async fn it_plans(cassette: Cassette) {
    let planned = plan("Bergen").await;
    let looked_up = look_up("Voss");
    let asked = must_ask(&cassette, "Oslo");
    seen(format!("{planned}\n{looked_up}\n{asked}"));
}

#[test]
fn the_outermost_function_is_recorded_and_the_gateway_within_it() {
    let counting = Counting::new();
    let (_, effects) = counting.comes_back("nesting::it_plans");
    assert_eq!(effects, ["plan", "look up Bergen", "look up Bergen", "look up Voss"]);
    let document: serde_json::Value = serde_json::from_str(&counting.rehearsal.file("nested")).unwrap();
    let facts = document["interactions"].as_array().unwrap().iter().map(|one| {
        let name = one["name"].as_str().unwrap().rsplit(['/', ':']).next().unwrap();
        format!("{} {name} {}", one["kind"].as_str().unwrap(), one["within"])
    });
    let facts: Vec<_> = facts.collect();
    assert_eq!(
        facts,
        [
            "llm plan null",
            "http completions 1",
            "http completions 1",
            "tool look_up null",
            "http completions 4",
            "http completions null"
        ]
    );
    counting.passes("nesting::it_plans", "refresh");
    let again: serde_json::Value = serde_json::from_str(&counting.rehearsal.file("nested")).unwrap();
    assert_eq!(again["interactions"].as_array().unwrap().len(), facts.len());
}

#[cassette_test::llm]
fn towns() -> BoxStream<'static, String> {
    let town = |town: &'static str| async move {
        tokio::task::yield_now().await;
        town.to_owned()
    };
    stream::iter(["Bergen", "Oslo"]).then(town).boxed()
}

#[cassette("acting")]
#[tokio::test]
#[ignore]
async fn it_acts_on_each_item(cassette: Cassette) {
    let mut towns = towns();
    let mut last = must_ask(&cassette, "Voss");
    while let Some(town) = towns.next().await {
        if !is_set("STORY_LEAVES_IT") {
            last = must_ask(&cassette, &town);
        }
    }
    seen(last);
}

#[test]
fn what_is_asked_between_the_items_of_a_stream_is_no_part_of_it() {
    let counting = Counting::new();
    counting.comes_back("nesting::it_acts_on_each_item");
    assert!(!counting.rehearsal.file("acting").contains("within"));
    let counting = counting.with("STORY_LEAVES_IT", "1");
    assert_told!("left_out_beside_a_stream", counting.fails("nesting::it_acts_on_each_item", "replay"));
}

#[cassette_test::memory]
async fn remember(what: &str) -> usize {
    effect(&format!("remember {what}"));
    what.len()
}

#[cassette("stateful")]
#[tokio::test]
#[ignore]
async fn it_remembers(cassette: Cassette) {
    let first = remember("one").await;
    let asked = must_ask(&cassette, &word("STORY_TOWN"));
    let second = remember("two").await;
    let seed: u8 = cassette.value("seed", || {
        effect("seed");
        3
    });
    seen(format!("{first} {asked} {second} {seed}"));
}

#[test]
fn what_hangs_on_state_is_asked_anew_once_something_went_live() {
    let counting = Counting::new().with("STORY_TOWN", "Bergen");
    counting.passes("nesting::it_remembers", "record");
    assert_eq!(counting.effects(), ["remember one", "remember two", "seed"]);
    let counting = counting.with("STORY_TOWN", "Oslo");
    counting.passes("nesting::it_remembers", "record");
    assert_eq!(counting.effects(), ["remember one", "remember two", "seed", "remember two"]);
    counting.passes("nesting::it_remembers", "replay");
    assert_eq!(counting.effects().len(), 4);
}

fn reach() -> String {
    let nobody: SocketAddr = "240.0.0.1:443".parse().unwrap();
    TcpStream::connect_timeout(&nobody, Duration::from_millis(100))
        .map_or_else(|error| format!("{:?}", error.kind()), |_| "reached".to_owned())
}

#[cassette_test::tool]
fn reach_out() -> usize {
    reach().len()
}

#[cassette("reaching-within")]
#[test]
#[ignore]
fn it_reaches_within(cassette: Cassette) {
    let within = reach_out();
    let here: usize = cassette.call_blocking(Call::tool("here", &()), || reach().len());
    if word("STORY_REACHES") == "beside" {
        reach();
    }
    seen(format!("{}", (within > 0) && (here > 0)));
}

#[test]
fn what_a_function_reaches_is_no_way_round_the_cassette() {
    Counting::new().comes_back("nesting::it_reaches_within");
    let counting = Counting::new().with("STORY_REACHES", "beside");
    assert_told!("beside", counting.fails("nesting::it_reaches_within", "record"));
}

#[cassette("asked-of-a-thread")]
#[test]
#[ignore]
fn it_hands_its_handle_on(cassette: Cassette) {
    let handle = cassette.clone();
    let other = std::thread::spawn(move || {
        let _entered = handle.enter();
        look_up("Flåm")
    });
    seen(format!("{} {}", other.join().unwrap(), cassette.calls().len()));
}

#[test]
fn a_function_finds_the_cassette_of_its_thread() {
    let counting = Counting::new();
    let live = counting.passes("nesting::it_hands_its_handle_on", "record");
    let replayed = counting.passes("nesting::it_hands_its_handle_on", "replay");
    assert!(live.seen.ends_with(" 2") && replayed.seen.ends_with(" 1"), "{} {}", live.seen, replayed.seen);
    assert_eq!(counting.effects(), ["look up Flåm"]);
}

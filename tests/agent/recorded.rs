//! The first act: one run, in one cassette, in the order in which things happened; and again with every server gone.

use cassette_test::{Cassette, cassette};
use stages::{Rehearsal, assert_told, seen};

use crate::agent::answer;
use crate::world::{Day, World};

/// The act's name.
pub(crate) const RUN: &str = "recorded::run";

#[cassette("run")]
#[tokio::test]
#[ignore]
async fn run(cassette: Cassette) {
    let said = answer(&cassette, "When does the next train to Bergen leave?").await.unwrap();
    seen(format!("{said}\n\n{}", cassette.transcript()));
}

#[test]
fn an_agent_is_recorded_once_and_replayed_with_every_server_gone() {
    let (rehearsal, mut world) = (Rehearsal::bare(), World::on(Day::Friday));
    let live = world.play(&rehearsal, RUN, "record").passes();
    assert_eq!(world.asked(), [2, 1, 1, 1], "the model twice, the store and both tools once");
    world.end();
    let file = rehearsal.file("run");
    let replayed = world.play(&rehearsal, RUN, "replay").passes();
    assert_eq!(replayed.seen, live.seen, "the agent says and sees the same");
    assert_eq!(rehearsal.file("run"), file, "a replay leaves the file as it is");
    assert_told!("recorded", replayed.seen);
    let order: Vec<_> = file.lines().filter_map(|line| line.strip_prefix("      \"name\": ")).collect();
    assert_told!("order", order.join("\n"));
}

//! The second act: what if there were no trains? The run goes as it did up to its third step, and from there its own way.

use cassette_test::{Cassette, cassette};
use stages::{Rehearsal, assert_told, seen};

use crate::agent::answer;
use crate::recorded::RUN;
use crate::world::{Day, World};

const FORKED: &str = "forked::forked";

#[cassette("forked", fork("run", at = 3))]
#[tokio::test]
#[ignore]
async fn forked(cassette: Cassette) {
    seen(answer(&cassette, "When does the next train to Bergen leave?").await.unwrap());
}

#[test]
fn a_run_is_forked_at_its_third_step_and_the_fork_needs_nothing_else() {
    let rehearsal = Rehearsal::bare();
    World::on(Day::Friday).play(&rehearsal, RUN, "record").passes();
    let mut strike = World::on(Day::Strike);
    let live = strike.play(&rehearsal, FORKED, "record").passes();
    assert_eq!(strike.asked(), [1, 0, 1, 1], "clock, store and the first answer are those of the run");
    strike.end();
    std::fs::remove_file(rehearsal.path("run")).unwrap();
    let replayed = strike.play(&rehearsal, FORKED, "replay").passes();
    assert_eq!(replayed.seen, live.seen);
    assert_told!("forked", replayed.seen);
}

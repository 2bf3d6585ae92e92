//! The second act: what if there were no trains? The run goes as it did up to its third step, and from there its own way.

use cassette_test::{Cassette, cassette};

use crate::agent::answer;
use crate::recorded::RUN;
use crate::told::{Theatre, assert_told, seen};
use crate::world::{Day, World};

const FORKED: &str = "forked::forked";

#[cassette("forked", fork("run", at = 3))]
#[tokio::test]
#[ignore]
async fn forked(cassette: Cassette) {
    seen(&answer(&cassette, "When does the next train to Bergen leave?").await.unwrap());
}

#[test]
fn a_run_is_forked_at_its_third_step_and_the_fork_needs_nothing_else() {
    let theatre = Theatre::new();
    theatre.passes(RUN, "record", &World::on(Day::Friday));
    let mut strike = World::on(Day::Strike);
    let live = theatre.passes(FORKED, "record", &strike);
    assert_eq!(strike.asked(), [1, 0, 1, 1], "clock, store and the first answer are those of the run");
    strike.end();
    theatre.remove("run");
    let replayed = theatre.passes(FORKED, "replay", &strike);
    assert_eq!(replayed.seen, live.seen);
    assert_told!("forked", replayed.seen);
}

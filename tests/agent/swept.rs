//! The third act: the model fails, breaks off or says nothing, at each of its calls in turn.

use cassette_test::{Cassette, Fault};
use stages::{Rehearsal, assert_told, seen};

use crate::agent::answer;
use crate::recorded::RUN;
use crate::world::{Day, World};

const SWEPT: &str = "swept::swept";
const GIVEN_UP: &str = "swept::given_up";

#[tokio::test]
#[ignore]
async fn swept() {
    let mut told = String::new();
    for fault in [Fault::status(503), Fault::reset(), Fault::cut_after(0), Fault::garbage(1), Fault::byte_by_byte()] {
        let survived = Cassette::builder("run").sweep(fault).run_async(question).await;
        told += &format!("{survived:?}\n");
    }
    seen(&told);
}

/// Asks an agent whose model fails at each of its calls.
#[tokio::test]
#[ignore]
async fn given_up() {
    let session = Cassette::builder("run").open().unwrap();
    session.cassette().fault(Fault::status(503).at_each());
    let failed = question(session.cassette().clone()).await.unwrap_err();
    let summary = session.finish().unwrap();
    seen(format!("{failed}\n{summary}"));
}

async fn question(cassette: Cassette) -> Result<(), String> {
    answer(&cassette, "When does the next train to Bergen leave?").await.map(drop)
}

#[test]
fn what_goes_wrong_at_the_model_is_survived_at_each_of_its_calls() {
    let (rehearsal, mut world) = (Rehearsal::bare(), World::on(Day::Friday));
    world.play(&rehearsal, RUN, "record").passes();
    world.end();
    assert_told!("swept", world.play(&rehearsal, SWEPT, "replay").passes().seen);
    assert_told!("given_up", world.play(&rehearsal, GIVEN_UP, "replay").passes().seen);
}

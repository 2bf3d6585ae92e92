//! The last act: each seam is left out in turn, and the test fails for want of it.

use crate::recorded::RUN;
use crate::told::{Seam, Theatre, assert_told};
use crate::world::{Day, World};

const SEAMS: [Seam; 6] = [Seam::Model, Seam::Timetable, Seam::Fare, Seam::Store, Seam::Clock, Seam::Platform];

/// The servers stay up, so that what goes round its seam is answered, and only the cassette can tell.
#[test]
fn a_seam_that_is_left_out_of_a_replay_is_missed_though_its_server_answers() {
    let (theatre, world) = (Theatre::new(), World::on(Day::Friday));
    theatre.passes(RUN, "record", &world);
    for seam in SEAMS {
        let told = theatre.misses(RUN, "replay", &world, seam);
        assert_told!(format!("replay_without_{seam:?}").to_lowercase(), told);
    }
}

/// A recording that lacks a seam passes, since all of it is real: its first replay, with the servers gone, does not.
#[test]
fn a_seam_that_was_left_out_of_the_recording_is_missed_by_its_first_replay() {
    for seam in SEAMS {
        let (theatre, mut world) = (Theatre::new(), World::on(Day::Friday));
        let recorded = theatre.play(RUN, "record", &world, Some(seam));
        assert!(recorded.passed, "{}", recorded.printed);
        world.end();
        let told = theatre.misses(RUN, "replay", &world, seam);
        assert_told!(format!("recorded_without_{seam:?}").to_lowercase(), told);
    }
}

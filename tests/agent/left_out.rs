//! The last act: each seam is left out in turn, and the test fails for want of it.

use stages::{Rehearsal, assert_told};

use crate::recorded::RUN;
use crate::told::Seam;
use crate::world::{Day, World};

const SEAMS: [Seam; 6] = [Seam::Model, Seam::Timetable, Seam::Fare, Seam::Store, Seam::Clock, Seam::Platform];

/// The servers stay up, so that what goes round its seam is answered, and only the cassette can tell.
#[test]
fn a_seam_that_is_left_out_of_a_replay_is_missed_though_its_server_answers() {
    let (rehearsal, world) = (Rehearsal::bare(), World::on(Day::Friday));
    world.play(&rehearsal, RUN, "record").passes();
    for seam in SEAMS {
        let told = world.play_without(seam, &rehearsal, (RUN, "replay")).fails();
        assert_told!(format!("replay_without_{seam:?}").to_lowercase(), told);
    }
}

/// A recording that lacks a seam passes, since all of it is real: its first replay, with the servers gone, does not.
#[test]
fn a_seam_that_was_left_out_of_the_recording_is_missed_by_its_first_replay() {
    for seam in SEAMS {
        let (rehearsal, mut world) = (Rehearsal::bare(), World::on(Day::Friday));
        world.play_without(seam, &rehearsal, (RUN, "record")).passes();
        world.end();
        let told = world.play_without(seam, &rehearsal, (RUN, "replay")).fails();
        assert_told!(format!("recorded_without_{seam:?}").to_lowercase(), told);
    }
}

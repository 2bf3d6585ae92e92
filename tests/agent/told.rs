//! How an act is played: with the addresses of its world, and with a seam left out.

use stages::{Played, Rehearsal, is_set, var};

use crate::world::World;

/// A seam between the agent and what it touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seam {
    Model,
    Timetable,
    Fare,
    Store,
    Clock,
    Platform,
}

/// Returns whether this run goes round this seam.
pub(crate) fn leaves_out(seam: Seam) -> bool {
    is_set("STORY_LEFT_OUT") && var("STORY_LEFT_OUT") == format!("{seam:?}")
}

impl World {
    /// Plays an act in this world, however it ends.
    pub(crate) fn play(&self, rehearsal: &Rehearsal, act: &str, mode: &str) -> Played {
        let addresses = self.addresses();
        let variables: Vec<_> = addresses.iter().map(|(name, value)| (*name, value.as_str())).collect();
        rehearsal.play_with(act, mode, &variables)
    }

    /// Plays an act in this world that goes round a seam.
    pub(crate) fn play_without(&self, seam: Seam, rehearsal: &Rehearsal, (act, mode): (&str, &str)) -> Played {
        let (addresses, seam) = (self.addresses(), format!("{seam:?}"));
        let variables = addresses.iter().map(|(name, value)| (*name, value.as_str()));
        rehearsal.play_with(act, mode, &variables.chain([("STORY_LEFT_OUT", &*seam)]).collect::<Vec<_>>())
    }
}

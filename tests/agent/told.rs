//! How the story is told: each act is a test of its own, run again in a process of its own, on a stage with its servers or
//! without them.

use std::fs;

use stages::{Played, Stage};

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
#[expect(clippy::disallowed_methods, reason = "the teller speaks to the act through its environment")]
pub(crate) fn leaves_out(seam: Seam) -> bool {
    std::env::var("STORY_LEFT_OUT").is_ok_and(|name| name == format!("{seam:?}"))
}

#[expect(clippy::disallowed_methods, reason = "the teller speaks to the act through its environment")]
pub(crate) fn var(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is set by the teller"))
}

/// Writes down what the agent said and what its cassette says of the run, for the teller to compare.
pub(crate) fn seen(what: &str) {
    #[expect(clippy::disallowed_methods, reason = "the act's own notebook")]
    fs::write(var("STORY_SEEN"), what).unwrap();
}

/// A directory for cassettes, and the acts that are played with them.
pub(crate) struct Theatre {
    stage: Stage,
    _dir: tempfile::TempDir,
}

impl Theatre {
    pub(crate) fn new() -> Theatre {
        let dir = tempfile::tempdir().unwrap();
        Theatre { stage: Stage::new(dir.path()), _dir: dir }
    }

    /// Plays an act that has to pass.
    #[track_caller]
    pub(crate) fn passes(&self, act: &str, mode: &str, world: &World) -> Played {
        let played = self.play(act, mode, world, None);
        assert!(played.passed, "{act} passes in {mode}:\n{}", played.printed);
        played
    }

    /// Plays an act that has to fail for want of this seam, and returns what is told of it.
    #[track_caller]
    pub(crate) fn misses(&self, act: &str, mode: &str, world: &World, seam: Seam) -> String {
        let played = self.play(act, mode, world, Some(seam));
        assert!(!played.passed, "{act} fails in {mode} without {seam:?}:\n{}", played.printed);
        played.told
    }

    /// Plays an act, however it ends.
    pub(crate) fn play(&self, act: &str, mode: &str, world: &World, without: Option<Seam>) -> Played {
        let mut stage = self.stage.clone();
        for (name, value) in world.addresses() {
            stage = stage.with(name, &value);
        }
        if let Some(seam) = without {
            stage = stage.with("STORY_LEFT_OUT", &format!("{seam:?}"));
        }
        stage.play(act, mode).unwrap()
    }

    /// Returns a cassette, as it is in its file.
    pub(crate) fn file(&self, cassette: &str) -> String {
        fs::read_to_string(self.stage.cassettes().join(format!("{cassette}.json"))).unwrap_or_default()
    }

    /// Removes a cassette.
    pub(crate) fn remove(&self, cassette: &str) {
        fs::remove_file(self.stage.cassettes().join(format!("{cassette}.json"))).unwrap();
    }
}

/// Snapshots a text, without what differs from run to run.
macro_rules! assert_told {
    ($name:expr, $told:expr) => {
        insta::with_settings!({ filters => crate::told::FILTERS.to_vec(), omit_expression => true }, {
            insta::assert_snapshot!($name, $told);
        });
    };
}
pub(crate) use assert_told;

/// What differs from run to run, and what stands for it.
pub(crate) const FILTERS: [(&str, &str); 5] = [
    (r"127\.0\.0\.1:\d+", "127.0.0.1:PORT"),
    (r"/[^ `:]*/cassettes/", "[dir]/cassettes/"),
    (r"(thread '[^']+' )\(\d+\) ", "$1"),
    (r"(\.rs):\d+:\d+:", "$1:"),
    (r"note: run with `RUST_BACKTRACE=1`.*\n", ""),
];

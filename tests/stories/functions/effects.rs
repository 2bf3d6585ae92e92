//! What a function does to the world, for the teller to count.

use std::fs;
use std::io::Write as _;

use stages::{Answer, Played, Rehearsal, Request, is_set, var};

use crate::asking::timetable;

/// Does something to the world.
pub(super) fn effect(what: &str) {
    let mut file = fs::OpenOptions::new().create(true).append(true).open(var("STORY_EFFECTS")).unwrap();
    writeln!(file, "{what}").unwrap();
}

/// Returns the word that the teller has set under this name, or nothing.
pub(super) fn word(name: &str) -> String {
    if is_set(name) { var(name) } else { String::new() }
}

/// A stage on which effects are counted.
pub(super) struct Counting {
    pub(super) rehearsal: Rehearsal,
    notebook: tempfile::TempDir,
}

impl Counting {
    pub(super) fn new() -> Counting {
        Counting::answering(timetable)
    }

    /// Returns one on which a server answers so.
    pub(super) fn answering(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Counting {
        let notebook = tempfile::tempdir().unwrap();
        let effects = notebook.path().join("effects").display().to_string();
        Counting { rehearsal: Rehearsal::of(answer).with("STORY_EFFECTS", &effects), notebook }
    }

    pub(super) fn with(mut self, name: &str, value: &str) -> Counting {
        self.rehearsal = self.rehearsal.with(name, value);
        self
    }

    /// Returns what was done to the world so far.
    pub(super) fn effects(&self) -> Vec<String> {
        let text = fs::read_to_string(self.notebook.path().join("effects")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    #[track_caller]
    pub(super) fn passes(&self, story: &str, mode: &str) -> Played {
        self.rehearsal.passes(&format!("functions::{story}"), mode)
    }

    #[track_caller]
    pub(super) fn fails(&self, story: &str, mode: &str) -> String {
        self.rehearsal.fails(&format!("functions::{story}"), mode)
    }

    /// Records a story and replays it: it sees the same, and does nothing to the world the second time. Returns what it did.
    #[track_caller]
    pub(super) fn comes_back(&self, story: &str) -> (String, Vec<String>) {
        let live = self.passes(story, "record");
        let effects = self.effects();
        let replayed = self.passes(story, "replay");
        assert_eq!(replayed.seen, live.seen, "the program sees the same");
        assert_eq!(self.effects(), effects, "nothing is done on replay");
        assert!(!live.seen.is_empty(), "the story says what it saw");
        let kept = self.passes(story, "record");
        assert_eq!((kept.seen, self.effects()), (live.seen.clone(), effects.clone()), "nothing is missing");
        (live.seen, effects)
    }
}

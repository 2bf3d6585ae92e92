//! How a story is told: recorded against a live server, the server shut down, and replayed to the same bytes.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail so")]

use std::fs;
use std::path::PathBuf;

use crate::{Answer, Played, Provider, Request, Stage};

/// A story's stage, in a directory that goes with it, and its server.
#[derive(Debug)]
pub struct Rehearsal {
    /// The stage.
    pub stage: Stage,
    server: Option<Provider>,
    /// What the server was asked until it was shut down.
    asked: usize,
    dir: tempfile::TempDir,
}

impl Rehearsal {
    /// Starts a server for stories yet to be played.
    ///
    /// # Panics
    ///
    /// Panics where there is no port, or no directory.
    pub fn of(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Rehearsal {
        let server = Provider::start(answer).unwrap();
        Rehearsal { server: Some(server), ..Rehearsal::bare() }.told_its_server()
    }

    /// Returns a rehearsal whose story is told this address as its server's.
    ///
    /// # Panics
    ///
    /// Panics where there is no directory.
    pub fn at(url: &str) -> Rehearsal {
        Rehearsal::bare().with("STORY_UPSTREAM", url)
    }

    /// Returns a rehearsal without a server.
    ///
    /// # Panics
    ///
    /// Panics where there is no directory.
    pub fn bare() -> Rehearsal {
        let dir = tempfile::tempdir().unwrap();
        Rehearsal { stage: Stage::new(dir.path()), server: None, asked: 0, dir }
    }

    fn told_its_server(self) -> Rehearsal {
        let url = self.url();
        self.with("STORY_UPSTREAM", &url)
    }

    /// Sets a variable for every run to come.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Rehearsal {
        self.stage = self.stage.with(name, value);
        self
    }

    /// Plays a story, however it ends.
    ///
    /// # Panics
    ///
    /// Panics where the program cannot be started.
    pub fn play(&self, story: &str, mode: &str) -> Played {
        self.play_with(story, mode, &[])
    }

    /// Plays a story with some variables more, however it ends.
    ///
    /// # Panics
    ///
    /// Panics where the program cannot be started.
    pub fn play_with(&self, story: &str, mode: &str, variables: &[(&str, &str)]) -> Played {
        let stage = variables.iter().fold(self.stage.clone(), |stage, (name, value)| stage.with(name, value));
        stage.play(story, mode).unwrap()
    }

    /// Plays a story that has to pass.
    ///
    /// # Panics
    ///
    /// Panics where it fails.
    #[track_caller]
    pub fn passes(&self, story: &str, mode: &str) -> Played {
        self.play(story, mode).passes()
    }

    /// Plays a story that has to fail, and returns what it told.
    ///
    /// # Panics
    ///
    /// Panics where it passes.
    #[track_caller]
    pub fn fails(&self, story: &str, mode: &str) -> String {
        self.play(story, mode).fails()
    }

    /// Returns the server's URL.
    ///
    /// # Panics
    ///
    /// Panics where there is none.
    pub fn url(&self) -> String {
        self.server.as_ref().unwrap().url()
    }

    /// Returns how many requests the server got.
    pub fn asked(&self) -> usize {
        self.server.as_ref().map_or(self.asked, Provider::asked)
    }

    /// Shuts the server down.
    pub fn shut_down(&mut self) {
        self.asked = self.asked();
        self.server = None;
    }

    /// Returns the path of the cassette of this name.
    pub fn path(&self, cassette: &str) -> PathBuf {
        self.stage.cassettes().join(format!("{cassette}.json"))
    }

    /// Returns the cassette of this name, or nothing where there is none.
    pub fn file(&self, cassette: &str) -> String {
        fs::read_to_string(self.path(cassette)).unwrap_or_default()
    }

    /// Returns the one cassette.
    ///
    /// # Panics
    ///
    /// Panics where there is none.
    pub fn only_file(&self) -> String {
        let mut below = vec![self.stage.cassettes()];
        while let Some(dir) = below.pop() {
            for path in fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()) {
                if path.is_dir() && !path.ends_with(".pending") {
                    below.push(path);
                } else if path.extension().is_some_and(|ending| ending == "json") {
                    return fs::read_to_string(path).unwrap();
                }
            }
        }
        panic!("nothing was recorded in {}", self.dir.path().display())
    }

    /// Returns what was recorded under this name and not taken over, or nothing.
    pub fn pending(&self, cassette: &str) -> String {
        self.file(&format!(".pending/{cassette}"))
    }

    /// Returns the journal under this name, or nothing.
    pub fn journal(&self, cassette: &str) -> String {
        fs::read_to_string(self.stage.cassettes().join(format!(".pending/{cassette}.journal"))).unwrap_or_default()
    }

    /// Changes the cassette of this name by hand.
    ///
    /// # Panics
    ///
    /// Panics where nothing is changed.
    pub fn edit(&self, cassette: &str, edit: impl Fn(&str) -> String) {
        let (before, path) = (self.file(cassette), self.path(cassette));
        let after = edit(&before);
        assert_ne!(before, after, "the edit edits");
        #[expect(clippy::disallowed_methods, reason = "somebody's editor")]
        fs::write(path, after).unwrap();
    }

    /// Returns what the last run saw.
    pub fn seen(&self) -> String {
        fs::read_to_string(self.dir.path().join("seen")).unwrap_or_default()
    }
}

/// Tells a story that has to come out the same, live and replayed with the server gone, and returns the file.
///
/// # Panics
///
/// Panics where it does not.
#[track_caller]
pub fn tell(story: &str, answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> String {
    tell_on(Rehearsal::of(answer), story)
}

/// Tells a story on this stage, as [`tell`] does.
///
/// # Panics
///
/// Panics where it does not come out the same.
#[track_caller]
pub fn tell_on(mut rehearsal: Rehearsal, story: &str) -> String {
    let has_server = rehearsal.server.is_some();
    let live = rehearsal.passes(story, "record");
    rehearsal.shut_down();
    assert!(rehearsal.asked > 0 || !has_server, "the server was asked");
    let replayed = rehearsal.passes(story, "replay");
    assert_eq!(replayed.seen, live.seen, "the program sees the same");
    assert!(!replayed.seen.is_empty(), "the story says what it saw");
    rehearsal.only_file()
}

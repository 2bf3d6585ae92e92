//! How a story is told: recorded against a live server, the server shut down, and replayed to the same bytes.

use std::fs;

use stages::{Answer, Played, Provider, Request, Stage};

/// Returns the story's server: `http://127.0.0.1:port`.
pub(crate) fn upstream() -> String {
    var("STORY_UPSTREAM")
}

/// Writes down what the story saw, for the teller to compare.
pub(crate) fn seen(what: impl AsRef<[u8]>) {
    #[expect(clippy::disallowed_methods, reason = "the story's own notebook")]
    fs::write(var("STORY_SEEN"), what).unwrap();
}

#[expect(clippy::disallowed_methods, reason = "the teller speaks to the story through its environment")]
pub(crate) fn var(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is set by the teller"))
}

/// Returns whether the teller has set this.
#[expect(clippy::disallowed_methods, reason = "the teller speaks to the story through its environment")]
pub(crate) fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some()
}

/// A server, and a directory for the cassettes of one story.
pub(crate) struct Rehearsal {
    stage: Stage,
    server: Option<Provider>,
    dir: tempfile::TempDir,
}

impl Rehearsal {
    /// Starts a server for a story yet to be played.
    pub(crate) fn of(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Rehearsal {
        let dir = tempfile::tempdir().unwrap();
        let server = Provider::start(answer).unwrap();
        Rehearsal { stage: Stage::new(dir.path()).with("STORY_UPSTREAM", &server.url()), server: Some(server), dir }
    }

    /// Returns a stage whose story is told this address as its server's.
    pub(crate) fn at(url: &str) -> Rehearsal {
        let dir = tempfile::tempdir().unwrap();
        Rehearsal { stage: Stage::new(dir.path()).with("STORY_UPSTREAM", url), server: None, dir }
    }

    /// Sets a variable for every run to come.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Rehearsal {
        self.stage = self.stage.with(name, value);
        self
    }

    /// Plays a story that has to pass; the server stays.
    #[track_caller]
    pub(crate) fn passes(&self, story: &str, mode: &str) -> Played {
        let played = self.stage.play(&local(story), mode).unwrap();
        assert!(played.passed, "{story} passes in {mode}:\n{}", played.printed);
        played
    }

    /// Plays a story that has to fail, and returns what it told.
    #[track_caller]
    pub(crate) fn fails(&self, story: &str, mode: &str) -> String {
        let played = self.stage.play(&local(story), mode).unwrap();
        assert!(!played.passed, "{story} fails in {mode}:\n{}", played.printed);
        played.told
    }

    /// Returns what the last run saw.
    pub(crate) fn seen(&self) -> String {
        fs::read_to_string(self.dir.path().join("seen")).unwrap_or_default()
    }

    /// Shuts the server down.
    pub(crate) fn shut_down(&mut self) {
        drop(self.server.take());
    }

    /// Returns how many requests the server got.
    pub(crate) fn asked(&self) -> usize {
        self.server.as_ref().map_or(0, Provider::asked)
    }

    /// Returns the one cassette.
    pub(crate) fn file(&self) -> String {
        let mut below = vec![self.stage.cassettes()];
        while let Some(dir) = below.pop() {
            for path in fs::read_dir(dir).unwrap().flatten().map(|entry| entry.path()) {
                if path.is_dir() && !path.ends_with(".pending") {
                    below.push(path);
                } else if path.extension().is_some_and(|ending| ending == "json") {
                    return fs::read_to_string(path).unwrap();
                }
            }
        }
        panic!("nothing was recorded in {}", self.dir.path().display())
    }
}

/// Tells a story that has to come out the same, live and replayed with the server gone, and returns the file.
#[track_caller]
pub(crate) fn tell(story: &str, answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> String {
    tell_on(Rehearsal::of(answer), story)
}

/// Tells a story on this stage, as [`tell`] does.
#[track_caller]
pub(crate) fn tell_on(mut rehearsal: Rehearsal, story: &str) -> String {
    let live = rehearsal.passes(story, "record");
    rehearsal.shut_down();
    let replayed = rehearsal.passes(story, "replay");
    assert_eq!(replayed.seen, live.seen, "the program sees the same");
    assert!(!replayed.seen.is_empty(), "the story says what it saw");
    rehearsal.file()
}

/// Returns the path of a test without its crate, as libtest names it.
fn local(path: &str) -> String {
    path.split_once("::").unwrap().1.to_owned()
}

/// Returns the path of a story that stands beside its teller.
#[macro_export]
macro_rules! story {
    ($name:ident) => {
        concat!(module_path!(), "::", stringify!($name))
    };
}

/// Snapshots the text of a report, without what differs from run to run.
#[macro_export]
macro_rules! assert_told {
    ($name:expr, $told:expr) => {
        insta::with_settings!({ filters => $crate::told::FILTERS.to_vec(), omit_expression => true }, {
            insta::assert_snapshot!($name, $told);
        });
    };
}

/// What differs from run to run, and what stands for it.
pub(crate) const FILTERS: [(&str, &str); 5] = [
    (r"127\.0\.0\.1:\d+", "127.0.0.1:PORT"),
    (r"/[^ `:]*/cassettes/", "[dir]/cassettes/"),
    (r"(thread '[^']+' )\(\d+\) ", "$1"),
    (r"(\.rs):\d+:\d+:", "$1:"),
    (r"note: run with `RUST_BACKTRACE=1`.*\n", ""),
];

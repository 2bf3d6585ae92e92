//! How a story is told: recorded against a live provider, the provider shut down, and replayed to the same bytes.

use std::fs;
use std::path::PathBuf;

use cassette_test::Cassette;
use stages::{Answer, Played, Provider, Request, Stage};

/// Returns the base URL of the story's provider, as its client is to use it.
pub(crate) fn base(cassette: &Cassette) -> String {
    cassette.base_url(var("STORY_UPSTREAM"))
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

/// Says that a story was not told, and why.
#[expect(clippy::print_stderr, reason = "what is skipped is not to look as if it had passed")]
pub(crate) fn skipped(why: &str) {
    eprintln!("skipped: {why}");
}

/// A story with its provider at hand.
pub(crate) struct Rehearsal {
    pub(crate) stage: Stage,
    pub(crate) provider: Provider,
    dir: tempfile::TempDir,
}

impl Rehearsal {
    /// Starts a provider for stories yet to be played.
    pub(crate) fn of(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Rehearsal {
        let dir = tempfile::tempdir().unwrap();
        let provider = Provider::start(answer).unwrap();
        let stage = Stage::new(dir.path()).with("STORY_UPSTREAM", &format!("{}/v1", provider.url()));
        Rehearsal { stage, provider, dir }
    }

    /// Sets a variable for every run to come.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Rehearsal {
        self.stage = self.stage.with(name, value);
        self
    }

    /// Plays a story, however it ends.
    pub(crate) fn play(&self, story: &str, mode: &str) -> Played {
        self.stage.play(story, mode).unwrap()
    }

    /// Plays a story that has to pass.
    #[track_caller]
    pub(crate) fn passes(&self, story: &str, mode: &str) -> Played {
        let played = self.play(story, mode);
        assert!(played.passed, "{story} passes in {mode}:\n{}", played.printed);
        played
    }

    /// Plays a story that has to fail, and returns what it told.
    #[track_caller]
    pub(crate) fn fails(&self, story: &str, mode: &str) -> String {
        let played = self.play(story, mode);
        assert!(!played.passed, "{story} fails in {mode}:\n{}", played.printed);
        played.told
    }

    /// Returns the path of the cassette of this name.
    pub(crate) fn path(&self, cassette: &str) -> PathBuf {
        self.stage.cassettes().join(format!("{cassette}.json"))
    }

    /// Returns the cassette of this name, or nothing where there is none.
    pub(crate) fn file(&self, cassette: &str) -> String {
        fs::read_to_string(self.path(cassette)).unwrap_or_default()
    }

    /// Returns what was recorded under this name and not taken over, or nothing.
    pub(crate) fn pending(&self, cassette: &str) -> String {
        self.file(&format!(".pending/{cassette}"))
    }

    /// Returns the journal under this name, or nothing.
    pub(crate) fn journal(&self, cassette: &str) -> String {
        fs::read_to_string(self.stage.cassettes().join(format!(".pending/{cassette}.journal"))).unwrap_or_default()
    }

    /// Changes the cassette of this name by hand.
    pub(crate) fn edit(&self, cassette: &str, edit: impl Fn(&str) -> String) {
        let (before, path) = (self.file(cassette), self.path(cassette));
        let after = edit(&before);
        assert_ne!(before, after, "the edit edits");
        #[expect(clippy::disallowed_methods, reason = "somebody's editor")]
        fs::write(path, after).unwrap();
    }

    /// Shuts the provider down.
    pub(crate) fn shut_down(self) -> Dark {
        Dark { stage: self.stage, asked: self.provider.asked(), _dir: self.dir }
    }
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
pub(crate) const FILTERS: [(&str, &str); 8] = [
    (r"127\.0\.0\.1:\d+", "127.0.0.1:PORT"),
    (r"/[^ `:]*/cassettes/", "[dir]/cassettes/"),
    (r"(thread '[^']+' )\(\d+\) ", "$1"),
    (r"of process \d+ ", "of process N "),
    (r"ThreadId\(\d+\)", "ThreadId(N)"),
    (r"(\.rs):\d+:\d+:", "$1:"),
    (r"(\.rs):\d+(,|\n)", "$1$2"),
    (r"note: run with `RUST_BACKTRACE=1`.*\n", ""),
];

/// A stage whose provider has been shut down.
pub(crate) struct Dark {
    pub(crate) stage: Stage,
    /// How many requests the provider got.
    asked: usize,
    _dir: tempfile::TempDir,
}

/// A story that has been recorded, and its provider shut down.
pub(crate) struct Recorded {
    dark: Dark,
    /// How the recording run ended.
    pub(crate) live: Played,
}

impl Recorded {
    /// Returns the one file that was recorded.
    pub(crate) fn file(&self) -> String {
        let files = fs::read_dir(self.dark.stage.cassettes()).unwrap().flatten().map(|entry| entry.path());
        let mut files = files.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
        let file = files.next().unwrap_or_else(|| panic!("nothing was recorded:\n{}", self.live.printed));
        fs::read_to_string(file).unwrap()
    }

    /// Replays the story with its provider gone.
    pub(crate) fn replay(&self, story: &str) -> Played {
        self.dark.stage.play(story, "replay").unwrap()
    }
}

/// Records a story against this provider, whatever comes of it, and shuts the provider down.
pub(crate) fn record(story: &str, answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Recorded {
    let rehearsal = Rehearsal::of(answer);
    let live = rehearsal.play(story, "record");
    Recorded { dark: rehearsal.shut_down(), live }
}

/// Tells a story that has to come out the same, live and replayed, and returns the file.
#[track_caller]
pub(crate) fn tell(story: &str, answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> String {
    let recorded = record(story, answer);
    assert!(recorded.live.passed, "recording passes:\n{}", recorded.live.printed);
    assert!(recorded.dark.asked > 0, "the provider was asked");
    let replayed = recorded.replay(story);
    assert!(replayed.passed, "it replays with the provider gone:\n{}", replayed.printed);
    assert_eq!(replayed.seen, recorded.live.seen, "the program sees the same");
    assert!(!replayed.seen.is_empty(), "the story says what it saw");
    recorded.file()
}

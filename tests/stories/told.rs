//! How a story is told: recorded against a live provider, the provider shut down, and replayed to the same bytes.

use std::fs;

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

/// A story that has been recorded, and its provider shut down.
pub(crate) struct Recorded {
    pub(crate) stage: Stage,
    /// How the recording run ended.
    pub(crate) live: Played,
    /// How many requests the provider got.
    pub(crate) asked: usize,
    _dir: tempfile::TempDir,
}

impl Recorded {
    /// Returns the one file that was recorded.
    pub(crate) fn file(&self) -> String {
        let files = fs::read_dir(self.stage.cassettes()).unwrap().flatten().map(|entry| entry.path());
        let mut files = files.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
        let file = files.next().unwrap_or_else(|| panic!("nothing was recorded:\n{}", self.live.printed));
        fs::read_to_string(file).unwrap()
    }

    /// Replays the story with its provider gone.
    pub(crate) fn replay(&self, story: &str) -> Played {
        self.stage.play(story, "replay").unwrap()
    }
}

/// Records a story against this provider, whatever comes of it.
pub(crate) fn record(story: &str, answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Recorded {
    let dir = tempfile::tempdir().unwrap();
    let provider = Provider::start(answer).unwrap();
    let stage = Stage::new(dir.path()).with("STORY_UPSTREAM", &format!("{}/v1", provider.url()));
    let live = stage.play(story, "record").unwrap();
    let asked = provider.asked();
    drop(provider);
    Recorded { stage, live, asked, _dir: dir }
}

/// Tells a story that has to come out the same, live and replayed, and returns the file.
#[track_caller]
pub(crate) fn tell(story: &str, answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> String {
    let recorded = record(story, answer);
    assert!(recorded.live.passed, "recording passes:\n{}", recorded.live.printed);
    assert!(recorded.asked > 0, "the provider was asked");
    let replayed = recorded.replay(story);
    assert!(replayed.passed, "it replays with the provider gone:\n{}", replayed.printed);
    assert_eq!(replayed.seen, recorded.live.seen, "the program sees the same");
    assert!(!replayed.seen.is_empty(), "the story says what it saw");
    recorded.file()
}

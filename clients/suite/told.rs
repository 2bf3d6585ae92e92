//! How a story is told: recorded, replayed with the provider gone and no key, and asked with one word changed.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use cassette_test::Cassette;
use stages::{Answer, FILTERS, Played, Rehearsal, Request, upstream, var};

/// How long a run may take at most. A client that waits or tries again on a miss would take longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Where a client hangs up before its provider has said that the stream ends, or where the provider never does: a recording
/// may end there.
const HANG_UP_EARLY: [&str; 3] = ["rig::anthropic::streamed", "genai::gemini::streamed", "genai::bedrock::streamed"];

/// Returns the key, which stands nowhere.
pub(crate) fn key() -> String {
    ["a", "key", "that", "is", "not", "recorded"].join("-")
}

/// Returns the base URL to give to a client instead of `https://host/path`.
///
/// What a user writes is `cassette.base_url("https://host/path")`; here the host's part is played on loopback.
pub(crate) fn base(cassette: &Cassette, host: &str, path: &str) -> String {
    cassette.upstream(host, upstream() + path)
}

/// Returns the key as a client gets it: the real one while recording, a stand-in on replay.
pub(crate) fn secret(cassette: &Cassette) -> String {
    cassette.secret("STORY_KEY")
}

/// Returns the town that the story asks for.
pub(crate) fn town() -> String {
    var("STORY_TOWN")
}

/// How an answer is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Whole,
    Streamed,
}

/// A conversation as two stories, whole and streamed, and their tellers: how many calls it takes, who answers them, and how it
/// is held.
macro_rules! stories {
    ($name:ident, $calls:literal, $service:path, |$cassette:ident, $way:ident| $held:expr) => {
        mod $name {
            use super::*;
            use crate::told::{Way, tell};

            async fn story(handle: cassette_test::Cassette, $way: Way) {
                let $cassette = &handle;
                $held.await.unwrap().note(&handle);
            }

            #[cassette_test::cassette]
            #[tokio::test]
            #[ignore]
            async fn whole(cassette: cassette_test::Cassette) {
                story(cassette, Way::Whole).await;
            }

            #[cassette_test::cassette]
            #[tokio::test]
            #[ignore]
            async fn streamed(cassette: cassette_test::Cassette) {
                story(cassette, Way::Streamed).await;
            }

            #[test]
            fn told_whole() {
                tell(concat!(module_path!(), "::whole"), &[], $calls, $service);
            }

            #[test]
            fn told_streamed() {
                tell(concat!(module_path!(), "::streamed"), &[], $calls, $service);
            }
        }
    };
}
pub(crate) use stories;

/// What came of a conversation, as the program saw it.
#[derive(Default)]
pub(crate) struct Said {
    /// The answers, in order.
    pub(crate) answers: Vec<String>,
    /// What the tool was called with, in order.
    pub(crate) arguments: Vec<String>,
}

impl Said {
    /// Writes down what the program saw, and what the cassette says of the run.
    pub(crate) fn note(&self, cassette: &Cassette) {
        let mut seen = String::new();
        for (title, lines) in [("answers", &self.answers), ("tool called with", &self.arguments)] {
            writeln!(seen, "{title}\n  {}", lines.join("\n  ")).unwrap();
        }
        let calls: Vec<_> = cassette.calls().iter().map(|call| call.name.clone()).collect();
        writeln!(seen, "calls\n  {}", calls.join("\n  ")).unwrap();
        writeln!(seen, "{:?}\n\n{}", cassette.usage(), cassette.transcript()).unwrap();
        stages::seen(seen);
    }
}

/// A story that has been recorded, its provider shut down.
pub(crate) struct Recorded {
    /// How the recording run ended.
    pub(crate) live: Played,
    rehearsal: Rehearsal,
}

impl Recorded {
    /// Replays the story without a key, asking for this town.
    #[track_caller]
    pub(crate) fn replay(&self, story: &str, town: &str) -> Played {
        let started = Instant::now();
        let played = self.rehearsal.play_with(story, "replay", &[("STORY_TOWN", town)]);
        assert!(started.elapsed() < PATIENCE, "the client does not wait or try again:\n{}", played.printed);
        played
    }
}

/// Records a story of `calls` calls, with some variables more.
#[track_caller]
pub(crate) fn record(
    story: &str,
    variables: &[(&str, &str)],
    calls: usize,
    service: fn(&Request) -> Answer,
) -> Recorded {
    let mut rehearsal = variables.iter().fold(Rehearsal::of(service), |told, (name, value)| told.with(name, value));
    let live = rehearsal.play_with(story, "record", &[("STORY_TOWN", "Bergen"), ("STORY_KEY", &key())]).passes();
    assert_eq!(rehearsal.asked(), calls, "the provider is asked as often as the conversation needs");
    let file = rehearsal.file(&format!("suite/{}", story.replace("::", "/")));
    assert_eq!(file.matches("\"kind\": \"http\"").count(), calls, "{file}");
    let may_break_off = HANG_UP_EARLY.contains(&story);
    assert!(may_break_off || !file.contains("\"truncated\""), "a stream that was read to its end is whole: {file}");
    assert!(!file.contains(&key()), "the key is not recorded: {file}");
    rehearsal.shut_down();
    Recorded { live, rehearsal }
}

/// Tells a story: what the program sees is the same live and replayed, and a changed word fails the replay.
///
/// `story` is its path in this program, with or without the program's name. Snapshots are named after it, and after what the
/// variables are set to.
#[track_caller]
pub(crate) fn tell(story: &str, variables: &[(&str, &str)], calls: usize, service: fn(&Request) -> Answer) {
    let story = story.trim_start_matches("suite::");
    let recorded = record(story, variables, calls, service);
    let replayed = recorded.replay(story, "Bergen");
    assert!(replayed.passed, "it replays with the provider gone and no key:\n{}", replayed.printed);
    assert!(
        replayed.seen == recorded.live.seen,
        "the program sees the same:\n{}\n{}",
        recorded.live.seen,
        replayed.seen
    );
    // Whether such a client leaves before the end is there hangs on chance.
    let cut = if HANG_UP_EARLY.contains(&story) { "  cut  here: the program stopped reading\n" } else { "\0" };
    let seen = replayed.seen.replace(cut, "");
    let changed = recorded.replay(story, "Oslo");
    assert!(!changed.passed, "one word of the prompt changed");
    let values: String = variables.iter().map(|(_, value)| format!("__{value}")).collect();
    let name = story.replace("::", "__") + &values;
    insta::with_settings!({ filters => FILTERS.to_vec(), omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name.clone(), seen);
        insta::assert_snapshot!(format!("{name}__changed"), changed.told);
    });
}

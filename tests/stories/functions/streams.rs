//! Functions that give streams: recorded item by item as they pass, replayed item by item.

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::time::{Duration, Instant};

use cassette_test::{Call, Cassette, ReplayedError, cassette};
use futures_util::future::FutureExt as _;
use futures_util::stream::{self, BoxStream, Stream, StreamExt as _};
use serde::{Deserialize, Serialize};

use super::effects::{Counting, effect, word};
use crate::asking::must_ask;
use stages::{assert_told, seen};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Token {
    text: String,
    weight: f64,
}

/// An error of a provider's: a status that code asks for.
#[derive(Debug, PartialEq)]
struct Broken {
    status: u16,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "status {}", self.status)
    }
}

impl From<&Broken> for ReplayedError {
    fn from(error: &Broken) -> ReplayedError {
        let mut replayed = ReplayedError::new("Broken", error.to_string());
        replayed.status = Some(error.status);
        replayed
    }
}

impl From<ReplayedError> for Broken {
    fn from(error: ReplayedError) -> Broken {
        Broken { status: error.status.unwrap_or_default() }
    }
}

fn token(text: &str) -> Token {
    Token { text: text.to_owned(), weight: 0.1 + 0.2 }
}

/// Says each word when it is asked for it, after a moment.
fn spoken(words: Vec<String>) -> impl Stream<Item = String> + Send + 'static {
    stream::unfold(words.into_iter(), |mut words| async {
        let word = words.next()?;
        tokio::time::sleep(Duration::from_millis(30)).await;
        effect(&word);
        Some((word, words))
    })
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cassette_test::llm]
fn plain(text: &str) -> impl Stream<Item = String> + Send + use<> {
    spoken(words(text))
}

#[cassette_test::llm]
fn failing(text: &str) -> Pin<Box<dyn Stream<Item = Result<Token, Broken>> + Send>> {
    let item = |word: String| match word.as_str() {
        "!" => Err(Broken { status: 529 }),
        word => Ok(token(word)),
    };
    Box::pin(spoken(words(text)).map(item))
}

#[cassette_test::llm]
async fn opened(text: String) -> Result<BoxStream<'static, Token>, Broken> {
    tokio::task::yield_now().await;
    if text.is_empty() {
        effect("refused");
        return Err(Broken { status: 401 });
    }
    Ok(spoken(words(&text)).map(|word| token(&word)).boxed())
}

/// The program asks no error of what type it is.
#[cassette_test::tool(errors(std::io::Error))]
fn tried(text: &str) -> anyhow::Result<impl Stream<Item = anyhow::Result<u8>> + use<>> {
    effect("tried");
    let numbers = words(text).iter().map(|word| word.parse::<u8>()).collect::<Result<Vec<_>, _>>()?;
    Ok(stream::iter(numbers.into_iter().map(Ok)))
}

#[cassette("streams")]
#[tokio::test]
#[ignore]
async fn it_streams(cassette: Cassette) {
    let mut said = Vec::new();
    said.push(format!("{:?}", plain("the 09:04 leaves").collect::<Vec<_>>().await));
    said.push(format!("{:?}", plain("").collect::<Vec<_>>().await));
    said.push(format!("{:?}", failing("one ! two").collect::<Vec<_>>().await));
    for text in ["at nine", ""] {
        said.push(match opened(text.to_owned()).await {
            Ok(stream) => format!("{:?}", stream.collect::<Vec<_>>().await),
            Err(Broken { status: 401 }) => "asks for a key".to_owned(),
            Err(other) => panic!("{other}"),
        });
    }
    for text in ["1 2", "1 x"] {
        said.push(match tried(text) {
            Ok(numbers) => format!("{:?}", numbers.collect::<Vec<_>>().await),
            Err(error) => error.to_string(),
        });
    }
    // Two at once, item by item in turn.
    let (one, two) = (plain("a b c"), failing("x y z"));
    said.push(format!("{:?}", one.zip(two).collect::<Vec<_>>().await));
    let handle = cassette.stream(Call::llm("handle", &7), || spoken(words("by hand")));
    said.push(format!("{:?}", handle.collect::<Vec<_>>().await));
    let tried: Vec<anyhow::Result<u8>> = cassette
        .try_stream(Call::llm("tried", &7), || stream::iter([Ok(1), Err(anyhow::anyhow!("no more"))]))
        .collect()
        .await;
    said.push(format!("{tried:?}"));
    seen(said.join("\n"));
}

#[test]
fn a_stream_comes_back_item_by_item_without_running() {
    let counting = Counting::new();
    let (seen, effects) = counting.comes_back("streams::it_streams");
    insta::assert_snapshot!("streamed", seen);
    assert_eq!(effects.len(), 3 + 3 + 2 + 1 + 2 + 6 + 2, "{effects:?}");
    let filters =
        vec![(r#""(recorded|by|seal)": ".*""#, r#""$1": "..""#), (r#""pace": \[[\d, ]+\]"#, r#""pace": [..]"#)];
    insta::with_settings!({ filters => filters }, {
        insta::assert_snapshot!("streams", counting.rehearsal.file("streams"));
    });
}

#[cassette("rhythm")]
#[tokio::test]
#[ignore]
async fn it_keeps_time() {
    seen(format!("{:?}", plain("one two three").collect::<Vec<_>>().await));
}

#[cassette("rhythm", mode = "replay", pace = "recorded")]
#[tokio::test(start_paused = true)]
#[ignore]
async fn it_keeps_recorded_time() {
    let start = tokio::time::Instant::now();
    let mut told = Box::pin(plain("one two three"));
    let mut times = Vec::new();
    while told.next().await.is_some() {
        times.push(start.elapsed().as_millis());
    }
    seen(format!("{times:?}"));
}

#[test]
fn a_stream_keeps_its_recorded_rhythm_where_that_is_asked_for() {
    let counting = Counting::new();
    counting.passes("streams::it_keeps_time", "record");
    let started = Instant::now();
    let seen = counting.passes("streams::it_keeps_recorded_time", "replay").seen;
    let file = counting.rehearsal.file("rhythm");
    let pace = file.lines().find_map(|line| line.trim().strip_prefix("\"pace\": ")).unwrap();
    assert_eq!(seen, pace.trim_end_matches(','), "by a paused clock to the millisecond, {:?}", started.elapsed());
    assert!(!pace.contains("[0, 0"), "{pace}");
}

#[cassette("stopped-stream")]
#[tokio::test]
#[ignore]
async fn it_stops_reading() {
    let read: usize = word("STORY_READS").parse().unwrap();
    let mut told = Box::pin(plain("one two three"));
    let mut said = Vec::new();
    while said.len() < read {
        let Ok(Some(word)) = tokio::time::timeout(Duration::from_millis(300), told.next()).await else { break };
        said.push(word);
    }
    seen(said.join(" "));
}

#[cassette("stopped-stream", mode = "replay")]
#[tokio::test]
#[ignore]
async fn it_reads_on() {
    let mut told = Box::pin(plain("one two three"));
    while told.next().await.is_some() {}
}

/// Passes a stream on through a channel to a reader that takes two words and leaves, as after a stop word.
#[cassette("forwarded-stream")]
#[tokio::test]
#[ignore]
async fn it_is_passed_on() {
    let (tell, mut told) = tokio::sync::mpsc::channel(16);
    let passing = tokio::spawn(async move {
        let mut words = Box::pin(plain("one two three four five"));
        while let Some(word) = words.next().await {
            if tell.send(word).await.is_err() {
                break;
            }
        }
    });
    let said = [told.recv().await.unwrap(), told.recv().await.unwrap()];
    drop(told);
    passing.await.unwrap();
    seen(said.join(" "));
}

#[test]
fn a_stream_that_is_passed_on_is_left_where_it_was() {
    let counting = Counting::new();
    let (seen, effects) = counting.comes_back("streams::it_is_passed_on");
    assert_eq!((seen.as_str(), effects.len()), ("one two", 3));
    for _ in 0..8 {
        counting.rehearsal.passes("functions::streams::it_is_passed_on", "replay");
    }
}

#[test]
fn a_stream_that_is_dropped_is_recorded_as_far_as_it_was_read() {
    let counting = Counting::new().with("STORY_READS", "2");
    let (seen, effects) = counting.comes_back("streams::it_stops_reading");
    assert_eq!((seen.as_str(), effects.len()), ("one two", 2));
    assert!(counting.rehearsal.file("stopped-stream").contains(r#""truncated": "left""#));
    // One that wants more fails at once, whatever time-out it has: there was none when it was recorded.
    let start = Instant::now();
    assert_told!("read_on", counting.fails("streams::it_reads_on", "replay"));
    let counting = counting.with("STORY_READS", "3");
    let told = counting.fails("streams::it_stops_reading", "replay");
    assert!(
        told.contains("was recorded up to event 2, where the program stopped reading; now it waits for more"),
        "{told}"
    );
    assert!(start.elapsed() < Duration::from_secs(9), "it was not held");
}

#[cassette("stopped-fork", fork("stopped-stream", at = 1))]
#[tokio::test]
#[ignore]
async fn it_reads_on_from_a_fork() {
    let mut told = Box::pin(plain("one two three"));
    while told.next().await.is_some() {}
}

#[test]
fn what_was_cut_short_before_a_fork_is_told_with_a_way_out() {
    let counting = Counting::new().with("STORY_READS", "2");
    counting.passes("streams::it_stops_reading", "record");
    assert_told!("read_on_from_a_fork", counting.fails("streams::it_reads_on_from_a_fork", "record"));
}

#[cassette_test::llm]
fn halting(text: &str) -> impl Stream<Item = String> + use<> {
    stream::iter([text.to_owned()]).chain(stream::pending())
}

#[cassette("halting")]
#[tokio::test]
#[ignore]
async fn it_gives_a_stream_up() {
    let mut told = Box::pin(halting("one"));
    let first = told.next().await;
    let second = tokio::time::timeout(Duration::from_millis(20), told.next()).await;
    seen(format!("{first:?} {}", second.is_err()));
}

#[cassette("halting", mode = "replay")]
#[tokio::test]
#[ignore]
async fn it_waits_on() {
    let mut told = Box::pin(halting("one"));
    while told.next().await.is_some() {}
}

#[test]
fn a_stream_that_is_given_up_while_it_is_awaited_may_be_given_up_again() {
    let counting = Counting::new();
    let live = counting.passes("streams::it_gives_a_stream_up", "record").seen;
    assert_eq!(live, "Some(\"one\") true");
    assert!(counting.rehearsal.file("halting").contains(r#""truncated": "client""#));
    assert_eq!(counting.passes("streams::it_gives_a_stream_up", "replay").seen, live);
    // One that waits in earnest fails.
    let start = Instant::now();
    assert_told!("waited_on", counting.fails("streams::it_waits_on", "replay"));
    assert!(start.elapsed() >= Duration::from_secs(9), "it was held");
}

#[cassette_test::llm]
fn exploding(text: &str) -> impl Stream<Item = u8> + use<> {
    let text = text.to_owned();
    stream::iter(0..9).map(move |i| {
        assert!(i < 2, "boom at {text}");
        i
    })
}

#[cassette("exploding")]
#[tokio::test]
#[ignore]
async fn it_explodes() {
    let mut told = exploding("two");
    let mut items = Vec::new();
    let burst = loop {
        match AssertUnwindSafe(told.next()).catch_unwind().await {
            Ok(Some(item)) => items.push(item),
            Ok(None) => panic!("it explodes"),
            Err(burst) => break burst,
        }
    };
    drop(told);
    seen(format!("{items:?} {:?}", burst.downcast_ref::<String>()));
}

#[test]
fn a_stream_that_panics_keeps_the_recording_pending() {
    let counting = Counting::new();
    assert_told!("exploding", counting.fails("streams::it_explodes", "record"));
    assert_eq!(counting.rehearsal.file("exploding"), "");
    assert_eq!(
        counting.rehearsal.play("functions::streams::it_explodes", "record").seen,
        "[0, 1] Some(\"boom at two\")"
    );
}

#[cassette_test::llm]
fn measured() -> impl Stream<Item = f64> {
    stream::iter([1.0, f64::NAN, 2.0])
}

#[cassette("measured")]
#[tokio::test]
#[ignore]
async fn it_measures() {
    seen(format!("{:?}", measured().collect::<Vec<_>>().await));
}

#[test]
fn an_item_that_would_not_come_back_fails_the_recording_with_its_position() {
    assert_told!("measured", Counting::new().fails("streams::it_measures", "record"));
}

#[cassette_test::llm]
fn asking(town: &str, cassette: &Asks) -> impl Stream<Item = String> + use<> {
    let (town, cassette) = (town.to_owned(), cassette.0.clone());
    stream::iter(0..2).map(move |i| {
        effect("item");
        let inner: u8 = cassette.call_blocking(Call::tool("inner", &i), || i);
        format!("{inner} {}", must_ask(&cassette, &town))
    })
}

struct Asks(Cassette);

impl Serialize for Asks {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

#[cassette("asking")]
#[tokio::test]
#[ignore]
async fn it_asks_item_by_item(cassette: Cassette) {
    seen(format!("{:?}", asking("Bergen", &Asks(cassette)).collect::<Vec<_>>().await));
}

#[test]
fn what_a_stream_calls_is_a_part_of_it() {
    let counting = Counting::new();
    let (_, effects) = counting.comes_back("streams::it_asks_item_by_item");
    assert_eq!(effects, ["item", "item"]);
    let file = counting.rehearsal.file("asking");
    assert_eq!((file.matches(r#""within": 1"#).count(), file.matches(r#""name": "inner""#).count()), (2, 0), "{file}");
}

#[cassette("missed-stream")]
#[tokio::test]
#[ignore]
async fn it_asks_for_a_stream() {
    let text = word("STORY_TOWN");
    let mut told = plain(&text);
    let mut said = Vec::new();
    while let Some(word) = told.next().await {
        said.push(word);
    }
    // Only a stream that was served comes here: a body is abandoned where its cassette fails.
    effect("went on");
    seen(said.join(" "));
}

#[cassette("missed-stream", mode = "replay", on_miss = "error")]
#[tokio::test]
#[ignore]
async fn it_sees_an_error_item() {
    let told: Vec<_> = failing(&word("STORY_TOWN")).collect().await;
    seen(format!("{}", told.iter().filter(|item| item.is_err()).count()));
}

#[test]
fn a_stream_that_was_not_recorded_is_a_miss() {
    let counting = Counting::new().with("STORY_TOWN", "Bergen Voss");
    counting.passes("streams::it_asks_for_a_stream", "record");
    let effects = counting.effects();
    let counting = counting.with("STORY_TOWN", "Oslo");
    assert_told!("missed_stream", counting.fails("streams::it_asks_for_a_stream", "replay"));
    assert_eq!(counting.effects(), effects, "nothing runs, and the body does not go on");
    let played = counting.rehearsal.play("functions::streams::it_sees_an_error_item", "replay");
    assert_eq!((played.passed, played.seen.as_str()), (false, "1"), "{}", played.printed);
}

#[cassette("retyped")]
#[tokio::test]
#[ignore]
async fn it_reads_another_type(cassette: Cassette) {
    let call = || Call::llm("retyped", &());
    match word("STORY_TYPE").as_str() {
        "texts" => seen(format!("{:?}", cassette.stream(call(), || spoken(words("1 x"))).collect::<Vec<_>>().await)),
        "numbers" => {
            let numbers = cassette.stream(call(), || stream::iter([1u8]));
            seen(format!("{:?}", numbers.collect::<Vec<_>>().await));
        }
        _ => seen(cassette.call::<String, _>(call(), || async { String::new() }).await),
    }
}

#[test]
fn items_that_no_longer_fit_their_type_are_told() {
    let counting = Counting::new().with("STORY_TYPE", "texts");
    counting.passes("streams::it_reads_another_type", "record");
    let counting = counting.with("STORY_TYPE", "numbers");
    assert_told!("retyped_items", counting.fails("streams::it_reads_another_type", "replay"));
    let counting = counting.with("STORY_TYPE", "value");
    assert_told!("retyped_stream", counting.fails("streams::it_reads_another_type", "replay"));
}

#[cassette("split-key")]
#[tokio::test]
#[ignore]
async fn it_streams_a_secret(cassette: Cassette) {
    let key = word("STORY_KEY");
    let (one, two) = key.split_at(key.len() / 2);
    let pieces = vec!["key ".to_owned(), one.to_owned(), two.to_owned(), " done".to_owned()];
    let told = cassette.stream(Call::llm("secret", &()), || stream::iter(pieces));
    seen(format!("{}", told.collect::<Vec<_>>().await.len()));
}

#[test]
fn a_secret_that_comes_piece_by_piece_is_hidden() {
    let key = ["sk-", "proj-", &"Ab3".repeat(16), "T3BlbkFJ", &"Cd4".repeat(16)].concat();
    let counting = Counting::new().with("STORY_KEY", &key);
    counting.passes("streams::it_streams_a_secret", "record");
    let file = counting.rehearsal.file("split-key");
    let (one, two) = key.split_at(key.len() / 2);
    assert!(!file.contains(one) && !file.contains(two) && file.contains("REDACTED."), "{file}");
    assert_eq!(counting.passes("streams::it_streams_a_secret", "replay").seen, "4");
}

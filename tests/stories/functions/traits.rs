//! Traits of the user's own, whose implementors are recorded.

use std::fmt::{self, Debug, Display};
use std::future::Future;
use std::pin::Pin;

use cassette_test::{Cassette, Recorded, ReplayedError, cassette, recordable};
use futures_util::stream::{self, BoxStream, Stream, StreamExt as _};
use serde::{Deserialize, Serialize};

use super::effects::{Counting, effect, word};
use crate::asking::must_ask;
use stages::{assert_told, seen};

/// A provider's error, which code takes apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Refusal {
    Busy { seconds: u32 },
    Unknown(String),
}

impl Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// An `async fn` as it stands, a boxed future, an opaque one, streams in three forms, and what is lent.
#[recordable]
trait Provider: Send + Sync + Debug + Clone {
    const KIND: &'static str;

    async fn answer(&self, question: &str) -> Result<String, Refusal>;

    fn boxed<'a>(&'a self, question: &'a str) -> Pin<Box<dyn Future<Output = usize> + Send + 'a>>;

    fn opaque(&self, one: u8, two: Option<u8>) -> impl Future<Output = Vec<u8>> + Send;

    fn say(&self, words: &str) -> impl Stream<Item = Result<String, Refusal>> + Send;

    fn say_boxed(&self, words: String) -> BoxStream<'static, String>;

    async fn open(&self, words: &str) -> Result<BoxStream<'static, String>, Refusal>;

    fn model(&self) -> &str;

    fn towns(&self) -> &[String];

    /// The live one says otherwise.
    #[cassette_test::tool(name = "count", skip(on))]
    fn count(&self, text: &str, on: &mut Vec<usize>) -> usize {
        on.push(text.len());
        text.len()
    }

    /// Runs itself, and what it calls is recorded.
    #[recordable(provided)]
    async fn twice(&self, question: &str) -> Result<String, Refusal> {
        Ok(self.answer(question).await? + &self.answer(question).await?)
    }
}

#[derive(Clone, Debug)]
struct Live {
    model: String,
    towns: Vec<String>,
}

impl Live {
    fn connect() -> Live {
        effect("connect");
        Live { model: "gpt-4o-mini".to_owned(), towns: vec!["Bergen".to_owned(), "Voss".to_owned()] }
    }
}

fn words(text: &str) -> Vec<String> {
    effect(&format!("say {text}"));
    text.split(' ').map(str::to_owned).collect()
}

impl Provider for Live {
    const KIND: &'static str = "live";

    async fn answer(&self, question: &str) -> Result<String, Refusal> {
        tokio::task::yield_now().await;
        effect(&format!("answer {question}"));
        match question {
            "busy" => Err(Refusal::Busy { seconds: 7 }),
            "" => Err(Refusal::Unknown(self.model.clone())),
            question => Ok(format!("{question}, says {}. ", self.model)),
        }
    }

    fn boxed<'a>(&'a self, question: &'a str) -> Pin<Box<dyn Future<Output = usize> + Send + 'a>> {
        Box::pin(async move {
            effect("boxed");
            question.len() + self.model.len()
        })
    }

    async fn opaque(&self, one: u8, two: Option<u8>) -> Vec<u8> {
        effect("opaque");
        two.into_iter().chain([one]).collect()
    }

    fn say(&self, text: &str) -> impl Stream<Item = Result<String, Refusal>> + Send {
        let item = |word: String| if word == "!" { Err(Refusal::Unknown(word)) } else { Ok(word) };
        stream::iter(words(text)).map(item)
    }

    fn say_boxed(&self, text: String) -> BoxStream<'static, String> {
        stream::iter(words(&text)).boxed()
    }

    async fn open(&self, text: &str) -> Result<BoxStream<'static, String>, Refusal> {
        if text.is_empty() { Err(Refusal::Busy { seconds: 1 }) } else { Ok(self.say_boxed(text.to_owned())) }
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn towns(&self) -> &[String] {
        &self.towns
    }

    fn count(&self, text: &str, _: &mut Vec<usize>) -> usize {
        effect("count");
        text.len() * 100
    }
}

/// The program: it takes any provider, and needs to send it elsewhere.
async fn consult(provider: impl Provider + 'static) -> String {
    let mut said = Vec::new();
    for question in ["when", "when", "busy", ""] {
        said.push(match provider.answer(question).await {
            Ok(answer) => answer,
            Err(Refusal::Busy { seconds }) => format!("waits {seconds}"),
            Err(other) => format!("{other}"),
        });
    }
    said.push(format!("{} {:?}", provider.boxed("why").await, provider.opaque(1, Some(2)).await));
    said.push(format!("{:?}", provider.say("one ! two").collect::<Vec<_>>().await));
    said.push(format!("{:?}", provider.say_boxed("three four".to_owned()).collect::<Vec<_>>().await));
    for text in ["five six", ""] {
        said.push(match provider.open(text).await {
            Ok(words) => format!("{:?}", words.collect::<Vec<_>>().await),
            Err(error) => format!("{error}"),
        });
    }
    let model = provider.model().to_owned();
    said.push(format!("{model} {:?} {}", provider.towns(), provider.count("four", &mut Vec::new())));
    said.push(format!("{:?}", provider.twice("again").await));
    // A clone stands for the same one, on another thread too.
    let clone = provider.clone();
    let spawned = tokio::spawn(async move { clone.opaque(8, None).await });
    said.push(format!("{:?}", spawned.await.unwrap()));
    said.join("\n")
}

#[cassette("traits")]
#[tokio::test(flavor = "multi_thread")]
#[ignore]
async fn it_consults_any_provider(cassette: Cassette) {
    let provider = cassette.wrap(Live::connect);
    assert_eq!(<Recorded<Live> as Provider>::KIND, "live");
    seen(consult(provider).await);
}

#[test]
fn whatever_implements_a_trait_is_recorded_and_never_made_on_replay() {
    let counting = Counting::new();
    let (seen, effects) = counting.comes_back("traits::it_consults_any_provider");
    insta::assert_snapshot!("consulted", seen);
    assert_eq!(effects.iter().filter(|effect| *effect == "connect").count(), 1, "{effects:?}");
    let file = counting.rehearsal.file("traits");
    assert!(file.contains(r#""name": "<functions::traits::Live as functions::traits::Provider>::answer""#), "{file}");
    assert!(
        file.contains(
            r#""kind": "tool",
      "name": "count""#
        ),
        "{file}"
    );
    assert_eq!(file.matches("Provider>::answer").count(), 4 + 2, "{file}");
}

/// As `#[async_trait]` makes it, for use behind a pointer; what it gives is the trait's own.
#[recordable(error = "serde", kind = "memory")]
#[async_trait::async_trait]
trait Store<K: Serialize + Send + Sync>: Send + Sync {
    type Value: Debug + Send;
    type Error: Display + Debug + Send;

    async fn get(&self, key: K) -> Result<Option<Self::Value>, Self::Error>;

    async fn all(&self, prefix: &[K]) -> Vec<Self::Value>;

    #[cassette_test::memory(skip(self))]
    async fn put(&mut self, key: K, value: u64) -> Result<(), Self::Error>;
}

/// The same, the other way round.
#[async_trait::async_trait]
#[recordable(error = "from")]
trait Asks {
    type Error: Debug;
    type Words: Stream<Item = Result<String, Self::Error>> + Send + Unpin;

    async fn ask(&self, town: &str) -> Result<Vec<String>, Self::Error>;

    fn words(&self, town: &str) -> Self::Words;

    async fn words_later(&self, town: &str) -> Result<Self::Words, Self::Error>;
}

#[derive(Default)]
struct Memory(Vec<(String, u64)>);

#[async_trait::async_trait]
impl Store<String> for Memory {
    type Value = u64;
    type Error = Refusal;

    async fn get(&self, key: String) -> Result<Option<u64>, Refusal> {
        effect("get");
        if key.is_empty() {
            return Err(Refusal::Busy { seconds: 3 });
        }
        Ok(self.0.iter().find(|(known, _)| *known == key).map(|(_, value)| *value))
    }

    async fn all(&self, prefix: &[String]) -> Vec<u64> {
        self.0.iter().filter(|(known, _)| prefix.contains(known)).map(|(_, value)| *value).collect()
    }

    async fn put(&mut self, key: String, value: u64) -> Result<(), Refusal> {
        effect("put");
        self.0.push((key, value));
        Ok(())
    }
}

struct Rails(Cassette);

#[async_trait::async_trait]
impl Asks for Rails {
    type Error = anyhow::Error;
    type Words = BoxStream<'static, anyhow::Result<String>>;

    async fn ask(&self, town: &str) -> anyhow::Result<Vec<String>> {
        effect("ask");
        if town == "nowhere" {
            anyhow::bail!("no train goes {town}");
        }
        Ok(vec![must_ask(&self.0, town)])
    }

    fn words(&self, town: &str) -> Self::Words {
        effect("words");
        stream::iter([Ok(town.to_owned()), Err(anyhow::anyhow!("the line is cut"))]).boxed()
    }

    async fn words_later(&self, town: &str) -> anyhow::Result<Self::Words> {
        let said = self.ask(town).await?;
        Ok(stream::iter(said).map(Ok).boxed())
    }
}

#[cassette("stores")]
#[tokio::test]
#[ignore]
async fn it_works_behind_pointers(cassette: Cassette) {
    let mut store: Box<dyn Store<String, Value = u64, Error = Refusal>> = Box::new(cassette.wrap(Memory::default));
    let mut said = Vec::new();
    said.push(format!("{:?}", store.put("a".to_owned(), u64::MAX).await));
    for key in ["a", "b", ""] {
        said.push(format!("{:?}", store.get(key.to_owned()).await));
    }
    said.push(format!("{:?}", store.all(&["a".to_owned()]).await));
    let asks = cassette.clone();
    let rails = cassette.try_wrap(move || Ok::<_, String>(Rails(asks)));
    let rails: std::sync::Arc<dyn Asks<Error = anyhow::Error, Words = _>> = std::sync::Arc::new(rails);
    said.push(format!("{:?}", rails.ask("Bergen").await.unwrap()));
    said.push(format!("{}", rails.ask("nowhere").await.unwrap_err()));
    said.push(format!("{:?}", rails.words("Voss").collect::<Vec<_>>().await));
    said.push(format!("{:?}", rails.words_later("Oslo").await.unwrap().collect::<Vec<_>>().await));
    said.push(format!("{}", rails.words_later("nowhere").await.map(drop).unwrap_err()));
    seen(said.join("\n"));
}

#[test]
fn a_trait_works_behind_pointers_with_types_of_its_own() {
    let counting = Counting::new();
    let (seen, effects) = counting.comes_back("traits::it_works_behind_pointers");
    insta::assert_snapshot!("behind_pointers", seen);
    assert_eq!(effects, ["put", "get", "get", "get", "ask", "ask", "words", "ask", "ask"]);
    let file = counting.rehearsal.file("stores");
    assert_eq!(file.matches(r#""kind": "memory""#).count(), 5, "{file}");
    assert_eq!(file.matches(r#""within": "#).count(), 2, "what the live one asked stands within: {file}");
}

#[recordable]
trait Namable {
    fn name(&self, of: u8) -> Option<String>;

    #[cassette_test::tool(name = "shared")]
    fn shared(&self) -> u8;
}

#[derive(Clone)]
struct One(&'static str);

struct Other;

impl Namable for One {
    fn name(&self, of: u8) -> Option<String> {
        Some(format!("{} {of}", self.0))
    }

    fn shared(&self) -> u8 {
        1
    }
}

impl Namable for Other {
    fn name(&self, of: u8) -> Option<String> {
        Some(format!("other {of}"))
    }

    fn shared(&self) -> u8 {
        2
    }
}

#[cassette("names")]
#[test]
#[ignore]
fn it_asks_several(cassette: Cassette) {
    let day = cassette.wrap(|| One("day")).named("day");
    let night = cassette.wrap(|| One("night")).named("night");
    let other = cassette.wrap(|| Other);
    let ask: [&dyn Fn() -> Option<String>; 3] = [&|| day.name(7), &|| night.name(7), &|| other.name(7)];
    let mut said: Vec<_> = match word("STORY_ORDER").as_str() {
        "back" => ask.iter().rev().map(|ask| ask()).collect(),
        _ => ask.iter().map(|ask| ask()).collect(),
    };
    said.sort();
    seen(format!("{said:?} {}", if word("STORY_ORDER") == "shared" { day.shared() } else { 0 }));
}

#[test]
fn several_of_one_trait_are_told_apart_by_type_and_name() {
    let counting = Counting::new();
    let (seen, _) = counting.comes_back("traits::it_asks_several");
    assert_eq!(seen, r#"[Some("day 7"), Some("night 7"), Some("other 7")] 0"#);
    let back = counting.with("STORY_ORDER", "back");
    assert_eq!(back.passes("traits::it_asks_several", "replay").seen, seen);
}

#[cassette("sharing")]
#[test]
#[ignore]
fn it_shares_a_name(cassette: Cassette) {
    let (one, other) = (cassette.wrap(|| One("one")), cassette.wrap(|| Other));
    seen(format!("{} {}", one.shared(), other.shared()));
}

#[test]
fn two_types_that_are_recorded_under_one_name_are_told() {
    assert_told!("shared_name", Counting::new().fails("traits::it_shares_a_name", "record"));
}

#[cassette("twins")]
#[test]
#[ignore]
fn it_asks_twins(cassette: Cassette) {
    let (day, night) = (cassette.wrap(|| One("day")), cassette.wrap(|| One("night")));
    let ask = |of: &Recorded<One>, number| of.name(number).unwrap();
    seen(match word("STORY_TWINS").as_str() {
        "apart" => format!("{} {}", ask(&day, 7), ask(&night, 8)),
        "cloned" => format!("{} {}", ask(&day, 7), ask(&day.clone(), 7)),
        "back" => format!("{} {}", ask(&night, 7), ask(&day, 7)),
        "within" => format!("{} {}", both(Both([&day, &night])), ask(&day, 7)),
        "later" => {
            drop(night);
            let day = ask(&{ day }, 7);
            format!("{day} {}", ask(&cassette.wrap(|| One("night")), 7))
        }
        _ => format!("{} {}", ask(&day, 7), ask(&night, 7)),
    });
}

/// What stands for two, as an argument that says nothing.
struct Both<'a>([&'a Recorded<One>; 2]);

impl Serialize for Both<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

#[cassette_test::tool]
fn both(of: Both<'_>) -> String {
    of.0.map(|one| one.name(7).unwrap()).join(", ")
}

#[test]
fn two_of_one_type_that_are_asked_the_same_are_told() {
    let counting = Counting::new();
    assert_told!("twins", counting.fails("traits::it_asks_twins", "record"));
    assert_told!("twins", counting.with("STORY_TWINS", "later").fails("traits::it_asks_twins", "record"));
    for (how, expected) in [("apart", "day 7 night 8"), ("cloned", "day 7 day 7"), ("within", "day 7, night 7 day 7")] {
        let counting = Counting::new().with("STORY_TWINS", how);
        assert_eq!(counting.comes_back("traits::it_asks_twins").0, expected);
    }
    // Recorded as one, and replayed as two.
    let counting = Counting::new().with("STORY_TWINS", "cloned");
    counting.passes("traits::it_asks_twins", "record");
    assert_told!("twins_replayed", counting.with("STORY_TWINS", "back").fails("traits::it_asks_twins", "replay"));
}

#[cassette("unmade")]
#[tokio::test]
#[ignore]
async fn it_cannot_be_made(cassette: Cassette) {
    let provider = cassette.try_wrap(|| match word("STORY_ENV").as_str() {
        "" => Err("TRAINS_ADDRESS is not set".to_owned()),
        _ => Ok(Live::connect()),
    });
    let answer = provider.answer("when").await;
    effect("went on");
    seen(format!("{answer:?}"));
}

#[cassette("panicking-maker")]
#[tokio::test]
#[ignore]
async fn it_panics_as_it_is_made(cassette: Cassette) {
    let provider = cassette.wrap(|| match word("STORY_ENV").as_str() {
        "" => panic!("TRAINS_ADDRESS is not set"),
        _ => Live::connect(),
    });
    let other = provider.clone();
    let caught = std::panic::AssertUnwindSafe(provider.answer("when"));
    let caught = futures_util::FutureExt::catch_unwind(caught).await.is_err();
    effect(&format!("went on: {caught}"));
    seen(format!("{:?}", other.answer("when").await));
}

#[test]
fn a_maker_that_panics_is_told_as_what_it_is_and_a_replay_does_not_run_it() {
    let counting = Counting::new();
    assert_told!("panicking_maker", counting.fails("traits::it_panics_as_it_is_made", "record"));
    assert_eq!(counting.rehearsal.file("panicking-maker"), "");
    let counting = counting.with("STORY_ENV", "set");
    counting.passes("traits::it_panics_as_it_is_made", "record");
    counting.with("STORY_ENV", "").passes("traits::it_panics_as_it_is_made", "replay");
}

#[test]
fn what_cannot_be_made_fails_the_recording_and_no_replay() {
    let counting = Counting::new();
    assert_told!("unmade", counting.fails("traits::it_cannot_be_made", "record"));
    assert_eq!(counting.effects(), [""; 0]);
    let counting = counting.with("STORY_ENV", "yes");
    counting.passes("traits::it_cannot_be_made", "record");
    let counting = counting.with("STORY_ENV", "");
    assert_eq!(counting.passes("traits::it_cannot_be_made", "replay").seen, r#"Ok("when, says gpt-4o-mini. ")"#);
}

#[cassette("missed-method")]
#[tokio::test]
#[ignore]
async fn it_asks_something_else(cassette: Cassette) {
    let provider = cassette.wrap(Live::connect);
    let answer = provider.answer(&word("STORY_TOWN")).await;
    effect("went on");
    seen(format!("{answer:?}"));
}

#[test]
fn a_method_that_was_not_recorded_is_a_miss() {
    let counting = Counting::new().with("STORY_TOWN", "Bergen");
    counting.passes("traits::it_asks_something_else", "record");
    let effects = counting.effects();
    let counting = counting.with("STORY_TOWN", "Oslo");
    assert_told!("missed_method", counting.fails("traits::it_asks_something_else", "replay"));
    assert_eq!(counting.effects(), effects, "nothing is made, and the body does not go on");
}

impl Serialize for Recording<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

/// A wrapped provider, as an argument that says nothing.
struct Recording<'a>(&'a Recorded<Live>);

#[cassette_test::tool]
async fn plan_with(provider: Recording<'_>) -> usize {
    provider.0.answer("within").await.map_or(0, |answer| answer.len())
}

#[cassette("within-a-tool")]
#[tokio::test]
#[ignore]
async fn it_plans_with_a_provider(cassette: Cassette) {
    let provider = cassette.wrap(Live::connect);
    seen(format!("{} {:?}", plan_with(Recording(&provider)).await, provider.answer("beside").await));
}

#[test]
fn a_method_within_a_function_is_a_part_of_it() {
    let counting = Counting::new();
    let (_, effects) = counting.comes_back("traits::it_plans_with_a_provider");
    assert_eq!(effects, ["connect", "answer within", "answer beside"]);
    assert_eq!(counting.rehearsal.file("within-a-tool").matches(r#""key""#).count(), 2);
}

/// An error that is rebuilt, of a trait without types of its own.
#[derive(Debug)]
struct Limited(u16);

impl From<ReplayedError> for Limited {
    fn from(error: ReplayedError) -> Limited {
        Limited(error.status.unwrap_or_default())
    }
}

impl From<&Limited> for ReplayedError {
    fn from(error: &Limited) -> ReplayedError {
        let mut replayed = ReplayedError::new("Limited", "slow down");
        replayed.status = Some(error.0);
        replayed
    }
}

#[recordable]
trait Generic {
    fn echo<T: Serialize + serde::de::DeserializeOwned>(&self, value: T) -> Result<T, Limited>;

    async fn shout(&self, text: impl Serialize + Display) -> String;
}

impl Generic for Other {
    fn echo<T: Serialize + serde::de::DeserializeOwned>(&self, value: T) -> Result<T, Limited> {
        effect("echo");
        if serde_json::to_string(&value).unwrap() == "\"429\"" { Err(Limited(429)) } else { Ok(value) }
    }

    async fn shout(&self, text: impl Serialize + Display) -> String {
        effect("shout");
        format!("{text}!")
    }
}

#[cassette("generic-methods")]
#[tokio::test]
#[ignore]
async fn it_echoes(cassette: Cassette) {
    let other = cassette.wrap(|| Other);
    let limited = matches!(other.echo("429".to_owned()), Err(Limited(429)));
    seen(format!("{:?} {:?} {limited} {}", other.echo(7u8), other.echo([1.5, 0.1]), other.shout("now").await));
}

#[test]
fn methods_with_parameters_are_recorded_where_those_can_be_written() {
    let (seen, effects) = Counting::new().comes_back("traits::it_echoes");
    assert_eq!((seen.as_str(), effects.len()), ("Ok(7) Ok([1.5, 0.1]) true now!", 4));
}

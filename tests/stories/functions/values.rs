//! What is given and returned, and what cannot be.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::future::Future;
use std::pin::Pin;

use cassette_test::{Call, Cassette, cassette};
use futures_util::stream::{self, StreamExt as _};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::effects::{Counting, effect, word};
use stages::{assert_told, seen};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Hit {
    title: String,
    score: f32,
}

struct Client {
    index: String,
}

impl Client {
    /// A method that borrows, whose own state is recorded by name.
    #[cassette_test::tool(also(index = self.index))]
    async fn search<'a>(&'a self, city: &'a str, limit: Option<u8>) -> Result<Vec<Hit>, String> {
        effect(&format!("search {city} in {}", self.index));
        let hit = Hit { title: format!("{city} {}", self.index), score: 0.1 };
        if limit == Some(0) {
            return Err("nothing".into());
        }
        Ok(vec![hit])
    }

    /// One that changes itself, where nothing depends on it.
    #[cassette_test::memory(name = "remember", skip(self))]
    fn remember(&mut self, key: String) -> usize {
        effect("remember");
        self.index.push_str(&key);
        self.index.len()
    }

    #[cassette_test::tool]
    fn of_a_type(words: [&str; 2]) -> Cow<'static, str> {
        effect("type");
        words.concat().into()
    }
}

#[async_trait::async_trait]
trait Provider {
    async fn answer(&self, question: &str) -> Result<String, String>;

    #[cassette_test::llm]
    async fn twice(&self, question: &str) -> Result<String, String> {
        let (one, two) = (self.answer(question).await?, self.answer(question).await?);
        Ok(one + &two)
    }
}

#[async_trait::async_trait]
impl Provider for Client {
    #[cassette_test::llm]
    async fn answer(&self, question: &str) -> Result<String, String> {
        tokio::task::yield_now().await;
        effect(&format!("answer {question}"));
        Ok(format!("{question}, says {}", self.index))
    }
}

#[cassette_test::tool(skip(check))]
async fn generic<T, R>(value: T, many: &[T], check: impl Fn(&T) -> bool) -> BTreeMap<String, R>
where
    T: Serialize + Clone,
    R: Serialize + DeserializeOwned + From<bool>,
{
    effect("generic");
    many.iter()
        .map(|one| (effect_of(one), check(one).into()))
        .chain([("value".to_owned(), check(&value).into())])
        .collect()
}

fn effect_of<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap()
}

#[cassette_test::tool(unordered(tags))]
fn tagged(tags: HashSet<&str>, limit: impl Serialize) -> usize {
    effect("tagged");
    let _ = limit;
    tags.len()
}

#[cassette_test::tool]
fn boxed(number: u64) -> Pin<Box<dyn Future<Output = u64> + Send>> {
    Box::pin(async move {
        effect("boxed");
        number + 1
    })
}

#[cassette_test::tool]
fn opaque(number: u64) -> impl Future<Output = u64> + Send {
    async move {
        effect("opaque");
        number + 2
    }
}

#[cassette_test::tool]
async fn unit(_: u8, r#type: &'static str) {
    effect(r#type);
}

#[cassette("values")]
#[tokio::test(flavor = "multi_thread")]
#[ignore]
async fn it_gives_and_takes() {
    let mut client = Client { index: "trains".to_owned() };
    let mut said = Vec::new();
    said.push(format!("{:?}", client.search("Bergen", None).await));
    said.push(format!("{:?}", client.search("Bergen", Some(0)).await));
    said.push(format!("{}", client.remember("x".to_owned())));
    said.push(Client::of_a_type(["a", "b"]).into_owned());
    said.push(format!("{:?}", client.answer("why").await));
    said.push(format!("{:?}", client.twice("when").await));
    said.push(format!("{:?}", generic::<_, bool>(7, &[1, 9], |number| *number > 5).await));
    said.push(format!("{}", tagged(["a", "b", "c", "d", "e", "f", "g"].into(), 3)));
    // Futures may be spawned, and waited for elsewhere.
    let (one, two) = tokio::join!(tokio::spawn(boxed(1)), opaque(1));
    said.push(format!("{} {two}", one.unwrap()));
    unit(1, "unit").await;
    seen(said.join("\n"));
}

#[test]
fn what_functions_are_given_and_give_comes_back() {
    let counting = Counting::new();
    let (seen, effects) = counting.comes_back("values::it_gives_and_takes");
    insta::assert_snapshot!("given", seen);
    assert_eq!(effects.iter().filter(|effect| effect.starts_with("answer")).count(), 3, "{effects:?}");
    let file = counting.rehearsal.file("values");
    assert!(file.contains(r#""name": "functions::values::Client::search""#), "{file}");
    assert_eq!(file.matches(r#""kind": "llm""#).count(), 2, "what a recorded function calls is a part of it: {file}");
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Skipping {
    city: String,
    #[serde(skip)]
    cached: bool,
}

#[cassette_test::tool]
fn lossy(how: String) -> Result<(Skipping, Option<f64>, HashSet<u32>), String> {
    let skipping = Skipping { city: "Bergen".into(), cached: how == "skipped" };
    let number = Some(if how == "number" { f64::NAN } else { 0.5 });
    let set = if how == "set" { (0..99).collect() } else { HashSet::new() };
    Ok((skipping, number, set))
}

/// A value that cannot be compared, and can be shown.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Shown {
    city: String,
    weights: HashMap<u32, f32>,
    #[serde(skip)]
    #[expect(dead_code, reason = "what is shown of it is all that is looked at")]
    cached: bool,
}

#[cassette_test::tool]
fn shown(cached: bool) -> Shown {
    Shown { city: "Bergen".into(), weights: (0..99).map(|town| (town, 0.5)).collect(), cached }
}

#[cassette_test::tool(unordered(tags))]
fn given(number: f64, tags: HashSet<u32>) -> usize {
    tags.len() + usize::from(number > 0.0)
}

#[cassette("lossy")]
#[test]
#[ignore]
fn it_loses_something() {
    let how = word("STORY_LOSES");
    let given = if how == "argument" { given(f64::INFINITY, HashSet::new()) } else { 0 };
    let shown = shown(how == "shown");
    seen(format!("{given} {} {} {:?}", shown.city, shown.weights.len(), lossy(how)));
}

#[test]
fn a_value_that_would_not_come_back_fails_the_recording_with_its_path() {
    for how in ["skipped", "shown", "number", "set", "argument"] {
        let counting = Counting::new().with("STORY_LOSES", how);
        assert_told!(format!("lost_{how}"), counting.fails("values::it_loses_something", "record"));
        assert_eq!(counting.rehearsal.file("lossy"), "");
    }
    Counting::new().with("STORY_LOSES", "nothing").comes_back("values::it_loses_something");
}

fn showing() -> Shown {
    Shown {
        city: "Bergen".into(),
        weights: (0..99).map(|town| (town, 0.5)).collect(),
        cached: word("STORY_LOSES") == "it",
    }
}

/// A type of which a function knows no more than this.
#[cassette_test::tool(skip(live))]
fn showing_some<T: Serialize + DeserializeOwned + std::fmt::Debug>(live: fn() -> T) -> T {
    live()
}

#[cassette_test::recordable(kind = "tool")]
trait Shows {
    type Shown: Serialize + DeserializeOwned;
    type Error: std::fmt::Display;
    fn shown(&self) -> Self::Shown;
    #[tool(error = "serde")]
    fn refused(&self) -> Result<u8, Self::Error>;
    fn lent(&self) -> &Shown;
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.city)
    }
}

impl Shows for Shown {
    type Shown = Shown;
    type Error = Shown;

    fn shown(&self) -> Shown {
        showing()
    }

    fn refused(&self) -> Result<u8, Shown> {
        Err(showing())
    }

    fn lent(&self) -> &Shown {
        self
    }
}

#[cassette("shown-by-handle")]
#[tokio::test]
#[ignore]
async fn it_is_given_what_can_be_shown(cassette: Cassette) {
    let call = || Call::tool("shown", &1);
    let items = || stream::iter([showing()]);
    let given = match word("STORY_WAY").as_str() {
        "call" => cassette.call(call(), || async { showing() }).await,
        "call_blocking" => cassette.call_blocking(call(), showing),
        "value" => cassette.value("shown", showing),
        "try_call" => cassette.try_call(call(), || async { anyhow::Ok(showing()) }).await.unwrap(),
        "try_call_blocking" => cassette.try_call_blocking(call(), || anyhow::Ok(showing())).unwrap(),
        "stream" => cassette.stream(call(), items).next().await.unwrap(),
        "try_stream" => cassette.try_stream(call(), || items().map(anyhow::Ok)).next().await.unwrap().unwrap(),
        "generic" => showing_some(showing),
        "associated" => cassette.wrap(showing).shown(),
        "associated_error" => cassette.wrap(showing).refused().unwrap_err(),
        _ => Shown { city: cassette.wrap(showing).lent().city.clone(), ..showing() },
    };
    seen(format!("{} {}", given.city, given.weights.len()));
}

#[test]
fn a_value_that_can_be_shown_is_compared_by_that_whichever_way_it_goes() {
    let handle = ["call", "call_blocking", "value", "try_call", "try_call_blocking", "stream", "try_stream"];
    for way in handle.into_iter().chain(["generic", "associated", "associated_error", "lent"]) {
        let counting = || Counting::new().with("STORY_WAY", way);
        let test = "values::it_is_given_what_can_be_shown";
        let told = counting().with("STORY_LOSES", "it").fails(test, "record");
        let what = "by its `PartialEq` or, without one, by what `Debug` shows";
        assert!(told.contains("cassette lossy: ") && told.contains(what), "{way}: {told}");
        counting().with("STORY_LOSES", "nothing").comes_back(test);
    }
}

#[cassette_test::tool(name = "count")]
fn a_number() -> u64 {
    7
}

#[cassette_test::tool(name = "count")]
fn a_list() -> Result<Vec<u64>, String> {
    Ok(vec![7])
}

#[cassette("typed")]
#[test]
#[ignore]
fn it_counts() {
    seen(if word("STORY_TYPE") == "list" { format!("{:?}", a_list()) } else { format!("{}", a_number()) });
}

#[test]
fn a_recorded_value_that_no_longer_fits_its_type_is_told() {
    let counting = Counting::new();
    counting.passes("values::it_counts", "record");
    let counting = counting.with("STORY_TYPE", "list");
    assert_told!("another_type", counting.fails("values::it_counts", "replay"));
    counting.passes("values::it_counts", "refresh");
    counting.passes("values::it_counts", "replay");
}

#[cassette("namesakes")]
#[test]
#[ignore]
fn it_calls_namesakes() {
    seen(format!("{} {:?}", a_number(), a_list()));
}

#[test]
fn two_functions_of_one_name_are_not_mixed_up() {
    assert_told!("namesakes", Counting::new().fails("values::it_calls_namesakes", "record"));
}

/// A value that cannot be read again.
#[derive(Debug, serde::Serialize)]
struct Brittle(u32);

impl<'de> serde::Deserialize<'de> for Brittle {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Brittle, D::Error> {
        let number = u32::deserialize(deserializer)?;
        assert!(!stages::is_set("STORY_BREAKS"), "it is brittle");
        Ok(Brittle(number))
    }
}

#[cassette_test::tool]
fn brittle() -> Brittle {
    Brittle(7)
}

#[cassette("brittle")]
#[test]
#[ignore]
fn it_catches_what_is_brittle() {
    let given = std::panic::catch_unwind(brittle);
    stages::seen(format!("{}", given.is_ok()));
}

#[test]
fn a_type_that_panics_as_it_is_read_fails_the_test_whoever_catches_it() {
    let counting = Counting::new();
    assert_eq!(counting.passes("values::it_catches_what_is_brittle", "record").seen, "true");
    let counting = counting.with("STORY_BREAKS", "1");
    let told = counting.fails("values::it_catches_what_is_brittle", "replay");
    assert!(told.contains("cassette wiring: what was recorded of tool "), "{told}");
    assert!(told.contains("::brittle made its type panic as it was read\nhelp: "), "{told}");
}

#[cassette("watching")]
#[test]
#[ignore]
fn it_calls_what_is_recorded_as_it_is_told(cassette: cassette_test::Cassette) {
    cassette.on_step(|_| {
        brittle();
    });
    brittle();
}

#[test]
fn who_watches_a_run_calls_nothing_that_is_recorded() {
    let told = Counting::new().fails("values::it_calls_what_is_recorded_as_it_is_told", "record");
    assert!(told.contains("::brittle was called by what is told of the run's steps\nhelp: "), "{told}");
}

#[cassette("scripted-elsewhere")]
#[test]
#[ignore]
fn it_asks_beyond_a_script_elsewhere() {
    let model = cassette_test::ScriptedLlm::<String, String>::new("planner").value("one".to_owned());
    brittle();
    let _ = model.call("first".into());
    let other = model.clone();
    let _ = std::thread::spawn(move || other.call("second".into())).join();
    let _ = model.try_assert_finished();
}

#[test]
fn a_double_asked_too_often_on_a_thread_of_the_test_fails_its_recording() {
    let told = Counting::new().fails("values::it_asks_beyond_a_script_elsewhere", "record");
    assert!(told.contains("planner"), "{told}");
}

//! What makes two calls the same question: types are as much of it as values are.

use std::collections::{HashMap, HashSet};
use std::future::Future;

use cassette_test::cassette;
use serde::{Deserialize, Serialize};
use stages::{assert_told, is_set, seen};

use super::effects::{Counting, effect, word};

/// Something that is looked up by its type alone.
trait Table {
    const ROWS: u32;
}

struct Users;
struct Orders;

impl Table for Users {
    const ROWS: u32 = 3;
}

impl Table for Orders {
    const ROWS: u32 = 9;
}

#[cassette_test::memory]
fn count<T: Table>() -> u32 {
    effect("count");
    T::ROWS
}

#[cassette_test::memory]
async fn times<const N: u32, T: Serialize>(number: T) -> u32 {
    effect("times");
    serde_json::to_value(number).unwrap().as_u64().map_or(0, |number| u32::try_from(number).unwrap() * N)
}

#[cassette_test::recordable(kind = "memory")]
trait Store {
    fn load<T: From<u8> + Serialize + serde::de::DeserializeOwned>(&self, id: u8) -> T;
}

struct Shelf;

impl Store for Shelf {
    fn load<T: From<u8> + Serialize + serde::de::DeserializeOwned>(&self, id: u8) -> T {
        effect("load");
        T::from(id * u8::try_from(size_of::<T>()).unwrap())
    }
}

#[cassette_test::recordable(kind = "tool")]
trait Converts<K: Serialize + serde::de::DeserializeOwned> {
    fn convert(&self, number: u8) -> K;
}

impl Converts<u8> for Shelf {
    fn convert(&self, number: u8) -> u8 {
        number
    }
}

impl Converts<u16> for Shelf {
    fn convert(&self, number: u8) -> u16 {
        u16::from(number) * 256
    }
}

struct OpenAi;
struct Anthropic;

impl OpenAi {
    #[cassette_test::llm]
    async fn complete(prompt: &str) -> String {
        format!("OpenAI on {prompt}")
    }
}

impl Anthropic {
    #[cassette_test::llm]
    async fn complete(prompt: &str) -> String {
        format!("Anthropic on {prompt}")
    }
}

#[cassette("types")]
#[tokio::test]
#[ignore]
async fn it_asks_of_types(cassette: cassette_test::Cassette) {
    let store = cassette.wrap(|| Shelf);
    let mut said = Vec::new();
    let order = if is_set("STORY_BACK") { [2, 1, 0] } else { [0, 1, 2] };
    for step in order {
        said.push(match step {
            0 => {
                let converted: u8 = store.convert(1);
                let told = OpenAi::complete("trains").await;
                format!("{} users, {} to load, {converted}, {told}", count::<Users>(), store.load::<u16>(3))
            }
            1 => {
                let converted: u16 = store.convert(1);
                let told = Anthropic::complete("trains").await;
                format!("{} orders, {} to load, {converted}, {told}", count::<Orders>(), store.load::<u64>(3))
            }
            _ => format!("{} {}", times::<2, _>(7).await, times::<3, _>(7).await),
        });
    }
    said.sort();
    seen(said.join("\n"));
}

#[test]
fn what_is_asked_of_a_type_is_no_answer_for_another() {
    let counting = Counting::new();
    let (seen, effects) = counting.comes_back("questions::it_asks_of_types");
    assert_eq!(seen, "14 21\n3 users, 6 to load, 1, OpenAI on trains\n9 orders, 24 to load, 256, Anthropic on trains");
    assert_eq!(effects.len(), 6);
    let file = counting.rehearsal.file("types");
    for name in [
        "count::<Users>",
        "count::<Orders>",
        "times::<2>",
        "<functions::questions::Shelf as functions::questions::Store>::load::<u16>",
    ] {
        assert!(file.contains(&format!("{name}\"")), "{name}: {file}");
    }
    assert_eq!(counting.with("STORY_BACK", "1").passes("questions::it_asks_of_types", "replay").seen, seen);
}

/// Where a thing of each type is kept: nothing of the question says which.
struct Kept<T>(std::marker::PhantomData<T>);

impl<T: Table> Kept<T> {
    #[cassette_test::memory]
    fn rows(&self, year: u32) -> u32 {
        T::ROWS * year
    }

    #[cassette_test::memory(also(of = std::any::type_name::<T>()))]
    fn told(&self, year: u32) -> u32 {
        T::ROWS * year
    }
}

#[cassette("kept")]
#[test]
#[ignore]
fn it_asks_of_what_is_kept() {
    let (users, orders) = (Kept::<Users>(std::marker::PhantomData), Kept::<Orders>(std::marker::PhantomData));
    if is_set("STORY_SAME") {
        seen(format!("{} {}", users.rows(2), orders.rows(2)));
    }
    seen(format!("{} {} {} {}", users.rows(1), orders.rows(3), users.told(2), orders.told(2)));
}

#[test]
fn methods_of_two_types_that_ask_the_same_are_refused() {
    let counting = Counting::new();
    counting.passes("questions::it_asks_of_what_is_kept", "record");
    assert_eq!(counting.passes("questions::it_asks_of_what_is_kept", "replay").seen, "3 27 6 18");
    let counting = Counting::new().with("STORY_SAME", "1");
    assert_told!("one_question_of_two_types", counting.fails("questions::it_asks_of_what_is_kept", "record"));
}

/// An id that serde writes as a number: of what, nothing says.
#[derive(Serialize, Deserialize, PartialEq)]
#[serde(transparent)]
struct Id<T>(u32, #[serde(skip)] std::marker::PhantomData<T>);

impl<T> Id<T> {
    fn of(number: u32) -> Id<T> {
        Id(number, std::marker::PhantomData)
    }
}

#[cassette_test::memory]
fn row<T: Table>(id: Id<T>) -> u32 {
    T::ROWS * id.0
}

#[cassette_test::memory(skip(_table))]
fn row_of(_table: &impl Serialize, text: impl Serialize) -> u32 {
    u32::from(serde_json::to_value(&text).is_ok())
}

macro_rules! lookups {
    ($($module:ident),*) => {
        $(mod $module {
            #[cassette_test::memory(name = "look_up")]
            pub(super) fn look_up(year: u32) -> String {
                format!("{} {year}", stringify!($module))
            }
        })*
    };
}

lookups!(fares, seats);

#[cassette("alike")]
#[test]
#[ignore]
fn it_asks_what_is_alike() {
    // Owned or lent, a text is a text.
    seen(format!("{} {}", row_of(&1_u8, "a"), row_of(&1_u8, "a".to_owned())));
    seen(format!("{} {}", row(Id::<Users>::of(1)), row(Id::<Orders>::of(2))));
    match stages::var("STORY_ALIKE").as_str() {
        "ids" => drop(row(Id::<Orders>::of(1))),
        "skipped" => drop(row_of(&"another", "a")),
        "macro" => drop((fares::look_up(1), seats::look_up(2))),
        _ => {}
    }
}

#[test]
fn what_a_recording_cannot_tell_apart_is_refused() {
    let counting = Counting::new().with("STORY_ALIKE", "");
    counting.passes("questions::it_asks_what_is_alike", "record");
    counting.passes("questions::it_asks_what_is_alike", "replay");
    for alike in ["ids", "skipped", "macro"] {
        let counting = Counting::new().with("STORY_ALIKE", alike);
        let told = counting.fails("questions::it_asks_what_is_alike", "record");
        assert_told!(format!("alike_{alike}"), told);
    }
}

#[derive(Serialize, Deserialize, PartialEq)]
struct Query {
    text: String,
    #[serde(skip)]
    city: String,
}

#[cassette_test::tool]
fn ask(query: &Query) -> String {
    format!("{} in {}", query.text, query.city)
}

#[cassette_test::tool]
fn ask_all(queries: &[Query], limit: Option<&str>) -> usize {
    queries.len() + limit.map_or(0, str::len)
}

#[derive(Serialize, Deserialize, PartialEq)]
struct Tagged {
    tags: HashSet<u32>,
}

#[cassette_test::tool]
fn find(tagged: Tagged) -> usize {
    tagged.tags.len()
}

#[cassette_test::tool(unordered(tags))]
fn find_in_any_order(tags: &HashSet<u32>) -> usize {
    tags.len()
}

/// What is written without being read back is said as a whole.
#[derive(Serialize, Deserialize, PartialEq, Clone)]
struct Written {
    #[serde(skip_deserializing)]
    city: String,
}

#[cassette_test::tool]
fn ask_written(written: Written) -> String {
    written.city
}

/// What can be shown, and not compared.
#[derive(Debug, Serialize, Deserialize)]
struct Told {
    tags: HashSet<u32>,
    weights: HashMap<u32, f32>,
    #[serde(skip)]
    warmth: f32,
}

#[cassette_test::tool]
fn tell(told: Told) -> usize {
    told.tags.len()
}

#[cassette_test::tool]
fn tell_lent(told: &Told) -> f32 {
    told.warmth
}

#[cassette_test::tool]
fn tell_all(told: &[Told]) -> usize {
    told.iter().map(|told| told.weights.len()).sum()
}

#[cassette_test::tool]
fn keyed(prices: &HashMap<(u32, u32), f32>) -> usize {
    prices.len()
}

#[cassette("arguments")]
#[test]
#[ignore]
fn it_asks_with_arguments() {
    let query = |city: &str| Query { text: "trains".to_owned(), city: city.to_owned() };
    let told = |tags, warmth| Told {
        tags: (0..tags).collect(),
        weights: (0..99).map(|weight| (weight, 0.5)).collect(),
        warmth,
    };
    match word("STORY_ASKS").as_str() {
        "skipped" => seen(ask(&query("Bergen"))),
        "sliced" => seen(format!("{}", ask_all(&[query(""), query("Bergen")], Some("x")))),
        "set" => seen(format!("{}", find(Tagged { tags: (0..12).collect() }))),
        "shown_set" => seen(format!("{}", tell(told(12, 0.0)))),
        "shown_lent" => seen(format!("{}", tell_lent(&told(0, 0.5)))),
        "shown_row" => seen(format!("{}", tell_all(&[told(0, 0.5)]))),
        "keyed" => seen(format!("{}", keyed(&[((1, 2), 0.5)].into()))),
        _ => {
            let written = ask_written(Written { city: "Voss".to_owned() });
            let found = find_in_any_order(&(0..12).collect());
            let all = tell(told(0, 0.0)) + tell_all(&[told(0, 0.0)]);
            let told = format!("{all} {}", tell_lent(&told(0, 0.0)));
            seen(format!("{} {} {written} {found} {told}", ask(&query("")), ask_all(&[query("")], None)));
        }
    }
}

#[test]
fn an_argument_that_does_not_say_all_fails_the_recording() {
    let counting = Counting::new();
    let (seen, _) = counting.comes_back("questions::it_asks_with_arguments");
    assert_eq!(seen, "trains in  1 Voss 12 99 0");
    for asks in ["skipped", "sliced", "set", "shown_set", "shown_lent", "shown_row", "keyed"] {
        let counting = Counting::new().with("STORY_ASKS", asks);
        assert_told!(format!("argument_{asks}"), counting.fails("questions::it_asks_with_arguments", "record"));
    }
}

/// Errors that cannot go to another thread, and an argument that is called as the expansion would call it.
#[cassette_test::tool]
async fn unsent(called: u32) -> Result<u32, Box<dyn std::error::Error>> {
    tokio::task::yield_now().await;
    if called > 1 { Err("big".into()) } else { Ok(called) }
}

#[test]
fn a_recorded_future_goes_where_its_own_would() {
    fn goes(_: impl Future + Send) {}
    goes(async { unsent(1).await.is_ok() });
}

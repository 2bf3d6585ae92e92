use std::any::type_name;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::error::Error;
use std::fmt::Display;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{
    ByDescription, BySerde, ByType, Codec, ErrorCodec, Fallible, Known, Lent, Plain, ReplayedError, distinct, faithful,
    items, layers, read, read_item, rebuilt, restored, unordered, write, write_item,
};
use crate::json::{Json, Layout};
use crate::reply::{Chunk, Reply};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Hit {
    title: String,
    score: f64,
    near: Option<f32>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Answer {
    None,
    One(u8),
    Two(u8, char),
    Named { at: i64 },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Tagged {
    A { x: f64 },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Number(f64),
    Text(String),
}

fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

#[track_caller]
fn comes_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: T, expected: &str) {
    let written = faithful(&value, Some(super::equal)).unwrap();
    assert_eq!(written.print(Layout::Compact), expected);
    assert_eq!(read::<T>(&written).unwrap(), value);
}

#[test]
fn values_come_back_as_they_were() {
    comes_back((), "null");
    comes_back(true, "true");
    comes_back('é', "\"é\"");
    comes_back("a\n\"b\" \u{1}".to_owned(), r#""a\n\"b\" \u0001""#);
    comes_back((u64::MAX, i64::MIN), "[18446744073709551615,-9223372036854775808]");
    comes_back((u128::MAX, i128::MIN), &format!("[{},{}]", u128::MAX, i128::MIN));
    comes_back(Hit { title: "x".into(), score: 1e300, near: None }, r#"{"title":"x","score":1e+300,"near":null}"#);
    comes_back(
        [Answer::None, Answer::One(1), Answer::Two(1, 'x')].into_iter().collect::<Vec<_>>(),
        r#"["None",{"One":1},{"Two":[1,"x"]}]"#,
    );
    comes_back(Answer::Named { at: -3 }, r#"{"Named":{"at":-3}}"#);
    comes_back(Tagged::A { x: 0.1 }, r#"{"kind":"A","x":0.1}"#);
    comes_back(vec![Untagged::Number(2.0), Untagged::Text("x".into())], r#"[2.0,"x"]"#);
    comes_back(BTreeMap::from([(7u16, Some(true)), (8, None)]), r#"{"7":true,"8":null}"#);
    comes_back(BTreeMap::from([(true, 'a')]), r#"{"true":"a"}"#);
    comes_back(Some(vec![Some(1), None]), "[1,null]");
    comes_back(Duration::new(1, 5), r#"{"secs":1,"nanos":5}"#);
    comes_back(serde_json::json!({"a": [1, -1, 0.5, "x", null]}), r#"{"a":[1,-1,0.5,"x",null]}"#);
    comes_back(Err::<u8, String>("no".into()), r#"{"Err":"no"}"#);
    comes_back(-0.0_f64, "-0.0");
}

#[derive(Debug, Serialize, Deserialize)]
struct Departure {
    train: String,
    #[serde(default)]
    track: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[test]
fn a_type_that_has_changed_makes_nothing_up() {
    let told = |text: &str| restored::<Vec<Departure>>(&json(text)).map(|_| ()).map_err(|error| error.to_string());
    assert_eq!(told(r#"[{"track":null,"train":"R40"},{"train":"R41","track":"3","notes":["late"]}]"#), Ok(()));
    for (text, expected) in [
        (r#"[{"train":"R40","platform":"3"}]"#, "[0].platform: it was recorded, and the type has no place for it"),
        (r#"[{"train":"R40"}]"#, "[0].track: it was not recorded, and the type makes it up"),
        (r#"[{"train":"R40","track":3}]"#, "[0].track: invalid type: integer `3`, expected a string"),
    ] {
        assert_eq!(told(text), Err(expected.to_owned()), "{text}");
    }
    assert_eq!(
        restored::<f32>(&json("0.123456789")).map_err(|error| error.to_string()),
        Err("it was recorded as 0.123456789, and reads as 0.12345679".to_owned())
    );
}

#[test]
fn no_float_loses_a_digit() {
    let mut bits = 0x3fb9_9999_9999_999a_u64;
    for _ in 0..20_000 {
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (double, single) = (f64::from_bits(bits), f32::from_bits((bits >> 32) as u32));
        if double.is_finite() && single.is_finite() {
            let back: (f64, f32) = read(&write(&(double, single)).unwrap()).unwrap();
            assert_eq!((back.0.to_bits(), back.1.to_bits()), (double.to_bits(), single.to_bits()));
        }
    }
}

#[test]
fn a_text_of_its_own_is_kept() {
    let raw: Box<serde_json::value::RawValue> = read(&json(r#"{"a":1.50}"#)).unwrap();
    assert_eq!(raw.get(), r#"{"a":1.50}"#);
    assert_eq!(write(&raw).unwrap().print(Layout::Compact), r#"{"a":1.50}"#);
}

#[test]
fn a_text_whose_spelling_would_not_come_back_is_told() {
    #[track_caller]
    fn check(raw: &str, expected: Option<&str>) {
        let raw: Box<serde_json::value::RawValue> = serde_json::value::RawValue::from_string(raw.to_owned()).unwrap();
        let value = BTreeMap::from([("a", vec![raw])]);
        let value: BTreeMap<String, Vec<_>> = value.into_iter().map(|(name, raw)| (name.to_owned(), raw)).collect();
        let told = faithful(&value, None).err().map(|error| error.to_string());
        let what = "it has a spelling of its own, such as white space, which would not come back: give it as a text, or as a value";
        assert_eq!(told, expected.map(|path| format!("{path}: {what}")));
        assert!(write(&value).is_ok(), "an argument is asked all the same");
    }
    check(r#"{"a":1.50,"b":[1E2,"\u0041\/"],"c":{}}"#, None);
    check(r#"{ "a": 1}"#, Some("a[0]"));
    check(r#"{"a": 1}"#, Some("a[0].a"));
    check(r#"{"a":[1, 2]}"#, Some("a[0].a[1]"));
    check(r#"[1 ]"#, Some("a[0]"));
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Skipping {
    kept: u8,
    #[serde(skip)]
    skipped: u8,
}

#[derive(Debug, Serialize, Deserialize)]
#[expect(dead_code, reason = "it is only written")]
struct OneWay {
    #[serde(skip_serializing)]
    secret: u8,
}

#[derive(Debug, Serialize, Deserialize)]
struct Renamed {
    #[serde(serialize_with = "shout")]
    text: String,
}

fn shout<S: serde::Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format!("{text}!"))
}

#[track_caller]
fn is_lossy<T: Serialize + DeserializeOwned>(value: &T, equal: Option<super::Equal<T>>, expected: &str) {
    assert_eq!(faithful(value, equal).unwrap_err().to_string(), expected);
}

#[test]
fn a_value_that_would_not_come_back_is_told_with_its_path() {
    let hit = |score, near| Hit { title: "x".into(), score, near };
    is_lossy(&vec![hit(0.5, None), hit(f64::NAN, None)], None, "[1].score: JSON has no word for NaN");
    is_lossy(
        &HashMap::from([("a b", ())].map(|(k, ())| (k.to_owned(), hit(1.0, Some(f32::INFINITY))))),
        None,
        r#"["a b"].near: JSON has no word for inf"#,
    );
    is_lossy(&Some(f64::NEG_INFINITY), None, "JSON has no word for -inf");
    is_lossy(
        &Skipping { kept: 1, skipped: 2 },
        Some(super::equal),
        "the value that reads back is another, by its `PartialEq` or, without one, by what `Debug` shows: serde leaves out a part of it",
    );
    is_lossy(&OneWay { secret: 1 }, None, "what is written does not read back: missing field `secret`");
    is_lossy(&vec![Renamed { text: "a".into() }], None, r#"[0].text: it is written as "a!", and read back as "a!!""#);
    // Neither what is long nor what a name says is secret is shown, in part or whole.
    let long = Renamed { text: "a".repeat(60) };
    is_lossy(&long, None, "text: it is written as a text of length 61, and read back as a text of length 62");
    let named = HashMap::from([("api_key", Renamed { text: "a".into() })].map(|(name, it)| (name.to_owned(), it)));
    is_lossy(&named, None, "api_key.text: it is written as a text of length 2, and read back as a text of length 3");
    let keys = "its keys are no texts, and JSON knows none else";
    is_lossy(&BTreeMap::from([((1, 2), 3)]), None, keys);
    is_lossy(&[(1, [BTreeMap::from([(Some(1), 3), (None, 3)])])], None, &format!("[0][1][0]: {keys}"));
    is_lossy(
        &((0..64).collect::<HashSet<u8>>(), 1),
        None,
        "[0]: its elements have no order of their own, so no recording is like another",
    );
    faithful(&Skipping { kept: 1, skipped: 0 }, Some(super::equal)).unwrap();
    faithful(&HashMap::from([(1, 2), (3, 4), (5, 6), (7, 8)]), Some(super::equal)).unwrap();
}

/// Two elements that are written in another order at one of the times that they are.
#[derive(Debug, Deserialize)]
struct Shuffled {
    elements: Vec<u8>,
}

thread_local! {
    static WRITTEN: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

impl Serialize for Shuffled {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (written, shuffled) = WRITTEN.get();
        WRITTEN.set((written + 1, shuffled));
        let mut elements = self.elements.clone();
        if written == shuffled {
            elements.reverse();
        }
        HashMap::from([("elements", elements)]).serialize(serializer)
    }
}

impl PartialEq for Shuffled {
    fn eq(&self, _: &Shuffled) -> bool {
        true
    }
}

#[test]
fn elements_without_an_order_are_found_though_they_come_back_in_it_at_first() {
    // What is written is asked twice: first whether JSON has words for it.
    for shuffled in [3, 5, 9, 17] {
        let told = "elements: its elements have no order of their own, so no recording is like another";
        let value = || {
            WRITTEN.set((0, shuffled));
            Shuffled { elements: vec![1, 2] }
        };
        is_lossy(&value(), None, told);
        let equal = |one: &Shuffled, other: &Shuffled| one == other;
        assert_eq!(distinct(&value(), equal).unwrap_err().to_string(), told);
    }
    WRITTEN.set((0, 3));
    faithful(&Shuffled { elements: vec![1, 1] }, None).unwrap();
}

#[test]
fn a_set_is_sorted_where_that_is_asked_for() {
    let set: HashSet<&str> = ["c", "a", "b"].into();
    assert_eq!(unordered(&set).unwrap().print(Layout::Compact), r#"["a","b","c"]"#);
    assert_eq!(unordered(&7).unwrap_err().to_string(), "this is no sequence, so it has no order to do without");
}

#[track_caller]
fn does_not_read<T: DeserializeOwned + std::fmt::Debug>(text: &str, expected: &str) {
    assert_eq!(read::<T>(&json(text)).unwrap_err().to_string(), expected);
}

#[test]
fn what_does_not_fit_its_type_is_told_with_its_path() {
    does_not_read::<Vec<Hit>>(
        r#"[{"title":"x","score":1,"near":null},{"title":"x","score":"y"}]"#,
        "[1].score: invalid type: string \"y\", expected f64",
    );
    does_not_read::<Hit>(r#"{"title":"x"}"#, "missing field `score`");
    does_not_read::<Answer>(r#"{"Three":1}"#, "unknown variant `Three`, expected one of `None`, `One`, `Two`, `Named`");
    does_not_read::<Answer>(r#"{"Two":[1,2]}"#, "Two[1]: invalid type: integer `2`, expected a character");
    does_not_read::<Answer>(r#""One""#, "the variant `One` is without its content");
    does_not_read::<[u8; 2]>("[1,2,3]", "invalid length 3, expected fewer elements");
    does_not_read::<u8>("256", "invalid value: integer `256`, expected u8");
    does_not_read::<BTreeMap<u8, u8>>(r#"{"x":1}"#, "x: invalid type: string \"x\", expected u8");
    does_not_read::<serde_json::Value>(
        &"9".repeat(60),
        &format!("{} is a whole number beyond any type", "9".repeat(60)),
    );
}

#[test]
fn an_error_keeps_what_recovery_asks_for() {
    let mut error = ReplayedError::new("my::Limited", "slow down");
    error.status = Some(429);
    error.retry_after = Some(Duration::from_millis(1500));
    error.headers = vec![("x-limit".into(), "5".into())];
    let written = error.to_json(None).unwrap();
    assert_eq!(
        written.print(Layout::Compact),
        r#"{"type":"my::Limited","message":"slow down","status":429,"headers":[["x-limit","5"]],"retry_after":{"secs":1,"nanos":500000000}}"#
    );
    assert_eq!(ReplayedError::from_json(&written).unwrap(), error);

    let inner = std::io::Error::new(std::io::ErrorKind::NotFound, "no such town");
    let found = ReplayedError::of(&inner);
    assert_eq!((found.type_name.as_str(), found.code.as_deref()), ("std::io::error::Error", Some("NotFound")));
    let again = std::io::Error::from(ReplayedError::from_json(&found.to_json(None).unwrap()).unwrap());
    assert_eq!((again.kind(), again.to_string()), (inner.kind(), inner.to_string()));
}

/// Returns the codec of errors that are told by what they show, as those of `try_call` are.
fn shown<E: From<ReplayedError> + Display + 'static>() -> ByDescription<E> {
    ByDescription::new(ReplayedError::of_displayed, rebuilt::<E>).with(layers)
}

#[test]
fn an_error_that_was_recorded_of_another_type_is_told() {
    type Boxed = Box<dyn Error + Send + Sync>;
    #[track_caller]
    fn check<E, N>(was: &impl ErrorCodec<E>, error: E, now: &impl ErrorCodec<N>, expected: Option<&str>) {
        let recorded = was.encode(&error).unwrap();
        assert_eq!(now.decode(&recorded).err().map(|misread| misread.what).as_deref(), expected);
    }
    let late = || std::io::Error::new(std::io::ErrorKind::TimedOut, "late");
    let by_serde = BySerde::<String>::new(None, Some(String::clone));
    let (anyhow, io, boxed) = (shown::<anyhow::Error>(), shown::<std::io::Error>(), shown::<Boxed>());
    let named = |codec| {
        let known = Known::new::<String>(
            |error: &anyhow::Error| error.downcast_ref::<String>().map(|text| (text.clone(), write(text))),
            |json| read::<String>(json).map(anyhow::Error::msg),
            anyhow::Error::context,
        );
        ByType::new(vec![known], codec)
    };
    let told = |was: &str, now: &str| Some(format!("the error was recorded as {was}, and the function gives {now}"));
    let (string, io_name) = ("alloc::string::String", "std::io::error::Error");
    check(&by_serde, "late".into(), &anyhow, told(string, "anyhow::Error").as_deref());
    check(&anyhow, late().into(), &io, told("anyhow::Error", io_name).as_deref());
    check(&anyhow, anyhow::Error::from(late()).context("asked"), &io, told("anyhow::Error", io_name).as_deref());
    let boxed_name = type_name::<Boxed>();
    check(&boxed, "late".into(), &io, told(boxed_name, io_name).as_deref());
    check(&io, late(), &by_serde, Some("an error was recorded of which serde wrote nothing"));
    let of_type = anyhow::Error::msg("late".to_owned()).context("asked");
    let above = "the error was recorded with contexts above it, and the function gives a alloc::string::String alone";
    check(&named(shown()), of_type, &by_serde, Some(above));
    check(&named(shown()), anyhow::Error::msg("late".to_owned()), &anyhow, told(string, "anyhow::Error").as_deref());
    check(&named(shown()), late().into(), &anyhow, None);
    check(&anyhow, late().into(), &named(shown()), None);
    check(&by_serde, "late".into(), &by_serde, None);
}

#[test]
fn a_type_may_have_moved_to_another_module() {
    let of = |name: &str| ReplayedError::new(name, "");
    assert!(of("towns::errors::Closed").is_of("towns::Closed"));
    assert!(of("alloc::boxed::Box<towns::errors::Closed>").is_of("alloc::boxed::Box<towns::closing::Closed>"));
    assert!(of("suite::common::Closed").is_of("other_suite::common::Closed"));
    assert!(!of("towns::Closed").is_of("towns::Open"));
    assert!(!of("anyhow::Error").is_of("towns::Error"));
    assert!(!of("std::io::error::Error").is_of("std::fmt::Error"));
    assert!(!of("Closed").is_of("anyhow::Error"));
}

#[test]
fn an_item_of_a_stream_is_a_line_and_comes_back() {
    let codec = Fallible::<Hit, _>::new(Some(super::equal), BySerde::<String>::new(None, None));
    let at = Duration::from_millis(30);
    let written: Vec<_> = [Ok(Hit { title: "a\nb".into(), score: 0.1, near: None }), Err("late".to_owned())]
        .iter()
        .enumerate()
        .map(|(i, item)| write_item(&codec, item, i, at).unwrap())
        .collect();
    let reply = Reply::stream(written, None);
    assert_eq!(
        String::from_utf8(reply.body()).unwrap(),
        "{\"item\":{\"title\":\"a\\nb\",\"score\":0.1,\"near\":null}}\n\
         {\"error\":{\"type\":\"alloc::string::String\",\"message\":\"\",\"value\":\"late\"}}\n"
    );
    assert_eq!(reply.chunks.iter().map(|chunk| chunk.at).collect::<Vec<_>>(), [Some(at), Some(at)]);
    let read = |i: usize| read_item(&codec, &items(&reply).unwrap()[i], i);
    assert_eq!(read(0).unwrap().unwrap().title, "a\nb");
    assert_eq!(read(1).unwrap(), Err("late".to_owned()));
}

#[test]
fn what_is_wrong_with_an_item_is_told_with_its_position() {
    let codec = Plain::<HashMap<String, f64>>::new(None);
    let lossy = HashMap::from([("x".to_owned(), f64::NAN)]);
    let lost = write_item(&codec, &lossy, 7, Duration::ZERO).unwrap_err();
    assert_eq!((lost.path.as_str(), lost.what.is_empty()), ("[7].x", false));
    let lost = write_item(&Plain::<f64>::new(None), &f64::NAN, 7, Duration::ZERO).unwrap_err();
    assert_eq!(lost.path, "[7]");
    let check = |line: &str, expected: &str| {
        let chunk = Chunk { bytes: line.as_bytes().to_vec(), at: Some(Duration::ZERO) };
        assert_eq!(read_item(&codec, &chunk, 3).unwrap_err().to_string(), expected);
    };
    check("{\"item\":{\"x\":\"y\"}}\n", "[3].x: invalid type: string \"y\", expected f64");
    check("{\"items\":{}}\n", "[3]: what was recorded is no item of a stream");
    check("{\"error\":{}}\n", "[3]: an error was recorded, and the function's type has none");
}

#[test]
fn a_stream_and_a_value_are_not_taken_for_each_other() {
    let (value, failure) =
        (Reply::value(b"7".to_vec(), Duration::ZERO), Reply::failure(b"{}".to_vec(), Duration::ZERO));
    let told = [&value, &failure].map(|reply| items(reply).unwrap_err().to_string());
    assert_eq!(
        told,
        [
            "one value was recorded, and the function gives a stream",
            "an error was recorded, and the function's type has none"
        ]
    );
    let stream = Reply::stream(Vec::new(), None);
    assert!(items(&stream).unwrap().is_empty());
    let told = Plain::<u8>::new(None).decode(&stream).unwrap_err().to_string();
    assert_eq!(told, "a stream was recorded, and the function gives one value");
}

#[test]
fn what_is_lent_comes_back_for_as_long_as_it_is_wanted() {
    let reply = Lent::<str>::new(None).encode(&"Bergen", Duration::ZERO).unwrap();
    let back: &'static str = Lent::<str>::new(None).decode(&reply).unwrap();
    assert_eq!((reply.body().as_slice(), back), (b"\"Bergen\"".as_slice(), "Bergen"));
    let reply = Lent::<[u8]>::new(None).encode(&[1, 2].as_slice(), Duration::ZERO).unwrap();
    assert_eq!(Lent::<[u8]>::new(None).decode(&reply).unwrap(), [1, 2]);
    let lost = Lent::<f64>::new(None).encode(&&f64::NAN, Duration::ZERO);
    assert!(lost.is_err(), "{lost:?}");
}

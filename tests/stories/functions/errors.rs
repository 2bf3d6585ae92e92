//! Errors that come back so that the program recovers from them in the same way.

use std::fmt;
use std::io;
use std::time::Duration;

use cassette_test::{Call, ReplayedError, cassette};
use serde::{Deserialize, Serialize};

use super::effects::{Counting, effect, word};
use stages::{assert_told, seen};

/// An error that serde writes.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum NoTown {
    Unknown(String),
    Closed { until: u32 },
}

impl fmt::Display for NoTown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoTown::Unknown(town) => write!(f, "there is no {town}"),
            NoTown::Closed { until } => write!(f, "closed until {until}"),
        }
    }
}

impl std::error::Error for NoTown {}

/// An error of a provider's, which serde does not write.
#[derive(Debug)]
struct Limited {
    status: u16,
    retry_after: Option<Duration>,
}

impl fmt::Display for Limited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "status {}", self.status)
    }
}

impl std::error::Error for Limited {}

impl From<&Limited> for ReplayedError {
    fn from(error: &Limited) -> ReplayedError {
        let mut replayed = ReplayedError::new("Limited", error.to_string());
        replayed.status = Some(error.status);
        replayed.retry_after = error.retry_after;
        replayed
    }
}

impl From<ReplayedError> for Limited {
    fn from(error: ReplayedError) -> Limited {
        Limited { status: error.status.unwrap_or(0), retry_after: error.retry_after }
    }
}

/// A foreign error: nothing can be written for it here.
#[derive(Debug)]
struct Foreign(u16);

fn described(error: &Foreign) -> ReplayedError {
    let mut replayed = ReplayedError::new("Foreign", "it is foreign");
    replayed.code = Some(error.0.to_string());
    replayed
}

fn rebuilt(error: ReplayedError) -> Foreign {
    Foreign(error.code.and_then(|code| code.parse().ok()).unwrap_or_default())
}

#[cassette_test::tool]
async fn by_serde(town: &str) -> Result<u8, NoTown> {
    effect("serde");
    match town {
        "" => Err(NoTown::Closed { until: 7 }),
        town => Err(NoTown::Unknown(town.to_owned())),
    }
}

#[cassette_test::llm]
async fn by_own_description(attempt: u8) -> Result<u8, Limited> {
    effect("own");
    match attempt {
        0 => Err(Limited { status: 429, retry_after: Some(Duration::from_millis(1)) }),
        attempt => Ok(attempt),
    }
}

#[cassette_test::tool(describe = described, rebuild = rebuilt)]
fn by_functions() -> Result<u8, Foreign> {
    effect("functions");
    Err(Foreign(77))
}

#[cassette_test::tool(errors(NoTown))]
async fn by_type(known: bool) -> anyhow::Result<u8> {
    effect("type");
    if known {
        Err(NoTown::Unknown("Voss".to_owned()))?;
    }
    anyhow::bail!("no type")
}

#[cassette_test::tool(errors(NoTown))]
fn by_type_boxed() -> Result<u8, Box<dyn std::error::Error + Send + Sync>> {
    effect("boxed");
    Err(Box::new(NoTown::Closed { until: 9 }))
}

/// Errors of two types beneath what a program says of them, and one of no type.
#[cassette_test::tool(errors(NoTown, io::Error))]
fn in_context(which: u8) -> anyhow::Result<u8> {
    effect("in context");
    let inner = match which {
        0 => anyhow::Error::from(NoTown::Unknown("Voss".to_owned())).context("asked the map"),
        1 => anyhow::Error::from(io::Error::from(io::ErrorKind::IsADirectory)),
        _ => anyhow::anyhow!("no type").context("asked the map"),
    };
    Err(inner.context("planned a trip"))
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Told {
    why: String,
    #[serde(skip)]
    retryable: bool,
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Told {}

#[cassette_test::tool]
fn not_told() -> Result<u8, Told> {
    Err(Told { why: "slow down".to_owned(), retryable: true })
}

#[cassette_test::tool(errors(Told))]
fn not_told_beneath() -> anyhow::Result<u8> {
    Err(Told { why: "slow down".to_owned(), retryable: true })?
}

#[cassette_test::llm(name = "skipped", error = "serde")]
fn skipped_in_words() -> Result<u8, Skipping> {
    Err(Skipping { after: 9 })
}

#[cassette_test::recordable]
trait Skips {
    #[llm(name = "skipped")]
    async fn skips(&self) -> Result<u8, Skipping>;
}

struct Live;

impl Skips for Live {
    async fn skips(&self) -> Result<u8, Skipping> {
        Err(Skipping { after: 9 })
    }
}

/// A box has no contexts, so that only what is on top can be found in it.
#[cassette_test::tool(errors(NoTown))]
fn on_top(boxed: bool) -> Result<u8, Box<dyn std::error::Error + Send + Sync>> {
    let error = anyhow::Error::from(NoTown::Unknown("Voss".to_owned()));
    Err(if boxed { error.context("asked the map").into() } else { error.into() })
}

/// An error of which nothing says its status.
#[derive(Debug)]
enum Undescribed {
    Limited(u32),
    Other(String),
}

impl fmt::Display for Undescribed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undescribed::Limited(seconds) => write!(f, "limited for {seconds}"),
            Undescribed::Other(text) => write!(f, "other: {text}"),
        }
    }
}

impl std::error::Error for Undescribed {}

impl From<ReplayedError> for Undescribed {
    fn from(error: ReplayedError) -> Undescribed {
        match error.status {
            Some(429) => Undescribed::Limited(7),
            _ => Undescribed::Other(error.message),
        }
    }
}

#[cassette_test::tool]
fn undescribed() -> Result<u8, Undescribed> {
    effect("undescribed");
    Err(Undescribed::Limited(7))
}

/// The program tells none of them apart, and their text is lost all the same.
#[cassette_test::tool(errors())]
fn undescribed_alike() -> Result<u8, Undescribed> {
    effect("undescribed alike");
    Err(Undescribed::Limited(7))
}

/// An error whose text tells nothing of its variant, and which is rebuilt from the text alone.
#[derive(Debug)]
enum Alike {
    Busy,
    Other(String),
}

impl fmt::Display for Alike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Alike::Busy => f.write_str("busy"),
            Alike::Other(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Alike {}

impl From<ReplayedError> for Alike {
    fn from(error: ReplayedError) -> Alike {
        Alike::Other(error.message)
    }
}

#[cassette_test::tool]
fn alike() -> Result<u8, Alike> {
    effect("alike");
    Err(Alike::Busy)
}

/// The program tells none of them apart.
#[cassette_test::tool(errors())]
fn all_alike() -> Result<u8, Alike> {
    effect("all alike");
    Err(Alike::Busy)
}

/// The program tells none apart of what is beneath a provider's error, and asks for what that says of itself.
#[cassette_test::tool(errors())]
fn limited_alone() -> Result<u8, Limited> {
    effect("limited alone");
    Err(Limited { status: 429, retry_after: Some(Duration::from_secs(7)) })
}

/// An error that says what it keeps, and may have another beneath it.
#[derive(Debug)]
enum Asking {
    Status(u16),
    Late(io::Error),
    Other(String),
}

impl fmt::Display for Asking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Asking::Status(status) => write!(f, "status {status}"),
            Asking::Late(_) => f.write_str("late"),
            Asking::Other(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Asking {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Asking::Late(error) => Some(error),
            _ => None,
        }
    }
}

impl From<&Asking> for ReplayedError {
    fn from(error: &Asking) -> ReplayedError {
        let mut replayed = ReplayedError::of(error);
        replayed.status = if let Asking::Status(status) = error { Some(*status) } else { None };
        replayed
    }
}

impl From<ReplayedError> for Asking {
    fn from(error: ReplayedError) -> Asking {
        match error.status {
            // One that is not read.
            Some(418) => Asking::Other(error.message),
            Some(status) => Asking::Status(status),
            None => Asking::Other(error.message),
        }
    }
}

#[cassette_test::llm(errors())]
fn asking(status: u16) -> Result<u8, Asking> {
    effect("asking");
    Err(if status == 0 { Asking::Late(io::Error::other("the line is down")) } else { Asking::Status(status) })
}

/// An error that serde writes, but for a part of it, and that cannot be compared.
#[derive(Debug, Serialize, Deserialize)]
struct Skipping {
    #[serde(skip)]
    after: u64,
}

impl fmt::Display for Skipping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("skipping")
    }
}

impl std::error::Error for Skipping {}

#[cassette_test::llm]
fn skipping() -> Result<u8, Skipping> {
    effect("skipping");
    Err(Skipping { after: 9 })
}

#[cassette_test::llm(errors(Skipping))]
fn skipping_beneath() -> anyhow::Result<u8> {
    effect("skipping beneath");
    Err(Skipping { after: 9 }.into())
}

#[cassette_test::llm]
fn skipping_items() -> impl futures_util::Stream<Item = Result<u8, Skipping>> {
    effect("skipping items");
    futures_util::stream::iter([Err(Skipping { after: 9 })])
}

/// An error that can be compared, of which its text tells half.
#[derive(Debug, PartialEq)]
struct Half {
    told: u8,
    untold: u8,
}

impl fmt::Display for Half {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "half {}", self.told)
    }
}

impl From<ReplayedError> for Half {
    fn from(_: ReplayedError) -> Half {
        Half { told: 7, untold: 0 }
    }
}

#[cassette_test::tool]
fn half() -> Result<u8, Half> {
    effect("half");
    Err(Half { told: 7, untold: 9 })
}

/// An error that cannot be compared, whose kind stands within.
#[derive(Debug)]
struct Within {
    kind: io::ErrorKind,
}

impl fmt::Display for Within {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("within")
    }
}

impl std::error::Error for Within {}

impl From<ReplayedError> for Within {
    fn from(_: ReplayedError) -> Within {
        Within { kind: io::ErrorKind::Other }
    }
}

#[cassette_test::tool]
fn within() -> Result<u8, Within> {
    effect("within");
    Err(Within { kind: io::ErrorKind::TimedOut })
}

/// An error that can only be shown, of which its text tells half.
#[derive(Debug)]
struct Hushed {
    untold: u8,
}

impl fmt::Display for Hushed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("hushed")
    }
}

impl From<ReplayedError> for Hushed {
    fn from(_: ReplayedError) -> Hushed {
        Hushed { untold: 0 }
    }
}

fn hushed() -> Result<u8, Hushed> {
    Err(Hushed { untold: 9 })
}

#[cassette_test::tool(name = "hushed")]
fn ask_hushed() -> Result<u8, Hushed> {
    hushed()
}

#[cassette_test::tool(name = "hushed", error = "from")]
fn hushed_in_words() -> Result<u8, Hushed> {
    hushed()
}

/// What an error of a named type says of itself is kept beneath `anyhow` too; what it does not say is told.
#[cassette_test::tool(errors(Limited, Within, Alike))]
fn described_beneath(which: &str) -> anyhow::Result<u8> {
    effect("described beneath");
    match which {
        "limited" => Err(Limited { status: 429, retry_after: Some(Duration::from_millis(1)) })?,
        "within" => Err(Within { kind: io::ErrorKind::TimedOut })?,
        _ => Err(Alike::Other("far".to_owned()))?,
    }
}

#[cassette("untold-errors")]
#[test]
#[ignore]
fn it_is_not_told_all(cassette: cassette_test::Cassette) {
    match word("STORY_ERROR").as_str() {
        "variant" => drop(alike()),
        "tried" => drop(cassette.try_call_blocking(Call::tool("alike", &1), || Err::<u8, _>(Alike::Busy))),
        "half" => drop(half()),
        "skipped_in_words" => drop(skipped_in_words()),
        "skipped_in_trait" => drop(block(cassette.wrap(|| Live).skips())),
        "hushed" => drop(ask_hushed().map_err(|error| error.untold)),
        "hushed_in_words" => drop(hushed_in_words()),
        "hushed_tried" => drop(cassette.try_call_blocking(Call::tool("hushed", &1), hushed)),
        "within_beneath" => drop(described_beneath("within")),
        "within" => drop(within().map_err(|error| error.kind)),
        "beneath" => drop(not_told_beneath()),
        "undescribed" => drop(undescribed()),
        "undescribed_alike" => drop(undescribed_alike()),
        "unread" => drop(asking(418)),
        "skipped" => drop(skipping().map_err(|error| error.after)),
        "skipped_beneath" => drop(skipping_beneath()),
        "skipped_items" => {
            use futures_util::{FutureExt as _, StreamExt as _};
            let _: Option<Vec<_>> = skipping_items().collect().now_or_never();
        }
        _ => drop(not_told()),
    }
}

fn block<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

#[test]
fn an_error_that_does_not_come_back_whole_fails_the_recording() {
    let skipped = ["skipped", "skipped_beneath", "skipped_items", "within_beneath", "undescribed_alike"];
    for error in
        ["own", "beneath", "undescribed", "unread", "variant", "tried", "half", "within"].into_iter().chain(skipped)
    {
        let counting = Counting::new().with("STORY_ERROR", error);
        assert_told!(format!("error_{error}"), counting.fails("errors::it_is_not_told_all", "record"));
    }
}

#[test]
fn an_error_that_can_only_be_shown_is_compared_by_that_whichever_way_it_goes() {
    for error in ["skipped_in_words", "skipped_in_trait", "hushed", "hushed_in_words", "hushed_tried"] {
        let told = Counting::new().with("STORY_ERROR", error).fails("errors::it_is_not_told_all", "record");
        let what = " comes back as one that is not equal to it";
        assert!(told.contains(what) && told.contains("\nhelp: let it come back whole: "), "{error}: {told}");
    }
}

#[cassette("shown-errors")]
#[test]
#[ignore]
fn it_shows_errors(cassette: cassette_test::Cassette) {
    let error = described_beneath("limited").unwrap_err();
    let limited = error.downcast_ref::<Limited>().map(|error| (error.status, error.retry_after));
    let other = described_beneath("other").unwrap_err();
    let tried: io::Result<u8> = cassette.try_call_blocking(Call::tool("tried", &1), || {
        effect("tried");
        std::fs::read("no/such/file").map(|_| 7)
    });
    let beneath: Result<u8, Beneath> = cassette.try_call_blocking(Call::tool("beneath", &1), || {
        effect("beneath");
        Err(Beneath(anyhow::anyhow!("no road")))
    });
    seen(format!("{limited:?} {other} {:?} {}", tried.unwrap_err().kind(), beneath.unwrap_err()));
}

/// What anybody may put in front of `anyhow`, whose errors show where they came from.
#[derive(Debug)]
struct Beneath(anyhow::Error);

impl fmt::Display for Beneath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl<E: Into<anyhow::Error>> From<E> for Beneath {
    fn from(error: E) -> Beneath {
        Beneath(error.into())
    }
}

#[test]
fn an_error_that_comes_back_as_it_was_shows_the_same_but_for_what_changes_by_itself() {
    let (seen, effects) = Counting::new().with("RUST_BACKTRACE", "1").comes_back("errors::it_shows_errors");
    assert_eq!((seen.as_str(), effects.len()), ("Some((429, Some(1ms))) far NotFound no road", 4));
}

/// What another recording gave.
#[cassette_test::tool]
fn passed_on() -> Result<u8, ReplayedError> {
    effect("passed on");
    let mut error = ReplayedError::new("Limited", "slow down");
    error.status = Some(429);
    Err(error)
}

#[cassette("alike-errors")]
#[test]
#[ignore]
fn it_tells_none_apart() {
    let limited = limited_alone().unwrap_err();
    let asked = [asking(429), asking(0)].map(|asked| match asked.unwrap_err() {
        Asking::Status(status) => format!("status {status}"),
        other => format!("other: {other}"),
    });
    let said = format!("{} {:?}", all_alike().unwrap_err(), passed_on().unwrap_err().status);
    seen(format!("{said} {} {:?} {asked:?}", limited.status, limited.retry_after));
}

#[test]
fn a_variant_that_nobody_tells_from_others_may_be_lost() {
    let (seen, effects) = Counting::new().comes_back("errors::it_tells_none_apart");
    assert_eq!((seen.as_str(), effects.len()), (r#"busy Some(429) 429 Some(7s) ["status 429", "other: late"]"#, 5));
}

#[cassette("contexts")]
#[tokio::test]
#[ignore]
async fn it_has_contexts(cassette: cassette_test::Cassette) {
    let mut said = Vec::new();
    for which in 0..3 {
        let error = in_context(which).unwrap_err();
        let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
        said.push(format!("{error:#}: {:?} {kind:?} {}", error.downcast_ref::<NoTown>(), error.chain().count()));
    }
    for boxed in [false, true] {
        said.push(format!("{}", on_top(boxed).unwrap_err()));
    }
    let tried: anyhow::Result<u8> = cassette.try_call_blocking(Call::tool("tried", &1), || {
        effect("tried");
        Err(anyhow::anyhow!("no root").context("asked"))
    });
    said.push(format!("{:#}", tried.unwrap_err()));
    seen(said.join("\n"));
}

#[test]
fn an_error_keeps_what_stands_above_and_beneath_it() {
    let (seen, effects) = Counting::new().comes_back("errors::it_has_contexts");
    insta::assert_snapshot!("contexts", seen);
    assert_eq!(effects.len(), 4);
}

#[cassette_test::tool]
fn of_system(path: &str) -> io::Result<String> {
    effect("system");
    Err(io::Error::new(io::ErrorKind::NotFound, format!("no {path}")))
}

#[cassette_test::tool]
fn with_context() -> anyhow::Result<()> {
    effect("context");
    Err(anyhow::Error::from(io::Error::new(io::ErrorKind::TimedOut, "late")).context("asked the tool"))
}

/// The error's type is a parameter, so that nothing can be found out about it.
#[cassette_test::tool(error = "serde")]
fn generic<E: Serialize + serde::de::DeserializeOwned + Clone>(error: &E) -> Result<u8, E> {
    effect("generic");
    Err(error.clone())
}

#[cassette("errors")]
#[tokio::test]
#[ignore]
async fn it_recovers() {
    let mut said = Vec::new();
    for town in ["", "Atlantis"] {
        said.push(match by_serde(town).await {
            Err(NoTown::Closed { until }) => format!("waits until {until}"),
            Err(NoTown::Unknown(town)) => format!("asks for another than {town}"),
            Ok(_) => "goes".to_owned(),
        });
    }
    let mut attempt = 0;
    loop {
        match by_own_description(attempt).await {
            Ok(answer) => break said.push(format!("answered {answer}")),
            Err(Limited { status: 429, retry_after: Some(pause) }) => {
                tokio::time::sleep(pause).await;
                said.push(format!("waited {pause:?}"));
                attempt += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    said.push(format!("{:?}", by_functions()));
    for known in [true, false] {
        let error = by_type(known).await.unwrap_err();
        said.push(format!("{error}: {:?}", error.downcast_ref::<NoTown>()));
    }
    let boxed = by_type_boxed().unwrap_err();
    said.push(format!("{boxed}: {:?}", boxed.downcast_ref::<NoTown>()));
    let system = of_system("file").unwrap_err();
    said.push(format!("{:?}: {system}", system.kind()));
    let chain: Vec<_> = with_context().unwrap_err().chain().map(ToString::to_string).collect();
    said.push(chain.join(" < "));
    said.push(format!("{:?}", generic(&"x".to_owned())));
    seen(said.join("\n"));
}

#[test]
fn a_program_recovers_from_recorded_errors_as_from_live_ones() {
    let counting = Counting::new();
    let (seen, effects) = counting.comes_back("errors::it_recovers");
    insta::assert_snapshot!("recovered", seen);
    assert_eq!(effects.len(), 11, "{effects:?}");
    let file = counting.rehearsal.file("errors");
    assert!(file.contains(r#""name": "functions::errors::by_own_description""#), "{file}");
    assert!(file.contains(r#""message": "there is no Atlantis""#), "{file}");
    assert!(file.contains(r#""status": 429"#), "{file}");
}

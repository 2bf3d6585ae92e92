//! Errors within errors: a program that asks what they are takes the same way again, or the recording fails.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};

use cassette_test::{Call, Cassette, cassette};
use stages::{assert_told, seen};

use super::effects::{Counting, effect, word};

type Boxed = Box<dyn Error + Send + Sync>;

/// An error of the program's own, of which a recording keeps the text alone.
#[derive(Debug)]
struct Busy {
    source: Option<io::Error>,
}

impl fmt::Display for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the desk is busy")
    }
}

impl Error for Busy {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}

fn late() -> io::Error {
    io::Error::new(ErrorKind::TimedOut, "late")
}

fn in_contexts(contexts: u8) -> anyhow::Error {
    (0..contexts).fold(anyhow::Error::new(late()), |error, i| error.context(format!("context {i}")))
}

#[cassette_test::tool]
fn asks(contexts: u8) -> anyhow::Result<u8> {
    effect("asks");
    Err(in_contexts(contexts))
}

#[cassette_test::tool]
async fn asks_later(contexts: u8) -> anyhow::Result<u8> {
    effect("asks later");
    Err(in_contexts(contexts))
}

#[cassette_test::tool]
fn boxed(contexts: u8) -> Result<u8, Boxed> {
    effect("boxed");
    Err(in_contexts(contexts).into())
}

#[cassette_test::tool]
fn boxed_alone() -> Result<u8, Box<dyn Error>> {
    effect("boxed alone");
    Err(Box::new(late()))
}

/// What the program tells apart is named, and this is none of it.
#[cassette_test::tool(errors(io::Error))]
fn named() -> anyhow::Result<u8> {
    effect("named");
    Err(anyhow::Error::new(Busy { source: Some(late()) }).context("asked"))
}

/// The program tells no errors apart.
#[cassette_test::tool(errors(io::Error))]
fn alike() -> anyhow::Result<u8> {
    effect("alike");
    Err(Busy { source: None }.into())
}

/// A model's JSON is cut short, or of another type.
fn parsed(text: &str) -> anyhow::Result<u8> {
    serde_json::from_str(text).map_err(|error| anyhow::Error::new(error).context("the model's answer"))
}

#[cassette_test::llm]
fn parses(text: &str) -> anyhow::Result<u8> {
    effect("parses");
    parsed(text)
}

#[cassette_test::llm(errors(serde_json::Error))]
fn parses_by_name(text: &str) -> anyhow::Result<u8> {
    effect("parses by name");
    parsed(text)
}

#[cassette_test::llm]
async fn parses_alone(text: &str) -> Result<u8, serde_json::Error> {
    effect("parses alone");
    serde_json::from_str(text)
}

#[cassette_test::recordable(kind = "tool", error = "from")]
trait Desk {
    fn ticket(&self) -> Result<u8, anyhow::Error>;
}

struct Station;

impl Desk for Station {
    fn ticket(&self) -> Result<u8, anyhow::Error> {
        effect("ticket");
        Err(in_contexts(1))
    }
}

/// Returns what a program finds out of an error, wherever it looks.
fn way(error: &anyhow::Error) -> String {
    let kind = |error: &(dyn Error + 'static)| error.downcast_ref::<io::Error>().map(io::Error::kind);
    let top = error.downcast_ref::<io::Error>().map(io::Error::kind);
    let chain: Vec<_> = error.chain().map(kind).collect();
    format!("{error:#}: {top:?} {chain:?} {:?}", kind(error.root_cause()))
}

fn way_of_boxed(error: &(dyn Error + 'static)) -> String {
    let kind = |error: &(dyn Error + 'static)| error.downcast_ref::<io::Error>().map(io::Error::kind);
    let chain: Vec<_> = std::iter::successors(Some(error), |error| (**error).source()).map(kind).collect();
    format!("{error}: {chain:?}")
}

fn way_of_parsing(error: &anyhow::Error) -> String {
    let found = error.downcast_ref::<serde_json::Error>().map(|error| (error.classify(), error.line(), error.column()));
    format!("{error:#}: {found:?}")
}

#[cassette("chains")]
#[tokio::test]
#[ignore]
async fn it_asks_what_they_are(cassette: Cassette) {
    let mut said = Vec::new();
    for contexts in 0..3 {
        said.push(way(&asks(contexts).unwrap_err()));
        said.push(way(&asks_later(contexts).await.unwrap_err()));
        said.push(way_of_boxed(&*boxed(contexts).unwrap_err()));
        let tried: anyhow::Result<u8> = cassette.try_call_blocking(Call::tool("tried", &contexts), || {
            effect("tried");
            Err(in_contexts(contexts))
        });
        said.push(way(&tried.unwrap_err()));
    }
    said.push(way_of_boxed(&*boxed_alone().unwrap_err()));
    said.push(way(&named().unwrap_err()));
    said.push(way(&alike().unwrap_err()));
    said.push(way(&cassette.wrap(|| Station).ticket().unwrap_err()));
    let tried: Result<u8, Boxed> = cassette
        .try_call(Call::tool("tried later", &1), async || {
            effect("tried later");
            Err(in_contexts(1).into())
        })
        .await;
    said.push(way_of_boxed(&*tried.unwrap_err()));
    for text in ["", "{}", "\"seven\"", "7 8"] {
        said.push(way_of_parsing(&parses(text).unwrap_err()));
        said.push(way_of_parsing(&parses_by_name(text).unwrap_err()));
        said.push(way_of_parsing(&parses_alone(text).await.unwrap_err().into()));
    }
    seen(said.join("\n"));
}

#[test]
fn a_program_that_asks_what_an_error_is_takes_the_same_way() {
    let (seen, effects) = Counting::new().comes_back("chains::it_asks_what_they_are");
    insta::assert_snapshot!("ways", seen);
    assert_eq!(effects.len(), 29, "{effects:?}");
}

#[cassette_test::tool]
fn of_its_own(how: String) -> anyhow::Result<u8> {
    match how.as_str() {
        "alone" => Err(Busy { source: None }.into()),
        "beneath" => Err(anyhow::Error::new(Busy { source: None }).context("asked the desk")),
        "above" => Err(Busy { source: Some(late()) }.into()),
        _ => Err(anyhow::Error::new(late()).context(Busy { source: None })),
    }
}

/// Whoever calls it tells no error from another.
#[cassette_test::tool(errors())]
fn that_nobody_tells_apart(text: &str) -> anyhow::Result<u8> {
    Ok(text.parse()?)
}

#[cassette("told-by-nobody")]
#[test]
#[ignore]
fn it_tells_none_apart() {
    seen(that_nobody_tells_apart("nine").unwrap_err().to_string());
}

#[test]
fn where_no_error_is_told_from_another_its_text_is_enough() {
    let (seen, effects) = Counting::new().comes_back("chains::it_tells_none_apart");
    assert_eq!((seen.as_str(), effects.len()), ("invalid digit found in string", 0));
}

#[cassette("untold-chains")]
#[test]
#[ignore]
fn it_loses_a_type(cassette: Cassette) {
    match word("STORY_ERROR").as_str() {
        "tried" => drop(cassette.try_call_blocking(Call::tool("tried", &1), || {
            Err::<u8, _>(anyhow::Error::new(Busy { source: None }).context("asked the desk"))
        })),
        how => drop(of_its_own(how.to_owned())),
    }
}

#[test]
fn an_error_whose_type_would_be_lost_fails_the_recording() {
    for error in ["alone", "beneath", "above", "context", "tried"] {
        let counting = Counting::new().with("STORY_ERROR", error);
        assert_told!(format!("type_{error}"), counting.fails("chains::it_loses_a_type", "record"));
    }
}

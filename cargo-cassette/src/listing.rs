//! What stands in each cassette of a directory: the rows that `list` and `status` lay out.

use cassette_core::files;
use std::collections::BTreeSet;
use std::{fs, io};

use cassette_core::account::{Prices, Tokens, account};
use cassette_core::clock;
use cassette_core::dialect;
use cassette_core::journal;
use cassette_core::json::Json;
use cassette_core::pending::Pending;
use cassette_core::store::is_alive;
use cassette_core::tape::{Origin, Tape};
use cassette_core::view::asked;

use crate::presentable::presentable_text;
use crate::shelf::{Shelf, Spot, Unreadable};

impl State {
    /// Returns it in words.
    #[must_use]
    pub fn told(self) -> &'static str {
        match self {
            State::Alive => "a recording is under way",
            State::Died => "a recording broke off: its program has ended",
            State::Empty => "a recording broke off, and nothing of it was written",
            State::Open => "a recording is under way, or its program has ended",
            State::CutShort => "a recording was cut short",
        }
    }
}

/// A cassette, or a file that should be one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its file.
    pub spot: Spot,
    /// The file's size, in bytes.
    pub size: u64,
    /// What stands in it, or why that cannot be told.
    pub facts: Result<Facts, Unreadable>,
}

/// What stands in a cassette.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Facts {
    /// The test that owns it.
    pub owner: Option<String>,
    /// Where it was forked, if it was.
    pub origin: Option<Origin>,
    /// The day of the recording.
    pub recorded: Option<String>,
    /// How long ago that was.
    pub age: Age,
    /// How many calls are recorded.
    pub calls: usize,
    /// The models that were asked, sorted.
    pub models: Vec<String>,
    /// The services that were asked, sorted.
    pub providers: Vec<String>,
    /// The tokens that the replies count.
    pub usage: Tokens,
    /// How many answers of models do not count theirs, or not all of them.
    pub uncounted: usize,
    /// Why it was not taken over, where it was not.
    pub pending: Option<String>,
}

/// How long ago a recording was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Age {
    /// Its head does not say when.
    #[default]
    Undated,
    /// What its head says is no date.
    NoDate,
    /// The day is still to come.
    ToCome,
    /// So many days.
    Days(u64),
}

impl Age {
    /// Returns how long before this day a recording was made of which the head says this.
    #[must_use]
    pub fn of(recorded: Option<&str>, today: &str) -> Age {
        let Some(recorded) = recorded else { return Age::Undated };
        match clock::days_between(recorded, today) {
            Some(days) => Age::Days(days),
            None if clock::days_between("1970-01-01", recorded).is_none() => Age::NoDate,
            // Today may be a day of the past that somebody has fixed for all programs.
            None if clock::days_between(recorded, &clock::today()).is_some() => Age::Days(0),
            None => Age::ToCome,
        }
    }

    /// Returns the number of days, where it is known.
    #[must_use]
    pub fn days(self) -> Option<u64> {
        match self {
            Age::Days(days) => Some(days),
            _ => None,
        }
    }
}

/// A recording that is under way, or was cut short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Its journal.
    pub spot: Spot,
    /// What is known of the program that writes it.
    pub state: State,
    /// How many calls are in it, or what is damaged.
    pub calls: Result<usize, String>,
}

/// What is known of the program that writes a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// It records still.
    Alive,
    /// It has ended, or it could write no more: it died, or the disk is full.
    Died,
    /// The same, before anything was written.
    Empty,
    /// It records still, or has ended: the file system has no locks that would tell.
    Open,
    /// It has ended, and a later recording has put the journal aside.
    CutShort,
}

/// Returns a row for each cassette of a directory, by name; a bad file is a row like any other, and so is a directory that cannot
/// be read.
///
/// # Errors
///
/// Fails where the directory is not there.
pub fn rows(shelf: &Shelf, today: &str) -> io::Result<Vec<Row>> {
    let hidden = |spot: Spot| Row { facts: Err(Unreadable::Hidden), ..row(spot, today) };
    let mut rows: Vec<Row> = shelf.cassettes()?.into_iter().map(|spot| row(spot, today)).collect();
    rows.extend(shelf.hidden()?.into_iter().map(hidden));
    Ok(rows)
}

/// Returns a row for each recording that was not taken over.
///
/// # Errors
///
/// Fails where the directory cannot be read.
pub fn pending(shelf: &Shelf, today: &str) -> io::Result<Vec<Row>> {
    Ok(shelf.pending()?.into_iter().map(|spot| row(spot, today)).collect())
}

/// Returns the recordings that are under way, or were cut short.
///
/// # Errors
///
/// Fails where the directory cannot be read.
pub fn unfinished(shelf: &Shelf) -> io::Result<Vec<Unfinished>> {
    Ok(shelf.journals()?.into_iter().map(journalled).collect())
}

fn row(spot: Spot, today: &str) -> Row {
    let size = fs::metadata(&spot.path).map_or(0, |metadata| if metadata.is_dir() { 0 } else { metadata.len() });
    let facts = spot.open().map(|tape| facts(&tape, today));
    Row { spot, size, facts }
}

/// Returns what stands in a cassette, seen on this day.
pub fn facts(tape: &Tape, today: &str) -> Facts {
    let head = &tape.head;
    let mut models = BTreeSet::new();
    let mut providers = BTreeSet::new();
    for interaction in &tape.interactions {
        let call = interaction.asked().known();
        if let Some(asked) = asked(&call) {
            models.extend(asked.model);
        }
        let provider = dialect::provider(&call);
        providers.extend((provider != "unknown").then(|| provider.to_owned()));
    }
    let told = |pending: Pending| {
        let lines = [pending.reason.words().to_owned()].into_iter().chain(pending.found);
        presentable_text(&lines.collect::<Vec<_>>().join("\n"))
    };
    let spent = account(tape, &Prices::default()).spent();
    let shown = |text: &Option<String>| text.as_deref().map(presentable_text);
    let forked = |origin: &Origin| Origin { cassette: presentable_text(&origin.cassette), at: origin.at };
    Facts {
        owner: shown(&head.test),
        origin: head.origin.as_ref().map(forked),
        recorded: shown(&head.recorded),
        age: Age::of(head.recorded.as_deref(), today),
        calls: tape.interactions.len(),
        models: models.into_iter().collect(),
        providers: providers.into_iter().collect(),
        usage: spent.tokens,
        uncounted: spent.uncounted,
        pending: Pending::of(head).map(told),
    }
}

fn journalled(spot: Spot) -> Unfinished {
    let state = match is_alive(&spot.path) {
        _ if spot.name.contains(".cut-short") => State::CutShort,
        Some(true) => State::Alive,
        Some(false) if fs::metadata(&spot.path).is_ok_and(|metadata| metadata.len() == 0) => State::Empty,
        Some(false) => State::Died,
        None => State::Open,
    };
    let text = files::read(&spot.path).map_err(|error| error.to_string());
    let calls = text.and_then(|bytes| {
        if bytes.is_empty() {
            return Ok(0);
        }
        let read = journal::recover(&String::from_utf8_lossy(&bytes));
        read.map(|(calls, _)| calls.len()).map_err(|(line, what)| format!("line {line}: {what}"))
    });
    Unfinished { spot, state, calls }
}

/// Returns where a cassette was forked, as an object.
pub fn origin_json(origin: &Origin) -> Json {
    Json::object([("cassette", origin.cassette.as_str().into()), ("at", (origin.at as u64).into())])
}

/// Returns the tokens of each kind that is counted, as an object.
pub fn usage_json(usage: &Tokens) -> Json {
    let kinds = kinds(usage);
    Json::Object(kinds.into_iter().filter_map(|(name, count)| Some((name.into(), count?.into()))).collect())
}

/// Returns each kind of tokens by name, with its count.
fn kinds(usage: &Tokens) -> [(&'static str, Option<u128>); 5] {
    [
        ("input", usage.input),
        ("output", usage.output),
        ("cached", usage.cached),
        ("cache_written", usage.cache_written),
        ("reasoning", usage.reasoning),
    ]
}

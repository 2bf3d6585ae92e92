//! What the sessions of a run write down of it, in whichever process they are: a line each, in one file.
//!
//! `CASSETTE_LEDGER` names the file. A line is written at once and at the end of the file, so that processes need not know of
//! each other; whoever started them reads it when they have ended.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Duration;

use crate::account::Money;
use crate::json::{Json, Layout, Text};
use crate::redact::Tally;

/// The variable that names the file.
pub const VARIABLE: &str = "CASSETTE_LEDGER";

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Entry {
    /// A session begins. One that never ends was cut off with its process.
    Began(Began),
    /// A live call was answered, or got no reply.
    Spent(Spending),
    /// A session has ended.
    Ended(Box<Ended>),
}

/// Which session begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Began {
    /// The cassette's name, or its pattern.
    pub cassette: String,
    /// The test, `crate::module::function`.
    pub test: String,
    /// The directory of the cassette; empty where it is not known.
    pub directory: String,
}

/// What a live call took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spending {
    /// What is known to be spent.
    pub cost: Money,
    /// By how many answers there are more, or fewer, of which it is not known what they cost.
    pub unknown: i64,
    /// How many calls were sent and got no reply, so that it is not known whether they cost anything.
    pub unanswered: usize,
    /// How many calls of models functions of the user's made of which it is not known: no budget is held against them.
    pub own: usize,
    /// The model of such an answer, or of such a call.
    pub model: String,
}

/// What became of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// The cassette's name.
    pub cassette: String,
    /// The directory of the cassette.
    pub directory: String,
    /// The test, `crate::module::function`.
    pub test: String,
    /// The mode.
    pub mode: String,
    /// Whether the test failed.
    pub failed: bool,
    /// How many calls went live.
    pub live: usize,
    /// How many calls were recorded and taken over.
    pub recorded: usize,
    /// How many calls were served.
    pub replayed: usize,
    /// How many recordings were dropped.
    pub dropped: usize,
    /// Where a recording lies that was not taken over.
    pub pending: Option<String>,
    /// What the live calls cost, as far as it is known.
    pub cost: Money,
    /// How many live answers there are of which it is not known.
    pub unpriced: usize,
    /// What the served calls cost when they were live, as far as it is known.
    pub saved: Money,
    /// How many of their answers there are of which it is not known.
    pub saved_unpriced: usize,
    /// How long they took, as far as it is known.
    pub saved_time: Duration,
    /// How many of them there are of which it is not known.
    pub saved_untimed: usize,
    /// What is hidden in the bodies of what was recorded.
    pub hidden: Tally,
    /// Which tools and memories did not run before others ran live, and what to do about it.
    pub unrun: Option<String>,
}

/// Writes a line. Where its directory is gone, the run has ended, and nobody is left to read it.
///
/// # Errors
///
/// Fails where the file cannot be written.
pub fn append(file: &Path, entry: &Entry) -> io::Result<()> {
    let line = format!("{}\n", json(entry).print(Layout::Compact));
    // One write at the end of the file: lines of several processes never mix.
    match OpenOptions::new().create(true).append(true).open(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && !is_there(file.parent()) => Ok(()),
        opened => opened?.write_all(line.as_bytes()),
    }
}

/// Reads what was written so far; a file that is not there yet holds nothing.
///
/// # Errors
///
/// Fails where the file cannot be read, and for a line that is none. Where its directory is gone, so is what was written: that is
/// never taken for nothing.
pub fn read(file: &Path) -> io::Result<Vec<Entry>> {
    let text = match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_there(file.parent()) => return Ok(Vec::new()),
        text => text?,
    };
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, "a line of it cannot be read");
    text.lines().map(|line| Json::parse(line).ok().and_then(|line| entry(&line)).ok_or_else(damaged)).collect()
}

fn is_there(dir: Option<&Path>) -> bool {
    dir.is_some_and(|dir| dir == Path::new("") || dir.is_dir())
}

fn json(entry: &Entry) -> Json {
    let number = |number: usize| Json::from(number as u64);
    match entry {
        Entry::Began(Began { cassette, test, directory }) => Json::object([
            ("began", cassette.as_str().into()),
            ("test", test.as_str().into()),
            ("directory", directory.as_str().into()),
        ]),
        Entry::Spent(Spending { cost, unknown, unanswered, own, model }) => Json::object([
            ("spent", cost.units().into()),
            ("unknown", unknown.to_string().as_str().into()),
            ("unanswered", number(*unanswered)),
            ("own", number(*own)),
            ("model", model.as_str().into()),
        ]),
        Entry::Ended(ended) => Json::object([
            ("ended", ended.cassette.as_str().into()),
            ("directory", ended.directory.as_str().into()),
            ("test", ended.test.as_str().into()),
            ("mode", ended.mode.as_str().into()),
            ("failed", ended.failed.into()),
            ("live", number(ended.live)),
            ("recorded", number(ended.recorded)),
            ("replayed", number(ended.replayed)),
            ("dropped", number(ended.dropped)),
            ("pending", ended.pending.as_deref().map_or(Json::Null, Json::from)),
            ("cost", ended.cost.units().into()),
            ("unpriced", number(ended.unpriced)),
            ("saved", ended.saved.units().into()),
            ("saved_unpriced", number(ended.saved_unpriced)),
            ("saved_ms", u64::try_from(ended.saved_time.as_millis()).unwrap_or(u64::MAX).into()),
            ("saved_untimed", number(ended.saved_untimed)),
            ("unrun", ended.unrun.as_deref().map_or(Json::Null, Json::from)),
            ("hidden", Json::object(ended.hidden.rules().map(|(rule, values)| (rule, number(values))))),
        ]),
    }
}

fn entry(line: &Json) -> Option<Entry> {
    let text = |name: &str| Some(line.get(name)?.as_str()?.into_owned());
    let units = |name: &str| line.get(name)?.as_u64();
    let money = |name: &str| match line.get(name)? {
        Json::Number(number) => number.as_u128().map(Money::from_units),
        _ => None,
    };
    let number = |name: &str| usize::try_from(units(name)?).ok();
    if let Some(cassette) = text("began") {
        // The tests may be of a version that does not write the directory down.
        let directory = text("directory").unwrap_or_default();
        return Some(Entry::Began(Began { cassette, test: text("test")?, directory }));
    }
    if line.get("ended").is_none() {
        let unknown = text("unknown")?.parse().ok()?;
        // The tests may be of a version that does not write these down.
        let [unanswered, own] = ["unanswered", "own"].map(|name| number(name).unwrap_or_default());
        return Some(Entry::Spent(Spending { cost: money("spent")?, unknown, unanswered, own, model: text("model")? }));
    }
    Some(Entry::Ended(Box::new(Ended {
        cassette: text("ended")?,
        directory: text("directory")?,
        test: text("test")?,
        mode: text("mode")?,
        failed: line.get("failed")?.as_bool()?,
        live: number("live")?,
        recorded: number("recorded")?,
        replayed: number("replayed")?,
        dropped: number("dropped")?,
        pending: text("pending"),
        cost: money("cost")?,
        unpriced: number("unpriced")?,
        saved: money("saved")?,
        // The tests may be of a version that does not write these down.
        saved_unpriced: number("saved_unpriced").unwrap_or_default(),
        saved_time: Duration::from_millis(units("saved_ms")?),
        saved_untimed: number("saved_untimed").unwrap_or_default(),
        unrun: text("unrun"),
        hidden: line.get("hidden").map(tally).unwrap_or_default(),
    })))
}

fn tally(hidden: &Json) -> Tally {
    let Json::Object(rules) = hidden else { return Tally::default() };
    let rule =
        |(rule, values): &(Text, Json)| Some((rule.value().into_owned(), usize::try_from(values.as_u64()?).ok()?));
    rules.iter().filter_map(rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_whoever_writes() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("ledger");
        assert_eq!(read(&file).unwrap(), []);
        let ended = Ended {
            cassette: "trains".into(),
            mode: "record".into(),
            pending: Some("cassettes/.pending/trains.json".into()),
            cost: Money::from_units(7),
            saved_unpriced: 2,
            saved_time: Duration::from_millis(20),
            saved_untimed: 1,
            hidden: Tally::of(["REDACTED.a.1 REDACTED.a.2 REDACTED.b-c.1"]),
            ..Ended::default()
        };
        let spent = |unknown| {
            Entry::Spent(Spending { cost: Money::from_units(3), unknown, unanswered: 1, own: 2, model: "m".into() })
        };
        let began = Began { cassette: "trains".into(), test: "suite::trains".into(), directory: "tapes".into() };
        let entries = [Entry::Began(began), Entry::Ended(Box::new(ended)), spent(0), spent(1), spent(-1)];
        std::thread::scope(|scope| {
            for entry in &entries {
                scope.spawn(|| (0..50).for_each(|_| append(&file, entry).unwrap()));
            }
        });
        let read_back = read(&file).unwrap();
        for entry in &entries {
            assert_eq!(read_back.iter().filter(|known| *known == entry).count(), 50);
        }
        OpenOptions::new().append(true).open(&file).unwrap().write_all(b"{\"spent\": 1").unwrap();
        assert_eq!(read(&file).unwrap_err().to_string(), "a line of it cannot be read");
        drop(dir);
        assert_eq!(
            read(&file).unwrap_err().kind(),
            io::ErrorKind::NotFound,
            "what was written is gone, and not nothing"
        );
        append(&file, &entries[0]).unwrap();
        assert!(!file.exists(), "a run that is gone keeps no book");
    }
}

//! `cargo cassette diff`: what changed between two cassettes, or since a revision.

mod html;
mod json;
mod markdown;
mod reel;
mod shown;
mod sides;
mod spending;
mod text;

pub(super) use shown::{changes, summary};
pub(super) use text::{call, exchange, heading, one as lines};

use cassette_core::files;
use std::collections::BTreeSet;
use std::{fmt, io};

use cargo_cassette::comparison::{Comparison, Fate, compare, renamed, unreadable};
use cargo_cassette::earlier::earlier;
use cargo_cassette::git::Revision;
use cargo_cassette::pricing::{self, PriceList};
use cargo_cassette::shelf::{self, Shelf, Spot, Unreadable};
use cargo_cassette::workspace::{places, real};
use clap::{Args, ValueEnum};

use super::Found;
use super::around::Surroundings;
use super::browse::{self, Seat, browse};
use super::failure::Failure;
use super::form::{self, Form};
use super::in_plain;
use super::named::{as_name, named};
use crate::output::{Advice, Output, quoted, typed};

/// Compare two cassettes, or the cassettes with those of a revision
///
/// Calls are aligned by what they ask: an added one shifts none of the others. Ids, dates and how a stream was cut change
/// with every recording, and are counted, not shown. What was changed by hand is marked, and differs. The exit code is 1 where
/// something differs.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette diff trains trains-new\n  cargo cassette diff --base main -i trains\n  cargo cassette diff --base main\n  cargo cassette diff --base origin/main --format markdown trains > comment.md\n  cargo cassette diff --base main --format html > changes.html"
)]
pub(crate) struct Diff {
    /// Two cassettes, by name or path; with --base the names of those to compare, all where none is given
    #[arg(value_name = "CASSETTE")]
    cassettes: Vec<String>,
    /// Compare with this revision of the git repository
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// How it is written.
    #[command(flatten)]
    form: Form<Format>,
    /// Look through it call by call: of one cassette, on the whole terminal; a pending recording is accepted or rejected there
    #[arg(short, long, conflicts_with_all = ["format", "json"])]
    interactive: bool,
}

/// How differences are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For a person at a terminal
    Text,
    /// For another program
    Json,
    /// For a comment on a pull request, under 65,000 bytes
    Markdown,
    /// One page that stands alone, side by side: no network, no script
    Html,
}

impl form::Format for Format {
    const JSON: Format = Format::Json;
}

/// Why nothing was compared.
#[derive(Debug)]
pub(crate) enum DiffError {
    /// Two cassettes are needed, and these were given.
    NotTwo(Vec<String>),
    /// A file cannot be read.
    Read(Spot, io::Error),
    /// A name is in neither state.
    Nowhere(String, String),
    /// So many cassettes cannot be looked through at once: what to type for the first.
    NotOne(usize, String),
}

impl fmt::Display for DiffError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DiffError::NotTwo(given) => {
                let typed: String = given.iter().map(|name| format!(" {}", typed(name))).collect();
                let verb = if given.len() == 1 { "is" } else { "are" };
                let help = format!("compare with a revision: cargo cassette diff --base HEAD{typed}");
                write!(f, "two cassettes are compared, and {} {verb} given\nhelp: {help}", given.len())
            }
            DiffError::Read(spot, error) => {
                write!(
                    f,
                    "could not read {}: {error}\nhelp: {}",
                    spot.place(),
                    shelf::readable(&spot.shown, &spot.path)
                )
            }
            DiffError::NotOne(count, first) => {
                write!(f, "one cassette is looked through at a time, and {count} differ\nhelp: {first}")
            }
            DiffError::Nowhere(name, base) => {
                write!(f, "there is no cassette `{name}`, neither now nor in {base}\nhelp: cargo cassette list")
            }
        }
    }
}

impl From<DiffError> for Failure {
    fn from(error: DiffError) -> Failure {
        Failure::Diff(error)
    }
}

/// What was compared.
struct Compared {
    /// What the second state is compared with, as it is shown.
    base: String,
    /// What to type to see it all.
    command: String,
    /// Every cassette that may differ.
    all: Vec<Comparison>,
    /// Where two files were named: how they are typed.
    files: Option<[String; 2]>,
    /// How what is advised has to be typed here.
    advice: Advice,
    /// What tokens cost.
    prices: PriceList,
    /// What could not be looked at, a line each.
    unseen: Vec<String>,
}

impl Compared {
    /// Returns what to type to see everything whole that differs.
    fn page(&self) -> String {
        self.advice.here(&format!("{} --format html > changes.html", self.command))
    }

    /// Returns the lines that tell of secrets which are hidden here and stand in the file.
    fn in_plain(&self, comparison: &Comparison) -> Vec<String> {
        let told = in_plain::compared(comparison, self.files.as_ref());
        told.iter().map(|told| self.advice.here(told)).collect()
    }
}

pub(crate) fn run(diff: &Diff, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let compared = match &diff.base {
        Some(base) => since(base, &diff.cassettes, around)?,
        None => two(&diff.cassettes, around)?,
    };
    let found = Found::something_if(!compared.all.iter().all(Comparison::is_same) || !compared.unseen.is_empty());
    let seat = if diff.interactive { browse::seat() } else { Seat::Nobody };
    if seat != Seat::Nobody && !compared.all.iter().all(Comparison::is_same) {
        let (reel, offered) = reel::reel(compared, diff, around)?;
        let first = (0..reel.len()).find(|step| reel.differs(*step)).unwrap_or_default();
        browse(&reel, &offered, (first, seat), output)?;
        return Ok(found);
    }
    match diff.form.chosen() {
        Format::Text => text::print(&compared, output)?,
        Format::Json => output.json(&json::document(&compared))?,
        Format::Markdown => output.bytes(markdown::comment(&compared).as_bytes())?,
        Format::Html => output.bytes(html::document(&compared).as_bytes())?,
    }
    Ok(found)
}

fn two(words: &[String], around: &Surroundings) -> Result<Compared, Failure> {
    let [a, b] = words else { return Err(DiffError::NotTwo(words.to_vec()).into()) };
    let read = |word: &String| -> Result<(Spot, Vec<u8>), Failure> {
        let spot = named(word, around)?;
        let bytes = files::read(&spot.path).map_err(|error| DiffError::Read(spot.clone(), error))?;
        Ok((spot, bytes))
    };
    let ((a, before), (b, after)) = (read(a)?, read(b)?);
    let files = [Some(&a), Some(&b)];
    let comparison = compare(&format!("{} and {}", a.name, b.name), Some(&before), Some(&after), files);
    let command = format!("cargo cassette diff {} {}", typed(&a.shown), typed(&b.shown));
    let (files, advice) = (Some([a.typed(), b.typed()]), around.advice.clone());
    let all = comparison.into_iter().collect();
    Ok(Compared { base: a.label(), command, all, files, advice, prices: prices(), unseen: Vec::new() })
}

fn since(base: &str, names: &[String], around: &Surroundings) -> Result<Compared, Failure> {
    let (shelves, unseen) = then_and_now(base, around)?;
    around.tell_unloaded();
    let mut missed: Vec<&String> = names.iter().collect();
    let files: Vec<_> = names.iter().map(|name| format!("{}.json", as_name(name))).collect();
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let revisions = shelves.iter().map(|shelf| Ok((shelf, Revision::left(&shelf.dir, base)?)));
    let revisions: Vec<_> = revisions.collect::<Result<_, Failure>>()?;
    for (shelf, revision) in &revisions {
        for (name, file) in names.iter().zip(&files) {
            let one = one(shelf, revision, file, shelves.len() > 1)?;
            missed.retain(|missed| *missed != name || one.is_none());
            found.extend(one.filter(|_| seen.insert(shelf.dir.join(file))));
        }
    }
    let named: Vec<_> = found.iter().map(|one| one.name.clone()).collect();
    // One that was renamed goes with one that nobody has named.
    let is_alone = found.iter().any(|one| matches!(one.fate, Fate::Added(_) | Fate::Removed(_)));
    for (shelf, revision) in revisions.iter().filter(|_| names.is_empty() || is_alone) {
        for file in revision.changed(&shelf.dir)?.iter().filter(|file| !files.contains(file)) {
            if !seen.insert(shelf.dir.join(file)) {
                continue;
            }
            if file.starts_with("$'") && !shelf.dir.join(file).exists() {
                found.push(Comparison::nameless(file));
                continue;
            }
            found.extend(one(shelf, revision, file, shelves.len() > 1)?);
        }
    }
    let is_meant = |one: &Comparison| {
        names.is_empty() || named.contains(&one.name) || one.was.as_ref().is_some_and(|was| named.contains(was))
    };
    let all = renamed(found).into_iter().filter(is_meant).collect();
    let names: String = names.iter().map(|name| format!(" {}", typed(name))).collect();
    let command = format!("cargo cassette diff --base {}{names}", quoted(base));
    match missed.first() {
        Some(name) => Err(DiffError::Nowhere((*name).clone(), base.to_owned()).into()),
        None => {
            let (base, advice) = (base.to_owned(), around.advice.clone());
            Ok(Compared { base, command, all, files: None, advice, prices: prices(), unseen })
        }
    }
}

/// Returns the directories in which cassettes are kept, those of the base after those of now, and what of the base could not be looked at.
fn then_and_now(base: &str, around: &Surroundings) -> Result<(Vec<Shelf>, Vec<String>), Failure> {
    let mut shelves = places(&around.standpoint)?;
    for shelf in around.shelves_anyway().unwrap_or_default() {
        if !shelves.iter().any(|known| known.dir == shelf.dir) {
            shelves.push(shelf);
        }
    }
    let revision = Revision::left(shelves.first().map_or(&around.standpoint.here, |shelf| &shelf.dir), base)?;
    let then = earlier(&around.standpoint, &revision, &std::env::temp_dir())?;
    for shelf in then.shelves {
        let is_known = shelves.iter().any(|known| real(&known.dir) == real(&shelf.dir));
        // Where nothing lay, there is nothing to compare.
        if !is_known && !revision.changed(&shelf.dir)?.is_empty() {
            shelves.push(shelf);
        }
    }
    Ok((shelves, then.unseen))
}

/// Returns the table that comes along; a damaged one, which a test rules out, prices nothing.
pub(super) fn prices() -> PriceList {
    pricing::own().unwrap_or_default()
}

/// Compares a file of a directory with what it was; of several directories, the name tells which.
fn one(shelf: &Shelf, revision: &Revision, file: &str, several: bool) -> Result<Option<Comparison>, Failure> {
    let name = file.strip_suffix(".json").unwrap_or(file);
    let spot = shelf.spot(name);
    let before = revision.read(&shelf.dir, file)?;
    let shown = if several { spot.shown.clone() } else { name.to_owned() };
    let after = match files::read(&shelf.dir.join(file)) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !spot.path.is_symlink() => None,
        Err(error) => return Ok(Some(unreadable(&shown, before.as_deref(), Unreadable::Io(error.to_string())))),
    };
    let sides = [before.as_deref(), after.as_deref()];
    // What never was a cassette is nothing that is compared here.
    if sides.iter().flatten().all(|bytes| shelf::is_other(bytes)) {
        return Ok(None);
    }
    Ok(compare(&shown, before.as_deref(), after.as_deref(), [Some(&spot); 2]))
}

/// Returns in one word what became of a cassette.
fn word(comparison: &Comparison) -> &'static str {
    match &comparison.fate {
        _ if comparison.was.is_some() => "renamed",
        Fate::Added(_) => "added",
        Fate::Removed(_) => "removed",
        Fate::Kept(kept) if kept.2.is_same() => "same",
        Fate::Kept(_) => "changed",
        Fate::Unreadable(..) => "unreadable",
    }
}

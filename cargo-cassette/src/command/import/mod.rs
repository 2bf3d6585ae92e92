//! `cargo cassette import`: the recordings of other tools, as cassettes.

mod files;
mod json;
mod name;
mod one;
mod text;

use std::path::PathBuf;
use std::{fmt, io};

use cargo_cassette::shelf::Shelf;
use cargo_cassette::workspace::{NoShelf, package_of, places};
use cassette_core::name::{Name, NameError};
use cassette_core::settings::{self, Settings};
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::named::as_name;
use crate::output::{Output, Progress, typed};
use one::Intake;

/// Turn the recordings of other tools into cassettes
///
/// vcrpy, VCR of Ruby, betamax, go-vcr, httprr, HAR and more than a dozen others, told by what a file says, gzipped or not. What comes
/// in is exact, or is refused with its line and the reason. It goes the way of any recording: what is secret is hidden, and what
/// would not replay, or has something in it that the audit finds, is not written. A cassette that is there stays as it is without
/// --force. What is imported is nobody's: the first test that records with it adopts it.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette import fixtures/trains.yaml\n  cargo cassette import session.har --name trains/browser\n  cargo cassette import spec/cassettes --into vcr --dry-run\n\nExit codes: 0 everything was imported, 1 something was refused, 2 it could not be done as asked."
)]
pub(crate) struct Import {
    /// The recordings; a directory means every file in it and below
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The cassette's name [default: the file's]
    #[arg(long, value_name = "NAME", conflicts_with = "into")]
    name: Option<String>,
    /// Where among the cassettes they go: with `--into vcr`, trains.yaml becomes vcr/trains
    #[arg(long, value_name = "DIR")]
    into: Option<String>,
    /// Replace cassettes that are there
    #[arg(long)]
    force: bool,
    /// Show what would be imported, and write nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Why nothing is imported.
#[derive(Debug)]
pub(crate) enum ImportError {
    /// There is no such file.
    NoFile(String),
    /// There is no file in a directory.
    Empty(String),
    /// A directory cannot be read.
    Directory(String, io::Error),
    /// It is no cassette's name: the option, and what it says.
    Name(&'static str, String, NameError),
    /// One name is given to several files.
    OneName(String, usize),
    /// Several directories of cassettes may be meant.
    Several(Vec<String>),
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImportError::NoFile(file) => {
                write!(f, "there is no file {file}\nhelp: name one that is there, or a directory of recordings")
            }
            ImportError::Empty(dir) => write!(f, "there is no file in {dir}\nhelp: name the recordings"),
            ImportError::Directory(dir, error) => {
                write!(f, "{dir} cannot be read: {error}\nhelp: name the recordings in it")
            }
            ImportError::Name(option, name, error) => {
                write!(f, "`{name}` is no cassette's name: {error}\nhelp: choose another: {option} <NAME>")
            }
            ImportError::OneName(name, files) => {
                write!(f, "{files} files cannot all become `{name}`\nhelp: put them below it: --into {}", typed(name))
            }
            ImportError::Several(places) => {
                let first = places.first().map_or_else(String::new, |place| typed(place));
                write!(f, "they may go into each of {}\nhelp: name the directory: --dir {first}", places.join(", "))
            }
        }
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Failure {
        Failure::Import(error)
    }
}

pub(crate) fn run(import: &Import, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let sources = files::of(&import.files, &around.standpoint.here)?;
    let name = import.name.as_ref().map(|name| named("--name", name, "")).transpose()?;
    let into = import.into.as_ref().map(|into| named("--into", into, "/x")).transpose()?;
    if let (Some(name), 2..) = (&name, sources.len()) {
        return Err(ImportError::OneName(name.clone(), sources.len()).into());
    }
    let shelf = shelf(around)?;
    let settings = settings(&shelf)?;
    let mut intake = Intake::new(shelf, settings, (import.force, import.dry_run));
    let progress = Progress::of(sources.len());
    let (mut ended, mut told) = (Vec::new(), Ok(()));
    for (source, odd) in sources {
        progress.at(ended.len() + 1, &source.shown);
        let name = match &name {
            Some(name) => Name::parse(name),
            None => name::of(&source.below, into.as_deref()),
        };
        let outcome = match odd {
            Some(odd) => Err(one::odd(odd.told(&source.shown))),
            None => intake.take(&source, name),
        };
        progress.clear();
        // Whoever reads no further has still asked for all of them.
        if !import.json && told.is_ok() {
            told = text::one(&source, &outcome, import.dry_run, output);
        }
        ended.push((source, outcome));
    }
    told?;
    match import.json {
        true => output.json(&json::document(&ended, import.dry_run))?,
        false => text::summary(&ended, import.dry_run, output)?,
    }
    Ok(Found::something_if(ended.iter().any(|(_, outcome)| outcome.is_err())))
}

/// Returns what an option says, if that and what follows is a cassette's name.
fn named(option: &'static str, text: &str, follows: &str) -> Result<String, ImportError> {
    let name = as_name(text.trim_end_matches('/'));
    match Name::parse(&format!("{name}{follows}")) {
        Ok(_) => Ok(name.to_owned()),
        Err(error) => Err(ImportError::Name(option, name.to_owned(), error)),
    }
}

/// Returns the directory of cassettes into which they go: the one that is meant; of several, the one that is there.
fn shelf(around: &Surroundings) -> Result<Shelf, Failure> {
    let mistakes = around.said().mistakes;
    if !mistakes.is_empty() {
        return Err(NoShelf::Settings(mistakes).into());
    }
    let places = places(&around.standpoint)?;
    let there: Vec<_> = places.iter().filter(|shelf| shelf.dir.is_dir()).cloned().collect();
    match (places.as_slice(), there.as_slice()) {
        ([one], _) | (_, [one]) => Ok(one.clone()),
        _ => Err(ImportError::Several(places.into_iter().map(|shelf| shelf.shown).collect()).into()),
    }
}

/// Returns what `cassette.toml` says in the package around the directory, whoever named that.
fn settings(shelf: &Shelf) -> Result<Settings, Failure> {
    match package_of(&shelf.dir) {
        Some(package) => settings::load(&package).map_err(|mistakes| NoShelf::Settings(mistakes).into()),
        None => Ok(Settings::default()),
    }
}

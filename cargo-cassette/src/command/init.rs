//! `cargo cassette init`: a directory for cassettes, and what git should know about it.

use std::io;
use std::path::Path;
use std::{fmt, fs};

use cargo_cassette::shelf::Shelf;
use cargo_cassette::workspace::places;
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use crate::output::{Ink, Line, Output, printed, typed};

/// Prepare a directory for cassettes, and tell git how to show changes in them
///
/// Files that are there keep what is in them; what is missing is added at their end.
#[derive(Debug, Args)]
#[command(after_help = "Example: cargo cassette init\n\nExit codes: 0 done, 2 it could not be done as asked.")]
pub(crate) struct Init {}

/// What git should know, by file: lines, each there at most once.
const FILES: [(&str, &[&str]); 2] =
    [(".gitattributes", &["*.json diff=cassette", "blobs/** -text"]), (".gitignore", &[".pending/"])];

/// The commands that make `git diff` show transcripts: git takes no program from a file in a repository.
const COMMAND: &str = "git config diff.cassette.textconv \"cargo-cassette textconv\"";

/// Why a directory is not prepared.
#[derive(Debug)]
pub(crate) enum InitError {
    /// A file could not be written.
    Io(String, io::Error),
    /// A file is a link, which git does not follow there.
    Link(String),
}

impl fmt::Display for InitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InitError::Io(file, error) => write!(
                f,
                "could not write {}: {error}\nhelp: check that the directory may be written, or name another: --dir <DIR>",
                printed(file)
            ),
            InitError::Link(file) => write!(
                f,
                "{} is a link, which git does not follow, and what it leads to is not written\nhelp: remove it, and prepare \
                 the directory again: rm {} && cargo cassette init",
                printed(file),
                typed(file)
            ),
        }
    }
}

impl From<InitError> for Failure {
    fn from(error: InitError) -> Failure {
        Failure::Init(error)
    }
}

/// What became of a file.
enum Done {
    Created,
    Added,
    Kept,
}

pub(crate) fn run(_: &Init, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let mut shelves = places(&around.standpoint)?;
    // At the root of a workspace, only those who have cassettes, or the package itself: no member is forced to.
    let there: Vec<_> = shelves.iter().filter(|shelf| shelf.dir.is_dir()).cloned().collect();
    if there.is_empty() {
        shelves.truncate(1)
    } else {
        shelves = there
    }
    for shelf in &shelves {
        prepare(shelf, output)?;
    }
    output.gap()?;
    output.line(&Line::of("Each clone has to be told once, so that `git diff` shows transcripts:"))?;
    output.line(&Line::of("  ").ink(Ink::Strong, COMMAND))?;
    Ok(Found::Nothing)
}

fn prepare(shelf: &Shelf, output: &mut Output) -> Result<(), Failure> {
    let is_new = !shelf.dir.is_dir();
    fs::create_dir_all(&shelf.dir).map_err(|error| InitError::Io(shelf.shown.clone(), error))?;
    tell(output, if is_new { &Done::Created } else { &Done::Kept }, &shelf.shown)?;
    for (name, lines) in FILES {
        let shown = format!("{}/{name}", shelf.shown);
        let path = shelf.dir.join(name);
        if path.is_symlink() {
            return Err(InitError::Link(shown).into());
        }
        let done = complete(&path, lines).map_err(|error| InitError::Io(shown.clone(), error))?;
        tell(output, &done, &shown)?;
    }
    Ok(())
}

fn tell(output: &mut Output, done: &Done, shown: &str) -> io::Result<()> {
    let (ink, word) = match done {
        Done::Created => (Ink::Good, "created"),
        Done::Added => (Ink::Good, "added to"),
        Done::Kept => (Ink::Faint, "as it was"),
    };
    output.line(&Line::new().ink(ink, word).padded(11).plain(shown))
}

/// Adds those of the lines that a file lacks.
#[expect(clippy::disallowed_methods, reason = "these files are no cassettes")]
fn complete(path: &Path, lines: &[&str]) -> io::Result<Done> {
    let known = match fs::read_to_string(path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let text = known.clone().unwrap_or_default();
    let missing: Vec<_> = lines.iter().filter(|line| !text.lines().any(|known| known.trim() == **line)).collect();
    if missing.is_empty() {
        return Ok(Done::Kept);
    }
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let added: String = missing.iter().map(|line| format!("{line}\n")).collect();
    fs::write(path, format!("{text}{gap}{added}"))?;
    Ok(if known.is_some() { Done::Added } else { Done::Created })
}

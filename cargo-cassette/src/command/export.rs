//! `cargo cassette export`: a cassette for other tools.

use cassette_core::files;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use cargo_cassette::export::{Exported, har};
use cargo_cassette::mending::mending;
use cargo_cassette::presentable::presented;
use cargo_cassette::seen;
use cargo_cassette::shelf::{Spot, Unreadable, is_begun};
use cassette_core::store::{half_written, write_whole};
use clap::{Args, ValueEnum};

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::in_plain;
use super::named::named;
use crate::output::{Output, count, document, note, printed, typed};

/// Write a cassette in another tool's format
///
/// HAR 1.2 is what browsers, proxies and `cargo cassette import` read. What is hidden in the cassette is hidden in it. It knows HTTP
/// alone: calls of functions are left out, and told on standard error.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: cargo cassette export trains --format har -o trains.har\n\nExit codes: 0 written, 2 it could not be done as asked."
)]
pub(crate) struct Export {
    /// The cassette, by name or path
    cassette: String,
    /// The format: har
    #[arg(long, value_name = "FORMAT", default_value = "har", hide_possible_values = true)]
    format: Format,
    /// The file to write, or a pipe or a device [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace a file that is there; a cassette never is
    #[arg(long)]
    force: bool,
    /// Show what would be written, and write nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
}

/// The format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// An HTTP archive
    Har,
}

/// Why nothing is exported.
#[derive(Debug)]
pub(crate) enum ExportError {
    /// The file is no cassette that can be read.
    Unreadable(Spot, Unreadable),
    /// No call in it is one that the format knows: the file, and of each call its number, its name and why not.
    Nothing(String, Vec<(usize, String, &'static str)>),
    /// What would be written over is a cassette.
    Cassette(String),
    /// Something else would be written over: the file, and what to type.
    There(String, String),
    /// The file cannot be written.
    Io(String, io::Error),
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExportError::Nothing(file, left_out) => {
                write!(f, "nothing in {} is a call that an archive can hold", printed(file))?;
                left_out.iter().try_for_each(|(number, name, why)| write!(f, "\n  call {number}, {name}: {why}"))?;
                write!(f, "\nhelp: read it otherwise: cargo cassette show {} --json", typed(file))
            }
            ExportError::Cassette(file) => {
                write!(f, "{file} is a cassette, and is not written over\nhelp: name another file: -o <FILE>")
            }
            ExportError::There(file, again) => {
                write!(
                    f,
                    "there is {file} already, and it holds something else\nhelp: name another file: -o <FILE>, or replace it: {again}"
                )
            }
            ExportError::Unreadable(spot, error) => {
                write!(f, "{}: {error}\nhelp: {}", spot.place(), mending(spot, error))
            }
            ExportError::Io(file, error) => {
                write!(f, "could not write {file}: {error}\nhelp: name a file that can be written: -o <FILE>")
            }
        }
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Failure {
        Failure::Export(error)
    }
}

pub(crate) fn run(export: &Export, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let spot = named(&export.cassette, around)?;
    let tape = spot.open().map_err(|error| ExportError::Unreadable(spot.clone(), error))?;
    let presented = presented(tape, Some(&spot));
    let tape = presented.tape;
    let exported = match export.format {
        Format::Har => har(&tape),
    };
    if exported.entries == 0 {
        return Err(ExportError::Nothing(spot.shown, exported.left_out).into());
    }
    let text = document(&exported.har);
    match &export.output {
        Some(file) => {
            let path = around.standpoint.here.join(file);
            let shown = printed(&file.display().to_string());
            let again = || format!("{} --force", around.whole());
            may_replace(&path, &text, (&shown, &again), export.force)?;
            if !export.dry_run {
                write(&path, &text).map_err(|error| ExportError::Io(shown, error))?;
            }
        }
        None if export.dry_run => {}
        None => output.bytes(text.as_bytes())?,
    }
    tell(export, &spot.place(), &exported);
    if let Some(told) = in_plain::told(presented.in_plain, &[], &spot.typed()) {
        note(&around.advice.here(&told));
    }
    Ok(Found::Nothing)
}

/// Refuses to write over a cassette, be it a damaged one, and over anything else but the same archive, unless it is forced.
fn may_replace(
    path: &Path,
    text: &str,
    (shown, again): (&str, &dyn Fn() -> String),
    force: bool,
) -> Result<(), ExportError> {
    let bytes = match files::read(path) {
        Ok(bytes) => bytes,
        // What is there and is no file is written to, and a directory is told by whoever writes.
        Err(_) if !path.is_file() => return Ok(()),
        Err(_) if force => return Ok(()),
        Err(_) => return Err(ExportError::There(shown.to_owned(), again())),
    };
    if seen::read(&bytes).is_ok() || is_begun(&bytes) {
        return Err(ExportError::Cassette(shown.to_owned()));
    }
    // An empty file is what `mktemp` makes for whoever fills it.
    let may = force || bytes.is_empty() || bytes == text.as_bytes();
    if may { Ok(()) } else { Err(ExportError::There(shown.to_owned(), again())) }
}

/// Writes a file whole or not at all, what a link leads to as any program does that is told to write there. What is there and is no
/// file, a pipe or a device, is written to and stays what it is; and so is what the system has a name of its own for, `/dev/stdout`.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let is_other = fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir());
    if is_other || ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"].iter().any(|system| path.starts_with(system)) {
        return fs::OpenOptions::new().append(true).open(path)?.write_all(text.as_bytes());
    }
    let mut staged = path.as_os_str().to_owned();
    staged.push(".exporting-");
    let staged = PathBuf::from(staged);
    // An export that was killed left it; what cannot be removed now the next one removes.
    half_written(&staged).into_iter().for_each(|left| _ = left.remove());
    write_whole(path, text.as_bytes(), &staged)
}

fn tell(export: &Export, shown: &str, exported: &Exported) {
    let entries = count(exported.entries, "exchange");
    let place = export
        .output
        .as_ref()
        .map_or_else(|| "standard output".to_owned(), |file| printed(&file.display().to_string()));
    if export.dry_run {
        note(&format!("would write {entries} of {shown} to {place}"));
    } else if export.output.is_some() {
        note(&format!("wrote {entries} of {shown} to {place}"));
    }
    for (number, name, why) in &exported.left_out {
        note(&format!("left out: call {number}, {name}: {why}"));
    }
}

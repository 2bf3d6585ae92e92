//! `cargo cassette seal`: changes that were made by hand are vouched for.

use std::{fmt, fs, io};

use cargo_cassette::inspection::{self, Rule};
use cargo_cassette::shelf::Spot;
use cassette_core::disk;
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::named::named;
use crate::output::{Ink, Line, Output, typed};

/// Seal a cassette that was changed by hand, so that it replays
///
/// The interactions that were changed are named. A cassette in which something secret stands is not sealed.
#[derive(Debug, Args)]
#[command(after_help = "Example: cargo cassette seal trains --dry-run")]
pub(crate) struct Seal {
    /// The cassette's name, or a path
    cassette: String,
    /// Show what would be sealed, and write nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
}

/// Why a cassette is not sealed.
#[derive(Debug)]
pub(crate) enum SealError {
    /// The file cannot be read or written.
    Io(String, io::Error),
    /// It would be no sound cassette.
    Unsound(Spot),
    /// Something secret stands in it: what and where.
    Secret(Spot, Vec<String>),
}

impl fmt::Display for SealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SealError::Io(file, error) => write!(f, "{file}: {error}\nhelp: check that the file may be written"),
            SealError::Unsound(spot) => {
                write!(f, "{}: more than its seals is broken\nhelp: see what: cargo cassette lint --files", spot.shown)
            }
            SealError::Secret(spot, found) => {
                write!(f, "{}: something secret stands in it, and it is not sealed", spot.shown)?;
                found.iter().try_for_each(|it| write!(f, "\n  {it}"))?;
                write!(f, "\nhelp: take it out, then: cargo cassette seal {}", typed(&spot.name))
            }
        }
    }
}

pub(super) fn run(seal: &Seal, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let spot = named(&seal.cassette, around)?;
    let failed = |error| Failure::Seal(SealError::Io(spot.shown.clone(), error));
    let text = fs::read_to_string(&spot.path).map_err(failed)?;
    let edited = inspection::edited(&spot, &text);
    if edited.is_empty() {
        output.line(&Line::of("nothing was changed since it was recorded"))?;
        return Ok(Found::Nothing);
    }
    let sealed = disk::reseal(&text).ok_or_else(|| Failure::Seal(SealError::Unsound(spot.clone())))?;
    let dir = spot.path.ancestors().find(|dir| dir.join("allow.json").is_file()).or(spot.path.parent());
    let secrets: Vec<_> = inspection::secrets(dir.unwrap_or(&spot.path), &spot, &sealed)
        .into_iter()
        .filter(|finding| finding.rule == Rule::Secret)
        .map(|finding| finding.what)
        .collect();
    if !secrets.is_empty() {
        return Err(Failure::Seal(SealError::Secret(spot, secrets)));
    }
    let verb = if seal.dry_run { "would seal " } else { "seals " };
    output.line(&Line::of(verb).ink(Ink::Strong, &spot.shown))?;
    for finding in &edited {
        output.line(&Line::of(&format!("  {}", finding.what)))?;
    }
    if !seal.dry_run {
        write(&spot, &sealed).map_err(failed)?;
    }
    Ok(Found::Nothing)
}

/// Writes the file in one piece: a reader sees the old text or the new one.
fn write(spot: &Spot, text: &str) -> io::Result<()> {
    let beside = spot.path.with_extension(format!("sealing-{}", std::process::id()));
    #[expect(clippy::disallowed_methods, reason = "a person vouches for what no run can prove")]
    fs::write(&beside, text)?;
    fs::rename(&beside, &spot.path)
}

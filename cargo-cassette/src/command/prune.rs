//! `cargo cassette prune`: cassettes that no test owns are removed.

use std::fmt;

use cargo_cassette::ownership;
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::delete::remove;
use super::failure::Failure;
use super::lint::{Built, ask, undecided};
use crate::output::{Line, Output, count};

/// Remove the cassettes that no test owns any more
///
/// Tests are built and asked, and none is run. Only what an annotated test recorded is ever removed. Where some tests could not
/// be asked, or stand behind features that are off, nothing is removed without --force: their cassettes would look like
/// nobody's. What belongs to a package that was not built is left alone.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  cargo cassette prune --dry-run\n  cargo cassette prune --all-features")]
pub(crate) struct Prune {
    /// Show what would be removed, and remove nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Remove them although not every test could be asked
    #[arg(long)]
    force: bool,
    /// What is built.
    #[command(flatten)]
    built: Built,
}

/// Why nothing is removed.
#[derive(Debug)]
pub(crate) struct PruneError {
    /// What might own the cassettes all the same.
    unasked: Vec<String>,
    /// The cassettes that would be removed.
    files: Vec<String>,
}

impl fmt::Display for PruneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files = count(self.files.len(), "cassette");
        write!(f, "{files} may be owned by tests that were not asked, and nothing was removed")?;
        self.files.iter().try_for_each(|file| write!(f, "\n  {file}"))?;
        self.unasked.iter().try_for_each(|it| write!(f, "\n  not asked: {it}"))?;
        f.write_str(
            "\nhelp: cargo cassette prune --all-features, or, if they are nobody's, cargo cassette prune --force",
        )
    }
}

pub(super) fn run(prune: &Prune, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let registry = ask(&prune.built, around)?;
    let shelves = around.shelves()?;
    let orphans = ownership::orphans(&shelves, &registry).map_err(Failure::Output)?;
    let mut spots: Vec<_> = orphans.certain.iter().map(|(_, spot)| spot).chain(&orphans.unanswered).collect();
    spots.sort();
    let mut unasked = registry.silent;
    unasked.extend((!registry.off.is_empty()).then(|| format!("tests behind {}", registry.off.join(", "))));
    unasked.extend(orphans.unanswered.iter().map(|spot| format!("the program whose test recorded {}", spot.place())));
    if !spots.is_empty() && !unasked.is_empty() && !prune.force && !prune.dry_run {
        let files = spots.into_iter().map(|spot| spot.place()).collect();
        return Err(Failure::Prune(PruneError { unasked, files }));
    }
    for spot in &spots {
        remove(spot, prune.dry_run, output)?;
    }
    undecided(&orphans, output)?;
    if spots.is_empty() && orphans.unbuilt.is_empty() && orphans.elsewhere.is_empty() {
        output.line(&Line::of("every cassette is owned by a test"))?;
    }
    Ok(Found::Nothing)
}

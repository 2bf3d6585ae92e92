//! `cargo cassette prune`: cassettes that no test owns are removed.

use std::collections::BTreeSet;
use std::fmt;

use cargo_cassette::ownership::{self, Orphans};
use cargo_cassette::presentable::presentable_text;
use cargo_cassette::renaming::{Renamed, renamed};
use cargo_cassette::shelf::Spot;
use cassette_core::json::Json;
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::delete::{Removed, head, remove_all};
use super::failure::Failure;
use super::lint::{Built, ask};
use super::settling::{Form, Run};
use super::undecided::{files, undecided, undecided_json};
use crate::output::{Advice, Ink, Line, Output, count};

/// Remove the cassettes that no test owns any more
///
/// Tests are built and asked, and none is run. Only what an annotated test recorded is ever removed. Where some tests could not
/// be asked, or stand behind features that are off, nothing is removed without --force: their cassettes would look like
/// nobody's. What belongs to a package that was not built is left alone, and so is what a test most likely goes on from that was
/// renamed: the command is told that gives it back.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette prune --dry-run\n  cargo cassette prune --all-features\n\nExit codes: 0 done, 1 something is kept that a renamed test may want, 2 it could not be done as asked."
)]
pub(crate) struct Prune {
    /// Show what would be removed, and remove nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Remove them although not every test could be asked
    #[arg(long)]
    force: bool,
    /// Remove those too whose test was most likely renamed
    #[arg(long)]
    renamed: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// What is built.
    #[command(flatten)]
    built: Built,
}

/// Why nothing is removed.
#[derive(Debug)]
pub(crate) struct PruneError {
    /// The cassettes that tests may own which were not asked.
    files: Vec<String>,
    /// The programs that did not answer, if one of them may own one.
    silent: Vec<String>,
    /// The features that are off behind which an owner may stand.
    features: BTreeSet<String>,
}

impl PruneError {
    /// Returns what keeps these orphans from being removed; nothing where none of them may be somebody's.
    fn of(orphans: &Orphans<'_>, silent: &[String]) -> Option<PruneError> {
        let behind = orphans.behind.iter().map(|(spot, _)| spot);
        let mut spots: Vec<_> = orphans.unanswered.iter().chain(behind).collect();
        spots.sort();
        let silent = if orphans.unanswered.is_empty() { &[] } else { silent };
        let error = PruneError {
            files: spots.into_iter().map(Spot::place).collect(),
            silent: silent.to_vec(),
            features: orphans.behind.iter().flat_map(|(_, features)| features.iter().cloned()).collect(),
        };
        (!error.files.is_empty()).then_some(error)
    }
}

impl fmt::Display for PruneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files = count(self.files.len(), "cassette");
        write!(f, "{files} may be owned by tests that were not asked, and nothing was removed")?;
        self.files.iter().try_for_each(|file| write!(f, "\n  {file}"))?;
        self.silent.iter().try_for_each(|it| write!(f, "\n  not asked: {it}"))?;
        let features: Vec<_> = self.features.iter().map(String::as_str).collect();
        if !features.is_empty() {
            write!(f, "\n  not asked: tests behind {}", features.join(", "))?;
        }
        let first = if features.is_empty() { "let them answer" } else { "cargo cassette prune --all-features" };
        write!(f, "\nhelp: {first}, or if they are nobody's: cargo cassette prune --force")
    }
}

pub(crate) fn run(prune: &Prune, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let registry = ask(&prune.built, around)?;
    let shelves = ownership::with_tests_own(around.shelves()?, &registry, &around.standpoint.here);
    let orphans = ownership::orphans(&shelves, &registry).map_err(Failure::Output)?;
    match PruneError::of(&orphans, &registry.silent) {
        Some(error) if !prune.force => return Err(Failure::Prune(error)),
        _ => {}
    }
    let perhaps = orphans.unanswered.iter().chain(orphans.behind.iter().map(|(spot, _)| spot));
    let mut kept = renamed(&orphans.certain, ownership::missing(&registry));
    if prune.renamed {
        kept.clear();
    }
    kept.sort_by_key(|it| it.old);
    let is_kept = |spot: &&Spot| kept.iter().any(|it| it.old == *spot);
    let mut spots: Vec<_> =
        orphans.certain.iter().map(|(_, spot)| spot).filter(|spot| !is_kept(spot)).chain(perhaps).cloned().collect();
    spots.sort();
    let run = if prune.dry_run { Run::Dry } else { Run::Real };
    let form = if prune.json { Form::Json } else { Form::Text };
    let Removed { json, ended } = remove_all(&spots, (run, form), around, output);
    match form {
        Form::Text => {
            ended?;
            text(&spots, &kept, &orphans, output)?;
        }
        Form::Json => {
            if ended.is_ok() || !json.is_empty() {
                output.json(&document(json, &kept, &orphans, output.advice()))?;
            }
            ended?;
        }
    }
    Ok(Found::something_if(!kept.is_empty()))
}

/// Tells a person what stays, after what is removed.
fn text(spots: &[Spot], kept: &[Renamed<'_>], orphans: &Orphans<'_>, output: &mut Output) -> Result<(), Failure> {
    for it in kept {
        let why = format!(", whose test is most likely {} now", it.test.test);
        output.line(&Line::of("keeps ").ink(Ink::Strong, &it.old.place()).plain(&why))?;
        output.help("  ", &way_back(it))?;
    }
    undecided(orphans, output)?;
    stay(&orphans.unowned, "no annotated test has recorded", output)?;
    stay(&orphans.unreadable, "nobody can read", output)?;
    let Orphans { unbuilt, elsewhere, opened, unseen, unowned, unreadable, .. } = orphans;
    let rest = [unbuilt, elsewhere, opened, unseen, unowned, unreadable];
    if spots.is_empty() && kept.is_empty() {
        let is_all =
            rest.iter().all(|spots| spots.is_empty()) && orphans.perhaps.is_empty() && orphans.foreign.is_empty();
        output.line(&Line::of(if is_all { "every cassette is owned by a test" } else { "nothing is removed" }))?;
    }
    Ok(())
}

/// Returns what to do with a cassette that a renamed test may want.
fn way_back(it: &Renamed<'_>) -> String {
    format!("if it is, {}; if not, cargo cassette delete {}", it.moving(), it.old.typed())
}

/// Tells a program what is removed, and what stays.
fn document(removed: Vec<Json>, kept: &[Renamed<'_>], orphans: &Orphans<'_>, advice: &Advice) -> Json {
    let presented = |text: &str| Json::from(presentable_text(text).as_str());
    let keeps = |it: &Renamed<'_>| {
        let more = [("test", presented(&it.test.test)), ("help", presented(&advice.here(&way_back(it))))];
        Json::object(head(it.old, "kept").into_iter().chain(more))
    };
    let pruned: Vec<Json> = removed.into_iter().chain(kept.iter().map(keeps)).collect();
    Json::object([
        ("pruned", pruned.into()),
        ("not_decided", Json::object(undecided_json(orphans))),
        ("unowned", files(&orphans.unowned)),
        ("unreadable", files(&orphans.unreadable)),
    ])
}

/// Tells which cassettes stay though no test owns them.
fn stay(spots: &[Spot], why: &str, output: &mut Output) -> Result<(), Failure> {
    let places: Vec<_> = spots.iter().map(Spot::place).collect();
    if places.is_empty() {
        return Ok(());
    }
    let verb = if places.len() == 1 { "stays" } else { "stay" };
    Ok(output.line(&Line::of(&format!("{} {verb}, which {why}", places.join(", "))))?)
}

//! `cargo cassette recover`: what a crash left of recordings is made pending.

use std::fs;

use cargo_cassette::presentable::presentable_text;
use cargo_cassette::shelf::{Reached, Shelf, Spot};
use cassette_core::json::Json;
use cassette_core::store::{FileStore, Store as _, StoreError};
use cassette_core::upkeep::{Recovered, Refusal, recovered};
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::settling::{Of, Waiting, chosen, help, waiting};
use crate::output::{Ink, Line, Output, count, size, typed};

/// Get back what was recorded before a program died
///
/// A recording keeps a journal of the calls that have ended. What is in it becomes pending, for `review` to show: everything but a
/// torn last line. A journal whose program is still alive is left alone. Unless cassettes are named, what a program left half written
/// when it was killed is removed.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette recover\n  cargo cassette recover trains --dry-run\n\nExit codes: 0 done, 1 something was refused, 2 it could not be done as asked."
)]
pub(crate) struct Recover {
    /// The cassettes' names [default: all that were cut short]
    cassettes: Vec<String>,
    /// Show what would be recovered, and write nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What became of a journal.
enum Ended {
    /// It is pending now.
    Recovered(Recovered),
    /// No call had ended: it is removed.
    Nothing,
    /// A recording of this name is pending already, and is to be settled first.
    Occupied,
    /// It is refused.
    Refused(Refusal),
}

pub(crate) fn run(recover: &Recover, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let mut all = waiting(around, Shelf::journals)?;
    // Of several journals of one name the one that was written last comes first.
    all.sort_by_key(|it| (it.shelf.dir.clone(), name(it).to_owned(), std::cmp::Reverse(written(it))));
    let journals = all.into_iter().map(|mut it| {
        it.spot.name = name(&it).to_owned();
        it
    });
    let closed: Vec<_> = waiting(around, Shelf::pending)?.into_iter().filter(|it| it.spot.is_directory()).collect();
    let all = match chosen_by_name(journals.collect(), &recover.cassettes, around) {
        // Whatever is named may be in there.
        Err(_) if !closed.is_empty() => Vec::new(),
        chosen => chosen?,
    };
    let mut found = Found::Nothing;
    let mut told = Vec::new();
    let mut taken: Vec<(std::path::PathBuf, String)> = Vec::new();
    for dir in &closed {
        let Err(refusal) = dir.candidate() else { continue };
        found = Found::Something;
        let ended = Ended::Refused(refusal);
        match recover.json {
            true => told.push(json(dir, &ended, recover.dry_run)),
            false => text(dir, &ended, recover.dry_run, output)?,
        }
    }
    for journal in &all {
        let place = (journal.shelf.dir.clone(), journal.spot.name.clone());
        let ended = if taken.contains(&place) { Ended::Occupied } else { one(journal, recover.dry_run) };
        match &ended {
            Ended::Recovered(_) => taken.push(place),
            Ended::Occupied | Ended::Refused(_) => found = Found::Something,
            Ended::Nothing => {}
        }
        match recover.json {
            true => told.push(json(journal, &ended, recover.dry_run)),
            false => text(journal, &ended, recover.dry_run, output)?,
        }
    }
    let swept = if recover.cassettes.is_empty() { sweep(recover, around)? } else { Vec::new() };
    if recover.json {
        let swept: Vec<Json> = swept.iter().map(|shown| shown.as_str().into()).collect();
        let removed = (!swept.is_empty()).then(|| ("half_written", swept.into()));
        output.json(&Json::object([("recovered", told.into())].into_iter().chain(removed)))?;
        return Ok(found);
    }
    for shown in &swept {
        let verb = if recover.dry_run { "would remove " } else { "removes " };
        output.line(
            &Line::of(verb).ink(Ink::Strong, shown).plain(", which a program left half written when it was killed"),
        )?;
    }
    if all.is_empty() && closed.is_empty() && swept.is_empty() {
        output.line(&Line::of("nothing was cut short"))?;
    }
    Ok(found)
}

/// Removes what programs left that were killed while they wrote it, and the directories that are empty, and returns those files. What
/// a living program writes stays.
fn sweep(recover: &Recover, around: &Surroundings) -> Result<Vec<String>, Failure> {
    let mut swept = Vec::new();
    for shelf in around.shelves()? {
        for (shown, left) in shelf.half_written() {
            if !recover.dry_run {
                let path = left.path().to_owned();
                let spot = || Spot { name: shown.clone(), shown: shown.clone(), path, reached: Reached::ByName };
                left.remove().map_err(|error| Failure::Remove(spot(), error))?;
            }
            swept.push(shown);
        }
        if !recover.dry_run {
            shelf.store().remove_empty();
        }
    }
    Ok(swept)
}

/// Returns those that are named: of one name there may be several.
fn chosen_by_name(all: Vec<Waiting>, words: &[String], around: &Surroundings) -> Result<Vec<Waiting>, Failure> {
    if words.is_empty() {
        return Ok(all);
    }
    let mut firsts: Vec<Waiting> = Vec::new();
    for it in &all {
        if !firsts.iter().any(|first| (&first.shelf, &first.spot.name) == (&it.shelf, &it.spot.name)) {
            firsts.push(it.clone());
        }
    }
    let named = chosen(firsts, words, None, around)?;
    let is_named = |it: &Waiting| named.iter().any(|one| (&one.shelf, &one.spot.name) == (&it.shelf, &it.spot.name));
    Ok(all.into_iter().filter(is_named).collect())
}

/// Returns the cassette's name: a journal that was put aside has a number behind it.
fn name(journal: &Waiting) -> &str {
    journal.spot.name.rsplit_once(".cut-short").map_or(&journal.spot.name, |(name, _)| name)
}

fn written(journal: &Waiting) -> Option<std::time::SystemTime> {
    fs::metadata(&journal.spot.path).and_then(|metadata| metadata.modified()).ok()
}

fn one(journal: &Waiting, dry_run: bool) -> Ended {
    settle(&journal.store(), journal, dry_run).unwrap_or_else(Ended::Refused)
}

fn settle(store: &FileStore, journal: &Waiting, dry_run: bool) -> Result<Ended, Refusal> {
    let name = &journal.spot.name;
    let gone = || StoreError::Io(journal.spot.shown.clone(), "read", "it is gone".to_owned());
    let left = store.abandoned(&journal.spot.path)?.ok_or_else(gone)?;
    if store.pending(name)?.is_some() {
        return Ok(Ended::Occupied);
    }
    let ended = match recovered(&left.text()?, store.load(name)?.as_deref()) {
        Ok(recovered) => Ended::Recovered(recovered),
        Err(Refusal::Empty) => Ended::Nothing,
        Err(refusal) => return Err(refusal),
    };
    if !dry_run {
        if let Ended::Recovered(recovered) = &ended {
            store.keep_pending(name, &recovered.document)?;
        }
        left.remove()?;
    }
    Ok(ended)
}

fn text(journal: &Waiting, ended: &Ended, dry_run: bool, output: &mut Output) -> Result<(), Failure> {
    let name = journal.spot.label();
    let verb = |done: &str, would: &str| Line::of(if dry_run { would } else { done }).ink(Ink::Strong, &name);
    match ended {
        Ended::Recovered(recovered) => {
            let what = what(recovered);
            output.line(&verb("recovers ", "would recover ").plain(&format!(": {what}")))?;
            if recovered.torn > 0 {
                let lost = format!("  lost: a call of which only {} had been written", size(recovered.torn as u64));
                output.line(&Line::new().ink(Ink::Warn, &lost))?;
            }
            output.help("  ", "look at it, and accept or reject it: cargo cassette review")?;
        }
        Ended::Nothing => {
            output.line(
                &verb("removes ", "would remove ").plain(&format!(", {}: no call had ended", journal.spot.place())),
            )?;
        }
        Ended::Occupied => {
            let line = Line::of("leaves ").ink(Ink::Strong, &journal.spot.place());
            output.line(&line.plain(&format!(": a recording of `{name}` is pending, and is to be settled first")))?;
            output.help("  ", "cargo cassette review")?;
        }
        Ended::Refused(refusal) => {
            let line = Line::of("refuses ").ink(Ink::Strong, &journal.spot.place()).plain(": ");
            output.line(&line.ink(Ink::Bad, &presentable_text(&refusal.to_string())))?;
            output.help("  ", &mending(journal, refusal))?;
        }
    }
    Ok(())
}

fn what(recovered: &Recovered) -> String {
    let calls = count(recovered.calls, "call");
    match recovered.kept {
        0 => calls,
        kept => format!("{calls}, behind {} of the committed file, to which the run was to add", kept),
    }
}

/// Returns what to do about a journal that is refused.
fn mending(journal: &Waiting, refusal: &Refusal) -> String {
    match refusal {
        Refusal::Unreadable(_) => format!("record again, and remove it: rm {}", typed(&journal.spot.shown)),
        _ => help(&journal.spot, refusal, Of::Pending(None)),
    }
}

fn json(journal: &Waiting, ended: &Ended, dry_run: bool) -> Json {
    let presented = |text: &str| Json::from(presentable_text(text).as_str());
    let mut members = vec![("name", presented(&journal.spot.name)), ("journal", presented(&journal.spot.shown))];
    let outcome = |done: &'static str, would: &'static str| ("outcome", Json::from(if dry_run { would } else { done }));
    match ended {
        Ended::Recovered(Recovered { calls, kept, torn, .. }) => members.extend([
            outcome("recovered", "would be recovered"),
            ("calls", (*calls as u64).into()),
            ("kept", (*kept as u64).into()),
            ("lost_bytes", (*torn as u64).into()),
        ]),
        Ended::Nothing => members.push(outcome("removed", "would be removed")),
        Ended::Occupied => members.push(("outcome", "left".into())),
        Ended::Refused(refusal) => members.extend([
            ("outcome", "refused".into()),
            ("what", presentable_text(&refusal.to_string()).as_str().into()),
            ("help", presented(&mending(journal, refusal))),
        ]),
    }
    Json::object(members)
}

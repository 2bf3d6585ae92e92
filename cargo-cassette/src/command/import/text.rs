//! What became of recordings, for a person.

use std::collections::BTreeMap;

use cargo_cassette::import::LeftOut;
use cargo_cassette::presentable::presentable_text;

use super::files::Source;
use super::one::{Done, Outcome, Refused, Replaced};
use crate::command::failure::Failure;
use crate::output::{Ink, Line, Output, Table, count};

/// Tells what became of one.
pub(super) fn one(source: &Source, outcome: &Outcome, dry_run: bool, output: &mut Output) -> Result<(), Failure> {
    let result = match outcome {
        Ok(done) => imported(source, done, dry_run, output),
        Err(why) => refused(source, why, output),
    };
    Ok(result?)
}

fn imported(source: &Source, done: &Done, dry_run: bool, output: &mut Output) -> std::io::Result<()> {
    let verb = if dry_run { "would import" } else { "imported" };
    let line = Line::new().ink(Ink::Good, verb).plain(" ").ink(Ink::Strong, &done.spot.label());
    let line = line.plain(&format!(": {}, {}", count(done.calls, "call"), done.format));
    output.line(&line.ink(Ink::Faint, &format!(", from {}", presentable_text(&source.shown))))?;
    if let Some(Replaced { owner }) = &done.replaced {
        let stays = |owner: &String| format!(", and stays that of {}", presentable_text(owner));
        let stays = owner.as_ref().map(stays).unwrap_or_default();
        let replaces = if dry_run { "would replace" } else { "replaces" };
        output.line(&Line::new().ink(Ink::Warn, &format!("  {replaces} {}{stays}", done.spot.place())))?;
    }
    if !done.hidden.is_empty() {
        output.line(&Line::new().ink(Ink::Warn, &format!("  hides {}", done.hidden)))?;
    }
    for told in left_out(&done.left_out) {
        output.line(&Line::new().ink(Ink::Warn, &format!("  left out: {}", presentable_text(&told))))?;
    }
    done.notes.iter().try_for_each(|note| output.line(&Line::of("  ").ink(Ink::Faint, note)))
}

/// Returns what was left out, by reason: every entry by its number and its line.
fn left_out(entries: &[LeftOut]) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for LeftOut { number, line, reason } in entries {
        let entry = format!("{number} (line {line})");
        match reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, entries)) => entries.push(entry),
            None => reasons.push((reason, vec![entry])),
        }
    }
    let told = |(reason, entries): (&str, Vec<String>)| {
        let noun = if entries.len() == 1 { "entry" } else { "entries" };
        format!("{noun} {}: {reason}", entries.join(", "))
    };
    reasons.into_iter().map(told).collect()
}

fn refused(source: &Source, why: &Refused, output: &mut Output) -> std::io::Result<()> {
    let place = why.line.map_or_else(|| source.shown.clone(), |line| format!("{}:{line}", source.shown));
    let refused = Line::new().ink(Ink::Bad, "refused").plain(" ");
    let line = refused.ink(Ink::Strong, &presentable_text(&place)).plain(": ");
    let line = why.format.map_or(line.clone(), |format| line.plain(&format!("{format}: ")));
    output.line(&line.plain(&presentable_text(&why.reason)))?;
    why.found.iter().try_for_each(|found| output.line(&Line::of("  ").plain(&presentable_text(found))))?;
    let Some(help) = &why.help else { return Ok(()) };
    let help = presentable_text(&format!("help: {}", output.advice().here(help)));
    help.lines().try_for_each(|line| output.line(&Line::of("  ").ink(Ink::Faint, line)))
}

/// What became of the recordings of a format.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) imported: usize,
    pub(super) refused: usize,
    pub(super) calls: usize,
}

/// Returns what became of the recordings of each format, by its name; `unknown` is none.
pub(super) fn by_format(ended: &[(Source, Outcome)]) -> BTreeMap<&'static str, Tally> {
    let mut formats: BTreeMap<&'static str, Tally> = BTreeMap::new();
    for (_, outcome) in ended {
        let format = match outcome {
            Ok(done) => Some(done.format),
            Err(refused) => refused.format,
        };
        let tally = formats.entry(format.map_or("unknown", |format| format.as_str())).or_default();
        match outcome {
            Ok(done) => (tally.imported, tally.calls) = (tally.imported + 1, tally.calls + done.calls),
            Err(_) => tally.refused += 1,
        }
    }
    formats
}

/// Tells how many there were, by format, and what to type next.
pub(super) fn summary(ended: &[(Source, Outcome)], dry_run: bool, output: &mut Output) -> Result<(), Failure> {
    let formats = by_format(ended);
    if ended.len() > 1 {
        output.gap()?;
        let mut table = Table::indented(2);
        let number = |n: usize, what: &str| Line::of(&if n == 0 { "-".to_owned() } else { format!("{n} {what}") });
        for (format, Tally { imported, refused, calls }) in &formats {
            let calls = Line::of(&if *calls == 0 { "-".to_owned() } else { count(*calls, "call") });
            let cells = [Line::of(format), number(*imported, "imported"), number(*refused, "refused"), calls];
            table.row(cells.into());
        }
        table.print(output)?;
        let sum = |of: fn(&Tally) -> usize| formats.values().map(of).sum::<usize>();
        let (imported, refused, calls) = (sum(|it| it.imported), sum(|it| it.refused), sum(|it| it.calls));
        let verb = if dry_run { "would be imported" } else { "imported" };
        let all = count(ended.len(), "recording");
        output.line(&Line::of(&format!("{all}: {imported} {verb}, {refused} refused, {}", count(calls, "call"))))?;
    }
    if ended.iter().any(|(_, outcome)| outcome.as_ref().is_err_and(|refused| refused.help.is_none())) {
        output.line(
            &Line::new().ink(Ink::Faint, "docs/import.md says what is taken of each format, and what is refused"),
        )?;
    }
    let imported: Vec<_> = ended.iter().filter_map(|(_, outcome)| outcome.as_ref().ok()).collect();
    match imported.as_slice() {
        _ if dry_run => Ok(()),
        [] => Ok(()),
        [only] => next("it", only, output),
        [first, ..] => next("one", first, output),
    }
}

/// Tells what to type so that the first of them is replayed.
fn next(which: &str, done: &Done, output: &mut Output) -> Result<(), Failure> {
    let name = format!("#[cassette(\"{}\")]", done.spot.label());
    let at = format!("to replay {which}, name it at the test that makes these calls: ");
    output.line(&Line::of(&at).ink(Ink::Strong, &name))?;
    let owner = done.replaced.as_ref().and_then(|replaced| replaced.owner.as_ref());
    if owner.is_none() {
        let adopts = "it is nobody's yet: the first CASSETTE_MODE=record cargo test of that test adopts it";
        output.line(&Line::new().ink(Ink::Faint, adopts))?;
    }
    Ok(())
}

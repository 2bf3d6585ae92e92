//! `cargo cassette status`: how it stands with the cassettes, and what the next run would do.

use cargo_cassette::listing::{self, Age, Facts, Row, State, Unfinished};
use cargo_cassette::presentable::presentable_text;
use cargo_cassette::shelf::Shelf;
use cassette_core::account::Tokens;
use cassette_core::json::Json;
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::in_force::{InForce, Setting};
use super::list::{bad, ink, listed, models, row_json, tell_mistakes, total, with_mistakes};
use super::stats;
use crate::output::{Advice, Ink, Line, Output, Table, count, printed, size};

/// Show the mode in force and what else is, each cassette's owner, age and tokens, and what is pending
///
/// A file or a directory that cannot be read, or a variable that tests refuse, makes the exit code 1.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: CASSETTE_MODE=record cargo cassette status\n\nExit codes: 0 all can be read, 1 something cannot, or tests refuse a variable, 2 it could not be done as asked."
)]
pub(crate) struct Status {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was not taken over.
struct Waiting {
    shelf: Shelf,
    pending: Vec<Row>,
    unfinished: Vec<Unfinished>,
}

pub(crate) fn run(status: &Status, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let (listed, missing) = match listed(around) {
        Ok(listed) => {
            around.tell_unloaded();
            (listed, None)
        }
        // What a run would go by is known without cassettes too.
        Err(failure) => (Vec::new(), Some(failure)),
    };
    let waiting = listed.iter().map(|(shelf, _)| waiting(shelf, around)).collect::<Result<Vec<_>, _>>()?;
    let in_force = InForce::read(around);
    let bad = bad(&listed);
    let said = around.said();
    let odd = waiting.iter().flat_map(|it| &it.pending).any(|row| row.facts.is_err());
    let found = Found::something_if(bad > 0 || odd || in_force.is_refused() || !said.mistakes.is_empty());
    if status.json {
        let rows = listed.iter().flat_map(|(shelf, rows)| rows.iter().map(|row| row_json(shelf, row)));
        let pending = waiting.iter().flat_map(|it| it.pending.iter().map(|row| row_json(&it.shelf, row)));
        let unfinished = waiting.iter().flat_map(|it| it.unfinished.iter().map(unfinished_json));
        let members = [
            ("mode", in_force.mode.json()),
            ("in_force", in_force.others.iter().map(Setting::json).collect::<Vec<_>>().into()),
            ("cassettes", rows.collect::<Vec<_>>().into()),
            ("pending", pending.collect::<Vec<_>>().into()),
            ("unfinished", unfinished.collect::<Vec<_>>().into()),
        ];
        output.json(&with_mistakes(Json::object(members), &said.mistakes))?;
        return missing.map_or(Ok(found), Err);
    }
    in_force.lines().iter().try_for_each(|line| output.line(line))?;
    if !said.files.is_empty() {
        output.line(&Line::of("settings ").ink(Ink::Strong, &said.files.join(", ")))?;
    }
    if let Some(failure) = missing {
        return Err(failure);
    }
    tell_mistakes(&said.mistakes, output)?;
    for (shelf, rows) in &listed {
        output.gap()?;
        output.line(&Line::new().ink(Ink::Strong, &printed(&presentable_text(&shelf.shown))))?;
        table(rows).print(output)?;
    }
    for it in waiting.iter().filter(|it| !it.pending.is_empty() || !it.unfinished.is_empty()) {
        output.gap()?;
        let is_aside = it.unfinished.is_empty() && it.pending.iter().all(|row| row.spot.put_aside().is_some());
        let what = if is_aside { "put aside" } else { "not taken over" };
        let heading = format!("{}/.pending, {what}", presentable_text(&it.shelf.shown));
        output.line(&Line::new().ink(Ink::Strong, &heading))?;
        pending(it, output.advice()).print(output)?;
    }
    output.gap()?;
    output.line(&total(&listed, bad))?;
    Ok(found)
}

fn waiting(shelf: &Shelf, around: &Surroundings) -> Result<Waiting, Failure> {
    let failed = |error| Failure::Directory(format!("{}/.pending", shelf.shown), error);
    let pending = listing::pending(shelf, &around.today).map_err(failed)?;
    Ok(Waiting { shelf: shelf.clone(), pending, unfinished: listing::unfinished(shelf).map_err(failed)? })
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::indented(2);
    for row in rows {
        let name = Line::of(&row.spot.label());
        let facts = match &row.facts {
            Err(error) => {
                table.across(name, Line::new().ink(ink(error), &error.to_string()));
                continue;
            }
            Ok(facts) => facts,
        };
        table.row(vec![
            name,
            match facts.age {
                Age::NoDate | Age::ToCome => Line::new().ink(Ink::Bad, &age(facts)),
                _ => Line::of(&age(facts)),
            },
            Line::of(&count(facts.calls, "call")),
            Line::of(&size(row.size)),
            Line::of(&tokens_of(facts)),
            Line::of(&models(facts)),
            Line::new().ink(Ink::Faint, &owner(facts)),
        ]);
    }
    table
}

/// Returns whose a cassette is, and where it was forked.
fn owner(facts: &Facts) -> String {
    let owner = facts.owner.as_deref().unwrap_or("nobody's");
    let origin = facts.origin.as_ref().map(|origin| format!(", forked from {origin}"));
    format!("{owner}{}", origin.unwrap_or_default())
}

fn pending(waiting: &Waiting, advice: &Advice) -> Table {
    let mut table = Table::indented(2);
    for row in &waiting.pending {
        let why = match &row.facts {
            Err(error) if row.spot.put_aside().is_some() => {
                let remove = advice.here(&format!("remove it: cargo cassette reject {}", row.spot.words()));
                Line::new().ink(Ink::Warn, &row.spot.wrong(&error.to_string())).plain(&format!("; {remove}"))
            }
            Err(error) => Line::new().ink(Ink::Bad, &error.to_string()),
            Ok(facts) => {
                let why = facts.pending.as_deref().unwrap_or("no reason is given");
                Line::of(&count(facts.calls, "call")).plain(", ").ink(Ink::Warn, first_line(why))
            }
        };
        table.across(Line::of(&row.spot.label()), why);
    }
    for journal in &waiting.unfinished {
        let state = journal.state.told();
        let calls = match &journal.calls {
            Ok(_) if journal.state == State::Empty => {
                table.across(Line::of(&journal.spot.label()), Line::new().ink(Ink::Warn, state));
                continue;
            }
            Ok(calls) => Line::of(&count(*calls, "call")),
            Err(what) => Line::new().ink(Ink::Bad, &presentable_text(what)),
        };
        table.across(Line::of(&journal.spot.label()), calls.plain(", ").ink(Ink::Warn, state));
    }
    table
}

/// Returns the age of a recording: `today`, `12 days`.
pub(super) fn age(facts: &Facts) -> String {
    let recorded = facts.recorded.as_deref().unwrap_or_default();
    match facts.age {
        Age::Days(0) => "today".to_owned(),
        Age::Days(days) => count(usize::try_from(days).unwrap_or(usize::MAX), "day"),
        Age::NoDate => format!("no date: {recorded}"),
        Age::ToCome => format!("still to come: {recorded}"),
        _ => "undated".to_owned(),
    }
}

/// Returns the day of a recording, with its age: `recorded 2026-11-29 (12 days)`.
pub(super) fn recorded(facts: &Facts) -> Option<String> {
    let recorded = facts.recorded.as_deref()?;
    Some(match facts.age {
        Age::NoDate => format!("recorded {recorded} (no date)"),
        Age::ToCome => format!("recorded {recorded} (still to come)"),
        _ => format!("recorded {recorded} ({})", age(facts)),
    })
}

/// Returns the tokens of a cassette, and of how many answers they are not known.
pub(super) fn tokens_of(facts: &Facts) -> String {
    let told = tokens(&facts.usage);
    match (told.is_empty(), facts.uncounted) {
        (_, 0) => told,
        (true, _) => "tokens unknown".to_owned(),
        (false, n) => format!("{told}; unknown of {}", count(n, "answer")),
    }
}

/// Returns the tokens of a reply, or of many, as `stats` has them; nothing where none are known.
pub(super) fn tokens(usage: &Tokens) -> String {
    if *usage == Tokens::default() { String::new() } else { stats::tokens(usage) }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn unfinished_json(journal: &Unfinished) -> Json {
    let state = match journal.state {
        State::Alive => "alive",
        State::Died => "died",
        State::Empty => "empty",
        State::CutShort => "cut-short",
        _ => "open",
    };
    Json::object([
        ("name", presentable_text(&journal.spot.name).as_str().into()),
        ("file", presentable_text(&journal.spot.shown).as_str().into()),
        ("state", state.into()),
        match &journal.calls {
            Ok(calls) => ("calls", (*calls as u64).into()),
            Err(what) => ("error", presentable_text(what).as_str().into()),
        },
    ])
}

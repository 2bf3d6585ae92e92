//! `cargo cassette list`: which cassettes there are.

use cargo_cassette::listing::{self, Age, Facts, Row, origin_json, usage_json};
use cargo_cassette::presentable::presentable_text;
use cargo_cassette::shelf::{Shelf, Unreadable};
use cassette_core::json::Json;
use cassette_core::settings::Mistake;
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use crate::output::{Ink, Line, Output, Table, count, printed, size};

/// List the cassettes
///
/// A file or a directory that cannot be read is listed as such, and makes the exit code 1.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: cargo cassette list --json\n\nExit codes: 0 all can be read, 1 something cannot, 2 it could not be done as asked."
)]
pub(crate) struct List {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How many models are named of one cassette.
const MODELS: usize = 3;

/// A directory with its rows.
type Listed = (Shelf, Vec<Row>);

pub(crate) fn run(list: &List, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let listed = listed(around)?;
    around.tell_unloaded();
    let mistakes = around.said().mistakes;
    let bad = bad(&listed);
    let found = Found::something_if(bad > 0 || !mistakes.is_empty());
    if list.json {
        let rows = listed.iter().flat_map(|(shelf, rows)| rows.iter().map(|row| row_json(shelf, row)));
        let listed = Json::object([("cassettes", rows.collect::<Vec<_>>().into())]);
        output.json(&with_mistakes(listed, &mistakes))?;
        return Ok(found);
    }
    tell_mistakes(&mistakes, output)?;
    for (shelf, rows) in &listed {
        output.line(&Line::new().ink(Ink::Strong, &printed(&presentable_text(&shelf.shown))))?;
        table(rows).print(output)?;
    }
    output.line(&total(&listed, bad))?;
    Ok(found)
}

/// Returns how many files cannot be read. What never was a cassette is none of them.
pub(super) fn bad(listed: &[Listed]) -> usize {
    let is_bad = |row: &&Row| row.facts.as_ref().is_err_and(|error| *error != Unreadable::Other);
    listed.iter().flat_map(|(_, rows)| rows).filter(is_bad).count()
}

/// Returns how what is said of a file that cannot be read is painted.
pub(super) fn ink(error: &Unreadable) -> Ink {
    if *error == Unreadable::Other { Ink::Faint } else { Ink::Bad }
}

/// Reads every cassette of every directory.
pub(super) fn listed(around: &Surroundings) -> Result<Vec<Listed>, Failure> {
    let read = |shelf: Shelf| match listing::rows(&shelf, &around.today) {
        Ok(rows) => Ok((shelf, rows)),
        Err(error) => Err(Failure::Directory(shelf.shown, error)),
    };
    around.shelves_anyway()?.into_iter().map(read).collect()
}

/// Tells what is wrong with the settings: a file that is bad is listed as such.
pub(super) fn tell_mistakes(mistakes: &[Mistake], output: &mut Output) -> Result<(), Failure> {
    for mistake in mistakes {
        output
            .line(&Line::new().ink(Ink::Bad, &mistake.to_string()).ink(Ink::Faint, &format!("; {}", mistake.help)))?;
    }
    Ok(())
}

/// Returns an object with what is wrong with the settings, where anything is.
pub(super) fn with_mistakes(mut object: Json, mistakes: &[Mistake]) -> Json {
    let told: Vec<Json> = mistakes.iter().map(|mistake| mistake.to_string().as_str().into()).collect();
    if let (Json::Object(members), false) = (&mut object, told.is_empty()) {
        members.push(("settings".into(), told.into()));
    }
    object
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::indented(2);
    for row in rows {
        let name = Line::of(&row.spot.label());
        match &row.facts {
            Err(error) => table.across(name, Line::new().ink(ink(error), &error.to_string())),
            Ok(facts) => table.row(vec![
                name,
                Line::of(&count(facts.calls, "call")),
                day(facts),
                Line::of(&size(row.size)),
                Line::new().ink(Ink::Faint, &models(facts)),
            ]),
        }
    }
    table
}

/// Returns the day of a recording, and what is wrong with it.
fn day(facts: &Facts) -> Line {
    let day = facts.recorded.as_deref().unwrap_or("undated");
    match facts.age {
        Age::NoDate => Line::of(day).ink(Ink::Bad, ", which is no date"),
        Age::ToCome => Line::of(day).ink(Ink::Bad, ", which is still to come"),
        _ => Line::of(day),
    }
}

/// Returns the models by name, the first few of many.
pub(super) fn models(facts: &Facts) -> String {
    let mut names: Vec<_> = facts.models.iter().take(MODELS).map(String::as_str).collect();
    names.extend((facts.models.len() > MODELS).then_some(".."));
    names.join(", ")
}

/// Returns the last line: how many there are, and how many files cannot be read, or are no cassettes.
pub(super) fn total(listed: &[Listed], bad: usize) -> Line {
    let rows = || listed.iter().flat_map(|(_, rows)| rows);
    let is_other = |row: &&Row| row.facts.as_ref().is_err_and(|error| *error == Unreadable::Other);
    let files = || rows().filter(|row| !row.spot.is_directory() && !is_other(row));
    let others = rows().filter(is_other).count();
    let bytes: u64 = files().map(|row| row.size).sum();
    let line = Line::of(&format!("{}, {}", count(files().count(), "cassette"), size(bytes)));
    let line = if others == 0 { line } else { line.plain(&format!("; {} beside them", count(others, "other file"))) };
    if bad == 0 { line } else { line.plain(", ").ink(Ink::Bad, &format!("{bad} cannot be read")) }
}

/// Returns a row as an object: `error` where the file cannot be read, else what stands in it.
pub(super) fn row_json(shelf: &Shelf, row: &Row) -> Json {
    let text = |text: &Option<String>| text.as_deref().map_or(Json::Null, Json::from);
    let texts = |texts: &[String]| texts.iter().map(|text| text.as_str().into()).collect::<Vec<Json>>().into();
    let mut members = vec![
        ("name".into(), presentable_text(&row.spot.name).as_str().into()),
        ("file".into(), presentable_text(&row.spot.shown).as_str().into()),
        ("directory".into(), presentable_text(&shelf.shown).as_str().into()),
        ("bytes".into(), row.size.into()),
    ];
    match &row.facts {
        Err(error) => members.push(("error".into(), error.to_string().into())),
        Ok(facts) => members.extend([
            ("test".into(), text(&facts.owner)),
            ("recorded".into(), text(&facts.recorded)),
            ("days".into(), facts.age.days().map_or(Json::Null, Json::from)),
            ("calls".into(), (facts.calls as u64).into()),
            ("models".into(), texts(&facts.models)),
            ("providers".into(), texts(&facts.providers)),
            ("tokens".into(), usage_json(&facts.usage)),
            ("uncounted".into(), (facts.uncounted as u64).into()),
            ("pending".into(), text(&facts.pending)),
        ]),
    }
    let origin = row.facts.as_ref().ok().and_then(|facts| facts.origin.as_ref());
    members.extend(origin.map(|origin| ("origin".into(), origin_json(origin))));
    Json::Object(members)
}

//! `cargo cassette list`: which cassettes there are.

use cargo_cassette::listing::{self, Facts, Row, usage_json};
use cargo_cassette::shelf::Shelf;
use cassette_core::json::Json;
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use crate::output::{Ink, Line, Output, Table, count, size};

/// List the cassettes
///
/// A file that cannot be read is listed as such, and makes the exit code 1.
#[derive(Debug, Args)]
#[command(after_help = "Example: cargo cassette list --json")]
pub(crate) struct List {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How many models are named of one cassette.
const MODELS: usize = 3;

/// A directory with its rows.
type Listed = (Shelf, Vec<Row>);

pub(super) fn run(list: &List, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let listed = listed(around)?;
    let bad = listed.iter().flat_map(|(_, rows)| rows).filter(|row| row.facts.is_err()).count();
    if list.json {
        let rows = listed.iter().flat_map(|(shelf, rows)| rows.iter().map(|row| row_json(shelf, row)));
        output.json(&Json::object([("cassettes", rows.collect::<Vec<_>>().into())]))?;
        return Ok(Found::something_if(bad > 0));
    }
    for (shelf, rows) in &listed {
        output.line(&Line::new().ink(Ink::Strong, &shelf.shown))?;
        table(rows).print(output)?;
    }
    output.line(&total(&listed, bad))?;
    Ok(Found::something_if(bad > 0))
}

/// Reads every cassette of every directory.
pub(super) fn listed(around: &Surroundings) -> Result<Vec<Listed>, Failure> {
    let read = |shelf: Shelf| match listing::rows(&shelf, &around.today) {
        Ok(rows) => Ok((shelf, rows)),
        Err(error) => Err(Failure::Directory(shelf.shown, error)),
    };
    around.shelves()?.into_iter().map(read).collect()
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::indented(2);
    for row in rows {
        let name = Line::of(&row.spot.name);
        match &row.facts {
            Err(error) => table.across(name, Line::new().ink(Ink::Bad, &error.to_string())),
            Ok(facts) => table.row(vec![
                name,
                Line::of(&count(facts.calls, "call")),
                Line::of(facts.recorded.as_deref().unwrap_or("undated")),
                Line::of(&size(row.size)),
                Line::new().ink(Ink::Faint, &models(facts)),
            ]),
        }
    }
    table
}

/// Returns the models by name, the first few of many.
pub(super) fn models(facts: &Facts) -> String {
    let mut names: Vec<_> = facts.models.iter().take(MODELS).map(String::as_str).collect();
    names.extend((facts.models.len() > MODELS).then_some(".."));
    names.join(", ")
}

/// Returns the last line: how many there are, and how many cannot be read.
pub(super) fn total(listed: &[Listed], bad: usize) -> Line {
    let rows = || listed.iter().flat_map(|(_, rows)| rows);
    let bytes: u64 = rows().map(|row| row.size).sum();
    let line = Line::of(&format!("{}, {}", count(rows().count(), "cassette"), size(bytes)));
    if bad == 0 { line } else { line.plain(", ").ink(Ink::Bad, &format!("{bad} cannot be read")) }
}

/// Returns a row as an object: `error` where the file cannot be read, else what stands in it.
pub(super) fn row_json(shelf: &Shelf, row: &Row) -> Json {
    let text = |text: &Option<String>| text.as_deref().map_or(Json::Null, Json::from);
    let texts = |texts: &[String]| texts.iter().map(|text| text.as_str().into()).collect::<Vec<Json>>().into();
    let mut members = vec![
        ("name".into(), row.spot.name.as_str().into()),
        ("file".into(), row.spot.shown.as_str().into()),
        ("directory".into(), shelf.shown.as_str().into()),
        ("bytes".into(), row.size.into()),
    ];
    match &row.facts {
        Err(error) => members.push(("error".into(), error.to_string().into())),
        Ok(facts) => members.extend([
            ("test".into(), text(&facts.owner)),
            ("recorded".into(), text(&facts.recorded)),
            ("days".into(), facts.age.map_or(Json::Null, Json::from)),
            ("calls".into(), (facts.calls as u64).into()),
            ("models".into(), texts(&facts.models)),
            ("providers".into(), texts(&facts.providers)),
            ("tokens".into(), usage_json(&facts.usage)),
            ("pending".into(), text(&facts.pending)),
        ]),
    }
    Json::Object(members)
}

//! What is done with one file after the other, and how it is told.

use cargo_cassette::presentable::presentable_text;
use cassette_core::json::Json;

use super::super::Found;
use super::super::failure::Failure;
use super::refused::{Refused, refused, refused_json};
use super::waiting::Waiting;
use crate::output::Output;

/// What a verb does with each of its files.
pub(in crate::command) trait Chore {
    /// What was done with one.
    type Done;

    /// Does it; where nothing may change, finds out what would be done.
    fn one(&self, file: &Waiting) -> Result<Self::Done, Refused>;

    /// Returns how many things were done with it.
    fn things(&self, _: &Self::Done) -> usize {
        1
    }

    /// Tells a person what was done.
    fn text(&self, file: &Waiting, done: &Self::Done, output: &mut Output) -> Result<(), Failure>;

    /// Tells a program what was done: in one word, and then with what belongs to it.
    fn json(&self, done: &Self::Done) -> (&'static str, Vec<(&'static str, Json)>);

    /// Returns the name of the file that it is about, as it is shown.
    fn shown(&self, file: &Waiting) -> String {
        file.spot.shown.clone()
    }
}

/// How it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::command) enum Form {
    Text,
    Json,
}

/// What was done with all of them.
pub(in crate::command) struct Told {
    /// Whether a person has to look.
    pub(in crate::command) found: Found,
    /// How many things were done.
    pub(in crate::command) things: usize,
    /// How many files were refused.
    pub(in crate::command) refused: usize,
    /// What is told to a program.
    pub(in crate::command) json: Vec<Json>,
}

/// Does it with each file, and tells a person of it.
pub(in crate::command) fn each<C: Chore>(
    chore: &C,
    files: &[Waiting],
    form: Form,
    output: &mut Output,
) -> Result<Told, Failure> {
    let mut told = Told { found: Found::Nothing, things: 0, refused: 0, json: Vec::new() };
    for file in files {
        let done = chore.one(file);
        if done.is_err() {
            told.found = Found::Something;
        }
        told.refused += usize::from(done.is_err());
        told.things += done.as_ref().map_or(0, |done| chore.things(done));
        match (&done, form) {
            (Ok(done), Form::Text) => chore.text(file, done, output)?,
            (Err(why), Form::Text) => refused(&file.spot, why, output)?,
            (done, Form::Json) => {
                let (outcome, members) = match done {
                    Ok(done) => chore.json(done),
                    Err(why) => ("refused", refused_json(&file.spot, why, output.advice()).into()),
                };
                let shown = chore.shown(file);
                let presented = |text: &str| Json::from(presentable_text(text).as_str());
                let head =
                    [("name", presented(&file.spot.name)), ("file", presented(&shown)), ("outcome", outcome.into())];
                told.json.push(Json::object(head.into_iter().chain(members)));
            }
        }
    }
    Ok(told)
}

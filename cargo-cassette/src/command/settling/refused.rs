//! What is refused, and what to do about it.

use std::path::{Path, PathBuf};

use cargo_cassette::mending::{again, anew, by_command, mending};
use cargo_cassette::presentable::presentable_text;
use cargo_cassette::shelf::{NEWER, Spot, Unreadable, open, readable};
use cassette_core::audit::entries;
use cassette_core::disk::ReadError;
use cassette_core::json::Json;
use cassette_core::mode::Mode;
use cassette_core::pending::Reason;
use cassette_core::rerun::is_doc_test;
use cassette_core::store::StoreError;
use cassette_core::upkeep::Refusal;

use super::super::failure::Failure;
use crate::output::{Advice, Ink, Line, Output};

/// What is refused.
#[derive(Clone, Copy, Debug)]
pub(in crate::command) enum Of<'a> {
    /// A recording that was not taken over, of this test.
    Pending(Option<&'a str>),
    /// A cassette at rest.
    File,
    /// A cassette at rest, of which nothing was to be hidden.
    AsItIs,
}

/// Why a file is left as it is.
#[derive(Debug)]
pub(in crate::command) enum Refused {
    /// A recording that was not taken over, of this test.
    Pending(Refusal, Option<String>),
    /// A cassette at rest.
    File(Refusal),
    /// A cassette at rest, of which nothing was to be hidden.
    AsItIs(Refusal),
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Refused {
        Refused::File(refusal)
    }
}

impl Refused {
    pub(in crate::command) fn parts(&self) -> (&Refusal, Of<'_>) {
        match self {
            Refused::Pending(refusal, test) => (refusal, Of::Pending(test.as_deref())),
            Refused::File(refusal) => (refusal, Of::File),
            Refused::AsItIs(refusal) => (refusal, Of::AsItIs),
        }
    }
}

/// Prints that something is refused, why, and what to do.
pub(in crate::command) fn refused(spot: &Spot, why: &Refused, output: &mut Output) -> Result<(), Failure> {
    let lines = refused_lines(spot, why, output.advice());
    Ok(lines.iter().try_for_each(|line| output.line(line))?)
}

/// Returns the lines that tell that something is refused, why, and what to do.
pub(in crate::command) fn refused_lines(spot: &Spot, why: &Refused, advice: &Advice) -> Vec<Line> {
    let (refusal, of) = why.parts();
    let text = presentable_text(&spot.wrong(&refusal.to_string()));
    let mut told = text.lines();
    let first = Line::of("refuses ").ink(Ink::Strong, &spot.label()).plain(": ");
    let mut lines = vec![first.ink(Ink::Bad, told.next().unwrap_or_default())];
    lines.extend(told.map(Line::of));
    lines.push(
        Line::of("  ").ink(Ink::Faint, &presentable_text(&format!("help: {}", advice.here(&help(spot, refusal, of))))),
    );
    lines
}

/// Returns a refusal as an object's members.
pub(in crate::command) fn refused_json(spot: &Spot, why: &Refused, advice: &Advice) -> [(&'static str, Json); 2] {
    let (refusal, of) = why.parts();
    let help = presentable_text(&advice.here(&help(spot, refusal, of)));
    [("what", presentable_text(&spot.wrong(&refusal.to_string())).as_str().into()), ("help", help.as_str().into())]
}

/// Returns what to do about a refusal.
pub(in crate::command) fn help(spot: &Spot, refusal: &Refusal, of: Of<'_>) -> String {
    let name = &spot.name;
    if spot.is_nameless() {
        return mending(spot, &Unreadable::Nameless);
    }
    let Of::Pending(test) = of else {
        return match refusal {
            Refusal::Leak(_) if matches!(of, Of::AsItIs) => format!("hide it: cargo cassette scrub {}", spot.words()),
            Refusal::Unreadable(ReadError::Damaged(..)) => mending(spot, &Unreadable::Damaged(None, String::new())),
            Refusal::Broken(_) => again(spot, &anew(spot, None)),
            Refusal::Edited(_) => format!(
                "if the change is meant, vouch for it, and hide what is secret: cargo cassette seal {} --scrub",
                spot.words()
            ),
            refusal => help(spot, refusal, Of::Pending(None)),
        };
    };
    let mode = recordable(spot);
    let record = by_command(spot, test, mode)
        .unwrap_or_else(|| format!("CASSETTE_MODE={mode} cargo test{}", test.map(filter).unwrap_or_default()));
    match refusal {
        Refusal::Masked(_) => {
            format!(
                "take the secret out of the prompt, name it in a rule (`redact_field`, `redact_value`), or where it is none, vouch for it in \
                 allow.json with the entry that the test's report has, and record again: {record}"
            )
        }
        Refusal::Unfit(Reason::Denied, _) => {
            format!("let the matcher take each recording for its own request's, then {record}")
        }
        Refusal::Unfit(..) | Refusal::Broken(_) => format!("record again: {record}"),
        Refusal::Meanwhile(_) => format!(
            "record again: {record}; or take this one over all the same: cargo cassette accept --replace {}",
            spot.words()
        ),
        Refusal::Moved => "look at it again: cargo cassette review".to_owned(),
        Refusal::Empty | Refusal::Unreadable(ReadError::Damaged(..)) => {
            format!("remove it: cargo cassette reject {}", spot.words())
        }
        Refusal::Unreadable(ReadError::Newer(..)) => NEWER.to_owned(),
        Refusal::Needed(_) => {
            format!("drop those that take it too, or reject the file: cargo cassette reject {}", spot.words())
        }
        Refusal::Leak(findings) => {
            let entries = entries(findings, name).join(", ");
            format!("hide it by a rule and record again, or, if it is no secret, say why in allow.json: {entries}")
        }
        Refusal::AllowList(_) => "mend allow.json, in which every entry needs a reason".to_owned(),
        Refusal::Storage(StoreError::Locked(_)) => "wait until its test has ended".to_owned(),
        Refusal::Storage(StoreError::Io(file, "read", _)) if *file == spot.shown => readable(file, &spot.path),
        Refusal::Storage(StoreError::Io(file, "read", _)) => readable(file, &beside(spot, file)),
        Refusal::Storage(error) if error.unlinking().is_some() => error.unlinking().unwrap_or_default(),
        _ => "check that the directory can be written".to_owned(),
    }
}

/// Returns the mode that records a cassette again: what stands in its place and cannot be read is recorded over by a refresh alone.
fn recordable(spot: &Spot) -> Mode {
    let steps = spot.name.split('/').count();
    let dir = spot.path.ancestors().nth(steps).unwrap_or(&spot.path);
    // What was not taken over lies in a directory of its own within that of the cassettes.
    let dir = dir.parent().filter(|_| dir.ends_with(".pending")).unwrap_or(dir);
    let file = dir.join(format!("{}.json", spot.name));
    let is_damaged = file.is_file() && open(&file).is_err();
    if is_damaged { Mode::Refresh } else { Mode::Record }
}

/// Returns where a file lies that is shown so, as a cassette's own is shown.
fn beside(spot: &Spot, shown: &str) -> PathBuf {
    let (mut own, mut path) = (Path::new(&spot.shown), spot.path.as_path());
    while own.file_name().is_some() && own.file_name() == path.file_name() {
        (own, path) = (own.parent().unwrap_or(Path::new("")), path.parent().unwrap_or(Path::new("")));
    }
    Path::new(shown).strip_prefix(own).map_or_else(|_| PathBuf::from(shown), |inside| path.join(inside))
}

/// Returns what tells cargo which test alone is meant, `crate::module::function`, behind a space. A doc test does not know its name.
fn filter(test: &str) -> String {
    match test.split_once("::") {
        Some((program, _)) if is_doc_test(program) => " --doc".to_owned(),
        Some((_, test)) => format!(" {test} -- --exact"),
        None => String::new(),
    }
}

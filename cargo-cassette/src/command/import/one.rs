//! One recording on its way to becoming a cassette.

use std::fs;
use std::sync::Arc;

use cargo_cassette::import::{self, Exchange, Format, Imported, Keeping, LeftOut, Place, Refusal};
use cargo_cassette::shelf::{self, Shelf, Spot};
use cassette_core::env;
use cassette_core::name::{Name, NameError};
use cassette_core::redact::Tally;
use cassette_core::report::{Report, Why};
use cassette_core::session::{Owner, Plan};
use cassette_core::settings::Settings;
use cassette_core::store::{Store as _, StoreError};

use super::files::Source;
use crate::output::{count, typed};

/// A recording that became a cassette, or would.
pub(super) struct Done {
    pub(super) spot: Spot,
    pub(super) format: Format,
    pub(super) calls: usize,
    /// What a reader should know about it.
    pub(super) notes: Vec<String>,
    /// What of it was no exchange.
    pub(super) left_out: Vec<LeftOut>,
    /// The rules by which something was hidden, and of each how many values.
    pub(super) hidden: Tally,
    /// The cassette that it takes the place of.
    pub(super) replaced: Option<Replaced>,
}

/// A cassette that makes room.
pub(super) struct Replaced {
    /// The test that owns it, and goes on to.
    pub(super) owner: Option<String>,
}

/// A recording that stays where it is.
#[derive(Debug, Default)]
pub(super) struct Refused {
    pub(super) format: Option<Format>,
    pub(super) line: Option<usize>,
    pub(super) reason: String,
    /// What was found, a line each.
    pub(super) found: Vec<String>,
    /// What to do, where there is something; it may take several lines.
    pub(super) help: Option<String>,
}

/// What became of a recording.
pub(super) type Outcome = Result<Done, Refused>;

/// What takes recordings in.
pub(super) struct Intake {
    shelf: Shelf,
    settings: Settings,
    environment: Vec<(String, String)>,
    force: bool,
    keeping: Keeping,
    /// The names that were given in this run, each with its file.
    given: Vec<(String, String)>,
}

impl Intake {
    pub(super) fn new(shelf: Shelf, settings: Settings, (force, dry_run): (bool, bool)) -> Intake {
        let keeping = if dry_run { Keeping::Nothing } else { Keeping::Saved };
        Intake { shelf, settings, environment: env::of_secrets(), force, keeping, given: Vec::new() }
    }

    /// Takes one in.
    pub(super) fn take(&mut self, source: &Source, name: Result<Name, NameError>) -> Outcome {
        let bytes = fs::read(&source.path).map_err(|error| refused(format!("could not be read: {error}")))?;
        let imported = import::import(&source.path, &bytes)?;
        let Imported { format, exchanges, .. } = &imported;
        let format = *format;
        let outcome =
            self.record(source, &imported, name).map_err(|refused| Refused { format: Some(format), ..refused });
        let (spot, place, replaced) = outcome?;
        self.given.push((spot.name.clone(), source.shown.clone()));
        let hidden = Tally::of(place.written());
        let (calls, notes, left_out) = (exchanges.len(), notes(exchanges), imported.left_out.clone());
        Ok(Done { spot, format, calls, notes, left_out, hidden, replaced })
    }

    fn record(
        &self,
        source: &Source,
        imported: &Imported,
        name: Result<Name, NameError>,
    ) -> Result<(Spot, Place, Option<Replaced>), Refused> {
        let exchanges = &imported.exchanges;
        if exchanges.is_empty() {
            return Err(Refused { line: Some(1), ..refused("there is no exchange in it".to_owned()) });
        }
        let again = format!("cargo cassette import {} --name <NAME>", typed(&source.shown));
        let name =
            name.map_err(|error| helped(format!("its name would be none of a cassette's: {error}"), again.clone()))?;
        let spot = self.shelf.spot(name.as_str());
        self.check_name(&spot, &again)?;
        let place = Place::of(self.shelf.store(), &spot.name, self.keeping).map_err(unwritable)?;
        let replaced = self.make_room(source, &spot, &place)?;
        let words = format!("{} --name {}", typed(&source.shown), typed(&spot.name));
        let plan = import::plan(&spot.name, Arc::new(place.clone()), &words);
        let plan = import::restored(import::settled(plan, &self.settings), imported);
        let plan = Plan { environment: self.environment.clone(), ..plan };
        let plan = match &replaced {
            Some((Replaced { owner: Some(owner) }, registered)) => Plan {
                owner: Owner::Test,
                test: owner.clone(),
                known_tests: registered.then(|| owner.clone()).into_iter().collect(),
                ..plan
            },
            _ => plan,
        };
        match import::record(plan, exchanges) {
            Ok(_) => Ok((spot, place, replaced.map(|(replaced, _)| replaced))),
            Err(report) => Err(told(&report, exchanges)),
        }
    }

    /// Refuses a name that was given in this run, or differs from that of another cassette by case alone.
    fn check_name(&self, spot: &Spot, again: &str) -> Result<(), Refused> {
        if let Some((_, file)) = self.given.iter().find(|(name, _)| *name == spot.name) {
            return Err(helped(format!("`{}` is what {file} has become", spot.name), again.to_owned()));
        }
        let known = self.shelf.cassettes().unwrap_or_default().into_iter().map(|spot| spot.name);
        let mut all = known.chain(self.given.iter().map(|(name, _)| name.clone()));
        match all.find(|known| differs_by_case(known, &spot.name)) {
            Some(known) => {
                let what =
                    format!("`{}` differs from `{known}` only by case, and some file systems hold but one", spot.name);
                Err(helped(what, again.to_owned()))
            }
            None => Ok(()),
        }
    }

    /// Refuses to take the place of what nobody asked to replace, and returns what makes room, with whether its test is annotated.
    fn make_room(&self, source: &Source, spot: &Spot, place: &Place) -> Result<Option<(Replaced, bool)>, Refused> {
        if self.shelf.store().at_rest(&spot.name).is_err() {
            let what = format!("a recording of `{}` is under way", spot.name);
            return Err(helped(what, "wait until its test has ended".to_owned()));
        }
        if place.pending(&spot.name).map_err(unwritable)?.is_some() {
            let pending = place.pending_place(&spot.name);
            let what = format!("a recording of `{}` is pending, {pending}, and is to be settled first", spot.name);
            return Err(helped(what, format!("cargo cassette review {}", typed(&spot.name))));
        }
        let Some(seen) = place.seen() else { return Ok(None) };
        if shelf::is_other(seen) {
            let what = format!("there is {} already, which is not a cassette, and stays", spot.shown);
            return Err(helped(what, format!("cargo cassette import {} --name <NAME>", typed(&source.shown))));
        }
        if !self.force {
            let again = format!("cargo cassette import {} --name", typed(&source.shown));
            let help = format!("{again} <NAME>, or replace it: {again} {} --force", typed(&spot.name));
            return Err(helped(format!("there is {} already", spot.shown), help));
        }
        let head = shelf::read(seen).map(|tape| tape.head).unwrap_or_default();
        Ok(Some((Replaced { owner: head.test }, head.registered)))
    }
}

/// Returns whether two names mean one file, or one directory, where case does not count, and two where it does.
fn differs_by_case(a: &str, b: &str) -> bool {
    let mut segments = a.split('/').zip(b.split('/')).skip_while(|(a, b)| a == b);
    segments.next().is_some_and(|(a, b)| a.to_lowercase() == b.to_lowercase())
}

/// Returns that what is no file cannot be imported: why, and what to do.
pub(super) fn odd((reason, help): (String, String)) -> Refused {
    helped(reason, help)
}

fn refused(reason: String) -> Refused {
    Refused { reason, ..Refused::default() }
}

fn helped(reason: String, help: String) -> Refused {
    Refused { help: Some(help), ..refused(reason) }
}

fn unwritable(error: StoreError) -> Refused {
    helped(error.to_string(), "check the directory, or name another: --dir <DIR>".to_owned())
}

impl From<Refusal> for Refused {
    fn from(Refusal { format, line, reason }: Refusal) -> Refused {
        Refused { format, line, reason, ..Refused::default() }
    }
}

/// Returns why a session did not take it over, and the line where the first finding stands.
fn told(report: &Report, exchanges: &[Exchange]) -> Refused {
    match report {
        Report::Leak(leak) => Refused {
            line: leak.findings.iter().find_map(|finding| line_of(finding, exchanges)),
            reason: format!("the audit has {}, and nothing was written", count(leak.findings.len(), "finding")),
            found: leak.findings.clone(),
            help: Some(leak.help.clone()),
            ..Refused::default()
        },
        Report::Pending(pending) => match &pending.why {
            Why::Unproven(what) => refused(format!("the cassette would not have replayed: {what}")),
            _ => split(report),
        },
        _ => split(report),
    }
}

/// Returns the line of the exchange that a finding of the audit names, `interaction 2, ..`.
fn line_of(finding: &str, exchanges: &[Exchange]) -> Option<usize> {
    let number: usize = finding.strip_prefix("interaction ")?.split(',').next()?.parse().ok()?;
    exchanges.get(number.checked_sub(1)?)?.line
}

/// Takes the text of a report apart.
fn split(report: &Report) -> Refused {
    let text = report.to_string();
    let text = text.strip_prefix(&format!("cassette {}: ", report.code())).unwrap_or(&text);
    let (what, help) = text.split_once("\nhelp: ").map_or((text, None), |(what, help)| (what, Some(help.to_owned())));
    let mut lines = what.lines();
    let reason = lines.next().unwrap_or_default().to_owned();
    Refused { reason, found: lines.map(|line| line.trim().to_owned()).collect(), help, ..Refused::default() }
}

/// Returns what a reader should know, each thing once, with how many calls it is about.
fn notes(exchanges: &[Exchange]) -> Vec<String> {
    let mut notes: Vec<(&str, usize)> = Vec::new();
    for note in exchanges.iter().filter_map(|exchange| exchange.note.as_deref()) {
        match notes.iter_mut().find(|(known, _)| *known == note) {
            Some((_, calls)) => *calls += 1,
            None => notes.push((note, 1)),
        }
    }
    notes.into_iter().map(|(note, calls)| format!("{}: {note}", count(calls, "call"))).collect()
}

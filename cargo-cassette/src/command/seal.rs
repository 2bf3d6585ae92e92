//! `cargo cassette seal`: changes that were made by hand are vouched for.

mod hand_over;

use std::{fmt, io};

use cargo_cassette::comparison::compare;
use cargo_cassette::git::committed;
use cargo_cassette::inspection::{self, Rule};
use cargo_cassette::presentable::presentable;
use cargo_cassette::rules::rules;
use cargo_cassette::seen;
use cargo_cassette::shelf::{self, Shelf, Spot};
use cassette_core::disk;
use cassette_core::env;
use cassette_core::files;
use cassette_core::transcript::transcript;
use cassette_core::upkeep::{Hidden, Known, Refusal, by_environment, scrubbed};
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::diff::{lines, prices};
use super::failure::Failure;
use super::named::{named, shelf_of};
use super::settling::{Of, Run, help};
use super::transcript::{Detail, print};
use crate::output::{Ink, Line, Output};
use hand_over::hand_over;

/// Seal a cassette that was changed by hand, so that it replays
///
/// The interactions that were changed are named. With --dry-run it is shown what would be vouched for: what changed since git's HEAD,
/// or, where that has no such cassette, what the interactions say now. A cassette in which something secret stands is not sealed,
/// unless it is hidden in the same step.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette seal trains --dry-run\n  cargo cassette seal trains --scrub\n\nExit codes: 0 sealed, 2 it could not be done as asked."
)]
pub(crate) struct Seal {
    /// The cassette's name, or a path
    cassette: String,
    /// Hide what is secret in it, as scrub does
    #[arg(long)]
    scrub: bool,
    /// Hand it over to this test, `suite::trains`, where the one that recorded it is no more, or has another cassette
    #[arg(long, value_name = "TEST", conflicts_with = "scrub", value_parser = test_path)]
    owner: Option<String>,
    /// The package of that test, where several have one of its name
    #[arg(long, value_name = "PACKAGE", requires = "owner")]
    package: Option<String>,
    /// Show what would be sealed and what would be vouched for, and write nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
}

/// Reads the path of a test, whose first word is its program.
fn test_path(text: &str) -> Result<String, String> {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '#'));
    let is_path = text.contains("::") && text.split("::").all(is_word);
    is_path.then(|| text.to_owned()).ok_or_else(|| "give its program and its path, as `suite::trains`".to_owned())
}

/// Why a cassette is not sealed.
#[derive(Debug)]
pub(crate) enum SealError {
    /// The file cannot be read or written.
    Io(Spot, io::Error),
    /// It would be no sound cassette.
    Unsound(Spot),
    /// Something secret stands in it: what and where.
    Secret(Spot, Vec<String>),
    /// Several packages may have the test to which it is handed over: its program, they, and what to type.
    Packages(String, Vec<String>, String),
    /// There is no package of this name.
    NoPackage(String, Vec<String>),
    /// It is refused, as it is by whoever mends a cassette.
    Refused(Spot, Refusal),
}

impl fmt::Display for SealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SealError::Io(spot, error) => {
                write!(f, "{}: {error}\nhelp: {}", spot.place(), shelf::readable(&spot.shown, &spot.path))
            }
            SealError::Unsound(spot) => {
                write!(
                    f,
                    "{}: more than its seals is broken\nhelp: see what: cargo cassette lint --files",
                    spot.place()
                )
            }
            SealError::Packages(program, packages, again) => {
                write!(f, "`{program}` is a test program of {}\nhelp: say whose: {again}", packages.join(", "))
            }
            SealError::NoPackage(package, packages) => {
                write!(f, "there is no package `{package}`\nhelp: the packages are {}", packages.join(", "))
            }
            SealError::Refused(spot, refusal) => {
                write!(f, "{}: {refusal}\nhelp: {}", spot.place(), help(spot, refusal, Of::File))
            }
            SealError::Secret(spot, found) => {
                write!(f, "{}: something secret stands in it, and it is not sealed", spot.place())?;
                found.iter().try_for_each(|it| write!(f, "\n  {it}"))?;
                write!(f, "\nhelp: hide it, and seal the rest: cargo cassette seal {} --scrub", spot.typed())
            }
        }
    }
}

pub(crate) fn run(seal: &Seal, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let spot = named(&seal.cassette, around)?;
    let failed = |error| Failure::Seal(SealError::Io(spot.clone(), error));
    let bytes = files::read(&spot.path).map_err(failed)?;
    let refused = |refusal| Failure::Seal(SealError::Refused(spot.clone(), refusal));
    if let Some(owner) = &seal.owner {
        let to = (owner.as_str(), seal.package.as_deref());
        return hand_over(&spot, (&bytes, to), if seal.dry_run { Run::Dry } else { Run::Real }, around, output);
    }
    // What is no text has no seals, and reading it says so.
    let text = str::from_utf8(&bytes).unwrap_or_default();
    let edited = inspection::edited(&spot, text);
    if edited.is_empty() {
        disk::read(&bytes).map_err(|error| refused(Refusal::Unreadable(error)))?;
        if seal.scrub && hides(&spot, text, if seal.dry_run { Run::Dry } else { Run::Real }, around, output)? {
            return Ok(Found::Nothing);
        }
        output.line(&Line::of("nothing was changed since it was recorded"))?;
        return Ok(Found::Nothing);
    }
    let sealed = disk::reseal(text).ok_or_else(|| Failure::Seal(SealError::Unsound(spot.clone())))?;
    let (shelf, name) = shelf_of(&spot, around);
    let sealed = match seal.scrub {
        true => hidden(&sealed, &shelf, &name).map_err(refused)?,
        false => audited(sealed, &shelf, &Spot { name: name.clone(), ..spot.clone() }).map_err(Failure::Seal)?,
    };
    let (verb, run) = if seal.dry_run { ("would seal ", Run::Dry) } else { ("seals ", Run::Real) };
    write(&shelf, &name, &sealed.text, run).map_err(refused)?;
    output.line(&Line::of(verb).ink(Ink::Strong, &spot.place()))?;
    for finding in &edited {
        output.line(&Line::of(&format!("  {}", finding.what)))?;
    }
    places(&sealed, output)?;
    if seal.dry_run {
        vouched(&spot, &sealed.text, output)?;
    }
    Ok(Found::Nothing)
}

/// Hides what is secret in a cassette of which nothing was changed by hand; returns whether anything is.
fn hides(spot: &Spot, text: &str, run: Run, around: &Surroundings, output: &mut Output) -> Result<bool, Failure> {
    let refused = |refusal| Failure::Seal(SealError::Refused(spot.clone(), refusal));
    let (shelf, name) = shelf_of(spot, around);
    let sealed = hidden(text, &shelf, &name).map_err(refused)?;
    if sealed.hidden.is_empty() {
        return Ok(false);
    }
    write(&shelf, &name, &sealed.text, run).map_err(refused)?;
    let verb = if run == Run::Dry { "would scrub " } else { "scrubs " };
    output.line(&Line::of(verb).ink(Ink::Strong, &spot.place()).plain(", of which nothing else was changed"))?;
    places(&sealed, output)?;
    Ok(true)
}

/// Tells what is hidden where, and what follows.
fn places(sealed: &Sealed, output: &mut Output) -> Result<(), Failure> {
    for Hidden { path, rules, .. } in &sealed.hidden {
        output.line(&Line::of("  hides ").plain(path).plain(": ").ink(Ink::Warn, &rules.join(", ")))?;
    }
    Ok(sealed.by_environment.iter().try_for_each(|told| output.line(&Line::of(&format!("  {told}"))))?)
}

/// Shows what is vouched for: what changed since git's HEAD, or, where that has no such cassette, what the interactions say that were
/// changed.
fn vouched(spot: &Spot, sealed: &str, output: &mut Output) -> Result<(), Failure> {
    let before = committed(&spot.path).filter(|bytes| seen::read(bytes).is_ok());
    let Some(comparison) =
        before.and_then(|before| compare(&spot.label(), Some(&before), Some(sealed.as_bytes()), [Some(spot); 2]))
    else {
        return says(spot, output);
    };
    output.gap()?;
    if comparison.is_same() {
        return Ok(output.line(&Line::of("since HEAD nothing is said otherwise"))?);
    }
    output.line(&Line::of("since HEAD"))?;
    Ok(lines(&comparison, &prices(), output.width()).iter().try_for_each(|line| output.line(line))?)
}

/// Shows what the interactions say that were changed.
fn says(spot: &Spot, output: &mut Output) -> Result<(), Failure> {
    let Ok(seen) = seen::of(spot) else { return Ok(()) };
    let tape = presentable(seen.tape, Some(spot));
    output.gap()?;
    output.line(&Line::of("git's HEAD has no such cassette; as it is now"))?;
    for (interaction, exchange) in tape.interactions.iter().zip(&transcript(&tape.interactions)) {
        if seen.by_hand.contains(&exchange.number) {
            print(exchange, interaction, Detail::Brief, output)?;
        }
    }
    Ok(())
}

/// What is to be written, what is hidden in it, and what follows of that.
struct Sealed {
    text: String,
    hidden: Vec<Hidden>,
    by_environment: Option<String>,
}

/// Refuses a text in which something secret stands.
fn audited(text: String, shelf: &Shelf, spot: &Spot) -> Result<Sealed, SealError> {
    let findings = inspection::secrets(&shelf.dir, spot, &text).into_iter();
    let secrets: Vec<_> = findings.filter(|it| it.rule == Rule::Secret).map(|finding| finding.what).collect();
    match secrets.is_empty() {
        true => Ok(Sealed { text, hidden: Vec::new(), by_environment: None }),
        false => Err(SealError::Secret(spot.clone(), secrets)),
    }
}

/// Hides what is secret in a text.
fn hidden(text: &str, shelf: &Shelf, name: &str) -> Result<Sealed, Refusal> {
    let known = Known { rules: rules(&shelf.dir), ..Known::of(&shelf.store(), name, &env::of_secrets())? };
    let scrubbed = scrubbed(text.as_bytes(), &known)?;
    let by_environment = by_environment(text.as_bytes(), &scrubbed, &known, &env::of_secrets());
    let text = scrubbed.document.map_or_else(|| text.to_owned(), |proven| proven.text().to_owned());
    Ok(Sealed { text, hidden: scrubbed.hidden, by_environment })
}

/// Writes the file, while no recording of it is under way.
fn write(shelf: &Shelf, name: &str, text: &str, run: Run) -> Result<(), Refusal> {
    let store = shelf.store();
    match run {
        Run::Dry => Ok(store.at_rest(name).and_then(|()| store.writable(name))?),
        Run::Real => store.undisturbed(name, || Ok(store.vouch(name, text)?)),
    }
}

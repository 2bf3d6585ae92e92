//! What is not as it should be with the cassettes of a directory.

mod beside;
mod hiding;
mod leftovers;

use std::collections::HashMap;
use std::io;
use std::path::Path;

use cassette_core::audit::{audit, masked as masked_in, read_allow_list};
use cassette_core::json::Json;
use cassette_core::redact::{Secrets, TABLE};
use cassette_core::session::RENEWED_AFTER;
use cassette_core::tape::Tape;
use cassette_core::upkeep::Known;
use cassette_core::{env, files};

use crate::lines::Lines;
use crate::listing::Age;
use crate::mending::{anew, conflict, conflicting, from_nothing, mending, test_of};
use crate::presentable::presentable_text as shown;
use crate::rules::rules;
use crate::seen::{is_edited, unsealed};
use crate::shelf::{self, Shelf, Spot, Unreadable};
use beside::{hidden, replaced, unlisted, unmarked};
use hiding::Hiding;
use leftovers::leftovers;

/// One thing that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The file, as it is shown to a person.
    pub file: String,
    /// The line, from 1, where one is known.
    pub line: Option<usize>,
    /// What kind of thing it is.
    pub rule: Rule,
    /// What was found.
    pub what: String,
    /// What to do about it.
    pub help: String,
}

/// What kind of thing is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// A file cannot be read.
    Unreadable,
    /// A merge conflict is left in a file.
    Conflict,
    /// An interaction was changed since it was recorded.
    Edited,
    /// Something secret is left in a file, or something into which nobody can look.
    Secret,
    /// Two recordings of one request have different keys.
    Fingerprint,
    /// A file was written by an older version.
    Format,
    /// A recording is older than it may be, or its day is none.
    Age,
    /// A recording was not taken over.
    Pending,
    /// A file in the directory is nobody's.
    Stray,
    /// No cassette refers to a long leaf any more.
    Blob,
    /// Something secret was taken out of a cassette, so that it does not say what was recorded.
    Masked,
    /// Two tests own one cassette.
    Owners,
    /// No test owns a cassette.
    Orphan,
    /// A test's cassette is not there.
    Missing,
    /// A file of settings says what it cannot.
    Settings,
}

impl Rule {
    /// Returns a short, fixed name.
    pub fn as_str(self) -> &'static str {
        match self {
            Rule::Unreadable => "unreadable",
            Rule::Conflict => "conflict",
            Rule::Edited => "edited",
            Rule::Secret => "secret",
            Rule::Fingerprint => "fingerprint",
            Rule::Format => "format",
            Rule::Age => "age",
            Rule::Pending => "pending",
            Rule::Stray => "stray",
            Rule::Blob => "blob",
            Rule::Masked => "masked",
            Rule::Owners => "owners",
            Rule::Orphan => "orphan",
            Rule::Missing => "missing",
            Rule::Settings => "settings",
        }
    }
}

/// What the files are held against.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Today's date.
    pub today: String,
    /// How many days old a recording may be.
    pub max_age: Option<u64>,
}

/// Returns what is not as it should be with the files of a directory, in their order.
///
/// # Errors
///
/// Fails where the directory cannot be read.
pub fn files(shelf: &Shelf, limits: &Limits) -> io::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    findings.extend(unlisted(shelf));
    let (others, cassettes): (Vec<_>, Vec<_>) =
        shelf.cassettes()?.into_iter().partition(|spot| shelf::holds_other(&spot.path));
    findings.extend(replaced(shelf, &others));
    findings.extend(hidden(shelf)?);
    for spot in cassettes {
        findings.extend(cassette(shelf, &spot, limits));
    }
    let told: Vec<_> = findings.iter().filter(|it| it.rule == Rule::Conflict).map(|it| it.file.clone()).collect();
    findings.extend(unmarked(shelf).into_iter().filter(|it| !told.contains(&it.file)));
    findings.extend(leftovers(shelf, limits)?);
    let half = |shown: &str| {
        let help = shelf.looking("remove it: cargo cassette recover");
        finding(shown, Rule::Stray, "a program was killed while it wrote this file", &help)
    };
    findings.extend(shelf.half_written().iter().map(|(shown, _)| half(shown)));
    let stray = |spot: Spot| {
        let help = format!("remove it if nobody needs it: rm {}", spot.typed());
        finding(&spot.shown, Rule::Stray, "nothing refers to this file", &help)
    };
    findings.extend(shelf.copies()?.into_iter().chain(shelf.pending_others()?).map(stray));
    let blob = |spot: Spot| {
        finding(&spot.shown, Rule::Blob, "no cassette refers to it any more", &shelf.looking("cargo cassette compact"))
    };
    findings.extend(shelf.unreferenced_blobs()?.into_iter().map(blob));
    Ok(findings)
}

fn cassette(shelf: &Shelf, spot: &Spot, limits: &Limits) -> Vec<Finding> {
    if spot.is_nameless() {
        let nameless = Unreadable::Nameless;
        return vec![finding(&spot.shown, Rule::Unreadable, &nameless.to_string(), &mending(spot, &nameless))];
    }
    let text = match files::read(&spot.path).map(String::from_utf8) {
        Ok(Ok(text)) => text,
        Ok(Err(_)) if spot.path.extension().is_none_or(|ending| ending != "zst") => {
            let error = Unreadable::Damaged(None, "the file is no UTF-8".to_owned());
            return vec![finding(&spot.shown, Rule::Unreadable, &error.to_string(), &mending(spot, &error))];
        }
        Ok(Err(_)) | Err(_) => {
            let error = spot.open().err();
            let error = error.unwrap_or_else(|| Unreadable::Io("it could be a moment later".to_owned()));
            return vec![finding(&spot.shown, Rule::Unreadable, &error.to_string(), &mending(spot, &error))];
        }
    };
    let mut findings = secrets(&shelf.dir, spot, &text);
    if let Some(at) = conflict(&text) {
        let help = conflicting(spot, &anew(spot, test_of(&text).as_deref()));
        let found = finding(&spot.shown, Rule::Conflict, "a merge conflict is left in the file", &help);
        findings.push(Finding { line: Some(at + 1), ..found });
        return findings;
    }
    let rerecord = || format!("record it anew: {}", anew(spot, test(&text).as_deref()));
    let lines = Lines::new(&text);
    let masked = |path: String| {
        let line = lines.of(&path);
        let what = format!("something secret was taken out of it at {path}, so that it does not say what was recorded");
        Finding { line, ..finding(&spot.shown, Rule::Masked, &what, &rerecord()) }
    };
    findings.extend(masked_in(&text).into_iter().map(masked));
    // Where more is wrong than that somebody changed it, nobody can vouch for the change.
    let edited = if is_edited(&text) { edited(spot, &text) } else { Vec::new() };
    match shelf::read(text.as_bytes()) {
        Err(error) if edited.is_empty() => {
            findings.push(finding(&spot.shown, Rule::Unreadable, &error.to_string(), &mending(spot, &error)));
        }
        Err(_) => {}
        Ok(tape) => findings.extend(recording(spot, &tape, limits)),
    }
    // What is secret in it has to be hidden before anybody can vouch for the rest.
    let leaks = findings.iter().any(|found| found.rule == Rule::Secret);
    let hiding = |found: Finding| Finding { help: format!("{} --scrub", found.help), ..found };
    findings.extend(edited.into_iter().map(|found| if leaks { hiding(found) } else { found }));
    findings
}

/// Returns what is secret in the text of a cassette, as far as the allow list of this directory does not vouch for it.
pub fn secrets(dir: &Path, spot: &Spot, text: &str) -> Vec<Finding> {
    let list = dir.join("allow.json");
    // What is wrong with the list is told once, and nobody vouches for anything.
    let allowed =
        files::read(&list).ok().and_then(|bytes| read_allow_list(&bytes, &spot.name).ok()).unwrap_or_default();
    let known = Known { rules: rules(dir), secrets: Secrets::new(&env::of_secrets()), allowed };
    let audited = audit(text, &known.rules, &known.secrets, &known.allowed);
    let hiding = Hiding::of(spot, text, if audited.is_empty() { None } else { Some(&known) });
    let (mut findings, lines) = (Vec::new(), Lines::new(text));
    for found in audited {
        let line = found.path.strip_prefix("line ").and_then(|line| line.parse().ok());
        let line = line.or_else(|| lines.of(&found.path));
        let hide = hiding.help(&found.path);
        let help = format!("{hide}; record it anew, or vouch for it in allow.json: {}", found.entry(&spot.name));
        findings.push(Finding { line, ..finding(&spot.shown, Rule::Secret, &found.to_string(), &help) });
    }
    findings
}

/// Returns the interactions that are not as they were sealed.
pub fn edited(spot: &Spot, text: &str) -> Vec<Finding> {
    let lines = Lines::new(text);
    let one = |number: usize| {
        let line = lines.of(&format!("interactions[{}]", number - 1));
        let what = format!("interaction {number} was changed since it was recorded");
        let help = format!("record it anew, or seal it if it is meant: cargo cassette seal {}", spot.words());
        Finding { line, ..finding(&spot.shown, Rule::Edited, &what, &help) }
    };
    unsealed(text).into_iter().map(one).collect()
}

/// Returns the test that a document says it belongs to.
fn test(text: &str) -> Option<String> {
    Json::parse_around(text).ok()?.get("test")?.as_str().map(|test| test.into_owned())
}

fn recording(spot: &Spot, tape: &Tape, limits: &Limits) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut add = |rule, what: &str, help: &str| findings.push(finding(&spot.shown, rule, what, help));
    let refresh = &format!("write it anew: {}", anew(spot, tape.head.test.as_deref()));
    // Digests cannot be made anew, and a mismatch says by which table they were made.
    if tape.head.redaction < TABLE && tape.head.digests.is_none() {
        let what = format!("it was redacted by table {}, and today's is {TABLE}", tape.head.redaction);
        add(Rule::Format, &what, &spot.looking("redact it by today's: cargo cassette scrub"));
    }
    if tape.interactions.iter().any(|interaction| !interaction.key().is_current()) {
        add(
            Rule::Format,
            "its keys are of an older scheme; it replays, only slower",
            &spot.looking("cargo cassette compact"),
        );
    }
    let recorded = tape.head.recorded.as_deref();
    let aged = match (Age::of(recorded, &limits.today), recorded.unwrap_or_default(), limits.max_age) {
        (Age::NoDate, recorded, _) => Some(format!("its day is `{recorded}`, which is no date")),
        (Age::ToCome, recorded, _) => Some(format!("its day is {recorded}, which is still to come")),
        (Age::Days(age), _, Some(most)) if age > most => {
            Some(format!("it was recorded {age} days ago, and {most} are allowed"))
        }
        (Age::Undated, _, Some(most)) => Some(format!("nobody knows how old it is, and {most} days are allowed")),
        _ => None,
    };
    let young = matches!(Age::of(recorded, &limits.today), Age::Days(age) if age <= RENEWED_AFTER);
    let anew = format!("write it anew: {}", from_nothing(spot, tape.head.test.as_deref()));
    aged.iter().for_each(|what| add(Rule::Age, what, if young { &anew } else { refresh }));
    let mut known: HashMap<_, (usize, &str)> = HashMap::new();
    for (i, interaction) in tape.interactions.iter().enumerate() {
        let Some(call) = interaction.call() else { continue };
        let key = interaction.key().as_str();
        let request = (call.kind, &call.name, &call.headers, &call.body);
        let (first, expected) = *known.entry(request).or_insert((i, key));
        if expected != key {
            let what = format!("interactions {} and {} are of one request and have different keys", first + 1, i + 1);
            add(Rule::Fingerprint, &what, refresh);
        }
    }
    findings
}

pub(crate) fn finding(file: &str, rule: Rule, what: &str, help: &str) -> Finding {
    Finding { file: shown(file), line: None, rule, what: shown(what), help: shown(help) }
}

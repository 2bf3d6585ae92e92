//! `cargo cassette scrub`: cassettes at rest are redacted again.

use std::cell::Cell;

use cargo_cassette::rules::rules;
use cassette_core::env;
use cassette_core::json::Json;
use cassette_core::prove::Proven;
use cassette_core::redact::{Rules, TABLE};
use cassette_core::settings;
use cassette_core::upkeep::{Hidden, Known, Scrubbed, by_environment, scrubbed};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::settling::{Chore, Form, Mended, Mending, Refused, Run, Waiting, each, meant, mend, once};
use crate::output::{Ink, Line, Output, count};

/// Redact cassettes again: by today's rules, and with what the environment says is secret
///
/// Every place is told by interaction and path, and no value is printed. What was hidden in a request still matches: the program
/// sends it, and it is hidden there too. What is in the history of the repository stays there: change the key.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette scrub --dry-run\n  cargo cassette scrub trains --field session_token\n\nExit codes: 0 done, 1 something cannot be hidden, 2 it could not be done as asked. To fail a workflow over what would be hidden: cargo cassette lint --files."
)]
pub(crate) struct Scrub {
    #[command(flatten)]
    mending: Mending,
    /// A field whose value is secret: a JSON key, a query or a form field
    #[arg(long, value_name = "NAME", value_parser = field)]
    field: Vec<String>,
    /// A header whose value is secret
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    header: Vec<String>,
    /// Hide e-mail addresses, card numbers and telephone numbers too
    #[arg(long)]
    pii: bool,
}

/// What was hidden in a cassette, or would be.
pub(super) struct Done {
    scrubbed: Scrubbed,
    /// Where a request speaks of what this environment alone says is secret, and what follows.
    by_environment: Option<String>,
}

impl Mended for Done {
    fn document(&self) -> Option<&Proven> {
        self.scrubbed.document.as_ref()
    }
}

pub(crate) fn run(scrub: &Scrub, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let Scrub { mending, .. } = scrub;
    let all = once(meant(mending, around)?);
    let scrubbing = Scrubbing { scrub, hides_asked: Cell::new(false) };
    let told = each(&scrubbing, &all, mending.form(), output)?;
    if mending.form() == Form::Json {
        output.json(&Json::object([("scrubbed", told.json.into())]))?;
    } else {
        let files = all.iter().filter(|it| !it.spot.is_directory()).count();
        let mut what = vec![format!("{} looked at", count(files, "cassette"))];
        what.extend((told.things > 0).then(|| count(told.things, "place")));
        what.extend((told.refused > 0).then(|| format!("{} refused", told.refused)));
        what.extend((what.len() == 1).then(|| "nothing to hide".to_owned()));
        output.line(&Line::of(&what.join(", ")))?;
        if let Some(lines) = unsaid(scrub, &all).filter(|_| scrubbing.hides_asked.get()) {
            let told = "a test hides this too where cassette.toml says so, else it misses:";
            match &lines[..] {
                [line] => output.help("", &format!("{told} {line}"))?,
                lines => {
                    output.help("", told)?;
                    lines.iter().try_for_each(|line| output.line(&Line::of("  ").plain(line)))?;
                }
            }
        }
    }
    Ok(told.found)
}

/// Reads the name of a field.
fn field(text: &str) -> Result<String, String> {
    if settings::is_field_name(text) { Ok(text.to_owned()) } else { Err("give the name of a field".to_owned()) }
}

/// Returns what stands in no settings of a cassette's package and was hidden all the same, as the settings have it, a line each.
fn unsaid(scrub: &Scrub, all: &[Waiting]) -> Option<Vec<String>> {
    let said: Vec<_> = all.iter().map(|cassette| rules(&cassette.shelf.dir)).collect();
    let list = |key: &str, names: &[String], known: &dyn Fn(&Rules, &String) -> bool| {
        let names: Vec<_> = names.iter().filter(|name| !said.iter().all(|rules| known(rules, name))).collect();
        (!names.is_empty()).then(|| format!("{key} = {names:?}"))
    };
    let fields = list("redact_field", &scrub.field, &|rules, name| rules.fields.contains(name));
    let headers =
        list("redact_header", &scrub.header, &|rules, name| rules.headers.contains(&name.to_ascii_lowercase()));
    let pii = (scrub.pii && !said.iter().all(|rules| rules.pii)).then(|| "pii = true".to_owned());
    let lines: Vec<_> = [fields, headers, pii].into_iter().flatten().collect();
    (!lines.is_empty()).then_some(lines)
}

/// Cassettes are scrubbed.
struct Scrubbing<'a> {
    scrub: &'a Scrub,
    /// Whether anything is hidden in what a program asks, which has to be hidden there too for a test to find it.
    hides_asked: Cell<bool>,
}

impl Scrubbing<'_> {
    fn run(&self) -> Run {
        self.scrub.mending.run()
    }
}

impl Chore for Scrubbing<'_> {
    type Done = Done;

    fn one(&self, cassette: &Waiting) -> Result<Done, Refused> {
        let mut known = cassette.known(&cassette.spot.name)?;
        let Scrub { field, header, pii, .. } = self.scrub;
        known.rules.fields.extend(field.iter().cloned());
        known.rules.headers.extend(header.iter().map(|name| name.to_ascii_lowercase()));
        known.rules.pii |= pii;
        let done = |document: &[u8], known: &Known| {
            let scrubbed = scrubbed(document, known)?;
            let by_environment = by_environment(document, &scrubbed, known, &env::of_secrets());
            Ok(Done { scrubbed, by_environment })
        };
        let done = mend(cassette, self.run(), &known, done)?;
        let is_asked =
            |hidden: &Hidden| hidden.path.split_once("].").is_none_or(|(_, member)| !member.starts_with("reply"));
        self.hides_asked.set(self.hides_asked.get() || done.scrubbed.hidden.iter().any(is_asked));
        Ok(done)
    }

    fn things(&self, Done { scrubbed, .. }: &Done) -> usize {
        scrubbed.hidden.len()
    }

    fn text(&self, cassette: &Waiting, done: &Done, output: &mut Output) -> Result<(), Failure> {
        let Done { scrubbed, by_environment } = done;
        if scrubbed.document.is_none() {
            return Ok(());
        }
        let verb = if self.run() == Run::Dry { "would scrub " } else { "scrubs " };
        output.line(&Line::of(verb).ink(Ink::Strong, &cassette.spot.place()))?;
        for Hidden { path, rules, .. } in &scrubbed.hidden {
            output.line(&Line::of("  ").plain(path).plain(": ").ink(Ink::Warn, &rules.join(", ")))?;
        }
        if let Some(older) = scrubbed.older {
            output.line(&Line::of(&format!("  it was redacted by table {older}, and is by today's, {TABLE}")))?;
        }
        by_environment.iter().try_for_each(|told| output.line(&Line::of(&format!("  {told}"))))?;
        Ok(())
    }

    fn json(&self, Done { scrubbed, by_environment }: &Done) -> (&'static str, Vec<(&'static str, Json)>) {
        let outcome = match (scrubbed.document.is_none(), self.run()) {
            (true, _) => "clean",
            (false, Run::Dry) => "would be scrubbed",
            (false, Run::Real) => "scrubbed",
        };
        let place = |Hidden { path, rules, .. }: &Hidden| {
            let rules: Vec<Json> = rules.iter().map(|rule| rule.as_str().into()).collect();
            Json::object([("path", path.as_str().into()), ("rules", rules.into())])
        };
        let mut members = vec![("hidden", scrubbed.hidden.iter().map(place).collect::<Vec<_>>().into())];
        members.extend(scrubbed.older.map(|older| ("older_table", older.into())));
        members.extend(by_environment.as_deref().map(|told| ("by_environment", told.into())));
        (outcome, members)
    }
}

//! `cargo cassette scrub`: cassettes at rest are redacted again.

use cargo_cassette::rules::rules;
use cargo_cassette::shelf::Shelf;
use cassette_core::json::Json;
use cassette_core::prove::Proven;
use cassette_core::redact::Rules;
use cassette_core::settings;
use cassette_core::upkeep::{Hidden, Scrubbed, scrubbed};
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::settling::{Chore, Form, Mended, Mending, Refused, Run, Waiting, chosen, each, mend, waiting};
use crate::output::{Ink, Line, Output, count};

/// Redact cassettes again: by today's rules, and with what the environment says is secret
///
/// Every place is told by interaction and path, and no value is printed. What was hidden in a request still matches: the program
/// sends it, and it is hidden there too. What is in the history of the repository stays there: change the key.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette scrub --dry-run\n  cargo cassette scrub trains --field session_token\n\nExit codes: 0 done, 1 something cannot be hidden, or would be with --dry-run, 2 it could not be done as asked."
)]
pub(crate) struct Scrub {
    #[command(flatten)]
    mending: Mending,
    /// A field whose value is secret: a JSON key, a query or a form field
    #[arg(long, value_name = "NAME", value_parser = field)]
    field: Vec<String>,
    /// A header whose value is secret
    #[arg(long, value_name = "NAME")]
    header: Vec<String>,
    /// Hide e-mail addresses, card numbers and telephone numbers too
    #[arg(long)]
    pii: bool,
}

impl Mended for Scrubbed {
    fn document(&self) -> Option<&Proven> {
        self.document.as_ref()
    }
}

pub(super) fn run(scrub: &Scrub, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let Scrub { mending, .. } = scrub;
    let all = chosen(waiting(around, Shelf::cassettes)?, &mending.cassettes, None, around)?;
    let told = each(scrub, &all, mending.form(), output)?;
    if mending.form() == Form::Json {
        output.json(&Json::object([("scrubbed", told.json.into())]))?;
    } else {
        let files = all.iter().filter(|it| !it.spot.is_directory()).count();
        let mut what = vec![format!("{} looked at", count(files, "cassette"))];
        what.extend((told.things > 0).then(|| count(told.things, "place")));
        what.extend((told.refused > 0).then(|| format!("{} refused", told.refused)));
        what.extend((what.len() == 1).then(|| "nothing to hide".to_owned()));
        output.line(&Line::of(&what.join(", ")))?;
        if let Some(lines) = unsaid(scrub, &all).filter(|_| told.things > 0) {
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

impl Chore for Scrub {
    type Done = Scrubbed;

    fn one(&self, cassette: &Waiting) -> Result<Scrubbed, Refused> {
        let mut known = cassette.known(&cassette.spot.name)?;
        known.rules.fields.extend(self.field.iter().cloned());
        known.rules.headers.extend(self.header.iter().map(|name| name.to_ascii_lowercase()));
        known.rules.pii |= self.pii;
        Ok(mend(cassette, self.mending.run(), &known, scrubbed)?)
    }

    fn finds(&self, scrubbed: &Scrubbed) -> bool {
        self.mending.run() == Run::Dry && !scrubbed.hidden.is_empty()
    }

    fn things(&self, scrubbed: &Scrubbed) -> usize {
        scrubbed.hidden.len()
    }

    fn text(&self, cassette: &Waiting, scrubbed: &Scrubbed, output: &mut Output) -> Result<(), Failure> {
        if scrubbed.hidden.is_empty() {
            return Ok(());
        }
        let verb = if self.mending.run() == Run::Dry { "would scrub " } else { "scrubs " };
        output.line(&Line::of(verb).ink(Ink::Strong, &cassette.spot.place()))?;
        for Hidden { path, rules, .. } in &scrubbed.hidden {
            output.line(&Line::of("  ").plain(path).plain(": ").ink(Ink::Warn, &rules.join(", ")))?;
        }
        Ok(())
    }

    fn json(&self, scrubbed: &Scrubbed) -> (&'static str, Vec<(&'static str, Json)>) {
        let outcome = match (scrubbed.hidden.is_empty(), self.mending.run()) {
            (true, _) => "clean",
            (false, Run::Dry) => "would be scrubbed",
            (false, Run::Real) => "scrubbed",
        };
        let place = |Hidden { path, rules, .. }: &Hidden| {
            let rules: Vec<Json> = rules.iter().map(|rule| rule.as_str().into()).collect();
            Json::object([("path", path.as_str().into()), ("rules", rules.into())])
        };
        (outcome, vec![("hidden", scrubbed.hidden.iter().map(place).collect::<Vec<_>>().into())])
    }
}

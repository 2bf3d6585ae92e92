//! What to do where a recording hides a value that the run sends as it is: recorded anew, it would stand in the file.

use std::collections::BTreeSet;

use super::plan::Plan;
use crate::mode::Mode;
use crate::path::{PartPlace, Path, Step};
use crate::report::{Approximate, Difference, Nature};

impl Plan {
    /// Returns what is to be done before anything is recorded, where one of these differences is a value that was hidden.
    pub(super) fn hide_again<'a>(&self, differences: impl IntoIterator<Item = &'a Difference>) -> Option<String> {
        let mut ways = BTreeSet::new();
        for found in differences {
            if let Some(Nature::InPlain(kinds)) = &found.nature {
                ways.extend(kinds.iter().map(|kind| self.way(kind, found)));
            }
        }
        let ways: Vec<_> = ways.into_iter().collect();
        (!ways.is_empty()).then(|| {
            format!(
                "hide on this run too what was hidden, else a recording has it in plain: {}; if it is no secret",
                ways.join("; ")
            )
        })
    }

    /// Returns what to do after a run that was served answers to other requests.
    pub(super) fn explored(&self, served: &[Approximate]) -> String {
        let differences = served.iter().flat_map(|served| &served.differences);
        let (hidden, record) = (self.hide_again(differences), self.command(Mode::Record));
        let meant = hidden.as_deref().unwrap_or("if the changes are meant");
        format!("these are answers to other requests, so the run proves nothing; {meant}, {record}")
    }

    /// Returns how a value is hidden as the one of this kind was that is missing here.
    fn way(&self, kind: &str, found: &Difference) -> String {
        let value = || self.written("redact_value = [\"..\"]", "redact_value(\"..\")");
        let named = |option: &str, known: &[String]| match field(found.from.as_ref().unwrap_or(&found.path)) {
            // It stands where no name hides it, and what showed it to be secret comes later or not at all.
            name if name.as_ref().is_none_or(|name| known.contains(name)) => value(),
            name => {
                let name = name.unwrap_or_default();
                self.written(&format!("{option} = [{name:?}]"), &format!("{option}({name:?})"))
            }
        };
        match kind {
            "field" => named("redact_field", &self.rules.fields),
            "header" => named("redact_header", &self.rules.headers),
            "value" => value(),
            "email" | "phone" | "card-number" => self.written("pii = true", "pii = true"),
            "custom" => "the function of `redact(..)` that found it".to_owned(),
            _ => {
                "the variable that held it, named as `ACME_API_KEY` or `ACME_TOKEN` is, set to what is sent, eight characters or more".to_owned()
            }
        }
    }

    /// Returns where a rule is written: as a line of settings, and as an option of the attribute where there is a test.
    pub(super) fn written(&self, line: &str, option: &str) -> String {
        match self.rerun.target.is_cargos() {
            true if line == option => format!("`{line}` in cassette.toml or in the attribute"),
            true => format!("`{line}` in cassette.toml, or `{option}` in the attribute"),
            false => format!("`{line}` in cassette.toml"),
        }
    }
}

/// Returns the name of the field at a place: of a member, a header, a parameter or a part.
pub(super) fn field(place: &str) -> Option<String> {
    let member = |steps: &[Step]| {
        let mut names = steps.iter().filter_map(|step| match step {
            Step::Member(name) => Some(name.clone()),
            _ => None,
        });
        names.next_back()
    };
    match place.parse::<Path>().ok()? {
        Path::Line(_) => None,
        Path::Header(name) | Path::Query(name) => Some(name),
        Path::Body(steps) => member(&steps),
        Path::Part(part) => match part.place {
            PartPlace::Header(name) => Some(name),
            PartPlace::Inside(steps) => member(&steps).or(Some(part.name)),
            PartPlace::Whole | PartPlace::Filename => Some(part.name),
        },
    }
}

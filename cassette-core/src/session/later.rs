//! Values in a request that only something later shows to be secret: where they stand, and what hides them from the start.
//!
//! The request is hidden twice, with what is known as it is made and with the values too. Where the two differ a value stands, in
//! whichever part of a request and in whatever coding.

use std::collections::BTreeSet;

use super::Shared;
use super::hide_again::field;
use super::plan::Plan;
use super::rehearse::Line;
use crate::call::Call;
use crate::canonical::Canonical;
use crate::difference::differences;
use crate::matching::Matching;
use crate::redact::detect::names::judge_field;
use crate::redact::{Depth, RedactedCall, Rules, Secret, Secrets, redact_call, redact_recorded, redact_text};
use crate::report::{Difference, Edit, HiddenBy, Late};

/// What a request holds of some values.
pub(super) struct Held<'a> {
    /// Those that stand in it.
    pub(super) values: Vec<&'a str>,
    /// Where, as reports name places. Nothing secret is in them.
    pub(super) places: Vec<String>,
    /// The request with the values hidden.
    pub(super) hidden: RedactedCall,
}

/// Returns the places in a recorded call at which this value stands, as reports name them.
pub(crate) fn places(call: &Call, value: &str) -> Vec<String> {
    let (rules, mut known) = (Rules::default(), Secrets::default());
    let bare = redact_recorded(call, &rules, Depth::Known, &mut known.clone());
    // What is too short to be found again stands nowhere.
    let _ = known.declare(value);
    let hidden = redact_recorded(call, &rules, Depth::Known, &mut known.clone());
    let found = differences(&hidden, &bare, &Matching::default()).found;
    told(found, |path| redact_text(path, &rules, &mut known.clone()))
}

/// Returns where a call and the same call with more hidden in it differ, with nothing secret in the names of the places.
fn told(found: Vec<Difference>, said: impl Fn(&str) -> String) -> Vec<String> {
    let mut places = Vec::new();
    for found in found {
        let place = said(&found.path);
        // What is called by a value is gone under the one name and there under the other: the hidden one is told.
        let is_told = found.edit == Edit::Added && place != found.path;
        if !is_told && !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

impl Shared {
    /// Returns which of these values a call holds that is made where so much is known.
    pub(super) fn held<'a>(&self, call: &Call, known: &Secrets, values: Vec<&'a str>) -> Held<'a> {
        let bare = self.hiding(call, known, &[]);
        let stands = |value: &&str| self.hiding(call, known, &[value]).call() != bare.call();
        let values: Vec<&str> = values.into_iter().filter(stands).collect();
        let hidden = self.hiding(call, known, &values);
        let found = differences(&hidden, &bare, &self.plan.matching).found;
        let places = told(found, |path| self.said(path));
        Held { values, places, hidden }
    }

    /// Returns what is to be told of a call that holds what was not known by then.
    pub(super) fn late(&self, line: &Line, known: &Secrets, held: &Held<'_>) -> Vec<Late> {
        let fields = self.fields(&line.call, known, held);
        let variable = |(_, value): &&(String, String)| held.values.contains(&value.trim());
        let variable = self.plan.environment.iter().filter(|_| held.values.len() == 1).find(variable);
        let otherwise = variable.map_or(HiddenBy::Value, |(name, _)| HiddenBy::Variable(name.clone()));
        let late = |(i, place): (usize, &String)| {
            let by = fields.get(i).map_or_else(|| otherwise.clone(), |name| HiddenBy::Field(name.clone()));
            Late { place: format!("{}: {place}", line.name), by }
        };
        held.places.iter().enumerate().map(late).collect()
    }

    /// Returns the name of the field at each place, where these say by themselves that they are secret, and hiding them hides the
    /// values and nothing else. Nothing otherwise: under another name may stand what the test is about.
    fn fields(&self, call: &Call, known: &Secrets, held: &Held<'_>) -> Vec<String> {
        let names = held.places.iter().map(|place| field(place).filter(|name| judge_field(name).is_some()));
        let Some(names) = names.collect::<Option<Vec<_>>>() else { return Vec::new() };
        let mut rules = self.plan.rules.clone();
        rules.fields.extend(names.iter().cloned());
        let by_name = redact_call(call, &rules, Depth::Known, &mut known.clone());
        let [by_name, by_value] = [&by_name, &held.hidden].map(|call| Canonical::of(call, &self.plan.matching));
        if by_name == by_value { names } else { Vec::new() }
    }

    /// Returns a call in which these values are hidden beside what is known, under the placeholders that they have in this run.
    fn hiding(&self, call: &Call, known: &Secrets, values: &[&str]) -> RedactedCall {
        let mut known = known.clone();
        for value in values {
            if let Some(name) = self.secrets().named(value) {
                known.bind(&Secret::new(value, name), name);
            }
            // What is too short to be found again was not known either.
            let _ = known.declare(value);
        }
        let rules: &Rules = &self.plan.rules;
        redact_call(call, rules, Depth::Known, &mut known)
    }
}

impl Plan {
    /// Returns what hides these values from the start, and nothing else with them.
    pub(super) fn hiding_first(&self, late: &[Late]) -> String {
        let is_cargos = self.rerun.target.is_cargos();
        let (mut fields, mut ways) = (BTreeSet::new(), BTreeSet::new());
        for Late { by, .. } in late {
            match by {
                HiddenBy::Field(name) => drop(fields.insert(format!("{name:?}"))),
                HiddenBy::Variable(name) if is_cargos => {
                    ways.insert(format!("send `cassette.secret(\"{name}\")`, which holds it"));
                }
                _ => drop(ways.insert(self.by_value())),
            }
        }
        if !fields.is_empty() {
            let fields = fields.into_iter().collect::<Vec<_>>().join(", ");
            ways.insert(self.written(&format!("redact_field = [{fields}]"), &format!("redact_field({fields})")));
        }
        ways.into_iter().collect::<Vec<_>>().join("; ")
    }

    /// Returns how a value is hidden by itself.
    fn by_value(&self) -> String {
        let written = self.written("redact_value = [\"..\"]", "redact_value(\"..\")");
        match self.rerun.target.is_cargos() {
            true => format!(
                "by its value, {written}, or where it may stand in no file, `cassette.secret(\"..\")`, which takes it from a variable"
            ),
            false => format!("by its value, {written}"),
        }
    }
}

//! Where in a request a value stands that is shown to be secret later.

use crate::call::Call;
use crate::json::Json;
use crate::path::{Path, Step};

/// Returns the places in a call at which one of these values stands, as reports name them, each with the name that hides it where
/// there is one.
pub(crate) fn places(call: &Call, values: &[&str]) -> Vec<String> {
    let holds = |text: &str| values.iter().any(|value| text.contains(value));
    let mut places = Vec::new();
    let body = String::from_utf8_lossy(&call.body);
    match Json::parse(&body) {
        Ok(document) => in_document(&document, &holds, &mut Vec::new(), &mut places),
        Err(_) => in_pairs(&body, &holds, &mut places),
    }
    let query = call.name.split_once('?').map_or("", |(_, query)| query);
    in_pairs(query, &holds, &mut places);
    places
}

/// Returns the name of a member or a parameter at the end of a place.
pub(super) fn name(place: &str) -> &str {
    let end = place.rsplit(['.', ' ']).next().unwrap_or(place);
    end.split('[').next().unwrap_or(end)
}

fn in_document(value: &Json, holds: &impl Fn(&str) -> bool, steps: &mut Vec<Step>, places: &mut Vec<String>) {
    match value {
        Json::String(text) if holds(&text.value()) => places.push(Path::Body(steps.clone()).to_string()),
        Json::Array(elements) => {
            for (i, element) in elements.iter().enumerate() {
                steps.push(Step::Element(i));
                in_document(element, holds, steps, places);
                steps.pop();
            }
        }
        Json::Object(members) => {
            for (name, value) in members {
                steps.push(Step::Member(name.value().into_owned()));
                in_document(value, holds, steps, places);
                steps.pop();
            }
        }
        _ => {}
    }
}

/// Looks into a query or a form.
fn in_pairs(text: &str, holds: &impl Fn(&str) -> bool, places: &mut Vec<String>) {
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    places.extend(pairs.filter(|(_, value)| holds(value)).map(|(name, _)| name.to_owned()));
}

//! Where the JSON of a value differs from that of the value read back.

use crate::json::{Json, Layout};
use crate::path::Step;
use crate::redact::detect::names::judge_field;

/// How many characters of JSON a value has at most that is shown. A longer one is not: where it is cut, nobody finds what is secret in it.
const SHOWN: usize = 60;

/// What is said of elements that are read back in another order.
pub(super) const SHUFFLED: &str = "its elements have no order of their own, so no recording is like another";

/// When a value is compared with what reads back of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// As it is written: it would come back as another.
    Recording,
    /// As it is served: its type is another than it was.
    Replaying,
}

impl When {
    fn lost(self) -> String {
        let what = match self {
            When::Recording => "it is written, and gone when the value has been read back",
            When::Replaying => "it was recorded, and the type has no place for it",
        };
        what.to_owned()
    }

    fn invented(self) -> String {
        let what = match self {
            When::Recording => "it is not written, and there when the value has been read back",
            When::Replaying => "it was not recorded, and the type makes it up",
        };
        what.to_owned()
    }

    /// Returns what is said of a value that is another, at the end of this way.
    fn changed(self, written: &Json, again: &Json, steps: &[Step]) -> String {
        let is_secret = steps.iter().any(|step| matches!(step, Step::Member(name) if judge_field(name).is_some()));
        let told = |value| if is_secret { kind(value) } else { shown(value) };
        let (written, again) = (told(written), told(again));
        let again = if written == again { "another".to_owned() } else { again };
        match self {
            When::Recording => format!("it is written as {written}, and read back as {again}"),
            When::Replaying => format!("it was recorded as {written}, and reads as {again}"),
        }
    }
}

/// Returns the way to the first place where the two differ, and what is wrong there; the order of members does not count.
pub(super) fn difference(written: &Json, again: &Json, when: When) -> Option<(Vec<Step>, String)> {
    let mut steps = Vec::new();
    let what = differ(written, again, (when, &mut steps))?;
    Some((steps, what))
}

fn differ(written: &Json, again: &Json, (when, steps): (When, &mut Vec<Step>)) -> Option<String> {
    match (written, again) {
        (Json::Object(members), Json::Object(others)) => {
            for (name, value) in members {
                steps.push(Step::Member(name.value().into_owned()));
                let what = match again.get(&name.value()) {
                    Some(other) => differ(value, other, (when, steps)),
                    None => Some(when.lost()),
                };
                if what.is_some() {
                    return what;
                }
                steps.pop();
            }
            let added = others.iter().find(|(name, _)| written.get(&name.value()).is_none())?;
            steps.push(Step::Member(added.0.value().into_owned()));
            Some(when.invented())
        }
        (Json::Array(elements), Json::Array(others)) if elements.len() == others.len() => {
            if elements != others && are_shuffled(elements, others) {
                return Some(SHUFFLED.to_owned());
            }
            for (i, (element, other)) in elements.iter().zip(others).enumerate() {
                steps.push(Step::Element(i));
                let what = differ(element, other, (when, steps));
                if what.is_some() {
                    return what;
                }
                steps.pop();
            }
            None
        }
        _ if written.canonical() == again.canonical() => None,
        _ => Some(when.changed(written, again, steps)),
    }
}

/// Returns whether the same elements stand in another order.
fn are_shuffled(elements: &[Json], others: &[Json]) -> bool {
    let [mut ours, mut theirs] = [elements, others].map(|all| all.iter().map(Json::canonical).collect::<Vec<_>>());
    let differ = ours != theirs;
    ours.sort();
    theirs.sort();
    differ && ours == theirs
}

fn shown(value: &Json) -> String {
    let text = value.print(Layout::Spaced);
    if text.chars().count() > SHOWN { kind(value) } else { text }
}

/// Returns what a value is, and nothing of what it says.
fn kind(value: &Json) -> String {
    match value {
        Json::Null => "null".to_owned(),
        Json::Bool(_) => "a truth value".to_owned(),
        Json::Number(_) => "a number".to_owned(),
        Json::String(text) => format!("a text of length {}", text.value().chars().count()),
        Json::Array(elements) => format!("an array of length {}", elements.len()),
        Json::Object(_) => "an object".to_owned(),
    }
}

//! Where the JSON of a value differs from that of the value read back.

use super::write::Unwritable;
use crate::json::{Json, Layout};
use crate::path::{Path, Step};

/// How many characters of a value are shown.
const SHOWN: usize = 60;

/// Returns the first place where the two differ; the order of members does not count.
pub(super) fn difference(written: &Json, again: &Json) -> Option<Unwritable> {
    let mut steps = Vec::new();
    let what = differ(written, again, &mut steps)?;
    let path = if steps.is_empty() { String::new() } else { Path::Body(steps).to_string() };
    Some(Unwritable { path, what })
}

fn differ(written: &Json, again: &Json, steps: &mut Vec<Step>) -> Option<String> {
    match (written, again) {
        (Json::Object(members), Json::Object(others)) => {
            for (name, value) in members {
                steps.push(Step::Member(name.value().into_owned()));
                let what = match again.get(&name.value()) {
                    Some(other) => differ(value, other, steps),
                    None => Some("it is written, and gone when the value has been read back".to_owned()),
                };
                if what.is_some() {
                    return what;
                }
                steps.pop();
            }
            let added = others.iter().find(|(name, _)| written.get(&name.value()).is_none())?;
            steps.push(Step::Member(added.0.value().into_owned()));
            Some("it is not written, and there when the value has been read back".to_owned())
        }
        (Json::Array(elements), Json::Array(others)) if elements.len() == others.len() => {
            if elements != others && sorted(elements) == sorted(others) {
                return Some("its elements have no order of their own, so no recording is like another".to_owned());
            }
            for (i, (element, other)) in elements.iter().zip(others).enumerate() {
                steps.push(Step::Element(i));
                let what = differ(element, other, steps);
                if what.is_some() {
                    return what;
                }
                steps.pop();
            }
            None
        }
        _ if written.canonical() == again.canonical() => None,
        _ => Some(format!("it is written as {}, and read back as {}", shown(written), shown(again))),
    }
}

fn sorted(elements: &[Json]) -> Vec<String> {
    let mut texts: Vec<_> = elements.iter().map(Json::canonical).collect();
    texts.sort();
    texts
}

fn shown(value: &Json) -> String {
    let text = value.print(Layout::Spaced);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

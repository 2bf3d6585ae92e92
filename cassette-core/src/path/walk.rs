//! Following a path through a document.

use super::{Step, push};
use crate::json::Json;

/// Takes out of the document whatever stands at this path: a member goes, an element becomes `null`, so that those after
/// it keep their positions.
pub(crate) fn leave_out(json: &mut Json, steps: &[Step]) {
    let Some((first, rest)) = steps.split_first() else {
        *json = Json::Null;
        return;
    };
    match (first, json) {
        (Step::Member(name), Json::Object(members)) if rest.is_empty() => members.retain(|(known, _)| !known.is(name)),
        (Step::EachMember, Json::Object(members)) if rest.is_empty() => members.clear(),
        (Step::Member(name), object) => {
            if let Some(value) = object.get_mut(name) {
                leave_out(value, rest);
            }
        }
        (Step::Element(at), Json::Array(elements)) => {
            if let Some(element) = elements.get_mut(*at) {
                leave_out(element, rest);
            }
        }
        (Step::EachElement, Json::Array(elements)) => elements.iter_mut().for_each(|element| leave_out(element, rest)),
        (Step::EachMember, Json::Object(members)) => members.iter_mut().for_each(|(_, value)| leave_out(value, rest)),
        (Step::Anywhere, json) => {
            leave_out(json, rest);
            match json {
                Json::Array(elements) => elements.iter_mut().for_each(|element| leave_out(element, steps)),
                Json::Object(members) => members.iter_mut().for_each(|(_, value)| leave_out(value, steps)),
                _ => {}
            }
        }
        (Step::Inside, json) => {
            // Where nothing is left out, the text stays as it was sent.
            if let Some(whole) = inside(json) {
                let mut inner = whole.clone();
                leave_out(&mut inner, rest);
                if inner != whole {
                    *json = inner.canonical().into();
                }
            }
        }
        _ => {}
    }
}

/// Takes out of the document whatever stands at these paths. An element that is left out at the end of an array goes: what
/// is not compared may be there or not.
pub(crate) fn leave_out_all<'a>(json: &mut Json, paths: impl Iterator<Item = &'a [Step]>) {
    let mut ends: Vec<(usize, &[Step])> = Vec::new();
    for steps in paths {
        leave_out(json, steps);
        if let Some((Step::Element(at), array)) = steps.split_last() {
            ends.push((*at, array));
        }
    }
    // From the last one on: the one before it may come to be the last.
    ends.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    for (at, array) in ends {
        each(json, array, &mut |json| match json {
            Json::Array(elements) if elements.len() == at + 1 => drop(elements.pop()),
            _ => {}
        });
    }
}

/// Puts a value in the place of what stands at this path.
pub(crate) fn put(json: &mut Json, steps: &[Step], value: &Json) {
    each(json, steps, &mut |json| json.clone_from(value));
}

/// Does something with whatever stands at this path.
fn each(json: &mut Json, steps: &[Step], act: &mut dyn FnMut(&mut Json)) {
    let Some((first, rest)) = steps.split_first() else { return act(json) };
    match (first, json) {
        (Step::Member(name), object) => object.get_mut(name).into_iter().for_each(|value| each(value, rest, act)),
        (Step::Element(at), Json::Array(elements)) => {
            elements.get_mut(*at).into_iter().for_each(|element| each(element, rest, act));
        }
        (Step::EachElement, Json::Array(elements)) => elements.iter_mut().for_each(|element| each(element, rest, act)),
        (Step::EachMember, Json::Object(members)) => members.iter_mut().for_each(|(_, value)| each(value, rest, act)),
        (Step::Anywhere, json) => {
            each(json, rest, act);
            match json {
                Json::Array(elements) => elements.iter_mut().for_each(|element| each(element, steps, act)),
                Json::Object(members) => members.iter_mut().for_each(|(_, value)| each(value, steps, act)),
                _ => {}
            }
        }
        (Step::Inside, json) => {
            if let Some(mut inner) = inside(json) {
                each(&mut inner, rest, act);
                *json = inner.canonical().into();
            }
        }
        _ => {}
    }
}

/// Returns what stands at this path, each value with its own place, in the order of the document.
pub(crate) fn select(json: &Json, steps: &[Step]) -> Vec<(String, Json)> {
    let mut found = Vec::new();
    collect(&mut found, String::new(), json, steps);
    found
}

fn collect(found: &mut Vec<(String, Json)>, place: String, json: &Json, steps: &[Step]) {
    let Some((first, rest)) = steps.split_first() else {
        found.push((place, json.clone()));
        return;
    };
    let at = |step: Step| {
        let mut place = place.clone();
        push(&mut place, &step);
        place
    };
    match first {
        Step::Member(name) => {
            if let Some(value) = json.get(name) {
                collect(found, at(first.clone()), value, rest);
            }
        }
        Step::Element(position) => {
            if let Some(element) = json.elements().get(*position) {
                collect(found, at(first.clone()), element, rest);
            }
        }
        Step::EachMember => {
            for (name, value) in json.members() {
                collect(found, at(Step::Member(name.value().into_owned())), value, rest);
            }
        }
        Step::EachElement => {
            for (i, element) in json.elements().iter().enumerate() {
                collect(found, at(Step::Element(i)), element, rest);
            }
        }
        Step::Anywhere => {
            collect(found, place.clone(), json, rest);
            for (i, element) in json.elements().iter().enumerate() {
                collect(found, at(Step::Element(i)), element, steps);
            }
            for (name, value) in json.members() {
                collect(found, at(Step::Member(name.value().into_owned())), value, steps);
            }
        }
        Step::Inside => {
            if let Some(inner) = inside(json) {
                collect(found, at(Step::Inside), &inner, rest);
            }
        }
    }
}

/// Returns the document that a string holds.
fn inside(json: &Json) -> Option<Json> {
    Json::parse(&json.as_str()?).ok()
}

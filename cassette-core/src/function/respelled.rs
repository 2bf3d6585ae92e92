//! Values that spell their own JSON: a recording keeps numbers and texts as they are spelled, and no white space between them.

use super::write::Unwritable;
use crate::json::{Json, Layout};
use crate::path::{Path, Step};

/// Returns where a value is spelled otherwise than a recording spells it, as `serde_json`'s `RawValue` may be.
pub(super) fn respelled(json: &Json, text: &str) -> Option<Unwritable> {
    let mut steps = Vec::new();
    if follow(json, text, &mut steps) == Some("") {
        return None;
    }
    let path = if steps.is_empty() { String::new() } else { Path::Body(steps).to_string() };
    let what = "it has a spelling of its own, such as white space, which would not come back: give it as a text, or as a value";
    Some(Unwritable { path, ..Unwritable::whole(what) })
}

/// Returns what follows a value in the text; nothing where it is spelled otherwise, at the place where the steps stand then.
fn follow<'t>(json: &Json, text: &'t str, steps: &mut Vec<Step>) -> Option<&'t str> {
    match json {
        Json::Object(members) => {
            let mut rest = text.strip_prefix('{')?;
            for (at, (name, value)) in members.iter().enumerate() {
                let spelled = Json::String(name.clone()).print(Layout::Compact);
                rest = comma(rest, at)?.strip_prefix(&*spelled)?.strip_prefix(':')?;
                steps.push(Step::Member(name.value().into_owned()));
                rest = follow(value, rest, steps)?;
                steps.pop();
            }
            rest.strip_prefix('}')
        }
        Json::Array(elements) => {
            let mut rest = text.strip_prefix('[')?;
            for (at, value) in elements.iter().enumerate() {
                rest = comma(rest, at)?;
                steps.push(Step::Element(at));
                rest = follow(value, rest, steps)?;
                steps.pop();
            }
            rest.strip_prefix(']')
        }
        leaf => text.strip_prefix(&*leaf.print(Layout::Compact)),
    }
}

/// Returns what follows the comma before all elements but the first.
fn comma(text: &str, at: usize) -> Option<&str> {
    if at == 0 { Some(text) } else { text.strip_prefix(',') }
}

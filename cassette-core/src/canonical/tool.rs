//! Tools and the choice of one: in one shape, name and description and parameters beside each other.

use super::form::Body;
use super::message;
use super::part::Element;
use crate::json::{Json, Member};

/// Takes the tools out of the body, each in one shape.
pub(super) fn each(body: &mut Body, name: &str, found: &mut Vec<Element>, shape: fn(Json) -> Json) {
    match body.take(name) {
        Some(Json::Array(tools)) if tools.is_empty() => found.push(Element::at(name, message::NONE)),
        Some(Json::Array(tools)) => {
            let tools = tools.into_iter().enumerate();
            found.extend(tools.map(|(i, tool)| Element::at(format!("{name}[{i}]"), shape(tool).canonical())));
        }
        Some(other) => found.push(Element::at(name, format!("{name} {}", other.canonical()))),
        None => {}
    }
}

/// Takes the choice of a tool out of the body.
pub(super) fn choice(body: &mut Body, name: &str, found: &mut Vec<Element>) {
    if let Some(choice) = body.take(name) {
        let choice = match choice {
            Json::String(kind) => Json::object([("type", Json::String(kind))]),
            other => flat(other),
        };
        found.push(Element::at(name, format!("choice {}", choice.canonical())));
    }
}

/// Returns a tool whose definition stands within a member `function`, with nothing beside it but its type, as it would
/// stand without it. A setting beside the two is another than the same within: `strict` counts only there.
pub(super) fn flat(tool: Json) -> Json {
    let is_known = |(name, _): &Member| name.is("type") || name.is("function");
    if tool.members().iter().all(is_known) { lifted(tool, "function") } else { tool }
}

/// Returns a tool whose schema is called `input_schema` with the one that it is called elsewhere.
pub(super) fn schema(tool: Json) -> Json {
    renamed(tool, "input_schema")
}

/// Returns the object with the members of this member of it in its place, unless two would then have one name.
pub(super) fn lifted(json: Json, name: &str) -> Json {
    let Json::Object(mut members) = json else { return json };
    let at = members.iter().position(|(known, value)| known.is(name) && matches!(value, Json::Object(_)));
    let Some(at) = at else { return Json::Object(members) };
    let clashes = |inner: &[Member]| {
        let outer = members.iter().enumerate().filter(|(i, _)| *i != at);
        let outer: Vec<_> = outer.map(|(_, (name, _))| name.canonical()).collect();
        inner.iter().any(|(name, _)| outer.contains(&name.canonical()))
    };
    if clashes(members[at].1.members()) {
        return Json::Object(members);
    }
    if let Json::Object(inner) = members.remove(at).1 {
        members.extend(inner);
    }
    Json::Object(members)
}

/// Returns the object with this member called `parameters`, unless there is one already.
pub(super) fn renamed(json: Json, name: &str) -> Json {
    let Json::Object(mut members) = json else { return json };
    if !members.iter().any(|(known, _)| known.is("parameters")) {
        members.iter_mut().filter(|(known, _)| known.is(name)).for_each(|(known, _)| *known = "parameters".into());
    }
    Json::Object(members)
}

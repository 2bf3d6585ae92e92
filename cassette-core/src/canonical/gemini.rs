//! Gemini and Vertex: `generateContent` and its kin, read in camel case whichever way it is spelled.

use super::form::{Body, Form};
use super::gemini_fields::is_field;
use super::part::Element;
use super::{message, plain};
use crate::json::{Json, Member};
use crate::path::Step;

/// `generateContent`, `streamGenerateContent`, `embedContent`, `countTokens`, `predict`.
pub(super) const FORM: Form = Form {
    model: &["model"],
    messages: |body, found| {
        message::single(body, "systemInstruction", found);
        message::each(body, "contents", found, |_| {});
        plain::given(body, &["content", "requests", "instances", "generateContentRequest", "batch"], found);
    },
    tools: Some(|body, found| {
        tools(body, found);
        message::single(body, "toolConfig", found);
    }),
    output_schema: &[
        "generationConfig.responseMimeType",
        "generationConfig.responseSchema",
        "generationConfig.responseJsonSchema",
        "generationConfig.responseFormat",
    ],
    reasoning: &["generationConfig.thinkingConfig"],
    sampling: &[
        "generationConfig.temperature",
        "generationConfig.topP",
        "generationConfig.topK",
        "generationConfig.maxOutputTokens",
        "generationConfig.seed",
        "generationConfig.presencePenalty",
        "generationConfig.frequencyPenalty",
    ],
    streams: false,
};

/// Takes the tools; the declarations of several entries make up one list.
fn tools(body: &mut Body, found: &mut Vec<Element>) {
    match body.take("tools") {
        Some(Json::Array(tools)) if tools.is_empty() => found.push(Element::at("tools", message::NONE)),
        Some(Json::Array(tools)) => tools.into_iter().enumerate().for_each(|(i, tool)| entry(i, &tool, found)),
        Some(other) => found.push(Element::at("tools", format!("tools {}", other.canonical()))),
        None => {}
    }
}

fn entry(i: usize, tool: &Json, found: &mut Vec<Element>) {
    let is_list = |(name, value): &&Member| name.is("functionDeclarations") && !value.elements().is_empty();
    let Some((_, declared)) = tool.members().iter().find(is_list) else {
        found.push(Element::at(format!("tools[{i}]"), format!("tool {}", tool.canonical())));
        return;
    };
    let place = |n: usize| format!("tools[{i}].functionDeclarations[{n}]");
    let each = declared.elements().iter().enumerate();
    found.extend(each.map(|(n, function)| Element::at(place(n), function.canonical())));
    let beside: Vec<_> = tool.members().iter().filter(|member| !is_list(member)).cloned().collect();
    if !beside.is_empty() {
        found.push(Element::at(format!("tools[{i}]"), format!("beside {}", Json::Object(beside).canonical())));
    }
}

/// Members in which names are the user's own: arguments, results, JSON schemas, labels, headers of a tool's server.
const FREE: &[&str] = &[
    "args",
    "customMetadata",
    "default",
    "enum",
    "example",
    "headers",
    "instances",
    "labels",
    "metadata",
    "parametersJsonSchema",
    "partMetadata",
    "response",
    "responseJsonSchema",
];

/// Members whose members are the user's names, with values that are not.
const NAMED: &[&str] = &["defs", "properties"];

/// Spells every name of the API in camel case: the JSON form of Protocol Buffers takes a field under either spelling, and
/// servers treat the two as one. Only names that are known for the API's are touched, so that what is the user's own stays,
/// and so does a field that stands there in both. A known field that is null goes: that form gives it the meaning of one that
/// is not there.
pub(super) fn camel(json: &mut Json) {
    match json {
        Json::Array(elements) => elements.iter_mut().for_each(camel),
        Json::Object(members) => {
            let holds =
                |value: &Json, name: &str| !matches!(value, Json::Null) || FREE.contains(&name) || !is_field(name);
            members.retain(|(name, value)| holds(value, &camelled(&name.value())));
            let with_instances = members.iter().any(|(name, _)| name.is("instances"));
            let renamed: Vec<String> = members.iter().map(|(name, _)| camelled(&name.value())).collect();
            let alone = |i: usize| renamed.iter().filter(|name| **name == renamed[i]).count() == 1;
            for (i, (name, value)) in members.iter_mut().enumerate() {
                let (spelled, is_field) = (renamed[i].as_str(), is_field(&renamed[i]));
                if is_field && !name.is(spelled) && alone(i) {
                    *name = spelled.into();
                }
                match value {
                    _ if !is_field || FREE.contains(&spelled) || (spelled == "parameters" && with_instances) => {}
                    Json::Object(inner) if NAMED.contains(&spelled) => {
                        inner.iter_mut().for_each(|(_, value)| camel(value));
                    }
                    value => camel(value),
                }
            }
        }
        _ => {}
    }
}

/// Returns a path as it leads through a request in camel case.
pub(super) fn camel_path(steps: &[Step]) -> Vec<Step> {
    let mut free = false;
    let mut named = false;
    let one = |step: &Step| match step {
        Step::Member(name) if !free && !named => {
            let spelled = camelled(name);
            let known = is_field(&spelled);
            free = !known || FREE.contains(&spelled.as_str());
            named = NAMED.contains(&spelled.as_str());
            Step::Member(if known { spelled } else { name.clone() })
        }
        other => {
            named = false;
            other.clone()
        }
    };
    steps.iter().map(one).collect()
}

/// Returns a name in snake case as it is in camel case; any other name as it is.
fn camelled(name: &str) -> String {
    let is_snake = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        && !name.contains("__")
        && !name.ends_with('_');
    if !is_snake {
        return name.to_owned();
    }
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |said, word| {
        let (initial, rest) = word.split_at(1.min(word.len()));
        said + &initial.to_ascii_uppercase() + rest
    })
}

//! Gemini and Vertex: `generateContent` and its kin, read in camel case whichever way it is spelled.

use super::form::{Body, Form};
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
        plain::given(body, &["content", "requests", "instances"], found);
    },
    tools: |body, found| {
        tools(body, found);
        message::single(body, "toolConfig", found);
    },
    output_schema: &[
        "generationConfig.responseMimeType",
        "generationConfig.responseSchema",
        "generationConfig.responseJsonSchema",
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
        "generationConfig.stopSequences",
    ],
    streams: false,
};

/// Takes the tools; the declarations of several entries make up one list.
fn tools(body: &mut Body, found: &mut Vec<Element>) {
    match body.take("tools") {
        Some(Json::Array(tools)) if tools.is_empty() => found.push(Element::at("tools", "none")),
        Some(Json::Array(tools)) => tools.into_iter().enumerate().for_each(|(i, tool)| entry(i, &tool, found)),
        Some(other) => found.push(Element::at("tools", format!("tools {}", other.canonical()))),
        None => {}
    }
}

fn entry(i: usize, tool: &Json, found: &mut Vec<Element>) {
    if let [(name, Json::Array(declared))] = tool.members()
        && name.is("functionDeclarations")
        && !declared.is_empty()
    {
        let place = |n: usize| format!("tools[{i}].functionDeclarations[{n}]");
        let declared = declared.iter().enumerate();
        found.extend(declared.map(|(n, function)| Element::at(place(n), function.canonical())));
        return;
    }
    found.push(Element::at(format!("tools[{i}]"), format!("tool {}", tool.canonical())));
}

/// Members in which names are the user's own: arguments, results, JSON schemas, labels, headers of a tool's server.
const FREE: &[&str] = &[
    "args",
    "customMetadata",
    "default",
    "example",
    "headers",
    "instances",
    "labels",
    "metadata",
    "parametersJsonSchema",
    "response",
    "responseJsonSchema",
];

/// The member whose members are the user's names, with values that are not.
const NAMED: &str = "properties";

/// Spells every name of the API in camel case: the JSON form of Protocol Buffers takes a field under either spelling, and
/// servers treat the two as one. Names that are the user's own stay, and so does a field that stands there in both. A field
/// that is null goes: that form gives it the meaning of one that is not there.
pub(super) fn camel(json: &mut Json) {
    match json {
        Json::Array(elements) => elements.iter_mut().for_each(camel),
        Json::Object(members) => {
            members.retain(|(name, value)| {
                !matches!(value, Json::Null) || FREE.contains(&camelled(&name.value()).as_str())
            });
            let free = |name: &str| FREE.contains(&name) || (name == "parameters" && members_has(members, "instances"));
            let frees: Vec<bool> = members.iter().map(|(name, _)| free(&camelled(&name.value()))).collect();
            let renamed: Vec<String> = members.iter().map(|(name, _)| camelled(&name.value())).collect();
            let alone = |i: usize| renamed.iter().filter(|name| **name == renamed[i]).count() == 1;
            for (i, (name, value)) in members.iter_mut().enumerate() {
                if !name.is(&renamed[i]) && alone(i) {
                    *name = renamed[i].as_str().into();
                }
                match value {
                    _ if frees[i] => {}
                    Json::Object(inner) if renamed[i] == NAMED => inner.iter_mut().for_each(|(_, value)| camel(value)),
                    value => camel(value),
                }
            }
        }
        _ => {}
    }
}

fn members_has(members: &[Member], wanted: &str) -> bool {
    members.iter().any(|(name, _)| name.is(wanted))
}

/// Returns a path as it leads through a request in camel case.
pub(super) fn camel_path(steps: &[Step]) -> Vec<Step> {
    let mut free = false;
    let mut named = false;
    let one = |step: &Step| match step {
        Step::Member(name) if !free && !named => {
            let name = camelled(name);
            free = FREE.contains(&name.as_str());
            named = name == NAMED;
            Step::Member(name)
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

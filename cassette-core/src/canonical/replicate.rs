//! Replicate: predictions.

use super::form::{Body, Form};
use super::part::Element;
use super::plain;
use crate::json::Json;
use crate::path;

/// A model by its version, or by its path. What it takes is its own and all of it what it is given; of sampling, language
/// models agree on the names.
pub(super) const FORM: Form = Form {
    model: &["version", "model"],
    messages: input,
    sampling: &[
        "input.temperature",
        "input.top_p",
        "input.top_k",
        "input.max_tokens",
        "input.max_new_tokens",
        "input.max_completion_tokens",
        "input.seed",
        "input.presence_penalty",
        "input.frequency_penalty",
    ],
    ..plain::FORM
};

fn input(body: &mut Body, found: &mut Vec<Element>) {
    match body.take("input") {
        Some(Json::Object(members)) if !members.is_empty() => {
            let mut each: Vec<_> = members
                .iter()
                .map(|(name, value)| {
                    let text = format!("input {}:{}", Json::String(name.clone()).canonical(), value.canonical());
                    Element::at(path::member("input", &name.value()), text)
                })
                .collect();
            each.sort();
            found.extend(each);
        }
        Some(other) => {
            body.put("input", other);
            plain::given(body, &["input"], found);
        }
        None => {}
    }
}

//! Hugging Face: a task of its inference, and text generation.

use super::form::Form;
use super::plain;

pub(super) const FORM: Form = Form {
    output_schema: &["parameters.grammar"],
    sampling: &[
        "parameters.temperature",
        "parameters.top_p",
        "parameters.top_k",
        "parameters.typical_p",
        "parameters.max_new_tokens",
        "parameters.seed",
        "parameters.repetition_penalty",
    ],
    ..plain::FORM
};

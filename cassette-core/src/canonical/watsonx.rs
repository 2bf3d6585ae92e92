//! watsonx: its text generation. Its chat is OpenAI's.

use super::form::Form;
use super::plain;

/// Text generation of watsonx.
pub(super) const FORM: Form = Form {
    sampling: &[
        "parameters.temperature",
        "parameters.top_p",
        "parameters.top_k",
        "parameters.max_new_tokens",
        "parameters.random_seed",
        "parameters.repetition_penalty",
    ],
    ..plain::FORM
};

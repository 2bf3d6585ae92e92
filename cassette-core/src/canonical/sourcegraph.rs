//! Sourcegraph: completions, as Cody asks for them.

use super::form::Form;
use super::{message, openai, plain};

/// Completions of Sourcegraph.
pub(super) const FORM: Form = Form {
    model: &["model"],
    messages: |body, found| message::each(body, "messages", found, |_| {}),
    tools: Some(openai::chat_tools),
    sampling: &["temperature", "topP", "topK", "maxTokensToSample"],
    ..plain::FORM
};

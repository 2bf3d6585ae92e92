//! Smaller languages, each of one provider: Mistral conversations, watsonx, Replicate, Sourcegraph.

use super::form::Form;
use super::{message, openai, plain, tool};

/// Mistral conversations: what is said is added to what is kept.
pub(super) const MISTRAL_CONVERSATIONS: Form = Form {
    model: &["model", "agent_id"],
    messages: |body, found| {
        message::single(body, "instructions", found);
        plain::given(body, &["inputs"], found);
    },
    tools: |body, found| {
        tool::each(body, "tools", found, tool::flat);
        tool::choice(body, "completion_args.tool_choice", found);
    },
    output_schema: &["completion_args.response_format"],
    reasoning: &["completion_args.reasoning_effort"],
    sampling: &[
        "completion_args.temperature",
        "completion_args.top_p",
        "completion_args.max_tokens",
        "completion_args.random_seed",
        "completion_args.presence_penalty",
        "completion_args.frequency_penalty",
        "completion_args.stop",
    ],
    streams: false,
};

/// Text generation of watsonx.
pub(super) const WATSONX: Form = Form {
    sampling: &[
        "parameters.temperature",
        "parameters.top_p",
        "parameters.top_k",
        "parameters.max_new_tokens",
        "parameters.random_seed",
        "parameters.repetition_penalty",
        "parameters.stop_sequences",
    ],
    ..plain::FORM
};

/// Predictions of Replicate: a model by its version, or by its path; its input is its own, but language models agree.
pub(super) const REPLICATE: Form = Form {
    model: &["version", "model"],
    messages: |body, found| {
        let words = ["input.system_prompt", "input.prompt", "input.messages", "input.image", "input.negative_prompt"];
        plain::given(body, &words, found);
    },
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
        "input.stop_sequences",
    ],
    ..plain::FORM
};

/// Completions of Sourcegraph.
pub(super) const SOURCEGRAPH: Form = Form {
    model: &["model"],
    messages: |body, found| message::each(body, "messages", found, |_| {}),
    tools: openai::chat_tools,
    sampling: &["temperature", "topP", "topK", "maxTokensToSample", "stopSequences"],
    ..plain::FORM
};

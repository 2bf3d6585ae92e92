//! The volatile slots of each dialect, from the providers' API references and from recorded traffic of each.
//!
//! Counts of tokens, finish reasons, texts, names and arguments are facts and stand in no table. A value that a
//! reference calls opaque and that differs although the same was said (a signature of what was thought, encrypted
//! reasoning) is an id: it comes back in the next request.

use super::Slot;
use super::Volatile::{Free, Id, Padding};
use crate::dialect::Dialect;

/// Returns the tables of a dialect.
pub(super) fn of(dialect: Dialect) -> &'static [&'static [Slot]] {
    match dialect {
        Dialect::OpenAiChat | Dialect::OpenAiCompletions => &[ENVELOPE, CHAT, MEASURES],
        Dialect::OpenAiResponses => &[ENVELOPE, RESPONSES, MEASURES],
        Dialect::Anthropic => &[ENVELOPE, ANTHROPIC],
        Dialect::Gemini => &[GEMINI],
        Dialect::BedrockConverse => &[BEDROCK],
        Dialect::BedrockInvoke => &[BEDROCK, ENVELOPE, ANTHROPIC, CHAT, COHERE],
        Dialect::CohereV1 | Dialect::CohereV2 | Dialect::CohereEmbed => &[COHERE],
        Dialect::Ollama => &[OLLAMA],
        Dialect::HuggingFace => &[ENVELOPE, HUGGING_FACE],
        Dialect::OpenAiEmbeddings | Dialect::OpenAiImages | Dialect::OpenAiAudio | Dialect::OpenAiModeration => {
            &[ENVELOPE, MEASURES]
        }
        Dialect::OpenAiAssistants => &[ENVELOPE, ASSISTANTS],
        Dialect::GeminiInteractions => &[INTERACTIONS],
        Dialect::MistralConversations => &[ENVELOPE, CONVERSATIONS],
        Dialect::Watsonx => &[ENVELOPE],
        Dialect::Replicate => &[ENVELOPE, REPLICATE],
        Dialect::MistralOcr | Dialect::Sourcegraph => &[],
    }
}

/// What almost every reply is wrapped in. `p` is Mistral's padding, `padding` Copilot's, `obfuscation` OpenAI's
/// (`stream_options.include_obfuscation`).
const ENVELOPE: &[Slot] = &[
    ("id", Id),
    ("request_id", Id),
    ("created", Free),
    ("created_at", Free),
    ("system_fingerprint", Free),
    ("obfuscation", Padding),
    ("padding", Padding),
    ("p", Padding),
];

/// OpenAI chat completions and their like (platform.openai.com, API reference "Chat"): OpenRouter's
/// `reasoning_details`, Together's and Groq's `seed` of their own choice.
const CHAT: &[Slot] = &[
    ("choices[].message.tool_calls[].id", Id),
    ("choices[].delta.tool_calls[].id", Id),
    ("choices[].message.audio.id", Id),
    ("choices[].message.audio.expires_at", Free),
    ("choices[].delta.audio.id", Id),
    ("choices[].delta.audio.expires_at", Free),
    ("choices[].message.reasoning_details[].id", Id),
    ("choices[].message.reasoning_details[].signature", Id),
    ("choices[].message.reasoning_details[].data", Id),
    ("choices[].delta.reasoning_details[].id", Id),
    ("choices[].delta.reasoning_details[].signature", Id),
    ("choices[].delta.reasoning_details[].data", Id),
    ("choices[].seed", Free),
    ("x_groq.id", Id),
    ("x_groq.seed", Free),
];

/// How long the service took: Groq's `usage`, llama.cpp's `timings`, mistral.rs' rates, Azure's `latency_checkpoint`.
const MEASURES: &[Slot] = &[
    ("usage.queue_time", Free),
    ("usage.prompt_time", Free),
    ("usage.completion_time", Free),
    ("usage.total_time", Free),
    ("usage.total_time_sec", Free),
    ("usage.total_prompt_time_sec", Free),
    ("usage.total_completion_time_sec", Free),
    ("usage.avg_tok_per_sec", Free),
    ("usage.avg_prompt_tok_per_sec", Free),
    ("usage.avg_compl_tok_per_sec", Free),
    ("x_groq.usage.queue_time", Free),
    ("x_groq.usage.prompt_time", Free),
    ("x_groq.usage.completion_time", Free),
    ("x_groq.usage.total_time", Free),
    ("timings.prompt_ms", Free),
    ("timings.prompt_per_token_ms", Free),
    ("timings.prompt_per_second", Free),
    ("timings.predicted_ms", Free),
    ("timings.predicted_per_token_ms", Free),
    ("timings.predicted_per_second", Free),
    ("latency_checkpoint.engine_tbt_ms", Free),
    ("latency_checkpoint.engine_ttft_ms", Free),
    ("latency_checkpoint.engine_ttlt_ms", Free),
    ("latency_checkpoint.pre_inference_ms", Free),
    ("latency_checkpoint.service_tbt_ms", Free),
    ("latency_checkpoint.service_ttft_ms", Free),
    ("latency_checkpoint.service_ttlt_ms", Free),
    ("latency_checkpoint.total_duration_ms", Free),
    ("latency_checkpoint.user_visible_ttft_ms", Free),
];

/// OpenAI Responses (API reference "Responses" and "Streaming events"); an event repeats a response or an item.
const RESPONSES: &[Slot] = &[
    ("completed_at", Free),
    ("metadata.system_fingerprint", Free),
    ("previous_response_id", Id),
    ("conversation.id", Id),
    ("output[].id", Id),
    ("output[].call_id", Id),
    ("output[].approval_request_id", Id),
    ("output[].container_id", Id),
    ("output[].caller.caller_id", Id),
    ("output[].encrypted_content", Id),
    ("output[].content[].annotations[].container_id", Id),
    ("tools[].environment.container_id", Id),
    ("item_id", Id),
    ("item.id", Id),
    ("item.call_id", Id),
    ("item.approval_request_id", Id),
    ("item.container_id", Id),
    ("item.caller.caller_id", Id),
    ("item.encrypted_content", Id),
    ("item.content[].annotations[].container_id", Id),
    ("part.annotations[].container_id", Id),
    ("annotation.container_id", Id),
];

/// Anthropic messages (API reference "Messages", "Streaming", "Message batches").
const ANTHROPIC: &[Slot] = &[
    ("content[].id", Id),
    ("content[].tool_use_id", Id),
    ("content[].caller.tool_id", Id),
    ("content[].signature", Id),
    ("content[].data", Id),
    ("content[].citations[].encrypted_index", Id),
    ("content[].content[].encrypted_content", Id),
    ("content[].content.retrieved_at", Free),
    ("content_block.id", Id),
    ("content_block.tool_use_id", Id),
    ("content_block.caller.tool_id", Id),
    ("content_block.signature", Id),
    ("content_block.data", Id),
    ("content_block.content[].encrypted_content", Id),
    ("content_block.content.retrieved_at", Free),
    ("delta.signature", Id),
    ("delta.citation.encrypted_index", Id),
    ("container.id", Id),
    ("container.expires_at", Free),
    ("delta.container.id", Id),
    ("delta.container.expires_at", Free),
    ("expires_at", Free),
    ("ended_at", Free),
    ("archived_at", Free),
    ("cancel_initiated_at", Free),
];

/// Gemini and Vertex (ai.google.dev, `GenerateContentResponse`).
const GEMINI: &[Slot] = &[
    ("responseId", Id),
    ("createTime", Free),
    ("candidates[].content.parts[].thoughtSignature", Id),
    ("candidates[].content.parts[].functionCall.id", Id),
    ("candidates[].content.parts[].toolCall.id", Id),
];

/// Bedrock `converse` and the frames of `invoke` (Bedrock API reference, `ConverseStream`): an event's name comes first.
const BEDROCK: &[Slot] = &[
    ("output.message.content[].toolUse.toolUseId", Id),
    ("output.message.content[].reasoningContent.reasoningText.signature", Id),
    ("output.message.content[].reasoningContent.redactedContent", Id),
    ("metrics.latencyMs", Free),
    ("contentBlockStart.start.toolUse.toolUseId", Id),
    ("contentBlockStart.start.toolResult.toolUseId", Id),
    ("contentBlockDelta.delta.reasoningContent.signature", Id),
    ("contentBlockDelta.delta.reasoningContent.redactedContent", Id),
    ("metadata.metrics.latencyMs", Free),
    ("amazon-bedrock-invocationMetrics.invocationLatency", Free),
    ("amazon-bedrock-invocationMetrics.firstByteLatency", Free),
    ("messageStart.p", Padding),
    ("contentBlockStart.p", Padding),
    ("contentBlockDelta.p", Padding),
    ("contentBlockStop.p", Padding),
    ("messageStop.p", Padding),
    ("metadata.p", Padding),
    ("chunk.p", Padding),
    ("**.guardrailProcessingLatency", Free),
];

/// Cohere, both versions (docs.cohere.com, "Chat", "Embed", "Rerank").
const COHERE: &[Slot] = &[
    ("id", Id),
    ("response_id", Id),
    ("generation_id", Id),
    ("generations[].id", Id),
    ("tool_calls[].id", Id),
    ("delta.message.tool_calls.id", Id),
];

/// Ollama's own API (`docs/api.md` of its repository): durations are nanoseconds.
const OLLAMA: &[Slot] = &[
    ("created_at", Free),
    ("total_duration", Free),
    ("load_duration", Free),
    ("prompt_eval_duration", Free),
    ("eval_duration", Free),
    ("message.tool_calls[].id", Id),
    ("message.tool_calls[].function.id", Id),
];

/// Hugging Face text generation: a seed of the server's own choice.
const HUGGING_FACE: &[Slot] = &[("details.seed", Free)];

/// OpenAI Assistants, version 2 (API reference "Runs", "Run steps", "Messages").
const ASSISTANTS: &[Slot] = &[
    ("thread_id", Id),
    ("run_id", Id),
    ("started_at", Free),
    ("expires_at", Free),
    ("cancelled_at", Free),
    ("failed_at", Free),
    ("completed_at", Free),
    ("required_action.submit_tool_outputs.tool_calls[].id", Id),
    ("step_details.message_creation.message_id", Id),
    ("step_details.tool_calls[].id", Id),
    ("delta.step_details.message_creation.message_id", Id),
    ("delta.step_details.tool_calls[].id", Id),
];

/// Gemini interactions (ai.google.dev, `Interaction`); an event repeats an interaction or an output.
const INTERACTIONS: &[Slot] = &[
    ("id", Id),
    ("created", Free),
    ("updated", Free),
    ("previous_interaction_id", Id),
    ("outputs[].id", Id),
    ("outputs[].call_id", Id),
    ("outputs[].signature", Id),
    ("event_id", Id),
    ("interaction_id", Id),
    ("interaction.id", Id),
    ("interaction.created", Free),
    ("interaction.updated", Free),
    ("content.id", Id),
    ("content.call_id", Id),
    ("content.signature", Id),
    ("delta.id", Id),
    ("delta.call_id", Id),
    ("delta.signature", Id),
];

/// Mistral conversations (docs.mistral.ai, "Conversations"); an event of a stream is an output of its own.
const CONVERSATIONS: &[Slot] = &[
    ("conversation_id", Id),
    ("tool_call_id", Id),
    ("outputs[].id", Id),
    ("outputs[].tool_call_id", Id),
    ("outputs[].created_at", Free),
    ("outputs[].completed_at", Free),
];

/// Replicate predictions (HTTP API reference, "Predictions"); the addresses in `urls` hold the id.
const REPLICATE: &[Slot] = &[
    ("started_at", Free),
    ("completed_at", Free),
    ("metrics.predict_time", Free),
    ("metrics.total_time", Free),
    ("metrics.time_to_first_token", Free),
    ("metrics.tokens_per_second", Free),
];

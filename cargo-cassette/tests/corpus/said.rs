//! What a reply says, gathered by simple rules from its documents: the places of texts, of tool calls and of counts.

use std::collections::BTreeMap;

use cassette_core::dialect::Dialect::{self, *};
use cassette_core::json::{Json, Layout};
use cassette_core::reply::Reply;
use cassette_core::view::{ReplyView, Usage};

use crate::documents::{all, documents, number, text, word};

/// What a reply says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    text: String,
    /// Name and arguments, JSON in one spelling.
    calls: Vec<(String, String)>,
    /// Tokens read, written, read from a cache, and thought.
    counts: [Option<u128>; 4],
}

/// Calls by the index of their block.
type Calls = BTreeMap<u128, (String, String)>;

/// Returns what the reply itself says.
pub(crate) fn said(dialect: Dialect, reply: &Reply) -> Said {
    let documents = documents(&reply.body());
    let (mut deltas, mut whole, mut calls) = (String::new(), String::new(), Calls::new());
    for document in &documents {
        let (delta, full) = places(dialect, document);
        deltas += &delta;
        whole += &full;
        gather(dialect, document, &mut calls);
    }
    let mut said = if deltas.is_empty() { whole } else { deltas };
    if dialect == OpenAiAudio
        && documents.is_empty()
        && reply.header("content-type").is_some_and(|t| t.starts_with("text/"))
    {
        said = String::from_utf8_lossy(&reply.body()).trim().to_owned();
    }
    let mut counts = [None; 4];
    for document in &documents {
        for (count, paths) in counts.iter_mut().zip(counted(dialect)) {
            let found = paths.iter().find_map(|path| number(document, path));
            // One event of a stream may count what was read, and the others say zero.
            *count = found.filter(|found| *found > 0).or(*count).or(found);
        }
    }
    // Gemini counts what its own tools read beside the prompt.
    let tools =
        documents.iter().filter_map(|document| number(document, "usageMetadata.toolUsePromptTokenCount")).next_back();
    counts[0] = counts[0].map(|count| count + tools.unwrap_or_default());
    // Vertex counts each embedding by itself.
    let embedded = documents.iter().flat_map(|document| all(document, "predictions[]"));
    let each = embedded.filter_map(|one| number(one, "embeddings.statistics.token_count"));
    counts[0] = counts[0].or(each.reduce(|a, b| a + b));
    if dialect == BedrockInvoke {
        for (count, header) in counts.iter_mut().zip(["input", "output", "cache-read-input"]) {
            let name = format!("x-amzn-bedrock-{header}-token-count");
            *count = count.or_else(|| reply.header(&name)?.parse().ok());
        }
    }
    Said { text: said, calls: calls.into_values().map(|(name, said)| (name, spelled(&said))).collect(), counts }
}

/// Returns what a view says.
pub(crate) fn viewed(view: &ReplyView) -> Said {
    let Usage { input, output, cached, reasoning, .. } = view.usage.unwrap_or_default();
    Said {
        text: view.text.clone(),
        calls: view.tool_calls.iter().map(|call| (call.name.clone(), spelled(&call.arguments))).collect(),
        counts: [input, output, cached, reasoning],
    }
}

fn spelled(arguments: &str) -> String {
    match Json::parse(arguments) {
        Ok(json) => json.canonical(),
        Err(_) if arguments.is_empty() => "{}".to_owned(),
        Err(_) => arguments.to_owned(),
    }
}

/// Returns the text that a document adds, and the text that it says whole.
fn places(dialect: Dialect, document: &Json) -> (String, String) {
    let of = |deltas: &[&str], whole: &[&str]| (text(document, deltas), text(document, whole));
    let kind = word(document, "type");
    match dialect {
        OpenAiChat | OpenAiCompletions => first_choice(document),
        OpenAiResponses => match kind.as_str() {
            "response.output_text.delta" => of(&["delta"], &[]),
            _ => {
                let messages = all(document, "output[]").into_iter().filter(|item| word(item, "type") == "message");
                (String::new(), messages.map(|item| text(item, &["content[].text"])).collect())
            }
        },
        Anthropic => claude(document),
        Gemini => {
            let parts = all(document, "candidates[]").into_iter().filter(|one| number(one, "index").unwrap_or(0) == 0);
            let parts = parts.flat_map(|one| all(one, "content.parts[]"));
            let said = parts.filter(|part| part.get("thought").and_then(Json::as_bool) != Some(true));
            (said.map(|part| word(part, "text")).collect(), String::new())
        }
        GeminiInteractions => match word(document, "event_type").as_str() {
            "" => of(&[], &["steps[].content[].text", "outputs[].text"]),
            _ => (
                if word(document.get("delta").unwrap_or(&Json::Null), "type") == "text" {
                    text(document, &["delta.text"])
                } else {
                    String::new()
                },
                String::new(),
            ),
        },
        BedrockConverse => {
            let parts = all(document, "output.message.content[]").into_iter();
            let cited = |part| text(part, &["text", "citationsContent.content[].text"]);
            (text(document, &["contentBlockDelta.delta.text"]), parts.map(cited).collect())
        }
        BedrockInvoke => {
            let (deltas, whole) = claude(document);
            let others = ["contentBlockDelta.delta.text", "outputText", "generation", "completion"];
            (
                deltas + &text(document, &others),
                whole + &text(document, &["output.message.content[].text", "results[].outputText", "outputs[].text"]),
            )
        }
        CohereV1 => match word(document, "event_type").as_str() {
            "" => of(&[], &["text", "generations[].text"]),
            "text-generation" => of(&["text"], &[]),
            _ => Default::default(),
        },
        CohereV2 => of(&["delta.message.content.text"], &["message.content[].text"]),
        Ollama => of(&["message.content", "response"], &[]),
        HuggingFace => match document.get("token") {
            Some(token) if token.get("special").and_then(Json::as_bool) != Some(true) => of(&["token.text"], &[]),
            Some(_) => Default::default(),
            None => of(&[], &["generated_text"]),
        },
        OpenAiAudio => match kind.as_str() {
            // The last event says the whole again, and without the space that comes before the first word.
            "" | "transcript.text.done" => of(&[], &["text"]),
            _ => Default::default(),
        },
        OpenAiAssistants if word(document, "object") == "thread.message.delta" => {
            of(&["delta.content[].text.value"], &[])
        }
        MistralOcr => of(&[], &["pages[].markdown"]),
        MistralConversations => of(&["content", "content.text"], &["outputs[].content", "outputs[].content[].text"]),
        Watsonx => of(&["results[].generated_text"], &[]),
        Replicate => of(&[], &["output", "output[]"]),
        // Either each event says the whole so far, or what is new; the corpus of real traffic has only the latter.
        Sourcegraph => of(&["deltaText"], &["completion"]),
        _ => Default::default(),
    }
}

fn first_choice(document: &Json) -> (String, String) {
    let first = all(document, "choices[]").into_iter().filter(|choice| number(choice, "index").unwrap_or(0) == 0);
    let mut found = (String::new(), String::new());
    for choice in first {
        if choice.get("delta").is_some() {
            found.0 += &text(choice, &["delta.content", "delta.content[].text"]);
        } else {
            let places = ["message.content", "message.content[].text", "message.audio.transcript", "text"];
            found.1 += &text(choice, &places);
        }
    }
    if all(document, "choices[].text").is_empty() { found } else { (found.0 + &found.1, String::new()) }
}

fn claude(document: &Json) -> (String, String) {
    let blocks = all(document, "content[]").into_iter().filter(|block| word(block, "type") == "text");
    (text(document, &["delta.text"]), blocks.map(|block| word(block, "text")).collect())
}

/// Adds the tool calls of a document.
fn gather(dialect: Dialect, document: &Json, calls: &mut Calls) {
    let mut grow = |index: u128, name: &str, arguments: &str| {
        let call = calls.entry(index).or_default();
        call.0 += name;
        call.1 += arguments;
    };
    let index = number(document, "index").unwrap_or(0);
    match dialect {
        OpenAiChat => {
            let first =
                all(document, "choices[]").into_iter().filter(|choice| number(choice, "index").unwrap_or(0) == 0);
            for choice in first {
                let place = if choice.get("delta").is_some() { "delta" } else { "message" };
                for (position, call) in (0..).zip(all(choice, &format!("{place}.tool_calls[]"))) {
                    let function = call.get("function").unwrap_or(&Json::Null);
                    grow(
                        number(call, "index").unwrap_or(position),
                        &word(function, "name"),
                        &word(function, "arguments"),
                    );
                }
                for function in all(choice, &format!("{place}.function_call")) {
                    if function.get("name").is_some() || function.get("arguments").is_some() {
                        grow(u128::MAX, &word(function, "name"), &word(function, "arguments"));
                    }
                }
            }
        }
        OpenAiResponses => {
            let items = match word(document, "type").as_str() {
                "response.output_item.done" => vec![document.get("item").unwrap_or(&Json::Null)],
                "" => all(document, "output[]"),
                _ => Vec::new(),
            };
            let first = number(document, "output_index").unwrap_or(0);
            for (position, item) in (first..).zip(items) {
                match word(item, "type").as_str() {
                    "function_call" => grow(position, &word(item, "name"), &word(item, "arguments")),
                    "custom_tool_call" => grow(position, &word(item, "name"), &word(item, "input")),
                    _ => {}
                }
            }
        }
        Anthropic => claude_calls(document, index, grow),
        Gemini => {
            let next = calls.len() as u128;
            for (position, call) in (next..).zip(all(document, "candidates[].content.parts[].functionCall".trim())) {
                let arguments = call.get("args").map_or_else(|| "{}".to_owned(), |args| args.print(Layout::Compact));
                calls.insert(position, (word(call, "name"), arguments));
            }
        }
        GeminiInteractions => {
            let parts = [all(document, "steps[]"), all(document, "outputs[]")].concat();
            for (position, part) in (0..).zip(parts) {
                if word(part, "type") == "function_call" {
                    grow(position, &word(part, "name"), &printed(part.get("arguments")));
                }
            }
            for part in all(document, "step").into_iter().filter(|part| word(part, "type") == "function_call") {
                grow(index, &word(part, "name"), "");
            }
            for delta in all(document, "delta").into_iter().filter(|delta| delta.get("arguments").is_some()) {
                grow(index, &word(delta, "name"), &word(delta, "arguments"));
            }
        }
        BedrockConverse => converse_calls(document, grow),
        BedrockInvoke => {
            claude_calls(document, index, &mut grow);
            converse_calls(document, grow);
        }
        CohereV1 => {
            for (position, call) in (0..).zip(all(document, "tool_calls[]")) {
                grow(position, &word(call, "name"), &printed(call.get("parameters")));
            }
        }
        CohereV2 => {
            for call in all(document, "delta.message.tool_calls").into_iter().filter(|call| !call.members().is_empty())
            {
                grow(index, &text(call, &["function.name"]), &text(call, &["function.arguments"]));
            }
            for (position, call) in (0..).zip(all(document, "message.tool_calls[]")) {
                grow(position, &text(call, &["function.name"]), &text(call, &["function.arguments"]));
            }
        }
        Ollama => {
            let next = calls.len() as u128;
            for (position, call) in (next..).zip(all(document, "message.tool_calls[].function")) {
                calls.insert(position, (word(call, "name"), printed(call.get("arguments"))));
            }
        }
        OpenAiAssistants => {
            let asked = all(document, "required_action.submit_tool_outputs.tool_calls[].function");
            for (position, function) in (0..).zip(asked) {
                calls.insert(position, (word(function, "name"), word(function, "arguments")));
            }
        }
        MistralConversations => {
            for (position, entry) in (0..).zip(all(document, "outputs[]")) {
                if word(entry, "type") == "function.call" {
                    grow(position, &word(entry, "name"), &word(entry, "arguments"));
                }
            }
            if word(document, "type") == "function.call.delta" {
                let index = number(document, "output_index").unwrap_or(0);
                let name = if calls.contains_key(&index) { String::new() } else { word(document, "name") };
                let call = calls.entry(index).or_default();
                call.0 += &name;
                call.1 += &word(document, "arguments");
            }
        }
        _ => {}
    }
}

fn claude_calls(document: &Json, index: u128, mut grow: impl FnMut(u128, &str, &str)) {
    for (position, block) in (0..).zip(all(document, "content[]")) {
        if word(block, "type") == "tool_use" {
            grow(position, &word(block, "name"), &printed(block.get("input")));
        }
    }
    for block in all(document, "content_block").into_iter().filter(|block| word(block, "type") == "tool_use") {
        grow(index, &word(block, "name"), "");
    }
    for delta in all(document, "delta").into_iter().filter(|delta| delta.get("partial_json").is_some()) {
        grow(index, "", &word(delta, "partial_json"));
    }
}

fn converse_calls(document: &Json, mut grow: impl FnMut(u128, &str, &str)) {
    for (position, part) in (0..).zip(all(document, "output.message.content[]")) {
        if let Some(call) = part.get("toolUse") {
            grow(position, &word(call, "name"), &printed(call.get("input")));
        }
    }
    for name in ["contentBlockStart", "contentBlockDelta"] {
        for event in all(document, name) {
            let index = number(event, "contentBlockIndex").unwrap_or(0);
            let calls = [all(event, "start.toolUse"), all(event, "delta.toolUse")].concat();
            calls.into_iter().for_each(|call| grow(index, &word(call, "name"), &word(call, "input")));
        }
    }
}

fn printed(json: Option<&Json>) -> String {
    match json {
        Some(Json::String(text)) => text.value().into_owned(),
        Some(other) => other.print(Layout::Compact),
        None => String::new(),
    }
}

/// The places of the four counts.
fn counted(dialect: Dialect) -> [&'static [&'static str]; 4] {
    match dialect {
        OpenAiChat | OpenAiCompletions | OpenAiAssistants => [
            &["usage.prompt_tokens", "x_groq.usage.prompt_tokens"],
            &["usage.completion_tokens", "x_groq.usage.completion_tokens"],
            &[
                "usage.prompt_tokens_details.cached_tokens",
                "usage.prompt_token_details.cached_tokens",
                "usage.prompt_cache_hit_tokens",
                "usage.num_cached_tokens",
                "usage.cached_tokens",
                "x_groq.usage.prompt_tokens_details.cached_tokens",
            ],
            &[
                "usage.completion_tokens_details.reasoning_tokens",
                "usage.reasoning_tokens",
                "x_groq.usage.completion_tokens_details.reasoning_tokens",
            ],
        ],
        OpenAiResponses => [
            &["usage.input_tokens", "response.usage.input_tokens"],
            &["usage.output_tokens", "response.usage.output_tokens"],
            &["usage.input_tokens_details.cached_tokens", "response.usage.input_tokens_details.cached_tokens"],
            &["usage.output_tokens_details.reasoning_tokens", "response.usage.output_tokens_details.reasoning_tokens"],
        ],
        Anthropic => [
            &["usage.input_tokens", "message.usage.input_tokens", "input_tokens"],
            &["usage.output_tokens", "message.usage.output_tokens"],
            &["usage.cache_read_input_tokens", "message.usage.cache_read_input_tokens"],
            &["usage.output_tokens_details.thinking_tokens"],
        ],
        Gemini => [
            &["usageMetadata.promptTokenCount", "totalTokens"],
            &["usageMetadata.candidatesTokenCount"],
            &["usageMetadata.cachedContentTokenCount"],
            &["usageMetadata.thoughtsTokenCount"],
        ],
        GeminiInteractions => [
            &["usage.total_input_tokens", "interaction.usage.total_input_tokens"],
            &["usage.total_output_tokens", "interaction.usage.total_output_tokens"],
            &["usage.total_cached_tokens", "interaction.usage.total_cached_tokens"],
            &["usage.total_thought_tokens", "interaction.usage.total_thought_tokens"],
        ],
        BedrockConverse => [
            &["usage.inputTokens", "metadata.usage.inputTokens", "inputTokens"],
            &["usage.outputTokens", "metadata.usage.outputTokens"],
            &["usage.cacheReadInputTokens", "metadata.usage.cacheReadInputTokens"],
            &[],
        ],
        BedrockInvoke => [
            &[
                "amazon-bedrock-invocationMetrics.inputTokenCount",
                "usage.input_tokens",
                "message.usage.input_tokens",
                "usage.inputTokens",
                "metadata.usage.inputTokens",
                "inputTextTokenCount",
                "prompt_token_count",
            ],
            &[
                "amazon-bedrock-invocationMetrics.outputTokenCount",
                "usage.output_tokens",
                "message.usage.output_tokens",
                "usage.outputTokens",
                "metadata.usage.outputTokens",
                "totalOutputTextTokenCount",
                "results[].tokenCount",
                "generation_token_count",
            ],
            &[
                "amazon-bedrock-invocationMetrics.cacheReadInputTokenCount",
                "usage.cache_read_input_tokens",
                "message.usage.cache_read_input_tokens",
                "usage.cacheReadInputTokenCount",
                "metadata.usage.cacheReadInputTokenCount",
            ],
            &["usage.output_tokens_details.thinking_tokens"],
        ],
        CohereV1 => [
            &["meta.tokens.input_tokens", "response.meta.tokens.input_tokens", "meta.billed_units.input_tokens"],
            &["meta.tokens.output_tokens", "response.meta.tokens.output_tokens", "meta.billed_units.output_tokens"],
            &["meta.cached_tokens", "response.meta.cached_tokens"],
            &[],
        ],
        CohereV2 => [
            &["usage.tokens.input_tokens", "delta.usage.tokens.input_tokens"],
            &["usage.tokens.output_tokens", "delta.usage.tokens.output_tokens"],
            &["usage.cached_tokens", "delta.usage.cached_tokens"],
            &["usage.tokens.reasoning_tokens", "delta.usage.tokens.reasoning_tokens"],
        ],
        CohereEmbed | OpenAiEmbeddings | OpenAiImages | OpenAiModeration => [
            &["usage.prompt_tokens", "usage.input_tokens", "meta.billed_units.input_tokens", "usage.total_tokens"],
            &["usage.completion_tokens", "usage.output_tokens"],
            &["usage.prompt_tokens_details.cached_tokens"],
            &[],
        ],
        OpenAiAudio => [
            &["usage.input_tokens", "usage.prompt_tokens"],
            &["usage.output_tokens", "usage.completion_tokens"],
            &["usage.prompt_tokens_details.cached_tokens"],
            &[],
        ],
        Ollama => [&["prompt_eval_count"], &["eval_count"], &[], &[]],
        HuggingFace => [&["details.input_length"], &["details.generated_tokens"], &[], &[]],
        MistralConversations => [&["usage.prompt_tokens"], &["usage.completion_tokens"], &[], &[]],
        Watsonx => [&["results[].input_token_count"], &["results[].generated_token_count"], &[], &[]],
        Replicate => [&["metrics.input_token_count"], &["metrics.output_token_count"], &[], &[]],
        _ => [&[]; 4],
    }
}

//! How many tokens a reply says it cost.

use super::field::at;
use crate::json::Json;

/// The tokens a reply counts, each as its provider counts it; what it does not say is `None`, never zero. The numbers are wide
/// enough for any sum of what replies can say.
///
/// Providers differ in what contains what: OpenAI and Gemini count cached tokens within `input`, Anthropic and Bedrock
/// beside it; OpenAI counts reasoning within `output`, Gemini beside it. What Gemini counts for its own tools is in `input`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens of the request.
    pub input: Option<u128>,
    /// Tokens of the answer.
    pub output: Option<u128>,
    /// Tokens of the request that were read from a cache.
    pub cached: Option<u128>,
    /// Tokens of the request that were written to a cache.
    pub cache_written: Option<u128>,
    /// Tokens that were thought and not said.
    pub reasoning: Option<u128>,
}

impl Usage {
    /// Returns the sum of two counts, kind by kind; what neither says stays `None`.
    #[must_use]
    pub fn and(self, other: Usage) -> Usage {
        let sum = |a: Option<u128>, b: Option<u128>| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (one, none) => one.or(none),
        };
        Usage {
            input: sum(self.input, other.input),
            output: sum(self.output, other.output),
            cached: sum(self.cached, other.cached),
            cache_written: sum(self.cache_written, other.cache_written),
            reasoning: sum(self.reasoning, other.reasoning),
        }
    }
}

const INPUT: &[&str] = &[
    "prompt_tokens",
    "input_tokens",
    "promptTokenCount",
    "inputTokens",
    "prompt_eval_count",
    "tokens.input_tokens",
    "billed_units.input_tokens",
    "inputTokenCount",
    "inputTextTokenCount",
    "prompt_token_count",
    "totalTokens",
    "input_length",
    "total_input_tokens",
    "input_token_count",
];
/// What a provider's own tools put before the model, which Gemini counts beside the prompt.
const TOOLS: &[&str] = &["toolUsePromptTokenCount"];
const OUTPUT: &[&str] = &[
    "completion_tokens",
    "output_tokens",
    "candidatesTokenCount",
    "outputTokens",
    "eval_count",
    "tokens.output_tokens",
    "billed_units.output_tokens",
    "outputTokenCount",
    "totalOutputTextTokenCount",
    "generation_token_count",
    "generated_tokens",
    "tokenCount",
    "total_output_tokens",
    "output_token_count",
    "generated_token_count",
];
const CACHED: &[&str] = &[
    "prompt_tokens_details.cached_tokens",
    "prompt_token_details.cached_tokens",
    "input_tokens_details.cached_tokens",
    "cache_read_input_tokens",
    "cachedContentTokenCount",
    "cacheReadInputTokens",
    "cacheReadInputTokenCount",
    "prompt_cache_hit_tokens",
    "num_cached_tokens",
    "cached_tokens",
    "cached_prompt_text_tokens",
    "total_cached_tokens",
];
const CACHE_WRITTEN: &[&str] = &[
    "cache_creation_input_tokens",
    "cacheWriteInputTokens",
    "cacheWriteInputTokenCount",
    "prompt_tokens_details.cache_write_tokens",
    "input_tokens_details.cache_write_tokens",
];
const REASONING: &[&str] = &[
    "completion_tokens_details.reasoning_tokens",
    "output_tokens_details.reasoning_tokens",
    "output_tokens_details.thinking_tokens",
    "thoughtsTokenCount",
    "tokens.reasoning_tokens",
    "reasoning_tokens",
    "total_thought_tokens",
];

impl Usage {
    /// Reads an object that counts tokens, in any provider's words; `None` where it counts none.
    pub(super) fn read(json: &Json) -> Option<Usage> {
        let first = |names: &[&str]| names.iter().find_map(|name| count(at(json, name)?));
        let usage = Usage {
            input: first(INPUT).map(|input| input + first(TOOLS).unwrap_or_default()),
            output: first(OUTPUT),
            cached: first(CACHED),
            cache_written: first(CACHE_WRITTEN),
            reasoning: first(REASONING),
        };
        (usage != Usage::default()).then_some(usage)
    }

    /// Returns these counts where they say something, and the earlier ones where they do not. A later zero says nothing: what was
    /// counted does not become less, and some write it for what they count elsewhere.
    pub(super) fn over(self, earlier: Usage) -> Usage {
        let over = |later: Option<u128>, earlier: Option<u128>| later.filter(|later| *later > 0).or(earlier).or(later);
        Usage {
            input: over(self.input, earlier.input),
            output: over(self.output, earlier.output),
            cached: over(self.cached, earlier.cached),
            cache_written: over(self.cache_written, earlier.cache_written),
            reasoning: over(self.reasoning, earlier.reasoning),
        }
    }
}

/// Returns a whole number, however it is spelt: `12`, `12.0`, `1.2e1`.
fn count(json: &Json) -> Option<u128> {
    let Json::Number(number) = json else { return None };
    number.as_u64().map(u128::from).or_else(|| {
        let value: f64 = number.source().parse().ok()?;
        (value.fract() == 0.0 && (0.0..9e15).contains(&value)).then_some(value as u128)
    })
}

#[cfg(test)]
mod tests {
    use super::Usage;
    use crate::json::Json;

    #[track_caller]
    fn check(text: &str, [input, output, cached, cache_written, reasoning]: [Option<u128>; 5]) {
        let expected = Usage { input, output, cached, cache_written, reasoning };
        assert_eq!(Usage::read(&Json::parse(text).unwrap()).unwrap_or_default(), expected, "{text}");
    }

    #[test]
    fn every_provider_counts_in_words_of_its_own() {
        check(
            r#"{"prompt_tokens":1,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":{"reasoning_tokens":3}}"#,
            [Some(1), Some(2), Some(0), None, Some(3)],
        );
        check(
            r#"{"input_tokens":1,"output_tokens":2,"cache_read_input_tokens":4,"cache_creation_input_tokens":5}"#,
            [Some(1), Some(2), Some(4), Some(5), None],
        );
        check(
            r#"{"promptTokenCount":1,"candidatesTokenCount":2,"thoughtsTokenCount":3,"totalTokenCount":6}"#,
            [Some(1), Some(2), None, None, Some(3)],
        );
        check(
            r#"{"billed_units":{"input_tokens":9},"tokens":{"input_tokens":12.0}}"#,
            [Some(12), None, None, None, None],
        );
        check(r#"{"prompt_tokens":null,"completion_tokens":-1}"#, [None; 5]);
    }
}

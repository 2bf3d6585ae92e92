//! The tokens of one call, in one shape whichever provider counts them.

use crate::call::Call;
use crate::dialect::{self, Dialect};
use crate::reply::Reply;
use crate::view::{Usage, view};

/// Tokens that do not overlap, but for `reasoning`; what no reply counts is `None`, never zero. The numbers are wide enough for any
/// sum of what replies can say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Tokens {
    /// Tokens of requests that were neither read from a cache nor written to one.
    pub input: Option<u128>,
    /// Tokens of requests that were read from a cache.
    pub cached: Option<u128>,
    /// Tokens of requests that were written to a cache.
    pub cache_written: Option<u128>,
    /// Tokens of answers, what was thought included.
    pub output: Option<u128>,
    /// Those of `output` that were thought and not said.
    pub reasoning: Option<u128>,
}

/// Returns the tokens that the reply to a call counts, in the shape in which an account has them; `None` where it is no model's or
/// counts none.
pub fn tokens(call: &Call, reply: &Reply) -> Option<Tokens> {
    let dialect = dialect::detect(call)?;
    let usage = view(call, reply)?.usage.filter(|usage| *usage != Usage::default())?;
    Some(Tokens::of(call, dialect, usage))
}

impl Tokens {
    /// Returns the tokens that the reply to a call counts, whatever its provider counts within what.
    pub(super) fn of(call: &Call, dialect: Dialect, usage: Usage) -> Tokens {
        let Usage { input, output, cached, cache_written, reasoning } = usage;
        let beside = matches!(dialect, Dialect::Anthropic | Dialect::BedrockConverse | Dialect::BedrockInvoke);
        let aside = cached.unwrap_or_default().saturating_add(cache_written.unwrap_or_default());
        let input = if beside { input } else { input.map(|input| input.saturating_sub(aside)) };
        // Grok speaks OpenAI's language and counts its thoughts as Gemini does.
        let thinks_aside = matches!(dialect, Dialect::Gemini | Dialect::GeminiInteractions)
            || dialect == Dialect::OpenAiChat && dialect::provider(call) == "xai";
        let thought = reasoning.filter(|_| thinks_aside).unwrap_or_default();
        let output = match output {
            Some(output) => Some(output.saturating_add(thought)),
            // An answer that is all thoughts says nothing of what was said.
            None => (thought > 0).then_some(thought),
        };
        Tokens { input, cached, cache_written, output, reasoning }
    }

    /// Returns what is known of an answer that broke off before it had been counted: the tokens of its request.
    pub(super) fn without_answer(self) -> Tokens {
        Tokens { output: None, reasoning: None, ..self }
    }

    /// Returns the sum of two counts, kind by kind; what neither says stays `None`.
    #[must_use]
    pub fn and(self, other: Tokens) -> Tokens {
        let sum = |a: Option<u128>, b: Option<u128>| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (one, none) => one.or(none),
        };
        Tokens {
            input: sum(self.input, other.input),
            cached: sum(self.cached, other.cached),
            cache_written: sum(self.cache_written, other.cache_written),
            output: sum(self.output, other.output),
            reasoning: sum(self.reasoning, other.reasoning),
        }
    }

    /// Returns each kind by name, with its count.
    pub fn kinds(&self) -> [(&'static str, Option<u128>); 5] {
        [
            ("input", self.input),
            ("cached", self.cached),
            ("cache_written", self.cache_written),
            ("output", self.output),
            ("reasoning", self.reasoning),
        ]
    }
}

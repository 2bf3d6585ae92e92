//! Models behind functions of the user's own, `#[llm]`: how they are asked nobody sees, and what that cost is not known, unless the
//! value is a provider's reply that counts its tokens.

use super::tally::{Answer, dialect_of};
use crate::call::{Call, Kind};
use crate::json::Json;
use crate::reply::Reply;
use crate::tape::{Interaction, Tape};
use crate::view::documents_of;

/// Returns what the model behind a function answered; `None` for any other call.
pub(crate) fn own_answer(call: &Call, reply: &Reply) -> Option<Answer> {
    let Call { kind: Kind::Llm, name, .. } = call else { return None };
    let counted = match documents_of(&reply.body()).as_slice() {
        [value] if !reply.is_stream() => counting(value).and_then(|asked| Answer::of(&asked, reply)),
        _ => None,
    };
    Some(counted.map_or_else(|| Answer::of_nobody_knows_what(name), |answer| answer.of_function(name)))
}

/// Returns whether a model is asked by this call in a way that nobody sees: within a function that asks one over HTTP, each of these
/// calls is counted by itself.
pub(super) fn is_own(tape: &Tape, at: usize) -> bool {
    let asks = |inner: &Interaction| inner.within() == Some(at) && dialect_of(&inner.asked().known()).is_some();
    tape.interactions[at].asked().known().kind == Kind::Llm && !tape.interactions.iter().any(asks)
}

/// Returns a call to which a provider gives such a document as its reply, with its tokens counted in full.
fn counting(value: &Json) -> Option<Call> {
    let is = |name: &str, word: &str| value.get(name).and_then(Json::as_str).is_some_and(|it| it == word);
    let has = |name: &str| value.get(name).is_some_and(|list| matches!(list, Json::Array(_)));
    let counts = |usage: &str, name: &str| {
        value.get(usage).and_then(|usage| usage.get(name)).is_some_and(|count| matches!(count, Json::Number(_)))
    };
    let is_grok = || value.get("model").and_then(Json::as_str).is_some_and(|model| model.starts_with("grok"));
    let url = if is("object", "response") && counts("usage", "input_tokens") {
        "https://api.openai.com/v1/responses"
    } else if is("type", "message") && counts("usage", "input_tokens") {
        "https://api.anthropic.com/v1/messages"
    } else if has("choices") && counts("usage", "prompt_tokens") {
        // What it thinks it counts beside what it says.
        if is_grok() { "https://api.x.ai/v1/chat/completions" } else { "https://api.openai.com/v1/chat/completions" }
    } else if has("candidates") && counts("usageMetadata", "promptTokenCount") {
        "https://generativelanguage.googleapis.com/v1beta/models/any:generateContent"
    } else {
        return None;
    };
    Some(Call::http("POST", url, Vec::new(), b"{}".to_vec()))
}

//! Hugging Face inference in its own form.

use super::draft::Draft;
use super::field::{at, push};
use crate::json::Json;

/// What a task calls its answer.
const ANSWERS: &[&str] = &["generated_text", "summary_text", "translation_text", "answer", "text"];

/// Adds a reply, an element of one, or a token.
pub(super) fn read(draft: &mut Draft, document: &Json) {
    draft.usage(document.get("details"));
    let turn = draft.answer();
    turn.ended(at(document, "details.finish_reason"));
    let said = &mut turn.block((0, 0)).text;
    match document.get("token") {
        // The last token comes with the whole text once more.
        Some(token) if at(token, "special").and_then(Json::as_bool) != Some(true) => push(said, token.get("text")),
        Some(_) => {}
        None => push(said, ANSWERS.iter().find_map(|name| document.get(name))),
    }
}

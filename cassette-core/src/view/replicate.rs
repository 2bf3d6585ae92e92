//! Predictions of Replicate.

use super::draft::Draft;
use super::field::push;
use crate::json::Json;

/// Adds a prediction: its output is a text, or a list of the pieces of one.
pub(super) fn read(draft: &mut Draft, document: &Json) {
    draft.model(document.get("model"));
    draft.usage(document.get("metrics"));
    let turn = draft.answer();
    match document.get("output") {
        Some(Json::Array(pieces)) => pieces.iter().for_each(|piece| push(&mut turn.block((0, 0)).text, Some(piece))),
        output => push(&mut turn.block((0, 0)).text, output),
    }
    let status = document.get("status");
    let said = status.and_then(Json::as_str).unwrap_or_default();
    turn.ended(status.filter(|_| !matches!(&*said, "starting" | "processing")));
}

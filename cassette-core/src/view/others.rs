//! The answers of smaller languages: watsonx, Replicate, Sourcegraph.

use super::Usage;
use super::draft::Draft;
use super::field::{list, push, string};
use crate::json::Json;

/// Adds a reply of watsonx or an event of one.
pub(super) fn read_watsonx(draft: &mut Draft, document: &Json) {
    draft.model(document.get("model_id"));
    for (position, result) in (0..).zip(list(document, "results")) {
        push(&mut draft.turn(position).block((0, 0)).text, result.get("generated_text"));
        let reason = result.get("stop_reason");
        let goes_on = reason.and_then(Json::as_str).is_some_and(|reason| reason.eq_ignore_ascii_case("not_finished"));
        draft.turn(position).ended(reason.filter(|_| !goes_on));
        // Only one event of a stream counts what was read; the others say zero.
        let counted = Usage::read(result).unwrap_or_default();
        draft.counted(Usage { input: counted.input.filter(|count| *count > 0), ..counted });
    }
}

/// Adds a prediction of Replicate: its output is a text, or a list of the pieces of one.
pub(super) fn read_replicate(draft: &mut Draft, document: &Json) {
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

/// Adds a completion of Sourcegraph or an event of one: a piece of the text, or the whole of it so far.
pub(super) fn read_sourcegraph(draft: &mut Draft, document: &Json) {
    let said = &mut draft.answer().block((0, 0)).text;
    match string(document, "completion") {
        Some(so_far) => *said = so_far,
        None => push(said, document.get("deltaText")),
    }
    draft.answer().ended(document.get("stopReason"));
}

/// Adds the pages that Mistral recognised.
pub(super) fn read_pages(draft: &mut Draft, document: &Json) {
    draft.model(document.get("model"));
    for (place, page) in (0..).zip(list(document, "pages")) {
        push(&mut draft.answer().block((place, 0)).text, page.get("markdown"));
    }
}

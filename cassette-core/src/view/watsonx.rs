//! Text generation of watsonx.

use super::draft::Draft;
use super::field::{list, push};
use crate::json::Json;

/// Adds a reply or an event of one.
pub(super) fn read(draft: &mut Draft, document: &Json) {
    draft.model(document.get("model_id"));
    for (position, result) in (0..).zip(list(document, "results")) {
        push(&mut draft.turn(position).block((0, 0)).text, result.get("generated_text"));
        let reason = result.get("stop_reason");
        let goes_on = reason.and_then(Json::as_str).is_some_and(|reason| reason.eq_ignore_ascii_case("not_finished"));
        draft.turn(position).ended(reason.filter(|_| !goes_on));
        // Only one event of a stream counts what was read; the others say zero.
        draft.usage(Some(result));
    }
}

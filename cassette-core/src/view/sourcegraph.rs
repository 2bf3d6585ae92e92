//! Completions of Sourcegraph.

use super::draft::Draft;
use super::field::{push, string};
use crate::json::Json;

/// Adds a completion or an event of one: a piece of the text, or the whole of it so far.
pub(super) fn read(draft: &mut Draft, document: &Json) {
    let said = &mut draft.answer().block((0, 0)).text;
    match string(document, "completion") {
        Some(so_far) => *said = so_far,
        None => push(said, document.get("deltaText")),
    }
    draft.answer().ended(document.get("stopReason"));
}

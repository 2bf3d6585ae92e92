//! Documents that Mistral recognised.

use super::draft::Draft;
use super::field::{list, push};
use crate::json::Json;

/// Adds the pages.
pub(super) fn read(draft: &mut Draft, document: &Json) {
    draft.model(document.get("model"));
    for (place, page) in (0..).zip(list(document, "pages")) {
        push(&mut draft.answer().block((place, 0)).text, page.get("markdown"));
    }
}

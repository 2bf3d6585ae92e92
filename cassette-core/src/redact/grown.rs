//! Texts that come again and grow: each says what the one before it said, and more.

use super::edit::{By, Edit, merge};
use super::lens::Lens;

/// The shortest text that counts as one that grew.
const LEAST: usize = 4;

/// The shortest beginning of a secret that is hidden; of a short one it is half.
const TELLING: usize = 8;

/// Returns the edits that hide the beginning of a secret which a text ends with and a later one holds as a whole, each with the
/// number of its text.
pub(super) fn edits(lens: Lens<'_>, texts: &[&str]) -> Vec<(usize, Edit)> {
    let grows = |pair: &[&str]| pair[0].len() >= LEAST && pair[1].len() > pair[0].len() && pair[1].starts_with(pair[0]);
    if !texts.windows(2).any(grows) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut later: Option<(&str, Vec<Edit>)> = None;
    for (at, text) in texts.iter().enumerate().rev() {
        match &later {
            Some((whole, edits)) if !text.is_empty() && whole.starts_with(text) => {
                found.extend(edits.iter().filter_map(|edit| beginning(whole, edit, text.len())).map(|edit| (at, edit)));
            }
            _ => {
                let edits = merge(text, lens.edits(text, 0));
                later = (!edits.is_empty()).then_some((*text, edits));
            }
        }
    }
    found
}

/// Returns the edit of a text of this length, given that of the whole into which it grew.
fn beginning(whole: &str, edit: &Edit, length: usize) -> Option<Edit> {
    let shown = length.checked_sub(edit.range.start)?;
    let least = TELLING.min(edit.range.len().div_ceil(2));
    let (value, rule) = match &edit.by {
        By::Placeholder { value, rule, .. } => (value.clone(), *rule),
        By::Text(_) => (whole[edit.range.clone()].to_owned(), "secret"),
    };
    let by = By::Placeholder { value, rule, quote: String::new() };
    (length < edit.range.end && shown >= least).then_some(Edit { range: edit.range.start..length, by })
}

//! What has been recorded so far, a line an exchange: what is left of a recording that was cut short.

use crate::disk::{decode_interaction, encode_interaction};
use crate::json::{Json, Layout};
use crate::tape::Interaction;

/// Returns the line of an exchange.
pub(crate) fn line(interaction: &Interaction) -> String {
    encode_interaction(interaction).print(Layout::Compact)
}

/// Reads a journal: every whole exchange, and whether the last line was torn.
///
/// A journal is appended to in one piece a line, so that a crash can tear only its last one.
///
/// # Errors
///
/// Fails where any other line is damaged, with its number.
pub fn recover(text: &str) -> Result<(Vec<Interaction>, bool), (usize, String)> {
    let torn = !text.is_empty() && !text.ends_with('\n');
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let read = |(i, line): (usize, &str)| {
        let object = Json::parse(line).map_err(|error| (i + 1, error.to_string()))?;
        decode_interaction(&object).map_err(|what| (i + 1, what))
    };
    let interactions = whole.lines().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
    Ok((interactions, torn))
}

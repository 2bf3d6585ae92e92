//! What has been recorded so far, a line an exchange: what is left of a recording that was cut short.
//!
//! Where a later exchange shows that something in an earlier one is secret, that one follows again without it, and stands for what
//! was written first. The first line is the head that the recording would have had, with the mode of the run; journals of earlier versions have
//! none.

use crate::disk::{decode_head, decode_interaction, encode_head, encode_interaction};
use crate::json::{Json, Layout};
use crate::mode::Mode;
use crate::tape::{Head, Interaction};

/// The member of a journal's head that has the mode of the run.
const MODE: &str = "mode";

/// The member of a line that says which earlier exchange it stands for.
const AGAIN: &str = "again";

/// What a journal holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Journalled {
    /// The head that the recording would have had, where the journal has it.
    pub head: Option<Head>,
    /// The mode of the run, where the journal has it.
    pub mode: Option<Mode>,
    /// The exchanges that had ended, in the order in which they did.
    pub interactions: Vec<Interaction>,
    /// How many bytes of a last line were written before it was torn.
    pub torn: usize,
}

/// Returns the line of an exchange.
pub(crate) fn line(interaction: &Interaction) -> String {
    encode_interaction(interaction).print(Layout::Compact)
}

/// Returns the line that stands for the exchange of an earlier one, counted from 1, from now on.
pub(crate) fn again(exchange: usize, interaction: &Interaction) -> String {
    let members =
        vec![(AGAIN.into(), Json::from(exchange as u64)), ("interaction".into(), encode_interaction(interaction))];
    Json::Object(members).print(Layout::Compact)
}

/// Returns the first line: the head, and the mode of the run.
pub(crate) fn head_line(head: &Head, mode: Mode) -> String {
    let mut members = encode_head(head);
    members.push((MODE.into(), mode.as_str().into()));
    Json::Object(members).print(Layout::Compact)
}

/// Reads a journal: everything but a torn last line.
///
/// A journal is appended to in one piece a line, so that a crash can tear only its last one.
///
/// # Errors
///
/// Fails where any other line is damaged, with its number.
pub fn read(text: &str) -> Result<Journalled, (usize, String)> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let torn = text.len() - text.rfind('\n').map_or(0, |end| end + 1);
    let mut read = Journalled { torn, ..Journalled::default() };
    for (i, line) in whole.lines().enumerate() {
        let object = Json::parse_around(line).map_err(|error| (i + 1, error.to_string()))?;
        if i == 0 && object.members().first().is_some_and(|(name, _)| name.is("cassette")) {
            let mut head = decode_head(&object).map_err(|what| (1, what))?;
            let mode = head.other.extract_if(.., |(name, _)| name.is(MODE)).next();
            read.mode = mode.and_then(|(_, mode)| Mode::parse(&mode.as_str()?).ok());
            read.head = Some(head);
            continue;
        }
        if let Some(exchange) = object.get(AGAIN) {
            let earlier = exchange.as_u64().and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
            let earlier = earlier.and_then(|index| read.interactions.get_mut(index));
            let (Some(earlier), Some(hidden)) = (earlier, object.get("interaction")) else {
                return Err((i + 1, format!("`{AGAIN}` names no earlier line")));
            };
            *earlier = decode_interaction(hidden).map_err(|what| (i + 1, what))?;
            continue;
        }
        read.interactions.push(decode_interaction(&object).map_err(|what| (i + 1, what))?);
    }
    Ok(read)
}

/// Reads the exchanges of a journal, and whether the last line was torn.
///
/// # Errors
///
/// Fails where any other line is damaged, with its number.
pub fn recover(text: &str) -> Result<(Vec<Interaction>, bool), (usize, String)> {
    read(text).map(|read| (read.interactions, read.torn > 0))
}

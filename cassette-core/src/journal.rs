//! What has been recorded so far, a line an exchange: what is left of a recording that was cut short.
//!
//! Where a later exchange shows that something in an earlier one is secret, that one follows again without it, and stands for what
//! was written first. One out of which something secret was taken says so. The first line is the head that the recording would have had, with the mode of the run; journals of earlier versions have
//! none.

use crate::disk::{decode_head, decode_interaction, encode_head, encode_interaction};
use crate::json::{Json, Layout, Member};
use crate::mode::Mode;
use crate::tape::{Head, Interaction};

/// The member of a journal's head that has the mode of the run.
const MODE: &str = "mode";

/// The member of a line that says which earlier exchange it stands for.
const AGAIN: &str = "again";

/// The member of a line out of whose exchange something secret was taken.
const MASKED: &str = "masked";

/// The member of a line that says more, which holds the exchange.
const INTERACTION: &str = "interaction";

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
    /// Whether something secret was taken out of them: nobody can accept them then.
    pub masked: bool,
    /// How many bytes of a last line were written before it was torn.
    pub torn: usize,
}

/// An exchange as it may be written down.
pub(crate) struct Exchange {
    pub(crate) interaction: Interaction,
    /// Whether something secret was taken out of it.
    pub(crate) is_masked: bool,
}

impl Exchange {
    /// Returns its line.
    pub(crate) fn line(&self) -> String {
        match self.is_masked {
            true => self.wrapped(vec![(MASKED.into(), true.into())]),
            false => encode_interaction(&self.interaction).print(Layout::Compact),
        }
    }

    /// Returns the line by which it stands for an earlier one, counted from 1, from now on.
    pub(crate) fn again(&self, exchange: usize) -> String {
        let masked = self.is_masked.then(|| (MASKED.into(), true.into()));
        self.wrapped([(AGAIN.into(), Json::from(exchange as u64))].into_iter().chain(masked).collect())
    }

    fn wrapped(&self, mut members: Vec<Member>) -> String {
        members.push((INTERACTION.into(), encode_interaction(&self.interaction)));
        Json::Object(members).print(Layout::Compact)
    }
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
        read.masked |= object.get(MASKED).is_some();
        if let Some(exchange) = object.get(AGAIN) {
            let earlier = exchange.as_u64().and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
            let earlier = earlier.and_then(|index| read.interactions.get_mut(index));
            let (Some(earlier), Some(hidden)) = (earlier, object.get(INTERACTION)) else {
                return Err((i + 1, format!("`{AGAIN}` names no earlier line")));
            };
            *earlier = decode_interaction(hidden).map_err(|what| (i + 1, what))?;
            continue;
        }
        let interaction = object.get(MASKED).and_then(|_| object.get(INTERACTION)).unwrap_or(&object);
        read.interactions.push(decode_interaction(interaction).map_err(|what| (i + 1, what))?);
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

//! Redaction: from what a program sent and got to what may stand in a file.
//!
//! A [`RedactedCall`] and a [`RedactedReply`] come only from here, and nothing else can be recorded: that is the
//! invariant. [`Rules`] holds what the user added, [`Secrets`] what the session knows and the number that each value
//! got. Secrets are found in decoded text, by value, by name, by shape and by structure, and cut out of the source
//! itself, so that every byte around them stays as it was. Redacting twice changes nothing.

mod arrays;
mod body;
mod call;
pub(crate) mod coding;
mod counted;
mod cut;
pub(crate) mod detect;
mod document;
mod edit;
mod encoded;
mod environment;
mod fielded;
pub(crate) mod fields;
mod finder;
mod fragment;
mod gaps;
mod grown;
pub mod headers;
mod joined;
mod kinship;
mod learn;
mod lens;
mod messages;
mod numbers;
pub(crate) mod pieces;
mod placeholder;
mod probes;
mod reply;
mod rewritten;
mod rules;
pub(crate) mod scan;
mod secrets;
mod spoken;
mod stream;
mod stretches;
mod tabled;
mod tally;
mod unescape;
pub(crate) mod voices;
mod within;
mod words;

pub(crate) use body::counts;
pub use call::{Depth, RedactedCall, redact_call, redact_recorded};
pub(crate) use document::hides_number;
pub(crate) use environment::in_environment;
pub(crate) use finder::is_telling;
pub(crate) use learn::learn;
pub(crate) use lens::Trust;
pub use placeholder::placeholders;
pub(crate) use placeholder::replace_placeholders;
pub(crate) use placeholder::{kind, marks};
pub use reply::{RedactedError, RedactedReply, redact_error, redact_recorded_reply, redact_reply, redact_text};
pub use rules::Rules;
pub use secrets::{Secret, Secrets, TooShort};
pub use tally::Tally;
pub(crate) use unescape::is_escaped;
pub use unescape::{unescape, unescape_call, unescape_reply};

/// The number of the built-in rules. It changes when a text that passed is hidden, so that a file tells what it went through.
pub const TABLE: u64 = 1;

#[cfg(test)]
mod tests;

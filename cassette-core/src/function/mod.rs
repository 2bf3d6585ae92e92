//! The user's own values, on their way into a cassette and back.
//!
//! A function's arguments, its value and its error pass through serde and JSON. What is written is read back and written
//! again before it is recorded ([`faithful`]): a replay must serve what was returned, not something like it. Numbers are
//! read from their own text and never lose a digit, so the reader is ours and not `serde_json`'s, whose exact reading of
//! floats is a feature that would change the user's program.

mod asked;
mod chain;
mod codec;
mod compare;
mod errors;
mod finite;
mod key;
mod known;
mod lent;
mod parting;
mod read;
mod replayed;
mod respelled;
mod restored;
mod stream;
mod write;

pub use asked::{Arguments, FunctionCall, Receiver};
pub use chain::{Layer, is_holder, layers, layers_beneath, layers_lent, rebuilt};
pub use codec::{Codec, Fallible, Plain};
pub use errors::{ByDescription, BySerde, ByType, Encode, ErrorCodec, Known};
pub use lent::Lent;
pub use parting::{Equal, Parting, equal};
pub use read::{Misread, read};
pub use replayed::{ErrorKind, ReplayedError};
pub use restored::restored;
pub use stream::{items, read_item, write_item};
pub use write::{Part, Unwritable, distinct, faithful, faithful_error, faithful_lent, unordered, write};

#[cfg(test)]
mod tests;

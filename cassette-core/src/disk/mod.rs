//! The file: how a cassette is written down.
//!
//! `docs/format.md` describes the format for readers in any language. `body` gives a body the most readable form
//! that keeps its bytes, `v1` puts calls, replies and the head into format 1, `layout` prints the document so that
//! it can be read and cut by lines. What stands on disk and what a session works with are different types; the
//! conversions are here and nowhere else.

mod body;
mod digest;
mod interaction;
mod layout;
mod reseal;
mod v1;
mod open;

pub use interaction::seal;
pub(crate) use interaction::{decode as decode_interaction, encode as encode_interaction};
pub use open::OpenError;
pub use reseal::reseal;
pub use v1::{FORMAT, NEEDS, ReadError, read, write};
pub(crate) use v1::{decode_head, encode_head};

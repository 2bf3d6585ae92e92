//! What the `cargo cassette` command works with.
//!
//! ```text
//! bytes of another tool's recording -> import -> calls and their outcomes -> a session of cassette-core records them
//! ```
//!
//! The meaning of a cassette is [`cassette_core`]'s; nothing here implements it a second time.

pub mod import;

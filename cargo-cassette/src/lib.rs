//! What the `cargo cassette` command works with, for programs that want the same.
//!
//! ```text
//! a directory -> workspace: packages -> shelf: their files -> listing: what stands in each
//! a file that is not as it was recorded -> seen: what it says now, for whoever looks; mending: what to do about it; lines: where
//! prices: the list that comes along, a file, what was typed -> cassette_core::account
//! tenants: whose tests are asked -> cargo test --no-run -> registry: what each binary owns -> ownership: what does not fit
//! a cassette -> export: an HTTP archive
//! two revisions -> git: the bytes of then -> comparison: cassette by cassette
//! bytes of another tool's recording -> import -> calls and their outcomes -> a session of cassette-core records them
//! ```
//!
//! The meaning of a cassette is [`cassette_core`]'s; nothing here implements it a second time. Nothing here prints: the
//! command does, in its one file for that.

pub mod exit;
pub use cassette_core::typed;
mod hushed;
pub mod shelf;
pub mod lines;
pub mod seen;
pub mod git;
pub mod rules;
pub mod mending;
pub mod presentable;
mod tokens;
mod written;
pub mod workspace;
pub mod tenants;
pub mod listing;
pub use cassette_core::pricing;
pub mod temporary;
pub mod earlier;
pub mod registry;
pub mod inspection;
pub mod renaming;
pub mod ownership;
pub mod comparison;
pub mod import;
pub mod export;
pub mod shim;

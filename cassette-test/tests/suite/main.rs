//! `#[cassette]` and the harness, from outside.
//!
//! Annotated tests are ignored and run in a child process, so that what they print and how they end can be looked at.

#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![expect(clippy::unwrap_used, reason = "a helper of a test is a part of it")]

mod child;
mod doubles;

mod bare;
mod names;
mod orders;
mod rejections;
mod sessions;
mod settings;
mod verdicts;

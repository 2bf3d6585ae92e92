//! `#[cassette]` and the harness, from outside.
//!
//! Annotated tests are ignored and run in a child process, so that what they print and how they end can be looked at.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod child;

mod orders;
mod rejections;
mod sessions;
mod settings;
mod verdicts;

//! What the core promises, told through its public face.

#![expect(clippy::unwrap_used, reason = "a test may fail so")]

mod bench_of_calls;
mod differences;
mod directory;
mod faults;
mod files;
mod functions;
mod leaks;
mod matching;
mod modes;
mod order;
mod recording;
mod reports;
mod requests;
mod secrets;
mod stress;
mod transcript;

//! What the core promises, told through its public face.

#![expect(clippy::unwrap_used, reason = "a test may fail so")]

mod bench_of_calls;
mod differences;
mod edits;
mod digests;
mod directory;
mod exploring;
mod faults;
mod files;
mod functions;
mod leaks;
mod matchers;
mod matching;
mod modes;
mod nested;
mod order;
mod pinned;
mod planned;
mod quiet;
mod recording;
mod reports;
mod requests;
mod runs;
mod secrets;
mod stress;
mod transcript;

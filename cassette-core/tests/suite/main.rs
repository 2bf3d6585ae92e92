//! What the core promises, told through its public face.

#![expect(clippy::unwrap_used, reason = "a test may fail so")]

mod apart;
mod archives;
mod bench_of_calls;
mod budget;
mod costs;
mod counted;
mod differences;
mod edits;
mod digests;
mod directory;
mod exploring;
mod faults;
mod files;
mod forks;
mod framed;
mod functions;
mod gateways;
mod killed;
mod later;
mod leaks;
#[cfg(unix)]
mod links;
mod matchers;
mod matching;
mod mcp;
mod meanwhile;
mod modes;
mod nested;
mod order;
mod pieces;
mod pinned;
mod planned;
mod quiet;
mod recording;
mod renamed;
mod reports;
mod requests;
mod runs;
mod secrets;
mod sent_on;
mod spellings;
mod steps;
mod stress;
mod transcript;
mod upkeep;

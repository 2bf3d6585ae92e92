//! The stories: tests told end to end, with real clients, real sockets and real files.
//!
//! What is told here is annotated and ignored; each teller runs it again in a process of its own, first against a live
//! provider, then with the provider gone.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail so")]

mod readme;
mod told;

mod clients;
mod clocks;
mod streams;

mod aliases;
mod asking;
mod blame;
mod digests;
mod exploring;
mod faults;
mod files;
mod forks;
mod functions;
mod handle;
mod killing;
mod mending;
mod misses;
mod network;
mod numbers;
mod orders;
mod pending;
mod quiet;
mod secrets;
mod settings;
mod unended;
mod wiring;

//! Real clients, each in a conversation with a tool: recorded against a provider on loopback, the provider shut down, and
//! replayed without a key.
//!
//! What is told here is annotated and ignored; each teller runs it again in processes of its own.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail so")]

mod services;
mod told;

mod async_openai;
mod aws;
mod genai;
mod rig;

mod misses;

//! The adapters within clients, each with its real client: recorded against a local server, the server gone, replayed.
//!
//! What is told here is annotated and ignored; each teller runs it again in a process of its own.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail so")]

mod reqwest_012;
mod reqwest_013;

mod bedrock;
mod grpc;
mod grpc_texts;
mod http2;
mod openai;
mod tower;
mod ureq;

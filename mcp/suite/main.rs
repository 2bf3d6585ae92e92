//! MCP, with real clients and servers: recorded, the server gone, replayed.
//!
//! What is told here is annotated and ignored; each teller runs it again in a process of its own.
#![expect(deprecated, reason = "servers log and ask so, whatever a later revision of the protocol will say")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail so")]

mod alone;
mod everything;
mod inside;
mod talks;

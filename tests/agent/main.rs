//! One agent, told end to end: a model, two tools, a vector store, a clock and an MCP server, in one cassette.
//!
//! It is recorded once, in the order in which things happened; replayed with every server gone; forked at its third step, from
//! where the world goes another way; and swept with faults. Then each seam is left out in turn, and each is missed.
#![expect(clippy::unwrap_used, reason = "a test may fail so")]

mod agent;
mod world;

mod forked;
mod left_out;
mod recorded;
mod swept;
mod told;

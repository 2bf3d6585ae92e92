//! The user's own functions: they run while they are recorded, and not on replay.

mod effects;

mod errors;
mod forms;
mod given_up;
mod misses;
mod nesting;
mod questions;
mod scopes;
mod streams;
mod traits;
mod values;

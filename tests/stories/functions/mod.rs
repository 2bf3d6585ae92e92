//! The user's own functions: they run while they are recorded, and not on replay.

mod chains;
mod effects;

mod endings;
mod errors;
mod forms;
mod given_up;
mod misses;
mod nesting;
mod questions;
mod receivers;
mod scopes;
mod streams;
mod traits;
mod values;

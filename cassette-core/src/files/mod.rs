//! Files that somebody put there, and where they lie.

mod read;
mod real;

pub use read::{read, read_text};
pub use real::real;

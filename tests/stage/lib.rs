//! What the stories are played on: providers on loopback, and a way to run one test of this very program again.

mod provider;
mod rerun;

pub use provider::{Answer, Provider, Request};
pub use rerun::{Played, Stage, apart};

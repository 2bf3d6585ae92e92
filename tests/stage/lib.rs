//! What the stories are played on: providers on loopback, and a way to run one test of this very program again.

mod provider;
mod rehearsal;
mod rerun;
mod told;

pub use provider::{Answer, Provider, Request};
pub use rehearsal::{Rehearsal, tell, tell_on};
pub use rerun::{Played, Stage, apart};
pub use told::{FILTERS, is_set, local, seen, skipped, upstream, var};

//! What a person does with recordings outside any run.
//!
//! [`Candidate`] is a recording that was not taken over, on its way to be accepted; [`recovered`] makes one of what a crash left;
//! [`compacted`] and [`scrubbed`] write a file at rest anew. Whatever is saved was proven by the same [`prove`](crate::prove) as
//! what a session saves, and goes into its place by the same steps. The test is not known here: what it compares, and rules
//! that stand in its code, are not applied.

mod candidate;
mod compact;
mod known;
mod recovery;
mod refusal;
mod places;
mod vouched;
mod scrub;
mod by_environment;
mod without;

pub use by_environment::by_environment;
pub use candidate::Candidate;
pub use compact::{Compacted, compacted};
pub use known::Known;
pub use places::Hidden;
pub use recovery::{Recovered, recovered};
pub use refusal::Refusal;
pub use scrub::{Scrubbed, presentable, scrubbed};

//! The meaning of a cassette, without a runtime, a client or a printed line.
//!
//! The modules stand in the order of the pipeline:
//!
//! ```text
//! Call -> redact -> RedactedCall -> canonical -> Key -> decide(policy, found) -> Serve(i) | Live | Fail(report)
//! live reply -> redact -> journal        finish: slots -> draft -> audit + proof -> Proven -> store
//! ```

pub mod mode;
pub mod policy;

pub mod call;
pub mod reply;

pub mod headers;
pub mod redact;

pub mod canonical;
pub mod key;
mod lookup;

pub mod decide;
pub mod session;

pub mod journal;

mod draft;

pub mod audit;
pub mod prove;

pub mod store;

pub mod disk;
pub mod frames;
pub mod json;
pub mod tape;

mod difference;
mod nearest;
pub mod report;
pub mod rerun;

mod clock;
pub mod env;

//! The meaning of a cassette, without a runtime, a client or a printed line.
//!
//! ```text
//! Call -> redact -> RedactedCall -> canonical form -> Key -> decide(policy, found) -> Serve(i) | Live | Fail(report)
//! live reply -> redact -> journal        finish: slots -> draft -> audit + proof -> Proven -> store
//! ```
//!
//! The modules stand in reading order, from values to the session that puts them to work; each imports only from those
//! above it. [`session`] is the orchestrator: seams hand it a [`call::Call`] and get a [`session::Step`]. [`upkeep`] is what a
//! person does with files outside any run.

pub mod env;
pub mod files;
pub mod clock;

pub mod mode;
pub mod name;
pub mod score;
pub mod policy;
pub mod typed;
pub mod rerun;

pub mod json;
pub mod path;
pub mod normalize;
pub mod busy;
pub mod call;
pub mod matcher;
pub mod matching;
pub mod reply;
pub mod frames;
mod eventstream;
mod rpc;

pub mod redact;

pub mod dialect;
pub mod view;
mod volatile;
pub mod fault;

pub mod key;
pub mod canonical;
pub mod digested;
pub mod request;

pub mod tape;
pub mod fork;
pub mod account;
pub mod pricing;
pub mod spelling;
pub mod settings;
pub mod transcript;
pub mod step;
pub mod pending;
pub mod disk;
pub mod journal;

pub mod report;
pub mod ledger;
pub mod purse;
pub mod function;
mod difference;
pub mod alignment;
mod nearest;
pub mod similarity;

mod lookup;
pub mod decide;

mod renaming;
mod agreement;
pub mod run;

mod hiding;
pub mod renumber;
mod draft;
mod quiet;
pub mod audit;
pub mod prove;
pub mod store;

pub mod session;

pub mod mcp;
pub mod upkeep;

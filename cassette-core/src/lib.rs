//! The meaning of a cassette, without a runtime, a client or a printed line.

pub mod mode;
pub mod name;

pub mod call;
pub mod reply;

pub mod frames;
pub mod json;

pub mod session;

pub mod report;
pub mod rerun;

pub mod env;

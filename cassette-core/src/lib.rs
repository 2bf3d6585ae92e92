//! The meaning of a cassette, without a runtime, a client or a printed line.

pub mod call;
pub mod frames;
pub mod json;
pub mod reply;

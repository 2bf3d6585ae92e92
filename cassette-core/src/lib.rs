//! The meaning of a cassette, without a runtime, a client or a printed line.

pub mod audit;
pub mod call;
pub mod frames;
pub mod headers;
pub mod json;
pub mod redact;
pub mod reply;

//! What the core promises, told through its public face.

mod bench_of_calls;
mod files;
mod modes;
mod order;
mod recording;

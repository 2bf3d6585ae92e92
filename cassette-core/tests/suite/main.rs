//! What the core promises, told through its public face.

mod bench_of_calls;
mod directory;
mod files;
mod modes;
mod order;
mod recording;
mod secrets;
mod stress;

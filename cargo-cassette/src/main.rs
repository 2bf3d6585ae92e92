//! The `cargo cassette` command: reading, comparing and keeping cassettes.
//!
//! ```text
//! words -> dispatch: cli (misread where they mean nothing) -> command::<verb> -> data of cargo_cassette and cassette_core -> output
//! ```
//!
//! One file a verb in `command`, and one module, `output`, that prints.

mod cli;
mod command;
mod common;
mod dispatch;
mod misread;
mod output;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words: Vec<_> = std::env::args_os().collect();
    // Cargo starts `cargo cassette list` as `cargo-cassette cassette list`.
    if words.get(1).is_some_and(|word| word == "cassette") {
        words.remove(1);
    }
    ExitCode::from(dispatch::dispatch(words))
}

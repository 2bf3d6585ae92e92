//! The shim of `cargo cassette mcp`: `shim ADDRESS PROGRAM ARGUMENT..`.

use std::process::ExitCode;

use cargo_cassette::shim::{Shim, run};

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    let session = words.next().unwrap_or_default().to_string_lossy().into_owned();
    let shim = Shim { session, name: String::new(), server: words.collect() };
    if run(&shim).is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

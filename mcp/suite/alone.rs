//! A server that is recorded without a test: `cargo cassette mcp --cassette`, started by rmcp's client as its server would be.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::LazyLock;

use rmcp::ServiceExt as _;
use rmcp::model::ReadResourceRequestParams;
use serde_json::json;
use tokio::process::{Child, Command};

use crate::talks::{DONE, Effects, Passenger, call, converse};

/// The command, built when it is first asked for: no test of this package has it built otherwise.
static COMMAND: LazyLock<PathBuf> = LazyLock::new(|| {
    let target = Path::new(env!("CARGO_BIN_EXE_shim")).parent().unwrap().parent().unwrap();
    #[expect(clippy::disallowed_methods, reason = "cargo says which cargo it is")]
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = std::process::Command::new(cargo);
    build.args(["build", "-q", "-p", "cargo-cassette", "--bin", "cargo-cassette", "--target-dir"]).arg(target);
    assert!(build.status().unwrap().success(), "the command is built");
    target.join("debug").join("cargo-cassette")
});

/// Starts the shim in this mode.
fn shim(dir: &Path, mode: &str, server: &str, effects: &Effects) -> Child {
    let mut command = Command::new(&*COMMAND);
    command.args(["cassette", "mcp", "--cassette", "cassettes/trains.json", "--mode", mode, "--", server]);
    command.current_dir(dir).env_remove("CI").env("TIMETABLE_EFFECTS", effects.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true).spawn().unwrap()
}

/// Returns how the shim ended, and what it told.
async fn ended(shim: Child) -> String {
    let output = shim.wait_with_output().await.unwrap();
    let code = output.status.code().unwrap();
    format!("exit {code}\n{}", String::from_utf8(output.stderr).unwrap())
}

#[tokio::test]
async fn a_server_is_recorded_without_a_test_and_not_started_again() {
    let (dir, effects) = (tempfile::tempdir().unwrap(), Effects::new());
    let mut live = shim(dir.path(), "record", env!("CARGO_BIN_EXE_timetable"), &effects);
    let recorded = converse!((live.stdout.take().unwrap(), live.stdin.take().unwrap()));
    let told = ended(live).await;
    assert_eq!(told, "exit 0\ncassette `trains`: 10 recorded, 0 served, in cassettes/trains.json\n");
    assert_eq!(effects.noted(), DONE);

    let mut replay = shim(dir.path(), "replay", "/nowhere/timetable", &effects);
    let replayed = converse!((replay.stdout.take().unwrap(), replay.stdin.take().unwrap()));
    let told = ended(replay).await;
    assert!(told.starts_with("exit 0\n"), "{told}");
    assert_eq!(replayed, recorded, "the client sees the same");
    assert_eq!(effects.noted(), DONE, "the server did nothing more");
}

#[tokio::test]
async fn another_question_is_an_error_of_the_protocol_and_the_exit_code_1() {
    let (dir, effects) = (tempfile::tempdir().unwrap(), Effects::new());
    let mut said = Vec::new();
    for (mode, to) in [("record", "Bergen"), ("replay", "Oslo")] {
        let mut shim = shim(dir.path(), mode, env!("CARGO_BIN_EXE_timetable"), &effects);
        let client = ().serve((shim.stdout.take().unwrap(), shim.stdin.take().unwrap())).await.unwrap();
        let called = client.call_tool(call("next_train", to)).await;
        let called = called.map_or_else(|error| error.to_string(), |given| json!(given).to_string());
        client.cancel().await.unwrap();
        said.push((called, ended(shim).await));
    }
    let (error, told) = &said[1];
    assert!(error.contains("cassette mismatch: "), "{error}");
    let expected = "exit 1\n\
                    error: cassette mismatch: `trains` holds no recording of call 3, tool tools/call next_train\n";
    assert!(told.starts_with(expected), "{told}");
    assert!(told.contains("help: if the change is meant, cargo cassette mcp --mode record --cassette "), "{told}");
    assert_eq!(effects.noted(), "next_train\n", "the server was started once");
}

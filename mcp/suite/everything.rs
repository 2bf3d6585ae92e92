//! The reference server of the protocol, written by others in another language.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command as Program, Stdio};

use cassette_test::{Cassette, cassette};
use rmcp::ServiceExt as _;
use rmcp::model::{CallToolRequestParams, ReadResourceRequestParams};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use serde_json::json;
use tokio::process::Command;

use crate::talks::Passenger;
use stages::{Rehearsal, seen, story, var};

/// Speaks to the server, and tells all that came of it.
macro_rules! converse {
    ($transport:expr) => {{
        let passenger = Passenger::default();
        let client = passenger.clone().serve($transport).await.unwrap();
        let mut told = vec![client.list_all_tools().await.unwrap().len().to_string()];
        for (name, arguments) in [
            ("echo", json!({"message": "hello"})),
            ("get-sum", json!({"a": 2, "b": 3})),
            ("trigger-long-running-operation", json!({"duration": 0.2, "steps": 2})),
            ("trigger-sampling-request", json!({"prompt": "which train?", "maxTokens": 10})),
        ] {
            let arguments = arguments.as_object().unwrap().clone();
            let called = client.call_tool(CallToolRequestParams::new(name).with_arguments(arguments)).await;
            told.push(called.map_or_else(|error| error.to_string(), |given| serde_json::to_string(&given).unwrap()));
        }
        let resource = ReadResourceRequestParams::new("demo://resource/static/document/features.md");
        told.push(client.read_resource(resource).await.map_or_else(|error| error.to_string(), |read| format!("{read:?}")));
        client.cancel().await.unwrap();
        told.extend(passenger.noted().into_iter().filter(|noted| !noted.starts_with("log ")));
        told.join("\n")
    }};
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks_everything_through_the_shim(cassette: Cassette) {
    let mut shim = Command::new(env!("CARGO_BIN_EXE_shim"));
    shim.args([cassette.mcp_address(), "node".to_owned(), var("STORY_UPSTREAM"), "stdio".to_owned()]);
    seen(converse!(TokioChildProcess::new(shim).unwrap()));
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks_everything_over_http(cassette: Cassette) {
    let url = cassette.upstream("everything", var("STORY_UPSTREAM"));
    seen(converse!(StreamableHttpClientTransport::from_uri(url)));
}

/// Returns the server's program, if it is installed.
#[expect(clippy::print_stderr, reason = "what is skipped is not to look as if it had passed")]
fn everything() -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_BIN_EXE_shim")).parent()?.parent()?;
    let program = target.join("node/node_modules/@modelcontextprotocol/server-everything/dist/index.js");
    if program.is_file() {
        return Some(program);
    }
    eprintln!("skipped: {} is not there; .ci/run installs it", program.display());
    None
}

#[track_caller]
fn check(seen: &str) {
    for expected in ["Echo: hello", "The sum of 2 and 3 is 5.", "progress 2", "asked ", "the first one"] {
        assert!(seen.contains(expected), "{expected}:\n{seen}");
    }
}

#[test]
fn the_reference_server_is_recorded_through_the_shim() {
    let Some(program) = everything() else { return };
    let rehearsal = Rehearsal::at(program.to_str().unwrap());
    let live = rehearsal.passes(story!(it_asks_everything_through_the_shim), "record");
    check(&rehearsal.seen());
    let rehearsal = rehearsal.with("STORY_UPSTREAM", "/nowhere/index.js");
    for _ in 0..3 {
        assert_eq!(rehearsal.passes(story!(it_asks_everything_through_the_shim), "replay").seen, live.seen);
    }
}

/// The server over HTTP, gone once it is dropped.
struct Http(Child);

impl Drop for Http {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// How often a port may be taken from the server before it has it.
const ATTEMPTS: usize = 10;

/// Starts the server, and returns it with its port and what it says further.
fn serve(program: &Path) -> (Http, u16, BufReader<ChildStderr>) {
    let mut told = String::new();
    for _ in 0..ATTEMPTS {
        // It takes no port of its own choice, so one is found for it that was free a moment ago: another may be faster.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut node = Program::new("node");
        node.arg(program).arg("streamableHttp").env("PORT", port.to_string());
        let mut child = node.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let server = Http(child);
        told.clear();
        let listens = loop {
            let start = told.len();
            let is_over = said.read_line(&mut told).unwrap() == 0;
            if is_over || told[start..].contains("listening on port") {
                break !is_over;
            }
        };
        if listens {
            return (server, port, said);
        }
        assert!(told.contains("already in use"), "the server starts:\n{told}");
    }
    panic!("the server found no port in {ATTEMPTS} attempts:\n{told}")
}

#[test]
fn the_reference_server_is_recorded_over_http() {
    let Some(program) = everything() else { return };
    let (server, port, mut said) = serve(&program);
    let draining = std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));

    let rehearsal = Rehearsal::at(&format!("http://127.0.0.1:{port}/mcp"));
    let live = rehearsal.passes(story!(it_asks_everything_over_http), "record");
    check(&rehearsal.seen());
    drop(server);
    draining.join().unwrap().unwrap();
    for _ in 0..3 {
        assert_eq!(rehearsal.passes(story!(it_asks_everything_over_http), "replay").seen, live.seen);
    }
}

//! rmcp's client within the test, and a server that is its child, is started through the shim, or is asked over HTTP.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cassette_test::{Cassette, cassette};
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult,
    Implementation, LoggingMessageNotificationParam, ProgressNotificationParam, ReadResourceRequestParams,
    SamplingMessage,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientHandler, ErrorData, RoleClient, ServiceExt as _};
use serde_json::{Map, json};
use stages::{Rehearsal, assert_told, is_set, seen, story, var};
use tokio::process::Command;

/// A client that notes what it is told, and answers what it is asked.
#[derive(Clone, Default)]
pub(crate) struct Passenger {
    noted: Arc<Mutex<Vec<String>>>,
}

impl Passenger {
    pub(crate) fn noted(&self) -> Vec<String> {
        self.noted.lock().unwrap().clone()
    }

    fn note(&self, what: impl Into<String>) {
        self.noted.lock().unwrap().push(what.into());
    }
}

impl ClientHandler for Passenger {
    fn get_info(&self) -> ClientConfig {
        let capabilities = ClientCapabilities::builder().enable_sampling().build();
        ClientConfig::new(capabilities, Implementation::new("passenger", "1"))
    }

    async fn on_progress(&self, progress: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.note(format!("progress {}", progress.progress));
    }

    async fn on_logging_message(&self, log: LoggingMessageNotificationParam, _: NotificationContext<RoleClient>) {
        self.note(format!("log {}", log.data));
    }

    async fn create_message(
        &self,
        asked: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        self.note(format!("asked {}", serde_json::to_string(&asked.messages).unwrap()));
        let answer = if is_set("STORY_ANSWERS_OTHERWISE") { "the last one" } else { "the first one" };
        Ok(CreateMessageResult::new(SamplingMessage::assistant_text(answer), "passenger".to_owned()))
    }
}

/// Returns the program of the server. In a replay there is none.
fn server() -> String {
    var("STORY_UPSTREAM")
}

pub(crate) fn call(name: &'static str, to: &str) -> CallToolRequestParams {
    let arguments = Map::from_iter([("to".to_owned(), json!(to))]);
    CallToolRequestParams::new(name).with_arguments(arguments)
}

/// Speaks to a server, and tells all that came of it.
macro_rules! converse {
    ($transport:expr) => {{
        let passenger = Passenger::default();
        let client = passenger.clone().serve($transport).await.unwrap();
        let mut told = Vec::new();
        told.push(serde_json::to_string(&client.list_all_tools().await.unwrap()).unwrap());
        for request in [call("next_train", "Bergen"), call("next_train", "Bergen"), call("cancelled_train", "Bergen")] {
            told.push(serde_json::to_string(&client.call_tool(request).await.unwrap()).unwrap());
        }
        told.push(client.call_tool(call("lost_train", "Bergen")).await.unwrap_err().to_string());
        told.push(serde_json::to_string(&client.call_tool(call("which_train", "Bergen")).await.unwrap()).unwrap());
        let read = client.read_resource(ReadResourceRequestParams::new("trains://today")).await.unwrap();
        told.push(serde_json::to_string(&read).unwrap());
        client.cancel().await.unwrap();
        told.extend(passenger.noted());
        told
    }};
}
pub(crate) use converse;

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks_a_child(cassette: Cassette) {
    let transport = cassette.mcp_with(|| TokioChildProcess::new(Command::new(server())));
    seen(converse!(transport).join("\n"));
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks_through_the_shim(cassette: Cassette) {
    let mut shim = Command::new(env!("CARGO_BIN_EXE_shim"));
    shim.args([cassette.mcp_address(), server()]);
    seen(converse!(TokioChildProcess::new(shim).unwrap()).join("\n"));
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_asks_over_http(cassette: Cassette) {
    let url = cassette.upstream("timetable", server());
    let mut told = converse!(StreamableHttpClientTransport::from_uri(url));
    // They come on a stream of their own, to which a client need not have listened by now.
    told.retain(|told| !told.starts_with("log "));
    seen(told.join("\n"));
}

/// Where the server writes down what it did.
pub(crate) struct Effects(tempfile::TempDir);

impl Effects {
    pub(crate) fn new() -> Effects {
        Effects(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.0.path().join("effects")
    }

    pub(crate) fn noted(&self) -> String {
        fs::read_to_string(self.path()).unwrap_or_default()
    }
}

/// What the server does in the course of [`converse`].
pub(crate) const DONE: &str = "next_train\nnext_train\ncancelled_train\nlost_train\nwhich_train\ntrains://today\n";

/// Tells a story with a real server, and again without; returns what it saw and the file.
#[track_caller]
fn tell(story: &str) -> (String, String) {
    let effects = Effects::new();
    let live =
        Rehearsal::at(env!("CARGO_BIN_EXE_timetable")).with("TIMETABLE_EFFECTS", effects.path().to_str().unwrap());
    let recorded = live.passes(story, "record");
    assert_eq!(effects.noted(), DONE);
    let replay = live.with("STORY_UPSTREAM", "/nowhere/timetable");
    let replayed = replay.passes(story, "replay");
    assert_eq!(replayed.seen, recorded.seen, "the program sees the same");
    assert_eq!(effects.noted(), DONE, "the server did nothing more");
    (replay.seen(), replay.only_file())
}

#[test]
fn a_child_is_recorded_and_not_started_again() {
    let (seen, file) = tell(story!(it_asks_a_child));
    assert!(seen.contains("09:02 to") && seen.contains("the first one"), "{seen}");
    let noted: Vec<_> = seen.lines().skip(7).collect();
    assert_eq!(noted.iter().filter(|noted| noted.starts_with("progress ")).count(), 4, "{seen}");
    let heads: Vec<_> = file.lines().filter(|line| line.starts_with("      \"name\"")).map(str::trim).collect();
    assert_eq!(
        heads,
        [
            r#""name": "initialize","#,
            r#""name": "notifications/initialized","#,
            r#""name": "tools/list","#,
            r#""name": "tools/call next_train","#,
            r#""name": "tools/call next_train","#,
            r#""name": "tools/call cancelled_train","#,
            r#""name": "tools/call lost_train","#,
            r#""name": "tools/call which_train","#,
            r#""name": "answer to sampling/createMessage","#,
            r#""name": "resources/read","#,
        ]
    );
}

#[test]
fn a_shim_stands_in_for_a_server() {
    let (seen, _) = tell(story!(it_asks_through_the_shim));
    let (directly, _) = tell(story!(it_asks_a_child));
    assert_eq!(seen, directly);
}

#[test]
fn another_answer_to_the_server_is_a_mismatch() {
    let rehearsal = Rehearsal::at(env!("CARGO_BIN_EXE_timetable"));
    rehearsal.passes(story!(it_asks_a_child), "record");
    let rehearsal = rehearsal.with("STORY_ANSWERS_OTHERWISE", "1");
    assert_told!("answer", rehearsal.fails(story!(it_asks_a_child), "replay"));
}

#[cassette(on_miss = "error")]
#[tokio::test]
#[ignore]
async fn it_asks_for_another_train(cassette: Cassette) {
    let transport = cassette.mcp_with(|| TokioChildProcess::new(Command::new(server())));
    let client = ().serve(transport).await.unwrap();
    let to = if cassette.is_replaying() { "Oslo" } else { "Bergen" };
    match client.call_tool(call("next_train", to)).await {
        Ok(_) => {}
        Err(error) => seen(error.to_string()),
    }
    client.cancel().await.unwrap();
}

#[test]
fn a_miss_is_an_error_of_the_protocol() {
    let rehearsal = Rehearsal::at(env!("CARGO_BIN_EXE_timetable"));
    rehearsal.passes(story!(it_asks_for_another_train), "record");
    let told = rehearsal.fails(story!(it_asks_for_another_train), "replay");
    assert!(rehearsal.seen().contains("cassette mismatch: "), "{}", rehearsal.seen());
    assert_told!("miss", told);
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_loses_its_server(cassette: Cassette) {
    let transport = cassette.mcp_with(|| TokioChildProcess::new(Command::new(server())));
    let client = ().serve(transport).await.unwrap();
    let lost = client.call_tool(call("fatal_train", "Bergen")).await;
    assert!(lost.is_err());
}

#[test]
fn a_server_that_dies_is_not_recorded_as_the_truth() {
    let rehearsal = Rehearsal::at(env!("CARGO_BIN_EXE_timetable"));
    assert_told!("dead", rehearsal.fails(story!(it_loses_its_server), "record"));
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_gives_up(cassette: Cassette) {
    let transport = cassette.mcp_with(|| TokioChildProcess::new(Command::new(server())));
    let client = ().serve(transport).await.unwrap();
    let waiting = tokio::time::timeout(Duration::from_millis(50), client.call_tool(call("slow_train", "Bergen"))).await;
    assert!(waiting.is_err());
    let next = client.call_tool(call("cancelled_train", "Bergen")).await.unwrap();
    seen(serde_json::to_string(&next).unwrap());
}

#[test]
fn a_request_that_was_given_up_is_given_up_again() {
    let rehearsal = Rehearsal::at(env!("CARGO_BIN_EXE_timetable"));
    let live = rehearsal.passes(story!(it_gives_up), "record");
    let replay = rehearsal.with("STORY_UPSTREAM", "/nowhere/timetable");
    assert_eq!(replay.passes(story!(it_gives_up), "replay").seen, live.seen);
}

/// A server over HTTP, gone once it is dropped.
pub(crate) struct Http {
    child: std::process::Child,
    pub(crate) url: String,
}

impl Http {
    pub(crate) fn start(program: &str, words: &[&str], effects: &Effects) -> Http {
        let mut command = std::process::Command::new(program);
        command.args(words).env("TIMETABLE_EFFECTS", effects.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Http { child, url: url.trim().to_owned() }
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_server_over_http_is_recorded_through_the_gateway() {
    let effects = Effects::new();
    let http = Http::start(env!("CARGO_BIN_EXE_timetable"), &["http"], &effects);
    let rehearsal = Rehearsal::at(&http.url);
    let live = rehearsal.passes(story!(it_asks_over_http), "record");
    assert_eq!(effects.noted(), DONE);
    drop(http);
    for _ in 0..5 {
        let replayed = rehearsal.passes(story!(it_asks_over_http), "replay");
        assert_eq!(replayed.seen, live.seen, "the program sees the same");
    }
    let (seen, file) = (rehearsal.seen(), rehearsal.only_file());
    assert!(seen.contains("09:02 to") && seen.contains("the first one"), "{seen}");
    assert!(!file.contains("\"DELETE ") && file.contains("[\"mcp-session-id\", \"volatile\"]"), "{file}");

    let otherwise = rehearsal.with("STORY_ANSWERS_OTHERWISE", "1");
    let told = otherwise.fails(story!(it_asks_over_http), "replay");
    // Which call it is hangs on whether the client listens by then.
    let differs = "    result.content.text\n      recorded  \"the first one\"\n      incoming  \"the last one\"\n";
    assert!(told.contains("cassette mismatch: ") && told.contains(differs), "{told}");
}

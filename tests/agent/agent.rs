//! The program under test: a small loop of its own over async-openai, reqwest and rmcp.
//!
//! In a user's crate this is production code. What a test needs of it is an address for the model and a transport for the MCP
//! server; its functions carry their attributes where they are written.

use std::io;
use std::time::Duration;

use async_openai::Client;
use async_openai::config::OpenAIConfig;
use cassette_test::{Call, Cassette};
use rmcp::ServiceExt as _;
use rmcp::model::CallToolRequestParams;
use rmcp::service::{RoleClient, RunningService};
use serde_json::{Value, json};
use stages::var;

use crate::told::{Seam, leaves_out};

/// How often a model is asked the same before the agent gives up.
const ATTEMPTS: usize = 3;

/// Answers a question about trains.
///
/// # Errors
///
/// Fails with the last error of the model, where it fails each time.
pub(crate) async fn answer(cassette: &Cassette, question: &str) -> Result<String, String> {
    let now = now(cassette);
    let known = recall(question).await;
    let mut messages = vec![
        json!({"content": format!("It is {now}. Known of the traveller: {}.", known.join("; ")), "role": "system"}),
        json!({"content": question, "role": "user"}),
    ];
    loop {
        let said = ask(cassette, &messages).await?;
        let message = said["choices"][0]["message"].clone();
        let calls = message["tool_calls"].as_array().cloned().unwrap_or_default();
        messages.push(message.clone());
        if calls.is_empty() {
            return Ok(message["content"].as_str().unwrap_or_default().to_owned());
        }
        for call in calls {
            let content = run(cassette, &call["function"]).await;
            messages.push(json!({"content": content, "role": "tool", "tool_call_id": call["id"]}));
        }
    }
}

/// Reads the clock.
fn now(cassette: &Cassette) -> String {
    if leaves_out(Seam::Clock) { clock() } else { cassette.value("now", clock) }
}

/// The clock of this world: what it shows is another thing at each run.
fn clock() -> String {
    var("STORY_CLOCK")
}

/// Returns what the vector store knows that is near to this question.
async fn recall(question: &str) -> Vec<String> {
    if leaves_out(Seam::Store) { search(question).await } else { nearest(question).await }
}

#[cassette_test::memory]
async fn nearest(question: &str) -> Vec<String> {
    search(question).await
}

async fn search(question: &str) -> Vec<String> {
    let asked = reqwest::Client::new().post(var("STORY_STORE")).json(&json!({"near": question})).send().await;
    match asked {
        Ok(reply) => reply.json().await.unwrap_or_default(),
        // A store that is down is no reason to leave a traveller without an answer: a fault that no test may overlook.
        Err(_) => Vec::new(),
    }
}

/// Asks the model, again where it fails.
async fn ask(cassette: &Cassette, messages: &[Value]) -> Result<Value, String> {
    let upstream = var("STORY_MODEL");
    let base = if leaves_out(Seam::Model) { upstream } else { cassette.upstream("model", upstream) };
    let config = OpenAIConfig::new().with_api_base(base).with_api_key("none");
    let request = json!({"messages": messages, "model": "gpt-4o-mini", "tools": tools()});
    let mut failed = String::new();
    for _ in 0..ATTEMPTS {
        // The client tries again by itself too.
        let client = Client::with_config(config.clone()).with_http_client(reqwest::Client::new());
        let chat = client.chat();
        let asked = chat.create_byot::<_, Value>(request.clone());
        match tokio::time::timeout(Duration::from_secs(5), asked).await {
            Ok(Ok(said)) => return Ok(said),
            Ok(Err(error)) => failed = error.to_string(),
            Err(_) => "no answer in time".clone_into(&mut failed),
        }
    }
    Err(failed)
}

fn tools() -> Value {
    let tool = |name: &str, of: &str| {
        json!({"function": {"description": of, "name": name, "parameters": {
            "properties": {"town": {"type": "string"}}, "required": ["town"], "type": "object",
        }}, "type": "function"})
    };
    json!([
        tool("timetable", "When the next train leaves"),
        tool("fare", "What a ticket costs"),
        tool("platform", "From where it leaves"),
    ])
}

/// Runs the tool that the model asks for, and returns what it is to be told.
async fn run(cassette: &Cassette, function: &Value) -> String {
    let arguments: Value = serde_json::from_str(function["arguments"].as_str().unwrap_or_default()).unwrap_or_default();
    let town = arguments["town"].as_str().unwrap_or_default();
    match function["name"].as_str().unwrap_or_default() {
        "timetable" => timetable(town).await,
        "fare" => fare(cassette, town).await,
        "platform" => platform(cassette, town).await,
        other => format!("there is no tool `{other}`"),
    }
}

/// The first tool: a function that carries the attribute.
async fn timetable(town: &str) -> String {
    if leaves_out(Seam::Timetable) { departures(town).await } else { next_train(town).await }
}

#[cassette_test::tool]
async fn next_train(town: &str) -> String {
    departures(town).await
}

async fn departures(town: &str) -> String {
    get(&format!("{}/{town}", var("STORY_TRAINS"))).await.unwrap_or_else(|error| format!("no timetable: {error}"))
}

/// The second tool: a call that is wrapped where it is made. The office is closed, and its error is what the model is told.
async fn fare(cassette: &Cassette, town: &str) -> String {
    let address = format!("{}/{town}", var("STORY_FARES"));
    let asked = if leaves_out(Seam::Fare) {
        get(&address).await
    } else {
        cassette.try_call(Call::tool("fare", town), || get(&address)).await
    };
    asked.unwrap_or_else(|error| format!("no fare: {error}"))
}

async fn get(address: &str) -> io::Result<String> {
    let reply = reqwest::get(address).await.map_err(|_| io::ErrorKind::ConnectionRefused)?;
    let status = reply.status();
    let text = reply.text().await.map_err(|_| io::ErrorKind::ConnectionReset)?;
    if status.is_success() { Ok(text) } else { Err(io::Error::other(format!("{status}, {text}"))) }
}

/// The MCP server's tool.
async fn platform(cassette: &Cassette, town: &str) -> String {
    let Some(client) = connect(cassette).await else { return "no platform".to_owned() };
    let arguments = json!({"town": town}).as_object().cloned().unwrap_or_default();
    let asked = client.call_tool(CallToolRequestParams::new("platform").with_arguments(arguments)).await;
    let said = match asked {
        Ok(result) => serde_json::to_value(&result.content).unwrap()[0]["text"].as_str().unwrap_or_default().to_owned(),
        Err(error) => format!("no platform: {error}"),
    };
    let _ = client.cancel().await;
    said
}

async fn connect(cassette: &Cassette) -> Option<RunningService<RoleClient, ()>> {
    let reach = || async { tokio::net::TcpStream::connect(var("STORY_MCP")).await };
    if leaves_out(Seam::Platform) {
        return ().serve(reach().await.ok()?).await.ok();
    }
    let transport = cassette.mcp_with(|| {
        let stream = std::net::TcpStream::connect(var("STORY_MCP"))?;
        stream.set_nonblocking(true)?;
        tokio::net::TcpStream::from_std(stream)
    });
    ().serve(transport).await.ok()
}

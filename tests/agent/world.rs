//! What the agent touches: five servers on loopback, each on a port of its own, and a clock.

use std::net::SocketAddr;
use std::thread::JoinHandle;

use rmcp::handler::server::wrapper::Parameters;
use rmcp::{ServerHandler, ServiceExt as _, schemars, tool, tool_handler, tool_router};
use serde_json::{Value, json};
use stages::{Answer, Provider, Request};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// The servers, while they are up. A world that has gone keeps their addresses, at which nobody answers.
pub(crate) struct World {
    addresses: Vec<(&'static str, String)>,
    servers: Option<Servers>,
}

struct Servers {
    plain: Vec<Provider>,
    mcp: McpServer,
}

impl World {
    /// Returns the world of this day: its servers are up.
    pub(crate) fn on(day: Day) -> World {
        let trains = move |_: &Request| Answer::bytes("text/plain", day.departure().as_bytes());
        let served: [(&'static str, Provider); 4] = [
            ("STORY_MODEL", Provider::start(|request: &Request| model(&request.text())).unwrap()),
            ("STORY_STORE", Provider::start(|_: &Request| Answer::json(200, r#"["travels on Fridays"]"#)).unwrap()),
            ("STORY_TRAINS", Provider::start(trains).unwrap()),
            ("STORY_FARES", Provider::start(|_: &Request| Answer::json(503, "the office is closed")).unwrap()),
        ];
        let mcp = McpServer::start();
        let mut addresses = vec![("STORY_CLOCK", day.clock().to_owned()), ("STORY_MCP", mcp.address.to_string())];
        let mut plain = Vec::new();
        for (name, server) in served {
            let path = if name == "STORY_MODEL" { "/v1" } else { "" };
            addresses.push((name, server.url() + path));
            plain.push(server);
        }
        World { addresses, servers: Some(Servers { plain, mcp }) }
    }

    /// Returns the variables that tell the agent of it.
    pub(crate) fn addresses(&self) -> Vec<(&'static str, String)> {
        self.addresses.clone()
    }

    /// Returns how often each server has been asked: the model, the store, the two tools; and how many have come to the MCP
    /// server.
    pub(crate) fn asked(&self) -> Vec<usize> {
        self.servers.iter().flat_map(|servers| servers.plain.iter().map(Provider::asked)).collect()
    }

    /// Shuts every server down. What the clock shows goes on.
    pub(crate) fn end(&mut self) {
        if let Some(servers) = self.servers.take() {
            servers.mcp.stop();
        }
        self.addresses.retain(|(name, _)| *name != "STORY_CLOCK");
        self.addresses.push(("STORY_CLOCK", "a time that nobody has recorded".to_owned()));
    }
}

/// A day on which the agent is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Day {
    /// Trains run.
    Friday,
    /// They do not.
    Strike,
}

impl Day {
    fn departure(self) -> &'static str {
        match self {
            Day::Friday => "09:04",
            Day::Strike => "no train today",
        }
    }

    fn clock(self) -> &'static str {
        match self {
            Day::Friday => "Friday, 08:57",
            Day::Strike => "Saturday, 08:57",
        }
    }
}

/// Answers as a model does that first asks for three tools, and then tells what they said.
fn model(asked: &str) -> Answer {
    let asked: Value = serde_json::from_str(asked).unwrap();
    let messages = asked["messages"].as_array().unwrap();
    let told: Vec<_> =
        messages.iter().filter(|message| message["role"] == "tool").map(|message| &message["content"]).collect();
    let message = match told.as_slice() {
        [train, fare, platform] => {
            let content = [("Train", train), ("Fare", fare), ("Platform", platform)]
                .map(|(what, told)| format!("{what}: {}.", told.as_str().unwrap_or_default()));
            json!({"content": content.join(" "), "role": "assistant"})
        }
        _ => json!({"content": null, "role": "assistant", "tool_calls": [
            tool_call("call_1", "timetable"), tool_call("call_2", "fare"), tool_call("call_3", "platform"),
        ]}),
    };
    let finish = if message["content"].is_null() { "tool_calls" } else { "stop" };
    let body = json!({
        "choices": [{"finish_reason": finish, "index": 0, "message": message}],
        "created": 1_777_000_000, "id": "chatcmpl-1", "model": "gpt-4o-mini-2024-07-18", "object": "chat.completion",
        "usage": {"completion_tokens": 20, "prompt_tokens": 100, "total_tokens": 120},
    });
    Answer::json(200, &body.to_string())
}

fn tool_call(id: &str, name: &str) -> Value {
    json!({"function": {"arguments": r#"{"town":"Bergen"}"#, "name": name}, "id": id, "type": "function"})
}

/// An MCP server over TCP, with one tool.
struct McpServer {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl McpServer {
    fn start() -> McpServer {
        let (stop, stopped) = oneshot::channel();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = TcpListener::from_std(listener).unwrap();
                tokio::select! {
                    () = serve(listener) => {}
                    _ = stopped => {}
                }
            });
        });
        McpServer { address, stop, thread }
    }

    fn stop(self) {
        let _ = self.stop.send(());
        let _ = self.thread.join();
    }
}

async fn serve(listener: TcpListener) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(async move {
            if let Ok(running) = Platforms.serve(stream).await {
                let _ = running.waiting().await;
            }
        });
    }
}

#[derive(Clone, Copy, Debug)]
struct Platforms;

/// What the tool is asked.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Asked {
    town: String,
}

#[tool_router]
impl Platforms {
    #[tool(description = "From where the next train to a town leaves")]
    async fn platform(&self, Parameters(asked): Parameters<Asked>) -> String {
        format!("platform 2, for {}", asked.town)
    }
}

#[tool_handler]
impl ServerHandler for Platforms {}

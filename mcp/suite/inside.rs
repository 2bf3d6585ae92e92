//! A client within the test whose transport is handed to the cassette: what a tool asks, what is given up, and pings.

use std::time::{Duration, Instant};

use cassette_test::{Cassette, cassette};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientRequest, ContentBlock, PingRequest, ServerRequest,
};
use rmcp::service::{Peer, RequestContext, RunningService};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ErrorData, RoleClient, RoleServer, ServerHandler, ServiceExt as _};
use stages::{Rehearsal, assert_told, is_set, seen, story, var};
use tokio::io::DuplexStream;
use tokio::process::Command;

use crate::talks::{Effects, Http, call};

/// A server in the test's own process: it answers with the name that it is called by, unless that is `slow_train`.
struct Station;

impl ServerHandler for Station {
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match &*request.name {
            "slow_train" => std::future::pending::<()>().await,
            _ => drop(context.peer.send_request(ServerRequest::PingRequest(PingRequest::default())).await),
        }
        Ok(CallToolResult::success(vec![ContentBlock::text(request.name.into_owned())]).into())
    }
}

/// Returns a client of that server, whose transport the cassette has.
async fn at_the_station(cassette: &Cassette) -> RunningService<RoleClient, ()> {
    ().serve(cassette.mcp(station())).await.unwrap()
}

/// Returns the client's end of a pair, whose other end is a server; of a server that is gone, nobody holds the other end.
fn station() -> DuplexStream {
    let (client, server) = tokio::io::duplex(4096);
    if !is_set("STORY_IS_ALONE") {
        tokio::spawn(async move {
            if let Ok(running) = Station.serve(server).await {
                let _ = running.waiting().await;
            }
        });
    }
    client
}

#[cassette_test::tool(skip(peer))]
async fn plan(peer: &Peer<RoleClient>, to: &str) -> String {
    let train = peer.call_tool(call("next_train", to)).await.unwrap();
    format!("by {}", serde_json::to_string(&train.content).unwrap())
}

async fn plans(client: &Peer<RoleClient>) {
    let planned = plan(client, "Bergen").await;
    let outside = client.call_tool(call("cancelled_train", "Bergen")).await.unwrap();
    seen(format!("{planned}, {}", serde_json::to_string(&outside.content).unwrap()));
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_plans_by_a_transport(cassette: Cassette) {
    let client = at_the_station(&cassette).await;
    plans(client.peer()).await;
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_plans_by_a_child(cassette: Cassette) {
    let transport = cassette.mcp_with(|| TokioChildProcess::new(Command::new(var("STORY_UPSTREAM"))));
    let client = ().serve(transport).await.unwrap();
    plans(client.peer()).await;
}

#[test]
fn what_a_tool_asks_is_within_it_and_is_not_asked_again() {
    for story in [story!(it_plans_by_a_transport), story!(it_plans_by_a_child)] {
        let live = Rehearsal::at(env!("CARGO_BIN_EXE_timetable"));
        live.passes(story, "record");
        let recorded = live.seen();
        let file = live.only_file();
        let within: Vec<_> =
            file.lines().filter(|line| line.starts_with("      \"name\"") || line.contains("\"within\"")).collect();
        assert_eq!(
            within,
            [
                r#"      "name": "initialize","#,
                r#"      "name": "notifications/initialized","#,
                r#"      "name": "inside::plan","#,
                r#"      "name": "tools/call next_train","#,
                r#"      "within": 3,"#,
                r#"      "name": "tools/call cancelled_train","#,
            ],
            "{story}"
        );
        let replay = live.with("STORY_UPSTREAM", "/nowhere/timetable").with("STORY_IS_ALONE", "1");
        replay.passes(story, "replay");
        assert_eq!(replay.seen(), recorded, "{story}");
    }
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_speaks_to_two(cassette: Cassette) {
    let (how, mut told) = (var("STORY_TWO"), String::new());
    let named = |name: &str| match how.as_str() {
        "named" => cassette.mcp(station()).named(name),
        _ => cassette.mcp(station()),
    };
    let first = ().serve(named("first")).await.unwrap();
    let mut ask = async |of: &Peer<RoleClient>, train| {
        let train = of.call_tool(call(train, "Bergen")).await.unwrap();
        told.push_str(&serde_json::to_string(&train.content).unwrap());
    };
    ask(first.peer(), "next_train").await;
    // Whether it has hung up by the time the other begins is left to the runtime.
    let first = if how == "restarted" { None } else { Some(first) };
    let second = ().serve(named("second")).await.unwrap();
    ask(second.peer(), "next_train").await;
    if let Some(first) = first {
        ask(first.peer(), "cancelled_train").await;
    }
    seen(told);
}

#[test]
fn two_at_once_need_names_and_one_after_the_other_does_not() {
    for how in ["named", "restarted"] {
        let live = Rehearsal::at("").with("STORY_TWO", how);
        live.passes(story!(it_speaks_to_two), "record");
        let recorded = live.seen();
        let replay = live.with("STORY_IS_ALONE", "1");
        replay.passes(story!(it_speaks_to_two), "replay");
        assert_eq!(replay.seen(), recorded, "{how}");
    }
    let live = Rehearsal::at("").with("STORY_TWO", "unnamed");
    assert_told!("two", live.fails(story!(it_speaks_to_two), "record"));
}

#[cassette(on_miss = "error")]
#[tokio::test]
#[ignore]
async fn it_waits_for_a_transport(cassette: Cassette) {
    let client = at_the_station(&cassette).await;
    let start = Instant::now();
    let asked = client.call_tool(call("slow_train", "Bergen"));
    if is_set("STORY_WAITS") {
        let told = asked.await.unwrap_err().to_string();
        seen(format!("{told}\nafter {}", if start.elapsed() < Duration::from_secs(30) { "a while" } else { "long" }));
    } else {
        assert!(tokio::time::timeout(Duration::from_millis(50), asked).await.is_err());
    }
}

#[test]
fn who_waits_for_what_was_given_up_is_told_by_the_transport_too() {
    let live = Rehearsal::at("");
    live.passes(story!(it_waits_for_a_transport), "record");
    let replay = live.with("STORY_IS_ALONE", "1");
    replay.passes(story!(it_waits_for_a_transport), "replay");
    let replay = replay.with("STORY_WAITS", "1");
    assert_told!("waiting", replay.fails(story!(it_waits_for_a_transport), "replay"));
    assert!(replay.seen().contains("where the program stopped reading; now it waits for more"), "{}", replay.seen());
    assert!(replay.seen().ends_with("after a while"), "{}", replay.seen());
}

/// Pings as often as the story says, between two calls.
async fn pings(client: &Peer<RoleClient>) {
    let mut told = String::new();
    for name in ["next_train", "cancelled_train"] {
        let train = client.call_tool(call(name, "Bergen")).await.unwrap();
        told.push_str(&serde_json::to_string(&train.content).unwrap());
        for _ in 0..var("STORY_PINGS").parse::<usize>().unwrap() {
            client.send_request(ClientRequest::PingRequest(PingRequest::default())).await.unwrap();
        }
    }
    seen(told);
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_pings_a_transport(cassette: Cassette) {
    let client = at_the_station(&cassette).await;
    pings(client.peer()).await;
}

#[cassette]
#[tokio::test]
#[ignore]
async fn it_pings_over_http(cassette: Cassette) {
    let url = cassette.upstream("timetable", var("STORY_UPSTREAM"));
    let client = ().serve(StreamableHttpClientTransport::from_uri(url)).await.unwrap();
    pings(client.peer()).await;
    client.cancel().await.unwrap();
}

#[test]
fn pings_are_not_recorded_and_answered_by_the_replay() {
    let effects = Effects::new();
    let http = Http::start(env!("CARGO_BIN_EXE_timetable"), &["http"], &effects);
    for (story, upstream) in [(story!(it_pings_a_transport), ""), (story!(it_pings_over_http), &http.url)] {
        let live = Rehearsal::at(upstream).with("STORY_PINGS", "2");
        live.passes(story, "record");
        let (recorded, file) = (live.seen(), live.only_file());
        assert!(!file.contains("\"ping\"") && !file.contains("answer to"), "{file}");
        let mut replay = live.with("STORY_IS_ALONE", "1").with("STORY_UPSTREAM", "http://127.0.0.1:9/mcp");
        for pings in ["0", "1", "7"] {
            replay = replay.with("STORY_PINGS", pings);
            replay.passes(story, "replay");
            assert_eq!(replay.seen(), recorded, "{story}");
        }
    }
    drop(http);
}

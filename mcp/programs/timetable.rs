//! An MCP server for trains, by rmcp: on its standard streams, or over HTTP at a port of its own choice, which it prints.
#![expect(deprecated, reason = "servers log and ask so, whatever a later revision of the protocol will say")]

use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::atomic::{AtomicU32, Ordering};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult, LoggingLevel,
    LoggingMessageNotificationParam, PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, ResourceContents, SamplingMessage, ServerCapabilities, ServerConfig,
    Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use serde_json::{Map, json};

/// What it answers, and how often.
#[derive(Default)]
struct Timetable {
    asked: AtomicU32,
}

impl Timetable {
    async fn answer(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        note(&request.name);
        let text = |text: String| CallToolResult::success(vec![ContentBlock::text(text)]);
        match &*request.name {
            "next_train" => {
                for step in 1..=2_u8 {
                    if let Some(token) = context.meta.get_progress_token() {
                        let progress = ProgressNotificationParam::new(token, step.into()).with_total(2.0);
                        let _ = context.peer.notify_progress(progress).await;
                    }
                }
                let log = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!("looked it up"));
                let _ = context.peer.notify_logging_message(log).await;
                let asked = self.asked.fetch_add(1, Ordering::SeqCst) + 1;
                Ok(text(format!("09:0{asked} to {}", request.arguments.unwrap_or_default()["to"])))
            }
            "cancelled_train" => Ok(CallToolResult::error(vec![ContentBlock::text("it is cancelled")])),
            "which_train" => {
                let question = SamplingMessage::user_text("which train?");
                let asked = rmcp::model::CreateMessageRequestParams::new(vec![question], 10);
                let answer = context.peer.create_message(asked).await;
                let answer = answer.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
                Ok(text(serde_json::to_string(&answer.message).unwrap_or_default()))
            }
            "slow_train" => {
                std::future::pending::<()>().await;
                Ok(text(String::new()))
            }
            "fatal_train" => std::process::exit(1),
            name => Err(ErrorData::invalid_params(format!("no tool `{name}`"), None)),
        }
    }
}

impl ServerHandler for Timetable {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_resources().build())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools =
            ["next_train", "cancelled_train", "which_train"].map(|name| Tool::new(name, "of trains", Map::new()));
        Ok(ListToolsResult::with_all_items(tools.to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.answer(request, context).await.map(Into::into)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        note(&request.uri);
        Ok(ReadResourceResult::new(vec![ResourceContents::text("Bergen 09:04", request.uri)]).into())
    }
}

/// Writes down that something was done here.
#[expect(clippy::disallowed_methods, reason = "a test tells its server where to write down what it does")]
fn note(what: &str) {
    let Some(path) = std::env::var_os("TIMETABLE_EFFECTS") else { return };
    let file = OpenOptions::new().create(true).append(true).open(path);
    let _ = file.and_then(|mut file| writeln!(file, "{what}"));
}

/// Serves clients over HTTP until its standard input ends: what started it has gone then.
async fn serve_http() -> std::io::Result<()> {
    let manager = std::sync::Arc::new(LocalSessionManager::default());
    let config = StreamableHttpServerConfig::default();
    let service = StreamableHttpService::new(|| Ok(Timetable::default()), manager, config);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let mut stdout = std::io::stdout();
    writeln!(stdout, "http://{}/mcp", listener.local_addr()?)?;
    stdout.flush()?;
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(0);
    });
    loop {
        let (stream, _) = listener.accept().await?;
        let service = hyper_util::service::TowerToHyperService::new(service.clone());
        tokio::spawn(async move {
            let io = hyper_util::rt::TokioIo::new(stream);
            let _ = hyper::server::conn::http1::Builder::new().serve_connection(io, service).await;
        });
    }
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    if std::env::args().any(|word| word == "http") {
        return serve_http().await;
    }
    if let Ok(running) = Timetable::default().serve(rmcp::transport::stdio()).await {
        let _ = running.waiting().await;
    }
    Ok(())
}

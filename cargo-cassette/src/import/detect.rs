//! Which format a file is in, told by what it says.

use std::path::Path;

use super::har::Archive;
use super::imported::Fault;
use super::node::{Node, Value};
use super::vcr::Strings;
use super::{
    Exchange, Format, Imported, Refusal, cassetter, coding, exported, exvcr, go_vcr, govcr, har, hoverfly, httpmock,
    httprr, json, nock, php_vcr, promptecho, refused, req_llm, talkback, test_agent, vcr, vcrpy, vcrpy_old, wiremock,
    yaml,
};

/// How a Zstandard frame begins.
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Reads a recording of another tool.
///
/// The path is asked for two things only: where WireMock keeps its bodies, and what a file of JSON lines is called.
///
/// # Errors
///
/// Fails where the format is unknown, the file is damaged, or what it keeps is not exact: then with the line.
pub fn import(path: &Path, bytes: &[u8]) -> Result<Imported, Refusal> {
    let unknown = |fault: Fault| Refusal { format: None, line: fault.line, reason: fault.reason };
    if bytes.starts_with(ZSTD) {
        return Err(refusal(Format::Llmtivo, Fault { line: None, ..refused::fault(Format::Llmtivo, None) }));
    }
    if bytes.starts_with(httprr::FIRST) {
        let exchanges = httprr::read(bytes).map_err(|fault| refusal(Format::Httprr, fault))?;
        return Ok(Imported { format: Format::Httprr, exchanges, left_out: Vec::new(), placeholders: None });
    }
    let unpacked = match coding::is_gzip(bytes) {
        true => coding::gunzip(bytes)
            .ok_or_else(|| unknown(Fault { line: None, reason: "the gzip of the file is damaged".to_owned() }))?,
        false => Vec::new(),
    };
    let text = text(if unpacked.is_empty() { bytes } else { &unpacked }).map_err(unknown)?;
    let (format, documents) = read(path, text).map_err(unknown)?;
    if let (Format::Har, Some(root)) = (format, documents.first()) {
        let Archive { exchanges, left_out } = har::read(root).map_err(|fault| refusal(format, fault))?;
        return Ok(Imported { format, exchanges, left_out, placeholders: exported::placeholders(root) });
    }
    let exchanges = exchanges(path, format, &documents).map_err(|fault| refusal(format, fault))?;
    Ok(Imported { format, exchanges, left_out: Vec::new(), placeholders: None })
}

fn refusal(format: Format, fault: Fault) -> Refusal {
    Refusal { format: Some(format), line: fault.line, reason: fault.reason }
}

fn text(bytes: &[u8]) -> Result<&str, Fault> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        Fault::at(line, "the file is neither UTF-8 nor of a known binary format")
    })
}

/// Returns the format of a text, and its documents.
fn read(path: &Path, text: &str) -> Result<(Format, Vec<Node>), Fault> {
    let start = text.trim_start();
    if ["data:", "event:", ": "].iter().any(|field| start.starts_with(field)) {
        return Ok((Format::RawEvents, Vec::new()));
    }
    if start.starts_with(['{', '[']) || start.starts_with("//") {
        let whole = json::parse(text);
        let lines = lines(path, text);
        return match (whole, lines) {
            (Ok(root), _) => Ok((of(&root).unwrap_or(Format::RawJson), vec![root])),
            (Err(_), Some(format)) => Ok((format, Vec::new())),
            (Err(fault), None) => Err(fault),
        };
    }
    let documents = yaml::parse(text)?;
    let known = documents.first().and_then(of);
    known.map(|format| (format, documents)).ok_or_else(|| Fault::at(1, "this is no known recording"))
}

/// Returns the format of a file that has a JSON document a line.
fn lines(path: &Path, text: &str) -> Option<Format> {
    let first = json::parse(text.lines().next()?).ok()?;
    let is_header = first.get("type").and_then(Node::text) == Some("header");
    Some(match path.to_str() {
        Some(name) if name.ends_with(".rewind") || name.ends_with(".rewind.gz") => Format::AgentRewind,
        _ if is_header && first.has("format_version") => Format::OpenProgram,
        _ => Format::RawChunks,
    })
}

/// Returns the format of a document.
fn of(root: &Node) -> Option<Format> {
    if let Value::List(items) = &root.value {
        return list(items.first()?);
    }
    let has = |names: &[&str]| names.iter().all(|name| root.has(name));
    if has(&["http_interactions"]) {
        return Some(family(root));
    }
    let version = root.get("version").and_then(Node::text);
    Some(match () {
        () if has(&["cassette", "needs", "interactions"]) => Format::Cassette,
        () if root.get("log").is_some_and(|log| log.has("entries")) => Format::Har,
        () if has(&["requests", "responses"]) => Format::Vcrpy,
        () if has(&["interactions"]) => interactions(root.get("interactions")?, version),
        () if has(&["ws_interactions"]) || has(&["grpc_interactions"]) => Format::Cassetter,
        () if has(&["when", "then"]) => Format::Httpmock,
        () if has(&["req", "res"]) => Format::Talkback,
        () if has(&["Tracks"]) => Format::Govcr,
        () if has(&["mappings"]) => Format::WireMock,
        () if root.get("data").is_some_and(|data| data.has("pairs")) => Format::Hoverfly,
        () if first(root.get("messages")).is_some_and(|message| message.has("direction")) => Format::Stdio,
        () if has(&["request", "response"]) => return pair(root.get("request")?, root.get("response")?),
        () => return None,
    })
}

/// Returns the format of a list that begins with this.
fn list(first: &Node) -> Option<Format> {
    if first.has("scope") && first.has("path") {
        return Some(Format::Nock);
    }
    let (request, response) = (first.get("request")?, first.get("response")?);
    Some(match () {
        () if request.has("protocol") && request.has("host") => Format::VcrpyOld,
        () if response.has("status_code") || response.has("binary") => Format::Exvcr,
        () => Format::PhpVcr,
    })
}

/// Returns whose the cassette is that has VCR's layout.
fn family(root: &Node) -> Format {
    let by = root.get("recorded_with").and_then(Node::text).unwrap_or_default();
    let interaction = first(root.get("http_interactions"));
    let is_r = interaction
        .and_then(|node| node.get("response")?.get("status"))
        .is_some_and(|status| status.text().is_some() || status.has("status_code"));
    match () {
        () if by.starts_with("betamax") => Format::Betamax,
        () if is_r || by.contains("vcr/") || by.starts_with("VCR-vcr") => Format::RVcr,
        () if by.starts_with("VCR") => Format::RubyVcr,
        () => Format::Betamax,
    }
}

fn interactions(list: &Node, version: Option<&str>) -> Format {
    let Some(first) = first(Some(list)) else {
        return if version == Some("2") { Format::GoVcr } else { Format::Vcrpy };
    };
    let request = first.get("request");
    let asks = |name: &str| request.is_some_and(|request| request.has(name));
    let is_typed =
        |message: Option<&Node>| message.and_then(|message| message.get("body")).is_some_and(|body| body.has("type"));
    match () {
        () if first.has("request_sample") || first.has("response_sample") => Format::Grpc,
        () if first.has("direction") || first.has("kind") => Format::WebSocket,
        () if asks("match_key") => Format::Promptecho,
        () if is_typed(request) || is_typed(first.get("response")) => Format::Cassetter,
        () if asks("url") => Format::GoVcr,
        () => Format::Vcrpy,
    }
}

/// Returns the format of a file that is one exchange.
fn pair(request: &Node, response: &Node) -> Option<Format> {
    let is_encoded = request.get("body").is_some_and(|body| body.has("b64"));
    Some(match () {
        () if request.has("payload") || response.has("is_streaming") => Format::LlamaStack,
        () if is_encoded || request.has("canonical_json") => Format::ReqLlm,
        () if response.get("status").is_some_and(|status| status.has("code")) => Format::TestAgent,
        () if request.has("method") => Format::WireMock,
        () => return None,
    })
}

fn first(list: Option<&Node>) -> Option<&Node> {
    list?.items().first()
}

fn exchanges(path: &Path, format: Format, documents: &[Node]) -> Result<Vec<Exchange>, Fault> {
    let Some(root) = documents.first() else { return Err(refused::fault(format, None)) };
    match format {
        Format::Vcrpy => vcrpy::read(root),
        Format::VcrpyOld => vcrpy_old::read(root),
        Format::RubyVcr | Format::RVcr => vcr::read(root, Strings::Labelled),
        Format::Betamax => vcr::read(root, Strings::Decoded),
        Format::PhpVcr => php_vcr::read(root),
        Format::Httpmock => httpmock::read(documents),
        Format::GoVcr => go_vcr::read(root),
        Format::Govcr => govcr::read(root),
        Format::ReqLlm => req_llm::read(root),
        Format::Nock => nock::read(root),
        Format::WireMock => wiremock::read(path, root),
        Format::Exvcr => exvcr::read(root),
        Format::Talkback => talkback::read(root),
        Format::Hoverfly => hoverfly::read(root),
        Format::TestAgent => test_agent::read(root),
        Format::Cassetter => cassetter::read(root),
        Format::Promptecho => promptecho::read(root),
        _ => Err(refused::fault(format, Some(root))),
    }
}

//! Recordings that are known and cannot be replayed, each with the reason.

use super::Format;
use super::imported::Fault;
use super::node::Node;

/// Returns why no recording of this format is imported, and the line that shows it.
pub(super) fn fault(format: Format, root: Option<&Node>) -> Fault {
    let line = root.map(|root| shown(format, root));
    Fault { line: line.or(Some(1)), reason: reason(format).to_owned() }
}

fn reason(format: Format) -> &'static str {
    match format {
        Format::LlamaStack => "the client's objects were stored, and the bytes of the reply are lost",
        Format::AgentRewind => "the calls of a client library were stored, and the bytes of the exchange are lost",
        Format::Llmtivo => "the answers of a framework were stored, and the bytes of the exchange are lost",
        Format::OpenProgram => "the events of a provider layer were stored, and the bytes of the exchange are lost",
        Format::Cassette => "this is a cassette already: a test names it as it is",
        Format::Grpc => "messages of gRPC are no HTTP exchanges: their frames and trailers were not stored",
        Format::WebSocket => "messages of a WebSocket are no HTTP exchanges, and they were stored parsed",
        Format::Stdio => "messages over standard input and output are no HTTP exchanges",
        Format::RawEvents => "this is a reply without its request",
        Format::RawChunks => "these are the events of a reply without their framing, and without its request",
        Format::RawJson => "this is JSON of no known recording: a reply without its request, or something else",
        _ => "this is no recording that can be replayed",
    }
}

/// Returns the line of the first thing that shows it.
fn shown(format: Format, root: &Node) -> usize {
    let body = match format {
        Format::LlamaStack => root.get("response").and_then(|response| response.get("body")),
        Format::Grpc | Format::WebSocket => root.get("interactions").and_then(|list| list.items().first()),
        Format::Stdio => root.get("messages").and_then(|list| list.items().first()),
        _ => None,
    };
    body.map_or(root.line, |body| body.line)
}

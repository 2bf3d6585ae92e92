//! req_llm's fixtures: the request in base64, and of a stream the pieces in which it came.

use cassette_core::reply::Chunk;

use super::headers;
use super::imported::{Exchange, Fault};
use super::message::{Answered, Asked, exchange, seconds, status};
use super::node::{Node, PARSED};

/// Reads a fixture.
pub(super) fn read(root: &Node) -> Result<Vec<Exchange>, Fault> {
    let (request, response) = (root.need("request")?, root.need("response")?);
    let asked = Asked {
        method: request.need_text("method")?.to_owned(),
        url: request.need_text("url")?.to_owned(),
        headers: headers::of(request.get("headers"))?,
        body: request.get("body").map_or(Ok(Vec::new()), body)?,
    };
    let chunks = match (root.get("chunks"), response.get("body")) {
        (Some(chunks), None) => chunks.need_items()?.iter().map(chunk).collect::<Result<_, _>>()?,
        (_, Some(whole)) => vec![Chunk { bytes: body(whole)?, at: None }],
        (None, None) => Vec::new(),
    };
    let answered = Answered {
        status: status(response.need("status")?)?,
        headers: headers::of(response.get("headers"))?,
        body: chunks,
    };
    Ok(vec![exchange(root.line, asked, answered)?])
}

fn body(body: &Node) -> Result<Vec<u8>, Fault> {
    match body.get("b64") {
        Some(encoded) if body.members().len() == 1 => encoded.base64(),
        _ if body.text().is_some() => body.bytes(),
        _ => Err(Fault::at(body.line, PARSED)),
    }
}

/// Returns a piece of a stream, and when it came if the fixture says so.
fn chunk(chunk: &Node) -> Result<Chunk, Fault> {
    let micros = chunk.get("t_us").and_then(Node::number);
    Ok(Chunk { bytes: chunk.need("b64")?.base64()?, at: micros.and_then(|micros| seconds(micros / 1e6)) })
}

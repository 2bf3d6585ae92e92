//! vcrpy, version 1: a list of interactions, or langchain's lists of requests and of responses, side by side.

use super::headers;
use super::imported::{Exchange, Fault};
use super::message::{Answered, Asked, exchange, status, whole};
use super::node::{Node, PARSED};

/// Reads a cassette.
pub(super) fn read(root: &Node) -> Result<Vec<Exchange>, Fault> {
    if let (Some(requests), Some(responses)) = (root.get("requests"), root.get("responses")) {
        return parallel(requests, responses);
    }
    root.of_version(&["1"])?;
    let Some(interactions) = root.get("interactions") else { return Ok(Vec::new()) };
    let one = |node: &Node| exchange(node.line, asked(node.need("request")?)?, answered(node.need("response")?)?);
    interactions.need_items()?.iter().map(one).collect()
}

fn parallel(requests: &Node, responses: &Node) -> Result<Vec<Exchange>, Fault> {
    let (requests, answers) = (requests.need_items()?, responses.need_items()?);
    if requests.len() != answers.len() {
        let what = format!("there are {} requests and {} responses", requests.len(), answers.len());
        return Err(Fault::at(responses.line, what));
    }
    let one = |(request, answer): (&Node, &Node)| exchange(request.line, asked(request)?, answered(answer)?);
    requests.iter().zip(answers).map(one).collect()
}

fn asked(request: &Node) -> Result<Asked, Fault> {
    refuse_parsed(request)?;
    Ok(Asked {
        method: request.need_text("method")?.to_owned(),
        url: request.need_text("uri")?.to_owned(),
        headers: headers::of(request.get("headers"))?,
        body: body(request.get("body"))?,
    })
}

fn answered(response: &Node) -> Result<Answered, Fault> {
    refuse_parsed(response)?;
    let content = response.get("content");
    let bytes = body(content.or_else(|| response.get("body")))?;
    let code = response.get("status").or_else(|| response.get("status_code"));
    Ok(Answered {
        status: status(code.ok_or_else(|| Fault::at(response.line, "`status` is missing"))?)?,
        headers: headers::of(response.get("headers"))?,
        body: whole(bytes, None),
    })
}

/// Refuses what pydantic-ai's serializer keeps instead of a body: the tree that it said.
fn refuse_parsed(message: &Node) -> Result<(), Fault> {
    message.get("parsed_body").map_or(Ok(()), |parsed| Err(Fault::at(parsed.line, PARSED)))
}

/// Returns a body: a text, or an object with its `string` or `base64_string`.
pub(super) fn body(node: Option<&Node>) -> Result<Vec<u8>, Fault> {
    let Some(node) = node else { return Ok(Vec::new()) };
    if let Some(encoded) = node.get("base64_string") {
        return encoded.base64();
    }
    if node.has("string") { node.get("string").map_or(Ok(Vec::new()), Node::bytes) } else { node.bytes() }
}

//! hoverfly's simulations, as it captures them: every matcher exact.

use super::headers;
use super::imported::{Exchange, Fault};
use super::message::{Answered, Asked, exchange, status, whole};
use super::node::Node;

const PATTERN: &str = "this is a pattern, and the request is not known";

/// Reads a simulation.
pub(super) fn read(root: &Node) -> Result<Vec<Exchange>, Fault> {
    root.need("data")?.need("pairs")?.need_items()?.iter().map(one).collect()
}

fn one(pair: &Node) -> Result<Exchange, Fault> {
    let (request, response) = (pair.need("request")?, pair.need("response")?);
    let part = |name: &str| request.get(name).map_or(Ok(String::new()), exact);
    let (scheme, host, path) = (part("scheme")?, part("destination")?, part("path")?);
    let asked = Asked {
        method: part("method")?,
        url: format!("{scheme}://{host}{path}{}", query(request)?),
        headers: request_headers(request)?,
        body: part("body")?.into_bytes(),
    };
    if let Some(template) = response.get("templated").filter(|templated| templated.is_true()) {
        return Err(Fault::at(template.line, "the reply is a template"));
    }
    let body = response.get("body");
    let is_encoded = response.get("encodedBody").is_some_and(Node::is_true);
    let bytes = body.map_or(Ok(Vec::new()), |body| if is_encoded { body.base64() } else { body.bytes() })?;
    let answered = Answered {
        status: status(response.need("status")?)?,
        headers: headers::of(response.get("headers"))?,
        body: whole(bytes, None),
    };
    exchange(pair.line, asked, answered)
}

/// Returns what a field must be: a text in the old layout, a list of one exact matcher in the new one.
fn exact(field: &Node) -> Result<String, Fault> {
    if let Some(text) = field.text() {
        return Ok(text.to_owned());
    }
    match field.items() {
        [] if field.members().is_empty() => Ok(String::new()),
        [matcher] if matcher.get("matcher").and_then(Node::text) == Some("exact") => {
            Ok(matcher.need_text("value")?.to_owned())
        }
        _ => Err(Fault::at(field.line, PATTERN)),
    }
}

fn query(request: &Node) -> Result<String, Fault> {
    let query = request.get("deprecatedQuery").or_else(|| request.get("query"));
    let Some(query) = query else { return Ok(String::new()) };
    if !query.members().is_empty() {
        return Err(Fault::at(query.line, "the query was stored as fields, whose order is lost"));
    }
    let text = exact(query)?;
    Ok(if text.is_empty() { text } else { format!("?{text}") })
}

fn request_headers(request: &Node) -> Result<Vec<(String, String)>, Fault> {
    let members = request.get("headers").map_or(&[][..], Node::members);
    let one = |(name, value): &(Node, Node)| Ok((name.text().unwrap_or_default().to_ascii_lowercase(), exact(value)?));
    members.iter().map(one).collect()
}

//! govcr of seborama: tracks in JSON, bodies in base64.

use super::headers;
use super::imported::{Exchange, Fault};
use super::message::{Answered, Asked, exchange, status, whole};
use super::node::Node;

/// Reads a cassette.
pub(super) fn read(root: &Node) -> Result<Vec<Exchange>, Fault> {
    root.need("Tracks")?.need_items()?.iter().map(one).collect()
}

fn one(track: &Node) -> Result<Exchange, Fault> {
    let (request, response) = (track.need("Request")?, track.need("Response")?);
    let asked = Asked {
        // So `http.Request` of Go has it: an empty one is GET.
        method: Some(request.need_text("Method")?).filter(|method| !method.is_empty()).unwrap_or("GET").to_owned(),
        url: address(request)?,
        headers: headers::of(request.get("Header"))?,
        body: request.get("Body").map_or(Ok(Vec::new()), Node::base64)?,
    };
    let answered = Answered {
        status: status(response.need("StatusCode")?)?,
        headers: headers::of(response.get("Header"))?,
        body: whole(response.get("Body").map_or(Ok(Vec::new()), Node::base64)?, None),
    };
    exchange(track.line, asked, answered)
}

/// Returns the address of a request, of which the parts are kept.
fn address(request: &Node) -> Result<String, Fault> {
    let url = request.get("URL").ok_or_else(|| Fault::at(request.line, "the request has no address"))?;
    if let Some(whole) = url.text() {
        return Ok(whole.to_owned());
    }
    let part = |name: &str| url.get(name).and_then(Node::text).unwrap_or_default();
    let path = if part("RawPath").is_empty() { part("Path") } else { part("RawPath") };
    let query = if part("RawQuery").is_empty() { String::new() } else { format!("?{}", part("RawQuery")) };
    Ok(format!("{}://{}{path}{query}", part("Scheme"), part("Host")))
}

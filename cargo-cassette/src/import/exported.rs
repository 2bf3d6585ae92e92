//! What `export` writes beside what an HTTP archive can say, in members that only a cassette has (HAR 1.2 lets a name of one's own
//! begin with `_`).
//!
//! In the log, [`OWN`] has the `placeholders` of what was hidden. In an entry it has of the reply what an archive does not know:
//! `chunks`, `pace`, `truncated`, `trailers`; or the `error` that stood instead of one. What they are is said in `docs/format.md`.

use std::time::Duration;

use cassette_core::call::Call;
use cassette_core::reply::{Chunk, Outcome, Reply, TransportClass, TransportError, Truncation};

use super::headers;
use super::imported::{Exchange, Fault};
use super::message::{Answered, Asked};
use super::node::{Node, Value};
use super::sendable::checked;

/// The member that only a cassette has.
pub(crate) const OWN: &str = "_cassette";

/// Returns the placeholders in an archive that was a cassette; `None` for any other.
pub(super) fn placeholders(root: &Node) -> Option<Vec<String>> {
    let listed = root.get("log")?.get(OWN)?.get("placeholders")?;
    Some(listed.items().iter().filter_map(Node::text).map(str::to_owned).collect())
}

/// Returns the error that stood instead of a reply, if one did.
pub(super) fn error(own: &Node) -> Result<Option<TransportError>, Fault> {
    let Some(error) = own.get("error") else { return Ok(None) };
    let class = error.need_text("class")?;
    let class = TransportClass::from_name(class)
        .ok_or_else(|| Fault::at(error.line, format!("`{class}` is no class of transport errors")))?;
    Ok(Some(TransportError { class, message: error.need_text("message")?.to_owned() }))
}

/// Returns an exchange as the cassette held it.
pub(super) fn exchange(line: usize, asked: Asked, outcome: Outcome) -> Result<Exchange, Fault> {
    let Asked { method, url, headers, body } = asked;
    let call = Call::http(&method, &url, headers, body);
    checked(&method, Exchange { call, reply: outcome, line: Some(line), note: None })
}

/// Returns the reply of an entry, with what an archive does not know of it.
pub(super) fn reply(own: &Node, answered: Answered) -> Result<Reply, Fault> {
    let body: Vec<u8> = answered.body.into_iter().flat_map(|chunk| chunk.bytes).collect();
    let named =
        |name| Truncation::from_name(name).ok_or_else(|| Fault::at(own.line, format!("`{name}` breaks off no body")));
    let truncated = own.get("truncated").map(|_| own.need_text("truncated")).transpose()?.map(named).transpose()?;
    Ok(Reply {
        status: answered.status,
        headers: answered.headers,
        chunks: chunks(own, &body)?,
        trailers: headers::of(own.get("trailers"))?,
        truncated,
    })
}

fn chunks(own: &Node, body: &[u8]) -> Result<Vec<Chunk>, Fault> {
    let lengths = match own.get("chunks") {
        None if body.is_empty() => Vec::new(),
        None => vec![body.len()],
        Some(chunks) => {
            let lengths = chunks.need_items()?.iter().map(|length| length.text()?.parse().ok()).collect::<Option<_>>();
            lengths.ok_or_else(|| Fault::at(chunks.line, "`chunks` is no list of lengths"))?
        }
    };
    let pace = own.get("pace").map_or(Some(Vec::new()), |pace| pace.items().iter().map(time).collect::<Option<_>>());
    let pace = pace.ok_or_else(|| Fault::at(own.line, "`pace` is no list of milliseconds"))?;
    let mut rest = body;
    let mut cut = Vec::with_capacity(lengths.len());
    for (i, length) in lengths.into_iter().enumerate() {
        let (chunk, after) =
            rest.split_at_checked(length).ok_or_else(|| Fault::at(own.line, "the chunks are longer than the body"))?;
        cut.push(Chunk { bytes: chunk.to_vec(), at: pace.get(i).copied().flatten() });
        rest = after;
    }
    if rest.is_empty() { Ok(cut) } else { Err(Fault::at(own.line, "the chunks are shorter than the body")) }
}

/// Returns a time in milliseconds, or that it is not known.
fn time(node: &Node) -> Option<Option<Duration>> {
    match &node.value {
        Value::Null => Some(None),
        _ => Some(Some(Duration::from_millis(node.text()?.parse().ok()?))),
    }
}

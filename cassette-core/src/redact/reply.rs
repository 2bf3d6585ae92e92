//! Redaction of replies and transport errors.

use std::fmt;
use std::ops::Deref;

use super::body::Task;
use super::call::header_value;
use super::{Rules, Secret, Secrets, learn, unescape_reply};
use crate::call::{Call, Header};
use crate::redact::headers;
use crate::reply::{Chunk, Reply, TransportError};

/// A reply in which nothing secret is left.
#[derive(Clone, PartialEq, Eq)]
pub struct RedactedReply {
    reply: Reply,
    secrets: Vec<Secret>,
}

impl RedactedReply {
    /// Returns the reply.
    pub fn reply(&self) -> &Reply {
        &self.reply
    }

    /// Returns what was hidden in it, in order of first occurrence: in memory, never to be written.
    pub fn secrets(&self) -> &[Secret] {
        &self.secrets
    }
}

impl Deref for RedactedReply {
    type Target = Reply;

    fn deref(&self) -> &Reply {
        &self.reply
    }
}

impl fmt::Debug for RedactedReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedactedReply").field("reply", &self.reply).field("secrets", &self.secrets).finish()
    }
}

/// A transport error in which nothing secret is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedactedError {
    error: TransportError,
}

impl RedactedError {
    /// Returns the error.
    pub fn error(&self) -> &TransportError {
        &self.error
    }
}

impl Deref for RedactedError {
    type Target = TransportError;

    fn deref(&self) -> &TransportError {
        &self.error
    }
}

/// Returns the reply to `request` without its secrets, with stand-ins for the values of volatile headers.
///
/// What the request's own secret headers hold is looked for too. The chunks stay in number and order; a boundary that fell
/// within a secret falls after its placeholder.
pub fn redact_reply(reply: &Reply, request: &Call, rules: &Rules, secrets: &mut Secrets) -> RedactedReply {
    learn::from_request(request, rules, secrets);
    // Where there is no body the length frames nothing: it is what the program asked for.
    let bodiless = request.name.starts_with("HEAD ") || reply.status == 304;
    let kept = |name: &str| !headers::is_framing(name) || bodiless && name == "content-length";
    let recorded = reply.headers.iter().filter(|(name, _)| kept(name));
    let recorded: Vec<Header> = recorded.cloned().collect();
    let reply = Reply { headers: recorded, ..reply.clone() };
    redact(reply, Task { rules, secrets, known: true, escape: true, named: Vec::new() }, reply_header)
}

/// Returns a recorded reply, redacted again with all that has become known since.
///
/// Nothing is escaped, every placeholder and every stand-in stays, and so do the chunks in number and order: where nothing
/// new is known, this is that reply.
pub fn redact_recorded_reply(reply: &Reply, rules: &Rules, secrets: &mut Secrets) -> RedactedReply {
    redact(
        reply.clone(),
        Task { rules, secrets, known: true, escape: false, named: Vec::new() },
        |(name, value), task| {
            let stands = headers::stand_in(&name, &value).is_some_and(|stand_in| stand_in == value);
            let value = if stands { value } else { header_value(&name, &value, task) };
            (name, value)
        },
    )
}

/// Returns the error without the secrets in its message.
pub fn redact_error(error: &TransportError, rules: &Rules, secrets: &mut Secrets) -> RedactedError {
    RedactedError { error: TransportError { class: error.class, message: redact_text(&error.message, rules, secrets) } }
}

/// Returns a text for a message, a report or a log without its secrets, known values included.
pub fn redact_text(text: &str, rules: &Rules, secrets: &mut Secrets) -> String {
    Task { rules, secrets, known: true, escape: false, named: Vec::new() }.line(text)
}

fn redact(mut reply: Reply, mut task: Task<'_>, header: fn(Header, &mut Task<'_>) -> Header) -> RedactedReply {
    loop {
        let before = task.secrets.count();
        task.secrets.cut_short(reply.truncated.is_some());
        let hidden = chunks(&reply, &mut task);
        task.secrets.cut_short(false);
        if let Some(chunks) = hidden {
            // What comes from the upstream is its own text as it stands.
            let was = if task.escape { reply.body() } else { upstreams(&reply.chunks, &reply.headers) };
            let fits = upstreams(&chunks, &reply.headers) == was;
            reply.chunks = chunks;
            let kept = |(name, _): &Header| fits || !headers::is_digest(name);
            reply.headers.retain(kept);
            reply.trailers.retain(kept);
        }
        reply.headers = reply.headers.into_iter().map(|field| header(field, &mut task)).collect();
        reply.trailers = reply.trailers.into_iter().map(|field| header(field, &mut task)).collect();
        learn::from_hidden(&task.named, task.secrets);
        if task.secrets.count() == before {
            return RedactedReply { reply, secrets: task.named };
        }
        task.escape = false;
    }
}

fn reply_header((name, value): Header, task: &mut Task<'_>) -> Header {
    let kept = task.rules.keep_reply_headers.iter().any(|kept| kept.eq_ignore_ascii_case(&name));
    let stand_in = if kept { None } else { headers::stand_in(&name, &value) };
    let value = match stand_in {
        Some(stand_in) => stand_in,
        None => header_value(&name, &value, task),
    };
    (name, value)
}

/// Returns the body that these chunks are to a program: with nothing in it escaped.
fn upstreams(chunks: &[Chunk], headers: &[Header]) -> Vec<u8> {
    let mut reply =
        Reply { status: 0, headers: headers.to_vec(), chunks: chunks.to_vec(), trailers: Vec::new(), truncated: None };
    unescape_reply(&mut reply);
    reply.body()
}

/// Returns the chunks without what is to be hidden; `None` where they stay as they are.
fn chunks(reply: &Reply, task: &mut Task<'_>) -> Option<Vec<Chunk>> {
    let body = reply.body();
    let mut end = 0;
    let ends: Vec<usize> = reply
        .chunks
        .iter()
        .map(|chunk| {
            end += chunk.bytes.len();
            end
        })
        .collect();
    let (body, ends) = task.body(&body, &reply.headers, &ends)?;
    let mut start = 0;
    let chunks = reply
        .chunks
        .iter()
        .zip(ends)
        .map(|(chunk, end)| {
            let bytes = body[start..end.max(start)].to_vec();
            start = end.max(start);
            Chunk { bytes, at: chunk.at }
        })
        .collect();
    Some(chunks)
}

//! A cassette as an HTTP archive (HAR 1.2), for browsers, proxies and other tools.
//!
//! What is hidden in the cassette is hidden in the archive. An archive knows HTTP alone, and not to the second when a call was made:
//! [`har`] names the calls that it leaves out. What else an archive cannot say of a call (where a body was cut, the error instead of
//! a reply, which texts are placeholders) stands in members that only a cassette has, for `import`; `docs/import.md` lists them.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cassette_core::call::{Call, Header, Kind, header};
use cassette_core::json::{Json, Member};
use cassette_core::redact::{self, placeholders};
use cassette_core::renumber::told_apart;
use cassette_core::reply::{Chunk, Outcome, Reply, TransportClass, TransportError, Truncation};
use cassette_core::tape::Tape;

use crate::import::exported::OWN;

/// An archive, and what it lacks.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Exported {
    /// The archive.
    pub har: Json,
    /// How many exchanges are in it.
    pub entries: usize,
    /// The calls that are not, each with its position, from 1, and the reason.
    pub left_out: Vec<(usize, String, &'static str)>,
}

/// How many milliseconds a day has.
const DAY: u64 = 86_400_000;

/// The day of a recording that has none.
const UNDATED: &str = "1970-01-01";

/// Returns a cassette as an HTTP archive.
pub fn har(tape: &Tape) -> Exported {
    let day = tape.head.recorded.as_deref().unwrap_or(UNDATED);
    let mut entries = Vec::new();
    let mut left_out = Vec::new();
    let mut clock = 0;
    let tape = told_apart(tape.clone());
    let mut hidden = Vec::new();
    for (i, interaction) in tape.interactions.iter().enumerate() {
        let mut leave_out = |why| left_out.push((i + 1, interaction.asked().title(), why));
        if interaction.asked().kind() != Kind::Http {
            leave_out("it is no HTTP exchange");
            continue;
        }
        let Some(call) = interaction.call() else {
            leave_out("only digests of its request are kept");
            continue;
        };
        let mut call = call.clone();
        note(&mut hidden, &call, interaction.outcome());
        redact::unescape_call(&mut call);
        let started = moment(day, clock);
        let (entry, took) = match interaction.outcome() {
            Outcome::Reply(reply) => {
                let mut reply = reply.clone();
                redact::unescape_reply(&mut reply);
                let times = Times::of(&reply);
                (self::entry(&call, answered(&reply), own_of(&reply), &times, &started), times.total())
            }
            Outcome::Error(error) => {
                let own = object([("error", error_of(error))]);
                (self::entry(&call, failed(error), own, &Times::default(), &started), 0)
            }
        };
        entries.push(entry);
        // Only the day is known: the exchanges stand one after the other from its start on.
        clock = clock.saturating_add(took);
    }
    let count = entries.len();
    let creator =
        ("creator", object([("name", "cargo-cassette".into()), ("version", env!("CARGO_PKG_VERSION").into())]));
    hidden.sort();
    hidden.dedup();
    let hidden: Vec<Json> = hidden.into_iter().map(Json::from).collect();
    let own = (OWN, object([("placeholders", hidden.into())]));
    let log = object([("version", "1.2".into()), creator, ("entries", entries.into()), own]);
    Exported { har: object([("log", log)]), entries: count, left_out }
}

/// How long an exchange took, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Times {
    wait: u64,
    receive: u64,
}

impl Times {
    fn of(reply: &Reply) -> Times {
        let end = reply.took().map_or(0, millis);
        let wait = reply.chunks.first().and_then(|chunk| chunk.at).map_or(end, millis);
        Times { wait, receive: end.saturating_sub(wait) }
    }

    fn total(self) -> u64 {
        self.wait.saturating_add(self.receive)
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Notes the placeholders of an exchange, as the cassette has it.
fn note(hidden: &mut Vec<String>, call: &Call, outcome: &Outcome) {
    let mut texts = vec![call.name.clone(), String::from_utf8_lossy(&call.body).into_owned()];
    texts.extend(call.headers.iter().map(|(_, value)| value.clone()));
    match outcome {
        Outcome::Reply(reply) => {
            texts.push(String::from_utf8_lossy(&reply.body()).into_owned());
            texts.extend(reply.headers.iter().chain(&reply.trailers).map(|(_, value)| value.clone()));
        }
        Outcome::Error(error) => texts.push(error.message.clone()),
    }
    hidden.extend(texts.iter().flat_map(|text| placeholders(text)).map(str::to_owned));
}

/// Returns what an archive does not know of a reply.
fn own_of(reply: &Reply) -> Json {
    let mut members: Vec<(&str, Json)> = Vec::new();
    let lengths: Vec<usize> = reply.chunks.iter().map(|chunk| chunk.bytes.len()).collect();
    let whole = reply.body().len();
    if lengths != if whole == 0 { Vec::new() } else { vec![whole] } {
        members
            .push(("chunks", lengths.into_iter().map(|length| Json::from(length as u64)).collect::<Vec<_>>().into()));
    }
    if reply.chunks.iter().any(|chunk| chunk.at.is_some()) {
        let time = |chunk: &Chunk| chunk.at.map_or(Json::Null, |at| millis(at).into());
        members.push(("pace", reply.chunks.iter().map(time).collect::<Vec<_>>().into()));
    }
    members.extend(reply.truncated.map(|truncated| ("truncated", truncated.as_str().into())));
    if !reply.trailers.is_empty() {
        members.push(("trailers", headers(&reply.trailers)));
    }
    object(members)
}

fn error_of(error: &TransportError) -> Json {
    object([("class", error.class.as_str().into()), ("message", error.message.as_str().into())])
}

fn entry(call: &Call, response: Json, own: Json, times: &Times, started: &str) -> Json {
    object([
        ("startedDateTime", started.into()),
        ("time", times.total().into()),
        ("request", request(call)),
        ("response", response),
        ("cache", object([])),
        ("timings", object([("send", 0_u64.into()), ("wait", times.wait.into()), ("receive", times.receive.into())])),
        (OWN, own),
    ])
}

fn request(call: &Call) -> Json {
    let (method, url) = call.name.split_once(' ').unwrap_or(("GET", &call.name));
    let mut members = vec![
        ("method", method.into()),
        ("url", url.into()),
        ("httpVersion", "HTTP/1.1".into()),
        ("cookies", Json::Array(Vec::new())),
        ("headers", headers(&call.headers)),
        ("queryString", query(url)),
    ];
    if !call.body.is_empty() {
        let kind = call.header("content-type").unwrap_or_default();
        members.push(("postData", body(kind, &call.body, "_encoding")));
    }
    members.extend([("headersSize", unknown()), ("bodySize", (call.body.len() as u64).into())]);
    object(members)
}

fn answered(reply: &Reply) -> Json {
    let bytes = reply.body();
    let kind = reply.header("content-type").unwrap_or_default();
    let mut content = vec![("size".into(), Json::from(bytes.len() as u64))];
    if let Json::Object(members) = body(kind, &bytes, "encoding") {
        content.extend(members);
    }
    let comment = match reply.truncated {
        Some(Truncation::Client | Truncation::Left) => Some("the program stopped reading here"),
        Some(Truncation::Upstream) => Some("the connection to the server broke here"),
        None => None,
    };
    response(reply.status, &reply.headers, Json::Object(content), comment)
}

/// Returns what stands in the place of a reply where there was none, with the name that browsers give to the reason.
fn failed(error: &TransportError) -> Json {
    let name = match error.class {
        TransportClass::Dns => "net::ERR_NAME_NOT_RESOLVED",
        TransportClass::Connect => "net::ERR_CONNECTION_REFUSED",
        TransportClass::Timeout => "net::ERR_CONNECTION_TIMED_OUT",
        TransportClass::Reset => "net::ERR_CONNECTION_RESET",
        TransportClass::Tls => "net::ERR_SSL_PROTOCOL_ERROR",
        _ => "net::ERR_CONNECTION_CLOSED",
    };
    let content = object([("size", 0_u64.into()), ("mimeType", "x-unknown".into())]);
    let Json::Object(mut members) = response(0, &[], content, Some(&error.message)) else { return Json::Null };
    members.push(("_error".into(), name.into()));
    Json::Object(members)
}

fn response(status: u16, list: &[Header], content: Json, comment: Option<&str>) -> Json {
    let size = content.get("size").cloned().unwrap_or(Json::Null);
    let members = [
        ("status", u64::from(status).into()),
        ("statusText", "".into()),
        ("httpVersion", "HTTP/1.1".into()),
        ("cookies", Json::Array(Vec::new())),
        ("headers", headers(list)),
        ("content", content),
        ("redirectURL", header(list, "location").unwrap_or_default().into()),
        ("headersSize", unknown()),
        ("bodySize", size),
    ];
    object(members.into_iter().chain(comment.map(|comment| ("comment", comment.into()))))
}

/// Returns the size of what nobody counted.
fn unknown() -> Json {
    Json::parse("-1").unwrap_or(Json::Null)
}

/// Returns a body: text where it is text, base64 otherwise, which is said under this name.
fn body(kind: &str, bytes: &[u8], encoding: &'static str) -> Json {
    let kind = ("mimeType", Json::from(kind));
    match std::str::from_utf8(bytes) {
        Ok(text) => object([kind, ("text", text.into())]),
        Err(_) => object([kind, ("text", STANDARD.encode(bytes).as_str().into()), (encoding, "base64".into())]),
    }
}

fn headers(headers: &[Header]) -> Json {
    headers.iter().map(|(name, value)| pair(name, value)).collect::<Vec<_>>().into()
}

/// Returns the parameters of a query, decoded; the address has them as they were sent.
fn query(url: &str) -> Json {
    let query = url.split_once('?').map_or("", |(_, query)| query.split('#').next().unwrap_or_default());
    let parameters = query.split('&').filter(|parameter| !parameter.is_empty());
    let split = |parameter: &str| {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        pair(&decoded(name), &decoded(value))
    };
    parameters.map(split).collect::<Vec<_>>().into()
}

fn pair(name: &str, value: &str) -> Json {
    object([("name", name.into()), ("value", value.into())])
}

/// Returns a text of a query without its percent signs and pluses.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.filter(|_| *first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let (plain, left) = match (byte, first) {
            (Some(byte), _) => (byte, &after[2..]),
            (None, b'+') => (b' ', after),
            (None, other) => (*other, after),
        };
        bytes.push(plain);
        rest = left;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns a moment of the day in the form of ISO 8601; what would be on a later one is the last of this.
fn moment(day: &str, millis: u64) -> String {
    let (seconds, millis) = (millis.min(DAY - 1) / 1000, millis.min(DAY - 1) % 1000);
    format!("{day}T{:02}:{:02}:{:02}.{millis:03}Z", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn object(members: impl IntoIterator<Item = (&'static str, Json)>) -> Json {
    Json::Object(members.into_iter().map(|(name, value)| -> Member { (name.into(), value) }).collect())
}

#[cfg(test)]
mod tests;

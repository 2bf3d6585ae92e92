//! One exchange in format 1.

use std::time::Duration;

use super::{body, digest};
use crate::call::{Call, Header, Kind, header};
use crate::json::{Json, Layout, Member, Text};
use crate::key::{Key, hex};
use crate::reply::{Chunk, FAILURE, Outcome, Reply, TransportClass, TransportError, Truncation};
use crate::tape::{Asked, Interaction};
use sha2::{Digest as _, Sha256};

/// How many characters of the digest a seal has.
const SEAL: usize = 16;

/// The members of an exchange, in their order.
const MEMBERS: [&str; 12] =
    ["key", "kind", "name", "within", "overlaps", "request", "digest", "reply", "error", "truncated", "pace", "seal"];

/// Returns the exchange as its object, sealed.
pub(crate) fn encode(interaction: &Interaction) -> Json {
    let Interaction { key, asked, within, overlaps, outcome } = interaction;
    let mut members: Vec<Member> = vec![
        ("key".into(), key.as_str().into()),
        ("kind".into(), asked.kind().as_str().into()),
        ("name".into(), asked.name().into()),
    ];
    if let Some(within) = within {
        members.push(("within".into(), (*within as u64 + 1).into()));
    }
    if *overlaps {
        members.push(("overlaps".into(), true.into()));
    }
    match asked {
        Asked::Whole(call) => members.push(("request".into(), request(call))),
        Asked::Digest(digested) => members.push(("digest".into(), digest::encode(digested))),
    }
    match outcome {
        Outcome::Reply(reply) => push_reply(&mut members, asked.kind(), reply),
        Outcome::Error(error) => {
            let object = [("class", error.class.as_str().into()), ("message", error.message.as_str().into())];
            members.push(("error".into(), Json::object(object)));
        }
    }
    let seal = seal_of(&members);
    members.push(("seal".into(), seal.into()));
    Json::Object(members)
}

/// Returns the exchange of this object. What is wrong with what it says comes before that it is not what was sealed: so much nobody
/// can vouch for.
pub(crate) fn decode(object: &Json) -> Result<Interaction, String> {
    only(object, "an interaction", &MEMBERS)?;
    let sealed = text(object, "seal")?;
    let interaction = said(object)?;
    match sealed == seal(object) {
        true => Ok(interaction),
        false => Err("the interaction is not what was sealed: it was damaged, or changed by hand".into()),
    }
}

fn said(object: &Json) -> Result<Interaction, String> {
    let key = text(object, "key")?;
    let kind = text(object, "kind")?;
    let kind = Kind::from_name(&kind).ok_or_else(|| format!("`{kind}` is no kind of call"))?;
    let asked = match (object.get("request"), object.get("digest")) {
        (Some(request), None) => Asked::Whole(decode_request(object, request, kind)?),
        (None, Some(digest)) => Asked::Digest(digest::decode(digest, kind, text(object, "name")?)?),
        _ => return Err("an interaction has either `request` or `digest`".into()),
    };
    let within = match object.get("within") {
        None => None,
        Some(n) => {
            Some(n.as_u64().and_then(|n| usize::try_from(n).ok()?.checked_sub(1)).ok_or("`within` is no position")?)
        }
    };
    let outcome = match (object.get("reply"), object.get("error")) {
        (Some(reply), None) => Outcome::Reply(decode_reply(object, reply, kind)?),
        (None, Some(error)) if kind != Kind::Http && error.get("class").is_none() => {
            Outcome::Reply(decode_failure(object, error, kind)?)
        }
        (None, Some(error)) => Outcome::Error(decode_error(error)?),
        _ => return Err("an interaction has either `reply` or `error`".into()),
    };
    Ok(Interaction {
        key: Key::stored(&key).ok_or_else(|| format!("`{key}` is no key"))?,
        asked,
        within,
        overlaps: object
            .get("overlaps")
            .map_or(Some(false), Json::as_bool)
            .ok_or("`overlaps` is neither true nor false")?,
        outcome,
    })
}

/// Returns the seal over everything else in the exchange: a hand edit or damage breaks it, white space does not.
pub fn seal(object: &Json) -> String {
    seal_of(object.members())
}

fn seal_of(members: &[Member]) -> String {
    let sealed = members.iter().filter(|(name, _)| !name.is("seal"));
    let digest = Sha256::digest(Json::print_members(sealed, Layout::Compact));
    hex(&digest[..SEAL / 2])
}

fn request(call: &Call) -> Json {
    let mut members = head(call.kind, None, &call.headers);
    if !call.body.is_empty() {
        members.push(("body".into(), body::encode(&call.body, call.header("content-type"))));
    }
    Json::Object(members)
}

fn decode_request(object: &Json, request: &Json, kind: Kind) -> Result<Call, String> {
    only(request, "a request", &["headers", "body"])?;
    let bytes =
        request.get("body").map_or(Ok(Vec::new()), |body| body::decode_with_events(body).map(|(bytes, _)| bytes))?;
    Ok(Call { kind, name: text(object, "name")?, headers: decode_headers(request, kind)?, body: bytes })
}

fn push_reply(members: &mut Vec<Member>, kind: Kind, reply: &Reply) {
    let bytes = reply.body();
    let mut object = head(kind, Some(reply.status), &reply.headers);
    if !reply.chunks.is_empty() {
        let form = body::encode(&bytes, header(&reply.headers, "content-type"));
        let lengths: Vec<_> = reply.chunks.iter().map(|chunk| chunk.bytes.len()).collect();
        let own =
            body::decode_with_events(&form).ok().and_then(|(_, events)| events).unwrap_or_else(|| vec![bytes.len()]);
        object.push(("body".into(), form));
        if lengths != own {
            object.push(("chunks".into(), numbers(lengths.iter().map(|length| *length as u64))));
        }
    }
    if !reply.trailers.is_empty() {
        object.push(("trailers".into(), headers(&reply.trailers)));
    }
    let failed = kind != Kind::Http && reply.is_failure();
    members.push((if failed { "error" } else { "reply" }.into(), Json::Object(object)));
    if let Some(truncation) = reply.truncated {
        members.push(("truncated".into(), truncation.as_str().into()));
    }
    if reply.chunks.iter().any(|chunk| chunk.at.is_some()) {
        let pace = reply.chunks.iter().map(|chunk| chunk.at.map_or(Json::Null, |at| rounded(at).into()));
        members.push(("pace".into(), pace.collect::<Vec<_>>().into()));
    }
}

/// Returns what stands before a body: of a function nothing, unless it has headers.
fn head(kind: Kind, status: Option<u16>, fields: &[Header]) -> Vec<Member> {
    let status = status.filter(|_| kind == Kind::Http).map(|status| ("status".into(), u64::from(status).into()));
    let fields = (kind == Kind::Http || !fields.is_empty()).then(|| ("headers".into(), headers(fields)));
    status.into_iter().chain(fields).collect()
}

/// Returns the error of a function.
fn decode_failure(object: &Json, error: &Json, kind: Kind) -> Result<Reply, String> {
    Ok(Reply { status: FAILURE, ..decode_reply(object, error, kind)? })
}

fn decode_reply(object: &Json, reply: &Json, kind: Kind) -> Result<Reply, String> {
    only(reply, "a reply", &["status", "headers", "body", "chunks", "trailers"])?;
    let status = match (kind, reply.get("status")) {
        (Kind::Http, Some(status)) => status.as_u64().and_then(|status| u16::try_from(status).ok()),
        (Kind::Http, None) | (_, Some(_)) => None,
        (_, None) => Some(200),
    };
    let (bytes, events) = reply.get("body").map_or(Ok((Vec::new(), None)), body::decode_with_events)?;
    let lengths = match (reply.get("chunks"), events, reply.get("body")) {
        (Some(chunks), ..) => list_of_numbers(chunks).ok_or("`chunks` is no list of lengths")?,
        (None, Some(events), _) => events.into_iter().map(|length| length as u64).collect(),
        (None, None, Some(_)) => vec![bytes.len() as u64],
        (None, None, None) => Vec::new(),
    };
    let pace = object.get("pace").map_or(Some(Vec::new()), times).ok_or("`pace` is no list of milliseconds")?;
    let named = |name: String| Truncation::from_name(&name).ok_or_else(|| format!("`{name}` breaks off no body"));
    let truncated = object.get("truncated").map(|_| text(object, "truncated")).transpose()?;
    let truncated = truncated.map(|name| named(name.to_string())).transpose()?;
    Ok(Reply {
        status: status.ok_or("`status` is no HTTP status")?,
        headers: decode_headers(reply, kind)?,
        chunks: cut(&bytes, &lengths, &pace)?,
        trailers: reply.get("trailers").map_or(Ok(Vec::new()), pairs)?,
        truncated,
    })
}

/// Cuts a body into its chunks.
fn cut(bytes: &[u8], lengths: &[u64], pace: &[Option<Duration>]) -> Result<Vec<Chunk>, String> {
    let mut rest = bytes;
    let mut chunks = Vec::with_capacity(lengths.len());
    for (i, length) in lengths.iter().enumerate() {
        let length = usize::try_from(*length).unwrap_or(usize::MAX);
        let (chunk, after) = rest.split_at_checked(length).ok_or("the chunks are longer than the body")?;
        chunks.push(Chunk { bytes: chunk.to_vec(), at: pace.get(i).copied().flatten() });
        rest = after;
    }
    if rest.is_empty() { Ok(chunks) } else { Err("the chunks are shorter than the body".into()) }
}

fn decode_error(error: &Json) -> Result<TransportError, String> {
    only(error, "an error", &["class", "message"])?;
    let class = text(error, "class")?;
    let class =
        TransportClass::from_name(&class).ok_or_else(|| format!("`{class}` is no class of transport errors"))?;
    Ok(TransportError { class, message: text(error, "message")? })
}

fn headers(headers: &[Header]) -> Json {
    let pair = |(name, value): &Header| Json::Array(vec![name.as_str().into(), value.as_str().into()]);
    Json::Array(headers.iter().map(pair).collect())
}

fn decode_headers(message: &Json, kind: Kind) -> Result<Vec<Header>, String> {
    match message.get("headers") {
        Some(headers) => pairs(headers),
        None if kind == Kind::Http => Err("`headers` is missing".into()),
        None => Ok(Vec::new()),
    }
}

fn pairs(headers: &Json) -> Result<Vec<Header>, String> {
    let Json::Array(pairs) = headers else { return Err("headers are a list".into()) };
    let pair = |pair: &Json| match pair.elements() {
        [Json::String(name), Json::String(value)] => Ok((name.value().into_owned(), value.value().into_owned())),
        _ => Err("a header is a pair of strings".to_owned()),
    };
    pairs.iter().map(pair).collect()
}

/// Returns the time in milliseconds, rounded to ten: a finer figure would be noise in every diff.
fn rounded(at: Duration) -> u64 {
    u64::try_from((at.as_millis() + 5) / 10 * 10).unwrap_or(u64::MAX)
}

fn numbers(values: impl Iterator<Item = u64>) -> Json {
    Json::Array(values.map(Json::from).collect())
}

fn list_of_numbers(list: &Json) -> Option<Vec<u64>> {
    matches!(list, Json::Array(_)).then(|| list.elements().iter().map(Json::as_u64).collect())?
}

/// Returns a list of times in milliseconds, `null` where one is not known.
fn times(list: &Json) -> Option<Vec<Option<Duration>>> {
    let time = |time: &Json| match time {
        Json::Null => Some(None),
        known => known.as_u64().map(Duration::from_millis).map(Some),
    };
    matches!(list, Json::Array(_)).then(|| list.elements().iter().map(time).collect())?
}

pub(super) fn text(object: &Json, name: &str) -> Result<String, String> {
    let value = object.get(name).ok_or_else(|| format!("`{name}` is missing"))?;
    value.as_str().map(|text| text.into_owned()).ok_or_else(|| format!("`{name}` is no string"))
}

/// Refuses a member that this reader does not know: it may change what the exchange means.
pub(super) fn only(object: &Json, what: &str, known: &[&str]) -> Result<(), String> {
    if !matches!(object, Json::Object(_)) {
        return Err(format!("{what} is an object"));
    }
    let unknown =
        object.members().iter().map(|(name, _)| Text::value(name)).find(|name| !known.contains(&name.as_ref()));
    unknown.map_or(Ok(()), |name| Err(format!("`{name}` is unknown in {what}")))
}

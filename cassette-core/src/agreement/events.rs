//! The events of a stream, as far as they say something.

use crate::eventstream;
use crate::frames::{Framing, lines};
use crate::json::Json;
use crate::reply::Reply;

/// What keeps a connection alive: named by the event, or by its document's `type`.
const HEARTBEATS: [&str; 3] = ["ping", "keepalive", "heartbeat"];

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) fields: Vec<Field>,
}

/// A field of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// A line as it stands.
    Text(String),
    /// The event's own id, which a client sends when it connects again.
    Id(String),
    /// A document, and the name of its event where the frame says it: the document's places begin with it.
    Json { event: String, document: Json },
}

impl Event {
    fn of(fields: Vec<Field>) -> Option<Event> {
        let beats = |field: &Field| match field {
            Field::Text(line) => line.strip_prefix("event: ").is_some_and(|name| HEARTBEATS.contains(&name)),
            Field::Json { document, .. } => {
                document.get("type").and_then(Json::as_str).is_some_and(|kind| HEARTBEATS.contains(&kind.as_ref()))
            }
            Field::Id(_) => false,
        };
        (!fields.is_empty() && !fields.iter().any(beats)).then_some(Event { fields })
    }
}

/// Returns how a body is cut: as its head says, and where that says nothing of it, as the text looks.
pub(super) fn framing(reply: &Reply, body: &str) -> Option<Framing> {
    let named = reply.header("content-type").and_then(Framing::of);
    let is_document = |line: &str| Json::parse(line).is_ok_and(|json| matches!(json, Json::Object(_)));
    named.or_else(|| match body {
        body if ["data:", "event:"].iter().any(|field| body.starts_with(field)) => Some(Framing::Sse),
        body if body.trim_end().contains('\n') && body.lines().all(is_document) => Some(Framing::Lines),
        _ => None,
    })
}

/// Returns the events of a stream of text.
pub(super) fn cut(framing: Framing, body: &str) -> Vec<Event> {
    let fields = |event: &str| match framing {
        Framing::Lines => document(event.trim()).into_iter().collect(),
        Framing::Sse => sse(event),
    };
    framing.split(body).into_iter().filter_map(|event| Event::of(fields(event))).collect()
}

/// Returns the messages of an event stream of bytes, where the whole body is one.
pub(super) fn messages(body: &[u8]) -> Option<Vec<Event>> {
    let messages = eventstream::messages(body);
    if messages.is_empty() || messages.iter().map(|message| message.length).sum::<usize>() != body.len() {
        return None;
    }
    let event = |message: &eventstream::Message<'_>| {
        let mut fields: Vec<_> =
            message.headers().iter().map(|(name, value)| Field::Text(format!("{name}: {value}"))).collect();
        let payload = String::from_utf8_lossy(message.payload);
        fields.push(match Json::parse(&payload) {
            Ok(document) => {
                Field::Json { event: message.header(":event-type").unwrap_or_default().to_owned(), document }
            }
            Err(_) => Field::Text(payload.into_owned()),
        });
        Event { fields }
    };
    Some(messages.iter().map(event).collect())
}

/// Returns the fields of a server-sent event (WHATWG HTML, section 9.2.6), the lines of its data as one; a comment is none.
fn sse(event: &str) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut data: Vec<&str> = Vec::new();
    for line in lines(event).map(|line| line.trim_end_matches(['\r', '\n'])) {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "" => {}
            "data" => data.push(value),
            "id" => fields.push(Field::Id(value.to_owned())),
            name => fields.push(Field::Text(format!("{name}: {value}"))),
        }
    }
    fields.extend(document(&data.join("\n")));
    fields
}

fn document(text: &str) -> Option<Field> {
    if text.is_empty() {
        return None;
    }
    let json = |document| Field::Json { event: String::new(), document };
    Some(Json::parse(text).map_or_else(|_| Field::Text(text.to_owned()), json))
}

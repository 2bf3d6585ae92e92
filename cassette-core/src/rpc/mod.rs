//! Messages of JSON-RPC 2.0 as the Model Context Protocol sends them: what of one means something, and what only ties it to
//! others of its connection.
//!
//! An `id` and a progress token are numbers that a connection counts up. Neither is compared ([`is_volatile`] names the
//! places), and where a recorded message is given again, those of the running connection are put in their place, in its text,
//! so that every other byte stays.

mod answer;
mod message;
mod span;

pub(crate) use answer::{questions, readdressed};
pub(crate) use message::{Message, What, failure, pong};
pub(crate) use span::{replaced, value};

use crate::json::Json;

/// What stands in a recorded message for the id of the request that it belongs to, and for its progress token.
pub(crate) const STAND_IN: &str = "0";

/// The method that asks whether the other side is there. It says nothing of what either does, and how often it comes hangs on time
/// alone: it is answered by whoever is there, and not recorded.
pub(crate) const PING: &str = "ping";

/// How the methods of the Model Context Protocol begin, or what they are.
const METHODS: [&str; 14] = [
    "completion/",
    "elicitation/",
    "initialize",
    "logging/",
    "notifications/",
    PING,
    "prompts/",
    "resources/",
    "roots/",
    "sampling/",
    "server/",
    "subscriptions/",
    "tasks/",
    "tools/",
];

/// What a request says of the connection and of the program that sends it, and of nothing else: paths of members.
/// Those of a trace are its context (W3C Trace Context and Baggage), which HTTP carries in headers that are left out too.
const VOLATILE: [&[&str]; 7] = [
    &["id"],
    &["params", "_meta", "progressToken"],
    &["params", "_meta", "traceparent"],
    &["params", "_meta", "tracestate"],
    &["params", "_meta", "baggage"],
    &["params", "clientInfo", "version"],
    &["params", "_meta", "io.modelcontextprotocol/clientInfo", "version"],
];

/// Returns whether this is a request or a notification of the Model Context Protocol.
pub(crate) fn asks(document: &Json) -> bool {
    let speaks = document.get("jsonrpc").and_then(Json::as_str).as_deref() == Some("2.0");
    let method = document.get("method").and_then(Json::as_str);
    speaks && method.is_some_and(|method| METHODS.iter().any(|known| is_of(known, &method)))
}

fn is_of(known: &str, method: &str) -> bool {
    if known.ends_with('/') { method.starts_with(known) } else { method == known }
}

/// Leaves out of a request what changes from connection to connection.
pub(crate) fn settle(request: &mut Json) {
    VOLATILE.iter().for_each(|path| leave_out(request, path));
}

/// Leaves out what stands at this path, and what held it if it held nothing else.
fn leave_out(object: &mut Json, path: &[&str]) {
    let (Json::Object(members), Some((name, inner))) = (object, path.split_first()) else { return };
    if !inner.is_empty() {
        let Some((_, held)) = members.iter_mut().find(|(known, _)| known.is(name)) else { return };
        leave_out(held, inner);
        if !matches!(held, Json::Object(left) if left.is_empty()) {
            return;
        }
    }
    members.retain(|(known, _)| !known.is(name));
}

#[cfg(test)]
mod tests;

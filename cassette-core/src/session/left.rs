//! Which recordings a program may leave unasked, though it must ask what it asks as it was recorded.
//!
//! A client of the Model Context Protocol may go before it has listened to its server, and before it has answered a question
//! that came by the way. Whether it does hangs on chance, so neither is missed. What somebody waits for is.

use std::collections::HashSet;

use crate::reply::{Outcome, Reply};
use crate::rpc::{Message, What, asks, questions};
use crate::tape::{Asked, Interaction, Tape};

/// Returns, of each recording, whether it may be left unasked.
pub(super) fn may_be_left(tape: &Tape) -> Vec<bool> {
    let posts = tape.interactions.iter().filter(|interaction| !listens(interaction));
    // In the course of a request: its reply is held back until they are answered.
    let pressing: HashSet<_> = posts.filter_map(reply).flat_map(|reply| questions(&reply.body())).collect();
    let urls: HashSet<_> = tape.interactions.iter().filter_map(endpoint).collect();
    let one = |interaction: &Interaction| {
        let silent = reply(interaction).is_some_and(|reply| reply.chunks.is_empty() && reply.truncated.is_none());
        let name = interaction.asked.name();
        match name.strip_prefix("GET ") {
            Some(url) => listens(interaction) && urls.contains(url),
            None if name.starts_with("POST ") => match said(interaction) {
                Some(What::Answer { id }) => silent && !pressing.contains(&id),
                Some(What::Notice { method }) => silent && method == "notifications/cancelled",
                Some(What::Request { .. }) | None => false,
            },
            None => silent && name.contains("answer to "),
        }
    };
    tape.interactions.iter().map(one).collect()
}

fn reply(interaction: &Interaction) -> Option<&Reply> {
    match &interaction.outcome {
        Outcome::Reply(reply) => Some(reply),
        Outcome::Error(_) => None,
    }
}

/// Returns whether this is a stream that was opened to listen.
fn listens(interaction: &Interaction) -> bool {
    let kind = reply(interaction).and_then(|reply| reply.header("content-type")).unwrap_or_default();
    interaction.asked.name().starts_with("GET ") && kind.starts_with("text/event-stream")
}

/// Returns the message of a call over HTTP.
fn said(interaction: &Interaction) -> Option<What> {
    let Asked::Whole(call) = &interaction.asked else { return None };
    let text = std::str::from_utf8(&call.body).ok().filter(|text| text.contains("\"jsonrpc\""))?;
    Message::read(text).ok().map(|message| message.what)
}

/// Returns the URL of a call over HTTP that speaks the protocol.
fn endpoint(interaction: &Interaction) -> Option<&str> {
    let Asked::Whole(call) = &interaction.asked else { return None };
    let url = call.name.strip_prefix("POST ")?;
    let text = std::str::from_utf8(&call.body).ok().filter(|text| text.contains("\"jsonrpc\""))?;
    crate::json::Json::parse(text).ok().filter(asks).map(|_| url)
}

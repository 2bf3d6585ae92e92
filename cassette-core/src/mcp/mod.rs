//! A connection of the Model Context Protocol, between a client and its server, message by message.
//!
//! A [`Connection`] stands between the two and does no I/O: a seam tells it what each side says ([`from_client`],
//! [`from_server`]) and does what it answers ([`Say`]). Whatever carries lines of JSON-RPC can so be recorded: a transport
//! within a client, or the standard streams of a program.
//!
//! What a client says is a call: a request, a notification, or its answer to a question of the server's. What the server says
//! on that, up to the client's next word in the same matter, is its reply. So a question (sampling, elicitation, roots) is put
//! again on replay, and an answer to it that is not the recorded one is a mismatch like any other. What a server says unasked
//! is kept with the notification before it, marked with how many requests had been answered by then. A ping of either side is
//! no call: whoever is there answers it.
//!
//! [`from_client`]: Connection::from_client
//! [`from_server`]: Connection::from_server

mod asked;
mod leg;

mod connection;
mod withheld;

mod client;
mod served;
mod server;

pub use connection::{Connection, Say};
pub use withheld::Withheld;

/// Returns the answer to a message that is a ping; `None` for any other.
pub fn pong(message: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(message).ok().filter(|text| text.contains("\"ping\""))?;
    match crate::rpc::Message::read(text).ok()?.what {
        crate::rpc::What::Request { id, method } if method == crate::rpc::PING => Some(crate::rpc::pong(&id)),
        _ => None,
    }
}

/// Returns the ids, in their own spelling, of the questions that a server puts in these events.
pub fn questions(events: &[u8]) -> Vec<String> {
    crate::rpc::questions(events)
}

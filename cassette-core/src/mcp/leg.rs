//! What a server says on one word of its client's, kept as it comes.

use std::time::{Duration, Instant};

use crate::reply::{Chunk, Outcome, Reply, TransportError, Truncation};
use crate::session::Ticket;

/// What a server has said so far on one word of its client's.
#[derive(Debug)]
pub(super) struct Leg {
    ticket: Ticket,
    start: Instant,
    said: Vec<(String, Duration)>,
}

/// The media type of several messages, a line each.
const LINES: &str = "application/x-ndjson";

impl Leg {
    /// Returns what is said from now on.
    pub(super) fn new(ticket: Ticket) -> Leg {
        Leg { ticket, start: Instant::now(), said: Vec::new() }
    }

    /// Keeps a message.
    pub(super) fn keep(&mut self, text: String) {
        self.said.push((text, self.start.elapsed()));
    }

    /// Records what was said.
    pub(super) fn file(self, truncated: Option<Truncation>) {
        // A failure to record is latched by the session; the client gets its answer all the same.
        let _ = self.ticket.finish(Outcome::Reply(reply(self.said, truncated)));
    }

    /// Records what was said, which made the call no longer.
    pub(super) fn file_aside(self) {
        let _ = self.ticket.finish_as_of(self.start, Outcome::Reply(reply(self.said, None)));
    }

    /// Records that the server went away.
    pub(super) fn break_off(self, error: &TransportError) {
        if self.said.is_empty() {
            let _ = self.ticket.finish(Outcome::Error(error.clone()));
        } else {
            self.file(Some(Truncation::Upstream));
        }
    }
}

fn reply(said: Vec<(String, Duration)>, truncated: Option<Truncation>) -> Reply {
    let (headers, end) = match said.len() {
        0 | 1 => (Vec::new(), ""),
        _ => (vec![("content-type".to_owned(), LINES.to_owned())], "\n"),
    };
    let chunk = |(text, at): (String, Duration)| Chunk { bytes: format!("{text}{end}").into_bytes(), at: Some(at) };
    let chunks = said.into_iter().map(chunk).collect();
    Reply { status: 200, headers, chunks, trailers: Vec::new(), truncated }
}

/// Returns the messages of a recorded reply.
pub(super) fn messages(reply: &Reply) -> Vec<String> {
    let body = String::from_utf8_lossy(&reply.body()).into_owned();
    body.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

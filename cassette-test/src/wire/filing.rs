//! The one filing of a live call, whatever becomes of it.

use std::time::Instant;

use cassette_core::call::Header;
use cassette_core::frames::Framing;
use cassette_core::json::Json;
use cassette_core::reply::{Chunk, Outcome, Reply, TransportError, Truncation};

use super::desk::File;
use super::held::Hold;

/// What has arrived of a live call so far. It is filed when the call ends, or else when this is dropped with its connection:
/// the client has left, or a panic unwinds.
///
/// A call that is still under way when the test ends is not filed at all: its client has not left, so nothing it would be
/// filed as could be replayed. The session misses it at its end, and says so.
pub(crate) struct Filing {
    started: Instant,
    file: Option<(File, Hold)>,
    head: Option<(u16, Vec<Header>)>,
    chunks: Vec<Chunk>,
    trailers: Vec<Header>,
    size: usize,
    waits: Waits,
}

/// Whether the program waits for more of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waits {
    /// Nobody can tell.
    Perhaps,
    /// It waits.
    Yes,
    /// It has what it asked for.
    No,
}

/// Whether the pieces in which a body arrived mean anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pieces {
    /// The upstream cut it, and a reader may see where.
    Cut,
    /// The upstream sent it whole, and the network cut it where it liked.
    Whole,
}

impl Filing {
    /// Returns the filing of a call that starts now.
    pub(crate) fn new(file: File, hold: Hold) -> Filing {
        Filing {
            started: Instant::now(),
            file: Some((file, hold)),
            head: None,
            chunks: Vec::new(),
            trailers: Vec::new(),
            size: 0,
            waits: Waits::Perhaps,
        }
    }

    /// Notes that whoever reads the body asks for no more than the program does.
    pub(crate) fn may_be_left(&mut self) {
        self.waits = Waits::No;
    }

    /// Notes whether the body has been asked for more than there is yet.
    pub(crate) fn note_wait(&mut self, waits: bool) {
        if self.waits != Waits::Perhaps {
            self.waits = if waits { Waits::Yes } else { Waits::No };
        }
    }

    /// Keeps the head of the reply.
    pub(crate) fn head(&mut self, status: u16, headers: Vec<Header>) {
        self.head = Some((status, headers));
    }

    /// Keeps a piece of the body that has just arrived; returns how many bytes there are now.
    pub(crate) fn keep(&mut self, bytes: &[u8], pieces: Pieces) -> usize {
        let at = self.started.elapsed();
        self.size += bytes.len();
        match self.chunks.last_mut().filter(|_| pieces == Pieces::Whole) {
            Some(chunk) => {
                chunk.bytes.extend_from_slice(bytes);
                chunk.at = Some(at);
            }
            None => self.chunks.push(Chunk { bytes: bytes.to_vec(), at: Some(at) }),
        }
        self.size
    }

    /// Keeps what came after the body.
    pub(crate) fn trailers(&mut self, trailers: Vec<Header>) {
        self.trailers = trailers;
    }

    /// Files the call as ended like this.
    pub(crate) fn end(mut self, outcome: Outcome) {
        self.file_once(outcome);
    }

    /// Files the reply that was kept, complete or broken off; a second time it does nothing.
    pub(crate) fn end_body(&mut self, truncated: Option<Truncation>) {
        if let Some((status, headers)) = self.head.take() {
            let (chunks, trailers) = (std::mem::take(&mut self.chunks), std::mem::take(&mut self.trailers));
            self.file_once(Outcome::Reply(Reply { status, headers, chunks, trailers, truncated }));
        }
    }

    fn file_once(&mut self, outcome: Outcome) {
        if let Some((file, _)) = self.file.take() {
            file(outcome);
        }
    }

    fn is_ended_stream(&self) -> bool {
        let headers = self.head.as_ref().map_or(&[][..], |(_, headers)| headers);
        let content_type = cassette_core::call::header(headers, "content-type").unwrap_or_default();
        let Some(framing) = Framing::of(content_type) else { return false };
        let body: Vec<u8> = self.chunks.iter().flat_map(|chunk| chunk.bytes.iter().copied()).collect();
        framing.split(&String::from_utf8_lossy(&body)).into_iter().any(|event| is_last(framing, event))
    }
}

impl Drop for Filing {
    fn drop(&mut self) {
        if self.file.as_ref().is_none_or(|(_, hold)| hold.outlasted()) {
            return;
        }
        if self.head.is_none() {
            self.file_once(Outcome::Error(TransportError::given_up()));
        } else {
            let truncated = match self.waits {
                _ if self.is_ended_stream() => None,
                Waits::No => Some(Truncation::Left),
                Waits::Yes | Waits::Perhaps => Some(Truncation::Client),
            };
            self.end_body(truncated);
        }
    }
}

/// Returns whether this event is the last of its stream by the provider's own word, after which clients hang up.
fn is_last(framing: Framing, event: &str) -> bool {
    match framing {
        Framing::Sse => {
            let ended = event.ends_with("\n\n") || event.ends_with("\r\n\r\n") || event.ends_with("\r\r");
            ended && event.lines().any(|line| LAST.contains(&line))
        }
        Framing::Lines => {
            let line = Json::parse(event.trim_end()).ok().filter(|_| event.ends_with('\n'));
            // Ollama's own API, and Cohere's version 1.
            line.is_some_and(|line| {
                ["done", "is_finished"].iter().any(|name| line.get(name) == Some(&Json::Bool(true)))
            })
        }
    }
}

/// The lines by which providers say that an event is the last: of chat completions, Anthropic, Cohere and Responses.
const LAST: [&str; 7] = [
    "data: [DONE]",
    "data:[DONE]",
    "event: message_stop",
    "event: message-end",
    "event: response.completed",
    "event: response.failed",
    "event: response.incomplete",
];

#[cfg(test)]
mod tests {
    use cassette_core::frames::Framing;

    use super::is_last;

    #[test]
    fn a_stream_ends_by_the_providers_word() {
        for event in [
            "data: [DONE]\n\n",
            "data: [DONE]\r\n\r\n",
            "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
            "event: message-end\ndata: {\"type\":\"message-end\"}\n\n",
            "event: response.completed\ndata: {}\n\n",
            "event: response.incomplete\ndata: {}\n\n",
        ] {
            assert!(is_last(Framing::Sse, event), "{event}");
        }
        for event in [
            "data: [DONE]\n",
            "data: \"data: [DONE]\"\n\n",
            "event: response.output_text.done\ndata: {}\n\n",
            "data: {\"done\":true}\n\n",
        ] {
            assert!(!is_last(Framing::Sse, event), "{event}");
        }
    }

    #[test]
    fn a_stream_of_lines_ends_by_the_providers_word() {
        for line in ["{\"done\":true,\"done_reason\":\"stop\"}\n", "{\"is_finished\": true}\r\n"] {
            assert!(is_last(Framing::Lines, line), "{line}");
        }
        for line in [
            "{\"done\":true}",
            "{\"done\":false}\n",
            "{\"message\":{\"done\":true}}\n",
            "{\"done\":\"true\"}\n",
            "true\n",
            "\n",
        ] {
            assert!(!is_last(Framing::Lines, line), "{line}");
        }
    }
}

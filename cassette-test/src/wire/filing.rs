//! The one filing of a live call, whatever becomes of it.

use std::time::Instant;

use cassette_core::call::Header;
use cassette_core::frames::Framing;
use cassette_core::reply::{Chunk, Outcome, Reply, TransportClass, TransportError, Truncation};

use super::desk::File;
use super::held::Hold;

/// What is recorded of a call whose client went away before there was a reply: the time-out was the program's own.
pub(crate) const GAVE_UP: &str = "the program stopped waiting for the reply";

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
                chunk.at = at;
            }
            None => self.chunks.push(Chunk { bytes: bytes.to_vec(), at }),
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
        if Framing::of(content_type) != Some(Framing::Sse) {
            return false;
        }
        let body: Vec<u8> = self.chunks.iter().flat_map(|chunk| chunk.bytes.iter().copied()).collect();
        Framing::Sse.split(&String::from_utf8_lossy(&body)).into_iter().any(is_last)
    }
}

impl Drop for Filing {
    fn drop(&mut self) {
        if self.file.as_ref().is_none_or(|(_, hold)| hold.outlasted()) {
            return;
        }
        if self.head.is_none() {
            self.file_once(Outcome::Error(TransportError {
                class: TransportClass::Timeout,
                message: GAVE_UP.to_owned(),
            }));
        } else {
            let truncated = if self.is_ended_stream() { None } else { Some(Truncation::Client) };
            self.end_body(truncated);
        }
    }
}

/// Returns whether this event is the last of its stream by the provider's own word, after which clients hang up.
fn is_last(event: &str) -> bool {
    let ended = event.ends_with("\n\n") || event.ends_with("\r\n\r\n") || event.ends_with("\r\r");
    ended && event.lines().any(|line| matches!(line, "data: [DONE]" | "data:[DONE]" | "event: message_stop"))
}

#[cfg(test)]
mod tests {
    use super::is_last;

    #[test]
    fn a_stream_ends_by_the_providers_word() {
        assert!(is_last("data: [DONE]\n\n"));
        assert!(is_last("data: [DONE]\r\n\r\n"));
        assert!(is_last("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"));
        assert!(!is_last("data: [DONE]\n"));
        assert!(!is_last("data: \"data: [DONE]\"\n\n"));
    }
}

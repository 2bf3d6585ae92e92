//! What a program is answered.

use std::time::Duration;

use crate::call::{Header, header};

/// A stretch of a body that arrived in one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// How long after the start of the call it arrived; `None` where nobody measured it, as in what another tool recorded.
    pub at: Option<Duration>,
}

/// The status of a function's error.
pub(crate) const FAILURE: u16 = 500;

/// The header by which a function's stream is told from its value: an item is a line of JSON.
const LINES: (&str, &str) = ("content-type", "application/x-ndjson");

/// Who ended a body before it was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// The program under test stopped reading, perhaps while it waited for more.
    Client,
    /// The program under test stopped reading by itself: it waited for nothing.
    Left,
    /// The connection to the upstream broke.
    Upstream,
}

impl Truncation {
    const ALL: [(Truncation, &str); 3] =
        [(Truncation::Client, "client"), (Truncation::Left, "left"), (Truncation::Upstream, "upstream")];

    /// Returns the word for it in a file.
    pub fn as_str(self) -> &'static str {
        Truncation::ALL.iter().find(|(known, _)| *known == self).map_or("", |(_, word)| word)
    }

    /// Returns who this word stands for.
    pub fn from_name(name: &str) -> Option<Truncation> {
        Truncation::ALL.iter().find(|(_, word)| *word == name).map(|(known, _)| *known)
    }
}

/// A reply: the head, and the body in the pieces in which it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status; of a function, 200 for a value and 500 for an error.
    pub status: u16,
    /// The headers, in order, duplicates kept; none that frame the body (`content-length`, `transfer-encoding`).
    pub headers: Vec<Header>,
    /// The body. A body that came whole is one chunk; an empty one has none.
    pub chunks: Vec<Chunk>,
    /// What came after the body, as gRPC has it: like the headers, in order, duplicates kept.
    pub trailers: Vec<Header>,
    /// Who broke the body off, if it was broken off.
    pub truncated: Option<Truncation>,
}

impl Reply {
    /// Returns a function's value, a JSON document.
    pub fn value(json: Vec<u8>, at: Duration) -> Reply {
        Reply {
            status: 200,
            headers: Vec::new(),
            chunks: vec![Chunk { bytes: json, at: Some(at) }],
            trailers: Vec::new(),
            truncated: None,
        }
    }

    /// Returns a function's error, a JSON document.
    pub fn failure(json: Vec<u8>, at: Duration) -> Reply {
        Reply { status: FAILURE, ..Reply::value(json, at) }
    }

    /// Returns a function's stream of these items, each a line of JSON; `truncated` says who broke it off, if it did not end.
    pub fn stream(items: Vec<Chunk>, truncated: Option<Truncation>) -> Reply {
        let (name, value) = LINES;
        Reply {
            status: 200,
            headers: vec![(name.to_owned(), value.to_owned())],
            chunks: items,
            trailers: Vec::new(),
            truncated,
        }
    }

    /// Returns whether this is a function's stream.
    pub fn is_stream(&self) -> bool {
        self.header(LINES.0) == Some(LINES.1)
    }

    /// Returns whether this is a function's error.
    pub fn is_failure(&self) -> bool {
        self.status == FAILURE
    }

    /// Returns the first value of this header.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    /// Returns how long the reply took to arrive; `None` where that is not known of its last chunk, and where it has none.
    pub fn took(&self) -> Option<Duration> {
        self.chunks.last()?.at
    }

    /// Returns the whole body.
    pub fn body(&self) -> Vec<u8> {
        // Piece by piece: byte by byte is slow where nothing is optimised.
        let pieces: Vec<&[u8]> = self.chunks.iter().map(|chunk| chunk.bytes.as_slice()).collect();
        pieces.concat()
    }
}

/// How a call failed before there was a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransportClass {
    /// No connection was made.
    Connect,
    /// The encrypted connection could not be set up.
    Tls,
    /// The host's name was not found.
    Dns,
    /// It took too long.
    Timeout,
    /// The peer reset the connection.
    Reset,
    /// The peer closed the connection without a whole reply.
    Closed,
}

impl TransportClass {
    const NAMES: [(TransportClass, &'static str); 6] = [
        (TransportClass::Connect, "connect"),
        (TransportClass::Tls, "tls"),
        (TransportClass::Dns, "dns"),
        (TransportClass::Timeout, "timeout"),
        (TransportClass::Reset, "reset"),
        (TransportClass::Closed, "closed"),
    ];

    /// Returns the class's name in a cassette.
    pub fn as_str(self) -> &'static str {
        TransportClass::NAMES.iter().find(|(class, _)| *class == self).map_or("", |(_, name)| name)
    }

    /// Returns the class of this name.
    pub fn from_name(name: &str) -> Option<TransportClass> {
        TransportClass::NAMES.iter().find(|(_, known)| *known == name).map(|(class, _)| *class)
    }
}

/// A failure of the transport: there is no reply.
///
/// A function has none of its own; one that the program gave up ends so too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransportError {
    /// What kind of failure.
    pub class: TransportClass,
    /// What the transport said.
    pub message: String,
}

/// What is recorded of a call that the program gave up before there was a reply: the time-out was its own.
pub(crate) const GAVE_UP: &str = "the program stopped waiting for the reply";

/// What is recorded of a function that the program gave up as soon as another one had answered: it lost a race.
pub(crate) const OUTRUN: &str = "the program stopped waiting for the reply, since another one had come";

impl TransportError {
    /// Returns how a call ends that the program gave up before there was a reply, as a time-out of its own does.
    pub fn given_up() -> TransportError {
        TransportError { class: TransportClass::Timeout, message: GAVE_UP.to_owned() }
    }

    /// Returns how a function ends that the program gave up as soon as another one had answered.
    pub fn outrun() -> TransportError {
        TransportError { class: TransportClass::Timeout, message: OUTRUN.to_owned() }
    }

    /// Returns whether the program gave the call up: it is let do so again.
    pub fn is_given_up(&self) -> bool {
        self.class == TransportClass::Timeout && [GAVE_UP, OUTRUN].contains(&self.message.as_str())
    }

    /// Returns whether it was given up as soon as another one had answered.
    pub fn is_outrun(&self) -> bool {
        self.class == TransportClass::Timeout && self.message == OUTRUN
    }
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With a reply.
    Reply(Reply),
    /// Without one.
    Error(TransportError),
}

impl Outcome {
    /// Returns whether the program gave the call up before there was a reply.
    pub fn is_given_up(&self) -> bool {
        matches!(self, Outcome::Error(error) if error.is_given_up())
    }
}

//! What a program asks: the head of the pipeline.

/// A header or a trailer: its name in lower case, and its value.
///
/// A value's bytes stand as the characters of the same number (ISO 8859-1), so that a header which is not ASCII, as
/// RFC 9110 section 5.5 allows, comes back byte for byte.
pub type Header = (String, String);

/// The seam through which a call was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An HTTP exchange, whatever it is about.
    Http,
    /// A model behind a function of the user's.
    Llm,
    /// A tool: a function whose answer hangs on the world's state.
    Tool,
    /// A memory or store that is asked.
    Memory,
    /// A single value: a clock, an id, a seed.
    Value,
    /// A message of the Model Context Protocol.
    Mcp,
}

impl Kind {
    const NAMES: [(Kind, &'static str); 6] = [
        (Kind::Http, "http"),
        (Kind::Llm, "llm"),
        (Kind::Tool, "tool"),
        (Kind::Memory, "memory"),
        (Kind::Value, "value"),
        (Kind::Mcp, "mcp"),
    ];

    /// Returns the kind's name in a cassette.
    pub fn as_str(self) -> &'static str {
        Kind::NAMES.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    /// Returns the kind of this name.
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::NAMES.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }

    /// Returns a call of this name as reports name it.
    pub(crate) fn title(self, name: &str) -> String {
        match self {
            Kind::Http => name.to_owned(),
            kind => format!("{} {name}", kind.as_str()),
        }
    }
}

/// How a program makes a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Medium {
    /// By itself: over HTTP, or as a function.
    Itself,
    /// As a message of a protocol, which is answered elsewhere.
    Message,
    /// Over HTTP, and not within a function that is recorded, as its seam knows.
    Aside,
}

/// One call, as a seam took it from the program: nothing left out, nothing hidden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The seam it came through.
    pub kind: Kind,
    /// `POST https://host/path?query`, percent-encoding as sent, or the function's name.
    pub name: String,
    /// The request's headers, in order, duplicates kept.
    pub headers: Vec<Header>,
    /// The request's body; of a function, its arguments as JSON.
    pub body: Vec<u8>,
}

impl Call {
    /// Returns an HTTP call. `url` is absolute: scheme, authority, path and query.
    pub fn http(method: &str, url: &str, headers: Vec<Header>, body: Vec<u8>) -> Call {
        Call { kind: Kind::Http, name: format!("{method} {url}"), headers, body }
    }

    /// Returns a call of a function of this kind. `arguments` is a JSON document, or nothing.
    pub fn function(kind: Kind, name: impl Into<String>, arguments: Vec<u8>) -> Call {
        Call { kind, name: name.into(), headers: Vec::new(), body: arguments }
    }

    /// Returns the call as reports name it: `POST https://..`, or a function with its kind, `tool search`.
    pub fn title(&self) -> String {
        self.kind.title(&self.name)
    }

    /// Returns the first value of this header.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }
}

/// Returns the first value of this header, whose name is in lower case.
pub fn header<'a>(headers: &'a [Header], name: &str) -> Option<&'a str> {
    headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

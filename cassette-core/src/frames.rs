//! Where one event of a stream ends and the next begins.

/// How a streamed body is cut into events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Server-sent events: an event ends with an empty line (WHATWG HTML, section 9.2.5).
    Sse,
    /// A JSON document a line.
    Lines,
}

impl Framing {
    /// Returns how a body of this media type is cut, if it is a stream of events.
    pub fn of(content_type: &str) -> Option<Framing> {
        let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match media_type.as_str() {
            "text/event-stream" => Some(Framing::Sse),
            "application/x-ndjson" | "application/ndjson" | "application/jsonl" | "application/stream+json" => {
                Some(Framing::Lines)
            }
            _ => None,
        }
    }

    /// Cuts a body into its events, each with the bytes that end it: joined again they are the body.
    pub fn split(self, body: &str) -> Vec<&str> {
        let mut events = Vec::new();
        let mut start = 0;
        let mut at = 0;
        for line in lines(body) {
            at += line.len();
            if self == Framing::Lines || line.trim_end_matches(['\r', '\n']).is_empty() {
                events.push(&body[start..at]);
                start = at;
            }
        }
        if start < body.len() {
            events.push(&body[start..]);
        }
        events
    }
}

/// Returns the lines of a text, each with its end: `\n`, `\r\n` or `\r`.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    // One letter is found much faster than one of two.
    let next = |letter: char, from: usize| text[from..].find(letter).map_or(text.len(), |length| from + length);
    let (mut start, mut returns, mut feed) = (0, next('\r', 0), next('\n', 0));
    std::iter::from_fn(move || {
        if start == text.len() {
            return None;
        }
        let first = returns.min(feed);
        let both = first == returns && feed == returns + 1;
        let end = (first + if both { 2 } else { 1 }).min(text.len());
        if returns < end {
            returns = next('\r', end);
        }
        if feed < end {
            feed = next('\n', end);
        }
        let line = &text[start..end];
        start = end;
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::Framing;

    #[track_caller]
    fn check(framing: Framing, body: &str, expected: &[&str]) {
        assert_eq!(framing.split(body), expected);
        assert_eq!(expected.concat(), body);
    }

    #[test]
    fn an_event_ends_with_an_empty_line() {
        check(Framing::Sse, "data: 1\n\ndata: 2\n\n", &["data: 1\n\n", "data: 2\n\n"]);
        check(
            Framing::Sse,
            "event: a\r\ndata: 1\r\n\r\n: ping\r\n\r\n",
            &["event: a\r\ndata: 1\r\n\r\n", ": ping\r\n\r\n"],
        );
        check(Framing::Sse, "data: 1\n\ndata: [DO", &["data: 1\n\n", "data: [DO"]);
        check(Framing::Sse, "data: 1\n\n\n", &["data: 1\n\n", "\n"]);
        check(Framing::Sse, "", &[]);
    }

    #[test]
    fn a_line_is_a_document() {
        check(Framing::Lines, "{}\n{}\r\n{}", &["{}\n", "{}\r\n", "{}"]);
    }
}

//! Where a call goes: its method, host and path, taken apart.

/// The address of an HTTP call, percent-decoded by path segment.
#[derive(Debug)]
pub(super) struct Address<'a> {
    method: &'a str,
    /// The host in lower case, without port; empty where the call names none.
    pub(super) host: String,
    /// The port, where one is written.
    pub(super) port: &'a str,
    /// The segments of the path, empty ones left out: a doubled slash says nothing.
    segments: Vec<String>,
}

impl<'a> Address<'a> {
    /// Takes apart `POST https://host:port/path?query`; scheme and host may be missing.
    pub(super) fn of(name: &'a str) -> Option<Address<'a>> {
        let (method, url) = name.split_once(' ')?;
        let url = url.split(['?', '#']).next().unwrap_or_default();
        let (authority, path) = match url.split_once("://") {
            Some((_, rest)) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
            None => ("", url),
        };
        let authority = authority.rsplit('@').next().unwrap_or_default();
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => (host, port),
            _ => (authority, ""),
        };
        let segments = path.split('/').filter(|segment| !segment.is_empty()).map(decode).collect();
        Some(Address { method, host: host.to_ascii_lowercase(), port, segments })
    }

    /// Returns whether the method asks for something to be made, as every model call does.
    pub(super) fn asks(&self) -> bool {
        self.method.eq_ignore_ascii_case("POST")
    }

    /// Returns whether the call only reads.
    pub(super) fn reads(&self) -> bool {
        self.method.eq_ignore_ascii_case("GET")
    }

    /// Returns whether any segment is this one.
    pub(super) fn names(&self, segment: &str) -> bool {
        self.segments.iter().any(|known| known == segment)
    }

    /// Returns whether any segment has this word in it, in whatever case.
    pub(super) fn mentions(&self, word: &str) -> bool {
        self.segments.iter().any(|segment| segment.to_ascii_lowercase().contains(word))
    }

    /// Returns whether the path ends as the pattern says, or is it where the pattern begins with a slash: a segment is
    /// matched by [`glob`], and a last `**` by one or more segments.
    pub(super) fn ends_with(&self, pattern: &str) -> bool {
        if let Some(whole) = pattern.strip_prefix('/') {
            return whole.split('/').count() == self.segments.len() && ends(&self.segments, whole);
        }
        if let Some(front) = pattern.strip_suffix("/**") {
            return (1..self.segments.len()).any(|end| ends(&self.segments[..end], front));
        }
        ends(&self.segments, pattern)
    }
}

fn ends(segments: &[String], pattern: &str) -> bool {
    let mut rest = segments.iter().rev();
    pattern.rsplit('/').all(|part| rest.next().is_some_and(|segment| glob(part, segment)))
}

/// Returns whether `text` is what the pattern says, in which `*` stands for any characters.
pub(super) fn glob(pattern: &str, text: &str) -> bool {
    let Some((front, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(front) else { return false };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return text.ends_with(part);
        }
        let Some(at) = text.find(part) else { return false };
        text = &text[at + part.len()..];
    }
    true
}

/// Resolves percent-encoding; what is no encoding stays as it is.
pub(super) fn decode(segment: &str) -> String {
    let bytes = segment.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escaped = bytes.get(at + 1..at + 3).filter(|_| byte == b'%').and_then(hexadecimal);
        decoded.push(escaped.unwrap_or(byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn hexadecimal(digits: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?;
    u8::from_str_radix(digits, 16).ok()
}

//! httprr: HTTP/1.1 messages as they went over the wire, each pair behind a line with their lengths.

use cassette_core::call::Header;

use super::imported::{Exchange, Fault};
use super::message::{Answered, Asked, exchange, whole};

/// The first line of a recording.
pub(super) const FIRST: &[u8] = b"httprr trace v1\n";

/// Reads a recording.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Exchange>, Fault> {
    let mut exchanges = Vec::new();
    let mut at = FIRST.len();
    while at < bytes.len() {
        let line = 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count();
        let fault = |what: &str| Fault::at(line, what);
        let (lengths, _) = split(&bytes[at..], b"\n").ok_or_else(|| fault("a line with two lengths is missing"))?;
        let (asked, answered) = two_lengths(lengths).ok_or_else(|| fault("a line with two lengths is missing"))?;
        let start = at + lengths.len() + 1;
        let middle = start.checked_add(asked).filter(|middle| *middle <= bytes.len());
        let end = middle.and_then(|middle| middle.checked_add(answered)).filter(|end| *end <= bytes.len());
        let (Some(middle), Some(end)) = (middle, end) else { return Err(fault("the recording is cut off")) };
        exchanges.push(one(line, &bytes[start..middle], &bytes[middle..end])?);
        at = end;
    }
    Ok(exchanges)
}

fn one(line: usize, request: &[u8], response: &[u8]) -> Result<Exchange, Fault> {
    let fault = |what: &str| Fault::at(line, what);
    let (first, headers, body) = message(request).ok_or_else(|| fault("the request is damaged"))?;
    let mut words = first.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let host = headers.iter().find(|(name, _)| name == "host").map(|(_, host)| host.as_str());
    let url = match host {
        _ if target.contains("://") => target.to_owned(),
        Some(host) => format!("https://{host}{target}"),
        None => return Err(fault("the request names no host")),
    };
    let asked = Asked { method: method.to_owned(), url, headers, body };
    let (first, headers, body) = message(response).ok_or_else(|| fault("the response is damaged"))?;
    let status = first.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| fault("the response has no status"))?;
    exchange(line, asked, Answered { status, headers, body: whole(body, None) })
}

fn two_lengths(line: &[u8]) -> Option<(usize, usize)> {
    let (first, second) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    Some((first.parse().ok()?, second.parse().ok()?))
}

/// Returns the first line of a message, its headers, and its body without the chunks of the transfer.
///
/// A line may end without its carriage return (RFC 9112, section 2.2): scrubbing took it from some.
fn message(bytes: &[u8]) -> Option<(String, Vec<Header>, Vec<u8>)> {
    let mut rest = bytes;
    let mut line = || {
        let (line, after) = split(rest, b"\n")?;
        rest = after;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        Some(line.iter().map(|byte| char::from(*byte)).collect::<String>())
    };
    let first = line()?;
    let mut headers = Vec::new();
    loop {
        let line = line()?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':')?;
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let is_chunked =
        headers.iter().any(|(name, value)| name == "transfer-encoding" && value.eq_ignore_ascii_case("chunked"));
    let body = if is_chunked { joined(rest)? } else { rest.to_vec() };
    Some((first, headers, body))
}

/// Joins the chunks of a transfer (RFC 9112, section 7.1).
fn joined(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let (size, after) = split(rest, b"\r\n")?;
        let size = std::str::from_utf8(size).ok()?.split(';').next()?.trim();
        let size = usize::from_str_radix(size, 16).ok()?;
        if size == 0 {
            return Some(body);
        }
        body.extend_from_slice(after.get(..size)?);
        rest = after.get(size..)?.strip_prefix(b"\r\n")?;
    }
}

fn split<'a>(bytes: &'a [u8], at: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let start = bytes.windows(at.len()).position(|window| window == at)?;
    Some((&bytes[..start], &bytes[start + at.len()..]))
}

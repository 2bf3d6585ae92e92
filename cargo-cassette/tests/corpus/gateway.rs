//! What is imported, asked for at the real gateway over a socket.

use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

use cargo_cassette::import::{self, Exchange, Keeping, Place};
use cassette_core::call::Call;
use cassette_core::mode::Mode;
use cassette_core::reply::{Outcome, Reply};
use cassette_core::report::Report;
use cassette_core::store::FileStore;
use cassette_test::Cassette;

use crate::replay::{redacted, without_numbers};

/// Headers that say how a message travels.
const TRAVEL: &[&str] = &["host", "connection", "content-length", "transfer-encoding", "expect", "te", "upgrade"];

/// How many exchanges of a file came back, and what did not.
#[derive(Default)]
pub(crate) struct Asked {
    pub(crate) exact: usize,
    pub(crate) hidden: usize,
    /// Whether the audit found something, so that there is no cassette.
    pub(crate) found: bool,
    pub(crate) wrong: Vec<String>,
}

/// Imports exchanges into a directory as the command does, and asks for each at the gateway.
pub(crate) fn asked(dir: &Path, name: &str, exchanges: &[Exchange]) -> Asked {
    let mut asked = Asked::default();
    let place = Place::of(FileStore::new(dir, "cassettes"), name, Keeping::Saved).expect("the directory is read");
    match import::record(import::plan(name, Arc::new(place), "corpus"), exchanges) {
        Ok(_) => {}
        Err(report) if matches!(&*report, Report::Leak(_)) => return Asked { found: true, ..asked },
        Err(report) => return Asked { wrong: vec![report.to_string()], ..asked },
    }
    let session = match Cassette::builder(name).dir(dir).mode(Mode::Replay).open() {
        Ok(session) => session,
        Err(report) => return Asked { wrong: vec![report.to_string()], ..asked },
    };
    let left = redacted(exchanges);
    for (i, (exchange, (_, left))) in exchanges.iter().zip(&left).enumerate() {
        let Some((server, _)) = split(&exchange.call) else {
            return Asked { wrong: vec!["no address".into()], ..asked };
        };
        let got = session.try_base_url(server).map_err(|report| report.to_string());
        let got = got.and_then(|base| send(&base, &exchange.call).map_err(|error| error.to_string()));
        match told(&exchange.reply, left, got) {
            Ok(true) => asked.exact += 1,
            Ok(false) => asked.hidden += 1,
            Err(what) => asked.wrong.push(format!("exchange {}, {}: {what}", i + 1, exchange.call.name)),
        }
    }
    asked.wrong.extend(session.finish().err().map(|report| report.to_string()));
    asked
}

/// Returns the server of a call, `https://host`, and what follows.
fn split(call: &Call) -> Option<(&str, &str)> {
    let url = call.name.split_once(' ')?.1;
    let host = url.find("://")? + 3;
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at);
    Some(url.split_at(end))
}

/// Returns whether what came is the source's own, or what redaction left of it.
fn told(source: &Outcome, left: &Outcome, got: Result<(u16, Vec<u8>), String>) -> Result<bool, String> {
    match (source, left, got) {
        (Outcome::Error(_), _, Err(_)) => Ok(true),
        (Outcome::Reply(source), Outcome::Reply(left), Ok((status, body))) => {
            if status != source.status {
                return Err(format!("the status is {status}: {}", String::from_utf8_lossy(&body)));
            }
            let unnumbered = |reply: &Reply| without_numbers(&reply.body());
            match body == source.body() {
                true => Ok(true),
                false if without_numbers(&body) == unnumbered(left) => Ok(false),
                false => Err("the body is another".to_owned()),
            }
        }
        (_, _, got) => Err(format!("it ended otherwise: {got:?}")),
    }
}

/// Sends a call to an address, and returns the status and the body of what comes back.
fn send(base: &str, call: &Call) -> io::Result<(u16, Vec<u8>)> {
    let (method, _) = call.name.split_once(' ').unwrap_or_default();
    let rest = split(call).map_or("", |(_, rest)| rest);
    let (host, prefix) =
        base.trim_start_matches("http://").split_once('/').unwrap_or((base.trim_start_matches("http://"), ""));
    let path = if rest.starts_with('/') { rest.to_owned() } else { format!("/{rest}") };
    let target = if prefix.is_empty() { path } else { format!("/{}{path}", prefix.trim_end_matches('/')) };
    let mut head = format!("{method} {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
    if !call.body.is_empty() || method == "POST" {
        head += &format!("content-length: {}\r\n", call.body.len());
    }
    for (name, value) in call.headers.iter().filter(|(name, _)| !TRAVEL.contains(&name.as_str())) {
        head += &format!("{name}: {value}\r\n");
    }
    let mut bytes: Vec<u8> = (head + "\r\n").chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect();
    bytes.extend(&call.body);
    let mut stream = TcpStream::connect(host)?;
    stream.write_all(&bytes)?;
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply)?;
    parts(&reply).ok_or_else(|| io::Error::other(format!("no reply: {}", String::from_utf8_lossy(&reply))))
}

fn parts(reply: &[u8]) -> Option<(u16, Vec<u8>)> {
    let end = reply.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&reply[..end]).to_ascii_lowercase();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let body = &reply[end + 4..];
    let is_chunked = head.lines().any(|line| line == "transfer-encoding: chunked");
    Some((status, if is_chunked { joined(body)? } else { body.to_vec() }))
}

/// Joins the chunks of a transfer (RFC 9112, section 7.1).
fn joined(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = rest.windows(2).position(|window| window == b"\r\n")?;
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..end]).ok()?, 16).ok()?;
        if size == 0 {
            return Some(body);
        }
        body.extend(rest.get(end + 2..end + 2 + size)?);
        rest = rest.get(end + 2 + size + 2..)?;
    }
}

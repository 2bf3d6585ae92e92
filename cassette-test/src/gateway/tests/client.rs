//! A client of HTTP/1.1 that sees what is on the wire.

use std::io::{self, Read, Write};
use std::net::TcpStream;

use super::PATIENCE;

/// A connection to a gateway.
pub(super) struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
    /// What came after the last body that was chunked, a line each.
    pub(super) trailers: Vec<String>,
}

/// The head of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) status: u16,
    /// Lower case, values as ISO 8859-1.
    pub(super) headers: Vec<(String, String)>,
}

/// A whole reply, as it was framed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) head: Head,
    /// The chunks of a chunked body; else the body, if there is one.
    pub(super) frames: Vec<Vec<u8>>,
    pub(super) end: End,
}

/// How a body ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Complete,
    Broken,
}

impl Head {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl Seen {
    pub(super) fn text(&self) -> String {
        String::from_utf8(self.frames.concat()).unwrap()
    }
}

impl Client {
    /// Connects to `http://host:port/..`.
    pub(super) fn connect(url: &str) -> Client {
        let stream = TcpStream::connect(authority(url)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Client { stream, buffer: Vec::new(), trailers: Vec::new() }
    }

    pub(super) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        // A gateway that has answered already may have closed; what it answered is what counts.
        let _ = self.stream.write_all(bytes.as_ref());
    }

    pub(super) fn ask(&mut self, request: impl AsRef<[u8]>) -> io::Result<Seen> {
        let request = request.as_ref();
        self.send(request);
        self.reply(request.starts_with(b"HEAD "))
    }

    pub(super) fn reply(&mut self, to_head: bool) -> io::Result<Seen> {
        let head = self.head()?;
        let mut frames = Vec::new();
        let chunked = head.header("transfer-encoding") == Some("chunked");
        let length = head.header("content-length").map(|length| length.parse::<usize>().unwrap());
        let bodiless = to_head || matches!(head.status, 204 | 304);
        let end = if bodiless {
            End::Complete
        } else if chunked {
            loop {
                match self.frame() {
                    Ok(frame) if frame.is_empty() => break End::Complete,
                    Ok(frame) => frames.push(frame),
                    Err(_) => break End::Broken,
                }
            }
        } else {
            match self.exactly(length.expect("a body is framed")) {
                Ok(body) if body.is_empty() => End::Complete,
                Ok(body) => {
                    frames.push(body);
                    End::Complete
                }
                Err(_) => {
                    frames.push(std::mem::take(&mut self.buffer));
                    End::Broken
                }
            }
        };
        Ok(Seen { head, frames, end })
    }

    pub(super) fn head(&mut self) -> io::Result<Head> {
        let head = self.through(b"\r\n\r\n")?;
        let head: String = head.iter().map(|byte| char::from(*byte)).collect();
        let mut lines = head.trim_end().split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines.map(|line| line.split_once(": ").unwrap_or((line.trim_end_matches(':'), "")));
        Ok(Head {
            status,
            headers: headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect(),
        })
    }

    /// Reads one chunk; the last is empty, and with it what comes after it is read.
    pub(super) fn frame(&mut self) -> io::Result<Vec<u8>> {
        let line = self.through(b"\r\n")?;
        let size = usize::from_str_radix(std::str::from_utf8(&line).unwrap().trim_end(), 16).unwrap();
        if size == 0 {
            self.trailers.clear();
            loop {
                let line = self.through(b"\r\n")?;
                match std::str::from_utf8(&line).unwrap().trim_end() {
                    "" => return Ok(Vec::new()),
                    line => self.trailers.push(line.to_owned()),
                }
            }
        }
        let mut frame = self.exactly(size + 2)?;
        frame.truncate(size);
        Ok(frame)
    }

    fn through(&mut self, end: &[u8]) -> io::Result<Vec<u8>> {
        loop {
            if let Some(at) = self.buffer.windows(end.len()).position(|window| window == end) {
                return Ok(self.buffer.drain(..at + end.len()).collect());
            }
            self.more()?;
        }
    }

    fn exactly(&mut self, size: usize) -> io::Result<Vec<u8>> {
        while self.buffer.len() < size {
            self.more()?;
        }
        Ok(self.buffer.drain(..size).collect())
    }

    fn more(&mut self) -> io::Result<()> {
        let mut piece = [0; 4096];
        match self.stream.read(&mut piece)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            n => {
                self.buffer.extend_from_slice(&piece[..n]);
                Ok(())
            }
        }
    }
}

/// Returns the `host:port` of a URL.
pub(super) fn authority(url: &str) -> &str {
    url.strip_prefix("http://").unwrap().split('/').next().unwrap()
}

/// Returns a plain request to this URL.
pub(super) fn get(url: &str) -> String {
    let path = url.splitn(4, '/').nth(3).unwrap_or_default();
    format!("GET /{path} HTTP/1.1\r\nhost: {}\r\n\r\n", authority(url))
}

//! A server whose every write is written out in the test.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use super::PATIENCE;

/// A server on a thread of its own, with a thread for each connection.
pub(super) struct Upstream {
    /// `http://127.0.0.1:port`.
    pub(super) url: String,
    address: SocketAddr,
    stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// One connection at the server.
pub(super) struct Line {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// A request as the server got it.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// Head, with its last empty line, as ISO 8859-1.
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

impl Upstream {
    /// Starts a server that plays `script` on every connection.
    pub(super) fn start(script: impl Fn(&mut Line) + Send + Sync + 'static) -> Upstream {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let url = format!("http://{address}");
        let stopped = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&stopped);
        let script = Arc::new(script);
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                let script = Arc::clone(&script);
                std::thread::spawn(move || script(&mut Line::new(stream.unwrap())));
            }
        });
        Upstream { url, address, stopped, thread: Some(thread) }
    }

    /// Starts a server that answers every request with these bytes.
    pub(super) fn answering(answer: impl Into<Vec<u8>>) -> Upstream {
        let answer = answer.into();
        Upstream::start(move |line| {
            while line.request().is_some() {
                line.send(&answer);
            }
        })
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        self.thread.take().unwrap().join().unwrap();
    }
}

impl Line {
    fn new(stream: TcpStream) -> Line {
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Line { stream, buffer: Vec::new() }
    }

    /// Reads a request, its body by its length; `None` where the connection ended.
    pub(super) fn request(&mut self) -> Option<Request> {
        let end = loop {
            match self.buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                Some(at) => break at + 4,
                None => self.more()?,
            }
        };
        let head: String = self.buffer.drain(..end).map(char::from).collect();
        let length = head
            .to_ascii_lowercase()
            .split("content-length: ")
            .nth(1)
            .map_or(0, |rest| rest.split("\r\n").next().unwrap().parse::<usize>().unwrap());
        while self.buffer.len() < length {
            self.more()?;
        }
        Some(Request { head, body: self.buffer.drain(..length).collect() })
    }

    pub(super) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let _ = self.stream.write_all(bytes.as_ref());
    }

    /// Sends one chunk in one write.
    pub(super) fn chunk(&mut self, bytes: impl AsRef<[u8]>) {
        let bytes = bytes.as_ref();
        let mut frame = format!("{:x}\r\n", bytes.len()).into_bytes();
        frame.extend_from_slice(bytes);
        frame.extend_from_slice(b"\r\n");
        self.send(frame);
    }

    /// Ends the connection while there is something unread, which resets it.
    pub(super) fn reset(&mut self) {
        let mut byte = [0];
        self.stream.peek(&mut byte).unwrap();
    }

    /// Waits until the other side is gone.
    pub(super) fn wait_for_end(&mut self) {
        while self.more().is_some() {}
    }

    fn more(&mut self) -> Option<()> {
        let mut piece = [0; 4096];
        match self.stream.read(&mut piece) {
            Ok(0) | Err(_) => None,
            Ok(n) => {
                self.buffer.extend_from_slice(&piece[..n]);
                Some(())
            }
        }
    }
}

/// Returns a reply of this type and body, its length announced.
pub(super) fn whole(content_type: &str, body: &[u8]) -> Vec<u8> {
    let mut reply =
        format!("HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ncontent-length: {}\r\n\r\n", body.len())
            .into_bytes();
    reply.extend_from_slice(body);
    reply
}

/// Returns the head of a chunked reply of this type.
pub(super) fn chunked(content_type: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ntransfer-encoding: chunked\r\n\r\n")
}

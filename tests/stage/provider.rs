//! A provider on loopback that answers as it is told, byte for byte.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long a provider waits for the rest of a request.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a provider was asked.
#[derive(Clone, Debug)]
pub struct Request {
    /// `POST`.
    pub method: String,
    /// Path and query as they came.
    pub target: String,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// Returns the first value of this header, or an empty text.
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// Returns the body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// What a provider answers.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A reply with a length: status, headers and body.
    Whole(u16, Vec<(String, String)>, Vec<u8>),
    /// A reply in these chunks, each sent once the one before has had time to arrive alone.
    Chunks(u16, Vec<(String, String)>, Vec<Vec<u8>>),
    /// These chunks, and then the connection breaks.
    Broken(Vec<(String, String)>, Vec<Vec<u8>>),
    /// These chunks, and then nothing until the other side is gone.
    Endless(Vec<(String, String)>, Vec<Vec<u8>>),
    /// No reply: the connection is closed.
    Nothing,
}

impl Answer {
    /// Returns a JSON reply.
    pub fn json(status: u16, body: &str) -> Answer {
        Answer::Whole(status, headers("application/json"), body.as_bytes().to_vec())
    }

    /// Returns a stream of server-sent events, each in a chunk of its own.
    pub fn events(events: &[&str]) -> Answer {
        Answer::Chunks(
            200,
            headers("text/event-stream"),
            events.iter().map(|event| event.as_bytes().to_vec()).collect(),
        )
    }

    /// Returns a reply of this type.
    pub fn bytes(content_type: &str, body: &[u8]) -> Answer {
        Answer::Whole(200, headers(content_type), body.to_vec())
    }

    /// Returns this answer with one more header.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Answer {
        match &mut self {
            Answer::Whole(_, headers, _)
            | Answer::Chunks(_, headers, _)
            | Answer::Broken(headers, _)
            | Answer::Endless(headers, _) => headers.push((name.to_owned(), value.to_owned())),
            Answer::Nothing => {}
        }
        self
    }
}

fn headers(content_type: &str) -> Vec<(String, String)> {
    vec![("content-type".to_owned(), content_type.to_owned())]
}

/// A provider on a port of its own. It is gone, port and all, once it is dropped.
#[derive(Debug)]
pub struct Provider {
    address: SocketAddr,
    stopped: Arc<AtomicBool>,
    asked: Arc<AtomicUsize>,
    open: Arc<Mutex<Vec<TcpStream>>>,
    thread: Option<JoinHandle<()>>,
}

impl Provider {
    /// Starts a provider.
    ///
    /// # Errors
    ///
    /// Fails where no port is free.
    pub fn start(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> io::Result<Provider> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let stopped = Arc::new(AtomicBool::new(false));
        let asked = Arc::new(AtomicUsize::new(0));
        let open: Arc<Mutex<Vec<TcpStream>>> = Arc::default();
        let (stop, count, kept, answer) = (stopped.clone(), asked.clone(), open.clone(), Arc::new(answer));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                kept.lock().unwrap_or_else(PoisonError::into_inner).extend(stream.try_clone());
                let (count, answer) = (count.clone(), answer.clone());
                std::thread::spawn(move || serve(stream, &count, &*answer));
            }
        });
        Ok(Provider { address, stopped, asked, open, thread: Some(thread) })
    }

    /// Returns `http://127.0.0.1:port`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns how many requests have come.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::SeqCst);
        // The listener wakes for this connection and finds that it is to stop.
        let woken = TcpStream::connect(self.address);
        if let (Ok(_), Some(thread)) = (woken, self.thread.take()) {
            let _ = thread.join();
        }
        for stream in self.open.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn serve(stream: TcpStream, count: &AtomicUsize, answer: &dyn Fn(&Request) -> Answer) {
    let _ = stream.set_nodelay(true);
    let _ = stream.set_read_timeout(Some(PATIENCE));
    let mut line = Line { stream, buffer: Vec::new() };
    while let Ok(request) = line.request() {
        count.fetch_add(1, Ordering::SeqCst);
        let is_head = request.method == "HEAD";
        match line.answer(answer(&request), is_head) {
            Ok(true) => {}
            Ok(false) | Err(_) => return,
        }
    }
}

struct Line {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Drop for Line {
    /// Another handle to the socket lives on in the provider, and an answer that panics is to break the connection too.
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

impl Line {
    fn request(&mut self) -> io::Result<Request> {
        let end = loop {
            match self.buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                Some(at) => break at + 4,
                None => self.more()?,
            }
        };
        let head: String = self.buffer.drain(..end).map(char::from).collect();
        let mut lines = head.lines();
        let mut first = lines.next().unwrap_or_default().split(' ').map(str::to_owned);
        let (method, target) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
        let pair =
            |line: &str| line.split_once(": ").map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()));
        let headers = lines.filter_map(pair).collect();
        let mut request = Request { method, target, headers, body: Vec::new() };
        request.body = if request.header("transfer-encoding") == "chunked" {
            self.chunked()?
        } else {
            self.exactly(request.header("content-length").parse().unwrap_or(0))?
        };
        Ok(request)
    }

    fn exactly(&mut self, length: usize) -> io::Result<Vec<u8>> {
        while self.buffer.len() < length {
            self.more()?;
        }
        Ok(self.buffer.drain(..length).collect())
    }

    fn chunked(&mut self) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let end = loop {
                match self.buffer.windows(2).position(|window| window == b"\r\n") {
                    Some(at) => break at,
                    None => self.more()?,
                }
            };
            let size: String = self.exactly(end + 2)?.into_iter().map(char::from).collect();
            let size = usize::from_str_radix(size.trim(), 16).map_err(io::Error::other)?;
            body.extend(self.exactly(size)?);
            self.exactly(2)?;
            if size == 0 {
                return Ok(body);
            }
        }
    }

    /// Sends an answer and returns whether the connection stays open.
    fn answer(&mut self, answer: Answer, is_head: bool) -> io::Result<bool> {
        match answer {
            Answer::Whole(status, headers, body) => {
                let mut reply = head(status, &headers, &format!("content-length: {}", body.len()));
                if !is_head {
                    reply.extend(body);
                }
                self.stream.write_all(&reply)?;
                Ok(true)
            }
            Answer::Chunks(status, headers, chunks) => {
                self.chunks(status, &headers, &chunks)?;
                self.stream.write_all(b"0\r\n\r\n")?;
                Ok(true)
            }
            Answer::Broken(headers, chunks) => {
                self.chunks(200, &headers, &chunks)?;
                Ok(false)
            }
            Answer::Endless(headers, chunks) => {
                self.chunks(200, &headers, &chunks)?;
                while self.more().is_ok() {}
                Ok(false)
            }
            Answer::Nothing => Ok(false),
        }
    }

    fn chunks(&mut self, status: u16, headers: &[(String, String)], chunks: &[Vec<u8>]) -> io::Result<()> {
        self.stream.write_all(&head(status, headers, "transfer-encoding: chunked"))?;
        for chunk in chunks {
            let mut frame = format!("{:x}\r\n", chunk.len()).into_bytes();
            frame.extend(chunk);
            frame.extend(b"\r\n");
            self.stream.write_all(&frame)?;
            // A real stream leaves time between its events; without any, two may arrive as one.
            std::thread::sleep(Duration::from_millis(3));
        }
        Ok(())
    }

    fn more(&mut self) -> io::Result<()> {
        let mut piece = [0; 8192];
        let read = self.stream.read(&mut piece)?;
        self.buffer.extend_from_slice(&piece[..read]);
        if read == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }
}

fn head(status: u16, headers: &[(String, String)], framing: &str) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} Answer\r\n{framing}\r\n");
    headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
    head.push_str("\r\n");
    head.into_bytes()
}

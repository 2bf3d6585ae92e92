//! Where the shims of a session call.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use cassette_core::mcp::{Connection, Say};
use cassette_core::reply::{TransportClass, TransportError};
use cassette_core::session::Session;

use super::connections::{Connections, Line};
use crate::guard::{exempt, spawn_exempt};

/// Where the shims of a session call: an address on 127.0.0.1, and a thread for each of them.
#[derive(Debug)]
pub(crate) struct Host {
    address: SocketAddr,
    common: Arc<Common>,
    accepting: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Common {
    connections: Arc<Connections>,
    calls: Mutex<Vec<(TcpStream, JoinHandle<()>)>>,
    stopped: AtomicBool,
}

impl Host {
    /// Starts one.
    ///
    /// # Errors
    ///
    /// Fails where there is no socket or no thread to be had.
    pub(crate) fn start(session: &Arc<Session>, connections: &Arc<Connections>) -> io::Result<Host> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let common = Arc::new(Common {
            connections: Arc::clone(connections),
            calls: Mutex::default(),
            stopped: AtomicBool::new(false),
        });
        let (accepting, session) = (Arc::clone(&common), Arc::downgrade(session));
        let thread = spawn_exempt("cassette-mcp", move || {
            for stream in listener.incoming() {
                let (Ok(stream), Some(session)) = (stream, session.upgrade()) else { continue };
                if accepting.stopped.load(Ordering::SeqCst) {
                    return;
                }
                // A shim that cannot be heard is hung up on, and its client misses its server.
                let _ = accepting.take(stream, session);
            }
        })?;
        Ok(Host { address, common, accepting: Mutex::new(Some(thread)) })
    }

    /// Returns the address.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Hangs up on everybody, and waits for the threads to end.
    pub(crate) fn stop(&self) {
        self.common.stopped.store(true, Ordering::SeqCst);
        let accepting = self.accepting.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(accepting) = accepting {
            // It waits for a call; where none comes through, it has ended already.
            let _ = exempt(|| TcpStream::connect(self.address));
            let _ = accepting.join();
        }
        let calls = std::mem::take(&mut *self.common.calls.lock().unwrap_or_else(PoisonError::into_inner));
        for (stream, thread) in calls {
            let _ = stream.shutdown(Shutdown::Both);
            let _ = thread.join();
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Common {
    fn take(self: &Arc<Self>, stream: TcpStream, session: Arc<Session>) -> io::Result<()> {
        let kept = stream.try_clone()?;
        let common = Arc::clone(self);
        let thread = spawn_exempt("cassette-mcp", move || {
            let _ = serve(&common.connections, &session, &stream);
            let _ = stream.shutdown(Shutdown::Both);
        })?;
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).push((kept, thread));
        Ok(())
    }
}

/// Serves one shim, until either side hangs up.
fn serve(connections: &Connections, session: &Arc<Session>, stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut lines = BufReader::new(stream).lines();
    let connection = match lines.next().transpose()?.as_deref().and_then(|line| line.strip_prefix('h')) {
        Some("") => Connection::new(),
        Some(server) => Connection::to(server),
        None => return Ok(()),
    };
    let line = connections.open(session, connection);
    let heard = hear(&line, lines, stream);
    line.connection().close();
    heard
}

fn hear(line: &Line, lines: impl Iterator<Item = io::Result<String>>, mut stream: &TcpStream) -> io::Result<()> {
    let mut ended = false;
    for heard in lines {
        let heard = heard?;
        let said = match heard.split_at_checked(1) {
            Some(("c", text)) => line.hear_client(text).unwrap_or_default(),
            Some(("s", text)) => line.connection().from_server(text),
            Some(("x", why)) => {
                if ended {
                    return Ok(());
                }
                let message = format!("the MCP server is gone: {why}");
                line.connection().server_gone(&TransportError { class: TransportClass::Closed, message })
            }
            Some(("e", _)) => {
                ended = true;
                stream.write_all(b"e\n")?;
                continue;
            }
            _ => return Err(io::Error::other("the shim speaks another language")),
        };
        for say in said {
            let told = match say {
                Say::Client(text) => format!("c{text}\n"),
                Say::Server(text) => format!("s{text}\n"),
                Say::HangUp => "x\n".to_owned(),
            };
            stream.write_all(told.as_bytes())?;
        }
    }
    Ok(())
}

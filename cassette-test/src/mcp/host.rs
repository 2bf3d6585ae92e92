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
    /// Whether any shim has said who it is.
    called: AtomicBool,
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
            called: AtomicBool::new(false),
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

    /// Returns whether any shim has called.
    pub(crate) fn was_called(&self) -> bool {
        self.common.called.load(Ordering::SeqCst)
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
            let _ = serve(&common, &session, &stream);
            let _ = stream.shutdown(Shutdown::Both);
        })?;
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).push((kept, thread));
        Ok(())
    }
}

/// Serves one shim, until either side hangs up.
fn serve(common: &Common, session: &Arc<Session>, stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut lines = BufReader::new(stream).lines();
    let connection = match lines.next().transpose()?.as_deref().and_then(|line| line.strip_prefix('h')) {
        Some("") => Connection::new(),
        Some(server) => Connection::to(server),
        None => return Ok(()),
    };
    common.called.store(true, Ordering::SeqCst);
    let line = common.connections.open(session, connection);
    let heard = hear(&line, lines, stream);
    line.connection().close();
    heard
}

fn hear(line: &Line, lines: impl Iterator<Item = io::Result<String>>, stream: &TcpStream) -> io::Result<()> {
    let shim = Teller(Arc::new(Mutex::new(stream.try_clone()?)));
    let mut ended = false;
    for heard in lines {
        let heard = heard?;
        let said = match heard.split_at_checked(1) {
            Some(("c", text)) => line.hear_client(text).unwrap_or_default(),
            Some(("s", text)) => line.hear_server(text),
            Some(("u", said)) => {
                let (whose, text) = said.split_once(' ').unwrap_or((said, ""));
                line.refuse_bytes(whose, text);
                continue;
            }
            Some(("x", why)) => {
                if ended {
                    return Ok(());
                }
                let message = format!("the MCP server is gone: {why}");
                line.connection().server_gone(&TransportError { class: TransportClass::Closed, message })
            }
            Some(("e", _)) => {
                ended = true;
                shim.write("e\n")?;
                continue;
            }
            _ => return Err(io::Error::other("the shim speaks another language")),
        };
        shim.tell(said)?;
        line.attend(&{
            let shim = shim.clone();
            move |said| drop(shim.tell(said))
        });
    }
    Ok(())
}

/// The way to a shim: whoever watches a client writes on it too.
#[derive(Clone, Debug)]
struct Teller(Arc<Mutex<TcpStream>>);

impl Teller {
    fn tell(&self, said: Vec<Say>) -> io::Result<()> {
        for say in said {
            self.write(&match say {
                Say::Client(text) => format!("c{text}\n"),
                Say::Server(text) => format!("s{text}\n"),
                Say::HangUp => "x\n".to_owned(),
            })?;
        }
        Ok(())
    }

    fn write(&self, line: &str) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::net::TcpStream;
    use std::sync::Arc;
    use std::time::Duration;

    use cassette_core::mode::Mode;
    use cassette_core::rerun::{Rerun, Target};
    use cassette_core::session::{BodyEnd, Plan, Session};
    use cassette_core::store::{MemoryStore, Store};

    use super::super::connections::Connections;
    use super::Host;

    const SLOW: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}"#;
    const OTHER: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"other"}}"#;

    /// A shim, as its test sees it.
    struct Shim(BufReader<TcpStream>);

    impl Shim {
        fn call(host: &Host) -> Shim {
            let mut shim = Shim(BufReader::new(TcpStream::connect(host.address()).unwrap()));
            shim.says("h");
            shim
        }

        fn says(&mut self, line: &str) {
            self.0.get_mut().write_all(format!("{line}\n").as_bytes()).unwrap();
        }

        fn hears(&mut self) -> String {
            let mut line = String::new();
            self.0.read_line(&mut line).unwrap();
            line.trim_end().to_owned()
        }
    }

    fn open(store: &MemoryStore, mode: Mode, hold: Duration) -> (Arc<Session>, Host) {
        let (package, test) = ("timetable".to_owned(), "ask".to_owned());
        let rerun = Rerun { package, target: Target::Lib, test, ignored: false };
        let store = Arc::new(store.clone()) as Arc<dyn Store>;
        let session = Arc::new(Session::open(Plan::new("trains", store, mode, "timetable::ask", rerun)).unwrap());
        let host = Host::start(&session, &Arc::new(Connections::holding(hold))).unwrap();
        (session, host)
    }

    fn ended(session: &Session, host: &Host) -> Vec<String> {
        host.stop();
        session.finish(BodyEnd::Passed).reports.iter().map(ToString::to_string).collect()
    }

    /// Records a request that is given up, and another.
    fn given_up(store: &MemoryStore) {
        let (session, host) = open(store, Mode::Record, Duration::MAX);
        let mut shim = Shim::call(&host);
        for said in [SLOW, OTHER] {
            shim.says(&format!("c{said}"));
            assert_eq!(shim.hears(), format!("s{said}"));
        }
        shim.says(r#"s{"jsonrpc":"2.0","id":2,"result":{}}"#);
        assert_eq!(shim.hears(), r#"c{"jsonrpc":"2.0","id":2,"result":{}}"#);
        drop(shim);
        assert_eq!(ended(&session, &host), [""; 0]);
    }

    #[test]
    fn who_waits_for_what_was_given_up_is_told_and_fails_the_test() {
        let store = MemoryStore::default();
        given_up(&store);
        let (session, host) = open(&store, Mode::Replay, Duration::from_millis(5));
        let mut shim = Shim::call(&host);
        shim.says(&format!("c{SLOW}"));
        let told = shim.hears();
        assert!(told.starts_with(r#"c{"jsonrpc":"2.0","id":1,"error":"#), "{told}");
        assert!(told.contains("was recorded up to event 0, where the program stopped reading; now it waits for more"));
        assert_eq!(
            ended(&session, &host),
            [
                "cassette truncated: interaction 2 of `trains`, tool tools/call slow, was recorded up to event 0, where the program \
              stopped reading; now it waits for more\n  asked: {\"name\": \"slow\"}\nhelp: to record all of it, \
              CASSETTE_MODE=refresh cargo test -p timetable --lib ask -- --exact"
            ]
        );
    }

    #[test]
    fn a_line_that_is_no_text_fails_the_test() {
        let store = MemoryStore::default();
        let (session, host) = open(&store, Mode::Record, Duration::MAX);
        let mut shim = Shim::call(&host);
        shim.says(&format!("c{OTHER}"));
        assert_eq!(shim.hears(), format!("s{OTHER}"));
        shim.says(r#"s{"jsonrpc":"2.0","id":2,"result":{}}"#);
        shim.hears();
        shim.says("uclient {\u{fffd}}");
        shim.says("e");
        assert_eq!(shim.hears(), "e");
        let told = ended(&session, &host);
        assert_eq!(
            told[0],
            "cassette wiring: an MCP client sent a line that is no UTF-8, and cannot be recorded: {\u{fffd}}\n\
             help: let it send one message of JSON-RPC 2.0 a line, in UTF-8"
        );
        assert_eq!(store.load("trains").unwrap(), None);
    }

    #[test]
    fn two_shims_of_one_name_at_once_are_told_and_one_after_the_other_are_not() {
        let greeting = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let greet = |shim: &mut Shim| {
            shim.says(&format!("c{greeting}"));
            assert_eq!(shim.hears(), format!("s{greeting}"));
        };
        let store = MemoryStore::default();
        let (session, host) = open(&store, Mode::Record, Duration::MAX);
        let mut first = Shim::call(&host);
        greet(&mut first);
        greet(&mut first);
        drop(first);
        greet(&mut Shim::call(&host));
        assert_eq!(ended(&session, &host), [""; 0]);

        let store = MemoryStore::default();
        let (session, host) = open(&store, Mode::Record, Duration::MAX);
        let (mut first, mut second) = (Shim::call(&host), Shim::call(&host));
        greet(&mut first);
        greet(&mut second);
        first.says(&format!("c{OTHER}"));
        assert!(first.hears().starts_with(r#"c{"jsonrpc":"2.0","id":2,"error":"#));
        assert_eq!(
            ended(&session, &host)[0],
            "cassette wiring: two MCP servers without a name are spoken to at the same time, and nothing in a recording tells \
             them apart\n\
             help: give each a name of its own: `cassette.mcp(..).named(\"..\")`, for the shim `--name`"
        );
        assert_eq!(store.load("trains").unwrap(), None);
    }

    #[test]
    fn who_gives_up_again_is_not_waited_for() {
        let store = MemoryStore::default();
        given_up(&store);
        let (session, host) = open(&store, Mode::Replay, Duration::from_secs(600));
        let mut shim = Shim::call(&host);
        shim.says(&format!("c{SLOW}"));
        shim.says(&format!("c{OTHER}"));
        assert_eq!(shim.hears(), r#"c{"jsonrpc":"2.0","id":2,"result":{}}"#);
        assert_eq!(ended(&session, &host), [""; 0]);
    }
}

//! The shim: what a client starts in place of its MCP server.
//!
//! It hands on what the client and the server say, a line each, to the test at the other end of a socket, and does what it is
//! told there; `cassette_test` documents the language. It starts the server when it is first told to.

use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{fmt, thread};

/// How long a server may take to end when its client has gone.
const PATIENCE: Duration = Duration::from_secs(2);

/// What is started, and for whom.
#[derive(Debug)]
pub struct Shim {
    /// Where the test is: `127.0.0.1:port`.
    pub session: String,
    /// What the server is called in the recording; empty where it is the only one.
    pub name: String,
    /// The server's program and its arguments.
    pub server: Vec<OsString>,
}

/// Why a shim did not stand in for its server.
#[derive(Debug)]
#[non_exhaustive]
pub enum ShimError {
    /// The test cannot be reached, or breaks off.
    Line(io::Error),
    /// The server was wanted, and cannot be started.
    Unstarted(io::Error),
}

impl fmt::Display for ShimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShimError::Line(error) | ShimError::Unstarted(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ShimError {}

impl From<io::Error> for ShimError {
    fn from(error: io::Error) -> ShimError {
        ShimError::Line(error)
    }
}

/// The line from a shim to its test.
#[derive(Debug)]
pub struct Line(TcpStream);

impl Line {
    /// Hangs up in the test's name.
    pub fn hang_up(&self) {
        // It may have been hung up by now.
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

/// A server that runs.
struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
}

/// Stands in for the server until the client goes, the test hangs up, or the server ends.
///
/// # Errors
///
/// Fails where the test cannot be reached, or breaks off, and where the server cannot be started: the test is told of that, unless the
/// client has gone by then.
pub fn run(shim: &Shim) -> Result<(), ShimError> {
    run_until(shim, drop)
}

/// Stands in for the server as [`run`] does, or until the line to the test that is given away here is hung up.
///
/// # Errors
///
/// Fails as [`run`] does.
pub fn run_until(shim: &Shim, give: impl FnOnce(Line)) -> Result<(), ShimError> {
    let test = TcpStream::connect(&shim.session)?;
    test.set_nodelay(true)?;
    give(Line(test.try_clone()?));
    let teller = Arc::new(Mutex::new(test.try_clone()?));
    tell(&teller, 'h', &shim.name)?;
    let asking = Arc::clone(&teller);
    // Not waited for: where the test hangs up, the client may still be silent.
    thread::spawn(move || {
        for line in io::stdin().lock().split(b'\n') {
            let Ok(line) = line else { break };
            if hand_on(&asking, ('c', "client"), line).is_err() {
                return;
            }
        }
        let _ = tell(&asking, 'e', "");
    });
    let mut server = None;
    let heard = obey(shim, &test, &teller, &mut server);
    let _ = test.shutdown(Shutdown::Both);
    match server {
        Some(Err(error)) => return Err(ShimError::Unstarted(error)),
        Some(Ok(server)) => end(server),
        None => {}
    }
    Ok(heard?)
}

/// The server, once it was wanted; or why it does not run.
type Wanted = Option<io::Result<Server>>;

/// Does what the test says until it hangs up.
fn obey(shim: &Shim, test: &TcpStream, teller: &Arc<Mutex<TcpStream>>, server: &mut Wanted) -> io::Result<()> {
    for line in BufReader::new(test).lines() {
        let line = line?;
        match line.split_at_checked(1) {
            Some(("c", text)) => {
                let mut stdout = io::stdout().lock();
                writeln!(stdout, "{text}")?;
                stdout.flush()?;
            }
            Some(("s", text)) => {
                if !matches!(server, Some(Ok(_))) {
                    let started = start(shim, teller);
                    let told = started.as_ref().err().map(|error| format!("it was not started: {error}"));
                    *server = Some(started);
                    told.map_or(Ok(()), |told| tell(teller, 'x', &told))?;
                }
                let stdin = server.as_mut().and_then(|server| server.as_mut().ok()?.stdin.as_mut());
                // A server that is gone says so by closing its output.
                let _ = stdin.map(|stdin| writeln!(stdin, "{text}").and_then(|()| stdin.flush()));
            }
            Some(("e", _)) => match server {
                Some(Ok(server)) => drop(server.stdin.take()),
                _ => return Ok(()),
            },
            _ => return Ok(()),
        }
    }
    Ok(())
}

/// Starts the server; a thread hands on what it says.
fn start(shim: &Shim, teller: &Arc<Mutex<TcpStream>>) -> io::Result<Server> {
    let (program, arguments) = shim.server.split_first().ok_or_else(|| io::Error::other("no server is named"))?;
    let mut child = Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let teller = Arc::clone(teller);
    thread::spawn(move || {
        for line in stdout.into_iter().flat_map(|stdout| BufReader::new(stdout).split(b'\n')) {
            let Ok(line) = line else { break };
            if hand_on(&teller, ('s', "server"), line).is_err() {
                return;
            }
        }
        let _ = tell(&teller, 'x', "it closed its output");
    });
    Ok(Server { child, stdin })
}

/// Lets a server end that has no client any more.
fn end(mut server: Server) {
    drop(server.stdin.take());
    let start = Instant::now();
    while matches!(server.child.try_wait(), Ok(None)) && start.elapsed() < PATIENCE {
        thread::sleep(Duration::from_millis(5));
    }
    let _ = server.child.kill();
    let _ = server.child.wait();
}

/// Hands on a line, or that it is no text.
fn hand_on(test: &Mutex<TcpStream>, (what, whose): (char, &str), mut line: Vec<u8>) -> io::Result<()> {
    line.pop_if(|last| *last == b'\r');
    match String::from_utf8(line) {
        Ok(text) => tell(test, what, &text),
        Err(error) => {
            let text = String::from_utf8_lossy(error.as_bytes());
            tell(test, 'u', &format!("{whose} {}", text.replace('\n', " ")))
        }
    }
}

fn tell(test: &Mutex<TcpStream>, what: char, text: &str) -> io::Result<()> {
    test.lock().unwrap_or_else(PoisonError::into_inner).write_all(format!("{what}{text}\n").as_bytes())
}

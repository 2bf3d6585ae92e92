//! `cargo cassette mcp`: stands in for an MCP server, for a test that records it or for a cassette without one.

use std::ffi::OsString;
use std::sync::mpsc::channel;
use std::{fmt, io, thread};

use cargo_cassette::shelf::{self, Unreadable};
use cargo_cassette::shim::{self, Shim, ShimError};
use cargo_cassette::workspace::package_of;
use cassette_core::files;
use cassette_core::mode::{Mode, UnknownMode};
use cassette_core::session::BodyEnd;
use cassette_test::_cli_support::{self as session, Again, Serving};
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::serve::{End, Place, ServeError, Whose, for_interrupt, judge, meant, served};
use crate::output::{complain, printed, quoted, quoted_os, typed};

/// Stand in for an MCP server that is recorded, or replayed
///
/// A client starts this in place of its server. What the server is asked goes through a cassette: that of the test which started
/// the client, or one that is named here. The server itself is started when something goes live: in a replay, never. With
/// `--cassette` it is told at the client's end, on standard error, what was missed and what was left over; either makes the exit
/// code 1.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette mcp --cassette trains -- npx -y @modelcontextprotocol/server-everything\n  cargo cassette mcp --cassette trains --mode record -- npx -y @modelcontextprotocol/server-everything\n  cargo cassette mcp --session 127.0.0.1:40123 -- npx -y @modelcontextprotocol/server-everything\n\nExit codes: 0 done, 1 a call was missed or a recording is left over, 2 it could not be done as asked."
)]
pub(crate) struct Mcp {
    /// Where the test is, as `cassette.mcp_address()` tells it [default: CASSETTE_MCP]
    #[arg(long, value_name = "ADDRESS")]
    session: Option<String>,
    /// The cassette, by name or path, where no test records the server
    #[arg(long, value_name = "CASSETTE", conflicts_with = "session")]
    cassette: Option<String>,
    /// The mode of a cassette without a test: replay, record, refresh, off [default: CASSETTE_MODE, else replay]
    #[arg(long, value_name = "MODE", requires = "cassette")]
    mode: Option<String>,
    /// What the server is called in the recording: of several, each has to be told from the others
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    name: String,
    /// The server's program and its arguments
    #[arg(last = true, required = true, value_name = "SERVER")]
    server: Vec<OsString>,
}

/// What the head of a cassette without a test names as its test.
const OWN: &str = "cargo-cassette::mcp";

/// Why there was nothing to stand in for.
#[derive(Debug)]
pub(crate) enum McpError {
    /// No test and no cassette was named.
    Nowhere,
    /// The mode is none: what to type.
    Mode(UnknownMode, String),
    /// The test is not there, or broke off.
    Test(String, ShimError),
    /// The client cannot be heard, or not be answered.
    Client(ShimError),
    /// The server cannot be started: its program, and what to do.
    Unstarted(String, io::Error, String),
}

impl fmt::Display for McpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            McpError::Nowhere => f.write_str(
                "neither a test that records this server was named, nor a cassette\nhelp: start what `cassette.mcp_command(..)` \
                 returns, or set CASSETTE_MCP; without a test, name the cassette: cargo cassette mcp --cassette trains -- ..",
            ),
            McpError::Mode(unknown, again) => {
                write!(f, "`{}` names no mode\nhelp: it is replay, record, refresh or off: {again}", unknown.value)
            }
            McpError::Test(address, error) => {
                write!(f, "could not speak to the test at {address}: {error}\nhelp: see that the test still runs")
            }
            McpError::Client(error) => {
                write!(f, "could not speak to the client: {error}\nhelp: let it read what the server says until it ends")
            }
            McpError::Unstarted(program, error, help) => {
                write!(f, "the MCP server `{program}` was not started: {error}\nhelp: {help}")
            }
        }
    }
}

pub(crate) fn run(mcp: &Mcp, around: &Surroundings) -> Result<Found, Failure> {
    if let Some(cassette) = &mcp.cassette {
        return alone(mcp, cassette, around);
    }
    let session = mcp.session.clone().or_else(|| cassette_core::env::var("CASSETTE_MCP"));
    let session = session.filter(|session| !session.is_empty()).ok_or(Failure::Mcp(McpError::Nowhere))?;
    let shim = shim(mcp, session);
    let error = match shim::run(&shim) {
        Ok(()) => return Ok(Found::Nothing),
        Err(ShimError::Unstarted(error)) => {
            unstarted(mcp, error, "see that it can be started, and run the test again".to_owned())
        }
        Err(error) => McpError::Test(shim.session.clone(), error),
    };
    Err(Failure::Mcp(error))
}

fn unstarted(mcp: &Mcp, error: io::Error, help: String) -> McpError {
    let program = mcp.server.first().map(|program| printed(&program.to_string_lossy())).unwrap_or_default();
    McpError::Unstarted(program, error, help)
}

fn shim(mcp: &Mcp, session: String) -> Shim {
    Shim { session, name: mcp.name.clone(), server: mcp.server.clone() }
}

/// Stands in without a test: this process has the session too.
fn alone(mcp: &Mcp, cassette: &str, around: &Surroundings) -> Result<Found, Failure> {
    let unknown = |unknown: UnknownMode| {
        let again = around.again(&unknown.value, Some("replay"));
        Failure::Mcp(McpError::Mode(unknown, again))
    };
    let mode = mcp.mode.as_deref().map(Mode::parse).transpose().map_err(unknown)?;
    let record = format!("cargo cassette mcp --mode record {}", again(mcp, cassette, around));
    meant(&[cassette.to_owned()], mode, &record, around)?;
    let place = Place::of(cassette, around)?;
    let shown = place.shown.clone();
    // Over a test's cassette nothing but that test records, damaged or not.
    let opened = shelf::open(&place.file());
    if let (Err(error @ (Unreadable::Damaged(..) | Unreadable::Other)), true) = (&opened, mode != Some(Mode::Off)) {
        let text = files::read_text(&place.file()).unwrap_or_default();
        let whose = Whose::of(&text, OWN);
        if whose != Whose::Ours || *error == Unreadable::Other {
            let ours = |mode: Mode| format!("cargo cassette mcp --mode {mode} {}", again(mcp, cassette, around));
            return Err(place.unreadable(error.clone(), &text, &whose, ours).into());
        }
    }
    let is_anothers = opened.is_ok_and(|tape| tape.head.test.is_some_and(|test| test != OWN));
    let anew = if is_anothers { served(cassette) } else { cassette.to_owned() };
    let open = session::open(Serving {
        package: package_of(&place.dir).unwrap_or_else(|| place.dir.clone()),
        shown: place.directory(),
        name: place.name,
        directory: place.dir,
        mode,
        port: 0,
        instead: String::new(),
        again: Again::Mcp(again(mcp, &anew, around)),
    })
    .map_err(ServeError::Refused)?;
    let heard = match open.mcp_address() {
        Ok(address) => until_the_client_goes(&shim(mcp, address)),
        Err(report) => {
            // Nothing was asked yet, and nothing is to be said of that.
            open.end(BodyEnd::Failed);
            return Err(ServeError::Refused(report).into());
        }
    };
    let verdict = open.end(if heard.is_ok() { BodyEnd::Passed } else { BodyEnd::Failed });
    let found = judge(End::Interrupted, &[(shown, verdict)]);
    match heard {
        Ok(()) => Ok(found),
        // What was asked was answered by nobody: that is a finding, however the client took it.
        Err(ShimError::Unstarted(error)) => {
            let help = format!("see that it can be started, and record again: {record}");
            complain(&unstarted(mcp, error, help).to_string());
            Ok(Found::Something)
        }
        Err(error) => Err(Failure::Mcp(McpError::Client(error))),
    }
}

/// Hands on what is said until the client goes, or this is asked to end in its stead: what was recorded by then is kept.
fn until_the_client_goes(shim: &Shim) -> Result<(), ShimError> {
    shim::run_until(shim, |line| {
        let (ready, made_ready) = channel::<()>();
        // Not waited for: it ends with the process. Where nobody can be waited for, an interrupt ends the process as any.
        thread::spawn(move || {
            let told = || {
                drop(ready);
                Ok::<_, ServeError>(())
            };
            if for_interrupt(told).is_ok() {
                line.hang_up();
            }
        });
        let _ = made_ready.recv();
    })
}

/// Returns the words that stand in again, behind `--mode`.
fn again(mcp: &Mcp, cassette: &str, around: &Surroundings) -> String {
    let dir = around.standpoint.dir.as_deref().map(|dir| format!("--dir {}", quoted_os(dir.as_os_str())));
    let name = (!mcp.name.is_empty()).then(|| format!("--name {}", quoted(&mcp.name)));
    let server: Vec<_> = mcp.server.iter().map(|word| quoted_os(word)).collect();
    let words = [format!("--cassette {}", typed(cassette))]
        .into_iter()
        .chain(dir)
        .chain(name)
        .chain([format!("-- {}", server.join(" "))]);
    words.collect::<Vec<_>>().join(" ")
}

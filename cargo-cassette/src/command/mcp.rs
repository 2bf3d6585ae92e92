//! `cargo cassette mcp`: stands in for an MCP server that a test records.

use std::ffi::OsString;
use std::{fmt, io};

use cargo_cassette::shim::{self, Shim};
use clap::Args;

use super::Found;
use super::failure::Failure;

/// Stand in for an MCP server whose test records it, or replays it
///
/// A client starts this in place of its server. What the server is asked goes through the test's cassette, and the server
/// itself is started when something goes live: in a replay, never.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: cargo cassette mcp --session 127.0.0.1:40123 -- npx -y @modelcontextprotocol/server-everything"
)]
pub(crate) struct Mcp {
    /// Where the test is, as `cassette.mcp_address()` tells it [default: CASSETTE_MCP]
    #[arg(long, value_name = "ADDRESS")]
    session: Option<String>,
    /// What the server is called in the recording: of several, each has to be told from the others
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    name: String,
    /// The server's program and its arguments
    #[arg(last = true, required = true, value_name = "SERVER")]
    server: Vec<OsString>,
}

/// Why there was nothing to stand in for.
#[derive(Debug)]
pub(crate) enum McpError {
    /// No test was named.
    NoTest,
    /// The test is not there, or broke off.
    Test(String, io::Error),
}

impl fmt::Display for McpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            McpError::NoTest => f.write_str(
                "no test was named that records this server\nhelp: start what `cassette.mcp_command(..)` returns, or set CASSETTE_MCP",
            ),
            McpError::Test(address, error) => {
                write!(f, "could not speak to the test at {address}: {error}\nhelp: see that the test still runs")
            }
        }
    }
}

pub(super) fn run(mcp: &Mcp) -> Result<Found, Failure> {
    let session = mcp.session.clone().or_else(|| cassette_core::env::var("CASSETTE_MCP"));
    let session = session.filter(|session| !session.is_empty()).ok_or(Failure::Mcp(McpError::NoTest))?;
    let shim = Shim { session, name: mcp.name.clone(), server: mcp.server.clone() };
    shim::run(&shim).map_err(|error| Failure::Mcp(McpError::Test(shim.session.clone(), error)))?;
    Ok(Found::Nothing)
}

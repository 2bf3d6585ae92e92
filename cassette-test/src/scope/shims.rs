//! The programs that stand in for MCP servers.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use cassette_core::report::Report;

use super::Scope;
use crate::mcp::Host;

/// The program that stands in for them.
pub(crate) const SHIM: &str = "cargo-cassette";

impl Scope {
    /// Returns where programs call that stand in for MCP servers.
    pub(crate) fn shims(&self) -> Result<io::Result<SocketAddr>, Arc<Report>> {
        let session = self.session()?;
        Ok(self.shims.get_or_try_init(|| Host::start(session, &self.connections)).map(Host::address))
    }

    /// Returns whether a child process of this program stands in for an MCP server: in a replay it speaks to the test alone.
    pub(crate) fn is_a_shim(&self, program: &str) -> bool {
        self.shims.get().is_some() && Path::new(program).file_stem().is_some_and(|stem| stem == SHIM)
    }

    /// Returns whether any of them has called.
    pub(crate) fn was_called_by_a_shim(&self) -> bool {
        self.shims.get().is_some_and(Host::was_called)
    }
}

//! Where the shims of MCP servers call.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use cassette_core::report::Report;

use super::Scope;
use crate::mcp::Host;

impl Scope {
    /// Returns where programs call that stand in for MCP servers.
    pub(crate) fn shims(&self) -> Result<io::Result<SocketAddr>, Arc<Report>> {
        let session = self.session()?;
        Ok(self.shims.get_or_try_init(|| Host::start(session, &self.connections)).map(Host::address))
    }

    /// Returns where shims call, where a test has asked for that.
    pub(crate) fn asked_shims(&self) -> Option<&Host> {
        self.shims.get()
    }
}

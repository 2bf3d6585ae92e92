//! What a test gives to programs that start MCP servers: the shim, which takes a server's place.

use std::ffi::OsStr;
use std::process::Command;
use std::sync::Arc;

use cassette_core::report::{Report, Wiring};

use crate::cassette::Cassette;
use crate::scope::SHIM;

impl Cassette {
    /// Returns the command to start instead of this one, which starts an MCP server: what the server is asked on its standard
    /// input goes through the cassette. The server itself is started when something goes live: in a replay, never.
    ///
    /// ```no_run
    /// # let cassette = cassette_test::Cassette::current();
    /// use std::process::Command;
    ///
    /// let mut server = Command::new("npx");
    /// server.args(["-y", "@modelcontextprotocol/server-everything"]);
    /// let server = cassette.mcp_command(&server);
    /// // Whatever starts MCP servers takes its program, its arguments and its environment.
    /// # let _ = server;
    /// ```
    ///
    /// It is `cargo-cassette cassette mcp --session <ADDRESS> -- <SERVER>..`, so `cargo-cassette` has to be installed. Whoever starts it with other
    /// arguments finds the address by [`mcp_address`](Cassette::mcp_address).
    ///
    /// # Panics
    ///
    /// Panics where the test's name hangs on its arguments and the test has not begun, and where no socket can be had.
    #[track_caller]
    #[must_use]
    pub fn mcp_command(&self, server: &Command) -> Command {
        let mut command = Command::new(SHIM);
        command.args(["cassette", "mcp", "--session", &self.mcp_address(), "--"]);
        command.arg(server.get_program()).args(server.get_args());
        for (name, value) in server.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(dir) = server.get_current_dir() {
            command.current_dir::<&OsStr>(dir.as_ref());
        }
        command
    }

    /// Returns the address at which shims of this test call, `127.0.0.1:port`.
    ///
    /// It is given to one as `cargo cassette mcp --session ADDRESS -- SERVER..`, or in the variable `CASSETTE_MCP`.
    ///
    /// # Panics
    ///
    /// Panics where the test's name hangs on its arguments and the test has not begun, and where no socket can be had.
    #[track_caller]
    #[must_use]
    pub fn mcp_address(&self) -> String {
        match self.try_mcp_address() {
            Ok(address) => address,
            Err(report) => panic!("{report}"),
        }
    }

    /// Returns the address at which shims of this test call, as [`mcp_address`](Cassette::mcp_address) does.
    ///
    /// # Errors
    ///
    /// Fails where the test's name hangs on its arguments and the test has not begun, and where no socket can be had.
    pub fn try_mcp_address(&self) -> Result<String, Arc<Report>> {
        let address = self.as_scope().shims()?.map_err(|error| {
            let what = format!("the shims of MCP servers have no address: {error}");
            Arc::new(Report::Wiring(Wiring::new(what, "see that a socket on 127.0.0.1 can be bound")))
        })?;
        Ok(address.to_string())
    }
}

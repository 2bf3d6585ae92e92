//! MCP servers: connections within this process, and those of programs whose server is started through the shim.
//!
//! The shim is `cargo cassette mcp`. A client starts it instead of its server, and it tells the [`Host`] in the test's process
//! what either side says, a line each: `c` and a message of the client's, `s` and one of the server's, `x` where the server is
//! gone, `e` where the client is, `u` and `client` or `server` and a line of theirs that is no UTF-8, as far as it can be read; before all, `h` and the name of the server, if it has one. It does what it is told: `c` and a
//! message for the client, `s` and one for the server, which it starts for the first, `x` to hang up, and `e` once all that
//! the client said has been heard.

mod patience;

mod turns;

mod connections;

mod host;

pub(crate) use connections::Connections;
#[cfg(feature = "rmcp")]
pub(crate) use connections::Line;
pub(crate) use host::Host;

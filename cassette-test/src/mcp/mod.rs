//! MCP servers: connections within this process, and those of programs whose server is started through the shim.

mod connections;

pub(crate) use connections::{Connections, Line};

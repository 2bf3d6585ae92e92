//! How far somebody reads who reads a body for a client.

/// How far somebody reads who reads a body for a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reads {
    /// As far as the program asks: what is not asked for, it does not want.
    AsAsked,
    /// As far as the connection takes it, so that nothing tells what the program wants.
    Ahead,
}

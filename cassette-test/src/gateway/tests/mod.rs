//! Stories of the gateway over real sockets.

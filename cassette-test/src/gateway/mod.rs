//! The loopback gateway: a server on 127.0.0.1 that a client takes for its upstream.
//!
//! A test asks [`Gateways::base_url`] for the address that stands for an upstream and gives it to its client. Each upstream
//! has a listener of its own; all listeners of a session live in one thread with a runtime of its own, so that blocking
//! tests, runtimes that end early and child processes are served alike. A request becomes a call
//! ([`exchange`]), the session decides ([`Desk`](crate::wire::Desk)), and the answer is played back ([`replay`]) or fetched
//! while it is recorded ([`live`]). HTTP/1.1 ([`http1`]) and HTTP/2 ([`http2`]) share the port.
//!
//! The invariants: what a client sees does not depend on whether it was recorded or replayed, save for time; no request
//! is ever passed on that the session has not let through; and after [`Gateways::stop`] nothing is under way.

mod origin;
mod protocol;

mod listeners;
#[cfg(feature = "record")]
mod upstream;
#[cfg(not(feature = "record"))]
#[path = "upstream_none.rs"]
mod upstream;

mod headers;
mod commons;

mod abort;
mod parting;
mod response;

mod mcp;
mod refusal;
mod request;

#[cfg(feature = "record")]
mod trailing;
#[cfg(feature = "record")]
mod live;
#[cfg(not(feature = "record"))]
#[path = "live_refused.rs"]
mod live;
mod replay;

mod exchange;

mod watch;
#[cfg(feature = "http2")]
mod http2;
#[cfg(not(feature = "http2"))]
#[path = "http2_none.rs"]
mod http2;
mod http1;
mod connection;

mod base;
mod thread;

mod gateways;

#[cfg(test)]
mod tests;

#[cfg(feature = "_adapters")]
pub(crate) use base::spelled;
pub(crate) use base::{loopback, name};
pub(crate) use gateways::Gateways;

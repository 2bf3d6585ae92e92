//! The client that calls upstreams.
//!
//! [`Upstream`] sends a request and gives the reply or a [`Failure`]. [`connect`] finds the way to a server, through a proxy
//! where the environment names one, and [`tls`] says whom to trust. Nothing is read and nothing connected before the first call.

#[cfg(feature = "http2")]
mod http2;
#[cfg(not(feature = "http2"))]
#[path = "http2_none.rs"]
mod http2;

mod connect;
mod tls;

mod failure;

mod client;

pub(super) use client::Upstream;
pub(super) use failure::{Failure, unsent};

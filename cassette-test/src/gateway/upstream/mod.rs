//! The client that calls upstreams.
//!
//! [`Upstream`] sends a request and gives the reply or a [`Failure`]. [`connect`] finds the way to a server, through a proxy
//! where the environment names one, and [`tls`] says whom to trust. Nothing is read and nothing connected before the first call.

mod client;

mod connect;
mod tls;

mod failure;

pub(super) use client::Upstream;
pub(super) use failure::{Failure, unsent};

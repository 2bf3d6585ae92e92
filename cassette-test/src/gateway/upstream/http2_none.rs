//! A build without the feature `http2` calls upstreams by HTTP/1.1.

use std::error::Error;

use hyper_util::client::legacy::{Builder, Client};
use hyper_util::rt::TokioExecutor;

use crate::gateway::protocol::Protocol;

/// Returns what makes a client.
pub(super) fn builder(_: Protocol, _: Option<&str>) -> Builder {
    Client::builder(TokioExecutor::new())
}

/// Returns whether a call was reset, and its connection was not: here a call has its connection for itself.
pub(super) fn is_reset(_: &(dyn Error + 'static)) -> bool {
    false
}

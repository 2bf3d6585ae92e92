//! What HTTP/2 is to the client that calls upstreams.

use std::error::Error;

use hyper_util::client::legacy::{Builder, Client};
use hyper_util::rt::TokioExecutor;

use crate::gateway::protocol::Protocol;

/// The longest head of a reply, in bytes. With less, the codec would refuse what a client of its own might take.
const HEAD: u32 = 1 << 20;

/// Returns what makes a client: without TLS it speaks as it is told, with TLS as it is agreed.
pub(super) fn builder(protocol: Protocol, scheme: Option<&str>) -> Builder {
    let mut builder = Client::builder(TokioExecutor::new());
    builder.http2_max_header_list_size(HEAD);
    builder.http2_only(protocol == Protocol::Http2 && scheme != Some("https"));
    builder
}

/// Returns whether a call was reset, and its connection was not.
pub(super) fn is_reset(err: &(dyn Error + 'static)) -> bool {
    err.downcast_ref().is_some_and(h2::Error::is_reset)
}

//! The client that calls upstreams.

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use once_cell::sync::OnceCell;

use super::connect::Connector;
use super::failure::{Failure, classify};
use super::{http2, tls};
use crate::gateway::protocol::Protocol;

/// The client that calls upstreams, with the HTTP that its own client speaks: its frames are those of the wire.
///
/// It is made by the first call that goes live, so that a replay reads neither the environment nor a certificate, and TLS by
/// the first that needs it.
#[derive(Debug, Default)]
pub(in crate::gateway) struct Upstream {
    connector: OnceCell<Connector>,
    http1: Clients,
    http2: Clients,
}

/// The clients that speak one protocol, each with its connections.
#[derive(Debug, Default)]
struct Clients {
    plain: OnceCell<Client<Connector, Full<Bytes>>>,
    tls: OnceCell<Client<HttpsConnector<Connector>, Full<Bytes>>>,
}

impl Upstream {
    /// Returns the client, not made yet.
    pub(in crate::gateway) fn new() -> Upstream {
        Upstream::default()
    }

    /// Sends a request; the reply's body follows as it comes.
    ///
    /// # Errors
    ///
    /// Fails where there is no reply.
    pub(in crate::gateway) async fn send(
        &self,
        mut request: Request<Full<Bytes>>,
        protocol: Protocol,
    ) -> Result<Response<Incoming>, Failure> {
        let connector = self.connector.get_or_init(Connector::from_env).speaking(protocol);
        let clients = match protocol {
            Protocol::Http1 => &self.http1,
            Protocol::Http2 => &self.http2,
        };
        let builder = http2::builder(protocol, request.uri().scheme_str());
        let reply = if request.uri().scheme_str() == Some("https") {
            let client = clients.tls.get_or_try_init(|| {
                let config = tls::config(protocol).map_err(Failure::Refused)?;
                Ok(builder.build(HttpsConnector::from((connector, config))))
            })?;
            client.request(request)
        } else {
            if let Some(value) = connector.proxy_authorization(request.uri()) {
                request.headers_mut().insert("proxy-authorization", value);
            }
            clients.plain.get_or_init(|| builder.build(connector)).request(request)
        };
        reply.await.map_err(|err| Failure::Transport(classify(&err)))
    }
}

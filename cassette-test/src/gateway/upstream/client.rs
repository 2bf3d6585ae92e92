//! The client that calls upstreams.

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use once_cell::sync::OnceCell;

use super::connect::Connector;
use super::failure::{Failure, classify};
use super::tls;

/// The client that calls upstreams, with HTTP/1.1 only: its frames are those of the wire.
///
/// It is made by the first call that goes live, so that a replay reads neither the environment nor a certificate, and TLS by
/// the first that needs it.
#[derive(Debug, Default)]
pub(in crate::gateway) struct Upstream {
    connector: OnceCell<Connector>,
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
    ) -> Result<Response<Incoming>, Failure> {
        let connector = self.connector.get_or_init(Connector::from_env);
        let reply = if request.uri().scheme_str() == Some("https") {
            let client = self.tls.get_or_try_init(|| {
                Ok(client(HttpsConnector::from((connector.clone(), tls::config().map_err(Failure::Refused)?))))
            })?;
            client.request(request)
        } else {
            if let Some(value) = connector.proxy_authorization(request.uri()) {
                request.headers_mut().insert("proxy-authorization", value);
            }
            self.plain.get_or_init(|| client(connector.clone())).request(request)
        };
        reply.await.map_err(|err| Failure::Transport(classify(&err)))
    }
}

fn client<C>(connector: C) -> Client<C, Full<Bytes>>
where
    C: hyper_util::client::legacy::connect::Connect + Clone,
{
    Client::builder(TokioExecutor::new()).build(connector)
}

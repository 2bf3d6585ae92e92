//! A recorded failure as the client's own error.

use std::future::{Future, pending, ready};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use cassette_core::reply::{TransportClass, TransportError};
use tokio::net::TcpListener;

use super::super::reqwest::dns::{Name, Resolve, Resolving};
use super::super::reqwest::{self, Client, Url};
use super::super::reqwest_middleware::Error;
use crate::adapters::failed::Failed;
use crate::adapters::stream::BoxError;
use crate::guard::spawn_exempt;

/// Returns the error that the client gave for this failure.
///
/// There is no way to make one but to let a client fail: in its connector, or on a loopback connection that breaks. That
/// happens on a thread with a runtime of its own, which is waited for, so that a paused clock does not move meanwhile.
pub(super) fn rebuilt(error: TransportError, url: &Url) -> Error {
    let TransportError { class, message } = error.clone();
    let thread = spawn_exempt("cassette-failure", move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        runtime.block_on(fail(error.class, error.message))
    });
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(err))) => Error::Reqwest(err.with_url(url.clone())),
        _ => Error::middleware(Failed::recorded(TransportError { class, message })),
    }
}

async fn fail(class: TransportClass, message: String) -> io::Result<reqwest::Error> {
    let builder = Client::builder().no_proxy();
    let (builder, url) = match class {
        TransportClass::Connect => {
            (builder.connector_layer(Broken::With(io::ErrorKind::ConnectionRefused, message)), SOMEWHERE)
        }
        TransportClass::Tls => (builder.connector_layer(Broken::With(io::ErrorKind::InvalidData, message)), SOMEWHERE),
        TransportClass::Dns => (builder.dns_resolver(Arc::new(Unknown(message))), SOMEWHERE),
        TransportClass::Timeout => (builder.connector_layer(Broken::Never).timeout(Duration::from_nanos(1)), SOMEWHERE),
        TransportClass::Reset | TransportClass::Closed => {
            let address = breaking(class).await?;
            return failure(builder.build(), &format!("http://{address}/")).await;
        }
    };
    failure(builder.build(), url).await
}

/// A URL whose name nobody is asked for.
const SOMEWHERE: &str = "http://recorded.invalid/";

async fn failure(client: reqwest::Result<Client>, url: &str) -> io::Result<reqwest::Error> {
    match client.map_err(io::Error::other)?.get(url).send().await {
        Err(err) => Ok(err),
        Ok(_) => Err(io::Error::other("it did not fail")),
    }
}

/// Returns the address of a server that breaks its one connection as a failure of this class does.
async fn breaking(class: TransportClass) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        let Ok((stream, _)) = listener.accept().await else { return };
        // What is not read would turn a close into a reset.
        let _ = stream.readable().await;
        let _ = stream.try_read(&mut [0; 4096]);
        if class == TransportClass::Reset {
            let _ = stream.set_zero_linger();
        }
    });
    Ok(address)
}

/// A resolver that knows no name.
struct Unknown(String);

impl Resolve for Unknown {
    fn resolve(&self, _: Name) -> Resolving {
        Box::pin(ready(Err(self.0.clone().into())))
    }
}

/// A connector that makes no connection.
#[derive(Clone)]
enum Broken {
    /// It fails so.
    With(io::ErrorKind, String),
    /// It goes on trying.
    Never,
}

#[derive(Clone)]
struct BrokenConnector<S> {
    broken: Broken,
    /// Never called; it says what a connection is.
    connector: S,
}

impl<S> tower_layer::Layer<S> for Broken {
    type Service = BrokenConnector<S>;

    fn layer(&self, connector: S) -> BrokenConnector<S> {
        BrokenConnector { broken: self.clone(), connector }
    }
}

impl<S, R> tower_service::Service<R> for BrokenConnector<S>
where
    S: tower_service::Service<R, Error = BoxError>,
    S::Response: Send + 'static,
{
    type Response = S::Response;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.connector.poll_ready(cx)
    }

    fn call(&mut self, _: R) -> Self::Future {
        match &self.broken {
            Broken::With(kind, message) => Box::pin(ready(Err(io::Error::new(*kind, message.clone()).into()))),
            Broken::Never => Box::pin(pending()),
        }
    }
}

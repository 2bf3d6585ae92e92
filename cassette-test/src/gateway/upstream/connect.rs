//! The way to an upstream: straight, or through the proxy that the environment names.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::Uri;
use hyper::header::HeaderValue;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tower_service::Service;

use crate::gateway::protocol::Protocol;

type Failed = Box<dyn std::error::Error + Send + Sync>;

/// Connects to an upstream.
#[derive(Clone, Debug)]
pub(super) struct Connector {
    tcp: HttpConnector,
    proxies: Arc<Matcher>,
    protocol: Protocol,
}

/// A connection, and what its requests have to look like.
#[derive(Debug)]
pub(super) struct Line {
    stream: TokioIo<TcpStream>,
    asked: Asked,
}

/// Whom a request on a connection asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// The upstream, so that a path says all.
    Upstream,
    /// A proxy, which needs the whole URL.
    Proxy,
}

impl Connector {
    /// Returns a connector that honours `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, as they are now.
    pub(super) fn from_env() -> Connector {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        Connector { tcp, proxies: Arc::new(Matcher::from_env()), protocol: Protocol::Http1 }
    }

    /// Returns a connector whose connections are for this protocol.
    pub(super) fn speaking(&self, protocol: Protocol) -> Connector {
        Connector { protocol, ..self.clone() }
    }

    /// Returns the authorization that a request to this URL owes the proxy which forwards it.
    pub(super) fn proxy_authorization(&self, url: &Uri) -> Option<HeaderValue> {
        let proxy = self.proxies.intercept(url).filter(|_| forwards(url, self.protocol))?;
        proxy.basic_auth().cloned()
    }
}

impl Service<Uri> for Connector {
    type Response = Line;
    type Error = Failed;
    type Future = Pin<Box<dyn Future<Output = Result<Line, Failed>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Failed>> {
        self.tcp.poll_ready(cx).map_err(Failed::from)
    }

    fn call(&mut self, url: Uri) -> Self::Future {
        let proxy = self.proxies.intercept(&url);
        let tcp = self.tcp.clone();
        Box::pin(connect(tcp, (url, self.protocol), proxy))
    }
}

/// Returns whether a proxy is asked for this URL itself, and not for a way to its server: nobody knows whether it speaks HTTP/2.
fn forwards(url: &Uri, protocol: Protocol) -> bool {
    url.scheme_str() == Some("http") && protocol == Protocol::Http1
}

async fn connect(
    mut tcp: HttpConnector,
    (url, protocol): (Uri, Protocol),
    proxy: Option<Intercept>,
) -> Result<Line, Failed> {
    let Some(proxy) = proxy else {
        return Ok(Line { stream: tcp.call(url).await?, asked: Asked::Upstream });
    };
    if proxy.uri().scheme_str() != Some("http") {
        let scheme = proxy.uri().scheme_str().unwrap_or_default();
        return Err(
            format!("a proxy reached by `{scheme}` is not supported; the environment may name an `http` one").into()
        );
    }
    if forwards(&url, protocol) {
        return Ok(Line { stream: tcp.call(proxy.uri().clone()).await?, asked: Asked::Proxy });
    }
    let mut tunnel = Tunnel::new(proxy.uri().clone(), tcp);
    if let Some(auth) = proxy.basic_auth() {
        tunnel = tunnel.with_auth(auth.clone());
    }
    Ok(Line { stream: tunnel.call(with_port(url)?).await?, asked: Asked::Upstream })
}

/// Returns a URL with its port: a tunnel takes the one of `https` where none is named.
fn with_port(url: Uri) -> Result<Uri, Failed> {
    let (Some("http"), None, Some(host)) = (url.scheme_str(), url.port(), url.host()) else { return Ok(url) };
    Ok(Uri::builder().scheme("http").authority(format!("{host}:80")).path_and_query("/").build()?)
}

impl Connection for Line {
    fn connected(&self) -> Connected {
        self.stream.connected().proxy(self.asked == Asked::Proxy)
    }
}

impl Read for Line {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl Write for Line {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }
}

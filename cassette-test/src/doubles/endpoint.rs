//! A server on loopback that answers what a double says.

use std::convert::Infallible;
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::sync::oneshot;

use crate::ambient;
use crate::guard::spawn_exempt;

/// What came in.
pub(super) struct Came {
    /// `POST /v1/chat/completions`.
    pub(super) line: String,
    pub(super) body: Vec<u8>,
}

/// What goes out.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) content_type: &'static str,
    pub(super) body: String,
}

/// What a double makes of a request.
pub(super) type Answering = Arc<dyn Fn(Came) -> Answer + Send + Sync>;

/// A server in a thread of its own, until it is dropped.
pub(super) struct Endpoint {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Endpoint {
    /// Starts it; the cassette that is current here is so there.
    pub(super) fn start(answering: Answering) -> io::Result<Endpoint> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let (stop, stopped) = oneshot::channel();
        let scope = ambient::here();
        let thread = spawn_exempt("cassette-double", move || {
            let _entered = scope.as_ref().map(ambient::enter);
            runtime.block_on(async {
                let accepting = tokio::spawn(accept(listener, answering));
                // It is stopped by the drop of the other end.
                let _ = stopped.await;
                accepting.abort();
            });
        })?;
        Ok(Endpoint { address, stop: Some(stop), thread: Some(thread) })
    }

    /// Returns where it listens, `http://127.0.0.1:49153`.
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

async fn accept(listener: TcpListener, answering: Answering) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    while let Ok((stream, _)) = listener.accept().await {
        let answering = Arc::clone(&answering);
        let service = service_fn(move |request| answer(Arc::clone(&answering), request));
        let connection = http1::Builder::new().auto_date_header(false).serve_connection(TokioIo::new(stream), service);
        // How a connection ends is its client's business.
        tokio::spawn(async move { drop(connection.await) });
    }
}

async fn answer(answering: Answering, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let line = format!("{} {}", request.method(), request.uri());
    let body = request.into_body().collect().await.map(|body| body.to_bytes().to_vec()).unwrap_or_default();
    let Answer { status, content_type, body } = answering(Came { line, body });
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    if status == 404 {
        response.headers_mut().insert("x-should-retry", HeaderValue::from_static("false"));
    }
    Ok(response)
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take().filter(|thread| thread.thread().id() != std::thread::current().id()) {
            // A panic there was a script's own, and its caller got no answer.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("address", &self.address).finish_non_exhaustive()
    }
}

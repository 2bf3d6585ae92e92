//! A connection whose client speaks HTTP/2.
//!
//! Its calls are streams of one connection, so none of them may end it: what breaks off resets its own stream alone, with
//! `INTERNAL_ERROR`, which no client takes for leave to try again.

use std::error::Error;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use cassette_core::report::{Report, Wiring};
use hyper::rt::Executor;
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use super::commons::{Commons, LEAST};
use super::exchange::exchange;
use super::origin::Origin;
use super::watch::Watch;

/// With what a client begins that speaks HTTP/2 (RFC 9113 section 3.4). No request of HTTP/1 does.
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// How long a client may take for the rest of the preface once it has begun with it.
const PATIENCE: Duration = Duration::from_secs(1);

/// The longest head of a request, in bytes. With less, the codec would answer in the gateway's stead.
const HEAD: u32 = 1 << 20;

/// Serves a connection whose client speaks HTTP/2 until either side ends it, and gives any other back.
pub(super) async fn serve(commons: &Arc<Commons>, origin: &Origin, stream: TcpStream) -> Option<TcpStream> {
    if !timeout(PATIENCE, is_spoken(&stream)).await.unwrap_or(false) {
        return Some(stream);
    }
    let service = {
        let (commons, origin) = (Arc::clone(commons), origin.clone());
        service_fn(move |request| exchange(Arc::clone(&commons), origin.clone(), request))
    };
    let mut server = http2::Builder::new(Tasks(Arc::clone(commons)));
    // A call may be held for as long as its test runs, so their number is not ours to limit.
    server.auto_date_header(false).max_concurrent_streams(None).max_header_list_size(HEAD);
    let end = server.serve_connection(TokioIo::new(stream), service).await;
    if let Some(report) = end.err().and_then(|err| refusal(origin, &err)) {
        commons.player.desk.fail(Report::Wiring(report));
    }
    None
}

/// Returns whether a client begins as HTTP/2 does. What it sent stays in the socket, for whoever serves it.
async fn is_spoken(stream: &TcpStream) -> bool {
    let mut first = [0; PREFACE.len()];
    loop {
        match stream.peek(&mut first).await {
            Ok(0) | Err(_) => return false,
            Ok(length) if first[..length] != PREFACE[..length] => return false,
            Ok(length) if length == PREFACE.len() => return true,
            // Nothing wakes whoever peeks when more comes to what is there already.
            Ok(_) => sleep(LEAST).await,
        }
    }
}

/// Returns the report of a client that changes to HTTP/2 when it has spoken HTTP/1.
pub(super) fn unheard(origin: &Origin) -> Wiring {
    Wiring::new(
        format!("a client of {origin} changed to HTTP/2 in the middle of a connection"),
        "let it speak HTTP/2 from the first byte of a connection, or HTTP/1.1",
    )
}

/// Returns the report of a client that breaks the protocol: its calls can be neither recorded nor replayed, so it must not
/// pass unseen. A connection that is gone breaks nothing.
fn refusal(origin: &Origin, err: &hyper::Error) -> Option<Wiring> {
    let err: &h2::Error = err.source()?.downcast_ref()?;
    err.is_library().then(|| {
        Wiring::new(
            format!("a client of {origin} sent what is no HTTP/2: {err}"),
            "give it the gateway's URL as it is, `http://` included",
        )
    })
}

/// Starts what a connection does beside itself: each call is a task.
#[derive(Clone)]
struct Tasks(Arc<Commons>);

impl<F: Future + Send + 'static> Executor<F> for Tasks {
    fn execute(&self, task: F) {
        let watch = Watch::over(&self.0);
        tokio::spawn(async move {
            let _watch = watch;
            task.await;
        });
    }
}

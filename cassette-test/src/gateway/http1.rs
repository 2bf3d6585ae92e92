//! A connection whose client speaks HTTP/1.

use std::error::Error;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;

use cassette_core::report::{Report, Wiring};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::AsyncWrite;
use tokio::net::TcpStream;

use super::abort::Abort;
use super::commons::Commons;
use super::exchange::exchange;
use super::http2;
use super::origin::Origin;

/// Serves a connection until either side ends it.
///
/// A client that shuts down its sending half counts as gone: on the wire it looks like one that closed, and a live call must
/// end when its client does.
pub(super) async fn serve(commons: &Arc<Commons>, origin: &Origin, stream: TcpStream) {
    let service = service_fn(|request| Box::pin(exchange(Arc::clone(commons), origin.clone(), request)));
    let mut connection = http1::Builder::new().auto_date_header(false).serve_connection(TokioIo::new(stream), service);
    let end = poll_fn(|cx| connection.poll_without_shutdown(cx)).await;
    let mut stream = connection.into_parts().io.into_inner();
    match end {
        // Whoever closes first, the connection is over.
        Ok(()) => drop(poll_fn(|cx| Pin::new(&mut stream).poll_shutdown(cx)).await),
        Err(err) => {
            if abort(&err) == Some(Abort::Reset) {
                let _ = stream.set_zero_linger();
            }
            if let Some(report) = refusal(origin, &err) {
                commons.player.desk.fail(Report::Wiring(report));
            }
        }
    }
}

fn abort(err: &hyper::Error) -> Option<Abort> {
    err.source()?.downcast_ref().copied()
}

/// Returns the report of bytes that are no request: such a call can be neither recorded nor replayed, so it must not pass
/// unseen.
fn refusal(origin: &Origin, err: &hyper::Error) -> Option<Wiring> {
    if err.is_parse_version_h2() {
        return Some(http2::unheard(origin));
    }
    err.is_parse().then(|| {
        let help = match err.is_parse_too_large() {
            true => "send no more than 100 header lines, and a shorter head",
            false => "give it the gateway's URL as it is, `http://` included",
        };
        Wiring::new(format!("a client of {origin} sent what is no HTTP/1.1 request: {err}"), help)
    })
}

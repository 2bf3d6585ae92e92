//! Live calls: sent on as they came, and recorded while they are answered.

use std::sync::Arc;

use cassette_core::reply::Outcome;
use cassette_core::report::Report;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONNECTION, HeaderValue, TE, TRAILER};
use hyper::{HeaderMap, Method, Request, Response, StatusCode, Uri};

use super::abort::Abort;
use super::commons::Commons;
use super::origin::Origin;
use super::parting::Parting;
use super::protocol::Protocol;
use super::request::Head;
use super::response::{self, Body};
use super::trailing::Trailing;
use super::upstream::{Failure, unsent};
use super::{headers, refusal};
use crate::wire::{self, File, Filing, Keeper, Reads, Tee};

/// A call that goes live.
pub(super) struct Sent {
    /// Its head.
    pub(super) head: Head,
    /// Its body.
    pub(super) body: Bytes,
    /// Where its end is filed.
    pub(super) file: File,
}

/// Sends a call to its upstream and passes the reply on.
///
/// # Errors
///
/// Fails where there is no reply: the client meets what a replay of the recorded failure gives it.
pub(super) async fn call(commons: &Arc<Commons>, origin: &Origin, sent: Sent) -> Result<Response<Body>, Abort> {
    let Sent { mut head, body, file } = sent;
    let upstream = commons.listeners.upstream(origin).unwrap_or_else(|| origin.clone());
    let url = upstream.url(head.path(origin));
    headers::unalias(&mut head.headers, origin, &upstream);
    let filing = Filing::new(file, commons.player.held.enter(None));
    let failure = match request(&head, &url, body) {
        Ok(request) => match commons.upstream.send(request, head.protocol).await {
            Ok(reply) if !reply.status().is_informational() => {
                return Ok(pass_on(commons, origin, (head, filing), reply));
            }
            Ok(reply) => Failure::closed(format!("the upstream switched protocols with status {}", reply.status())),
            Err(failure) => failure,
        },
        Err(err) => Failure::closed(err.to_string()),
    };
    match failure {
        Failure::Transport(error) => {
            let abort = Abort::of(error.class);
            filing.end(Outcome::Error(error));
            Err(abort)
        }
        Failure::Refused(report) => {
            let report = commons.player.desk.fail(Report::Refused(report));
            filing.end(Outcome::Error(unsent()));
            Ok(refusal::reply(head.shape, StatusCode::NOT_FOUND, &report))
        }
    }
}

/// Returns the request to send: as it came, but that no coded reply is asked for, since it is kept to be read and edited.
fn request(head: &Head, url: &str, body: Bytes) -> Result<Request<Full<Bytes>>, hyper::http::Error> {
    let (method, _) = head.line();
    let mut request = Request::new(Full::new(body));
    *request.method_mut() = Method::from_bytes(method.as_bytes())?;
    *request.uri_mut() = url.parse::<Uri>()?;
    *request.headers_mut() = wire::map(head.headers.iter().filter(|(name, _)| name != "accept-encoding"));
    if head.takes_trailers {
        request.headers_mut().insert(TE, HeaderValue::from_static("trailers"));
        if head.protocol == Protocol::Http1 {
            request.headers_mut().insert(CONNECTION, HeaderValue::from_static("te"));
        }
    }
    Ok(request)
}

fn pass_on(
    commons: &Arc<Commons>,
    origin: &Origin,
    (asked, mut filing): (Head, Filing),
    reply: Response<Incoming>,
) -> Response<Body> {
    let (head, body) = reply.into_parts();
    let mut arrived = wire::arrived(&asked.name, head.status, &head.headers);
    headers::alias_location(&mut arrived.headers, origin, &commons.listeners);
    filing.head(head.status.as_u16(), arrived.headers.clone());
    let announced = announced(&head.headers);
    // Others are not kept either: a replay announces what is kept.
    let body = match asked.protocol {
        Protocol::Http1 => Trailing::only(announced.clone(), body),
        Protocol::Http2 => Trailing::any(body),
    };
    let keeper = Keeper {
        desk: Arc::clone(&commons.player.desk),
        name: asked.name,
        limit: commons.limits.reply,
        reads: Reads::Ahead,
    };
    let tee = Tee::new(keeper, filing, body, &arrived);
    let mut response = response::reply(
        commons,
        origin,
        (head.status, &arrived.headers),
        Parting::new(tee, asked.protocol).boxed_unsync(),
    );
    response::announce(&mut response, asked.protocol, &announced.join(", "));
    response
}

/// Returns the names of the headers that the upstream says are to come after the body.
fn announced(headers: &HeaderMap) -> Vec<String> {
    let values = headers.get_all(TRAILER).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(|name| name.trim().to_ascii_lowercase()).collect()
}

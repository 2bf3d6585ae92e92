//! Live calls: sent on as they came, and recorded while they are answered.
//!
//! A reply is passed on piece by piece by a [`tee`], which keeps a copy of each and never asks for the next before the client
//! does; one that comes coded unasked is plain for both ([`decode`]). Whatever happens, a call is filed once ([`filing`]).

mod tee;

mod filing;

mod decode;

use std::sync::Arc;

use cassette_core::reply::Outcome;
use cassette_core::report::Report;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::{Method, Request, Response, StatusCode, Uri};

use self::decode::Coding;
use self::filing::Filing;
use self::tee::Tee;
use super::abort::Abort;
use super::commons::Commons;
use super::desk::File;
use super::origin::Origin;
use super::request::Head;
use super::response::{self, Body};
use super::upstream::{Failure, unsent};
use super::{headers, refusal};

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
    let filing = Filing::new(file, commons.held.enter());
    let failure = match request(&head, &url, body) {
        Ok(request) => match commons.upstream.send(request).await {
            Ok(reply) if !reply.status().is_informational() => {
                return Ok(pass_on(commons, origin, &head.name, filing, reply));
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
            let report = commons.desk.fail(Report::Refused(report));
            filing.end(Outcome::Error(unsent()));
            Ok(refusal::reply(origin, head.path(origin), StatusCode::NOT_FOUND, &report))
        }
    }
}

/// Returns the request to send: as it came, but that no coded reply is asked for, since it is kept to be read and edited.
fn request(head: &Head, url: &str, body: Bytes) -> Result<Request<Full<Bytes>>, hyper::http::Error> {
    let (method, _) = head.line();
    let mut request = Request::new(Full::new(body));
    *request.method_mut() = Method::from_bytes(method.as_bytes())?;
    *request.uri_mut() = url.parse::<Uri>()?;
    *request.headers_mut() = headers::map(head.headers.iter().filter(|(name, _)| name != "accept-encoding"));
    Ok(request)
}

fn pass_on(
    commons: &Arc<Commons>,
    origin: &Origin,
    name: &str,
    mut filing: Filing,
    reply: Response<Incoming>,
) -> Response<Body> {
    let (head, body) = reply.into_parts();
    let bodiless = response::is_bodiless(name, head.status);
    let mut headers = headers::lasting(&head.headers);
    let coding = if bodiless { None } else { Coding::of(&headers) };
    if coding.is_some() {
        headers.retain(|(name, _)| name != "content-encoding");
    }
    if bodiless && head.status != StatusCode::NO_CONTENT {
        // Without a body it frames nothing: it says how long the body would be, which is often why HEAD is sent.
        let length = head.headers.get("content-length").and_then(|value| value.to_str().ok());
        headers.extend(length.map(|length| ("content-length".to_owned(), length.to_owned())));
    }
    headers::alias_location(&mut headers, origin, &commons.listeners);
    filing.head(head.status.as_u16(), headers.clone());
    let tee = Tee::new(commons, name, filing, body, coding);
    response::reply(commons, origin, (head.status, &headers), tee.boxed_unsync())
}

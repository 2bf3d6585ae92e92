//! From a client's request to a call.

use cassette_core::call::{Call, Header};
use cassette_core::report::Wiring;
use http_body_util::BodyExt;
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::http::request::Parts;
use hyper::{Method, Request, StatusCode};
use tokio::time::timeout;

use super::commons::Commons;
use super::headers;
use super::origin::Origin;
use super::protocol::Protocol;
use super::refusal::Shape;
use crate::wire::{self, Limits};

/// A request, read whole.
pub(super) struct Asked {
    /// The call it makes.
    pub(super) call: Call,
    /// Its head once more.
    pub(super) head: Head,
    /// Its body once more, to be sent on without a copy.
    pub(super) body: Bytes,
}

/// What is kept of a call when the session has it: enough to send it on, beside its body, and to answer it.
pub(super) struct Head {
    /// The call's name: method and URL.
    pub(super) name: String,
    /// Its headers.
    #[cfg_attr(not(feature = "record"), expect(dead_code, reason = "a build that only replays sends none on"))]
    pub(super) headers: Vec<Header>,
    /// Which HTTP its client speaks.
    pub(super) protocol: Protocol,
    /// Whether its client takes headers after the body.
    #[cfg_attr(not(feature = "record"), expect(dead_code, reason = "a build that only replays sends none on"))]
    pub(super) takes_trailers: bool,
    /// In what shape its client is told of a failure.
    pub(super) shape: Shape,
}

#[cfg(feature = "record")]
impl Head {
    /// Returns the method and the URL.
    pub(super) fn line(&self) -> (&str, &str) {
        self.name.split_once(' ').unwrap_or_default()
    }

    /// Returns the path and the query at this server.
    pub(super) fn path(&self, origin: &Origin) -> &str {
        self.line().1.strip_prefix(&origin.to_string()).unwrap_or_default()
    }
}

/// Why a request makes no call.
pub(super) enum Rejected {
    /// The client went away in the middle of it.
    Gone,
    /// The gateway does not do this: the answer's status and shape, and what the test is told.
    Refused {
        /// The status to answer with.
        status: StatusCode,
        /// The shape of the answer.
        shape: Shape,
        /// What the test is told.
        report: Wiring,
    },
}

/// Reads a request whole and makes it a call to the upstream: path, query and body as they were sent, headers without the
/// gateway's own name.
///
/// # Errors
///
/// Fails for what the gateway does not do, by name, and for a body that is too long to be kept.
pub(super) async fn read(commons: &Commons, origin: &Origin, request: Request<Incoming>) -> Result<Asked, Rejected> {
    let (head, body) = request.into_parts();
    let path = head.uri.path_and_query().map_or("", |path| path.as_str()).to_owned();
    let shape = Shape::of(&origin.authority, &path, head.headers.get("content-type"));
    let refused = |status, report| Err(Rejected::Refused { status, shape, report });
    if let Some(report) = unsupported(commons, origin, &head) {
        return refused(StatusCode::NOT_IMPLEMENTED, report);
    }
    let protocol = Protocol::of(head.version);
    let name = format!("{} {}", head.method, origin.url(&path));
    let body = match whole(body, commons.limits).await {
        Ok(body) => body,
        Err(Unread::Gone) => return Err(Rejected::Gone),
        Err(Unread::TooLong) => {
            let report = wire::too_long(&*commons.player.desk, &name, commons.limits.request);
            return refused(StatusCode::PAYLOAD_TOO_LARGE, report);
        }
        Err(Unread::Unended) => return refused(StatusCode::NOT_IMPLEMENTED, unended(commons, &name)),
    };
    let mut headers = wire::asked(&head.headers);
    headers::name_upstream(&mut headers, &commons.listeners);
    let takes_trailers = wire::takes_trailers(&head.headers);
    let call = Call::http(head.method.as_str(), &origin.url(&path), headers, body.to_vec());
    let mut headers = call.headers.clone();
    headers.retain(|(name, _)| !wire::belongs_to_connection(name));
    let head = Head { name: call.name.clone(), headers, protocol, takes_trailers, shape };
    Ok(Asked { call, head, body })
}

fn unsupported(commons: &Commons, origin: &Origin, head: &Parts) -> Option<Wiring> {
    if head.method == Method::CONNECT {
        return Some(proxied(origin, &head.uri.to_string()));
    }
    let own =
        |authority: &str| commons.listeners.origin(authority).as_ref() == Some(origin) || authority == origin.authority;
    if let Some(authority) = head.uri.authority().filter(|authority| !own(authority.as_str())) {
        return Some(proxied(origin, authority.as_str()));
    }
    if !head.uri.path().starts_with('/') {
        return Some(Wiring::new(
            format!("a client of {origin} asked {} for `{}`", head.method, head.uri.path()),
            "a request for a whole server is not supported; ask for a path",
        ));
    }
    let upgrade = head.headers.get("upgrade").is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"websocket"));
    upgrade.then(|| {
        let name = commons.player.desk.shown(&format!("{} {}", head.method, origin.url(head.uri.path())));
        wire::websocket(name.split_once(' ').map_or("", |(_, url)| url))
    })
}

/// Returns the report of a client that asked for another server; what stands before its host may be a password.
fn proxied(origin: &Origin, target: &str) -> Wiring {
    let target = target.rsplit('@').next().unwrap_or_default();
    Wiring::new(
        format!("a client takes the gateway of {origin} for a proxy: it asked for {target}"),
        "name no gateway in a proxy setting; give the client its URL as base URL, one for each upstream",
    )
}

/// Why a body was not read whole.
enum Unread {
    /// The client went away in the middle of it.
    Gone,
    /// It is longer than is kept.
    TooLong,
    /// Its end did not come: it waits, perhaps for the answer.
    Unended,
}

/// Returns the report of a request whose client goes on when it has been answered, if ever.
fn unended(commons: &Commons, name: &str) -> Wiring {
    let (shown, silence) = (commons.player.desk.shown(name), commons.limits.hold.as_secs());
    Wiring::new(
        format!("{shown} was begun and not ended: nothing more of it came for {silence} seconds"),
        "a request is read to its end before it is answered, so no stream in both directions can be recorded; let the \
         client end what it sends",
    )
}

/// Returns the whole body.
///
/// One that is too long is read to its end all the same, as far as four times the limit: a client that is still sending would
/// not see the answer. One that falls silent may be waiting for an answer before it has ended, so it is waited for no longer than
/// for anything.
async fn whole(mut body: Incoming, limits: Limits) -> Result<Bytes, Unread> {
    let limit = limits.request;
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > limit.saturating_mul(4) {
        return Err(Unread::TooLong);
    }
    let mut kept = Vec::with_capacity(if announced > limit { 0 } else { announced });
    let mut seen = 0_usize;
    loop {
        let frame = timeout(limits.hold, body.frame()).await.map_err(|_| Unread::Unended)?;
        let Some(frame) = frame else { break };
        let Ok(data) = frame.map_err(|_| Unread::Gone)?.into_data() else { continue };
        seen = seen.saturating_add(data.len());
        if seen <= limit {
            kept.extend_from_slice(&data);
        } else if seen > limit.saturating_mul(4) {
            return Err(Unread::TooLong);
        }
    }
    if seen <= limit { Ok(Bytes::from(kept)) } else { Err(Unread::TooLong) }
}

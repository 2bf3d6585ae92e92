//! From a client's request to a call.

use cassette_core::call::{Call, Header};
use cassette_core::report::Wiring;
use http_body_util::BodyExt;
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::http::request::Parts;
use hyper::{Method, Request, StatusCode};

use super::commons::Commons;
use super::headers;
use super::origin::Origin;
use crate::wire;

/// A request, read whole.
pub(super) struct Asked {
    /// The call it makes.
    pub(super) call: Call,
    /// Its body once more, to be sent on without a copy.
    pub(super) body: Bytes,
}

/// What is kept of a call when the session has it: enough to send it on, beside its body.
pub(super) struct Head {
    /// The call's name: method and URL.
    pub(super) name: String,
    /// Its headers.
    #[cfg_attr(not(feature = "record"), expect(dead_code, reason = "a build that only replays sends none on"))]
    pub(super) headers: Vec<Header>,
}

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
    /// The gateway does not do this: the answer's status, the request's path, and what the test is told.
    Refused {
        /// The status to answer with.
        status: StatusCode,
        /// The path, by which the body of the answer is shaped.
        path: String,
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
    if let Some(report) = unsupported(commons, origin, &head) {
        return Err(Rejected::Refused { status: StatusCode::NOT_IMPLEMENTED, path, report });
    }
    let (limit, name) = (commons.limits.request, format!("{} {}", head.method, origin.url(&path)));
    let Some(body) = whole(body, limit).await? else {
        let report = wire::too_long(&*commons.player.desk, &name, limit);
        return Err(Rejected::Refused { status: StatusCode::PAYLOAD_TOO_LARGE, path, report });
    };
    let mut headers = wire::lasting(&head.headers);
    headers::name_upstream(&mut headers, &commons.listeners);
    let call = Call::http(head.method.as_str(), &origin.url(&path), headers, body.to_vec());
    Ok(Asked { call, body })
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

/// Returns the whole body, or `None` where it is longer than `limit`.
///
/// One that is too long is read to its end all the same, as far as four times the limit: a client that is still sending would
/// not see the answer.
async fn whole(mut body: Incoming, limit: usize) -> Result<Option<Bytes>, Rejected> {
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > limit.saturating_mul(4) {
        return Ok(None);
    }
    let mut kept = Vec::with_capacity(if announced > limit { 0 } else { announced });
    let mut seen = 0_usize;
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| Rejected::Gone)?.into_data() else { continue };
        seen = seen.saturating_add(data.len());
        if seen <= limit {
            kept.extend_from_slice(&data);
        } else if seen > limit.saturating_mul(4) {
            return Ok(None);
        }
    }
    Ok((seen <= limit).then(|| Bytes::from(kept)))
}

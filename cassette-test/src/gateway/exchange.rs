//! One request and its reply.

use std::sync::Arc;

use cassette_core::reply::Outcome;
use cassette_core::report::Report;
use hyper::body::Incoming;
use hyper::{Request, Response, StatusCode};

use super::abort::Abort;
use super::commons::Commons;
use super::mcp::Role;
use super::origin::Origin;
use super::request::{self, Asked, Rejected};
use super::response::Body;
use super::{live, mcp, refusal, replay};
use crate::wire::Ruling;

/// Answers one request, as the session decides.
///
/// # Errors
///
/// Fails where the connection is to be broken instead of answered.
pub(super) async fn exchange(
    commons: Arc<Commons>,
    origin: Origin,
    request: Request<Incoming>,
) -> Result<Response<Body>, Abort> {
    let asked = match request::read(&commons, &origin, request).await {
        Ok(asked) => asked,
        Err(Rejected::Gone) => return Err(Abort::Close),
        Err(Rejected::Refused { status, shape, report }) => {
            let report = commons.player.desk.fail(Report::Wiring(report));
            return Ok(refusal::reply(shape, status, &report));
        }
    };
    let Asked { call, head, body } = asked;
    let role = mcp::role(&call);
    if matches!(role, Role::Parts | Role::Pings) {
        return if commons.player.desk.awaits(&call.name).is_some() || mcp::is_recorded_session(&call) {
            Ok(mcp::unrecorded(&call))
        } else {
            // Not recorded: a session is a connection, and whether it is ended in time, and how often it is tried, hangs on chance.
            live::call(&commons, &origin, live::Sent { head, body, file: Box::new(|_| {}) }).await
        };
    }
    if role == Role::Listens && commons.player.desk.awaits(&call.name) == Some(false) {
        return Ok(mcp::empty(StatusCode::METHOD_NOT_ALLOWED));
    }
    match commons.player.desk.begin(call) {
        Ruling::Serve(served) => match &*served.outcome {
            Outcome::Reply(reply) => Ok(replay::reply(&commons, (&origin, &head), (&served, role), reply)),
            Outcome::Error(error) => Err(replay::error(&commons, &served, error).await),
        },
        Ruling::Live(file) => live::call(&commons, &origin, live::Sent { head, body, file }).await,
        Ruling::Fail(report) => Ok(refusal::reply(head.shape, StatusCode::NOT_FOUND, &report)),
    }
}

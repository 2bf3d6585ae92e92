//! A recorded answer, played back.

use std::future::poll_fn;

use cassette_core::reply::{Reply, TransportClass, TransportError};
use cassette_core::report::Report;
use cassette_core::session::Served;
use http_body_util::BodyExt;
use hyper::{Response, StatusCode};

use super::abort::Abort;
use super::commons::Commons;
use super::mcp::Role;
use super::origin::Origin;
use super::parting::Parting;
use super::refusal;
use super::request::Head;
use super::response::{self, Body};
use crate::wire::{self, Playback, Silence, Waiting};

/// Returns a recorded reply: in one piece with its length, or chunk by chunk.
pub(super) fn reply(
    commons: &Commons,
    (origin, head): (&Origin, &Head),
    (served, role): (&Served, Role),
    reply: &Reply,
) -> Response<Body> {
    let place = wire::place(served);
    let recorded = match wire::recorded(&place, reply) {
        Ok(recorded) => recorded,
        Err(report) => {
            let report = commons.player.desk.fail(Report::Wiring(report));
            return refusal::reply(head.shape, StatusCode::NOT_FOUND, &report);
        }
    };
    let body = Playback::new(&commons.player, served, reply);
    let body = if role == Role::Listens { body.listened_to() } else { body };
    let body = Parting::new(body, head.protocol).boxed_unsync();
    let mut response = response::reply(commons, origin, (recorded.status, &recorded.headers), body);
    let trailers: Vec<_> = reply.trailers.iter().map(|(name, _)| name.as_str()).collect();
    response::announce(&mut response, head.protocol, &trailers.join(", "));
    response
}

/// Plays a recorded failure: returns how the connection is to be broken.
///
/// A timeout was the client's own, so there is nothing to be sent and nothing to be broken: it is let wait until it gives up
/// again.
pub(super) async fn error(commons: &Commons, served: &Served, error: &TransportError) -> Abort {
    if error.class == TransportClass::Timeout {
        let mut waiting = Waiting::new(&commons.player, wire::place(served), Silence::before_all(served));
        poll_fn(|cx| waiting.poll(cx)).await;
    }
    Abort::of(error.class)
}

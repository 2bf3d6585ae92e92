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
use super::response::{self, Body};
use crate::wire::{self, Playback, Silence, Waiting};

/// Returns a recorded reply: in one piece with its length, or chunk by chunk.
pub(super) fn reply(
    commons: &Commons,
    origin: &Origin,
    (served, role): (&Served, Role),
    reply: &Reply,
) -> Response<Body> {
    let place = wire::place(served);
    let head = match wire::recorded(&place, reply) {
        Ok(head) => head,
        Err(report) => {
            let report = commons.player.desk.fail(Report::Wiring(report));
            return refusal::reply(origin, "", StatusCode::NOT_FOUND, &report);
        }
    };
    let body = Playback::new(&commons.player, served, reply);
    let body = if role == Role::Listens { body.listened_to() } else { body };
    let body = Parting::new(body).boxed_unsync();
    response::reply(commons, origin, (head.status, &head.headers), body)
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

//! Live calls in a build that only replays: each is refused, with the command that makes it.

use std::sync::Arc;

use cassette_core::mode::Mode;
use cassette_core::reply::{Outcome, TransportClass, TransportError};
use cassette_core::report::{Refused, Report};
use hyper::body::Bytes;
use hyper::{Response, StatusCode};

use super::abort::Abort;
use super::commons::Commons;
use super::origin::Origin;
use super::refusal;
use super::request::Head;
use super::response::Body;
use crate::wire::File;

/// A call that would go live.
pub(super) struct Sent {
    /// Its head.
    pub(super) head: Head,
    /// Its body.
    #[expect(dead_code, reason = "what is not sent is not read")]
    pub(super) body: Bytes,
    /// Where its end is filed.
    pub(super) file: File,
}

/// Refuses the call.
///
/// # Errors
///
/// None; the result is what a service gives.
#[expect(clippy::unused_async, reason = "the build that can call has to wait here")]
pub(super) async fn call(commons: &Arc<Commons>, _: &Origin, sent: Sent) -> Result<Response<Body>, Abort> {
    let Sent { head, file, .. } = sent;
    let (_, command) = commons.player.desk.rerun(Mode::Record);
    let command = command.replacen("cargo test", "cargo test --features cassette-test/record", 1);
    let what = format!(
        "{} has to go live, and cassette-test was built without the feature `record`",
        commons.player.desk.shown(&head.name)
    );
    let report = commons.player.desk.fail(Report::Refused(Refused::new(what, command)));
    let message = "built without the feature `record`".to_owned();
    file(Outcome::Error(TransportError { class: TransportClass::Connect, message }));
    Ok(refusal::reply(head.shape, StatusCode::NOT_FOUND, &report))
}

//! The gateway before a real session.

use std::sync::Arc;

use cassette_core::mode::Mode;
use cassette_core::report::{Report, Wiring};
use cassette_core::rerun::{Rerun, Target};
use cassette_core::session::{Plan, Session};
use cassette_core::store::MemoryStore;

use super::client::{Client, get};
use crate::gateway::Gateways;
use crate::options::Pace;

pub(super) fn session() -> Arc<Session> {
    let test = "gateway::tests::sessions".to_owned();
    let rerun = Rerun { package: "cassette-test".to_owned(), target: Target::Lib, test: test.clone(), ignored: false };
    Arc::new(Session::open(Plan::new("gateway", Arc::new(MemoryStore::default()), Mode::Off, test, rerun)).unwrap())
}

#[test]
fn a_call_after_its_session_is_told_so() {
    let session = session();
    let gateways = Gateways::new(Pace::Instant);
    let url = gateways.base_url(&session, "https://api.openai.com/v1").unwrap();
    drop(session);
    let seen = Client::connect(&url).ask(get(&url)).unwrap();
    assert_eq!(seen.head.status, 404);
    let expected = "a call was made through the gateway after its test had ended: GET https://api.openai.com/v1";
    assert!(seen.text().contains(expected), "{}", seen.text());
}

#[test]
fn a_text_that_is_no_base_url_is_not_latched() {
    let session = session();
    let report = Gateways::new(Pace::Instant).base_url(&session, "api.openai.com").unwrap_err();
    assert_eq!(
        report.to_string(),
        "cassette wiring: `api.openai.com` is no base URL: it has no scheme\nhelp: write `https://api.openai.com`"
    );
    assert_eq!(session.failure(), None);
}

#[test]
fn a_session_that_has_failed_fails_every_call() {
    let session = session();
    let gateways = Gateways::new(Pace::Instant);
    let url = gateways.base_url(&session, "https://api.openai.com/v1").unwrap();
    session.fail(Report::Wiring(Wiring::new("this failed", "do that")));
    let seen = Client::connect(&url).ask(get(&url)).unwrap();
    assert_eq!(seen.head.status, 404);
    assert!(seen.text().contains("this failed"), "{}", seen.text());
}

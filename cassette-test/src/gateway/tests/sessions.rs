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
    let url = url + "/models?key=hunter2";
    let seen = Client::connect(&url).ask(get(&url)).unwrap();
    assert_eq!(seen.head.status, 404);
    let expected = "a call was made after its test had ended: GET https://api.openai.com/v1/models\\nhelp";
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

#[test]
fn an_alias_is_the_name_of_one_upstream() {
    let session = session();
    let gateways = Gateways::new(Pace::Instant);
    let upstream = |alias, url| gateways.upstream(&session, alias, url);
    let url = upstream("Models", "http://127.0.0.1:9/v1").unwrap();
    assert_eq!(upstream("models", "http://127.0.0.1:9/v1"), Ok(url.clone()));
    assert_ne!(upstream("others", "http://127.0.0.1:9/v1"), Ok(url.clone()));
    assert_ne!(gateways.base_url(&session, "http://127.0.0.1:9/v1"), Ok(url));
    assert_eq!(
        upstream("models", "http://127.0.0.1:10").unwrap_err().to_string(),
        "cassette wiring: http://models stands for http://127.0.0.1:9 in this test, and cannot stand for http://127.0.0.1:10 \
         too\nhelp: give each upstream an alias of its own"
    );
    for (alias, shown) in [("", ""), ("models:80", "models:80"), ("http://joe:hunter2@a?key=hunter2", "a")] {
        assert_eq!(
            upstream(alias, "http://127.0.0.1:9").unwrap_err().to_string(),
            format!(
                "cassette wiring: `{shown}` is no alias of an upstream\n\
                 help: an alias is written as a host is, without a port: `models`, `models.local`"
            )
        );
    }
}

//! Upstreams over TLS, and whom the gateway trusts.

use cassette_core::reply::{Outcome, TransportClass};

use super::alone;
use super::authority::Authority;
use super::client::{Client, get};
use super::stage::Stage;

#[test]
fn an_upstream_is_trusted_by_the_roots_that_the_environment_names() {
    let authority = Authority::new();
    let url = format!("https://localhost:{}", authority.serve("localhost", false));
    let file = authority.file.to_str().unwrap();
    alone::run("gateway::tests::tls::trusted", &[("SSL_CERT_FILE", file), (alone::UPSTREAM, &url)]);
}

#[test]
#[ignore = "needs the environment that the test above gives it"]
fn trusted() {
    let url = alone::upstream();
    let act = |stage: &Stage| {
        let gateway = stage.url(&url);
        let mut client = Client::connect(&gateway);
        [(); 2].map(|()| client.ask(get(&format!("{gateway}/v1"))).unwrap().text())
    };
    let live = Stage::live();
    assert_eq!(act(&live), ["ok", "ok"]);
    let written = live.notebook.written(2);
    assert_eq!(written[0].0.name, format!("GET {url}/v1"));
    let replay = Stage::replay(written);
    assert_eq!(act(&replay), ["ok", "ok"]);
    assert!(rustls::crypto::CryptoProvider::get_default().is_none(), "a default of ours would be the program's too");
}

#[test]
fn an_upstream_that_nobody_vouches_for_is_a_tls_failure() {
    let authority = Authority::new();
    let other = Authority::new();
    let url = format!("https://localhost:{}", authority.serve("localhost", false));
    let file = other.file.to_str().unwrap();
    alone::run("gateway::tests::tls::mistrusted", &[("SSL_CERT_FILE", file), (alone::UPSTREAM, &url)]);
}

#[test]
#[ignore = "needs the environment that the test above gives it"]
fn mistrusted() {
    let stage = Stage::live();
    let url = stage.url(&alone::upstream());
    assert!(Client::connect(&url).ask(get(&url)).is_err());
    match stage.notebook.written(1).remove(0).1 {
        Outcome::Error(error) => {
            assert_eq!(error.class, TransportClass::Tls, "{error:?}");
            assert!(error.message.contains("certificate"), "{error:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_machine_without_roots_is_told_what_to_install() {
    alone::run("gateway::tests::tls::rootless", &[("SSL_CERT_FILE", "/nowhere/roots.pem")]);
}

#[test]
#[ignore = "needs the environment that the test above gives it"]
fn rootless() {
    let stage = Stage::live();
    let url = stage.url("https://localhost:1");
    assert_eq!(Client::connect(&url).ask(get(&url)).unwrap().head.status, 404);
    let text = stage.notebook.failure();
    assert!(text.starts_with("cassette refused: there is no root certificate to check an upstream by"), "{text}");
    assert!(text.ends_with("(Debian: apt-get install ca-certificates), or set SSL_CERT_FILE"), "{text}");
    assert!(matches!(stage.notebook.written(1)[0].1, Outcome::Error(_)));
}

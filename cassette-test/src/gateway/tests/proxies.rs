//! Proxies that the environment names for the way to the upstream.

use super::alone;
use super::authority::Authority;
use super::client::{Client, get};
use super::stage::Stage;
use super::upstream::{Upstream, whole};

#[test]
fn a_plain_call_is_forwarded_by_the_proxy() {
    let proxy = Upstream::start(|line| {
        let request = line.request().unwrap();
        line.send(whole("text/plain", request.head.as_bytes()));
    });
    let proxy = proxy.url.replacen("//", "//joe:pw@", 1);
    alone::run("gateway::tests::proxies::forwarded", &[("http_proxy", &proxy)]);
}

#[test]
#[ignore = "needs the environment that the test above gives it"]
fn forwarded() {
    let stage = Stage::live();
    let url = stage.url("http://upstream.invalid/v1");
    let head = Client::connect(&url).ask(get(&url)).unwrap().text();
    assert!(head.starts_with("GET http://upstream.invalid/v1 HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("\r\nhost: upstream.invalid\r\n"), "{head}");
    assert!(head.contains("\r\nproxy-authorization: Basic am9lOnB3\r\n"), "{head}");
    assert_eq!(stage.notebook.written(1)[0].0.header("proxy-authorization"), None);
}

#[test]
fn a_call_over_tls_goes_through_a_tunnel() {
    let authority = Authority::new();
    let proxy = format!("http://joe:pw@127.0.0.1:{}", authority.serve("upstream.invalid", true));
    let file = authority.file.to_str().unwrap();
    alone::run("gateway::tests::proxies::tunnelled", &[("HTTPS_PROXY", &proxy), ("SSL_CERT_FILE", file)]);
}

#[test]
#[ignore = "needs the environment that the test above gives it"]
fn tunnelled() {
    let stage = Stage::live();
    let url = stage.url("https://upstream.invalid/v1");
    let head = Client::connect(&url).ask(get(&url)).unwrap().text();
    assert!(head.starts_with("CONNECT upstream.invalid:443 HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("Basic am9lOnB3"), "{head}");
}

#[test]
fn a_host_that_the_environment_exempts_is_called_straight() {
    let upstream = Upstream::answering(whole("text/plain", b"straight"));
    alone::run(
        "gateway::tests::proxies::exempt",
        &[("http_proxy", "http://127.0.0.1:1"), ("no_proxy", "127.0.0.1"), (alone::UPSTREAM, &upstream.url)],
    );
}

#[test]
#[ignore = "needs the environment that the test above gives it"]
fn exempt() {
    let stage = Stage::live();
    let url = stage.url(&alone::upstream());
    assert_eq!(Client::connect(&url).ask(get(&url)).unwrap().text(), "straight");
}

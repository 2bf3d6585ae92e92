//! Redirects, which the client follows itself.

use cassette_core::reply::Outcome;

use super::client::{Client, authority, get};
use super::stage::Stage;
use super::story::proven;
use super::upstream::{Upstream, whole};

fn redirect(to: &str) -> String {
    format!("HTTP/1.1 307 Temporary Redirect\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n")
}

fn recorded_locations(written: &[(cassette_core::call::Call, Outcome)]) -> Vec<Option<&str>> {
    let mut locations = Vec::new();
    for (_, outcome) in written {
        locations.push(match outcome {
            Outcome::Reply(reply) => reply.header("location"),
            Outcome::Error(_) => None,
        });
    }
    locations
}

#[test]
fn a_redirect_within_a_server_stays_within_its_gateway() {
    let upstream = Upstream::start(|line| {
        while let Some(request) = line.request() {
            let host = request.head.split("host: ").nth(1).unwrap().split("\r\n").next().unwrap().to_owned();
            match request.head.split(' ').nth(1).unwrap() {
                "/a" => line.send(redirect("/b")),
                "/b" => line.send(redirect(&format!("http://{host}/c?d#e"))),
                path => line.send(whole("text/plain", path.as_bytes())),
            }
        }
    });
    let server = upstream.url.clone();
    let (seen, written) = proven(upstream, 3, |url| {
        let mut client = Client::connect(url);
        let first = client.ask(get(&format!("{url}/a"))).unwrap().head.header("location").unwrap().to_owned();
        let second = client.ask(get(&format!("{url}{first}"))).unwrap().head.header("location").unwrap().to_owned();
        assert_eq!(second, format!("{url}/c?d#e"));
        (first, client.ask(get(&format!("{url}/c?d"))).unwrap().text())
    });
    assert_eq!(seen, ("/b".to_owned(), "/c?d".to_owned()));
    assert_eq!(recorded_locations(&written), [Some("/b"), Some(format!("{server}/c?d#e").as_str()), None]);
}

#[test]
fn a_redirect_to_another_server_leads_to_a_gateway_of_its_own() {
    let files = Upstream::answering(whole("text/plain", b"the file"));
    let to = format!("{}/file", files.url);
    let api = Upstream::answering(redirect(&to));
    let act = |stage: &Stage| {
        let url = stage.url(&api.url);
        let location = Client::connect(&url).ask(get(&url)).unwrap().head.header("location").unwrap().to_owned();
        assert_ne!(authority(&location), authority(&url));
        assert_ne!(authority(&location), authority(&files.url));
        Client::connect(&location).ask(get(&location)).unwrap().text()
    };
    let live = Stage::live();
    assert_eq!(act(&live), "the file");
    let written = live.notebook.written(2);
    assert_eq!(recorded_locations(&written), [Some(to.as_str()), None]);
    assert_eq!(written[1].0.name, format!("GET {to}"));

    let replay = Stage::replay(written);
    assert_eq!(act(&replay), "the file");
    replay.notebook.assert_content();
}

//! Upstreams whose port changes from run to run, recorded under a name that does not.

use cassette_test::{Cassette, cassette};
use stages::{Answer, Provider, Rehearsal, Request, seen};

use crate::told::upstream;

const STORY: &str = "aliases::it_asks_a_server_on_some_port";

#[cassette("local")]
#[test]
#[ignore]
fn it_asks_a_server_on_some_port(cassette: Cassette) {
    let [models, files] = ["models.local", "files"].map(|alias| cassette.upstream(alias, upstream()));
    assert_ne!(models, files);
    let get = |url: String| ureq::get(url).call().unwrap().body_mut().read_to_string().unwrap();
    // The client follows the redirect by itself, to the server's own address as the server knows it.
    seen([get(format!("{models}/old")), get(format!("{files}/new"))].join("\n"));
}

/// Says where what moved has moved to, and whether it was called by its own name.
fn answer(request: &Request) -> Answer {
    let host = request.header("host");
    if request.target == "/v1/old" {
        return Answer::Whole(307, vec![("location".to_owned(), format!("http://{host}/v1/new"))], Vec::new());
    }
    Answer::json(200, &format!(r#"{{"here": {}}}"#, host.starts_with("127.0.0.1:")))
}

#[test]
fn what_is_recorded_on_one_port_is_good_on_another() {
    let rehearsal = Rehearsal::of(answer);
    let live = rehearsal.passes(STORY, "record");
    assert_eq!(live.seen, "{\"here\": true}\n{\"here\": true}");
    let file = rehearsal.file("local");
    for name in ["http://models.local/v1/old", "http://models.local/v1/new", "http://files/v1/new"] {
        assert!(file.contains(name), "{name} is in {file}");
    }
    assert!(!file.contains("127.0.0.1"), "{file}");

    let other = Provider::start(answer).unwrap();
    let rehearsal = rehearsal.with("STORY_UPSTREAM", &other.url());
    for (mode, asked) in [("replay", 0), ("record", 0), ("refresh", 3)] {
        assert_eq!(rehearsal.passes(STORY, mode).seen, live.seen, "{mode}");
        assert_eq!((other.asked(), rehearsal.file("local")), (asked, file.clone()), "{mode}");
    }
}

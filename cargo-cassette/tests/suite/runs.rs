//! `test`, `record`, `refresh` with real cargo, real cargo-nextest and real test binaries, against a provider on loopback.

use std::sync::{Arc, Mutex};

use stages::{Answer, Provider, Request};

use crate::built;
use crate::project::Project;

/// What the tests ask with, and a test of the library's own.
const LIBRARY: &str = r##"
use std::io::{Read, Write};

/// Asks a model, and returns the reply as it is.
pub fn ask(base: &str, question: &str) -> String {
    let (host, path) = base.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let body = format!("{{\"model\":\"gpt-4o-mini\",\"messages\":[{{\"role\":\"user\",\"content\":\"{question}\"}}]}}");
    let mut stream = std::net::TcpStream::connect(host).unwrap();
    write!(
        stream,
        "POST /{path}/chat/completions HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    reply
}

#[cfg(test)]
mod tests {
    use cassette_test::{Cassette, cassette};

    #[cassette("unit")]
    #[test]
    fn unit(cassette: Cassette) {
        let upstream = std::env::var("UPSTREAM").unwrap_or("http://127.0.0.1:9/v1".into());
        assert!(super::ask(&cassette.upstream("openai", upstream), "unit").contains("At nine."));
    }
}
"##;

/// What every integration binary begins with.
const HEAD: &str = r#"
use cassette_test::{Cassette, cassette};

fn ask(cassette: &Cassette, question: &str) {
    let upstream = std::env::var("UPSTREAM").unwrap_or("http://127.0.0.1:9/v1".into());
    let reply = timetable_runs::ask(&cassette.upstream("openai", upstream), question);
    assert!(reply.contains("At nine."), "{reply}");
}
"#;

const SUITE: &str = r#"
#[cassette("trains")]
#[test]
fn trains(cassette: Cassette) {
    ask(&cassette, "trains");
}

#[cassette("fares")]
#[test]
fn fares(cassette: Cassette) {
    ask(&cassette, "fares");
    ask(&cassette, "fares, return");
}

#[cassette("fares_of_seats")]
#[test]
fn fares_of_seats(cassette: Cassette) {
    ask(&cassette, "seats");
    assert_eq!("a window seat", "an aisle seat");
}

#[cassette("night")]
#[test]
#[ignore = "runs at night"]
fn night(cassette: Cassette) {
    ask(&cassette, "night");
}

mod classes {
    use super::*;

    #[cassette("classes/{class}")]
    #[rstest::rstest]
    #[case::first("first")]
    #[case::second("second")]
    fn of_trains(cassette: Cassette, #[case] class: &str) {
        ask(&cassette, class);
    }

    #[cassette("berths")]
    #[rstest::rstest]
    #[case("upper")]
    #[case("lower")]
    fn of_berths(cassette: Cassette, #[case] berth: &str) {
        ask(&cassette, berth);
    }
}

#[test]
fn without_a_cassette() {}
"#;

const LATER: &str = r#"
#[cassette("later")]
#[test]
fn later(cassette: Cassette) {
    ask(&cassette, "later");
}
"#;

/// A provider that remembers what it was asked.
struct Asked {
    provider: Provider,
    questions: Arc<Mutex<Vec<String>>>,
}

impl Asked {
    /// Starts one of which each answer takes so many tokens.
    fn start(tokens: u64) -> Asked {
        let questions: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = Arc::clone(&questions);
        let answer = format!(
            r#"{{"id":"chatcmpl-1","object":"chat.completion","model":"gpt-4o-mini-2024-07-18","choices":[{{"index":0,"message":{{"role":"assistant","content":"At nine."}},"finish_reason":"stop"}}],"usage":{{"prompt_tokens":{tokens},"completion_tokens":0,"total_tokens":{tokens}}}}}"#
        );
        let provider = Provider::start(move |request: &Request| {
            let text = request.text();
            let question = text.split("\"content\":\"").nth(1).and_then(|rest| rest.split('"').next());
            kept.lock().unwrap().push(question.unwrap_or(&text).to_owned());
            Answer::json(200, &answer)
        });
        Asked { provider: provider.unwrap(), questions }
    }

    /// Returns what was asked since the last time, sorted.
    fn questions(&self) -> Vec<String> {
        let mut questions = std::mem::take(&mut *self.questions.lock().unwrap());
        questions.sort();
        questions
    }
}

/// Returns the package, whose tests ask this provider when they go live.
fn package(asked: &Asked) -> Project {
    let project = built::package("timetable-runs", "\"record\"", "rstest = { version = \"0.29.0\", default-features = false }\n");
    project.write("src/lib.rs", LIBRARY);
    project.write("tests/suite.rs", format!("{HEAD}{SUITE}"));
    project.write("tests/later.rs", format!("{HEAD}{LATER}"));
    project.with("UPSTREAM", &format!("{}/v1", asked.provider.url()))
}

/// Returns a screen without what differs from run to run.
fn steady(screen: &str) -> String {
    screen.to_owned()
}

#[test]
fn missing_with_cargo() {
    let asked = Asked::start(1_000);
    let project = package(&asked);
    let t = std::time::Instant::now();
    eprintln!("{}", project.run(&["record", "--test", "suite", "trains", "--", "--exact"]));
    eprintln!("{:?} {:?}", t.elapsed(), asked.questions());
    eprintln!("{}", project.run(&["record", "--missing"]));
    eprintln!("{:?} {:?}", t.elapsed(), asked.questions());
    eprintln!("{}", project.run(&["record", "--missing"]));
    eprintln!("{:?} {:?}", t.elapsed(), asked.questions());
    eprintln!("{}", project.run(&["lint"]));
    eprintln!("{:?} {:?}", t.elapsed(), asked.questions());
}

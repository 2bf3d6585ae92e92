//! A question to a language model: recorded, replayed with the provider gone, and asked in other words.
//!
//! ```sh
//! cargo run --example trains
//! ```
#![expect(clippy::print_stdout, reason = "it shows what it does")]

use std::error::Error;
use std::fs;
use std::path::Path;

use cassette_test::{Cassette, Mode, Session};
use stages::{Answer, Provider};

const PROMPT: &str = "When does the next train to Bergen leave?";

fn main() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let provider = Provider::start(|_| {
        Answer::json(200, r#"{"choices":[{"message":{"content":"The 09:04, from platform 2."}}]}"#)
    })?;
    let url = format!("{}/v1", provider.url());

    println!("1. a small provider answers on {}, and the call is recorded", provider.url());
    let session = open(dir.path(), Mode::Record)?;
    println!("   answer: {}", ask(&session.base_url(&url), PROMPT)?);
    println!("   {} live call; the cassette says:\n", session.live_calls());
    session.finish()?;
    println!("{}", indented(&fs::read_to_string(dir.path().join("trains.json"))?));

    println!("2. the provider is shut down, and the same call is replayed");
    drop(provider);
    let session = open(dir.path(), Mode::Replay)?;
    println!("   answer: {}", ask(&session.base_url(&url), PROMPT)?);
    println!("   {} live calls\n", session.live_calls());
    session.finish()?;

    println!("3. one word of the prompt is changed, and the test that made the call fails with this report\n");
    let session = open(dir.path(), Mode::Replay)?;
    // What the client makes of it does not matter: the session keeps the first failure, and ends with it.
    let _swallowed = ask(&session.base_url(&url), &PROMPT.replace("Bergen", "Oslo"));
    match session.finish() {
        Ok(_) => Err("another question was answered".into()),
        Err(report) => {
            println!("{}", indented(&report.to_string()));
            println!(
                "In a test, the attribute `#[cassette(\"trains\")]` does all this, and CASSETTE_MODE picks the mode."
            );
            Ok(())
        }
    }
}

fn open(dir: &Path, mode: Mode) -> Result<Session, Box<dyn Error>> {
    Ok(Cassette::builder("trains").dir(dir).mode(mode).allow_ci().open()?)
}

/// Asks a model, as a program would.
fn ask(base: &str, prompt: &str) -> Result<String, Box<dyn Error>> {
    let body = format!(r#"{{"model":"gpt-4o-mini","messages":[{{"role":"user","content":"{prompt}"}}]}}"#);
    let mut reply = ureq::post(format!("{base}/chat/completions")).content_type("application/json").send(body)?;
    let text = reply.body_mut().read_to_string()?;
    let content = text.split(r#""content":""#).nth(1).and_then(|rest| rest.split('"').next());
    Ok(content.ok_or("the reply holds no answer")?.to_owned())
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("   {line}\n")).collect()
}

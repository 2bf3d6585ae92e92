//! Types that do not fit: the error stands in the user's line.

use cassette_test::cassette;

#[cassette("trains", redact(hide))]
fn redactor() {}

fn hide(text: &str) -> u32 {
    text.len() as u32
}

#[cassette("trains", matcher(longer))]
fn matcher() {}

fn longer(one: &str, other: &str) -> bool {
    one.len() > other.len()
}

#[cassette("trains")]
fn body() {
    let number: u32 = "seven";
}

#[cassette("trains")]
fn no_termination() -> u32 {
    7
}

#[cassette("trains")]
#[tokio::main]
async fn async_value() -> Result<(), String> {
    Ok(7)
}

#[cassette("trains")]
#[tokio::main]
async fn async_tail() {
    String::new()
}

struct Cassette;

#[cassette("trains")]
fn another_cassette(cassette: Cassette) {
    let _ = cassette;
}

fn main() {
    redactor();
    matcher();
    body();
    no_termination();
    let _ = async_value();
    async_tail();
    another_cassette();
}

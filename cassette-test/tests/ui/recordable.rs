//! Types that cannot be recorded: the error stands in the user's line.

use std::fmt;

struct Client;

struct Hit;

#[derive(Debug)]
struct Foreign;

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("foreign")
    }
}

#[cassette_test::tool]
fn value() -> Hit {
    Hit
}

#[cassette_test::tool]
async fn within() -> Result<Vec<Hit>, String> {
    Ok(Vec::new())
}

#[cassette_test::tool]
async fn error(city: &str) -> Result<u8, Foreign> {
    if city.is_empty() { Err(Foreign) } else { Ok(7) }
}

#[cassette_test::tool]
fn argument(client: &Client) -> u8 {
    let _ = client;
    7
}

#[cassette_test::tool]
fn callback(each: impl Fn(u8) -> u8) -> u8 {
    each(7)
}

#[cassette_test::tool]
fn generic<E>(_: E) -> Result<u8, E> {
    Ok(7)
}

#[cassette_test::tool(error = "serde")]
fn by_serde() -> Result<u8, Foreign> {
    Ok(7)
}

#[cassette_test::tool(error = "from")]
fn by_from() -> Result<u8, Foreign> {
    Ok(7)
}

#[cassette_test::tool]
fn body() -> u32 {
    "seven"
}

fn main() {}

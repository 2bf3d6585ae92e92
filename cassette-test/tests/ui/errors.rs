//! Errors that nothing brings back.

use std::error::Error;

#[cassette_test::tool(errors(std::num::ParseIntError))]
fn parse(text: &str) -> Result<u32, Box<dyn Error + Send + Sync>> {
    Ok(text.parse()?)
}

fn main() {
    let _ = parse("7");
}

//! Mistakes in what the attribute stands on.

use cassette_test::{Cassette, cassette};

#[cassette("trains")]
struct Trains;

#[cassette("trains", speed = 3)]
pub mod trains {}

#[cassette("trains")]
async fn no_test(cassette: Cassette) {
    cassette.name();
}

#[cassette("trains")]
#[ignore]
#[allow(unused)]
async fn no_test_but_attributes() {}

#[cassette("trains")]
#[tokio::test]
async fn two_handles(one: Cassette, other: &Cassette) {
    assert_eq!(one.name(), other.name());
}

#[cassette("trains")]
#[cassette("buses")]
#[tokio::test]
async fn two_cassettes() {}

struct Timetable;

impl Timetable {
    #[cassette("trains")]
    fn method(&self) {}
}

#[cassette("trains")]
#[should_panic]
fn no_test_that_panics() {}

#[cassette("trains")]
#[test]
#[should_panic(message = "boom")]
fn wrong_panic() {}

#[cassette("trains")]
#[test]
#[should_panic]
fn panics_and_returns() -> Result<(), String> {
    Ok(())
}

fn main() {}

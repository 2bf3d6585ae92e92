//! Functions that the program gave up, by a time-out or in a race: neither errors nor missing.

use std::time::Duration;

use cassette_core::call::{Call, Kind};
use cassette_core::reply::{Chunk, Outcome, Reply, TransportError};

use crate::project::Project;

fn departs(town: &str) -> Call {
    Call::function(Kind::Tool, "trains::departs", format!(r#"{{"town":"{town}"}}"#).into_bytes())
}

fn answered() -> Outcome {
    let chunks = vec![Chunk { bytes: br#""09:04""#.to_vec(), at: Some(Duration::from_millis(20)) }];
    Outcome::Reply(Reply { status: 200, headers: Vec::new(), chunks, trailers: Vec::new(), truncated: None })
}

#[test]
fn what_was_given_up_is_told_as_that_by_every_view() {
    let project = Project::new();
    project.record(
        "cassettes/raced.json",
        &[(departs("Bergen"), Outcome::Error(TransportError::given_up())), (departs("Oslo"), answered())],
    );
    project.record("cassettes/waited.json", &[(departs("Bergen"), answered()), (departs("Oslo"), answered())]);
    let told = [
        "show raced",
        "stats raced",
        "diff waited raced",
        "diff raced waited",
        "diff raced raced",
        "lint --files",
        "status",
    ]
    .map(|words| format!("== {words}\n{}", project.run(&words.split(' ').collect::<Vec<_>>())));
    insta::assert_snapshot!(told.join("\n"));
}

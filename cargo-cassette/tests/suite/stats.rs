//! What recordings took: `stats`.

use crate::project::Project;
use crate::recordings::{answer, ask, chat, conversation, json};

fn project() -> Project {
    let project = Project::new();
    project.record("cassettes/trains.json", &conversation());
    let unknown = r#"{"model":"nobody-knows","messages":[]}"#;
    let counted = json(200, r#"{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2}}"#);
    project.record("cassettes/fares/day.json", &[(ask("How much?"), answer("c", "A lot.")), (chat(unknown), counted)]);
    project
}

#[test]
fn tokens_time_and_cost_with_what_is_unknown_as_such() {
    insta::assert_snapshot!(project().run(&["stats"]));
    insta::assert_snapshot!(project().run(&["stats", "--json"]));
}

#[test]
fn prices_may_be_given_and_left_out() {
    let project = project();
    insta::assert_snapshot!(project.run(&["stats", "fares/day", "--price", "nobody-knows=1/2.5", "--runs", "1000"]));
    insta::assert_snapshot!(project.run(&["stats", "--no-cost"]));
    project.write(
        "prices.toml",
        "checked = \"2026-11-01\"\n[[maker]]\nname = \"us\"\nsource = \"https://example.com\"\n[maker.models]\nnobody-knows = { input = \"1\", output = \"2\" }\ngpt-4o-mini = { input = \"100\", output = \"100\" }\n",
    );
    insta::assert_snapshot!(project.run(&["stats", "fares/day", "--prices-file", "prices.toml"]));
}

#[test]
fn what_is_no_price_is_named() {
    let project = project();
    insta::assert_snapshot!(project.run(&["stats", "--price", "gpt-4o-mini=0.15"]));
    project.write("prices.toml", "checked = \"2026-11-01\"\n[[maker]]\nname = \"us\"\n");
    insta::assert_snapshot!(project.run(&["stats", "--prices-file", "prices.toml"]));
    insta::assert_snapshot!(project.run(&["stats", "--prices-file", "none.toml"]));
    insta::assert_snapshot!(project.run(&["stats", "--no-cost", "--price", "a=1/2"]));
}

#[test]
fn a_bad_file_is_named_and_stops_nothing() {
    let project = project();
    project.write("cassettes/bad.json", "{");
    insta::assert_snapshot!(project.run(&["stats"]));
    insta::assert_snapshot!(Project::new().with("CASSETTE_DIR", "none").run(&["stats"]));
}

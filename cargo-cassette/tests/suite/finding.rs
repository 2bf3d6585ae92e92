//! Finding the directory: the package's, the workspace's, `CASSETTE_DIR`, `--dir`.

use crate::project::Project;
use crate::recordings::{answer, ask};

fn record(project: &Project, file: &str) {
    project.record(file, &[(ask("When?"), answer("chatcmpl-1", "At nine."))]);
}

/// Returns a workspace: members by pattern and by path, one excluded, one without cassettes, and a package within it all.
fn workspace() -> Project {
    let project = Project::bare();
    let package =
        |dir: &str, rest: &str| project.write(&format!("{dir}/Cargo.toml"), format!("[package]\nname = \"p\"\n{rest}"));
    project.write(
        "Cargo.toml",
        "[package]\nname = \"root\"\n[dependencies]\nlinked = { path = \"linked\" }\n[workspace]\nmembers = [\"crates/*\"]\nexclude = [\"crates/old\"]\n",
    );
    package("crates/a", "");
    package("crates/b", "");
    package("crates/old", "");
    package("linked", "[dev-dependencies]\nfarther = { path = \"../farther\" }\n");
    package("farther", "");
    package("stranger", "");
    for dir in [".", "crates/a", "crates/old", "linked", "farther", "stranger"] {
        record(&project, &format!("{dir}/cassettes/in-{}.json", dir.replace(['/', '.'], "_")));
    }
    project
}

#[test]
fn at_the_root_each_member_and_within_one_it_alone() {
    insta::assert_snapshot!(workspace().run(&["list"]));
    insta::assert_snapshot!(workspace().within("crates/a/src").run(&["list"]));
    insta::assert_snapshot!(workspace().within("crates/a").run(&["list", "--workspace"]));
}

#[test]
fn what_is_said_comes_before_what_is_found() {
    let project = workspace().with("CASSETTE_DIR", "elsewhere");
    record(&project, "crates/b/elsewhere/moved.json");
    record(&project, "here/given.json");
    insta::assert_snapshot!(project.run(&["list"]));
    insta::assert_snapshot!(project.run(&["list", "--dir", "here"]));
}

#[test]
fn where_nothing_is_the_places_are_named() {
    insta::assert_snapshot!(Project::new().run(&["list"]));
    insta::assert_snapshot!(Project::new().run(&["status", "--dir", "nowhere"]));
    insta::assert_snapshot!(Project::new().run(&["show", "trains"]));
    let broken = Project::bare();
    broken.write("Cargo.toml", "[package\n");
    insta::assert_snapshot!(broken.run(&["list"]));
}

#[test]
fn a_name_that_is_nowhere_or_twice_is_told_with_what_there_is() {
    let project = workspace();
    record(&project, "crates/b/cassettes/in-linked.json");
    insta::assert_snapshot!(project.run(&["show", "in-lnked"]));
    insta::assert_snapshot!(project.run(&["show", "in-linked"]));
    insta::assert_snapshot!(project.run(&["show", "crates/b/cassettes/in-linked.json", "1"]));
}

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

#[test]
fn where_cargo_does_not_load_the_workspace_what_lists_says_so() {
    let verbs =
        [&["list"][..], &["status"], &["stats", "--no-cost"], &["diff", "--base", "HEAD"], &["lint", "--files"]];
    let check = |here: &str, breaking: &[(&str, &str)], note: Option<&str>| {
        let project = workspace();
        project.commit();
        for (file, text) in breaking {
            project.write(file, text);
        }
        let project = project.within(here);
        for words in verbs {
            let told = project.run(words);
            let said = told.lines().find_map(|line| line.strip_prefix("cargo does not load this workspace: "));
            assert!(told.starts_with("exit 0\n--- stdout\n") && said == note, "{words:?} in {here}: {told}");
        }
    };
    let unclosed = "unclosed table, expected `]`";
    check("crates/a", &[("Cargo.toml", "[workspace\n")], Some(&format!("../../Cargo.toml: {unclosed}")));
    check("crates/a", &[("crates/b/Cargo.toml", "[package\n")], Some(&format!("../b/Cargo.toml: {unclosed}")));
    let members = "[workspace]\nmembers = [\"crates/*\", \"gone\"]\n";
    check(".", &[("Cargo.toml", members)], Some("Cargo.toml: its member `gone` has no Cargo.toml"));
    check("crates/a", &[("Cargo.toml", members)], Some("../../Cargo.toml: its member `gone` has no Cargo.toml"));
    for here in [".", "crates/a"] {
        check(here, &[], None);
        check(here, &[("Cargo.toml", "[workspace]\nmembers = [\"crates/*\", \"none/*\"]\n")], None);
    }
}

#[test]
fn what_is_in_another_package_is_named_with_what_finds_it() {
    let place = "../farther/cassettes/in-farther.json";
    let told = |help: &str| {
        format!(
            "exit 2\n--- stderr\nerror: there is no cassette `in-farther` here, but in another package: {place}\nhelp: {help}\n"
        )
    };
    let project = workspace().within("linked");
    let show = "show --workspace in-farther";
    assert_eq!(project.run(&["show", "in-farther"]), told(&format!("cargo cassette {show}")));
    assert!(project.run(&show.split(' ').collect::<Vec<_>>()).starts_with("exit 0"));
    let scrub = "cargo cassette scrub --workspace --pii in-farther";
    assert_eq!(project.run(&["scrub", "--pii", "in-farther"]), told(scrub));
    assert_eq!(project.run(&["delete", "in-farther"]), told("if that is meant, --workspace looks there too"));
    assert!(project.path("farther/cassettes/in-farther.json").is_file());
    // Where one directory was asked for, nothing else is looked at.
    assert!(!project.run(&["show", "in-farther", "--dir", "cassettes"]).contains("farther/cassettes"));
    // Where nothing at all is recorded in the package, too.
    let project = workspace().within("crates/b");
    let told = project.run(&["show", "in-farther"]);
    assert!(
        told.contains("here, but in another package: ../../farther/cassettes/in-farther.json\nhelp: cargo"),
        "{told}"
    );
    let told = project.run(&["serve", "in-farther", "--", "true"]);
    assert!(told.contains("but in another package") && told.contains("serve --workspace in-farther -- true"), "{told}");
}

//! Cassettes of which it is not decided whether a test owns them: `lint` tells them, and `prune` leaves them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::lint::{answering, owning, registered, told, workspace};
use crate::project::Project;
use crate::recordings::{answer, ask};

/// Records a cassette of this annotated test, of this package where the head says one.
fn recorded(project: &Project, file: &str, test: &str, package: Option<&str>) {
    project.record(file, &[(ask("When?"), answer("c", "At 9."))]);
    registered(project, file);
    let package = package.map_or(String::new(), |package| format!(",\n  \"package\": \"{package}\""));
    let owner = format!("\"test\": \"{test}\"{package}");
    project.write(file, project.read(file).replace("\"test\": \"suite::ask\"", &owner));
}

/// Returns a package beside another workspace's, which share a directory: its test program owns `trains` there.
fn sharing() -> Project {
    let project = Project::bare().within("fares");
    for package in ["fares", "maps"] {
        project.write(&format!("{package}/Cargo.toml"), format!("[package]\nname = \"{package}\"\n"));
        project.write(&format!("{package}/cassette.toml"), "dir = \"../shared\"\n");
        project.write(&format!("{package}/tests/suite.rs"), "");
    }
    let (dir, manifest) = (project.path("fares/../shared"), project.path("fares/Cargo.toml"));
    let program = project.path("target/suite");
    let list = format!(
        r#"[{{"cassette":"trains","directory":"{}","test":"suite::trains","file":"tests/suite.rs","line":1}}]"#,
        dir.display()
    );
    let artifact = format!(
        r#"{{"reason":"compiler-artifact","manifest_path":"{}","target":{{"kind":["test"],"name":"suite"}},"profile":{{"test":true}},"executable":"{}"}}"#,
        manifest.display(),
        program.display()
    );
    for (file, line) in [
        ("target/suite", format!("echo '{list}' > \"$CASSETTE_REGISTRY\"")),
        ("cargo.sh", format!("echo '{artifact}'")),
    ] {
        project.write(file, format!("#!/bin/sh\n{line}\n"));
        fs::set_permissions(project.path(file), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let cargo = project.path("cargo.sh").display().to_string();
    project.with("CARGO", &cargo)
}

#[test]
fn a_cassette_of_another_workspaces_package_is_never_pruned() {
    let project = sharing();
    recorded(&project, "shared/trains.json", "suite::trains", Some("fares"));
    recorded(&project, "shared/north.json", "suite::north", Some("maps"));
    recorded(&project, "shared/old.json", "suite::old", None);
    recorded(&project, "shared/gone.json", "suite::gone", Some("fares"));
    insta::assert_snapshot!(project.run(&["lint"]));
    let json = project.run(&["lint", "--json"]);
    let foreign = "\"foreign\": [\n      \"../shared/north.json\",\n      \"../shared/old.json\"\n    ]";
    assert!(json.contains(foreign), "{json}");
    let gone = project.read("shared/gone.json");
    insta::assert_snapshot!("pruned_json", project.run(&["prune", "--force", "--json"]));
    assert!(!project.path("shared/gone.json").exists());
    project.write("shared/gone.json", gone);
    insta::assert_snapshot!(project.run(&["prune", "--force"]));
    assert!(project.path("shared/north.json").is_file() && project.path("shared/old.json").is_file());
    assert_eq!(
        project.run(&["prune", "--force"]).lines().last().unwrap(),
        "nothing is removed",
        "what is its own is gone, and what is not stays"
    );
}

#[test]
fn what_members_share_within_the_root_package_is_not_the_roots_to_prune() {
    let project = workspace();
    for package in ["fares", "maps"] {
        project.write(&format!("{package}/cassette.toml"), "dir = \"../shared\"\n");
        fs::remove_dir_all(project.path(&format!("{package}/cassettes"))).unwrap();
    }
    fs::remove_file(project.path("cassettes/gone.json")).unwrap();
    recorded(&project, "shared/day.json", "suite::day", None);
    recorded(&project, "shared/north.json", "suite::north", None);
    // Of these two the root was built alone.
    insta::assert_snapshot!(project.run(&["lint"]));
    assert_eq!(project.run(&["prune", "--force"]).lines().last().unwrap(), "nothing is removed");
    assert!(project.path("shared/day.json").is_file() && project.path("shared/north.json").is_file());
}

#[test]
fn a_cassette_whose_test_a_macro_may_make_is_not_decided() {
    let project = owning(&[("one", "suite::one")]);
    answering(&project);
    project.write(
            "tests/suite.rs",
            "macro_rules! many { ($($n:ident)*) => { $( #[cassette_test::cassette] #[test] fn $n(c: Cassette) {} )* } }\nmany!(one);\n#[cfg(windows)]\nmany!(two three(four));\n#[rstest] #[case(1)] #[cfg_attr(windows, case(2))] fn many_cases(#[case] n: u8) {}\n",
        );
    project.write("tests/other.rs", "#[macro_use]\nmod common;\n#[cfg(windows)]\nmany! { five; }\n#[test]\nfn plain() { assert_eq!(six, \"many!(seven)\"); }\n");
    recorded(&project, "cassettes/cased.json", "suite::many_cases::case_2", None);
    for name in ["one", "two", "four", "five", "six", "seven"] {
        recorded(&project, &format!("cassettes/{name}.json"), &format!("suite::{name}"), None);
    }
    insta::assert_snapshot!(project.run(&["prune", "--all-features"]));
}

#[test]
fn a_second_cassette_of_a_test_that_is_there_is_not_decided() {
    let project = owning(&[("outer", "suite::compares")]);
    answering(&project);
    recorded(&project, "cassettes/outer.json", "suite::compares", None);
    recorded(&project, "cassettes/second.json", "suite::compares", None);
    insta::assert_snapshot!(project.run(&["lint", "--all-features"]));
    let json = project.run(&["lint", "--all-features", "--json"]);
    assert!(json.contains("\"opened_in_code\": [\n      \"cassettes/second.json\"\n    ]"), "{json}");
    insta::assert_snapshot!(project.run(&["prune", "--all-features", "--force"]));
    assert!(project.path("cassettes/second.json").is_file());
    // The name of its cassette was changed: one of the two is most likely what it was.
    told(&project, |text| text.replace("\"outer\"", "\"inner\""));
    insta::assert_snapshot!(project.run(&["lint", "--all-features"]));
    // As long as that test is there.
    told(&project, |text| text.replace("suite::compares", "suite::something_else_entirely"));
    let pruned = project.run(&["prune", "--all-features"]);
    assert_eq!(pruned, "exit 0\n--- stdout\nremoves cassettes/outer.json\nremoves cassettes/second.json\n");
}

#[test]
fn a_cassette_whose_test_may_stand_behind_a_cfg_is_not_decided() {
    let project = owning(&[("trains", "suite::trains"), ("fares/{model}", "suite::fares::case_1")]);
    answering(&project);
    project.write(
        "tests/suite.rs",
        "use cassette_test::cassette;\n\n#[cassette]\nfn trains() {}\n\n#[cfg(windows)]\n#[cassette]\nfn seats() {}\n\n// fn gone() {}\n",
    );
    project
        .write("tests/plain.rs", "#![cfg(windows)]\n\nmod on { #[cassette_test::cassette] #[rstest] fn maps() {} }\n");
    // The library's function of that name is no test.
    project.write("src/lib.rs", "pub fn gone() {}\n");
    for (name, test) in [
        ("trains", "suite::trains"),
        ("seats", "suite::seats"),
        ("maps-1", "plain::on::maps::case_1"),
        ("gone", "suite::gone"),
        ("moved", "suite::before::trains"),
    ] {
        recorded(&project, &format!("cassettes/{name}.json"), test, None);
    }
    insta::assert_snapshot!(project.run(&["lint", "--all-features"]));
    let json = project.run(&["lint", "--all-features", "--json"]);
    let behind = "\"behind_cfg\": [\n      \"cassettes/maps-1.json\",\n      \"cassettes/seats.json\"\n    ]";
    assert!(json.contains(behind), "{json}");
    insta::assert_snapshot!(project.run(&["prune", "--all-features"]));
    assert!(project.path("cassettes/seats.json").is_file() && !project.path("cassettes/gone.json").exists());
}

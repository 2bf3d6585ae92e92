//! What is not as it should be, and mending it: `lint`, `prune`, `seal`, `delete`. Cargo and the test binaries are played by scripts, which build nothing.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use cassette_core::disk;
use cassette_core::mode::Mode;
use cassette_core::session::BodyEnd;

use crate::project::Project;
use crate::recordings::{answer, ask, conversation, key};

/// How tests are built to be asked.
const BUILT: &str = "test --no-run --all-targets --message-format=json-render-diagnostics";

/// Returns a project whose test binary says that it owns these: the cassette and the test.
pub(crate) fn owning(owned: &[(&str, &str)]) -> Project {
    let project = Project::new();
    let dir = project.path("cassettes").display().to_string();
    let entry = |(i, (cassette, test)): (usize, &(&str, &str))| {
        let line = i + 1;
        format!(
            r#"{{"cassette":"{cassette}","directory":"{dir}","test":"{test}","file":"tests/suite.rs","line":{line},"package":"timetable"}}"#
        )
    };
    let list = owned.iter().enumerate().map(entry).collect::<Vec<_>>().join(",");
    let script = |file: &str, text: &str| {
        project.write(file, format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(project.path(file), fs::Permissions::from_mode(0o755)).unwrap();
    };
    script("target/suite", &format!("test \"$1\" = --list && echo '[{list}]' > \"$CASSETTE_REGISTRY\""));
    script("target/plain", "test \"$1\" = --list");
    script("target/broken", "exit 3");
    let manifest = project.path("Cargo.toml").display().to_string();
    let artifact = |name: &str, kind: &str, test: bool| {
        let executable = project.path("target").join(name).display().to_string();
        format!(
            r#"echo '{{"reason":"compiler-artifact","manifest_path":"{manifest}","target":{{"kind":["{kind}"],"name":"{name}"}},"profile":{{"test":{test}}},"executable":"{executable}"}}'"#
        )
    };
    let all = [
        "echo \"$@\" > asked.txt".to_owned(),
        "echo '{\"reason\":\"build-script-executed\"}'".to_owned(),
        artifact("suite", "test", true),
        artifact("plain", "lib", true),
        artifact("broken", "test", true),
        artifact("own", "bench", true),
        artifact("program", "bin", false),
    ];
    script("cargo.sh", &all.join("\n"));
    project.write(
        "Cargo.toml",
        "[package]\nname = \"timetable\"\nversion = \"0.1.0\"\n[features]\ndefault = [\"a\"]\na = []\nslow = []\n[[bench]]\nname = \"own\"\nharness = false\n",
    );
    let cargo = project.path("cargo.sh").display().to_string();
    project.with("CARGO", &cargo)
}

#[test]
fn what_a_fork_begins_as_is_not_nobodys() {
    let project = owning(&[("fixed", "suite::ask")]);
    for name in ["run", "gone"] {
        let file = format!("cassettes/{name}.json");
        project.record(&file, &[(ask("When?"), answer("c", "At 9."))]);
        registered(&project, &file);
    }
    let told = project.read("target/suite");
    project.write("target/suite", told.replace(r#""package":"#, r#""origin":"run","package":"#));
    fs::set_permissions(project.path("target/suite"), fs::Permissions::from_mode(0o755)).unwrap();
    let told = project.run(&["prune", "--force"]);
    assert_eq!(told, "exit 0\n--- stdout\nremoves cassettes/gone.json\n");
    assert!(project.path("cassettes/run.json").is_file() && !project.path("cassettes/gone.json").exists());
}

/// Says of every recording that its test is annotated.
pub(crate) fn registered(project: &Project, file: &str) {
    let text = project.read(file).replace("  \"recorded\"", "  \"registered\": true,\n  \"recorded\"");
    project.write(file, text);
}

/// Lets each test program answer that has not a harness of its own.
pub(crate) fn answering(project: &Project) {
    project.write("target/broken", "#!/bin/sh\ntest \"$1\" = --list\n");
}

#[test]
fn sound_cassettes_that_tests_own_are_in_order() {
    let project = owning(&[("trains", "suite::trains"), ("fares/{model}", "suite::fares")]);
    project.record("cassettes/trains.json", &[(ask("When?"), answer("c", "At 9."))]);
    project.record("cassettes/fares/small.json", &[(ask("How much?"), answer("c", "A lot."))]);
    registered(&project, "cassettes/trains.json");
    registered(&project, "cassettes/fares/small.json");
    insta::assert_snapshot!(project.run(&["lint"]));
    assert_eq!(project.read("asked.txt"), "test --no-run --all-targets --message-format=json-render-diagnostics\n");
    project.run(&["lint", "--workspace", "--features", "slow"]);
    let asked = project.read("asked.txt");
    assert!(asked.ends_with("diagnostics --features slow\n"), "{asked}");
}

/// Returns a workspace whose root package has two members beside it. Its test programs say what they own; cargo is played by a
/// script that, like cargo, builds the default members unless it is told which packages.
pub(crate) fn workspace() -> Project {
    let project = Project::bare();
    let script = |file: &str, text: &str| {
        project.write(file, format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(project.path(file), fs::Permissions::from_mode(0o755)).unwrap();
    };
    let mut cargo = vec!["echo \"$@\" > \"$TOLD\"".to_owned()];
    for (dir, package, owned) in [("", "root", "trains"), ("fares", "fares", "day"), ("maps", "maps", "north")] {
        let at = |file: &str| if dir.is_empty() { file.to_owned() } else { format!("{dir}/{file}") };
        let workspace = if dir.is_empty() { "[workspace]\nmembers = [\"fares\", \"maps\"]\n" } else { "" };
        project.write(&at("Cargo.toml"), format!("[package]\nname = \"{package}\"\nversion = \"0.1.0\"\n{workspace}"));
        project.write(&at("tests/suite.rs"), "");
        let (cassettes, manifest) = (project.path(&at("cassettes")), project.path(&at("Cargo.toml")));
        let list = format!(
            r#"[{{"cassette":"{owned}","directory":"{}","test":"suite::{owned}","file":"{}","line":1}}]"#,
            cassettes.display(),
            at("tests/suite.rs")
        );
        script(&format!("target/{package}"), &format!("echo '{list}' > \"$CASSETTE_REGISTRY\""));
        let artifact = format!(
            r#"echo '{{"reason":"compiler-artifact","manifest_path":"{}","target":{{"kind":["test"],"name":"suite"}},"profile":{{"test":true}},"executable":"{}"}}'"#,
            manifest.display(),
            project.path("target").join(package).display()
        );
        let asked = format!("*\" --workspace \"*|*\" --package {package} \"*");
        let otherwise = if dir.is_empty() { format!("*\" --package \"*) ;; *) {artifact};;") } else { String::new() };
        cargo.push(format!("case \" $* \" in {asked}) {artifact};; {otherwise} esac"));
        for name in [owned, "gone"] {
            let file = at(&format!("cassettes/{name}.json"));
            project.record(&file, &[(ask("When?"), answer("c", "At 9."))]);
            registered(&project, &file);
        }
    }
    script("cargo.sh", &cargo.join("\n"));
    let (program, told) =
        (project.path("cargo.sh").display().to_string(), project.path("told.txt").display().to_string());
    project.with("CARGO", &program).with("TOLD", &told)
}

#[test]
fn two_packages_with_one_cassette_are_told() {
    let project = workspace();
    project.record("shared/trains.json", &[(ask("When?"), answer("c", "At 9."))]);
    for package in ["fares", "maps"] {
        let shared = project.path(package).join("../shared").display().to_string();
        let list = format!(
            r#"[{{"cassette":"trains","directory":"{shared}","test":"suite::trains","file":"tests/suite.rs","line":1}}]"#
        );
        project.write(&format!("target/{package}"), format!("#!/bin/sh\necho '{list}' > \"$CASSETTE_REGISTRY\"\n"));
        for gone in fs::read_dir(project.path(&format!("{package}/cassettes"))).unwrap() {
            fs::remove_file(gone.unwrap().path()).unwrap();
        }
    }
    fs::remove_file(project.path("cassettes/gone.json")).unwrap();
    insta::assert_snapshot!(project.run(&["lint"]));
}

#[test]
fn the_recorder_of_a_cassette_is_looked_for_in_the_package_that_keeps_it() {
    let project = workspace();
    ["cassettes", "fares/cassettes", "maps/cassettes"]
        .iter()
        .for_each(|dir| fs::remove_file(project.path(&format!("{dir}/gone.json"))).unwrap());
    let tells = |package: &str, change: &dyn Fn(&str) -> String| {
        let file = format!("target/{package}");
        project.write(&file, change(&project.read(&file)));
        fs::set_permissions(project.path(&file), fs::Permissions::from_mode(0o755)).unwrap();
    };
    // Two packages had a test `ask` each; that of one is called otherwise now, and adopts its recording.
    tells("fares", &|text| text.replace("suite::day", "suite::again"));
    tells("maps", &|text| text.replace("suite::north", "suite::ask"));
    tells("root", &|text| text.replace("suite::trains", "suite::ask"));
    let lint = project.run(&["lint"]);
    assert_eq!(lint, "exit 0\n--- stdout\n3 cassettes and 3 tests checked, nothing found\n");
    // It is no more, and neither is its recorder.
    tells("fares", &|text| text.replace("echo '[{", "echo '[]' > \"$CASSETTE_REGISTRY\" # "));
    let lint = project.run(&["lint"]);
    let orphan = "fares/cassettes/day.json: orphan: no test owns this cassette any more";
    assert!(lint.contains(orphan) && !lint.contains("not decided"), "{lint}");
    assert_eq!(project.run(&["prune"]), "exit 0\n--- stdout\nremoves fares/cassettes/day.json\n");
}

#[test]
fn what_a_command_or_a_builder_recorded_and_a_test_has_is_handed_over() {
    let project = owning(&[("big", "suite::big_one")]);
    for (owner, why) in [
        ("cargo-cassette::serve", "is a command; the test cannot record over it"),
        ("suite::ask", "does not say that it has it; this one cannot record over it"),
    ] {
        project.record("cassettes/big.json", &[(ask("When?"), answer("c", "At 9."))]);
        project.write("cassettes/big.json", project.read("cassettes/big.json").replace("suite::ask", owner));
        let lint = project.run(&["lint"]);
        let what = "what lies under `big`, the cassette of `suite::big_one`, was recorded by";
        let hand_over = "cargo cassette seal big --owner suite::big_one";
        let told =
            format!("owners: {what} `{owner}`, which {why}\n  help: if it is this test's, hand it over: {hand_over}\n");
        assert!(lint.starts_with("exit 1") && lint.contains(&told), "{lint}");
        assert!(project.sh(hand_over).starts_with("exit 0"));
        assert!(project.run(&["lint"]).starts_with("exit 0"), "{}", project.run(&["lint"]));
    }
    // Whoever only replays it, or shares it, records over nothing.
    project.record("cassettes/big.json", &[(ask("When?"), answer("c", "At 9."))]);
    told(&project, |text| text.replace(r#""package":"#, r#""mode":"replay","package":"#));
    assert!(!project.run(&["lint"]).contains("owners: what lies"), "{}", project.run(&["lint"]));
}

#[test]
fn a_test_of_one_name_in_another_package_is_another_test() {
    let project = workspace();
    ["cassettes", "fares/cassettes", "maps/cassettes"]
        .iter()
        .for_each(|dir| fs::remove_file(project.path(&format!("{dir}/gone.json"))).unwrap());
    // Beside both packages: the head says whose it is, and the test of the same name that has it now is the other's.
    let (dir, file) = (project.path("shared").display().to_string(), "shared/day.json");
    project.record(file, &[(ask("When?"), answer("c", "At 9."))]);
    registered(&project, file);
    let text = project.read(file).replace("\"suite::ask\",", "\"suite::day\",\n  \"package\": \"maps\",");
    project.write(file, text);
    let entry = |dir: &str, name: &str| {
        format!(r#"{{"cassette":"{name}","directory":"{dir}","test":"suite::day","file":"tests/suite.rs","line":1}}"#)
    };
    let own = project.path("maps/cassettes").display().to_string();
    for (package, list) in [("fares", entry(&dir, "day")), ("maps", entry(&own, "north"))] {
        project.write(&format!("target/{package}"), format!("#!/bin/sh\necho '[{list}]' > \"$CASSETTE_REGISTRY\"\n"));
    }
    let lint = project.run(&["lint"]);
    let told =
        "owners: what lies under `day`, the cassette of `suite::day`, was recorded by `suite::day`, which has `north`";
    assert!(lint.contains(told) && lint.contains(" --owner suite::day --package fares\n"), "{lint}");
}

#[test]
fn what_was_not_built_is_never_taken_for_nobodys() {
    let project = workspace();
    // Before, at the root of this workspace: its default member was built, and each cassette of the others was an orphan.
    insta::assert_snapshot!(project.run(&["lint"]));
    assert_eq!(project.read("told.txt"), format!("{BUILT} --workspace\n"));
    let project = project.within("fares");
    insta::assert_snapshot!(project.run(&["prune", "--dry-run"]));
    assert_eq!(project.read("told.txt"), format!("{BUILT} --package fares\n"));
    let dir = project.path("maps/cassettes").display().to_string();
    insta::assert_snapshot!(project.run(&["lint", "--dir", &dir]));
    assert_eq!(project.read("told.txt"), format!("{BUILT} --package maps\n"));
    // A test may say `dir = ".."`, and so record beside another package's.
    let text = project.read("fares/cassettes/gone.json").replace("suite::ask", "atlas::ask");
    project.write("fares/cassettes/gone.json", text);
    project.write("maps/tests/atlas.rs", "");
    insta::assert_snapshot!(project.run(&["prune", "--force"]));
    insta::assert_snapshot!(project.run(&["lint"]));
    assert!(project.path("fares/cassettes/gone.json").is_file());
    insta::assert_snapshot!(project.run(&["prune", "--workspace"]));
    assert!(project.path("fares/cassettes/gone.json").is_file());
    fs::remove_file(project.path("maps/tests/atlas.rs")).unwrap();
    insta::assert_snapshot!(project.run(&["prune", "--workspace"]));
    assert!(!project.path("fares/cassettes/gone.json").exists());
    assert!(!project.path("maps/cassettes/gone.json").exists() && !project.path("cassettes/gone.json").exists());
}

#[test]
fn a_test_without_a_cassette_is_named_so_that_no_other_is_run() {
    let project = workspace().within("fares/src");
    fs::remove_file(project.path("maps/cassettes/north.json")).unwrap();
    let told = project.run(&["lint", "--workspace"]);
    let missing = "../../maps/tests/suite.rs:1: missing: nothing is recorded for `suite::north`, cassette `north`\n  help: record it: CASSETTE_MODE=record cargo test -p maps --test suite north -- --exact\n";
    assert!(told.contains(missing), "{told}");
}

#[test]
fn what_a_test_only_replays_it_does_not_record() {
    let project = owning(&[("trains", "suite::trains"), ("trains", "suite::again")]);
    let replays = |text: &str, test: &str| {
        let at = text.find(test).unwrap();
        format!("{}{}", &text[..at], text[at..].replacen(r#""package":"#, r#""mode":"replay","package":"#, 1))
    };
    told(&project, |text| replays(text, "suite::again"));
    answering(&project);
    let helps = |told: &str| told.lines().filter(|line| line.contains("help: ")).map(str::to_owned).collect::<Vec<_>>();
    let record = "CASSETTE_MODE=record cargo test -p timetable --test suite trains -- --exact";
    assert_eq!(helps(&project.run(&["lint"])), vec![format!("  help: record it: {record}"); 2], "whoever records it");
    told(&project, |text| replays(text, "suite::trains"));
    let lint = project.run(&["lint"]);
    let take = "  help: take `mode = \"replay\"` and any fault out of the test, then CASSETTE_MODE=record cargo test -p timetable --test suite";
    assert_eq!(helps(&lint), ["trains", "again"].map(|name| format!("{take} {name} -- --exact")), "{lint}");
    let told = project.run(&["record", "--missing", "agian"]);
    assert_eq!(
        told.split_once("--- stdout\n").unwrap().1,
        "not asked: timetable: bench own, which has a harness of its own\nno test with a cassette matches `agian`, of 2 tests\nhelp: cargo cassette record --missing again\n"
    );
    assert!(told.starts_with("exit 1\n"), "{told}");
    // A word that was typed may be anything, such as what was to stand behind another option.
    let secret = crate::recordings::key();
    let told = project.run(&["record", "--missing", &secret]);
    assert!(
        told.contains("no test with a cassette matches `REDACTED.openai-key.1`") && !told.contains(&secret),
        "{told}"
    );
    let missing = project.run(&["record", "--missing"]);
    let said = |name: &str| {
        format!("not recorded: suite::{name}, which says `mode = \"replay\"`, and no other test records its cassette\n")
    };
    assert!(
        missing.starts_with("exit 1\n") && ["trains", "again"].map(said).iter().all(|it| missing.contains(it)),
        "{missing}"
    );
}

#[test]
fn it_is_looked_where_tests_say_that_they_keep_theirs() {
    let project = owning(&[("trains", "suite::trains"), ("own", "suite::own")]);
    told(&project, |text| {
        let at = text.find(r#""cassette":"own""#).unwrap();
        format!("{}{}", &text[..at], text[at..].replacen("/cassettes\"", "/tests/tapes\"", 1))
    });
    answering(&project);
    for file in ["cassettes/trains.json", "tests/tapes/own.json", "tests/tapes/gone.json"] {
        project.record(file, &[(ask("When?"), answer("c", "At 9."))]);
        registered(&project, file);
    }
    project.write("tests/tapes/own.json", project.read("tests/tapes/own.json").replace("At 9.", "At 8."));
    let lint = project.run(&["lint", "--all-features"]);
    let found = "tests/tapes/gone.json: orphan: no test owns this cassette any more\n  help: remove it: cargo cassette delete tests/tapes/gone.json\n";
    assert!(lint.contains(found) && lint.contains("\ntests/tapes/own.json:"), "{lint}");
    assert!(lint.ends_with("3 cassettes and 2 tests checked, 2 findings\n"), "{lint}");
    assert_eq!(project.run(&["prune", "--all-features"]), "exit 0\n--- stdout\nremoves tests/tapes/gone.json\n");
}

#[test]
fn what_a_case_recorded_that_is_no_more_is_not_decided_and_never_an_orphan() {
    let project = owning(&[
        ("fares/{model}", "suite::fares::case_1"),
        ("fares/{model}", "suite::fares::case_2"),
        ("routes/{from}-{to}", "suite::routes::case_1"),
    ]);
    answering(&project);
    let recorded = |name: &str, test: &str| {
        let file = format!("cassettes/{name}.json");
        project.record(&file, &[(ask("When?"), answer("c", "At 9."))]);
        registered(&project, &file);
        project.write(&file, project.read(&file).replace("suite::ask", test));
    };
    recorded("fares/small", "suite::fares::case_1");
    recorded("fares/large", "suite::fares::case_2");
    recorded("fares/old", "suite::fares::case_3");
    recorded("routes/a-b", "suite::routes::case_1");
    (1..=10).for_each(|i| recorded(&format!("routes/c-{i}"), "suite::ways::case_1"));
    // Of what did not answer, or was not built, it is not even known whether the case is there.
    assert!(!project.run(&["lint"]).contains("cases that are no more"));
    insta::assert_snapshot!(project.run(&["lint", "--all-features"]));
    let json = project.run(&["lint", "--all-features", "--json"]);
    // Where the first case went, the second has its number, and what the third recorded is what the second asks for.
    let fares = r#""of_cases_gone": [
      {
        "pattern": "fares/{model}",
        "gone": 1,
        "among": [
          "cassettes/fares/large.json",
          "cassettes/fares/old.json",
          "cassettes/fares/small.json"
        ]
      },
"#;
    assert!(json.contains(fares), "{json}");
    let pruned = project.run(&["prune", "--all-features"]);
    assert!(
        pruned.ends_with("nothing is removed\n") && !pruned.contains("cargo cassette delete cassettes/fares"),
        "{pruned}"
    );
    assert!(project.path("cassettes/fares/old.json").is_file());
}

#[test]
fn a_cassette_in_a_shared_directory_is_handed_over_with_its_package() {
    let project = Project::bare();
    project.write("Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\", \"c\"]\n");
    for (member, program) in [("a", "suite"), ("b", "suite"), ("c", "other")] {
        project.write(&format!("{member}/Cargo.toml"), format!("[package]\nname = \"{member}\"\n"));
        project.write(&format!("{member}/tests/{program}.rs"), "");
    }
    let file = "shared/trains.json";
    project.record(file, &[(ask("When?"), answer("c", "At 9."))]);
    registered(&project, file);
    let head = |text: &str| {
        text.lines()
            .filter(|line| line.starts_with("  \"test\"") || line.starts_with("  \"package\""))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let handed = |words: &[&str]| {
        let told = project.run(&[&["seal", file, "--owner"], words].concat());
        format!("{words:?}\n{told}{}", head(&project.read(file)))
    };
    let told = [
        handed(&["other::seats"]),
        handed(&["suite::seats"]),
        handed(&["suite::seats", "--package", "b"]),
        handed(&["suite::fares"]),
        handed(&["nowhere::fares"]),
        handed(&["suite::fares", "--package", "d"]),
        handed(&["fares"]),
        handed(&[""]),
        handed(&["suite::fares\n::x"]),
    ];
    insta::assert_snapshot!(told.join("\n\n"));
    // In the package's own directory no package is named.
    project.write("a/cassettes/trains.json", project.read(file));
    let told = project.run(&["seal", "a/cassettes/trains.json", "--owner", "suite::seats", "--package", "a"]);
    assert_eq!(head(&project.read("a/cassettes/trains.json")), "  \"test\": \"suite::seats\",", "{told}");
}

#[test]
fn a_cassette_that_another_test_recorded_is_handed_over() {
    // A test that moved to another program, and two cassettes that changed places.
    let project = owning(&[("seats", "other::seats"), ("luggage", "suite::luggage"), ("groups", "suite::groups")]);
    answering(&project);
    for (name, test) in [("seats", "seats"), ("luggage", "groups"), ("groups", "luggage")] {
        let file = format!("cassettes/{name}.json");
        project.record(&file, &[(ask("When?"), answer("c", "At 9."))]);
        registered(&project, &file);
        project.write(&file, project.read(&file).replace("suite::ask", &format!("suite::{test}")));
    }
    let lint = project.run(&["lint", "--all-features"]);
    insta::assert_snapshot!(lint);
    // What is not decided is not said.
    assert!(!project.run(&["lint"]).contains("suite::seats"));
    let before = project.read("cassettes/seats.json");
    let helps = lint.lines().filter_map(|line| line.split_once("cargo cassette seal ")).map(|(_, words)| words);
    for words in helps {
        let words: Vec<_> = ["seal"].into_iter().chain(words.split(' ')).collect();
        let dry = project.run(&[&words[..], &["--dry-run"]].concat());
        assert!(dry.contains("would hand cassettes/"), "{dry}");
        assert!(project.run(&words).starts_with("exit 0\n--- stdout\nhands cassettes/"));
    }
    assert_eq!(project.read("cassettes/seats.json"), before.replace("suite::seats", "other::seats"), "nothing else");
    let lint = project.run(&["lint", "--all-features"]);
    assert!(lint.starts_with("exit 0"), "{lint}");
}

#[test]
fn cassettes_without_a_test_and_tests_without_a_cassette() {
    let project = owning(&[
        ("trains", "suite::trains"),
        ("trains", "suite::trains_again"),
        ("fares/{model}", "suite::fares"),
        ("gone", "suite::asks"),
    ]);
    for name in ["trains", "old", "by-hand"] {
        project.record(&format!("cassettes/{name}.json"), &[(ask("When?"), answer("c", "At 9."))]);
    }
    registered(&project, "cassettes/old.json");
    // What did not answer, or was not built, may own it.
    insta::assert_snapshot!(project.run(&["lint"]));
    answering(&project);
    insta::assert_snapshot!(project.run(&["lint", "--format", "json"]));
    insta::assert_snapshot!(project.run(&["lint", "--all-features"]));
    insta::assert_snapshot!(project.run(&["lint", "--all-features", "--format", "github"]));
    insta::assert_snapshot!(project.run(&["lint", "--all-features", "--format", "json"]));
}

#[test]
fn what_is_wrong_with_files_is_told_without_a_build() {
    let project = Project::new();
    project.record("cassettes/trains.json", &conversation());
    let text = project.read("cassettes/trains.json");
    project.write("cassettes/edited.json", text.replace("At 09:04", "At 10:04").replace("09:04, from", "10:04, from"));
    project.write("cassettes/torn.json", &text[..text.len() / 2]);
    let conflict = "<<<<<<< ours\n  \"test\": \"a\",\n=======\n  \"test\": \"b\",\n>>>>>>> theirs\n";
    project.write("cassettes/merged.json", text.replacen("  \"recorded\"", &format!("{conflict}  \"recorded\""), 1));
    project.write("cassettes/leaky.json", text.replace("Is it on time?", &key()));
    project.write("cassettes/trains.json.orig", "nothing\n");
    // A directory may hold more than cassettes, the sources of their tests for one.
    project.write("cassettes/suite.rs", "use cassette_test::cassette;\n");
    project.write("cassettes/.gitattributes", "\n");
    project.write(
        "cassettes/.pending/trains.json",
        text.replace("  \"interactions\"", "  \"pending\": \"the test failed\",\n  \"interactions\""),
    );
    let told = project.run(&["lint", "--files", "--max-age", "1w"]);
    assert!(!told.contains(&key()));
    insta::assert_snapshot!(told);
    insta::assert_snapshot!(project.run(&["lint", "--files", "--max-age", "soon"]));
}

#[test]
fn an_annotation_names_the_file_from_the_root_of_the_checkout_and_the_line() {
    let project = Project::bare();
    for member in ["a", "b"] {
        project.write(&format!("crates/{member}/Cargo.toml"), format!("[package]\nname = \"{member}\"\n"));
    }
    project.write("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n");
    let question = format!("With {}?", key());
    project.record(
        "crates/b/cassettes/seats.json",
        &[(ask("When?"), answer("c", "Now.")), (ask("KEY"), answer("d", "So."))],
    );
    let leaky = project.read("crates/b/cassettes/seats.json").replace("KEY", &question);
    project.write("crates/b/cassettes/seats.json", cassette_core::disk::reseal(&leaky).unwrap());
    let text = project.read("crates/b/cassettes/seats.json");
    let line = 1 + text.lines().position(|line| line.contains(&key())).unwrap();
    project.commit();
    let lint = ["lint", "--files", "--workspace", "--format", "github"];
    let expected =
        format!("exit 1\n--- stdout\n::error file=crates/b/cassettes/seats.json,line={line},title=cassette secret::");
    let told = project.run(&lint);
    assert!(told.starts_with(&expected), "{told}");
    let project = project.within("crates/a/src");
    assert!(project.run(&lint).starts_with(&expected));
    assert!(
        project.run(&["lint", "--files", "--format", "github", "--dir", "../../b/cassettes"]).starts_with(&expected)
    );
    // People and programs are told the same line.
    let told = project.run(&["lint", "--files", "--workspace"]);
    assert!(told.contains(&format!("\n../../b/cassettes/seats.json:{line}: secret: interaction 2, ")), "{told}");
    let told = project.run(&["lint", "--files", "--workspace", "--json"]);
    assert!(told.contains(&format!("\"line\": {line},")), "{told}");
    // A checkout that is no repository, as in a container.
    fs::remove_dir_all(project.path(".git")).unwrap();
    let root = project.path("").display().to_string();
    assert!(project.run(&lint).starts_with("exit 1\n--- stdout\n::error file=../../b/cassettes/seats.json,line="));
    let project = project.with("GITHUB_WORKSPACE", &root);
    assert!(project.run(&lint).starts_with(&expected));
}

#[test]
fn what_is_said_to_be_done_was_done() {
    let Some(project) = Project::new().nobodys() else { return };
    project.record("cassettes/fares.json", &conversation());
    project.allow("cassettes", 0o555);
    let told = project.run(&["delete", "fares"]);
    let error = "exit 2\n--- stderr\nerror: could not remove cassettes/fares.json: Permission denied (os error 13)\nhelp: let it be removed: chmod u+w cassettes && rm cassettes/fares.json\n";
    assert_eq!(told, error);
    let told = project.run(&["fork", "fares", "--at", "1", "began"]);
    assert!(told.starts_with("exit 2\n--- stderr\nerror: "), "nothing is said to be written: {told}");
    project.allow("cassettes", 0o755);
}

#[test]
fn what_waits_and_cannot_be_read_is_rejected_and_nothing_else_is_advised() {
    let project = Project::new();
    project.write("cassettes/.pending/seats.json", "{");
    project.write("cassettes/.pending/junk.txt", "mine");
    let told = project.run(&["lint", "--files"]);
    assert!(told.contains("help: remove it: cargo cassette reject seats\n"), "{told}");
    assert!(told.contains("cassettes/.pending/junk.txt: stray: nothing refers to this file\n"), "{told}");
    let told = project.run(&["review"]);
    assert!(told.contains("cargo cassette reject seats") && !told.contains("accept"), "{told}");
    // A program that was served records again as it did.
    project.record("cassettes/.pending/fares.json", &[(ask("How much?"), answer("c", "A lot."))]);
    let text = project.read("cassettes/.pending/fares.json");
    let served = text.replace("\"suite::ask\"", "\"cargo-cassette::serve\"");
    let pending = served.replacen(
        "  \"interactions\"",
        "  \"pending\": {\"why\": \"leak\", \"masked\": true},\n  \"interactions\"",
        1,
    );
    project.write("cassettes/.pending/fares.json", pending);
    let told = project.run(&["accept", "fares"]);
    assert!(told.contains("and record again: cargo cassette serve --mode record fares -- ..\n"), "{told}");
    fs::remove_file(project.path("cassettes/.pending/fares.json")).unwrap();
    let told = project.run(&["review", "--json"]);
    let members = ["why", "what", "test", "calls", "becomes"].map(|name| format!("\"{name}\": null"));
    assert!(members.iter().all(|member| told.contains(member)) && told.contains("\"error\": \"line 1: "), "{told}");
}

#[test]
fn tests_that_do_not_build_are_an_error() {
    let project = owning(&[]);
    project.write("cargo.sh", "#!/bin/sh\necho 'error: no such thing' >&2\nexit 101\n");
    insta::assert_snapshot!(project.run(&["lint"]));
}

#[test]
fn at_a_terminal_the_build_is_seen_and_in_a_pipe_it_is_not() {
    let project = owning(&[]);
    project.record("cassettes/trains.json", &[(ask("When?"), answer("c", "At 9."))]);
    let script = project.read("cargo.sh").replacen('\n', "\necho '   Compiling timetable' >&2\n", 1);
    project.write("cargo.sh", &script);
    let piped = project.output(&["lint"]);
    assert!(piped.stderr.is_empty(), "{}", String::from_utf8_lossy(&piped.stderr));
    let line = format!("'{}' lint", env!("CARGO_BIN_EXE_cargo-cassette"));
    let on_a_terminal = |project: &crate::project::Project| {
        let seen = project.program("script".as_ref()).args(["-qec", &line, "/dev/null"]).output().ok()?;
        Some(String::from_utf8(seen.stdout).unwrap().replace("\r\n", "\n"))
    };
    let Some(seen) = on_a_terminal(&project) else { return };
    assert!(seen.starts_with("   Compiling timetable\n"), "{seen}");
    project.write("cargo.sh", "#!/bin/sh\necho 'error: no such thing' >&2\nexit 101\n");
    let seen = on_a_terminal(&project).unwrap();
    assert_eq!(seen.matches("no such thing").count(), 1, "{seen}");
    assert!(seen.contains("error: the tests do not build, as told above\nhelp: "), "{seen}");
}

#[test]
fn only_what_certainly_is_nobodys_is_pruned() {
    let project = owning(&[("trains", "suite::trains")]);
    for name in ["trains", "old", "by-hand"] {
        project.record(&format!("cassettes/{name}.json"), &[(ask("When?"), answer("c", "At 9."))]);
    }
    registered(&project, "cassettes/trains.json");
    registered(&project, "cassettes/old.json");
    insta::assert_snapshot!(project.run(&["prune"]));
    insta::assert_snapshot!(project.run(&["prune", "--dry-run"]));
    assert!(project.path("cassettes/old.json").is_file());
    answering(&project);
    insta::assert_snapshot!(project.run(&["prune"]));
    let told = project.run(&["prune", "--all-features", "--dry-run"]);
    assert_eq!(
        told,
        "exit 0\n--- stdout\nwould remove cassettes/old.json\ncassettes/by-hand.json stays, which no annotated test has recorded\n",
        "a harness of its own has no annotated test"
    );
    insta::assert_snapshot!("pruned_json", project.run(&["prune", "--force", "--dry-run", "--json"]));
    assert!(project.path("cassettes/old.json").is_file());
    insta::assert_snapshot!(project.run(&["prune", "--force"]));
    assert!(!project.path("cassettes/old.json").exists());
    assert!(project.path("cassettes/trains.json").is_file() && project.path("cassettes/by-hand.json").is_file());
    insta::assert_snapshot!(project.run(&["prune"]));
    project.write("cassettes/torn.json", "{");
    insta::assert_snapshot!(project.run(&["prune"]));
    for name in ["torn", "by-hand"] {
        fs::remove_file(project.path(&format!("cassettes/{name}.json"))).unwrap();
    }
    assert_eq!(project.run(&["prune"]), "exit 0\n--- stdout\nevery cassette is owned by a test\n");
}

#[test]
fn a_change_by_hand_is_sealed_unless_it_is_a_secret() {
    let project = Project::new();
    project.record("cassettes/trains.json", &conversation());
    let text = project.read("cassettes/trains.json");
    insta::assert_snapshot!(project.run(&["seal", "trains"]));
    let edited = text.replace("09:04, from", "10:04 or so, from");
    project.write("cassettes/trains.json", &edited);
    insta::assert_snapshot!(project.run(&["seal", "trains", "--dry-run"]));
    assert_eq!(project.read("cassettes/trains.json"), edited);
    insta::assert_snapshot!(project.run(&["seal", "trains"]));
    assert!(project.run(&["lint", "--files"]).starts_with("exit 0"));
    let leaky = text.replace("Is it on time?", &key());
    project.write("cassettes/trains.json", &leaky);
    let told = project.run(&["seal", "trains"]);
    assert!(!told.contains(&key()));
    insta::assert_snapshot!(told);
    assert_eq!(project.read("cassettes/trains.json"), leaky);
}

#[test]
fn what_cannot_be_read_is_not_vouched_for() {
    let project = Project::new();
    project.record("cassettes/trains.json", &conversation());
    let text = project.read("cassettes/trains.json");
    let conflict = text.replacen("    {\n", "<<<<<<< ours\n    {\n=======\n    {\n>>>>>>> theirs\n", 1);
    let newer = text.replace("\"cassette\": 1", "\"cassette\": 2");
    let latin: Vec<u8> = text.bytes().map(|byte| if byte == b'W' { 0xe9 } else { byte }).collect();
    let damaged = [&text.as_bytes()[..700], conflict.as_bytes(), b"{\"cassette\": 0}", b"", newer.as_bytes(), &latin];
    let mut told = Vec::new();
    for bytes in damaged {
        project.write("cassettes/trains.json", bytes);
        let [plain, dry, scrub] =
            [&["seal", "trains"][..], &["seal", "trains", "--dry-run"], &["seal", "trains", "--scrub"]]
                .map(|words| project.run(words));
        assert_eq!([&dry, &scrub], [&plain; 2]);
        assert_eq!(project.run(&["show", "trains"]).lines().nth(2), plain.lines().nth(2), "as whoever reads it says");
        assert!(plain.contains("\nhelp: "), "{plain}");
        told.push(plain.lines().take(3).collect::<Vec<_>>().join("\n"));
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn what_is_no_cassette_is_not_deleted() {
    let project = Project::new();
    project.record("cassettes/trains.json", &conversation());
    project.write("cassettes/allow.json", "[]");
    project.write("cassettes/broken.json", "{");
    project.write("notes.md", "kept");
    for other in ["notes.md", "cassettes/allow.json", "Cargo.toml"] {
        let expected = format!(
            "exit 2\n--- stderr\nerror: `{other}` is no cassette, and stays\nhelp: name one that is: cargo cassette list\n"
        );
        assert_eq!(project.run(&["delete", "trains", other]).replace("\n\n", "\n"), expected);
        assert!(project.path(other).is_file() && project.path("cassettes/trains.json").is_file());
    }
    assert!(project.run(&["delete", "cassettes/broken.json"]).starts_with("exit 0"), "a broken one is a cassette");
}

#[test]
fn cassettes_are_deleted_by_name_all_or_none() {
    let project = Project::new();
    project.record("cassettes/trains.json", &conversation());
    project.record("cassettes/fares/day.json", &conversation());
    insta::assert_snapshot!(project.run(&["delete", "trains", "none"]));
    insta::assert_snapshot!(project.run(&["delete", "trains", "--dry-run"]));
    insta::assert_snapshot!("deleted_json", project.run(&["delete", "trains", "fares/day", "--dry-run", "--json"]));
    assert!(project.path("cassettes/trains.json").is_file());
    insta::assert_snapshot!(project.run(&["delete", "trains", "fares/day"]));
    assert!(!project.path("cassettes/trains.json").exists() && !project.path("cassettes/fares/day.json").exists());
}

#[test]
fn what_nobody_can_vouch_for_is_told_as_what_is_wrong_with_it() {
    let project = Project::new();
    project.record("cassettes/trains.json", &conversation());
    let sound = project.read("cassettes/trains.json");
    for (from, to, what) in [
        ("\"seal\"", "\"sael\"", "`sael` is unknown in an interaction"),
        ("\"status\": 200", "\"status\": \"ok\"", "`status` is no HTTP status"),
        ("\"kind\": \"http\"", "\"kind\": \"ftp\"", "`ftp` is no kind of call"),
    ] {
        let edited = sound.replacen(from, to, 1);
        assert_ne!(edited, sound, "{from}");
        project.write("cassettes/trains.json", edited);
        let told = project.run(&["lint", "--files"]);
        assert!(told.contains("cassettes/trains.json: unreadable: line ") && told.contains(what), "{told}");
        assert!(!told.contains("cargo cassette seal"), "{told}");
    }
}

#[test]
fn a_name_that_is_mistyped_advises_to_lose_nothing_else() {
    let project = Project::new();
    project.record("cassettes/run-1.json", &conversation());
    project.record("cassettes/.pending/run-1.json", &conversation());
    let told = |verb: &str, what: &str, help: &str| {
        let told = project.run(&[verb, "run-3"]);
        assert_eq!(told, format!("exit 2\n--- stderr\nerror: {what}\n  there is `run-1`\nhelp: {help}\n"), "{verb}");
    };
    let none = "there is no cassette `run-3`: no file cassettes/run-3.json";
    told("delete", none, "name one of them: cargo cassette list");
    told("show", none, "cargo cassette show run-1");
    let nothing = "there is nothing to settle for `run-3`";
    told("accept", nothing, "cargo cassette accept run-1");
    told("reject", nothing, "see how it stands: cargo cassette status");
    told("review", nothing, "cargo cassette review run-1");
}

/// Changes what the test program tells.
pub(crate) fn told(project: &Project, change: impl Fn(&str) -> String) {
    let text = project.read("target/suite");
    let changed = change(&text);
    assert_ne!(text, changed);
    project.write("target/suite", changed);
    fs::set_permissions(project.path("target/suite"), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_cassette_is_shared_by_tests_that_all_say_so() {
    for (shares, end) in [(0, "exit 1"), (1, "exit 1"), (2, "exit 0")] {
        let project = owning(&[("trains", "suite::a"), ("trains", "suite::b")]);
        project.record("cassettes/trains.json", &[(ask("When?"), answer("c", "At 9."))]);
        if shares > 0 {
            told(&project, |text| text.replacen(r#""package":"#, r#""shares":true,"package":"#, shares));
        }
        let lint = project.run(&["lint"]);
        assert!(lint.starts_with(end), "{shares}: {lint}");
        assert_eq!(lint.contains("`suite::a` and `suite::b` both own `trains`"), shares < 2);
    }
}

#[test]
fn what_a_doc_test_recorded_is_not_taken_for_nobodys() {
    let project = owning(&[("trains", "suite::trains")]);
    for (name, program) in [("trains", "suite"), ("old", "rust_out"), ("bundled", "doctest_bundle_2024")] {
        let file = format!("cassettes/{name}.json");
        project.record(&file, &[(ask("When?"), answer("c", "At 9."))]);
        registered(&project, &file);
        project.write(&file, project.read(&file).replace("suite::ask", &format!("{program}::main")));
    }
    let pruned = project.run(&["prune", "--force"]);
    assert!(pruned.starts_with("exit 0") && !pruned.contains("removes"), "{pruned}");
    assert!(project.path("cassettes/old.json").is_file() && project.path("cassettes/bundled.json").is_file());
}

#[test]
fn a_test_is_one_though_two_programs_have_it_and_one_without_a_cassette_lacks_none() {
    let project = owning(&[("trains", "suite::trains"), ("trains", "suite::trains"), ("none", "suite::none")]);
    project.record("cassettes/trains.json", &[(ask("When?"), answer("c", "At 9."))]);
    let text = project.read("cassettes/trains.json").replace("suite::ask", "suite::trains");
    project.write("cassettes/trains.json", text);
    told(&project, |text| {
        let at = text.find("suite::none").unwrap();
        let off = text[at..].replacen(r#""package":"#, r#""mode":"off","package":"#, 1);
        format!("{}{off}", &text[..at]).replace(r#""line":2"#, r#""line":1"#)
    });
    let lint = project.run(&["lint"]);
    assert!(
        lint.starts_with("exit 0") && lint.ends_with("\n1 cassette and 2 tests checked, nothing found\n"),
        "{lint}"
    );
}

#[test]
fn a_test_program_that_was_moved_is_told_where_its_package_is() {
    let project =
        owning(&[("trains", "suite::trains")]).with("CARGO_MANIFEST_DIR", "/another").with("CARGO_PKG_NAME", "another");
    project.record("cassettes/trains.json", &[(ask("When?"), answer("c", "At 9."))]);
    told(&project, |text| {
        text.replacen('\n', "\necho \"$CARGO_PKG_NAME $CARGO_MANIFEST_DIR $PWD\" > whereabouts\n", 1)
    });
    project.run(&["lint"]);
    let dir = project.path("").canonicalize().unwrap().display().to_string();
    let told =
        project.read("whereabouts").replace(&dir, "[DIR]").replace(&*project.path("").to_string_lossy(), "[DIR]");
    assert_eq!(told, "timetable [DIR] [DIR]\n");
}

#[test]
fn a_day_that_is_none_or_to_come_is_found_and_shown_as_such() {
    let project = Project::new();
    for (name, day) in
        [("garbage", "garbage"), ("later", "2031-01-01"), ("short", "2026-11-31"), ("sound", "2026-11-29")]
    {
        let file = format!("cassettes/{name}.json");
        project.record(&file, &[(ask("When?"), answer("c", "At 9."))]);
        project.write(&file, project.read(&file).replace("2026-11-29", day));
    }
    project.record("cassettes/undated.json", &[(ask("When?"), answer("c", "At 9."))]);
    let text = project.read("cassettes/undated.json");
    project.write("cassettes/undated.json", text.replace("  \"recorded\": \"2026-11-29\",\n", ""));
    insta::assert_snapshot!(project.run(&["lint", "--files"]));
    insta::assert_snapshot!(project.run(&["lint", "--files", "--max-age", "5d"]));
    insta::assert_snapshot!(project.run(&["list"]));
    insta::assert_snapshot!(project.run(&["status"]));
    assert!(project.run(&["show", "garbage"]).contains(" · recorded garbage (no date) · "));
    // A day that somebody has fixed for all programs makes none of them later than today.
    let project = project.with("SOURCE_DATE_EPOCH", "315532800");
    assert_eq!(project.run(&["lint", "--files"]).matches("still to come").count(), 1);
}

#[test]
fn a_damaged_allow_list_is_one_finding() {
    let project = Project::new();
    for name in ["a", "b", "c"] {
        project.record(&format!("cassettes/{name}.json"), &[(ask("When?"), answer("c", "At 9."))]);
    }
    let entry = r#"{"cassette": "a", "path": "x", "rule": "r", "value": "01234567", "reason": "made up"}"#;
    project.write("cassettes/allow.json", format!("[\n  {entry},\n  {}\n]\n", entry.replace("made up", " ")));
    insta::assert_snapshot!(project.run(&["lint", "--files"]));
    project.write("cassettes/allow.json", "[\n");
    let told = project.run(&["lint", "--files", "--format", "github"]);
    assert!(told.contains("::error file=cassettes/allow.json,line=2,title=cassette unreadable::"), "{told}");
    assert_eq!(told.matches("::error").count(), 1, "{told}");
}

#[test]
fn what_no_rule_hides_is_to_be_taken_out_by_hand() {
    let value = ["tulip", "gate", "99871", "xy"].join("-");
    let project = Project::new().with("TIMETABLE_API_KEY", &value);
    let calls = [(ask("When?"), answer("chatcmpl-1", "At 09:04."))];
    for name in ["head", "header", "body"] {
        project.record(&format!("cassettes/{name}.json"), &calls);
    }
    let change = |file: &str, from: &str, to: &str| {
        let text = project.read(file);
        assert!(text.contains(from), "{text}");
        project.write(file, disk::reseal(&text.replacen(from, to, 1)).unwrap());
    };
    change("cassettes/head.json", "  \"recorded\"", &format!("  \"version\": \"{value}\",\n  \"recorded\""));
    change("cassettes/header.json", "\"x-request-id\"", &format!("\"x-{value}\""));
    change("cassettes/body.json", "At 09:04.", &value);
    let told = project.run(&["lint", "--files"]);
    assert!(!told.contains(&value));
    insta::assert_snapshot!(told);
    // What is advised works.
    let take_out = |file: &str, what: &str| project.write(file, project.read(file).replacen(what, "", 1));
    take_out("cassettes/head.json", &format!("  \"version\": \"{value}\",\n"));
    take_out("cassettes/header.json", &format!("-{value}"));
    for words in [&["seal", "header", "--scrub"][..], &["scrub", "body"], &["lint", "--files"]] {
        let told = project.run(words);
        assert!(told.starts_with("exit 0"), "{words:?}: {told}");
    }
}

#[test]
fn a_cassette_that_is_handed_over_to_a_test_that_no_source_has_is_told_so() {
    let project = Project::new();
    project.record("cassettes/trains.json", &[(ask("When?"), answer("chatcmpl-1", "At 09:04."))]);
    project.write("tests/suite.rs", "#[cassette(\"trains\")]\n#[test]\nfn trains() {}\n");
    let note = "--- stderr\nas far as the sources tell, there is no test suite::trians: see whose the cassettes are: cargo cassette lint\n";
    let told = project.run(&["seal", "trains", "--owner", "suite::trians"]);
    assert!(told.starts_with("exit 0") && told.ends_with(note), "{told}");
    assert!(
        project.run(&["seal", "trains", "--owner", "suit::trains", "-n"]).contains("there is no test suit::trains")
    );
    for test in ["suite::trains", "suite::trains::case_1", "suite::inner::trains"] {
        let told = project.run(&["seal", "trains", "--owner", test]);
        assert!(told.starts_with("exit 0") && !told.contains("stderr"), "{told}");
    }
}

#[test]
fn an_orphan_that_is_being_recorded_is_not_pruned() {
    let project = owning(&[("trains", "suite::trains")]);
    let calls = [(ask("When?"), answer("chatcmpl-1", "At 09:04."))];
    for name in ["gone", "lost"] {
        project.recording(name, &calls, Mode::Record, BodyEnd::Passed);
    }
    let recording = crate::upkeep::open(&project, "lost", &["When?", "How much?"]);
    let told = project.run(&["prune", "--renamed", "--force"]);
    let what = "error: a recording is under way: cassettes/.pending/lost.journal is locked, and nothing is removed\n";
    assert_eq!(told, format!("exit 2\n--- stderr\n{what}help: wait until its test has ended\n"));
    assert_eq!(project.run(&["prune", "--renamed", "--force", "--dry-run"]), told, "it would be refused so");
    assert!(["gone", "lost"].iter().all(|name| project.path(&format!("cassettes/{name}.json")).is_file()));
    drop(recording);
    assert!(project.run(&["prune", "--renamed", "--force"]).contains("removes cassettes/lost.json"));
}

#[test]
fn what_is_advised_for_an_old_recording_makes_it_young() {
    let project = Project::new();
    project.record("cassettes/trains.json", &[(ask("When?"), answer("c", "At 9."))]);
    // A refresh that finds nothing changed leaves a file of the last days as it is.
    let told = project.run(&["lint", "--files", "--max-age", "7d"]);
    let help = "help: write it anew: rm cassettes/trains.json && CASSETTE_MODE=record cargo test ask -- --exact\n";
    assert!(told.contains(help), "{told}");
    let text = project.read("cassettes/trains.json");
    let refresh = "help: write it anew: CASSETTE_MODE=refresh cargo test ask -- --exact\n";
    for day in ["2026-10-01", "2999-01-01", "soon"] {
        project.write("cassettes/trains.json", text.replace(crate::project::RECORDED, day));
        assert!(project.run(&["lint", "--files", "--max-age", "7d"]).contains(refresh), "{day}");
    }
}

#[test]
fn where_the_shell_stands_is_no_secret() {
    let project = Project::new();
    let here = project.path("cassettes").parent().unwrap().to_str().unwrap().to_owned();
    project.record("cassettes/trains.json", &[(ask(&format!("What is in {here}?")), answer("c", "Trains."))]);
    let project = project.with("PWD", &here);
    let lint = project.run(&["lint", "--files"]);
    assert!(lint.ends_with("1 cassette checked, nothing found\n"), "{lint}");
    let shown = project.run(&["show", "trains"]);
    assert!(shown.contains("What is in [DIR]?"), "{shown}");
}

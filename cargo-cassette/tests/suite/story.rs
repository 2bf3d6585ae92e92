//! A pull request as its author meets it: ten cassettes, one prompt changed, one test deleted, one key in a prompt, one recording
//! failed. The commands are those of `docs/review.md`, and the tests are built for real: their own program says what they own.

use std::path::Path;

use cassette_core::disk;
use cassette_core::mode::Mode;
use cassette_core::session::BodyEnd;

use crate::built;
use crate::project::Project;
use crate::recordings::{answer, ask, json, key};

/// The tests, and what each asks.
const TESTS: [(&str, &str); 10] = [
    ("arrivals", "When does the train from Oslo arrive?"),
    ("bicycles", "May I take a bicycle?"),
    ("delays", "Is the train late?"),
    ("departures", "When does the next train to Bergen leave?"),
    ("fares", "What does it cost to Bergen?"),
    ("groups", "Are there fares for groups?"),
    ("luggage", "How much luggage may I take?"),
    ("platforms", "From which platform does it leave?"),
    ("refunds", "Can I give my ticket back?"),
    ("seats", "Is there a window seat left?"),
];

/// Returns the tests of the package, all but these.
fn suite(without: &[&str]) -> String {
    let one = |(name, _): &(&str, &str)| {
        format!(
            "#[cassette(\"{name}\")]\n#[test]\nfn {name}(cassette: Cassette) {{\n    let _ = cassette.mode();\n}}\n\n"
        )
    };
    let tests = TESTS.iter().filter(|(name, _)| !without.contains(name)).map(one);
    format!("use cassette_test::{{Cassette, cassette}};\n\n{}", tests.collect::<String>())
}

/// Returns the repository of a package as it is on `main`: each test with its cassette, all in order.
fn repository(package: &str) -> Project {
    let project = built::package(package, "\"replay\"", "");
    project.write("tests/suite.rs", suite(&[]));
    project.write(".gitignore", "Cargo.lock\n");
    project.run(&["init"]);
    for (name, question) in TESTS {
        let calls = [(ask(question), answer("chatcmpl-1", "I shall look that up."))];
        project.recording(name, &calls, Mode::Record, BodyEnd::Passed);
    }
    project.git(&["init", "-q", "-b", "main"]);
    project.git(&["add", "-A"]);
    project.git(&["commit", "-q", "-m", "everything"]);
    project
}

#[test]
fn a_pull_request_is_understood_and_settled_in_under_a_minute() {
    let project = repository("timetable");
    let clean = project.run(&["lint"]);
    assert!(clean.starts_with("exit 0"), "{clean}");

    // The prompt of one test changed, and it was recorded again.
    let departures = [(ask("When does the next train to Bergen leave, on Sunday?"), answer("chatcmpl-2", "At 10:04."))];
    project.recording("departures", &departures, Mode::Record, BodyEnd::Passed);
    // One test was deleted.
    project.write("tests/suite.rs", suite(&["groups"]));
    // A key stands in a prompt: recorded by a colleague whose version did not know such keys.
    let luggage = project.read("cassettes/luggage.json");
    let luggage = luggage.replace("How much luggage", &format!("With {}: how much luggage", key()));
    project.write("cassettes/luggage.json", disk::reseal(&luggage).unwrap());
    // The service was out of order while another was recorded again.
    let overloaded = json(503, r#"{"error":{"message":"Overloaded, try again."}}"#);
    project.recording("seats", &[(ask("Are two window seats left?"), overloaded)], Mode::Record, BodyEnd::Passed);

    let lint = project.run(&["lint"]);
    assert!(!lint.contains(&key()));
    let comment = ["diff", "--base", "main", "--format", "markdown"];
    let screens = [
        ("1_status", "status", project.run(&["status"])),
        ("2_lint", "lint", lint),
        ("3_review", "review", project.answer(&["review", "--stdin"], "r\n")),
        ("4_scrub", "scrub", project.run(&["scrub"])),
        ("5_prune", "prune", project.run(&["prune"])),
        ("6_lint", "lint", project.run(&["lint"])),
        ("7_diff", "diff --base main", project.run(&comment[..3])),
        ("8_comment", "diff --base main --format markdown", project.run(&comment)),
    ];
    for (name, _, screen) in &screens {
        insta::assert_snapshot!(*name, screen);
    }
    assert!(screens[5].2.starts_with("exit 0"), "everything is settled");
    assert!(screens[7].2.lines().count() <= 60, "the comment is one screen");
    let texts = ["luggage", "seats", "departures"].map(|name| project.read(&format!("cassettes/{name}.json")));
    assert!(!texts[0].contains(&key()) && texts[1].contains("a window seat") && texts[2].contains("Sunday"));
    told_in_the_documentation(&screens);
}

/// Checks that `docs/review.md` shows these screens: below each command, in their order.
#[expect(clippy::disallowed_methods, reason = "the mended document is put beside what was built")]
fn told_in_the_documentation(screens: &[(&str, &str, String)]) {
    let document = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/review.md"));
    let text = std::fs::read_to_string(document).unwrap();
    let mut screens = screens.iter();
    let mut mended = String::new();
    let (mut fence, mut is_printed) = ("", false);
    for line in text.lines() {
        match line {
            line if is_printed && line != fence => continue,
            line if line.starts_with("```") => fence = line.trim_end_matches(char::is_alphabetic),
            _ => {}
        }
        is_printed = false;
        mended += &format!("{line}\n");
        if let Some(command) = line.strip_prefix("$ cargo cassette ") {
            let (_, of, screen) = screens.next().expect("a screen for each command");
            assert_eq!(command, *of);
            mended += screen.split_once("--- stdout\n").map_or("", |(_, printed)| printed);
            is_printed = true;
        }
    }
    assert!(screens.next().is_none(), "a command for each screen");
    if mended != text {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("review.md");
        std::fs::write(&place, mended).unwrap();
        panic!("docs/review.md shows what is no longer printed\nhelp: cp {} {}", place.display(), document.display());
    }
}

#[test]
fn the_programs_of_real_tests_say_what_they_own() {
    let project = repository("owners");
    let more = [
        "#[cassette(\"timetable\")]\n#[test]\nfn timetable(cassette: Cassette) {\n    let _ = cassette.mode();\n}\n",
        "#[cassette(\"fares\")]\n#[test]\nfn fares_again(cassette: Cassette) {\n    let _ = cassette.mode();\n}\n",
        "#[cassette(\"seats\", mode = \"replay\")]\n#[test]\nfn seats_once_more(cassette: Cassette) {\n    let _ = cassette.mode();\n}\n",
        "#[cassette(\"nothing\", mode = \"off\")]\n#[test]\nfn nothing(cassette: Cassette) {\n    let _ = cassette.mode();\n}\n",
    ];
    project.write("tests/suite.rs", suite(&["groups"]) + &more.join("\n"));
    // What a command left that was killed goes with the next.
    project.write("tmp/cassette-run-1-0/lock", "");
    project.write("tmp/cassette-run-1-0/registry", "[");
    let tmp = project.path("tmp").display().to_string();
    let project = project.with("TMPDIR", &tmp);
    insta::assert_snapshot!(project.run(&["lint", "--format", "github"]));
    insta::assert_snapshot!(project.run(&["prune", "--dry-run"]));
    assert_eq!(std::fs::read_dir(project.path("tmp")).unwrap().count(), 0);
}

#[test]
#[cfg(unix)]
fn in_a_directory_that_is_named_tests_own_what_they_record_there() {
    let project = repository("elsewhere");
    let more =
        "#[cassette(\"office/clock\")]\n#[test]\nfn clock(cassette: Cassette) {\n    let _ = cassette.mode();\n}\n";
    project.write("tests/suite.rs", suite(&[]) + more);
    project.recording(
        "office/clock",
        &[(ask("What time is it?"), answer("c", "Nine."))],
        Mode::Record,
        BodyEnd::Passed,
    );
    let all = |dir: &str| {
        let lint = project.run(&["lint", "--dir", dir]);
        let prune = project.run(&["prune", "--force", "--dir", dir]);
        let missing = project.run(&["record", "--missing", "--dir", dir]);
        [lint, prune, missing].map(|told| told.split_once("--- stdout\n").unwrap_or_default().1.to_owned())
    };
    let owned = ["11 cassettes and 11 tests checked, nothing found\n", "every cassette is owned by a test\n"];
    let recorded = "nothing is missing: 11 tests with a cassette, all recorded\n";
    assert_eq!(all("cassettes"), [owned[0], owned[1], recorded]);
    // One that is within theirs, and theirs by another name.
    let part = ["1 cassette and 1 test checked, nothing found\n", owned[1]];
    assert_eq!(
        all("cassettes/office"),
        [part[0], part[1], "nothing is missing: 1 test with a cassette, all recorded\n"]
    );
    project.link("../cassettes", "links/ours");
    assert_eq!(all("links/ours"), [owned[0], owned[1], recorded]);

    // One in which no test keeps its cassettes, for which they are run with `CASSETTE_DIR`.
    std::fs::rename(project.path("cassettes"), project.path("recorded")).unwrap();
    assert_eq!(all("recorded"), [owned[0], owned[1], recorded]);
    project.write("recorded/gone.json", project.read("recorded/groups.json").replace("suite::groups", "suite::nobody"));
    std::fs::remove_file(project.path("recorded/groups.json")).unwrap();
    let [lint, _, missing] = all("recorded");
    assert!(lint.contains("missing: nothing is recorded for `suite::groups`, cassette `groups`"), "{lint}");
    assert!(missing.contains("cassettes: 1 run of 1 cassette in record"), "{missing}");
    assert!(!project.path("recorded/gone.json").exists() && project.path("recorded/seats.json").is_file());

    // Of a part of a directory nobody knows which tests that are no more have recorded into it.
    std::fs::rename(project.path("recorded"), project.path("cassettes")).unwrap();
    let text = project.read("cassettes/office/clock.json");
    project.write("cassettes/office/gone.json", text);
    let undecided = "not decided: cassettes/office/gone.json, in a directory where no test that was asked keeps its cassettes; without --dir its owners are asked\n";
    let nothing = "nothing is removed\n";
    let [lint, prune, _] = all("cassettes/office");
    assert_eq!(
        [lint, prune],
        [format!("{undecided}2 cassettes and 1 test checked, nothing found\n"), format!("{undecided}{nothing}")]
    );
    assert!(project.path("cassettes/office/gone.json").is_file());
}

//! Cassettes that are links: whatever writes one writes what the link leads to, and the link stays.

use cassette_core::disk;
use cassette_core::mode::Mode;
use cassette_core::session::BodyEnd;

use crate::project::Project;
use crate::recordings::{answer, ask, key};

/// Returns a project in which `cassettes/trains.json` leads to `shared/trains.json`, which holds a key and is laid out loosely.
fn project() -> Project {
    let project = Project::new();
    let calls = [(ask("When?"), answer("chatcmpl-1", "At 09:04, says KEY."))];
    project.recording("trains", &calls, Mode::Record, BodyEnd::Passed);
    let leaky = disk::reseal(&project.read("cassettes/trains.json").replace("KEY", &key())).unwrap();
    project.write("shared/trains.json", leaky.replace("\n  ", "\n      "));
    std::fs::remove_file(project.path("cassettes/trains.json")).unwrap();
    project.link("../shared/trains.json", "cassettes/trains.json");
    project
}

/// Runs a command that writes the cassette, and returns what the link leads to then.
#[track_caller]
fn writes(project: &Project, words: &[&str]) -> String {
    let before = project.read("shared/trains.json");
    let told = project.run(words);
    assert!(told.starts_with("exit 0"), "{words:?}: {told}");
    assert!(project.path("cassettes/trains.json").is_symlink(), "{words:?} leaves the link");
    let after = project.read("shared/trains.json");
    assert_ne!(before, after, "{words:?} writes what it leads to");
    after
}

#[test]
fn what_a_link_leads_to_is_what_every_verb_writes() {
    let project = project();
    let scrubbed = writes(&project, &["scrub"]);
    assert!(!scrubbed.contains(&key()), "the key is nowhere any more");
    project.write("shared/trains.json", scrubbed.replace("\n  ", "\n      "));
    let compact = writes(&project, &["compact"]);
    project.write("shared/trains.json", compact.replace("At 09:04", "At 09:05"));
    writes(&project, &["seal", "trains"]);
    project.write("shared/trains.json", compact.replace("At 09:04", &format!("At {}", key())));
    assert!(!writes(&project, &["seal", "trains", "--scrub"]).contains(&key()));

    project.recording("trains", &[(ask("How much?"), answer("c", "A lot."))], Mode::Refresh, BodyEnd::Panicked);
    let accepted = writes(&project, &["accept", "trains"]);
    assert!(accepted.contains("How much?"));

    let har = project.run(&["export", "trains"]);
    let har = har.split_once("--- stdout\n").unwrap().1.split("--- stderr").next().unwrap();
    project.write("trains.har", har.replace("A lot.", "Less."));
    assert!(writes(&project, &["import", "trains.har", "--name", "trains", "--force"]).contains("Less."));
}

#[test]
fn an_export_to_a_link_is_written_where_it_leads() {
    let project = project();
    project.write("out/real.har", "");
    project.link("out/real.har", "trains.har");
    assert!(project.run(&["export", "trains", "-o", "trains.har"]).starts_with("exit 0"));
    assert!(project.path("trains.har").is_symlink() && project.read("out/real.har").contains("chat/completions"));
    let left: Vec<_> = std::fs::read_dir(project.path("out")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn what_an_export_left_that_was_killed_goes_with_the_next() {
    let project = project();
    project.write("trains.har.exporting-1-0", "half of it");
    project.write("trains.har.exporting-notes", "somebody's");
    assert!(project.run(&["export", "trains", "-o", "trains.har"]).starts_with("exit 0"));
    assert!(!project.path("trains.har.exporting-1-0").exists() && project.path("trains.har.exporting-notes").exists());
}

#[test]
fn what_lies_elsewhere_is_refused_and_stays() {
    let project = project();
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("trains.json");
    std::fs::copy(project.path("shared/trains.json"), &target).unwrap();
    std::fs::remove_file(project.path("cassettes/trains.json")).unwrap();
    project.link(&target.to_string_lossy(), "cassettes/trains.json");
    let before = std::fs::read(&target).unwrap();
    let shown = |told: String| told.replace(&*elsewhere.path().to_string_lossy(), "[ELSEWHERE]");
    let told = shown(project.run(&["scrub", "--dry-run"]));
    assert_eq!(told, shown(project.run(&["scrub"])), "what would be refused is told so");
    insta::assert_snapshot!(told + &shown(project.run(&["compact"])) + &shown(project.run(&["seal", "trains"])));
    assert_eq!(std::fs::read(&target).unwrap(), before);
    // What a link leads to stays where the link is removed.
    let json = project.run(&["delete", "trains", "-n", "--json"]);
    assert!(json.contains("\"outcome\": \"would be removed\",\n      \"link\": true\n"), "{json}");
    insta::assert_snapshot!(project.run(&["delete", "trains"]));
    assert!(target.is_file() && !project.path("cassettes/trains.json").is_symlink());
}

#[test]
fn a_link_and_what_it_leads_to_are_two_whatever_is_named_first() {
    for words in [["delete", "link", "trains"], ["delete", "trains", "link"], ["delete", "link", "link"]] {
        let project = Project::new();
        project.record("cassettes/trains.json", &[(ask("When?"), answer("c", "At 9."))]);
        project.link("trains.json", "cassettes/link.json");
        let told = project.run(&words);
        let left =
            ["trains", "link"].map(|name| project.path(&format!("cassettes/{name}.json")).symlink_metadata().is_ok());
        assert_eq!(left, [words[1..] == ["link", "link"], false], "{words:?}: {told}");
    }
}

#[test]
fn a_link_that_leads_nowhere_is_to_be_mended_or_removed() {
    let project = Project::new();
    project.record("cassettes/trains.json", &[(ask("When?"), answer("c", "At 9."))]);
    project.link("nowhere.json", "cassettes/lost.json");
    for words in [&["compact", "-n"][..], &["scrub", "-n"], &["diff", "lost", "trains"], &["seal", "lost"]] {
        let told = project.run(words);
        let help = "help: mend the link, which leads nowhere, or remove it: rm cassettes/lost.json\n";
        assert!(told.contains(help), "{words:?}: {told}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_file_is_told_and_never_waited_for() {
    let project = Project::new();
    project.record("cassettes/trains.json", &[(ask("When?"), answer("c", "At 9."))]);
    let pipe =
        |file: &str| assert!(std::process::Command::new("mkfifo").arg(project.path(file)).status().unwrap().success());
    pipe("cassettes/pipe.json");
    insta::assert_snapshot!("pipe_lint", project.run(&["lint", "--files"]));
    insta::assert_snapshot!("pipe_show", project.run(&["show", "pipe"]));
    insta::assert_snapshot!("pipe_list", project.run(&["list"]));
    std::fs::remove_file(project.path("cassettes/pipe.json")).unwrap();
    pipe("cassettes/allow.json");
    insta::assert_snapshot!("pipe_allow", project.run(&["lint", "--files"]));
    insta::assert_snapshot!("pipe_scrub", project.run(&["scrub", "--dry-run"]));
    pipe("cassette.toml");
    insta::assert_snapshot!("pipe_settings", project.run(&["list"]));
}

#[test]
fn a_file_is_mended_once_by_whatever_names_it_is_reached() {
    let scene = || {
        let project = Project::new();
        project.record("cassettes/seats.json", &[(ask("With KEY?"), answer("c", "KEY."))]);
        let leaky = project.read("cassettes/seats.json").replace("KEY", &key());
        project.write("cassettes/seats.json", disk::reseal(&leaky).unwrap());
        project.write("elsewhere/maps.json", disk::reseal(&leaky).unwrap());
        project.link("../seats.json", "cassettes/deep/l.json");
        project.link("seats.json", "cassettes/ll.json");
        project.link("../elsewhere/maps.json", "cassettes/map.json");
        project.link("../elsewhere/maps.json", "cassettes/other.json");
        project
    };
    for verb in ["scrub", "compact"] {
        let project = scene();
        let dry = project.run(&[verb, "--dry-run"]);
        let real = project.run(&[verb]);
        let told = |text: &str| text.split_once("--- stdout\n").unwrap().1.replace("would scrub", "scrubs");
        assert_eq!(told(&dry), told(&real), "{verb}");
        insta::assert_snapshot!(format!("once_{verb}"), real);
    }
    assert!(scene().run(&["scrub", "ll", "-n"]).contains("would scrub cassettes/ll.json"));
}

/// Returns the text of a cassette of one question.
fn asking(question: &str) -> String {
    crate::project::document(&[(ask(question), answer("c", "Yes."))])
}

#[test]
fn what_a_link_leads_to_is_what_diff_compares() {
    let project = Project::new();
    project.write("shared/trains.json", asking("When?"));
    project.link("../shared/trains.json", "cassettes/trains.json");
    project.commit();
    let nothing = "exit 0\n--- stdout\nnothing differs from HEAD\n";
    for words in [&["diff", "--base", "HEAD"][..], &["diff", "--base", "HEAD", "trains"]] {
        project.write("shared/trains.json", asking("When?"));
        assert_eq!(project.run(words), nothing);
        project.write("shared/trains.json", asking("Where?"));
        let told = project.run(words);
        assert!(told.contains("- \"When?\"") && told.contains("+ \"Where?\""), "{told}");
    }
}

#[test]
fn a_directory_that_is_a_link_or_below_one_is_compared_as_it_was() {
    for (dir, link, to) in [("cassettes", "cassettes", "data/one"), ("data/tapes", "data", "other")] {
        let project = Project::new();
        project.write("cassette.toml", format!("dir = \"{dir}\"\n"));
        let real = dir.replacen(link, to, 1);
        project.write(&format!("{real}/trains.json"), asking("When?"));
        project.link(to, link);
        project.commit();
        project.write(&format!("{real}/trains.json"), asking("Where?"));
        let told = project.run(&["diff", "--base", "HEAD"]);
        assert!(told.contains("- \"When?\"") && told.contains("+ \"Where?\""), "{told}");
        // Where it led elsewhere, that is what it was.
        let moved = real.replacen(to, "elsewhere", 1);
        project.write(&format!("{moved}/trains.json"), asking("Who?"));
        project.write(&format!("{moved}/fares.json"), asking("How much?"));
        std::fs::remove_file(project.path(link)).unwrap();
        project.link("elsewhere", link);
        let told = project.run(&["diff", "--base", "HEAD"]);
        assert!(told.contains("- \"When?\"") && told.contains("+ \"Who?\""), "{told}");
        assert!(told.contains("fares  added") && told.contains("2 cassettes differ"), "{told}");
        let told = project.run(&["diff", "--base", "HEAD", "trains"]);
        assert!(told.contains("- \"When?\"") && told.contains("+ \"Who?\""), "{told}");
    }
}

#[test]
fn a_directory_in_the_place_of_which_a_link_came_is_compared_as_it_was() {
    let project = Project::new();
    project.write("cassettes/trains.json", asking("When?"));
    project.write("cassettes/gone.json", asking("What?"));
    project.commit();
    std::fs::create_dir(project.path("data")).unwrap();
    std::fs::rename(project.path("cassettes"), project.path("data/tapes")).unwrap();
    std::fs::remove_file(project.path("data/tapes/gone.json")).unwrap();
    project.link("data/tapes", "cassettes");
    project.write("data/tapes/trains.json", asking("Where?"));
    let told = project.run(&["diff", "--base", "HEAD"]);
    assert!(told.contains("- \"When?\"") && told.contains("+ \"Where?\"") && told.contains("gone  removed"), "{told}");
}

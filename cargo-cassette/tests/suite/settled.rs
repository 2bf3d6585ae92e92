//! What is said of recordings that were not taken over: it leads on, whatever has become of the file that they are for.

use cassette_core::disk;
use cassette_core::mode::Mode;
use cassette_core::session::BodyEnd;

use crate::advice::{change, check, kept, leak, pend};
use crate::project::Project;
use crate::recordings::{answer, ask, key};

/// Returns a project with a recording that was made over a file which another one has replaced since.
fn overtaken() -> Project {
    let project = Project::new();
    let told = |text: &str| [(ask("When?"), answer("chatcmpl-1", text))];
    project.recording("seats", &told("At nine."), Mode::Record, BodyEnd::Passed);
    project.recording("seats", &told("At ten."), Mode::Refresh, BodyEnd::Panicked);
    let replaced = project.read("cassettes/seats.json").replace("At nine.", "At eleven.");
    project.write("cassettes/seats.json", disk::reseal(&replaced).unwrap());
    project
}

#[test]
fn a_directory_in_a_cassettes_place_goes_out_of_its_way() {
    let project = Project::new();
    pend(&project, "seats");
    std::fs::create_dir(project.path("cassettes/seats.json")).unwrap();
    check(&project, "cargo cassette accept seats", &["rmdir cassettes/seats.json"], "exit 0");

    let project = Project::new();
    pend(&project, "seats");
    project.write("cassettes/seats.json/day.json", "{}");
    project.write("cassettes/seats/night.json", "{}");
    let moved = "mv cassettes/seats.json cassettes/seats-2";
    check(&project, "cargo cassette accept seats", &[moved], "exit 0");
    assert_eq!(project.read("cassettes/seats-2/day.json"), "{}");
}

#[test]
fn what_was_recorded_over_a_file_that_cannot_be_read_is_refreshed() {
    let help = |project: &Project| {
        let told = project.run(&["accept", "seats"]);
        told.lines().find_map(|line| line.trim().strip_prefix("help: ")).unwrap_or_default().to_owned()
    };
    let replaced = "; or take this one over all the same: cargo cassette accept --replace seats";
    let project = overtaken();
    assert_eq!(help(&project), format!("record again: CASSETTE_MODE=record cargo test seats -- --exact{replaced}"));
    let refresh = format!("record again: CASSETTE_MODE=refresh cargo test seats -- --exact{replaced}");
    change(&project, "cassettes/seats.json", |text| text.replace("At eleven.", "At twelve."));
    assert_eq!(help(&project), refresh, "changed by hand");
    project.write("cassettes/seats.json", "{");
    assert_eq!(help(&project), refresh, "damaged");
}

#[test]
fn what_became_of_the_file_is_told_as_it_is() {
    let refused = |project: &Project| project.run(&["accept", "seats"]).lines().nth(2).unwrap().to_owned();
    let project = overtaken();
    let told = "refuses seats: the file that it was recorded over has ";
    assert_eq!(refused(&project), format!("{told}changed since"));
    std::fs::remove_file(project.path("cassettes/seats.json")).unwrap();
    assert_eq!(refused(&project), format!("{told}vanished since"));
    let project = Project::new();
    pend(&project, "seats");
    project.record("cassettes/seats.json", &[(ask("Who?"), answer("chatcmpl-4", "He."))]);
    assert_eq!(refused(&project), "refuses seats: a file has appeared since where there was none");
}

#[test]
fn what_is_advised_in_the_end_is_not_what_is_refused() {
    let last = |project: &Project| project.run(&["review"]).lines().last().unwrap().to_owned();
    let project = overtaken();
    let by_name = "help: settle them at a terminal, or by name: cargo cassette accept";
    assert_eq!(last(&project), format!("{by_name} --replace seats, or cargo cassette reject seats"));

    pend(&project, "trains");
    assert_eq!(last(&project), format!("{by_name} trains, or cargo cassette reject trains"));

    let project = Project::new();
    pend(&project, "seats");
    let text = project.read("cassettes/.pending/seats.json");
    project.write("cassettes/.pending/seats.json", text.replace("\"why\": \"failed\"", "\"why\": \"denied\""));
    assert_eq!(last(&project), "help: what cannot be accepted is rejected: cargo cassette reject seats");
}

#[test]
fn of_a_conflict_that_no_merge_is_about_the_last_sound_commit_has_the_file() {
    let lint = "cargo cassette lint --files";
    let file = "cassettes/luggage.json";
    let torn = |text: &str| format!("{text}<<<<<<< HEAD\nx\n=======\n");
    let project = kept("luggage");
    project.commit();
    change(&project, file, torn);
    check(&project, lint, &["git checkout HEAD -- cassettes/luggage.json"], "exit 0");

    let sound = project.git(&["rev-parse", "--short", "HEAD"]);
    change(&project, file, torn);
    project.git(&["commit", "-q", "-a", "-m", "torn"]);
    let told = project.run(&["lint", "--files"]);
    let anew = "CASSETTE_MODE=refresh cargo test ask -- --exact";
    let help = format!(
        "help: take the file from before the merge: git checkout {} -- {file}, or record it anew: {anew}",
        sound.trim()
    );
    assert!(told.lines().any(|line| line.trim() == help), "{help}: {told}");
}

#[test]
fn a_secret_in_what_a_recording_says_of_itself_is_told_by_nobody() {
    let told = |project: &Project| {
        let all = [
            "review",
            "review --json",
            "status",
            "status --json",
            "lint --files",
            "lint --files --json",
            "accept --all -n",
            "accept --all -n --json",
            "reject --all -n",
            "reject --all -n --json",
            "accept",
            "accept x",
            "recover -n",
            "recover -n --json",
        ];
        for words in all {
            let told = project.run(&words.split(' ').collect::<Vec<_>>());
            assert!(!told.contains(&key()), "{words}: {told}");
        }
        for answers in ["s\n", "a\nq\n", "d\nr\n"] {
            let told = project.answer(&["review", "--stdin"], answers);
            assert!(!told.contains(&key()), "{answers}: {told}");
        }
    };
    let project = kept("seats");
    pend(&project, "trains");
    let text = project.read("cassettes/.pending/trains.json");
    project.write(
        "cassettes/.pending/trains.json",
        text.replace("\"why\": \"failed\"", &format!("\"why\": \"{}\"", key())),
    );
    project.write("cassettes/.pending/seats.json", "{");
    told(&project);

    let project = kept("seats");
    pend(&project, "trains");
    let text = project.read("cassettes/.pending/trains.json");
    project.write(&format!("cassettes/.pending/{}.json", key()), &text);
    project.write(&format!("cassettes/.pending/a-{}.json", key()), "{");
    project.write(&format!("cassettes/.pending/{}.journal", key()), "{");
    leak(&project, "cassettes/seats.json");
    told(&project);
}

#[test]
fn a_damaged_file_that_a_refresh_has_put_aside_is_told_as_what_it_is() {
    let project = Project::new();
    let calls = [(ask("When?"), answer("chatcmpl-1", "At nine."))];
    project.recording("fares/day", &calls, Mode::Record, BodyEnd::Passed);
    let text = project.read("cassettes/fares/day.json");
    let damaged = text.replace("At nine.", "At ten.");
    project.write("cassettes/fares/day.json", &damaged);
    project.recording("fares/day", &calls, Mode::Refresh, BodyEnd::Passed);
    let what = "the damaged file of `fares/day`, which a refresh has put aside: line ";
    let remove = "remove it: cargo cassette reject fares/day.damaged\n";
    let status = project.run(&["status"]);
    assert!(status.contains("cassettes/.pending, put aside\n") && !status.contains("not taken over"), "{status}");
    assert!(status.contains(what) && status.contains(remove), "{status}");
    let lint = project.run(&["lint", "--files"]);
    assert!(lint.contains(&format!(": pending: {what}")) && !lint.contains("not taken over"), "{lint}");
    assert!(lint.contains(&format!("help: when nothing in it is needed, {remove}")), "{lint}");
    let review = project.run(&["review"]);
    assert!(review.contains(what) && review.contains("\n1 file pending\n"), "{review}");
    let accept = project.run(&["accept", "--all"]);
    assert!(accept.starts_with("exit 1") && accept.contains(what) && accept.contains(remove), "{accept}");
    // It is kept until somebody says so.
    assert_eq!(project.read("cassettes/.pending/fares/day.damaged.json"), damaged);
    // A recording beside it is one, whatever its cassette is called.
    project.recording("fares/day", &[(ask("When?"), answer("c", "No."))], Mode::Record, BodyEnd::Panicked);
    project.recording("gate.damaged", &calls, Mode::Record, BodyEnd::Panicked);
    let status = project.run(&["status"]);
    assert!(status.contains("cassettes/.pending, not taken over\n") && status.contains(what), "{status}");
    assert!(!status.contains("of `gate`"), "{status}");
    let told = project.run(&["reject", "fares/day.damaged"]);
    assert!(
        told.starts_with("exit 0") && !project.path("cassettes/.pending/fares/day.damaged.json").exists(),
        "{told}"
    );
    assert!(project.run(&["show", "fares/day"]).starts_with("exit 0"));
}

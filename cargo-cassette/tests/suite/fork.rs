//! A cassette that begins as another one does.

use std::sync::Arc;

use cassette_core::call::Call;
use cassette_core::disk;
use cassette_core::mode::Mode;
use cassette_core::reply::Outcome;
use cassette_core::rerun::{Rerun, Target};
use cassette_core::session::{BodyEnd, Plan, Session, Step};
use cassette_core::store::FileStore;
use cassette_core::tape::Origin;

use crate::project::Project;
use crate::recordings::{ask, json, key};

fn run(towns: &[&str]) -> Vec<(Call, Outcome)> {
    towns.iter().map(|town| (ask(town), json(200, &format!("{{\"answer\":\"to {town}\"}}")))).collect()
}

fn project() -> Project {
    let project = Project::new();
    project.record("cassettes/run.json", &run(&["Bergen", "Oslo", "Voss"]));
    project
}

/// Records with the files of a project, and returns how many calls went live.
fn goes_on(project: &Project, fork: Option<Origin>, towns: &[&str]) -> usize {
    let store = Arc::new(FileStore::new(project.path("cassettes"), "cassettes"));
    let rerun = Rerun { package: "p".into(), target: Target::Lib, test: "goes_on".into(), ignored: false };
    let plan = Plan { fork, ..Plan::new("fixed", store, Mode::Record, "suite::goes_on", rerun) };
    let session = Session::open(plan).unwrap();
    for (call, outcome) in run(towns) {
        if let Step::Live(ticket) = session.begin(call) {
            ticket.finish(outcome).unwrap();
        }
    }
    let live = session.live_calls();
    assert_eq!(session.finish(BodyEnd::Passed).reports, []);
    live
}

#[test]
fn a_test_goes_on_from_the_beginning_that_was_written() {
    for fork in [None, Some(Origin { cassette: "run".into(), at: 2 })] {
        let project = project();
        let dry = project.run(&["fork", "run", "--at", "2", "fixed", "--dry-run"]);
        assert!(!project.path("cassettes/fixed.json").exists());
        let told = project.run(&["fork", "run", "--at", "2", "fixed"]);
        assert_eq!(dry.replace("would write", "writes"), told);
        insta::assert_snapshot!("forked", told);
        let (fixed, of) = (project.tape("cassettes/fixed.json"), project.tape("cassettes/run.json"));
        assert_eq!(fixed.interactions, of.interactions[..2]);
        assert_eq!((fixed.head.test, fixed.head.registered), (None, false));
        assert!(project.run(&["lint", "--files"]).starts_with("exit 0"));
        assert_eq!(goes_on(&project, fork, &["Bergen", "Oslo", "Hamar"]), 1);
        let fixed = project.tape("cassettes/fixed.json");
        assert_eq!(fixed.head.test.as_deref(), Some("suite::goes_on"), "the test has adopted it");
        assert_eq!(fixed.head.origin, Some(Origin { cassette: "run".into(), at: 2 }));
        assert_eq!((&fixed.interactions[..2], fixed.interactions.len()), (&of.interactions[..2], 3));
    }
}

#[test]
fn where_a_cassette_was_forked_is_shown() {
    let project = project();
    project.run(&["fork", "run", "--at", "2", "fixed"]);
    let shown = project.run(&["show", "fixed"]);
    assert!(shown.lines().any(|line| line.ends_with(" · forked from `run` at 2 · tokens unknown")), "{shown}");
    let status = project.run(&["status"]);
    assert!(
        status.lines().any(|line| line.contains("fixed") && line.ends_with(", forked from `run` at 2")),
        "{status}"
    );
    for words in [&["show", "fixed", "--json"][..], &["list", "--json"], &["status", "--json"]] {
        let json: String = project.run(words).split_whitespace().collect();
        assert_eq!(json.matches(r#""origin":{"cassette":"run","at":2}"#).count(), 1, "{json}");
    }
}

#[test]
fn the_end_of_a_run_is_a_place_to_go_on_from_and_a_name_may_have_a_directory() {
    let project = project();
    insta::assert_snapshot!(project.run(&["fork", "cassettes/run.json", "--at", "3", "fares/day"]));
    assert_eq!(project.tape("cassettes/fares/day.json").head.origin.unwrap().cassette, "run");
}

#[test]
fn what_cannot_be_forked_is_refused_and_nothing_is_written() {
    let project = project();
    let mut told = Vec::new();
    for words in [
        &["fork", "run", "--at", "4", "fixed"][..],
        &["fork", "run", "--at", "1", "../fixed"],
        &["fork", "run", "--at", "1", "Run"],
        &["fork", "none", "--at", "1", "fixed"],
        &["fork", "run", "fixed"],
        &["fork", "run", "--at", "-1", "fixed"],
    ] {
        told.push(project.run(words));
    }
    project.write("cassettes/run.json", project.read("cassettes/run.json").replace("to Oslo", "to Hamar"));
    told.push(project.run(&["fork", "run", "--at", "1", "fixed"]));
    insta::assert_snapshot!(told.join("\n"));
    assert!(!project.path("cassettes/fixed.json").exists());
}

#[test]
fn a_secret_that_is_vouched_for_in_the_run_is_not_taken_along_unseen() {
    let project = project();
    let key = key();
    let edited = project.read("cassettes/run.json").replace("to Bergen", &key);
    project.write("cassettes/run.json", disk::reseal(&edited).unwrap());
    let told = project.run(&["fork", "run", "--at", "1", "fixed"]);
    assert!(!told.contains(&key) && told.starts_with("exit 2"), "{told}");
    assert!(!project.path("cassettes/fixed.json").exists());
}

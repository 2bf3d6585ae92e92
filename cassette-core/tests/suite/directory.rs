//! The directory of files: what is written where, and what happens where it cannot be.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use cassette_core::mode::Mode;
use cassette_core::session::{BodyEnd, Plan, Session, Step};
use cassette_core::store::{FileStore, MemoryStore, Store};

use crate::bench_of_calls::{NAME, ask, codes, counting, gone, plan, reply, run};

fn in_dir(dir: &Path, name: &str, mode: Mode) -> Plan {
    let store: Arc<dyn Store> = Arc::new(FileStore::new(dir.join("cassettes"), "cassettes"));
    Plan { name: name.into(), store, ..plan(&MemoryStore::default(), mode) }
}

/// Returns every file below a directory, sorted.
fn files(dir: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut left = vec![dir.to_owned()];
    while let Some(next) = left.pop() {
        for entry in fs::read_dir(next).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                left.push(path)
            } else {
                found.push(path.strip_prefix(dir).unwrap().display().to_string())
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_recording_leaves_one_file_and_a_directory_that_git_ignores() {
    let dir = tempfile::tempdir().unwrap();
    let (_, verdict) =
        run(in_dir(dir.path(), "deep/trains", Mode::Record), &[ask("Bergen")], counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    assert_eq!(files(dir.path()), ["cassettes/.pending/.gitignore", "cassettes/deep/trains.json"]);
    assert_eq!(fs::read(dir.path().join("cassettes/.pending/.gitignore")).unwrap(), b"*\n");
    let (got, _) = run(in_dir(dir.path(), "deep/trains", Mode::Replay), &[ask("Bergen")], gone, BodyEnd::Passed);
    assert_eq!(got, [Ok(reply(200, "answer 1"))]);
}

#[test]
fn a_replay_writes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(Session::open(in_dir(dir.path(), NAME, Mode::Replay)).unwrap_err().code(), "missing");
    assert_eq!(files(dir.path()), [""; 0]);
}

#[test]
fn a_failed_recording_stands_beside_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let (_, verdict) = run(in_dir(dir.path(), NAME, Mode::Record), &[ask("Bergen")], counting(), BodyEnd::Panicked);
    assert_eq!(files(dir.path()), ["cassettes/.pending/.gitignore", "cassettes/.pending/trains.json"]);
    insta::assert_snapshot!(verdict.summary.to_string());
    let report = Session::open(in_dir(dir.path(), NAME, Mode::Replay)).unwrap_err();
    insta::assert_snapshot!(report.to_string());
}

#[test]
fn what_a_crash_left_is_kept_aside_and_told() {
    let dir = tempfile::tempdir().unwrap();
    let crashed = Session::open(in_dir(dir.path(), NAME, Mode::Record)).unwrap();
    let Step::Live(ticket) = crashed.begin(ask("Bergen")) else { panic!("it goes live") };
    ticket.finish(reply(200, "paid for")).unwrap();
    drop(crashed);
    let (_, verdict) = run(in_dir(dir.path(), NAME, Mode::Record), &[ask("Oslo")], counting(), BodyEnd::Passed);
    let aside = "cassettes/.pending/trains.cut-short-1.journal";
    assert_eq!(verdict.summary.cut_short.as_deref(), Some(aside));
    let journal = fs::read_to_string(dir.path().join(aside)).unwrap();
    let (interactions, torn) = cassette_core::journal::recover(&journal).unwrap();
    assert_eq!((interactions.len(), torn), (1, false));
    assert_eq!(files(dir.path()), ["cassettes/.pending/.gitignore", aside, "cassettes/trains.json"]);
}

#[test]
fn two_processes_that_record_one_file_meet_at_the_lock() {
    let dir = tempfile::tempdir().unwrap();
    let first = Session::open(in_dir(dir.path(), NAME, Mode::Record)).unwrap();
    let Step::Live(ticket) = first.begin(ask("Bergen")) else { panic!("it goes live") };
    let (_, verdict) = run(in_dir(dir.path(), NAME, Mode::Record), &[ask("Bergen")], gone, BodyEnd::Passed);
    insta::assert_snapshot!(verdict.reports[0].to_string());
    ticket.finish(reply(200, "09:04")).unwrap();
    assert_eq!(codes(&first.finish(BodyEnd::Passed)), [""; 0]);
}

#[test]
fn a_name_that_differs_only_by_case_is_refused_before_anything_goes_live() {
    let dir = tempfile::tempdir().unwrap();
    run(in_dir(dir.path(), "trains", Mode::Record), &[ask("Bergen")], counting(), BodyEnd::Passed);
    let (_, verdict) = run(in_dir(dir.path(), "Trains", Mode::Record), &[ask("Bergen")], gone, BodyEnd::Passed);
    insta::assert_snapshot!(verdict.reports[0].to_string());
}

#[test]
fn what_cannot_be_saved_is_kept_pending() {
    let dir = tempfile::tempdir().unwrap();
    // A directory where the file should be.
    let session = Session::open(in_dir(dir.path(), NAME, Mode::Record)).unwrap();
    let Step::Live(ticket) = session.begin(ask("Bergen")) else { panic!("it goes live") };
    ticket.finish(reply(200, "09:04")).unwrap();
    fs::create_dir_all(dir.path().join("cassettes/trains.json/in-the-way")).unwrap();
    let verdict = session.finish(BodyEnd::Passed);
    assert_eq!(codes(&verdict), ["storage"]);
    assert_eq!(verdict.summary.pending.as_deref(), Some("cassettes/.pending/trains.json"));
    assert_eq!(files(dir.path()), ["cassettes/.pending/.gitignore", "cassettes/.pending/trains.json"]);
}

#[test]
fn where_nothing_can_be_written_nothing_goes_live() {
    let dir = tempfile::tempdir().unwrap();
    // A file where the directory should be: the super-user, too, cannot write below it.
    #[expect(clippy::disallowed_methods, reason = "the test makes its own obstacle")]
    {
        fs::create_dir(dir.path().join("cassettes")).unwrap();
        fs::write(dir.path().join("cassettes/.pending"), b"").unwrap();
    }
    let (got, verdict) = run(in_dir(dir.path(), NAME, Mode::Record), &[ask("Bergen")], gone, BodyEnd::Passed);
    assert_eq!(got, [Err("storage")]);
    let shown = verdict.reports[0].to_string();
    assert!(shown.starts_with("cassette storage: could not write cassettes/.pending/.gitignore: "), "{shown}");
    assert!(shown.contains("\nhelp: check that the directory exists"), "{shown}");
}

#[test]
fn a_journal_that_was_removed_while_it_was_being_locked_is_made_anew() {
    let dir = tempfile::tempdir().unwrap();
    let store = FileStore::new(dir.path(), "cassettes");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..200 {
                    let Ok(mut opened) = store.journal(NAME) else { continue };
                    opened.journal.append("{}").unwrap();
                    let path = dir.path().join(".pending/trains.journal");
                    assert_eq!(fs::read_to_string(path).unwrap(), "{}\n", "one holder writes into one file");
                    assert_eq!(opened.cut_short, None, "what was closed is not taken for cut short");
                    opened.journal.close().unwrap();
                }
            });
        }
    });
}

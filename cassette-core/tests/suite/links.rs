//! A cassette's file that is a link: what it leads to is written, as far as it is the project's.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;

use cassette_core::mode::Mode;
use cassette_core::session::{BodyEnd, Plan};
use cassette_core::store::{FileStore, MemoryStore, Store as _};

use crate::bench_of_calls::{NAME, ask, codes, counting, gone, plan, run};

/// Returns a project with a directory of cassettes, and one beside it that is nobody's.
fn project() -> (tempfile::TempDir, FileStore) {
    let dir = tempfile::tempdir().unwrap();
    for made in ["project/.git", "project/cassettes", "project/shared", "elsewhere"] {
        fs::create_dir_all(dir.path().join(made)).unwrap();
    }
    let store = FileStore::new(dir.path().join("project/cassettes"), "cassettes");
    (dir, store)
}

fn of(store: &FileStore, mode: Mode) -> Plan {
    Plan { store: Arc::new(store.clone()), ..plan(&MemoryStore::default(), mode) }
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).unwrap().is_symlink()
}

#[test]
fn what_a_link_leads_to_is_written_and_the_link_stays() {
    let (dir, store) = project();
    let (link, target) = (store.path(NAME), dir.path().join("project/shared/trains.json"));
    // By way of another link, and to what is not there yet.
    symlink("../shared/first.json", &link).unwrap();
    symlink("trains.json", dir.path().join("project/shared/first.json")).unwrap();
    let (_, verdict) = run(of(&store, Mode::Record), &[ask("Bergen")], counting(), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    assert!(is_link(&link) && is_link(&dir.path().join("project/shared/first.json")) && !is_link(&target));
    assert_eq!(fs::read(&target).unwrap(), store.load(NAME).unwrap().unwrap());

    store.vouch(NAME, "mended").unwrap();
    assert_eq!((is_link(&link), fs::read_to_string(&target).unwrap()), (true, "mended".to_owned()));
    assert_eq!(store.half_written().len(), 0);
}

#[test]
fn what_is_not_the_projects_is_not_written_and_nothing_goes_live() {
    let (dir, store) = project();
    let outside = dir.path().join("elsewhere/trains.json");
    let strangers =
        [(outside, "lies outside of the project"), ("../notes.txt".into(), "is not called as a cassette's file is")];
    for (target, why) in strangers {
        symlink(&target, store.path(NAME)).unwrap();
        let (got, verdict) = run(of(&store, Mode::Record), &[ask("Bergen")], gone, BodyEnd::Passed);
        assert_eq!(got, [Err("storage")]);
        let (file, at) = (store.path(NAME), store.path(NAME).parent().unwrap().join(&target));
        let told = verdict.reports[0].to_string().replace(&*at.to_string_lossy(), "[TARGET]");
        let expected = format!(
            "cassette storage: could not write cassettes/trains.json: it is a link to [TARGET], which {why}\n\
             help: put a copy in the link's place: rm cassettes/trains.json && cp [TARGET] cassettes/trains.json"
        );
        assert_eq!(told, expected);
        assert!(store.vouch(NAME, "mended").is_err() && store.writable(NAME).is_err());
        assert!(is_link(&file) && !at.exists(), "{why}");
        fs::remove_file(file).unwrap();
    }
}

#[test]
fn links_that_lead_round_in_a_circle_are_told() {
    let (_dir, store) = project();
    symlink("trains.json", store.path(NAME)).unwrap();
    let error = store.vouch(NAME, "mended").unwrap_err().to_string();
    assert_eq!(error, "could not write cassettes/trains.json: its links lead round in a circle");
}

#[test]
fn the_directory_itself_may_be_a_link() {
    let (dir, _) = project();
    symlink("project/cassettes", dir.path().join("by-link")).unwrap();
    symlink("../shared/trains.json", dir.path().join("project/cassettes/trains.json")).unwrap();
    let store = FileStore::new(dir.path().join("by-link"), "by-link");
    store.vouch(NAME, "mended").unwrap();
    assert_eq!(fs::read_to_string(dir.path().join("project/shared/trains.json")).unwrap(), "mended");
}

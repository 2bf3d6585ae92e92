//! What programs leave that are killed: the next recording removes it, and what a living program writes stays.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use cassette_core::store::{FileStore, Store as _, half_written, write_whole};

use crate::bench_of_calls::NAME;

#[expect(clippy::disallowed_methods, reason = "a program that was killed left it so")]
fn leave(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "half of it").unwrap();
}

fn held(path: &Path) -> File {
    leave(path);
    let file = File::open(path).unwrap();
    file.lock().unwrap();
    file
}

#[test]
fn what_a_dead_program_left_goes_with_the_next_recording_and_what_is_held_stays() {
    let dir = tempfile::tempdir().unwrap();
    let store = FileStore::new(dir.path(), "cassettes");
    let pending = |name: &str| dir.path().join(".pending").join(name);
    // Whose number it is does not matter: this process's own may have been another's before.
    let dead = [pending("staged-1-0"), pending(&format!("staged-{}-7", std::process::id()))];
    dead.iter().for_each(|path| leave(path));
    let others = [pending("staged-notes.txt"), pending("staged-1-0.json"), pending("staged--1"), pending("staged-1-")];
    others.iter().for_each(|path| leave(path));
    let alive = pending("staged-1-1");
    let lock = held(&alive);
    let left: Vec<PathBuf> = store.half_written().iter().map(|left| left.path().to_owned()).collect();
    assert_eq!(left, dead);
    store.journal(NAME).unwrap().journal.close().unwrap();
    assert!(dead.iter().all(|path| !path.exists()) && others.iter().all(|path| path.exists()) && alive.exists());
    drop(lock);
    store.journal(NAME).unwrap().journal.close().unwrap();
    assert!(!alive.exists());
}

#[test]
fn whoever_looks_for_what_is_left_takes_nothing_from_those_who_write() {
    let dir = tempfile::tempdir().unwrap();
    let (staged, ended) = (dir.path().join("staged-"), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|i| {
                let (path, staged) = (dir.path().join(format!("{i}.json")), &staged);
                scope.spawn(move || (0..100).for_each(|_| write_whole(&path, b"whole", staged).unwrap()))
            })
            .collect();
        scope.spawn(|| {
            while !ended.load(Ordering::SeqCst) {
                half_written(&staged).into_iter().for_each(|left| left.remove().unwrap());
            }
        });
        let joined: Vec<_> = writers.into_iter().map(|writer| writer.join()).collect();
        ended.store(true, Ordering::SeqCst);
        assert!(joined.iter().all(Result::is_ok), "nothing was taken away under their hands");
    });
    let names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 4, "{names:?}");
}

#[test]
fn no_empty_directory_stays_where_nothing_is_pending_any_more() {
    let dir = tempfile::tempdir().unwrap();
    let store = FileStore::new(dir.path(), "cassettes");
    let below = |name: &str| dir.path().join(".pending").join(name);
    store.journal("fares/day/adult").unwrap().journal.close().unwrap();
    assert!(!below("fares").exists(), "the journal's");
    store.keep_pending("fares/day/adult", "{}").unwrap();
    store.keep_pending("fares/night", "{}").unwrap();
    store.drop_pending("fares/day/adult").unwrap();
    assert!(!below("fares/day").exists() && below("fares/night.json").exists(), "but for what is not empty");
    store.drop_pending("fares/night").unwrap();
    assert!(!below("fares").exists() && below(".gitignore").exists());
    leave(&below("kept/by/name.json"));
    fs::create_dir_all(below("left/by/an/older/version")).unwrap();
    store.remove_empty();
    assert!(!below("left").exists() && below("kept/by/name.json").exists() && below(".gitignore").exists());
}

#[test]
fn directories_come_and_go_and_nobody_fails_for_it() {
    let dir = tempfile::tempdir().unwrap();
    let store = FileStore::new(dir.path(), "cassettes");
    std::thread::scope(|scope| {
        for i in 0..4 {
            let store = &store;
            scope.spawn(move || {
                let name = format!("fares/day/{i}");
                for _ in 0..100 {
                    store.journal(&name).unwrap().journal.close().unwrap();
                    store.keep_pending(&name, "{}").unwrap();
                    store.drop_pending(&name).unwrap();
                }
            });
        }
    });
}

#[test]
fn the_pending_directory_tells_git_to_ignore_it_though_a_full_disk_had_left_the_file_empty() {
    let dir = tempfile::tempdir().unwrap();
    let ignore = dir.path().join(".pending/.gitignore");
    fs::create_dir_all(ignore.parent().unwrap()).unwrap();
    #[expect(clippy::disallowed_methods, reason = "a full disk left it so")]
    fs::write(&ignore, "").unwrap();
    let store = FileStore::new(dir.path(), "cassettes");
    store.keep_pending(NAME, "{}").unwrap();
    assert_eq!(fs::read_to_string(&ignore).unwrap(), "*\n");
    #[expect(clippy::disallowed_methods, reason = "what somebody wrote there stays")]
    fs::write(&ignore, "*\n!mine\n").unwrap();
    store.keep_pending(NAME, "{}").unwrap();
    assert_eq!(fs::read_to_string(&ignore).unwrap(), "*\n!mine\n");
}

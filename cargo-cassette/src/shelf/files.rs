//! The files below a directory, as far as they can be seen.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// What is below a directory.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The files, and what should be some: links that lead nowhere, pipes, sockets and devices.
    pub(super) files: Vec<PathBuf>,
    /// The directories of which it cannot be told what is in them, and links to directories.
    pub(super) closed: Vec<PathBuf>,
}

/// Returns every file below a directory but for what stands in hidden ones. A link to a directory may lead back to where it
/// stands, so it is not followed, and told as what nobody has looked at.
///
/// # Errors
///
/// Fails where the directory is not there.
pub(super) fn files(dir: &Path) -> io::Result<Found> {
    let mut found = Found::default();
    match fs::metadata(dir) {
        // Where even that is kept from us, it is there.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(named(dir, &error)),
        Ok(metadata) if !metadata.is_dir() => return Err(named(dir, &io::ErrorKind::NotADirectory.into())),
        _ => {}
    }
    collect(dir, &mut found);
    Ok(found)
}

fn named(dir: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", dir.display()))
}

fn collect(dir: &Path, found: &mut Found) {
    let entries = fs::read_dir(dir).and_then(|entries| {
        let typed = |entry: io::Result<fs::DirEntry>| entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)));
        entries.map(typed).collect::<io::Result<Vec<_>>>()
    });
    let Ok(entries) = entries else {
        found.closed.push(dir.to_owned());
        return;
    };
    for (path, kind) in entries {
        if kind.is_dir() {
            if !super::is_hidden(&path) {
                collect(&path, found);
            }
        } else if !kind.is_symlink() || fs::metadata(&path).map_or(true, |target| !target.is_dir()) {
            found.files.push(path);
        } else if !super::is_hidden(&path) {
            found.closed.push(path);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::files;

    #[test]
    fn links_to_directories_are_not_followed_and_what_should_be_a_file_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::create_dir_all(at("a/b")).unwrap();
        #[expect(clippy::disallowed_methods, reason = "a test writes what it likes")]
        for name in ["a/one.json", "a/b/two.json", "elsewhere.json"] {
            std::fs::write(at(name), "").unwrap();
        }
        let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, at(name)).unwrap();
        link("..", "a/b/round");
        link("a", "again");
        link("../elsewhere.json", "a/linked.json");
        link("nowhere.json", "a/lost.json");
        let socket = std::os::unix::net::UnixListener::bind(at("a/socket.json")).unwrap();
        let mut found = files(&at("a")).unwrap();
        found.files.sort();
        let all = ["a/b/two.json", "a/linked.json", "a/lost.json", "a/one.json", "a/socket.json"];
        assert_eq!(found.files, all.map(at));
        assert_eq!(found.closed, [at("a/b/round")]);
        drop(socket);
        let all = files(dir.path()).unwrap().files;
        assert_eq!(all.len(), 6, "the same again by another name is not listed twice: {all:?}");
        assert!(files(&at("gone")).is_err() && files(&at("elsewhere.json")).is_err());
    }
}

//! What stands at a path of a commit, links followed as they stood then: git itself compares links as what they say, and not what they lead to.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Component, Path};
use std::process::{Command, Stdio};
use std::{fs, io, thread};

use super::{Answer, GitError, Revision, git, is_one};
use crate::shelf::{Shelf, Spot, path_text};

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Object {
    /// A file, with what it holds.
    Blob(Vec<u8>),
    /// A directory, by the name of its tree.
    Tree(String),
}

impl Object {
    fn blob(self) -> Option<Vec<u8>> {
        match self {
            Object::Blob(bytes) => Some(bytes),
            Object::Tree(_) => None,
        }
    }
}

impl Revision {
    /// Returns a file of the directory as it was, links followed as they were then; `None` where it was not there.
    ///
    /// # Errors
    ///
    /// Fails where git cannot be asked.
    pub fn read(&self, dir: &Path, file: &str) -> Result<Option<Vec<u8>>, GitError> {
        let inside = self.inside(dir)?;
        let typed = typed_path(&self.root, dir).filter(|typed| *typed != inside);
        for inside in typed.iter().chain([&inside]) {
            let path = if [".", ""].contains(&&**inside) { file.to_owned() } else { format!("{inside}/{file}") };
            // A line end in it would be the end of what is asked.
            let bytes = match path.contains('\n') {
                true => git(&self.root, ["cat-file", "blob", &format!("{}:{path}", self.commit)])?.said(),
                false => object(&self.root, &self.commit, &path)?.and_then(Object::blob),
            };
            if bytes.is_some() {
                return Ok(bytes);
            }
        }
        Ok(None)
    }

    /// Returns the cassettes of a directory that git does not see change: those that are links, and where the directory itself was another
    /// one, be it that a link led elsewhere, all that are in either.
    pub(super) fn linked(&self, dir: &Path, inside: &str) -> Result<BTreeSet<String>, GitError> {
        let typed = typed_path(&self.root, dir);
        let tree = |path: &str| match object(&self.root, &self.commit, path.trim_end_matches('.'))? {
            Some(Object::Tree(tree)) => Ok(Some(tree)),
            _ => Ok::<_, GitError>(None),
        };
        let was = typed.as_deref().filter(|typed| *typed != inside).map(tree).transpose()?.flatten();
        let other = was.filter(|was| tree(inside).ok().flatten().as_ref() != Some(was));
        let shelf = Shelf::new(dir.to_owned(), String::new());
        let now = if dir.is_dir() { shelf.cassettes().unwrap_or_default() } else { Vec::new() };
        let is_meant = |spot: &Spot| !spot.is_directory() && (other.is_some() || spot.path.is_symlink());
        let inside = |spot: Spot| Some(path_text(spot.path.strip_prefix(dir).ok()?));
        let mut found: BTreeSet<_> = now.into_iter().filter(is_meant).filter_map(inside).collect();
        if let Some(Answer::Said(list)) =
            other.map(|tree| git(&self.root, ["ls-tree", "-r", "-z", "--name-only", &tree])).transpose()?
        {
            let files = list.split(|byte| *byte == 0).filter_map(|file| String::from_utf8(file.to_vec()).ok());
            found.extend(files.filter(|file| is_one(file)));
        }
        Ok(found)
    }
}

/// Returns what a commit has at a path from the root of the work tree; `None` where it has nothing there, or a link that leads out of it.
fn object(root: &Path, commit: &str, path: &str) -> Result<Option<Object>, GitError> {
    let mut command = Command::new("git");
    command.arg("-C").arg(root).args(["--no-optional-locks", "cat-file", "--batch", "--follow-symlinks"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut git = command.spawn().map_err(GitError::NotInstalled)?;
    let (stdin, asked) = (git.stdin.take(), format!("{commit}:{path}\n"));
    let asking = thread::spawn(move || stdin.map_or(Ok(()), |mut stdin| stdin.write_all(asked.as_bytes())));
    let said = git.wait_with_output().map_err(GitError::NotInstalled)?.stdout;
    // Git that has ended before it was asked says nothing either.
    let _: Option<io::Result<()>> = asking.join().ok();
    Ok(answer(&said))
}

/// Reads an answer: the name, the kind, the length, and on the next line what it holds.
fn answer(said: &[u8]) -> Option<Object> {
    let end = said.iter().position(|byte| *byte == b'\n')?;
    let head = std::str::from_utf8(&said[..end]).ok()?;
    let [name, kind, length] = head.split(' ').collect::<Vec<_>>().try_into().ok()?;
    match kind {
        "blob" => Some(Object::Blob(said.get(end + 1..)?.get(..length.parse().ok()?)?.to_vec())),
        "tree" => Some(Object::Tree(name.to_owned())),
        _ => None,
    }
}

/// Returns the path of a directory from the root of the work tree, as it is typed: with the links in it. `None` where it is reached
/// otherwise.
fn typed_path(root: &Path, dir: &Path) -> Option<String> {
    let root = fs::canonicalize(root).ok()?;
    let above = dir.ancestors().find(|dir| fs::canonicalize(dir).is_ok_and(|real| real == root))?;
    let inside = dir.strip_prefix(above).ok()?;
    let is_plain = inside.components().all(|step| matches!(step, Component::Normal(_)));
    is_plain.then(|| path_text(inside))
}

#[cfg(test)]
mod tests {
    use super::{Object, answer};

    #[test]
    fn an_answer_is_a_file_a_directory_or_nothing() {
        assert_eq!(answer(b"0a blob 3\na\nb\n"), Some(Object::Blob(b"a\nb".to_vec())));
        assert_eq!(answer(b"0a tree 3\n\0\0\0\n"), Some(Object::Tree("0a".to_owned())));
        for nothing in
            [&b"a:b missing\n"[..], b"dangling 3\na:b\n", b"symlink 3\n../\n", b"loop 3\na:b\n", b"0a blob 9\na\n", b""]
        {
            assert_eq!(answer(nothing), None, "{nothing:?}");
        }
    }
}

//! What git knows of a directory: the cassettes of another revision. Git itself is asked, by its command.

mod followed;
mod said;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fmt, fs, io};

use crate::shelf::{is_cassette, path_text};
use crate::typed::{quoted_bytes, typed};

/// A revision of the repository around a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The root of the work tree.
    root: PathBuf,
    /// The commit's full name.
    pub commit: String,
}

/// Why git gave no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum GitError {
    /// There is no git to be asked.
    NotInstalled(io::Error),
    /// The directory is in no repository.
    NoRepository(PathBuf),
    /// The repository has no such revision.
    NoRevision(String),
    /// Git refused: what it was asked, and what it said.
    Refused(String, String),
}

impl fmt::Display for GitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GitError::NotInstalled(error) => {
                write!(
                    f,
                    "could not run git: {error}\nhelp: install git, or compare two files: cargo cassette diff before.json after.json"
                )
            }
            GitError::NoRepository(dir) => {
                let dir = dir.display();
                write!(
                    f,
                    "{dir} is in no git repository\nhelp: compare two files: cargo cassette diff before.json after.json"
                )
            }
            GitError::NoRevision(revision) => {
                write!(f, "there is no revision `{revision}` here")?;
                f.write_str("\nhelp: name a branch, a tag or a commit; git fetch gets those of others")
            }
            GitError::Refused(asked, said) => write!(f, "`git {asked}` failed: {said}\nhelp: run it to see why"),
        }
    }
}

impl std::error::Error for GitError {}

impl Revision {
    /// Finds a revision of the repository around this directory, which need not be there any more.
    ///
    /// # Errors
    ///
    /// Fails where there is no git, no repository or no such revision.
    pub fn find(dir: &Path, revision: &str) -> Result<Revision, GitError> {
        let there = dir.ancestors().find(|dir| dir.is_dir()).unwrap_or(dir);
        let root = text(git(there, ["rev-parse", "--show-toplevel"])?)
            .ok_or_else(|| GitError::NoRepository(dir.to_owned()))?;
        let root = PathBuf::from(root);
        // Whatever is typed is a revision here, and no option.
        let wanted = format!("{revision}^{{commit}}");
        let words = ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted];
        let commit = text(git(&root, words)?).ok_or_else(|| GitError::NoRevision(revision.to_owned()))?;
        Ok(Revision { root, commit })
    }

    /// Finds where the branch of a directory left a revision, as pull requests do: what came to the revision since is no change of the
    /// branch's. Where they have no commit in common that git knows, it is the revision itself.
    ///
    /// # Errors
    ///
    /// Fails where [`Revision::find`] does.
    pub fn left(dir: &Path, revision: &str) -> Result<Revision, GitError> {
        let Revision { root, commit } = Revision::find(dir, revision)?;
        let common = text(git(&root, ["merge-base", "HEAD", &commit])?);
        Ok(Revision { commit: common.unwrap_or(commit), root })
    }

    /// Returns the cassettes of a directory that are not what they were, relative to it: changed, new or gone. A name that is no UTF-8
    /// is quoted, `$'bad\xff.json'`.
    ///
    /// # Errors
    ///
    /// Fails where git does.
    pub fn changed(&self, dir: &Path) -> Result<Vec<String>, GitError> {
        let inside = self.inside(dir)?;
        let changed = ["diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", &self.commit, "--", &inside];
        let new = ["ls-files", "--others", "-z", "--", &inside];
        let mut found = BTreeSet::new();
        for words in [&changed[..], &new[..]] {
            let Answer::Said(list) = git(&self.root, words)? else { return Err(self.refused(words)) };
            let below = format!("{inside}/");
            let files = list.split(|byte| *byte == 0);
            let files =
                files.filter_map(|file| file.strip_prefix(below.as_bytes()).or((inside == ".").then_some(file)));
            let files = files.filter(|file| is_one(&String::from_utf8_lossy(file)));
            found.extend(files.map(|file| String::from_utf8(file.to_vec()).unwrap_or_else(|_| quoted_bytes(file))));
        }
        found.extend(self.linked(dir, &inside)?);
        Ok(found.into_iter().collect())
    }

    /// Returns the directory's path within the work tree, as git writes it.
    fn inside(&self, dir: &Path) -> Result<String, GitError> {
        // Either may be reached over a symbolic link.
        let there = dir.ancestors().find(|dir| dir.is_dir()).unwrap_or(dir);
        let gone = dir.strip_prefix(there).unwrap_or(Path::new(""));
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let path = real(there).join(gone);
        let inside = path.strip_prefix(real(&self.root)).map_err(|_| GitError::NoRepository(dir.to_owned()))?;
        let inside = path_text(inside);
        let inside = inside.trim_end_matches('/');
        Ok(if inside.is_empty() { ".".to_owned() } else { inside.to_owned() })
    }

    fn refused(&self, words: &[&str]) -> GitError {
        let said = match git(&self.root, words) {
            Ok(Answer::Refused(said)) => said,
            _ => String::new(),
        };
        GitError::Refused(words.join(" "), said)
    }
}

/// What git knows of a file in which a merge has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unmerged {
    /// Both sides have it.
    Both,
    /// Only the side that was checked out has it; the other has removed it.
    Ours,
    /// Only the other side has it; the one that was checked out has removed it.
    Theirs,
    /// No merge is under way there, or nobody knows of one: what is left of it was committed.
    Settled,
}

impl Unmerged {
    /// Returns what to type so that the file, as it is shown, says one thing; where git has no side of it, that is recorded anew so.
    #[must_use]
    pub fn mending(self, shown: &str, anew: &str) -> String {
        let file = typed(shown);
        let take = |side: &str| format!("git checkout --{side} -- {file} && git add -- {file}");
        match self {
            Unmerged::Both => format!("take one side: {}, or --theirs in place of --ours", take("ours")),
            Unmerged::Ours => {
                format!("keep it: {}; or remove it, as the other side did: git rm -- {file}", take("ours"))
            }
            Unmerged::Theirs => {
                format!("keep it: {}; or remove it, as this side did: git rm -- {file}", take("theirs"))
            }
            Unmerged::Settled => format!("record it anew: {anew}"),
        }
    }
}

/// Returns which sides of a merge have this file.
#[must_use]
pub fn unmerged(file: &Path) -> Unmerged {
    let (dir, name) = (file.parent().unwrap_or(Path::new(".")), file.file_name().unwrap_or_default());
    stages(dir, name).into_iter().next().map_or(Unmerged::Settled, |(_, sides)| sides)
}

/// Returns the cassettes of a directory in which a merge has stopped, relative to it, with the sides that have them. Where nobody can
/// be asked, there are none.
#[must_use]
pub fn all_unmerged(dir: &Path) -> Vec<(String, Unmerged)> {
    let all = stages(dir, OsStr::new(".")).into_iter();
    all.filter(|(file, sides)| is_one(file) && *sides != Unmerged::Settled).collect()
}

/// Returns which sides have each file at this path, below the directory, in which a merge has stopped.
fn stages(dir: &Path, path: &OsStr) -> BTreeMap<String, Unmerged> {
    let words = [OsStr::new("ls-files"), OsStr::new("--unmerged"), OsStr::new("-z"), OsStr::new("--"), path];
    let Ok(Answer::Said(list)) = git(dir, words) else { return BTreeMap::new() };
    let mut files: BTreeMap<String, [bool; 2]> = BTreeMap::new();
    for (head, file) in String::from_utf8_lossy(&list).split('\0').filter_map(|entry| entry.split_once('\t')) {
        let sides = files.entry(file.to_owned()).or_default();
        *sides = [sides[0] || head.ends_with(" 2"), sides[1] || head.ends_with(" 3")];
    }
    let sides = |[ours, theirs]: [bool; 2]| match (ours, theirs) {
        (true, true) => Unmerged::Both,
        (true, false) => Unmerged::Ours,
        (false, true) => Unmerged::Theirs,
        (false, false) => Unmerged::Settled,
    };
    files.into_iter().map(|(file, has)| (file, sides(has))).collect()
}

/// Returns what the last commit holds of a file, where it is in a repository and that has it.
#[must_use]
pub fn committed(file: &Path) -> Option<Vec<u8>> {
    let dir = file.parent()?;
    Revision::find(dir, "HEAD").ok()?.read(dir, file.file_name()?.to_str()?).ok()?
}

/// Returns the files of a directory, relative to it, that are cassettes in the last commit, as far as git can be asked.
pub(crate) fn committed_cassettes(dir: &Path) -> BTreeSet<String> {
    let words = ["grep", "-l", "-z", "-E", "-e", "^[{ ]*\"cassette\": [0-9]+,", "HEAD", "--", "."];
    let Ok(Answer::Said(list)) = git(dir, words) else { return BTreeSet::new() };
    let list = String::from_utf8_lossy(&list).into_owned();
    list.split('\0').filter_map(|file| file.strip_prefix("HEAD:")).map(str::to_owned).collect()
}

/// How many of the last commits of a file are looked at.
const COMMITS: &str = "20";

/// Returns the last commits in which a file was changed, the newest first: of each the short name, and what it holds of the file.
pub(crate) fn history(file: &Path) -> Vec<(String, Vec<u8>)> {
    let (Some(dir), Some(name)) = (file.parent(), file.file_name()) else { return Vec::new() };
    let words = ["log", "--format=%h", "-n", COMMITS, "HEAD", "--"].map(OsStr::new);
    let Ok(Some(commits)) = git(dir, words.into_iter().chain([name])).map(text) else { return Vec::new() };
    let name = name.to_string_lossy();
    let of = |commit: &str| Some((commit.to_owned(), Revision::find(dir, commit).ok()?.read(dir, &name).ok()??));
    commits.lines().filter_map(of).collect()
}

/// Returns the root of the work tree around a directory.
#[must_use]
pub fn root(dir: &Path) -> Option<PathBuf> {
    text(git(dir, ["rev-parse", "--show-toplevel"]).ok()?).map(PathBuf::from)
}

/// What git answered.
enum Answer {
    Said(Vec<u8>),
    Refused(String),
}

impl Answer {
    fn said(self) -> Option<Vec<u8>> {
        match self {
            Answer::Said(bytes) => Some(bytes),
            Answer::Refused(_) => None,
        }
    }
}

fn text(answer: Answer) -> Option<String> {
    match answer {
        Answer::Said(bytes) => Some(String::from_utf8_lossy(&bytes).trim_end().to_owned()),
        Answer::Refused(_) => None,
    }
}

fn git<S: AsRef<OsStr>>(dir: &Path, words: impl IntoIterator<Item = S>) -> Result<Answer, GitError> {
    let mut command = Command::new("git");
    // Whoever only reads takes no lock that another git waits for, and no pattern is a pattern here.
    command.arg("-C").arg(dir).args(["--no-optional-locks", "--literal-pathspecs"]).args(words);
    let output = command.output().map_err(GitError::NotInstalled)?;
    if output.status.success() {
        return Ok(Answer::Said(output.stdout));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Ok(Answer::Refused(said.lines().next().unwrap_or_default().to_owned()))
}

/// Returns whether a file is a cassette, and none of what stands beside them.
fn is_one(file: &str) -> bool {
    let is_aside =
        file.split('/').any(|step| step.starts_with('.')) || file.starts_with("blobs/") || file == "allow.json";
    !is_aside && is_cassette(Path::new(file))
}

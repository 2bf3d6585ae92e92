//! What a revision says of where its cassettes are kept.

use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, thread};

use super::{Answer, GitError, Revision, git};

/// The files that say so, besides Rust sources.
const FILES: [&str; 2] = ["Cargo.toml", "cassette.toml"];

impl Revision {
    /// Writes the manifests, the settings and the Rust sources that speak of cassettes of the revision into a directory, each where it stands in the work tree.
    ///
    /// # Errors
    ///
    /// Fails where git cannot be asked, or the files cannot be written.
    pub fn write_said(&self, into: &Path) -> Result<(), GitError> {
        let words = ["ls-tree", "-r", "-z", "--full-tree", &self.commit];
        let Answer::Said(list) = git(&self.root, words)? else { return Err(self.refused(&words)) };
        let list = String::from_utf8_lossy(&list);
        let files: Vec<_> = list.split('\0').filter_map(entry).collect();
        let objects: Vec<_> = files.iter().map(|(object, _)| (*object).to_owned()).collect();
        let failed = |error: io::Error| GitError::Refused("cat-file --batch".to_owned(), error.to_string());
        for ((_, path), text) in files.iter().zip(self.objects(objects).map_err(failed)?) {
            let speaks = |word: &[u8]| text.windows(word.len()).any(|it| it == word);
            if path.extension().is_some_and(|ending| ending == "rs") && !speaks(b"cassette") {
                continue;
            }
            let file = into.join(path);
            fs::create_dir_all(file.parent().unwrap_or(into)).map_err(failed)?;
            fs::File::create_new(file).and_then(|mut file| file.write_all(&text)).map_err(failed)?;
        }
        Ok(())
    }

    /// Returns what these objects hold, in order.
    fn objects(&self, objects: Vec<String>) -> io::Result<Vec<Vec<u8>>> {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.root).args(["--no-optional-locks", "cat-file", "--batch"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let stdin = child.stdin.take();
        let count = objects.len();
        // Git answers while it is asked: whoever only asks would wait for ever.
        let asking = thread::spawn(move || {
            stdin.map_or(Ok(()), |mut stdin| stdin.write_all((objects.join("\n") + "\n").as_bytes()))
        });
        let output = child.wait_with_output()?;
        let asked = asking.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()));
        asked?;
        let mut rest = output.stdout.as_slice();
        let mut found = Vec::with_capacity(count);
        while found.len() < count {
            let cut_short = || io::Error::new(io::ErrorKind::UnexpectedEof, "git has not all of it here");
            let line = rest.iter().position(|byte| *byte == b'\n').ok_or_else(cut_short)?;
            let head = String::from_utf8_lossy(&rest[..line]).into_owned();
            let size: usize = head.rsplit(' ').next().and_then(|size| size.parse().ok()).ok_or_else(cut_short)?;
            let text = rest.get(line + 1..line + 1 + size).ok_or_else(cut_short)?;
            found.push(text.to_vec());
            rest = rest.get(line + size + 2..).unwrap_or_default();
        }
        Ok(found)
    }

    /// Returns the root of the work tree.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }
}

/// Reads a line of a tree, and returns the object and its path where it is one of the files that are looked at.
fn entry(line: &str) -> Option<(&str, PathBuf)> {
    let (head, path) = line.split_once('\t')?;
    let [mode, _, object] = head.split(' ').collect::<Vec<_>>()[..] else { return None };
    let path = Path::new(path);
    let is_plain = path.components().all(|step| matches!(step, Component::Normal(_)));
    let name = path.file_name()?.to_str()?;
    let is_said = FILES.contains(&name) || name.ends_with(".rs");
    // A link in a tree is a file that says where it leads.
    (mode.starts_with("100") && is_plain && is_said).then(|| (object, path.to_owned()))
}

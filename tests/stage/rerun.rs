//! Running one test of this very program again, in an environment of its own.
//!
//! Recording is refused in continuous integration, and rightly: so the stories that record run themselves again with a
//! scrubbed environment, and their cassettes in a directory that goes with them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// The variables that a run keeps: without them a program does not start, or does not find its libraries.
const KEPT: [&str; 6] = ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CARGO_MANIFEST_DIR", "CARGO_PKG_NAME"];

/// A directory for the cassettes of one story, and the variables of its runs.
#[derive(Debug)]
pub struct Stage {
    dir: PathBuf,
    variables: Vec<(String, String)>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Whether the test passed.
    pub passed: bool,
    /// What it said it had seen: the content of the file that `STORY_SEEN` names.
    pub seen: String,
    /// Everything that it printed.
    pub printed: String,
}

impl Stage {
    /// Returns a stage in this empty directory.
    pub fn new(dir: &Path) -> Stage {
        Stage { dir: dir.to_owned(), variables: Vec::new() }
    }

    /// Sets a variable for every run to come.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Stage {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Returns the directory of the cassettes.
    pub fn cassettes(&self) -> PathBuf {
        self.dir.join("cassettes")
    }

    /// Runs the ignored test of this path in this mode, and nothing else.
    ///
    /// # Errors
    ///
    /// Fails where the program cannot be started.
    pub fn play(&self, test: &str, mode: &str) -> io::Result<Played> {
        let seen = self.dir.join("seen");
        let _ = fs::remove_file(&seen);
        let output = Command::new(env::current_exe()?)
            .args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"])
            .env_clear()
            .envs(kept())
            .env("CASSETTE_MODE", mode)
            .env("CASSETTE_DIR", self.cassettes())
            .env("STORY_SEEN", &seen)
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .output()?;
        let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        let ran = printed.contains("running 1 test");
        Ok(Played {
            passed: output.status.success() && ran,
            seen: fs::read_to_string(&seen).unwrap_or_default(),
            printed,
        })
    }
}

#[expect(clippy::disallowed_methods, reason = "a run is given what it needs of this program's environment")]
fn kept() -> Vec<(&'static str, std::ffi::OsString)> {
    KEPT.into_iter().filter_map(|name| Some((name, env::var_os(name)?))).collect()
}

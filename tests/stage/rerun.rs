//! Running one test of this very program again, in an environment of its own.
//!
//! Recording is refused in continuous integration, and rightly: so the stories that record run themselves again with a
//! scrubbed environment, and their cassettes in a directory that goes with them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs, io};

/// The variables that a run keeps: without them a program does not start, or does not find its libraries.
const KEPT: [&str; 6] = ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CARGO_MANIFEST_DIR", "CARGO_PKG_NAME"];

/// How a command is run with no network but a loopback of its own.
const APART: [&str; 5] = ["unshare", "-rn", "sh", "-c", "ip link set lo up && exec \"$0\" \"$@\""];

/// A directory for the cassettes of one story, and the variables of its runs.
#[derive(Clone, Debug)]
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
    /// What it printed for a person: panics and what the harness tells, without libtest's own chatter.
    pub told: String,
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
        let output = self.command(test, mode)?.output()?;
        Ok(Played::of(&output, fs::read_to_string(&seen).unwrap_or_default()))
    }

    /// Returns the command that runs the ignored test of this path in this mode, and nothing else.
    ///
    /// With `STORY_APART` set, a replay has no network but a loopback of its own.
    ///
    /// # Errors
    ///
    /// Fails where this program does not know its own path.
    pub fn command(&self, test: &str, mode: &str) -> io::Result<Command> {
        let program = env::current_exe()?;
        let mut command =
            if mode == "replay" && is_set("STORY_APART") { apart(&program) } else { Command::new(program) };
        command
            .args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"])
            .env_clear()
            .envs(kept())
            .env("CASSETTE_MODE", mode)
            .env("CASSETTE_DIR", self.cassettes())
            .env("STORY_SEEN", self.dir.join("seen"))
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        Ok(command)
    }
}

impl Played {
    /// Returns how a run of libtest ended.
    pub fn of(output: &Output, seen: String) -> Played {
        let [stdout, stderr] =
            [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let passed = output.status.success() && stdout.contains("running 1 test");
        Played { passed, seen, printed: [stdout, stderr.clone()].concat(), told: stderr }
    }

    /// Returns this, which has to have passed.
    ///
    /// # Panics
    ///
    /// Panics where it failed.
    #[track_caller]
    pub fn passes(self) -> Played {
        assert!(self.passed, "it passes:\n{}", self.printed);
        self
    }

    /// Returns what was told of this, which has to have failed.
    ///
    /// # Panics
    ///
    /// Panics where it passed.
    #[track_caller]
    pub fn fails(self) -> String {
        assert!(!self.passed, "it fails:\n{}", self.printed);
        self.told
    }
}

/// Returns a command that runs this program with no network but a loopback of its own.
pub fn apart(program: &Path) -> Command {
    let mut command = Command::new(APART[0]);
    command.args(&APART[1..]).arg(program);
    command
}

#[expect(clippy::disallowed_methods, reason = "the teller of all stories speaks to the stage through its environment")]
fn is_set(name: &str) -> bool {
    env::var_os(name).is_some()
}

#[expect(clippy::disallowed_methods, reason = "a run is given what it needs of this program's environment")]
fn kept() -> Vec<(&'static str, std::ffi::OsString)> {
    KEPT.into_iter().filter_map(|name| Some((name, env::var_os(name)?))).collect()
}

//! A throw-away package, and the command run in it with an environment of its own.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{fs, str};

use cassette_core::call::Call;
use cassette_core::disk;
use cassette_core::mode::Mode;
use cassette_core::policy::Requests;
use cassette_core::reply::Outcome;
use cassette_core::rerun::{Rerun, Target};
use cassette_core::session::{BodyEnd, Outages, Plan, Session, Step};
use cassette_core::store::{FileStore, MemoryStore, Store as _};
use cassette_core::tape::Tape;

/// The day on which everything here was recorded.
pub(crate) const RECORDED: &str = "2026-11-29";

/// The moment at which the command runs: noon, twelve days later.
pub(crate) const NOW: &str = "1796990400";

/// A user who owns nothing elsewhere.
#[cfg(unix)]
const NOBODY: u32 = 65534;

/// A package in a directory that goes with it.
pub(crate) struct Project {
    dir: tempfile::TempDir,
    variables: Vec<(String, String)>,
    /// Where the command is run, below the directory.
    here: PathBuf,
    /// Whether it is run by somebody who may not do everything.
    #[cfg(unix)]
    is_nobodys: bool,
}

impl Project {
    /// Returns a package without cassettes.
    pub(crate) fn new() -> Project {
        let project = Project::bare();
        project.write("Cargo.toml", "[package]\nname = \"timetable\"\nversion = \"0.1.0\"\n");
        project
    }

    /// Returns an empty directory.
    pub(crate) fn bare() -> Project {
        Project {
            dir: tempfile::tempdir().unwrap(),
            variables: Vec::new(),
            here: PathBuf::new(),
            #[cfg(unix)]
            is_nobodys: false,
        }
    }

    /// Gives everything there is to somebody who may not do everything, and lets that one run the command from now on: the super-user
    /// reads what nobody may. `None`, and a line that says so, where the command cannot be run so.
    #[cfg(unix)]
    pub(crate) fn nobodys(mut self) -> Option<Project> {
        use std::os::unix::fs::{MetadataExt as _, chown};
        if fs::metadata(self.dir.path()).unwrap().uid() != 0 {
            return Some(self);
        }
        let mut left = vec![self.dir.path().to_owned()];
        while let Some(path) = left.pop() {
            std::os::unix::fs::lchown(&path, Some(NOBODY), Some(NOBODY)).unwrap();
            if !path.is_symlink() && path.is_dir() {
                left.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
        }
        chown(self.dir.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        self.is_nobodys = true;
        let runs = self.command(&["--version"]).output().is_ok_and(|output| output.status.success());
        if !runs {
            stages::skipped("the command cannot be run by another user");
        }
        runs.then_some(self)
    }

    /// Says who may do what with a file.
    #[cfg(unix)]
    pub(crate) fn allow(&self, file: &str, mode: u32) {
        fs::set_permissions(self.path(file), std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
    }

    /// Makes a link.
    #[cfg(unix)]
    pub(crate) fn link(&self, to: &str, file: &str) {
        fs::create_dir_all(self.path(file).parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(to, self.path(file)).unwrap();
    }

    /// Sets a variable for every run to come.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Project {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Runs the command there from now on.
    pub(crate) fn within(mut self, dir: &str) -> Project {
        fs::create_dir_all(self.dir.path().join(dir)).unwrap();
        self.here = dir.into();
        self
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.dir.path().join(file)
    }

    #[expect(clippy::disallowed_methods, reason = "a test writes what it likes")]
    pub(crate) fn write(&self, file: &str, text: impl AsRef<[u8]>) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap()
    }

    /// Returns the cassette in a file.
    pub(crate) fn tape(&self, file: &str) -> Tape {
        disk::read(self.read(file).as_bytes()).unwrap()
    }

    /// Returns whether a recording of this name was not taken over.
    pub(crate) fn is_pending(&self, name: &str) -> bool {
        self.path(&format!("cassettes/.pending/{name}.json")).is_file()
    }

    /// Records a cassette of these exchanges into a file.
    pub(crate) fn record(&self, file: &str, exchanges: &[(Call, Outcome)]) {
        self.write(file, document(exchanges));
    }

    /// Makes calls in a recording run of the test `suite::<name>` that ends so.
    pub(crate) fn recording(&self, name: &str, exchanges: &[(Call, Outcome)], mode: Mode, end: BodyEnd) {
        let store = FileStore::new(self.path("cassettes"), "cassettes");
        let test = format!("suite::{name}");
        let rerun = Rerun {
            package: "timetable".into(),
            target: Target::Test("suite".into()),
            test: name.into(),
            ignored: false,
        };
        let mut plan = Plan::new(name, std::sync::Arc::new(store), mode, &test, rerun);
        plan.by = "cassette-test 0.1.0".into();
        plan.known_tests = vec![test];
        let session = Session::open(plan).unwrap();
        for (call, outcome) in exchanges {
            if let Step::Live(ticket) = session.begin(call.clone()) {
                ticket.finish(outcome.clone()).unwrap();
            }
        }
        session.finish(end);
        for file in [format!("cassettes/{name}.json"), format!("cassettes/.pending/{name}.json")] {
            if self.path(&file).is_file() {
                self.write(&file, dated(&self.read(&file)));
            }
        }
    }

    /// Runs the command with these answers on its standard input, and returns all that it did.
    pub(crate) fn answer(&self, words: &[&str], answers: &str) -> String {
        let mut child = self.command(words);
        child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().unwrap();
        child.stdin.take().unwrap().write_all(answers.as_bytes()).unwrap();
        self.told(&child.wait_with_output().unwrap())
    }

    /// Runs the command, and returns all that it did, for a snapshot.
    pub(crate) fn run(&self, words: &[&str]) -> String {
        self.told(&self.command(words).stdin(Stdio::null()).output().unwrap())
    }

    /// Types a line at a shell, in which `cargo cassette` is the command, and returns all that it did. Of the rest of cargo a package
    /// that is not built for real has but the name.
    #[cfg(unix)]
    pub(crate) fn sh(&self, line: &str) -> String {
        self.shell("sh", line)
    }

    /// Types a line at a shell that knows `$'..'`.
    #[cfg(unix)]
    pub(crate) fn bash(&self, line: &str) -> String {
        self.shell("bash", line)
    }

    #[cfg(unix)]
    fn shell(&self, shell: &str, line: &str) -> String {
        let bin = self.path(".bin");
        if !bin.is_dir() {
            let own = env!("CARGO_BIN_EXE_cargo-cassette");
            let script = format!(
                "#!/bin/sh\nif [ \"$1\" = cassette ]; then exec '{own}' \"$@\"; fi\nif [ -n \"$CARGO\" ]; then exec \"$CARGO\" \"$@\"; fi\n"
            );
            self.write(".bin/cargo", script);
            self.allow(".bin/cargo", 0o755);
        }
        let mut shell = self.program(shell.as_ref());
        #[expect(clippy::disallowed_methods, reason = "a program is found by its path")]
        let path = std::env::var("PATH").unwrap_or_default();
        shell.args(["-c", line]).env("PATH", format!("{}:{path}", bin.display()));
        self.told(&shell.stdin(Stdio::null()).output().unwrap())
    }

    fn told(&self, output: &Output) -> String {
        let [out, err] = [&output.stdout, &output.stderr].map(|bytes| str::from_utf8(bytes).unwrap());
        let stream =
            |name: &str, text: &str| if text.is_empty() { String::new() } else { format!("--- {name}\n{text}") };
        let told =
            format!("exit {}\n{}{}", output.status.code().unwrap(), stream("stdout", out), stream("stderr", err));
        let real = fs::canonicalize(self.dir.path()).unwrap();
        told.replace(&*real.to_string_lossy(), "[DIR]").replace(&*self.dir.path().to_string_lossy(), "[DIR]")
    }

    /// Runs the command, and returns what it wrote as it is.
    pub(crate) fn output(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = self.program(env!("CARGO_BIN_EXE_cargo-cassette").as_ref());
        command.args(words);
        command
    }

    /// Runs git in the directory.
    pub(crate) fn git(&self, words: &[&str]) -> String {
        let output = self.program("git".as_ref()).args(words).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {words:?}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Commits everything there is.
    pub(crate) fn commit(&self) {
        self.git(&["init", "-q"]);
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "everything"]);
    }

    /// Commits nothing but a file without meaning.
    pub(crate) fn commit_empty(&self) {
        self.write("readme.txt", "nothing\n");
        self.commit();
    }

    /// Returns a program that is run in the directory, with nothing of this process's environment but where programs are.
    #[expect(clippy::disallowed_methods, reason = "a program is found by its path")]
    pub(crate) fn program(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.dir.path().join(&self.here)).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.envs([("HOME", self.dir.path().as_os_str()), ("GIT_CONFIG_NOSYSTEM", "1".as_ref())]);
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "a").env(format!("GIT_{role}_EMAIL"), "a@example.com");
        }
        command.env("SOURCE_DATE_EPOCH", NOW).envs(self.variables.iter().cloned());
        #[cfg(unix)]
        if self.is_nobodys {
            std::os::unix::process::CommandExt::uid(&mut command, NOBODY);
            std::os::unix::process::CommandExt::gid(&mut command, NOBODY);
        }
        command
    }
}

/// Returns the document of a cassette that was recorded on a known day.
pub(crate) fn document(exchanges: &[(Call, Outcome)]) -> String {
    recorded(exchanges, Requests::Full)
}

/// Returns the document of a cassette that keeps digests of its requests.
pub(crate) fn digests(exchanges: &[(Call, Outcome)]) -> String {
    recorded(exchanges, Requests::Digest)
}

fn recorded(exchanges: &[(Call, Outcome)], requests: Requests) -> String {
    let store = MemoryStore::default();
    let rerun =
        Rerun { package: "timetable".into(), target: Target::Test("suite".into()), test: "ask".into(), ignored: false };
    let mut plan = Plan::new("recorded", std::sync::Arc::new(store.clone()), Mode::Record, "suite::ask", rerun);
    plan.outages = Outages::Allow;
    plan.requests = requests;
    plan.by = "cassette-test 0.1.0".into();
    let session = Session::open(plan).unwrap();
    for (call, outcome) in exchanges {
        match session.begin(call.clone()) {
            Step::Live(ticket) => ticket.finish(outcome.clone()).unwrap(),
            other => panic!("a call did not go live: {other:?}"),
        }
    }
    let reports = session.finish(BodyEnd::Passed).reports;
    assert!(reports.is_empty(), "{reports:?}");
    dated(&String::from_utf8(store.load("recorded").unwrap().unwrap()).unwrap())
}

/// Returns a document as if it had been recorded on the known day.
fn dated(text: &str) -> String {
    let dated = |line: &str| {
        if line.starts_with("  \"recorded\"") { format!("  \"recorded\": \"{RECORDED}\",") } else { line.to_owned() }
    };
    text.lines().map(dated).map(|line| line + "\n").collect()
}

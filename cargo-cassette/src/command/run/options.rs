//! What the options mean that cargo, cargo-nextest and the tests take: which have a value, and what they are about.

use std::ffi::OsString;

/// Who takes the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runner {
    /// `cargo test`.
    Cargo,
    /// `cargo nextest run`.
    Nextest,
    /// The tests themselves, behind `--`.
    Tests,
}

/// What a word is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Which targets are built.
    Target,
    /// Which packages are.
    Package,
    /// How they are built.
    Build,
    /// How the tests are run.
    Run,
    /// The name of a test.
    Name,
}

const TARGETS: [&str; 7] = ["--lib", "--bins", "--examples", "--tests", "--benches", "--all-targets", "--doc"];
const NAMED_TARGETS: [&str; 4] = ["--bin", "--example", "--test", "--bench"];
const PACKAGES: [&str; 2] = ["--workspace", "--all"];
const NAMED_PACKAGES: [&str; 3] = ["-p", "--package", "--exclude"];
const BUILDS: [&str; 8] = [
    "--all-features",
    "--no-default-features",
    "-r",
    "--release",
    "--frozen",
    "--locked",
    "--offline",
    "--ignore-rust-version",
];
const VALUED_BUILDS: [&str; 8] =
    ["-F", "--features", "--target", "--target-dir", "--manifest-path", "--config", "-Z", "--lockfile-path"];

impl Runner {
    /// Returns the words in groups, each option with its value, each with what it is about. An option that nobody knows is taken
    /// for one without a value.
    pub(super) fn options<'a>(&self, words: &'a [OsString]) -> Vec<(Kind, &'a [OsString])> {
        let mut options = Vec::new();
        let mut rest = words;
        while let [word, ..] = rest {
            let text = word.to_str().unwrap_or_default();
            let (kind, has_value) = self.option(text.split('=').next().unwrap_or_default());
            let length = if has_value && !text.contains('=') && rest.len() > 1 { 2 } else { 1 };
            options.push((kind, &rest[..length]));
            rest = &rest[length..];
        }
        options
    }

    /// Returns what an option is about, and whether it has a value.
    fn option(self, name: &str) -> (Kind, bool) {
        let (builds, runs) = self.own();
        let glued = |known: &[&str]| known.iter().any(|known| known.len() == 2 && name.starts_with(known));
        match name {
            name if !name.starts_with('-') || name == "-" => (Kind::Name, false),
            name if runs.contains(&name) => (Kind::Run, true),
            _ if self == Runner::Tests => (Kind::Run, false),
            name if TARGETS.contains(&name) => (Kind::Target, false),
            name if NAMED_TARGETS.contains(&name) => (Kind::Target, true),
            name if PACKAGES.contains(&name) => (Kind::Package, false),
            name if NAMED_PACKAGES.contains(&name) => (Kind::Package, true),
            name if BUILDS.contains(&name) => (Kind::Build, false),
            name if VALUED_BUILDS.contains(&name) || builds.contains(&name) => (Kind::Build, true),
            name if name.starts_with("--") => (Kind::Run, false),
            // `-ptrains`
            _ if glued(&NAMED_PACKAGES) => (Kind::Package, false),
            _ if glued(&VALUED_BUILDS) || glued(builds) => (Kind::Build, false),
            _ => (Kind::Run, false),
        }
    }

    /// Returns the options with a value that only this one takes: of building, of running.
    fn own(self) -> (&'static [&'static str], &'static [&'static str]) {
        match self {
            Runner::Cargo => (&["-j", "--jobs", "--profile"], &["--message-format", "--color"]),
            Runner::Nextest => (&["--build-jobs", "--cargo-profile"], &NEXTEST),
            Runner::Tests => {
                (&[], &["--skip", "--test-threads", "--color", "--format", "--logfile", "--shuffle-seed", "-Z"])
            }
        }
    }

    /// Returns an option of building as `cargo test` says it.
    pub(super) fn as_cargo_says(self, word: OsString) -> OsString {
        let said = |text: &str| {
            let (name, value) = text.split_once('=').map_or((text, ""), |(name, _)| (name, &text[name.len()..]));
            let name = match name {
                "--cargo-profile" => "--profile",
                "--build-jobs" => "--jobs",
                name => name,
            };
            OsString::from(format!("{name}{value}"))
        };
        match (self, word.to_str()) {
            (Runner::Nextest, Some(text)) if text.starts_with('-') => said(text),
            _ => word,
        }
    }
}

const NEXTEST: [&str; 42] = [
    "-E",
    "--filterset",
    "--filter-expr",
    "-P",
    "--profile",
    "-R",
    "--rerun",
    "--run-ignored",
    "--partition",
    "--platform-filter",
    "-j",
    "--jobs",
    "--test-threads",
    "--retries",
    "--flaky-result",
    "--max-fail",
    "--debugger",
    "--tracer",
    "--no-tests",
    "--stress-count",
    "--stress-duration",
    "--failure-output",
    "--success-output",
    "--status-level",
    "--final-status-level",
    "--show-progress",
    "--max-progress-running",
    "--message-format",
    "--message-format-version",
    "--cargo-message-format",
    "--color",
    "--archive-file",
    "--archive-format",
    "--extract-to",
    "--cargo-metadata",
    "--binaries-metadata",
    "--config-file",
    "--user-config-file",
    "--workspace-remap",
    "--target-dir-remap",
    "--build-dir-remap",
    "--tool-config-file",
];

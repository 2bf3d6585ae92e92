//! What the tests of a workspace own, as their own binaries tell it. Tests are built, and none is run.
//!
//! `cargo test --no-run --all-targets` names the binaries; each is started with `--list` and `CASSETTE_REGISTRY`, under which
//! a binary that links cassette-test writes what its annotated tests own. A target with a harness of its own would run
//! whatever it likes, so it is not asked, and told. What a feature that is off leaves out of the build is not known either.

mod build;
mod features;
mod meant;
mod targets;

use std::collections::BTreeSet;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fmt, fs, io};

use cassette_core::json::Json;
use toml::Value;

use crate::temporary::Room;
use crate::tenants::Tenants;
use build::cargo;
use features::manifest;
use meant::{meant, sorted};

/// A test and its cassette.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owned {
    /// The directory of the cassette, absolute.
    pub dir: PathBuf,
    /// The cassette's name, or the pattern of one.
    pub cassette: String,
    /// The test's package.
    pub package: String,
    /// The test's path, `crate::module::function`.
    pub test: String,
    /// The file in which it stands, as the compiler names it.
    pub file: String,
    /// Its line.
    pub line: usize,
    /// What it does with the cassette.
    pub claim: Claim,
    /// The cassette that it is forked from, or the pattern of one.
    pub origin: Option<String>,
    /// Whether it is `#[ignore]`d.
    pub ignored: bool,
    /// What tells cargo to build the test's binary alone: `-p package --test suite`.
    pub selection: Vec<String>,
}

/// What a test does with its cassette.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// It records it, and nobody else may.
    #[default]
    Records,
    /// It records it as others do, `unused = "allow"`.
    Shares,
    /// It replays what another test records, `mode = "replay"`.
    Replays,
    /// It has none, `mode = "off"`.
    Nothing,
}

/// What all binaries told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Registry {
    /// Every annotated test that is meant, by directory and cassette.
    pub owned: Vec<Owned>,
    /// What any test that was asked may own besides: wherever it keeps its cassettes when nobody names a directory, and where it would
    /// keep them were it run with the one that was named.
    pub besides: Vec<Owned>,
    /// The one directory that is meant, where one was named.
    pub dir: Option<PathBuf>,
    /// How the tests that are meant are run so that they look there.
    pub run: Run,
    /// The binaries that were not asked or did not answer, each with the reason.
    pub silent: Vec<String>,
    /// The features of the packages that were off, `package/feature`.
    pub off: Vec<String>,
    /// The binaries that answered: the directory of the package, and the crate.
    pub answered: BTreeSet<(PathBuf, String)>,
    /// The packages of which a program did not answer that may have annotated tests, by directory.
    pub mute: BTreeSet<PathBuf>,
    /// The packages that were asked, and the other members of the workspace.
    pub tenants: Tenants,
}

/// How tests are run so that they look for their cassettes where it is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Run {
    /// As ever.
    #[default]
    Plain,
    /// With the directory that was named.
    WithDirectory,
}

/// What is built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Build {
    /// The packages that are built.
    pub tenants: Tenants,
    /// The one directory that is meant, absolute, where one was named.
    pub dir: Option<PathBuf>,
    /// The features that are on beside the default ones.
    pub features: Vec<String>,
    /// Whether all features are on.
    pub all_features: bool,
    /// What else cargo is told.
    pub arguments: Vec<String>,
}

/// Why nobody could be asked.
#[derive(Debug)]
#[non_exhaustive]
pub enum NoRegistry {
    /// Cargo could not be started.
    NoCargo(io::Error),
    /// The tests do not build: what cargo said, if it has not said it to a terminal.
    Build(String),
    /// There is no place for what the tests write of themselves: where it should be.
    NoRoom(PathBuf, io::Error),
}

impl fmt::Display for NoRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoRegistry::NoCargo(error) => write!(f, "could not run cargo: {error}"),
            NoRegistry::NoRoom(dir, error) => write!(f, "could not make a directory in {}: {error}", dir.display()),
            NoRegistry::Build(said) if said.is_empty() => f.write_str("the tests do not build, as told above"),
            NoRegistry::Build(said) => write!(f, "the tests do not build:\n{}", said.trim_end()),
        }
    }
}

impl std::error::Error for NoRegistry {}

/// Builds the tests and asks each binary what it owns.
///
/// # Errors
///
/// Fails where cargo cannot be run, or the tests do not build.
pub fn ask(build: &Build) -> Result<Registry, NoRegistry> {
    let mut cargo = cargo(build);
    // To build takes long: at a terminal cargo tells of it, as it does by itself.
    if io::stderr().is_terminal() {
        cargo.stderr(Stdio::inherit());
    }
    let output = cargo.output().map_err(NoRegistry::NoCargo)?;
    if !output.status.success() {
        return Err(NoRegistry::Build(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let messages = String::from_utf8_lossy(&output.stdout).into_owned();
    let artifacts: Vec<_> = messages.lines().filter_map(Artifact::of).collect();
    let mut registry = Registry { tenants: build.tenants.clone(), dir: build.dir.clone(), ..Registry::default() };
    let temporary = env::temp_dir();
    let room = Room::make(&temporary).map_err(|error| NoRegistry::NoRoom(temporary, error))?;
    let file = room.file("registry");
    let mut moved = Vec::new();
    for artifact in &artifacts {
        let dir = artifact.manifest.parent().unwrap_or(Path::new("/")).to_owned();
        match artifact.owned(&file, None) {
            Ok(owned) => {
                registry.answered.insert((dir, artifact.target.replace('-', "_")));
                registry.owned.extend(owned);
                moved.extend(build.dir.iter().flat_map(|dir| artifact.owned(&file, Some(dir)).unwrap_or_default()));
            }
            Err(why) => {
                registry.silent.push(format!("{}, {why}", artifact.name));
                // Under a harness of its own the compiler leaves out what is marked as a test.
                registry.mute.extend((!artifact.has_own_harness()).then_some(dir));
            }
        }
    }
    let owned = sorted(std::mem::take(&mut registry.owned));
    (registry.owned, registry.run, registry.besides) = match &build.dir {
        Some(dir) => meant(dir, owned, sorted(moved)),
        None => (owned, Run::Plain, Vec::new()),
    };
    registry.silent.sort();
    if !build.all_features {
        registry.off = features::off(&artifacts, &build.features);
    }
    Ok(registry)
}

/// A test binary.
struct Artifact {
    /// `package, test suite`.
    name: String,
    package: String,
    kind: String,
    target: String,
    executable: PathBuf,
    manifest: PathBuf,
}

impl Artifact {
    /// Reads a message of cargo's; `None` for what is no test binary.
    fn of(line: &str) -> Option<Artifact> {
        let message = Json::parse(line).ok()?;
        let text = |json: &Json, name: &str| Some(json.get(name)?.as_str()?.into_owned());
        let is_test = message.get("profile")?.get("test")?.as_bool()?;
        let target = message.get("target")?;
        let kind = target.get("kind")?.elements().first()?.as_str()?.into_owned();
        // A macro's own tests need the compiler's libraries to start, and cannot depend on what depends on the macro.
        if !is_test || kind == "proc-macro" || text(&message, "reason")? != "compiler-artifact" {
            return None;
        }
        let manifest = PathBuf::from(text(&message, "manifest_path")?);
        let name = text(target, "name")?;
        let package = self::manifest(&manifest)?.get("package")?.get("name")?.as_str()?.to_owned();
        let executable = PathBuf::from(text(&message, "executable")?);
        Some(Artifact { name: format!("{package}: {kind} {name}"), package, kind, target: name, executable, manifest })
    }

    /// Starts the binary to list its tests, and returns what they own, run with this directory or with none; nothing where it does not
    /// link cassette-test. It writes into this file, which is gone then.
    fn owned(&self, file: &Path, moved: Option<&Path>) -> Result<Vec<Owned>, String> {
        if self.has_own_harness() {
            return Err("which has a harness of its own".to_owned());
        }
        let dir = self.manifest.parent().unwrap_or(Path::new("."));
        let mut command = Command::new(&self.executable);
        command.arg("--list").current_dir(dir).env("CASSETTE_REGISTRY", file);
        // By these two a program that was built elsewhere, or moved, knows where its package is.
        command.env("CARGO_MANIFEST_DIR", dir).env("CARGO_PKG_NAME", &self.package);
        command.envs(moved.map(|dir| ("CASSETTE_DIR", dir)));
        let listed = command.stdin(Stdio::null()).output().map_err(|error| format!("which does not start: {error}"))?;
        let told = fs::read(file).ok();
        let _ = fs::remove_file(file);
        match told {
            Some(told) => {
                let entries = self.entries(&String::from_utf8_lossy(&told));
                entries.ok_or_else(|| "whose answer cannot be read".to_owned())
            }
            None if listed.status.success() => Ok(Vec::new()),
            None => Err(format!("which failed to list its tests: {}", listed.status)),
        }
    }

    /// Reads what the binary said that it owns.
    fn entries(&self, text: &str) -> Option<Vec<Owned>> {
        let Json::Array(entries) = Json::parse(text).ok()? else { return None };
        let entry = |entry: &Json| {
            let text = |name: &str| Some(entry.get(name)?.as_str()?.into_owned());
            Some(Owned {
                dir: text("directory")?.into(),
                cassette: text("cassette")?,
                package: self.package.clone(),
                test: text("test")?,
                file: text("file")?,
                line: usize::try_from(entry.get("line")?.as_u64()?).ok()?,
                claim: match (entry.get("mode").and_then(Json::as_str).as_deref(), entry.get("shares")) {
                    (Some("off"), _) => Claim::Nothing,
                    (Some("replay"), _) => Claim::Replays,
                    (_, Some(Json::Bool(true))) => Claim::Shares,
                    _ => Claim::Records,
                },
                origin: text("origin"),
                ignored: entry.get("ignored").and_then(Json::as_bool).unwrap_or_default(),
                selection: self.selection(),
            })
        };
        entries.iter().map(entry).collect()
    }

    /// Returns what tells cargo to build this binary alone.
    fn selection(&self) -> Vec<String> {
        let target = match self.kind.as_str() {
            "test" | "bin" | "example" | "bench" => vec![format!("--{}", self.kind), self.target.clone()],
            _ => vec!["--lib".to_owned()],
        };
        [vec!["-p".to_owned(), self.package.clone()], target].concat()
    }

    fn has_own_harness(&self) -> bool {
        let table = manifest(&self.manifest).unwrap_or_default();
        let sections = match self.kind.as_str() {
            "test" => "test",
            "bench" => "bench",
            "example" => "example",
            "bin" => "bin",
            _ => "lib",
        };
        let harness = |target: &Value| target.get("harness").and_then(Value::as_bool) == Some(false);
        match table.get(sections) {
            Some(Value::Array(targets)) => {
                let is_this = |target: &&Value| target.get("name").and_then(Value::as_str) == Some(&self.target);
                targets.iter().find(is_this).is_some_and(harness)
            }
            Some(target) => harness(target),
            None => false,
        }
    }
}

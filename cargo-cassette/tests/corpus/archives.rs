//! Every cassette as an HTTP archive: it is what the published schema of HAR 1.2 asks for, and imports as what was exported.
//!
//! The schema is that of the npm package `har-schema`, held against each archive by `har-validator`, which `.ci/run` installs beside
//! what is built. Where it is absent the round trip is what is left, and the test says so.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use cargo_cassette::export::har;
use cargo_cassette::import::{self, Exchange};
use cassette_core::call::Kind;
use cassette_core::disk;
use cassette_core::json::Layout;
use cassette_core::redact::{unescape_call, unescape_reply};
use cassette_core::reply::Outcome;
use cassette_core::tape::{Interaction, Tape};

/// Reads a name and an archive from each line, and prints what the schema has against them.
const SCRIPT: &str = r"
const validate = require('har-validator').har;
const lines = require('readline').createInterface({ input: process.stdin, crlfDelay: Infinity });
let checked = 0, entries = 0, bad = 0, chain = Promise.resolve();
lines.on('line', (line) => {
  const [name, text] = line.split('\t');
  const archive = JSON.parse(text);
  checked += 1;
  entries += archive.log.entries.length;
  chain = chain.then(() => validate(archive)).catch((error) => {
    bad += 1;
    for (const { dataPath, message } of error.errors || [{ dataPath: '', message: String(error) }])
      console.log(`${name}: ${dataPath} ${message}`);
  });
});
lines.on('close', () => chain.then(() => {
  console.log(`${checked} archives, ${entries} entries, ${bad} refused`);
  process.exitCode = bad === 0 ? 0 : 1;
}));
";

/// Whoever knows the published schema, and waits for archives.
pub(crate) struct Validator(Option<Child>);

impl Validator {
    /// Starts it, where it is installed.
    pub(crate) fn start() -> Validator {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it stands in a directory");
        let modules = target.join("node/node_modules");
        if !modules.join("har-validator").is_dir() {
            println!("skipped: the published schema of HAR: .ci/run installs har-validator in {}", modules.display());
            return Validator(None);
        }
        let mut node = Command::new("node");
        node.args(["-e", SCRIPT]).env("NODE_PATH", modules).stdin(Stdio::piped()).stdout(Stdio::piped());
        Validator(Some(node.spawn().expect("node runs where its packages are")))
    }

    /// Tells it of the archive of a cassette.
    pub(crate) fn take(&mut self, name: &str, tape: &Tape) {
        let Some(node) = &mut self.0 else { return };
        let line = format!("{name}\t{}\n", har(tape).har.print(Layout::Compact));
        node.stdin.as_mut().expect("it listens").write_all(line.as_bytes()).expect("it listens");
    }

    /// Returns what it has against them.
    pub(crate) fn verdict(self) -> Vec<String> {
        let Some(mut node) = self.0 else { return Vec::new() };
        drop(node.stdin.take());
        let output = node.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        println!("HAR 1.2: {}", said.lines().last().unwrap_or("nothing was said"));
        if output.status.success() { Vec::new() } else { said.lines().map(str::to_owned).collect() }
    }
}

/// Exports a cassette, imports what comes out, and returns what is not as it was.
pub(crate) fn round_trip(tape: &Tape) -> Vec<String> {
    let exported = har(tape);
    let kept: Vec<_> =
        tape.interactions.iter().filter(|one| one.asked().kind() == Kind::Http && one.call().is_some()).collect();
    if exported.entries != kept.len() || exported.entries + exported.left_out.len() != tape.interactions.len() {
        return vec![format!("{} of {} exchanges are in the archive", exported.entries, kept.len())];
    }
    let text = exported.har.print(Layout::Indent(2));
    let imported = match import::import(Path::new("exported.har"), text.as_bytes()) {
        Ok(imported) => imported.exchanges,
        Err(refusal) => return vec![format!("the archive is not imported: {refusal}")],
    };
    if imported.len() != kept.len() {
        return vec![format!("{} of {} exchanges are imported", imported.len(), kept.len())];
    }
    let pairs = imported.iter().zip(kept).enumerate();
    pairs.filter_map(|(i, (exchange, kept))| Some(format!("exchange {}: {}", i + 1, moved(exchange, kept)?))).collect()
}

/// Returns what of an exchange is not as it was.
fn moved(exchange: &Exchange, kept: &Interaction) -> Option<&'static str> {
    let mut call = kept.call()?.clone();
    unescape_call(&mut call);
    if exchange.call.name != call.name {
        return Some("its address");
    }
    if exchange.call.body != call.body {
        return Some("its request's body");
    }
    if exchange.call.headers != call.headers {
        return Some("its request's headers");
    }
    match (&exchange.reply, kept.outcome()) {
        (Outcome::Reply(read), Outcome::Reply(reply)) => {
            let mut reply = reply.clone();
            unescape_reply(&mut reply);
            if read.status != reply.status {
                return Some("its status");
            }
            if read.headers != reply.headers {
                return Some("its reply's headers");
            }
            if read.body() != reply.body() {
                return Some("its reply's body");
            }
            (*read != reply).then_some("how its reply came")
        }
        (Outcome::Error(read), Outcome::Error(error)) => (read != error).then_some("its error"),
        _ => Some("its outcome"),
    }
}

/// Returns every cassette that is committed here, by where it stands.
fn committed() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package stands in a workspace");
    let listed = Command::new("git").arg("-C").arg(root).args(["ls-files", "*cassettes/*.json"]).output();
    let listed = listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    listed
        .lines()
        .map(|file| root.join(file))
        .filter(|file| file.file_name().is_some_and(|name| name != "allow.json"))
        .collect()
}

#[test]
fn every_committed_cassette_is_a_sound_archive() {
    let mut validator = Validator::start();
    let mut wrong = Vec::new();
    let files = committed();
    for file in &files {
        let shown = file.display().to_string();
        let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{shown}: {error}"));
        let tape = disk::read(&bytes).unwrap_or_else(|error| panic!("{shown}: {error:?}"));
        validator.take(&shown, &tape);
        wrong.extend(round_trip(&tape).into_iter().map(|what| format!("{shown}: {what}")));
    }
    wrong.extend(validator.verdict());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    if files.is_empty() {
        println!("skipped: this is no checkout of the repository");
    }
}

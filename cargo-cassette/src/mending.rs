//! What to do about a file that is no cassette which can be read.

use std::path::Path;

use cassette_core::audit::audit;
use cassette_core::env;
use cassette_core::files;
use cassette_core::json::Json;
use cassette_core::mode::Mode;
use cassette_core::redact::Secrets;

use crate::git::{Unmerged, committed, history, unmerged};
use crate::rules::rules;
use crate::seen::is_edited;
use crate::shelf::{self, NEWER, Spot, Unreadable, readable};
use crate::typed::{quoted, typed};

/// Under which name the head of a cassette holds the upstreams that were named when a program was served it.
pub const UPSTREAMS: &str = "upstreams";

/// Returns what to do about a cassette that cannot be read: the same, whoever was to read it.
#[must_use]
pub fn mending(spot: &Spot, error: &Unreadable) -> String {
    match error {
        Unreadable::Io(_) => readable(&spot.shown, &spot.path),
        Unreadable::Nameless => format!("give it a name: {}", naming(spot).unwrap_or_default()),
        Unreadable::Hidden => format!("give it a name: {}", showing(spot)),
        Unreadable::Newer(..) => NEWER.to_owned(),
        Unreadable::Other if is_committed_sound(spot) => from_git(spot),
        Unreadable::Other => "name one that is: cargo cassette list".to_owned(),
        Unreadable::Compressed => {
            let whole = spot.shown.strip_suffix(".zst").unwrap_or(&spot.shown);
            format!("decompress it: zstd -d {}", typed(&format!("{whole}.zst")))
        }
        Unreadable::Damaged(..) => {
            let text = files::read_text(&spot.path).unwrap_or_default();
            if shelf::holds_other(&spot.path) {
                return mending(spot, &Unreadable::Other);
            }
            damaged(spot, &text, &anew(spot, test_of(&text).as_deref()))
        }
    }
}

/// Returns what to do about a damaged cassette of this text, which a command records anew.
#[must_use]
pub fn damaged(spot: &Spot, text: &str, anew: &str) -> String {
    if conflict(text).is_some() {
        return conflicting(spot, anew);
    }
    let again = again(spot, anew);
    if !is_edited(text) {
        return again;
    }
    let leaks = !audit(text, &rules(spot.path.parent().unwrap_or(&spot.path)), &Secrets::new(&env::of_secrets()), &[])
        .is_empty();
    let scrub = if leaks { " --scrub" } else { "" };
    format!("if the change is meant, which --dry-run shows, cargo cassette seal {}{scrub}; else {again}", spot.typed())
}

/// Returns what to do about a cassette in which a merge has left its marks, which a command records anew.
#[must_use]
pub fn conflicting(spot: &Spot, anew: &str) -> String {
    match unmerged(&spot.path) {
        Unmerged::Settled if !is_committed_sound(spot) => match before(&spot.path) {
            Some(commit) => format!(
                "take the file from before the merge: git checkout {commit} -- {}, or record it anew: {anew}",
                spot.typed()
            ),
            None => format!("record it anew: {anew}"),
        },
        Unmerged::Settled => again(spot, anew),
        sides => sides.mending(&spot.shown, anew),
    }
}

/// Returns the last commit in which a file is a sound cassette.
fn before(file: &Path) -> Option<String> {
    history(file).into_iter().find(|(_, bytes)| shelf::read(bytes).is_ok()).map(|(commit, _)| commit)
}

fn is_committed_sound(spot: &Spot) -> bool {
    committed(&spot.path).is_some_and(|bytes| shelf::read(&bytes).is_ok())
}

/// Returns what makes a cassette what it was: git, where its last commit has it sound, or another recording.
#[must_use]
pub fn again(spot: &Spot, anew: &str) -> String {
    match is_committed_sound(spot) {
        true => format!("{}, or record it anew: {anew}", from_git(spot)),
        false => format!("record it anew: {anew}"),
    }
}

fn from_git(spot: &Spot) -> String {
    format!("take the file from git again: git checkout HEAD -- {}", spot.typed())
}

/// Returns the command that records a cassette of this test anew, and no other; what no test has recorded is recorded by the command that
/// did, and what nobody is known to have by whichever test has no cassette then.
#[must_use]
pub fn anew(spot: &Spot, test: Option<&str>) -> String {
    let of_test = || {
        // By its name in the program: which target that is of, its path does not say.
        let (_, own) = test?.split_once("::")?;
        Some(format!("CASSETTE_MODE=refresh cargo test {} -- --exact", typed(own)))
    };
    // What can be read is not removed.
    let of_nobody = || match spot.open() {
        Ok(_) | Err(Unreadable::Other) => "CASSETTE_MODE=refresh cargo test".to_owned(),
        Err(_) => format!("rm {} && cargo cassette record --missing", spot.typed()),
    };
    by_command(spot, test, Mode::Refresh).or_else(of_test).unwrap_or_else(of_nobody)
}

/// Returns the command that removes a cassette of this test and records it again: a refresh that finds nothing changed would leave it as it is.
#[must_use]
pub fn from_nothing(spot: &Spot, test: Option<&str>) -> String {
    let of_test = test.and_then(|test| Some(typed(test.split_once("::")?.1)));
    let of_test = of_test.map(|own| format!("CASSETTE_MODE=record cargo test {own} -- --exact"));
    let record = by_command(spot, test, Mode::Record).or(of_test);
    let record = record.unwrap_or_else(|| "cargo cassette record --missing".to_owned());
    format!("rm {} && {record}", spot.typed())
}

/// Returns the command that records a cassette in this mode where it is a command that has recorded it, and no test: from where that
/// has, though the file be gone by then.
#[must_use]
pub fn by_command(spot: &Spot, test: Option<&str>, mode: Mode) -> Option<String> {
    let name = typed(&spot.name);
    match test? {
        "cargo-cassette::serve" => {
            let text = files::read_text(&spot.path).unwrap_or_default();
            let named = upstreams(&text).into_iter().flat_map(|named| named.members().to_vec());
            let said = named.filter_map(|(name, url)| Some((name.value().into_owned(), url.as_str()?.into_owned())));
            let said: String =
                said.map(|(name, url)| format!(" --upstream {}", quoted(&address(&name, &url)))).collect();
            Some(format!("cargo cassette serve --mode {mode} {name}{said} -- .."))
        }
        "cargo-cassette::mcp" => Some(format!("cargo cassette mcp --mode {mode} --cassette {name} -- ..")),
        _ => None,
    }
}

/// Returns an upstream as it is named, with its address: one of the machine on which it was recorded is to be filled in.
fn address(name: &str, url: &str) -> String {
    let host = url.split_once("://").and_then(|(_, rest)| rest.split(['/', '?', '#']).next());
    if host == Some(&*name.replace('_', "-")) { format!("{name}=<URL>") } else { format!("{name}={url}") }
}

/// Returns the upstreams that were named when this was recorded, of a damaged cassette too.
#[must_use]
pub fn upstreams(text: &str) -> Option<Json> {
    // No name and no address of one has a brace in it.
    let (_, behind) = text.split_once(&format!("\n    \"{UPSTREAMS}\": {{"))?;
    Json::parse(&format!("{{{}}}", behind.split_once('}')?.0)).ok()
}

/// Returns the line, from 0, on which a merge conflict begins that was left in what should be a document.
#[must_use]
pub fn conflict(text: &str) -> Option<usize> {
    let at = text.lines().position(|line| line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> "));
    at.filter(|_| Json::parse_around(text).is_err())
}

/// Returns the test that owns a cassette, of a damaged one too.
#[must_use]
pub fn test_of(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix("  \"test\": "))?;
    let value = Json::parse(line.trim_end_matches(',')).ok()?;
    value.as_str().map(|test| test.into_owned())
}

/// Returns the command that takes the dots from the beginning of a file's name, with a number where that is taken.
fn showing(spot: &Spot) -> String {
    let (dirs, own) =
        spot.shown.rsplit_once('/').map_or((String::new(), &*spot.shown), |(dirs, own)| (format!("{dirs}/"), own));
    let stem = own.trim_start_matches('.').trim_end_matches(".json");
    let stem = if stem.is_empty() { "recording" } else { stem };
    let numbered = |n: usize| if n == 1 { format!("{stem}.json") } else { format!("{stem}-{n}.json") };
    let free = (1..).map(numbered).find(|name| !spot.path.with_file_name(name).exists());
    format!("mv {} {}", spot.typed(), typed(&(dirs + &free.unwrap_or_default())))
}

/// Returns the command that gives a name to the first step of a cassette's name that has none: what can be read of its own, with a
/// number where that is taken.
fn naming(spot: &Spot) -> Option<String> {
    let inner = spot.shown.strip_prefix("$'")?.strip_suffix('\'')?;
    let steps: Vec<_> = spot.path.ancestors().take(spot.name.split('/').count()).collect();
    let old = steps.iter().rev().find(|path| path.file_name().is_some_and(|name| name.to_str().is_none()))?;
    let below = steps.iter().position(|path| path == old)?;
    let shown: Vec<_> = inner.split('/').collect();
    let (dirs, name) = shown.get(..shown.len() - below)?.split_last().map(|(name, dirs)| (dirs, name))?;
    let is_plain = |c: char| c.is_alphanumeric() || "._-".contains(c);
    let own = old.file_name()?.to_string_lossy().replace(|c| !is_plain(c), "_");
    let (stem, ending) = own.split_once('.').map_or((&*own, String::new()), |(stem, end)| (stem, format!(".{end}")));
    let numbered = |n: usize| if n == 1 { own.clone() } else { format!("{stem}-{n}{ending}") };
    let new = (1..).map(numbered).find(|name| !old.with_file_name(name).exists())?;
    let [old, new] = [*name, &new].map(|name| dirs.iter().copied().chain([name]).collect::<Vec<_>>().join("/"));
    let new = if new.contains('\\') { format!("$'{new}'") } else { typed(&new) };
    Some(format!("mv $'{old}' {new}"))
}

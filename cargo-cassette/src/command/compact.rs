//! `cargo cassette compact`: cassettes are written anew as today's version writes them.

use std::fs;

use cargo_cassette::shelf::Shelf;
use cassette_core::json::Json;
use cassette_core::store::{Store as _, StoreError};
use cassette_core::upkeep::{Compacted, Refusal, compacted};
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::delete::remove;
use super::failure::Failure;
use super::settling::{Of, Waiting, chosen, locked, refused, refused_json, waiting};
use crate::output::{Ink, Line, Output, count, size};

/// Write cassettes anew as today's version writes them, and remove what nothing refers to
///
/// The layout and the keys of older schemes change; what is replayed is the same, byte for byte, which is checked. Blobs that no
/// cassette refers to are removed, unless cassettes are named.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette compact --dry-run\n  cargo cassette compact trains\n\nExit codes: 0 done, 1 something was refused, 2 it could not be done as asked."
)]
pub(crate) struct Compact {
    /// The cassettes' names [default: all]
    cassettes: Vec<String>,
    /// Show what would change, and write nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What became of a cassette.
struct Written {
    compacted: Compacted,
    before: u64,
    after: u64,
}

pub(super) fn run(compact: &Compact, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let all = chosen(waiting(around, Shelf::cassettes)?, &compact.cassettes, "compact", true)?;
    let mut found = Found::Nothing;
    let mut told = Vec::new();
    let mut changed = 0;
    for cassette in &all {
        let settled = one(compact, cassette);
        if settled.is_err() {
            found = Found::Something;
        }
        match settled {
            _ if compact.json => told.push(json(cassette, &settled, compact.dry_run)),
            Err(refusal) => refused(&cassette.spot.name, &refusal, Of::File, output)?,
            Ok(written) => changed += text(cassette, &written, compact.dry_run, output)?,
        }
    }
    let mut blobs = Vec::new();
    if compact.cassettes.is_empty() {
        blobs = waiting(around, Shelf::unreferenced_blobs)?;
    }
    for blob in &blobs {
        if !compact.json {
            remove(&blob.spot, compact.dry_run, output)?;
        } else if !compact.dry_run {
            fs::remove_file(&blob.spot.path).map_err(|error| Failure::Remove(blob.spot.shown.clone(), error))?;
        }
    }
    if compact.json {
        let blobs: Vec<Json> = blobs.iter().map(|blob| blob.spot.shown.as_str().into()).collect();
        output.json(&Json::object([("compacted", told.into()), ("blobs", blobs.into())]))?;
    } else if changed == 0 && blobs.is_empty() && found == Found::Nothing {
        output.line(&Line::of(&format!("{} looked at, nothing to compact", count(all.len(), "cassette"))))?;
    }
    Ok(found)
}

fn one(compact: &Compact, cassette: &Waiting) -> Result<Written, Refusal> {
    let (store, name) = (cassette.store(), &cassette.spot.name);
    let known = cassette.known(name)?;
    let look = || -> Result<Written, Refusal> {
        let failed = |error: std::io::Error| StoreError::Io(cassette.spot.shown.clone(), "read", error.to_string());
        let document = fs::read(&cassette.spot.path).map_err(failed)?;
        let compacted = compacted(&document, &known)?;
        let before = document.len() as u64;
        let after = compacted.document.as_ref().map_or(before, |proven| proven.text().len() as u64);
        Ok(Written { compacted, before, after })
    };
    let first = look()?;
    match (compact.dry_run, &first.compacted.document) {
        (true, _) | (_, None) => Ok(first),
        (false, Some(_)) => locked(&store, name, || {
            // It may have been recorded again before it was locked.
            let written = look()?;
            written.compacted.document.iter().try_for_each(|document| store.save(name, document))?;
            Ok(written)
        }),
    }
}

/// Tells of one cassette, and returns whether it changes, as a number.
fn text(cassette: &Waiting, written: &Written, dry_run: bool, output: &mut Output) -> Result<usize, Failure> {
    let Written { compacted, before, after } = written;
    let mut what = Vec::new();
    what.extend((compacted.keys > 0).then(|| format!("{} of an older scheme made anew", count(compacted.keys, "key"))));
    if compacted.stuck > 0 {
        let keys = count(compacted.stuck, "key");
        what.push(format!("{keys} of an older scheme left, since only digests are kept: record it anew"));
    }
    let is_changed = compacted.document.is_some();
    if !is_changed && what.is_empty() {
        return Ok(0);
    }
    let verb = match (is_changed, dry_run) {
        (false, _) => "leaves ",
        (true, true) => "would compact ",
        (true, false) => "compacts ",
    };
    what.insert(0, format!("{} → {}", size(*before), size(*after)));
    let line = Line::of(verb).ink(Ink::Strong, &cassette.spot.shown);
    output.line(&line.plain(&format!(": {}", what.join(", "))))?;
    Ok(usize::from(is_changed))
}

fn json(cassette: &Waiting, settled: &Result<Written, Refusal>, dry_run: bool) -> Json {
    let name = cassette.spot.name.as_str();
    let mut members = vec![("name", name.into()), ("file", cassette.spot.shown.as_str().into())];
    match settled {
        Err(refusal) => {
            members.push(("outcome", "refused".into()));
            members.extend(refused_json(name, refusal, Of::File));
        }
        Ok(Written { compacted, before, after }) => {
            let outcome = match (compacted.document.is_some(), dry_run) {
                (false, _) => "as it is",
                (true, true) => "would be compacted",
                (true, false) => "compacted",
            };
            members.extend([
                ("outcome", outcome.into()),
                ("bytes_before", (*before).into()),
                ("bytes_after", (*after).into()),
                ("keys", (compacted.keys as u64).into()),
                ("keys_left", (compacted.stuck as u64).into()),
            ]);
        }
    }
    Json::object(members)
}

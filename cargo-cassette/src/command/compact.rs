//! `cargo cassette compact`: cassettes are written anew as today's version writes them.

use std::fs;

use cargo_cassette::shelf::Shelf;
use cassette_core::json::Json;
use cassette_core::prove::Proven;
use cassette_core::upkeep::{Compacted, compacted};
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::delete::remove;
use super::failure::Failure;
use super::settling::{Chore, Form, Mended, Mending, Refused, Run, Waiting, each, meant, mend, once, waiting};
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
    #[command(flatten)]
    mending: Mending,
}

/// What became of a cassette.
pub(super) struct Written {
    compacted: Compacted,
    before: u64,
    after: u64,
}

impl Mended for Written {
    fn document(&self) -> Option<&Proven> {
        self.compacted.document.as_ref()
    }
}

pub(crate) fn run(compact: &Compact, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let Compact { mending } = compact;
    let all = once(meant(mending, around)?);
    let told = each(compact, &all, mending.form(), output)?;
    let blobs = if mending.cassettes.is_empty() { waiting(around, Shelf::unreferenced_blobs)? } else { Vec::new() };
    for blob in &blobs {
        match (mending.form(), mending.run()) {
            (Form::Text, run) => remove(&blob.spot, run, output)?,
            (Form::Json, Run::Dry) => {}
            (Form::Json, Run::Real) => {
                fs::remove_file(&blob.spot.path).map_err(|error| Failure::Remove(blob.spot.clone(), error))?;
            }
        }
    }
    if mending.form() == Form::Json {
        let blobs: Vec<Json> = blobs.iter().map(|blob| blob.spot.shown.as_str().into()).collect();
        output.json(&Json::object([("compacted", told.json.into()), ("blobs", blobs.into())]))?;
    } else {
        let files = all.iter().filter(|it| !it.spot.is_directory()).count();
        let (compacted, removed) = match mending.run() {
            Run::Dry => ("to compact", "to remove"),
            Run::Real => ("compacted", "removed"),
        };
        let mut what = vec![format!("{} looked at", count(files, "cassette"))];
        what.extend((told.things > 0).then(|| format!("{} {compacted}", told.things)));
        what.extend((!blobs.is_empty()).then(|| format!("{} {removed}", count(blobs.len(), "blob"))));
        what.extend((told.refused > 0).then(|| format!("{} refused", told.refused)));
        what.extend((what.len() == 1).then(|| "nothing to compact".to_owned()));
        output.line(&Line::of(&what.join(", ")))?;
    }
    Ok(told.found)
}

impl Chore for Compact {
    type Done = Written;

    fn one(&self, cassette: &Waiting) -> Result<Written, Refused> {
        let known = cassette.known(&cassette.spot.name)?;
        let written = mend(cassette, self.mending.run(), &known, |document, known| {
            let compacted = compacted(document, known)?;
            let before = document.len() as u64;
            let after = compacted.document.as_ref().map_or(before, |proven| proven.text().len() as u64);
            Ok(Written { compacted, before, after })
        });
        written.map_err(Refused::AsItIs)
    }

    fn things(&self, written: &Written) -> usize {
        usize::from(written.compacted.document.is_some())
    }

    fn text(&self, cassette: &Waiting, written: &Written, output: &mut Output) -> Result<(), Failure> {
        let Written { compacted, before, after } = written;
        let mut what = Vec::new();
        let anew = || format!("{} of an older scheme made anew", count(compacted.keys, "key"));
        what.extend((compacted.keys > 0).then(anew));
        if compacted.stuck > 0 {
            let keys = count(compacted.stuck, "key");
            what.push(format!("{keys} of an older scheme left, since only digests are kept: record it anew"));
        }
        let verb = match (compacted.document.is_some(), self.mending.run()) {
            (false, _) if what.is_empty() => return Ok(()),
            (false, _) => "leaves ",
            (true, Run::Dry) => "would compact ",
            (true, Run::Real) => "compacts ",
        };
        what.insert(0, format!("{} → {}", size(*before), size(*after)));
        let line = Line::of(verb).ink(Ink::Strong, &cassette.spot.place());
        Ok(output.line(&line.plain(&format!(": {}", what.join(", "))))?)
    }

    fn json(&self, written: &Written) -> (&'static str, Vec<(&'static str, Json)>) {
        let Written { compacted, before, after } = written;
        let outcome = match (compacted.document.is_some(), self.mending.run()) {
            (false, _) => "as it is",
            (true, Run::Dry) => "would be compacted",
            (true, Run::Real) => "compacted",
        };
        let members = [
            ("bytes_before", (*before).into()),
            ("bytes_after", (*after).into()),
            ("keys", (compacted.keys as u64).into()),
            ("keys_left", (compacted.stuck as u64).into()),
        ];
        (outcome, members.into())
    }
}

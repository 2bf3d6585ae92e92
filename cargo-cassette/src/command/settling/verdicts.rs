//! `accept` and `reject`: one verdict over the recordings that are named.

use cassette_core::json::Json;
use clap::Args;

use super::super::Found;
use super::super::around::Surroundings;
use super::super::failure::Failure;
use super::chore::{Chore, Form, each};
use super::refused::Refused;
use super::verdict::{Comes, Run, Verdict, settle_unseen};
use super::waiting::{Waiting, chosen, pending};
use crate::output::{Line, Output};

/// Which recordings are settled, and how.
#[derive(Debug, Args)]
pub(crate) struct Settling {
    /// The cassettes' names
    #[arg(conflicts_with = "all")]
    cassettes: Vec<String>,
    /// Everything that is pending
    #[arg(long)]
    all: bool,
    /// Show what would become of them, and change nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

struct Verdicts {
    verdict: Verdict,
    run: Run,
}

/// Says this of the recordings that are named.
pub(in crate::command) fn run(
    verdict: Verdict,
    settling: &Settling,
    around: &Surroundings,
    output: &mut Output,
) -> Result<Found, Failure> {
    let wanting = (!settling.all).then(|| verdict.verb());
    let all = chosen(pending(around)?, &settling.cassettes, wanting, around)?;
    let verdicts = Verdicts { verdict, run: if settling.dry_run { Run::Dry } else { Run::Real } };
    let form = if settling.json { Form::Json } else { Form::Text };
    let told = each(&verdicts, &all, form, output)?;
    if settling.json {
        output.json(&Json::object([(verdict.past(), told.json.into())]))?;
    } else if all.is_empty() {
        output.line(&Line::of("nothing is pending"))?;
    }
    Ok(told.found)
}

impl Chore for Verdicts {
    type Done = Comes;

    fn one(&self, file: &Waiting) -> Result<Comes, Refused> {
        settle_unseen(self.verdict, file, self.run)
    }

    fn text(&self, file: &Waiting, comes: &Comes, output: &mut Output) -> Result<(), Failure> {
        let verb = match self.run {
            Run::Real => format!("{}s", self.verdict.verb()),
            Run::Dry => format!("would {}", self.verdict.verb()),
        };
        Ok(output.line(&comes.told(Line::of(&verb), &file.spot.label()))?)
    }

    fn json(&self, comes: &Comes) -> (&'static str, Vec<(&'static str, Json)>) {
        let outcome = match (self.run, self.verdict) {
            (Run::Real, verdict) => verdict.past(),
            (Run::Dry, Verdict::Accept | Verdict::Replace) => "would be accepted",
            (Run::Dry, Verdict::Reject) => "would be rejected",
        };
        let member = match comes {
            Comes::Becomes(becomes) => ("becomes", becomes.as_str().into()),
            Comes::Goes(calls) => ("calls", calls.map_or(Json::Null, |calls| (calls as u64).into())),
        };
        (outcome, vec![member])
    }

    /// What is accepted goes into the cassette's file; what is rejected is the file that goes.
    fn shown(&self, file: &Waiting) -> String {
        match self.verdict {
            Verdict::Accept | Verdict::Replace => file.shelf.spot(&file.spot.name).shown,
            Verdict::Reject => file.spot.shown.clone(),
        }
    }
}

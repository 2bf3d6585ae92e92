//! `cargo cassette accept`: recordings that were not taken over are.

use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::settling::{Settling, Verdict, verdicts};
use crate::output::Output;

/// Accept recordings that were not taken over
///
/// The audit and the proof run again; what was masked after a leak, what its own test found not to replay, and what was
/// recorded over a file that has changed since is refused; of the last, --replace has it after all. Anything refused makes the
/// exit code 1.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette accept trains\n  cargo cassette accept --all --dry-run\n\nExit codes: 0 accepted, 1 something was refused, 2 it could not be done as asked."
)]
pub(crate) struct Accept {
    #[command(flatten)]
    settling: Settling,
    /// Put them in the place of what stands there now, though it is not what they were recorded over
    #[arg(long)]
    replace: bool,
}

pub(crate) fn run(accept: &Accept, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let verdict = if accept.replace { Verdict::Replace } else { Verdict::Accept };
    verdicts::run(verdict, &accept.settling, around, output)
}

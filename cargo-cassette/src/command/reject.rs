//! `cargo cassette reject`: recordings that were not taken over are removed.

use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::settling::{Settling, Verdict, verdicts};
use crate::output::Output;

/// Remove recordings that were not taken over
///
/// The committed files stay as they are.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette reject trains\n  cargo cassette reject --all --dry-run\n\nExit codes: 0 rejected, 1 something could not be removed, 2 it could not be done as asked."
)]
pub(crate) struct Reject {
    #[command(flatten)]
    settling: Settling,
}

pub(crate) fn run(reject: &Reject, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    verdicts::run(Verdict::Reject, &reject.settling, around, output)
}

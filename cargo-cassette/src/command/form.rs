//! How a verb writes what it found, where there is more than one way.

use clap::{Args, ValueEnum};

/// The ways in which a verb can write; `--json` is one of them under a name that every verb has.
pub(super) trait Format: ValueEnum + Copy + Send + Sync + 'static {
    /// For another program.
    const JSON: Self;
}

/// How it is written.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Form<F: Format> {
    /// How it is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: F,
    /// Print JSON: --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl<F: Format> Form<F> {
    /// Returns the way that was asked for.
    pub(super) fn chosen(self) -> F {
        if self.json { F::JSON } else { self.format }
    }
}

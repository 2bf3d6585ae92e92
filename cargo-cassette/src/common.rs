//! What every verb takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// The options of every verb.
#[derive(Clone, Debug, Args)]
pub(crate) struct Common {
    /// The directory of the cassettes [default: CASSETTE_DIR, else `cassettes`, of each package]
    #[arg(long, global = true, value_name = "DIR", help_heading = "Common options")]
    pub(crate) dir: Option<PathBuf>,
    /// All packages of the workspace, wherever in it you are
    #[arg(long, global = true, conflicts_with = "dir", help_heading = "Common options")]
    pub(crate) workspace: bool,
    /// Colours: always, never, or auto, on a terminal, heeding NO_COLOR and CLICOLOR_FORCE
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Common options")]
    #[arg(hide_possible_values = true)]
    pub(crate) color: Color,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set, and where CLICOLOR_FORCE is
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

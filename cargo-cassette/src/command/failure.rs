//! Why a verb could not do what it was asked.

use std::path::Path;
use std::{fmt, io};

use cargo_cassette::git::GitError;
use cargo_cassette::shelf::Spot;
use cargo_cassette::workspace::NoShelf;
use cassette_core::store::StoreError;

use super::diff::DiffError;
use super::export::ExportError;
use super::fork::ForkError;
use super::import::ImportError;
use super::init::InitError;
use super::lint::LintError;
use super::mcp::McpError;
use super::named::NoCassette;
use super::prune::PruneError;
use super::run::RunError;
use super::seal::SealError;
use super::serve::ServeError;
use super::settling::SettlingError;
use super::show::ShowError;
use super::stats::StatsError;
use super::textconv::TextconvError;
use crate::output::typed;

/// Why a verb could not do what it was asked. The text ends with what to type next.
#[derive(Debug)]
pub(crate) enum Failure {
    Output(io::Error),
    Directory(String, io::Error),
    NoShelf(NoShelf),
    NoCassette(NoCassette),
    Show(ShowError),
    Stats(StatsError),
    Lint(LintError),
    Prune(PruneError),
    Seal(SealError),
    Fork(ForkError),
    Settling(SettlingError),
    Remove(Spot, io::Error),
    UnderWay(StoreError),
    Diff(DiffError),
    Git(GitError),
    Init(InitError),
    Textconv(TextconvError),
    Mcp(McpError),
    Run(RunError),
    Serve(ServeError),
    Export(ExportError),
    Import(ImportError),
}

impl Failure {
    /// Returns whether the reader of the output went away, which is its right.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Output(error) => write!(f, "could not write the output: {error}\nhelp: write it elsewhere"),
            Failure::Directory(dir, error) => {
                write!(f, "could not read {dir}: {error}\nhelp: mend it, or name another directory: --dir <DIR>")
            }
            Failure::NoShelf(error) => error.fmt(f),
            Failure::NoCassette(error) => error.fmt(f),
            Failure::Show(error) => error.fmt(f),
            Failure::Stats(error) => error.fmt(f),
            Failure::Lint(error) => error.fmt(f),
            Failure::Prune(error) => error.fmt(f),
            Failure::Seal(error) => error.fmt(f),
            Failure::Fork(error) => error.fmt(f),
            Failure::Settling(error) => error.fmt(f),
            Failure::Remove(spot, error) => {
                let dir = Path::new(&spot.shown).parent().filter(|dir| *dir != Path::new(""));
                let dir = typed(&dir.unwrap_or(Path::new(".")).display().to_string());
                let help = format!("let it be removed: chmod u+w {dir} && rm {}", spot.typed());
                write!(f, "could not remove {}: {error}\nhelp: {help}", spot.place())
            }
            Failure::UnderWay(error) => {
                write!(f, "{error}, and nothing is removed\nhelp: wait until its test has ended")
            }
            Failure::Diff(error) => error.fmt(f),
            Failure::Git(error) => error.fmt(f),
            Failure::Init(error) => error.fmt(f),
            Failure::Textconv(error) => error.fmt(f),
            Failure::Mcp(error) => error.fmt(f),
            Failure::Run(error) => error.fmt(f),
            Failure::Serve(error) => error.fmt(f),
            Failure::Export(error) => error.fmt(f),
            Failure::Import(error) => error.fmt(f),
        }
    }
}

impl From<io::Error> for Failure {
    /// Takes an error of the output: every other one says what it is of.
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

impl From<NoShelf> for Failure {
    fn from(error: NoShelf) -> Failure {
        Failure::NoShelf(error)
    }
}

impl From<NoCassette> for Failure {
    fn from(error: NoCassette) -> Failure {
        Failure::NoCassette(error)
    }
}

impl From<GitError> for Failure {
    fn from(error: GitError) -> Failure {
        Failure::Git(error)
    }
}

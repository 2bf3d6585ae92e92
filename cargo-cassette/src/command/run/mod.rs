//! `cargo cassette test`, `record`, `refresh`, `off`: cargo's tests in a mode, and what became of the cassettes.

mod missing;
mod summary;
mod words;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::{fmt, fs, io};

use cargo_cassette::exit;
use cargo_cassette::registry::NoRegistry;
use cargo_cassette::workspace::Reach;
use cassette_core::mode::Mode;
use cassette_core::settings::dollars;
use cassette_core::{env, ledger};
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use crate::output::Output;
use words::Words;

/// Run the tests in this mode, then sum up what became of their cassettes
///
/// Everything that cargo test takes may follow, or with --nextest what cargo nextest run takes, and behind `--` what the tests
/// take. The exit code is cargo's. `test` replays, `record` records what is missing, `refresh` records over what there is, `off`
/// records nothing and replays nothing.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette test --test suite -- --nocapture\n  cargo cassette refresh --budget 0.50 --nextest -p trains"
)]
pub(crate) struct Run {
    /// Run the tests with cargo-nextest
    #[arg(long)]
    nextest: bool,
    /// Stop going live at so many dollars, all tests together
    #[arg(long, value_name = "DOLLARS")]
    budget: Option<String>,
    /// What cargo takes
    #[arg(value_name = "CARGO ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    cargo: Vec<OsString>,
    /// What the tests take.
    #[arg(skip)]
    pub(crate) tests: Vec<OsString>,
}

/// Run the tests and record what is missing, then sum up what became of their cassettes
///
/// Everything that cargo test takes may follow, or with --nextest what cargo nextest run takes, and behind `--` what the tests
/// take. The exit code is cargo's.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette record --missing --budget 0.50\n  cargo cassette record --test suite it_answers -- --exact"
)]
pub(crate) struct Record {
    /// Run the tests alone that have no cassette yet
    #[arg(long)]
    missing: bool,
    /// What is run.
    #[command(flatten)]
    pub(crate) run: Run,
}

/// Why no test is run.
#[derive(Debug)]
pub(crate) enum RunError {
    /// `CI` is set.
    Ci(Mode),
    /// The budget is none.
    Budget(String),
    /// An option of the command's own lacks its value, or stands where it means nothing.
    Option(String),
    /// The tests could not be asked what they own.
    NoRegistry(NoRegistry),
    /// A program could not be started.
    Start(String, io::Error),
    /// What the tests wrote of themselves cannot be read.
    Ledger(PathBuf, io::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Ci(mode) => write!(
                f,
                "CI is set, where nothing is called live, and the mode would be `{mode}`\n\
                 help: set CASSETTE_ALLOW_CI=1 where CI is meant to call live, or replay: cargo cassette test"
            ),
            RunError::Budget(text) => {
                write!(
                    f,
                    "`{text}` is no amount of dollars\nhelp: write it as 0.50: cargo cassette record --budget 0.50"
                )
            }
            RunError::Option(what) => {
                write!(f, "{what}\nhelp: give the command's own options first: cargo cassette record --help")
            }
            RunError::NoRegistry(error) => {
                write!(f, "{error}\nhelp: mend that, or record whatever is missing as it runs: cargo cassette record")
            }
            RunError::Start(program, error) => {
                write!(f, "could not run {program}: {error}\nhelp: install it, or set CARGO to where cargo is")
            }
            RunError::Ledger(file, error) => {
                write!(f, "what the tests wrote into {} cannot be read: {error}\nhelp: run them again", file.display())
            }
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        Failure::Run(error)
    }
}

/// Records, everything or what is missing alone.
pub(super) fn record(record: &Record, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let words = Words::of(&record.run)?;
    match record.missing || words.missing {
        true => missing::run(&words, around, output),
        false => all(&words, Mode::Record, around, output),
    }
}

/// Runs every test in a mode.
pub(super) fn run(run: &Run, mode: Mode, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let words = Words::of(run)?;
    if words.missing {
        return Err(RunError::Option("`--missing` is for `record` alone".to_owned()).into());
    }
    all(&words, mode, around, output)
}

fn all(words: &Words, mode: Mode, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let book = Book::open(words, mode)?;
    let everywhere = (around.standpoint.reach == Reach::Workspace).then(|| OsString::from("--workspace"));
    let cargo: Vec<_> = everywhere.into_iter().chain(words.cargo.iter().cloned()).collect();
    let status = book.cargo(words, (&cargo, &words.tests), around)?;
    close(book, status, output)
}

/// Sums up, and hands the exit code on.
fn close(book: Book, status: ExitStatus, output: &mut Output) -> Result<Found, Failure> {
    let entries = ledger::read(&book.ledger).map_err(|error| RunError::Ledger(book.ledger.clone(), error))?;
    summary::print(&entries, book.mode, output)?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(exit::TESTS_FAILED);
    Ok(if code == exit::DONE { Found::Nothing } else { Found::Ended(code) })
}

/// The book that the tests of a run keep; it goes when the run is summed up.
struct Book {
    mode: Mode,
    budget: Option<String>,
    ledger: PathBuf,
}

impl Book {
    /// Opens a book, if the run is allowed.
    fn open(words: &Words, mode: Mode) -> Result<Book, RunError> {
        if mode != Mode::Replay && env::is_on("CI") && !env::is_on("CASSETTE_ALLOW_CI") {
            return Err(RunError::Ci(mode));
        }
        let budget = words.budget.clone();
        if let Some(wrong) = budget.as_deref().filter(|budget| dollars(budget).is_none()) {
            return Err(RunError::Budget(wrong.to_owned()));
        }
        let ledger = std::env::temp_dir().join(format!("cassette-ledger-{}", std::process::id()));
        let _ = fs::remove_file(&ledger);
        Ok(Book { mode, budget, ledger })
    }

    /// Runs cargo with what it takes, and behind it what the tests take.
    fn cargo(
        &self,
        words: &Words,
        (cargo, tests): (&[OsString], &[OsString]),
        around: &Surroundings,
    ) -> Result<ExitStatus, RunError> {
        let program = env::var("CARGO").filter(|program| !program.is_empty()).unwrap_or_else(|| "cargo".to_owned());
        let mut command = Command::new(&program);
        command.args(if words.nextest { &["nextest", "run"][..] } else { &["test"] }).args(cargo);
        if !tests.is_empty() {
            command.arg("--").args(tests);
        }
        let standpoint = &around.standpoint;
        command.current_dir(&standpoint.here);
        command.env("CASSETTE_MODE", self.mode.as_str()).env(ledger::VARIABLE, &self.ledger);
        command.envs(self.budget.iter().map(|budget| ("CASSETTE_BUDGET", budget)));
        command.envs(standpoint.dir.iter().map(|dir| ("CASSETTE_DIR", standpoint.here.join(dir))));
        command.status().map_err(|error| RunError::Start(program, error))
    }
}

impl Drop for Book {
    fn drop(&mut self) {
        // Nothing was written where no test has a cassette.
        let _ = fs::remove_file(&self.ledger);
    }
}

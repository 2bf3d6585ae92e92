//! `cargo cassette test`, `record`, `refresh`, `off`: cargo's tests in a mode, and what became of the cassettes.

mod book;
mod left;
mod missing;
mod options;
mod summary;
mod words;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::{fmt, io};

use cargo_cassette::exit;
use cargo_cassette::registry::NoRegistry;
use cargo_cassette::workspace::Reach;
use cassette_core::mode::Mode;
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use crate::output::{Output, complain, count};
use book::{Book, Terms};
use options::Runner;
use words::Words;

/// Run the tests in this mode, then sum up what became of their cassettes
///
/// Everything that cargo test takes may follow, or with --nextest what cargo nextest run takes, and behind `--` what the tests
/// take. The exit code is cargo's, and 101 where all passed though a test with a cassette did not end. `test` replays, `record` records what is missing, `refresh` records over what there is, `off`
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
/// take. The exit code is cargo's, and 101 where all passed though a test with a cassette did not end.
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
    /// The budget is none: what to type.
    Budget(String, String),
    /// An option of the command's own lacks its value, or stands where it means nothing.
    Option(String),
    /// An option is most likely one of the command's own: what was typed, and what to type.
    Misspelt(String, String),
    /// The tests could not be asked what they own.
    NoRegistry(NoRegistry),
    /// A program could not be started.
    Start(String, io::Error),
    /// There is no place for what the tests write of themselves.
    NoPlace(PathBuf, io::Error),
    /// Nobody can be waited for.
    Wait(io::Error),
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
            RunError::Budget(text, again) => {
                write!(f, "`{text}` is no amount of dollars\nhelp: write it as dollars and cents: {again}")
            }
            RunError::Option(what) => {
                write!(f, "{what}\nhelp: give the command's own options first: cargo cassette record --help")
            }
            RunError::Misspelt(typed, meant) => {
                write!(f, "`{typed}` is no option of this command's, nor of cargo's\nhelp: {meant}")
            }
            RunError::NoRegistry(error) => {
                write!(f, "{error}\nhelp: mend that, or record whatever is missing as it runs: cargo cassette record")
            }
            RunError::Start(program, error) => {
                write!(f, "could not run {program}: {error}\nhelp: install it, or set CARGO to where cargo is")
            }
            RunError::NoPlace(dir, error) => write!(
                f,
                "could not make a directory in {}: {error}\nhelp: name one that can be written, with TMPDIR",
                dir.display()
            ),
            RunError::Wait(error) => write!(f, "could not wait for cargo: {error}\nhelp: run it again"),
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
pub(crate) fn record(record: &Record, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let words = Words::of(&record.run, &["--missing", "--budget", "--nextest"]).map_err(spelled(around))?;
    match record.missing || words.missing {
        true => missing::run(&words, around, output),
        false => all(&words, Mode::Record, around, output),
    }
}

/// Runs every test in a mode.
pub(crate) fn run(run: &Run, mode: Mode, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let words = Words::of(run, &["--budget", "--nextest"]).map_err(spelled(around))?;
    if words.missing {
        return Err(RunError::Option("`--missing` is for `record` alone".to_owned()).into());
    }
    all(&words, mode, around, output)
}

/// Returns what makes of a word that was misspelt the command as it was meant.
fn spelled(around: &Surroundings) -> impl Fn(RunError) -> RunError {
    |error| match error {
        RunError::Misspelt(typed, meant) => {
            let again = around.again(&typed, Some(&meant));
            RunError::Misspelt(typed, again)
        }
        error => error,
    }
}

fn all(words: &Words, mode: Mode, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let mut book = Book::open(Terms::of(words, mode, around)?)?;
    let everywhere = (around.standpoint.reach == Reach::Workspace).then(|| OsString::from("--workspace"));
    let cargo: Vec<_> = everywhere.into_iter().chain(words.cargo.iter().cloned()).collect();
    let status = book.cargo(words, (&cargo, &words.tests), around)?;
    close(book, status, (words, around), output)
}

/// Sums up, and hands the exit code on; where a test was cut off and all passed nevertheless, that of tests that failed.
fn close(
    book: Book,
    status: ExitStatus,
    (words, around): (&Words, &Surroundings),
    output: &mut Output,
) -> Result<Found, Failure> {
    let entries = book.entries()?;
    summary::print(&entries, &book.terms, around, output)?;
    let code = exit::code(status);
    let cut_off = summary::cut_off(&entries);
    match (code, cut_off.as_slice()) {
        (exit::DONE, []) => Ok(Found::Nothing),
        (exit::DONE, [first, ..]) => {
            output.flush()?;
            complain(&passed_by(first, cut_off.len(), book.terms.mode, words));
            Ok(Found::Ended(exit::TESTS_FAILED))
        }
        _ => Ok(Found::Ended(code)),
    }
}

/// Returns why a run is not taken for passed in which so many tests were cut off, this one the first.
fn passed_by(test: &str, tests: usize, mode: Mode, words: &Words) -> String {
    let verb = if mode == Mode::Replay { "test" } else { mode.as_str() };
    let name = test.split_once("::").map_or(test, |(_, name)| name);
    let alone = match words.runner {
        Runner::Nextest => format!("--nextest --no-capture {name}"),
        _ => format!("{name} -- --exact --nocapture"),
    };
    format!(
        "{} did not end, and the run passed all the same: what does not end \
         proves nothing\nhelp: see what ended its process: cargo cassette {verb} {alone}",
        count(tests, "test")
    )
}

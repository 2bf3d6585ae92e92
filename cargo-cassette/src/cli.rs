//! What may be typed.

use std::ffi::OsString;

use clap::{Command, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::command::{
    accept, compact, completions, delete, diff, export, fork, import, init, lint, list, mcp, prune, recover,
};
use crate::command::{reject, review, run, scrub, seal, serve, show, stats, status, textconv};
use crate::common::Common;

/// Read, compare and keep the cassettes of cassette-test.
#[derive(Debug, Parser)]
#[command(
    name = "cargo-cassette",
    bin_name = "cargo cassette",
    version,
    disable_help_subcommand = true,
    after_help = "Exit codes: 0 done, 1 something was found (a difference, a file that cannot be read), 2 it could not be done as asked, 101 tests failed.\n\nExample: cargo cassette show trains"
)]
pub(crate) struct Cli {
    /// The verb.
    #[command(subcommand)]
    pub(crate) verb: Verb,
    /// What every verb takes.
    #[command(flatten)]
    pub(crate) common: Common,
}

impl Cli {
    /// Reads the words. What stands behind `--` is handed on as it is by the verbs that run tests.
    ///
    /// # Errors
    ///
    /// Fails where they mean nothing; help comes this way too.
    pub(crate) fn read(words: Vec<OsString>) -> Result<Cli, clap::Error> {
        let words = helped(words);
        let end = words.iter().position(|word| word == "--");
        // Clap would take a `--` that stands first for its own.
        let head = end.and_then(|end| Cli::of(&words[..end]).ok());
        if let (Some(end), Some(mut cli)) = (end, head)
            && let Some(tests) = cli.verb.tests()
        {
            *tests = words[end + 1..].to_vec();
            return Ok(cli);
        }
        Cli::of(&words)
    }

    fn of(words: &[OsString]) -> Result<Cli, clap::Error> {
        let mut command = folded(Cli::command()).mut_subcommands(folded);
        let matches = command.try_get_matches_from_mut(words)?;
        Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }
}

/// Returns words that ask for help as programs of this kind are asked, `help show`, as the option that gives it.
fn helped(words: Vec<OsString>) -> Vec<OsString> {
    match words.split_first() {
        Some((program, [help, verb @ ..])) if help == "help" => {
            [program].into_iter().chain(verb).cloned().chain(["--help".into()]).collect()
        }
        _ => words,
    }
}

/// What stands for a space in an example while it is laid out: a line is folded at spaces alone, and an example that is folded
/// cannot be typed.
const TIED: char = '\u{a0}';

/// Returns a command whose examples stay on their lines.
fn folded(command: Command) -> Command {
    let Some(text) = command.get_after_help().map(ToString::to_string) else { return command };
    let is_example = |line: &str| line.starts_with("  ") || line.starts_with("Example: ");
    let tied = |line: &str| if is_example(line) { line.replace(' ', &TIED.to_string()) } else { line.to_owned() };
    command.after_help(text.lines().map(tied).collect::<Vec<_>>().join("\n"))
}

/// Returns help as it is printed, with the spaces of its examples.
pub(crate) fn unfolded(help: &str) -> String {
    help.replace(TIED, " ")
}

/// Returns where the verb stands among what was typed behind the command's own name: options of all verbs may stand before it.
pub(crate) fn verb_at(typed: &[String]) -> Option<usize> {
    let command = Cli::command();
    let is_verb = |word: &String| command.get_subcommands().any(|verb| verb.get_name() == word);
    let has_value = |at: usize| at > 0 && matches!(typed[at - 1].as_str(), "--dir" | "--color");
    (0..typed.len()).find(|at| is_verb(&typed[*at]) && !has_value(*at))
}

impl Verb {
    /// Returns what the tests are told, where the verb runs tests.
    fn tests(&mut self) -> Option<&mut Vec<OsString>> {
        match self {
            Verb::Test(run) | Verb::Refresh(run) | Verb::Off(run) => Some(&mut run.tests),
            Verb::Record(record) => Some(&mut record.run.tests),
            _ => None,
        }
    }
}

/// What is to be done.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Test(run::Run),
    Record(run::Record),
    Refresh(run::Run),
    Off(run::Run),
    Serve(serve::Serve),
    List(list::List),
    Status(status::Status),
    Show(show::Show),
    Stats(stats::Stats),
    Review(review::Review),
    Accept(accept::Accept),
    Reject(reject::Reject),
    Recover(recover::Recover),
    Lint(lint::Lint),
    Prune(prune::Prune),
    Delete(delete::Delete),
    Fork(fork::Fork),
    Seal(seal::Seal),
    Scrub(scrub::Scrub),
    Compact(compact::Compact),
    Diff(diff::Diff),
    Import(import::Import),
    Export(export::Export),
    Init(init::Init),
    Completions(completions::Completions),
    Textconv(textconv::Textconv),
    Mcp(mcp::Mcp),
}

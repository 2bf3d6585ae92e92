//! What is done with what was typed.

use std::ffi::OsString;

use cargo_cassette::exit;
use cassette_core::mode::Mode;
use clap::CommandFactory as _;

use crate::cli::{Cli, Verb, verb_at};
use crate::command::{
    Failure, Found, Surroundings, accept, compact, completions, delete, diff, export, fork, import, init, lint, list,
    mcp,
};
use crate::command::{prune, recover, reject, review, run, scrub, seal, serve, show, stats, status, textconv};
use crate::misread::tell;
use crate::output::{Advice, Output, complain};

/// Does what was typed, and returns the exit code.
pub(crate) fn dispatch(words: Vec<OsString>) -> u8 {
    let typed: Vec<_> = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let cli = match Cli::read(words) {
        Ok(cli) => cli,
        // Help and the version come this way too.
        Err(error) => return tell(&error, &typed),
    };
    let at = verb_at(&typed);
    let around = Surroundings::of(&cli.common, typed, at);
    let mut output = Output::new(cli.common.color, around.advice.clone());
    let ended = match &cli.verb {
        Verb::Test(verb) => run::run(verb, Mode::Replay, &around, &mut output),
        Verb::Record(verb) => run::record(verb, &around, &mut output),
        Verb::Refresh(verb) => run::run(verb, Mode::Refresh, &around, &mut output),
        Verb::Off(verb) => run::run(verb, Mode::Off, &around, &mut output),
        Verb::Serve(serve) => serve::run(serve, &around, &mut output),
        Verb::Import(import) => import::run(import, &around, &mut output),
        Verb::Export(export) => export::run(export, &around, &mut output),
        Verb::List(list) => list::run(list, &around, &mut output),
        Verb::Status(status) => status::run(status, &around, &mut output),
        Verb::Show(show) => show::run(show, &around, &mut output),
        Verb::Stats(stats) => stats::run(stats, &around, &mut output),
        Verb::Review(review) => review::run(review, &around, &mut output),
        Verb::Accept(accept) => accept::run(accept, &around, &mut output),
        Verb::Reject(reject) => reject::run(reject, &around, &mut output),
        Verb::Recover(recover) => recover::run(recover, &around, &mut output),
        Verb::Lint(lint) => lint::run(lint, &around, &mut output),
        Verb::Prune(prune) => prune::run(prune, &around, &mut output),
        Verb::Delete(delete) => delete::run(delete, &around, &mut output),
        Verb::Fork(fork) => fork::run(fork, &around, &mut output),
        Verb::Seal(seal) => seal::run(seal, &around, &mut output),
        Verb::Scrub(scrub) => scrub::run(scrub, &around, &mut output),
        Verb::Compact(compact) => compact::run(compact, &around, &mut output),
        Verb::Diff(diff) => diff::run(diff, &around, &mut output),
        Verb::Init(init) => init::run(init, &around, &mut output),
        Verb::Completions(completions) => completions::run(completions, Cli::command(), &mut output),
        Verb::Textconv(textconv) => textconv::run(textconv, &mut output),
        Verb::Mcp(mcp) => mcp::run(mcp, &around),
    };
    let ended = ended.and_then(|found| output.flush().map(|()| found).map_err(Failure::Output));
    match ended {
        Ok(Found::Nothing) => exit::DONE,
        Ok(Found::Something) => exit::FOUND,
        Ok(Found::Ended(code)) => code,
        Err(failure) if failure.is_closed_pipe() => exit::DONE,
        Err(failure) => {
            complain(&advised(&failure.to_string(), &around.advice));
            exit::USAGE
        }
    }
}

/// Returns what went wrong, with what to do as it has to be typed here.
fn advised(failure: &str, advice: &Advice) -> String {
    match failure.split_once("\nhelp: ") {
        Some((what, help)) => format!("{what}\nhelp: {}", advice.here(help)),
        None => failure.to_owned(),
    }
}

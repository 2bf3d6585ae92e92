//! `cargo cassette serve`: a cassette for a program in any language.

mod addresses;
mod wait;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, io};

use cargo_cassette::shelf::{self, Unreadable};
use cargo_cassette::workspace::{NoShelf, package_of, places};
use cassette_core::mode::{Mode, UnknownMode};
use cassette_core::report::Report;
use cassette_core::session::{BodyEnd, Verdict};
use cassette_core::tape::Tape;
use cassette_test::_cli_support::{self as gateway, Again, Served, Serving};
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use crate::output::{Output, complain, note, typed};
use addresses::Upstream;
pub(super) use wait::{End, for_interrupt};

/// Serve a cassette to a program in any language
///
/// Without a program the addresses are printed as exports of a shell, and served until an interrupt. With one, behind `--`, it
/// finds them in its environment, and serving ends with it. Keys are not needed in replay. In the end it is told what was
/// missed and what was left over; either makes the exit code 1. A program that fails hands its own code on.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette serve trains -- python agent.py\n  cargo cassette serve cassettes/trains.json --port 4010\n  cargo cassette serve trains --mode record --upstream openai=http://127.0.0.1:8000/v1 -- node agent.js"
)]
pub(crate) struct Serve {
    /// The cassette, by name or path
    cassette: String,
    /// The mode: replay, record, refresh, off [default: CASSETTE_MODE, else replay]
    #[arg(long, value_name = "MODE")]
    mode: Option<String>,
    /// An upstream by name: that of a known provider (openai, anthropic, cohere, gemini, ollama), else NAME_BASE_URL holds its
    /// address; may be given several times
    #[arg(long, value_name = "NAME=URL")]
    upstream: Vec<String>,
    /// The port of the first address; each one after it gets the next
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// The program to which it is served, with its arguments
    #[arg(last = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
}

/// Why nothing is served.
#[derive(Debug)]
pub(crate) enum ServeError {
    /// The mode is none.
    Mode(UnknownMode),
    /// An upstream is not written as one.
    Upstream(String),
    /// Several directories may hold the cassette.
    Several(String, Vec<String>),
    /// It is not known where the cassette is kept.
    NoShelf(NoShelf),
    /// The file cannot be read.
    Unreadable(String, Unreadable),
    /// The cassette does not open, or an address cannot be had.
    Refused(Arc<Report>),
    /// The program does not start.
    Start(String, io::Error),
    /// Nobody can be waited for.
    Wait(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Mode(unknown) => write!(
                f,
                "`{}` names no mode\nhelp: it is replay, record, refresh or off: cargo cassette serve --mode record ..",
                unknown.value
            ),
            ServeError::Upstream(text) => write!(
                f,
                "`{text}` is no upstream\nhelp: write it as NAME=URL: --upstream openai=http://127.0.0.1:8000/v1"
            ),
            ServeError::Several(name, places) => {
                write!(f, "`{name}` may be each of {}\nhelp: give the path: {}", places.join(", "), typed(&places[0]))
            }
            ServeError::NoShelf(error) => error.fmt(f),
            ServeError::Unreadable(file, error) => {
                write!(
                    f,
                    "{file}: {error}\nhelp: restore it from git, or serve it anew: cargo cassette serve --mode refresh .."
                )
            }
            ServeError::Refused(report) => report.fmt(f),
            ServeError::Start(program, error) => {
                write!(f, "could not run {program}: {error}\nhelp: give a program that is there, behind `--`")
            }
            ServeError::Wait(error) => {
                write!(f, "could not wait for an interrupt: {error}\nhelp: give a program, behind `--`")
            }
        }
    }
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Failure {
        Failure::Serve(error)
    }
}

impl From<Arc<Report>> for ServeError {
    fn from(report: Arc<Report>) -> ServeError {
        ServeError::Refused(report)
    }
}

pub(super) fn run(serve: &Serve, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let mode = serve.mode.as_deref().map(Mode::parse).transpose().map_err(ServeError::Mode)?;
    let asked = serve.upstream.iter().map(|text| Upstream::read(text)).collect::<Result<Vec<_>, _>>()?;
    let place = Place::of(&serve.cassette, around)?;
    let tape = place.tape(mode)?;
    let served = gateway::open(Serving {
        name: place.name.clone(),
        directory: place.dir.clone(),
        package: package_of(&place.dir).unwrap_or_else(|| place.dir.clone()),
        mode,
        port: serve.port,
        again: Again::Serve(again(serve)),
    })
    .map_err(ServeError::Refused)?;
    let end = match until_its_end(serve, (&asked, &tape, &place.shown), &served, output) {
        Ok(end) => end,
        Err(failure) => {
            // Nothing was asked yet, and nothing is to be said of that.
            served.end(BodyEnd::Failed);
            return Err(failure);
        }
    };
    let verdict =
        served.end(if end == End::Code(0) || end == End::Interrupted { BodyEnd::Passed } else { BodyEnd::Failed });
    Ok(judge(end, &verdict))
}

/// Serves until an interrupt, or until the program has ended.
fn until_its_end(
    serve: &Serve,
    (asked, tape, shown): (&[Upstream], &Tape, &str),
    served: &Served,
    output: &mut Output,
) -> Result<End, Failure> {
    let addresses = addresses::of(asked, tape, served)?;
    if !serve.program.is_empty() {
        return Ok(wait::for_program(&serve.program, &addresses)?);
    }
    addresses.iter().try_for_each(|address| output.bytes(format!("{address}\n").as_bytes()))?;
    note(&format!("serving {shown} in {}, until an interrupt", served.mode()));
    Ok(for_interrupt(|| {}).map_err(ServeError::Wait)?)
}

/// Tells what was found, and returns the exit code: the program's own where it failed.
pub(super) fn judge(end: End, verdict: &Verdict) -> Found {
    if !verdict.summary.is_quiet() {
        note(&verdict.summary.to_string());
    }
    verdict.reports.iter().for_each(|report| complain(&report.to_string()));
    match end {
        End::Code(code) if code != 0 => Found::Ended(code),
        _ => Found::something_if(!verdict.reports.is_empty()),
    }
}

/// Where a cassette is kept, whether or not it is there.
pub(super) struct Place {
    pub(super) name: String,
    pub(super) dir: PathBuf,
    shown: String,
}

impl Place {
    /// Returns where the cassette is that a word means: a path, or a name in the one directory that there may be.
    pub(super) fn of(word: &str, around: &Surroundings) -> Result<Place, ServeError> {
        let places = places(&around.standpoint);
        let path = around.standpoint.here.join(word);
        if word.ends_with(".json") || path.is_file() {
            let path = path.with_extension("json");
            let shelves = places.unwrap_or_default();
            let below = shelves.iter().find(|shelf| path.starts_with(&shelf.dir)).map(|shelf| shelf.dir.clone());
            let dir = below.or_else(|| path.parent().map(Path::to_owned)).unwrap_or_default();
            let name = path.strip_prefix(&dir).unwrap_or(&path).with_extension("");
            return Ok(Place { name: name.display().to_string().replace('\\', "/"), dir, shown: word.to_owned() });
        }
        let mistakes = around.said().mistakes;
        if !mistakes.is_empty() {
            return Err(ServeError::NoShelf(NoShelf::Settings(mistakes)));
        }
        let places = places.map_err(ServeError::NoShelf)?;
        let spots: Vec<_> = places.iter().map(|shelf| (shelf, shelf.spot(word))).collect();
        let there: Vec<_> = spots.iter().filter(|(_, spot)| spot.path.is_file()).collect();
        match if there.is_empty() { spots.iter().collect() } else { there }.as_slice() {
            [(shelf, spot)] => Ok(Place { name: spot.name.clone(), dir: shelf.dir.clone(), shown: spot.shown.clone() }),
            several => {
                let shown = several.iter().map(|(_, spot)| spot.shown.clone()).collect();
                Err(ServeError::Several(word.to_owned(), shown))
            }
        }
    }

    /// Reads the cassette, for the upstreams in it; nothing where there is none yet.
    fn tape(&self, mode: Option<Mode>) -> Result<Tape, ServeError> {
        let path = self.dir.join(format!("{}.json", self.name));
        match shelf::open(&path) {
            Ok(tape) => Ok(tape),
            Err(_) if !path.is_file() || mode == Some(Mode::Refresh) => Ok(Tape::default()),
            Err(error) => Err(ServeError::Unreadable(self.shown.clone(), error)),
        }
    }
}

/// Returns the words that serve it again, behind `--mode`.
fn again(serve: &Serve) -> String {
    let upstreams = serve.upstream.iter().map(|upstream| format!("--upstream {}", typed(upstream)));
    let port = (serve.port > 0).then(|| format!("--port {}", serve.port));
    let program = serve.program.iter().map(|word| typed(&word.to_string_lossy()));
    let program: Vec<_> = program.collect();
    let program = (!program.is_empty()).then(|| format!("-- {}", program.join(" ")));
    let words = [typed(&serve.cassette)].into_iter().chain(upstreams).chain(port).chain(program);
    words.collect::<Vec<_>>().join(" ")
}

//! `cargo cassette serve`: a cassette for a program in any language.

mod addresses;
mod beyond;
mod environment;
mod judged;
mod place;
mod unsaid;
mod upstream;
mod wait;
mod whose;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::sync::Arc;
use std::{fmt, io};

use cargo_cassette::shelf::Unreadable;
use cargo_cassette::workspace::{NoShelf, package_of};
use cassette_core::mode::{Mode, UnknownMode};
use cassette_core::name::NameError;
use cassette_core::report::Report;
use cassette_core::session::BodyEnd;
use cassette_core::tape::Tape;
use cassette_test::_cli_support::{self as gateway, Again, Served, Serving};
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::named::NoCassette;
use crate::output::{Output, note, printed, typed};
use addresses::Address;
pub(super) use judged::judge;
pub(super) use place::{Place, meant};
use upstream::Upstream;
pub(super) use wait::{End, for_interrupt};
pub(super) use whose::Whose;
pub(super) use words::served;
use words::{Anew, Port, again, again_in};

/// Serve cassettes to a program in any language
///
/// Without a program the addresses are printed as exports of a shell, standard output is closed, and they are served until an
/// interrupt. With one, behind `--`, it finds them in its environment, and serving ends with it. Each cassette has addresses of its
/// own. Of several, the variables begin with the cassette's name, TRAINS_OPENAI_BASE_URL; OPENAI_BASE_URL is there too where only
/// one of them has it. Keys are not needed in replay. In the end it is told what was missed and what was left over, of which
/// cassette; either makes the exit code 1. A program that fails hands its own code on.
#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette serve trains -- python agent.py\n  cargo cassette serve cassettes/trains.json --port 4010\n  cargo cassette serve trains --mode record --upstream openai=http://127.0.0.1:8000/v1 -- node agent.js\n  cargo cassette serve trains fares -- pytest\n  cargo cassette serve cassettes/ > addresses & serving=$!; eval \"$(cat addresses)\"; ..; kill $serving; wait $serving  # addresses is a fifo"
)]
pub(crate) struct Serve {
    /// The cassettes, by name or path; a directory means each cassette in it
    #[arg(required = true, value_name = "CASSETTE")]
    cassettes: Vec<String>,
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
    /// The mode is none: what to type.
    Mode(UnknownMode, String),
    /// An upstream is not written as one: what to type.
    Upstream(String, String),
    /// A variable that names an upstream holds no URL.
    Variable(String),
    /// Several directories may hold the cassette: what to type.
    Several(String, Vec<String>, String),
    /// It is no name.
    Name(String, NameError),
    /// It is not known where the cassette is kept.
    NoShelf(NoShelf),
    /// The file cannot be read: what to type.
    Unreadable(String, Unreadable, String),
    /// The cassette does not open, or an address cannot be had.
    Refused(Arc<Report>),
    /// There is none to replay, and one that was likely meant: what records it.
    Unknown(NoCassette, String),
    /// No cassette holds anything that can be served: one of them, what it holds, and what to type.
    Beyond(String, &'static str, String),
    /// A cassette is given twice.
    Twice(String),
    /// A directory cannot be read.
    Directory(String, io::Error),
    /// There is no cassette in a directory.
    Empty(String),
    /// The program does not start.
    Start(String, io::Error),
    /// Nobody can be waited for.
    Wait(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Mode(unknown, again) => {
                write!(f, "`{}` names no mode\nhelp: it is replay, record, refresh or off: {again}", unknown.value)
            }
            ServeError::Upstream(text, again) => {
                let what = match upstream::is_to_fill_in(text) {
                    true => "put the address at which it is asked in the place of <URL>, as in",
                    false => "write it as NAME=URL:",
                };
                write!(f, "`{text}` is no upstream\nhelp: {what} {again}")
            }
            ServeError::Variable(name) => {
                write!(f, "{name} is set to what is no URL\nhelp: write it as http://.. or https://.., or leave it out")
            }
            ServeError::Name(name, error) => {
                write!(f, "`{}` is no cassette's name: {error}\nhelp: choose another name", printed(name))
            }
            ServeError::Several(name, places, again) => {
                write!(f, "`{name}` may be each of {}\nhelp: give the path: {again}", places.join(", "))
            }
            ServeError::NoShelf(error) => error.fmt(f),
            ServeError::Unreadable(file, error, help) => write!(f, "{file}: {error}\nhelp: {help}"),
            ServeError::Refused(report) => report.fmt(f),
            ServeError::Unknown(error, record) => write!(f, "{error}; or record it: {record}"),
            ServeError::Beyond(shown, what, help) => {
                write!(f, "{shown} holds {what} alone, and nothing that a program asks for at an address\nhelp: {help}")
            }
            ServeError::Twice(shown) => {
                write!(f, "{shown} is given twice\nhelp: name it once: each cassette has addresses of its own")
            }
            ServeError::Directory(dir, error) => {
                write!(f, "{dir} cannot be read: {error}\nhelp: let it be read: chmod -R u+rwX {}", typed(dir))
            }
            ServeError::Empty(dir) => {
                write!(
                    f,
                    "there is no cassette in {dir}\nhelp: name one, to record it: cargo cassette serve --mode record {}",
                    typed(&format!("{}/first.json", dir.trim_end_matches('/')))
                )
            }
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

pub(crate) fn run(serve: &Serve, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let unknown = |unknown: UnknownMode| {
        let again = around.again(&unknown.value, Some("replay"));
        ServeError::Mode(unknown, again)
    };
    let mode = serve.mode.as_deref().map(Mode::parse).transpose().map_err(unknown)?;
    let asked = serve.upstream.iter().map(|text| {
        let wrong = |meant: String| {
            let again = around.with_value("--upstream", text, &meant);
            ServeError::Upstream(text.clone(), again)
        };
        Upstream::read(text).map_err(wrong)
    });
    let asked = asked.collect::<Result<Vec<_>, _>>()?;
    let places = place::of(&serve.cassettes, around)?;
    let record = format!("cargo cassette serve --mode record {}", again(serve, Port::Asked, &[], around));
    meant(&serve.cassettes, mode, &record, around)?;
    let found = environment::upstreams(mode, &asked, &addresses::ports(serve.port, places.len()))?;
    let asked = [asked, found].concat();
    let anew = |mode: Mode, left: &Tape| {
        let unsaid = unsaid::unsaid(&asked, &[left]);
        format!("cargo cassette serve --mode {mode} {}", again(serve, Port::Asked, &unsaid, around))
    };
    let tapes = places.iter().map(|place| place.tape(mode, anew)).collect::<Result<Vec<_>, _>>()?;
    let anew = Anew::of(serve, &asked, &places, &tapes);
    let of_one = |place: &Place| {
        let one = Serve { cassettes: anew.words(place), ..serve.clone() };
        (place.shown.clone(), again(&one, Port::Asked, &anew.unsaid(place), around))
    };
    let advised: BTreeMap<_, _> = places.iter().map(of_one).collect();
    let words = Words { instead: again_in(serve, Port::Any, around), again: &advised };
    let cassettes = beyond::served(places.into_iter().zip(tapes).collect(), mode, &asked)?;
    let mut open: Vec<Open> = Vec::new();
    let end = opened((serve.port, &words), (mode, &asked), cassettes.into_iter(), &mut open)
        .map_err(Failure::from)
        .and_then(|()| until_its_end(serve, &open, output));
    let end = match end {
        Ok(end) => end,
        Err(failure) => {
            // Nothing was asked yet, and nothing is to be said of that.
            open.into_iter().for_each(|open| _ = open.served.end(BodyEnd::Failed));
            if let Failure::Serve(ServeError::Refused(report)) = &failure {
                unsaid::tell(&[report.to_string()]);
            }
            return Err(failure);
        }
    };
    let body = if end == End::Code(0) || end == End::Interrupted { BodyEnd::Passed } else { BodyEnd::Failed };
    let verdict = |open: Open| (open.place.shown, beyond::without(open.served.end(body), &open.beyond));
    let verdicts: Vec<_> = open.into_iter().map(verdict).collect();
    Ok(judge(end, &verdicts))
}

/// A cassette that is being served, with its addresses.
struct Open {
    place: Place,
    served: Served,
    addresses: Vec<Address>,
    /// The interactions that no program can ask for, by number.
    beyond: BTreeSet<usize>,
}

/// What is typed to serve it again, behind the verb.
struct Words<'a> {
    /// With any port that is free, in its mode.
    instead: String,
    /// As it was, in a mode that records one cassette, by what that is shown as: what is a test's under a name of its own.
    again: &'a BTreeMap<String, String>,
}

/// Opens the cassettes one after the other.
fn opened(
    (mut port, words): (u16, &Words<'_>),
    (mode, asked): (Option<Mode>, &[Upstream]),
    places: impl Iterator<Item = (Place, Tape)>,
    open: &mut Vec<Open>,
) -> Result<(), ServeError> {
    for (place, tape) in places {
        let served = gateway::open(Serving {
            name: place.name.clone(),
            directory: place.dir.clone(),
            shown: place.directory(),
            package: package_of(&place.dir).unwrap_or_else(|| place.dir.clone()),
            mode,
            port,
            instead: format!("leave it to the system: cargo cassette serve {}", words.instead),
            again: Again::Serve(words.again.get(&place.shown).cloned().unwrap_or_default()),
        })?;
        let beyond = if served.mode() == Mode::Replay { beyond::of(&tape, asked) } else { BTreeSet::new() };
        beyond::tell(&place.shown, &tape, &beyond);
        open.push(Open { place, served, addresses: Vec::new(), beyond });
        if let Some(last) = open.last_mut() {
            last.addresses = addresses::of(asked, &tape, &last.served)?;
            port = if port > 0 { port.saturating_add(addresses::listeners(&last.addresses)) } else { 0 };
        }
    }
    Ok(())
}

/// Serves until an interrupt, or until the program has ended.
fn until_its_end(serve: &Serve, open: &[Open], output: &mut Output) -> Result<End, Failure> {
    let (addresses, ambiguous) = match open {
        [only] => (only.addresses.clone(), Vec::new()),
        several => {
            addresses::together(several.iter().map(|open| (open.place.name.clone(), open.addresses.clone())).collect())
        }
    };
    if !ambiguous.is_empty() {
        note(&format!(
            "several cassettes have {}: take the variables that begin with a cassette's name",
            ambiguous.join(", ")
        ));
    }
    if !serve.program.is_empty() {
        return Ok(wait::for_program(&serve.program, &addresses)?);
    }
    wait::for_interrupt(|| {
        let shown: Vec<_> = open.iter().map(|open| open.place.shown.as_str()).collect();
        let mode = open.first().map(|open| open.served.mode()).unwrap_or_default();
        let lines: String = addresses.iter().map(|address| format!("{address}\n")).collect();
        output.bytes(lines.as_bytes()).and_then(|()| output.close()).map_err(Failure::Output)?;
        note(&format!("serving {} in {mode}, until an interrupt", shown.join(", ")));
        Ok(())
    })
}

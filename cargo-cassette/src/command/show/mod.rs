//! `cargo cassette show`: one cassette, as the conversation that it is.

mod html;
mod json;
mod reel;

use std::fmt;

use cargo_cassette::shelf::{self, Spot, Unreadable};
use cassette_core::redact::unescape_reply;
use cassette_core::reply::Outcome;
use cassette_core::tape::{Interaction, Tape};
use cassette_core::transcript::{Exchange, transcript};
use clap::{Args, ValueEnum};

use super::Found;
use super::around::Surroundings;
use super::browse::{self, Seat, browse};
use super::failure::Failure;
use super::form::{self, Form};
use super::named::named;
use super::status::age;
use super::transcript::{Detail, print};
use crate::output::{Ink, Line, Output, count, typed, wrap};

/// Show a cassette as a transcript: who said what, which tools were called, what it took
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette show trains\n  cargo cassette show trains 3 -v\n  cargo cassette show trains -i\n  cargo cassette show pictures 1 --raw > picture.png\n  cargo cassette show trains --format html > trains.html"
)]
pub(crate) struct Show {
    /// The cassette's name, or a path
    cassette: String,
    /// One interaction alone, by its number
    interaction: Option<usize>,
    /// Show everything: headers, times, whole texts, and what was said before once more
    #[arg(short, long, conflicts_with = "json")]
    verbose: bool,
    /// Look through it call by call, on the whole terminal; beside it what is pending, which is accepted or rejected there
    #[arg(short, long, conflicts_with_all = ["format", "json", "raw", "verbose"])]
    interactive: bool,
    /// How it is written.
    #[command(flatten)]
    form: Form<Format>,
    /// Write the reply's body, byte for byte as the program gets it
    #[arg(long, conflicts_with_all = ["verbose", "format", "json"])]
    raw: bool,
}

/// How a cassette is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For a person at a terminal
    Text,
    /// For another program
    Json,
    /// One page that stands alone: no network, no script, to be read anywhere and printed
    Html,
}

impl form::Format for Format {
    const JSON: Format = Format::Json;
}

/// Why a cassette is not shown.
#[derive(Debug)]
pub(crate) enum ShowError {
    /// The file cannot be read.
    Unreadable(Spot, Unreadable),
    /// There is no interaction of this number: how many there are.
    NoInteraction(String, usize, usize),
    /// A body was asked for, and there are several.
    Which(String, usize),
    /// There is no body: the call ended without a reply.
    NoReply(String, usize),
}

impl fmt::Display for ShowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let help = |name: &str, rest: &str| format!("\nhelp: cargo cassette show {}{rest}", typed(name));
        match self {
            ShowError::Unreadable(spot, error) => write!(f, "{}: {error}\nhelp: {}", spot.shown, mending(error)),
            ShowError::NoInteraction(name, number, count) => {
                write!(f, "`{name}` has no interaction {number}; it has {count}")?;
                f.write_str(&help(name, &if *count > 0 { format!(" {count}") } else { String::new() }))
            }
            ShowError::Which(name, count) => {
                write!(f, "`{name}` has {count} bodies, and one has to be named{}", help(name, " 1 --raw"))
            }
            ShowError::NoReply(name, number) => {
                write!(f, "interaction {number} ended without a reply{}", help(name, &format!(" {number}")))
            }
        }
    }
}

/// Returns what to do about a file that cannot be read.
pub(super) fn mending(error: &Unreadable) -> &'static str {
    match error {
        Unreadable::Io(_) => "check that the file may be read",
        Unreadable::Newer(..) => "cargo install cargo-cassette, which gets the newest version",
        Unreadable::Compressed => "decompress it: zstd -d <FILE>",
        _ => "take the file from git again, or record it anew: CASSETTE_MODE=refresh cargo test",
    }
}

impl From<ShowError> for Failure {
    fn from(error: ShowError) -> Failure {
        Failure::Show(error)
    }
}

pub(super) fn run(show: &Show, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let seat = if show.interactive { browse::seat() } else { Seat::Nobody };
    if seat != Seat::Nobody {
        let (reel, offered) = reel::reel(&show.cassette, around)?;
        let start = match show.interaction {
            Some(number) => {
                let none = || ShowError::NoInteraction(reel.title().to_owned(), number, reel.len());
                reel.numbered(number).ok_or_else(none)?
            }
            None => 0,
        };
        return Ok(browse(&reel, &offered, (start, seat), output)?);
    }
    let spot = named(&show.cassette, around)?;
    let tape = shelf::open(&spot.path).map_err(|error| ShowError::Unreadable(spot.clone(), error))?;
    let exchanges = transcript(&tape.interactions);
    let all = tape.interactions.iter().zip(&exchanges);
    let chosen: Vec<_> =
        all.filter(|(_, exchange)| show.interaction.is_none_or(|number| number == exchange.number)).collect();
    if let (Some(number), true) = (show.interaction, chosen.is_empty()) {
        return Err(ShowError::NoInteraction(spot.name, number, exchanges.len()).into());
    }
    if show.raw {
        output.bytes(&raw(&spot, &chosen)?)?;
    } else if show.form.chosen() == Format::Json {
        output.json(&json::document(&spot, &tape, &chosen))?;
    } else if show.form.chosen() == Format::Html {
        output.bytes(html::document(&spot, &tape, &around.today, &chosen).as_bytes())?;
    } else {
        let detail = if show.verbose { Detail::Full } else { Detail::Brief };
        if show.interaction.is_none() {
            head(&spot, &tape, around, output)?;
        }
        for (i, (interaction, exchange)) in chosen.iter().enumerate() {
            if i > 0 || show.interaction.is_none() {
                output.gap()?;
            }
            print(exchange, interaction, detail, output)?;
        }
    }
    Ok(Found::Nothing)
}

type Chosen<'a> = (&'a Interaction, &'a Exchange);

fn raw(spot: &Spot, chosen: &[Chosen<'_>]) -> Result<Vec<u8>, ShowError> {
    let [(interaction, exchange)] = chosen else {
        return Err(ShowError::Which(spot.name.clone(), chosen.len()));
    };
    match interaction.outcome() {
        Outcome::Reply(reply) => {
            let mut reply = reply.clone();
            unescape_reply(&mut reply);
            Ok(reply.body())
        }
        Outcome::Error(_) => Err(ShowError::NoReply(spot.name.clone(), exchange.number)),
    }
}

fn head(spot: &Spot, tape: &Tape, around: &Surroundings, output: &mut Output) -> Result<(), Failure> {
    let title = Line::new().ink(Ink::Strong, &spot.name).ink(Ink::Faint, &format!("  {}", spot.shown));
    output.line(&title)?;
    for line in wrap(&facts(tape, around).join(" · "), output.width().map(|width| width - 2)) {
        output.line(&Line::of("  ").ink(Ink::Faint, &line))?;
    }
    let pending = cargo_cassette::listing::facts(tape, &around.today).pending;
    if let Some(why) = pending {
        let mut lines = why.lines();
        output
            .line(&Line::of("  ").ink(Ink::Warn, &format!("not taken over: {}", lines.next().unwrap_or_default())))?;
        for line in lines {
            output.line(&Line::of("    ").ink(Ink::Warn, line))?;
        }
    }
    Ok(())
}

/// Returns what is told of a cassette before all else.
fn facts(tape: &Tape, around: &Surroundings) -> Vec<String> {
    let facts = cargo_cassette::listing::facts(tape, &around.today);
    let mut told = vec![count(facts.calls, "call")];
    told.extend(facts.recorded.as_ref().map(|recorded| format!("recorded {recorded} ({})", age(facts.age, None))));
    told.extend(facts.owner.as_ref().map(|owner| format!("test {owner}")));
    told.extend(facts.origin.as_ref().map(|origin| format!("forked from {origin}")));
    let tokens = super::status::tokens_of(&facts);
    told.extend((!tokens.is_empty()).then_some(tokens));
    told
}

//! `cargo cassette show`: one cassette, as the conversation that it is.

mod html;
mod json;
mod reel;

use std::fmt;

use cargo_cassette::mending::mending;
use cargo_cassette::presentable::presented;
use cargo_cassette::seen::{self, Seen};
use cargo_cassette::shelf::{Spot, Unreadable};
use cassette_core::redact::unescape_reply;
use cassette_core::reply::Outcome;
use cassette_core::tape::{Interaction, Tape};
use cassette_core::transcript::{Exchange, transcript};
use clap::{Args, ValueEnum};

use super::Found;
use super::around::Surroundings;
use super::browse::{self, Offer, Seat, browse};
use super::by_hand;
use super::failure::Failure;
use super::form::{self, Form};
use super::in_plain;
use super::named::{NoCassette, named};
use super::status::recorded;
use super::transcript::{Detail, print};
use crate::output::{Ink, Line, Output, count, note, wrap};

/// Show a cassette as a transcript: who said what, which tools were called, what it took
///
/// One that was changed by hand is shown as it says now, with a mark on top and at each interaction that is not what was sealed,
/// though it replays nothing until somebody vouches for it. `--raw` writes what a program gets, and nothing of such a one.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette show trains\n  cargo cassette show trains 3 -v\n  cargo cassette show trains -i\n  cargo cassette show pictures 1 --raw > picture.png\n  cargo cassette show trains --format html > trains.html\n\nExit codes: 0 shown, 1 shown, and it was changed by hand, 2 it could not be done as asked."
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
    /// There is no interaction of this number: how many there are, and what to type.
    NoInteraction(String, usize, usize, String),
    /// A body was asked for, and there are several: how many, and what to type.
    Which(String, usize, String),
    /// There is no body, for the call ended without a reply: what to type.
    NoReply(usize, String),
}

impl fmt::Display for ShowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShowError::Unreadable(spot, error) => {
                write!(f, "{}: {error}\nhelp: {}", spot.place(), mending(spot, error))
            }
            ShowError::NoInteraction(name, number, count, help) => {
                write!(f, "`{name}` has no interaction {number}; it has {count}\nhelp: {help}")
            }
            ShowError::Which(name, count, help) => {
                write!(f, "`{name}` has {count} bodies, and one has to be named\nhelp: {help}")
            }
            ShowError::NoReply(number, help) => {
                write!(f, "interaction {number} ended without a reply\nhelp: {help}")
            }
        }
    }
}

impl From<ShowError> for Failure {
    fn from(error: ShowError) -> Failure {
        Failure::Show(error)
    }
}

pub(crate) fn run(show: &Show, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let seat = if show.interactive { browse::seat() } else { Seat::Nobody };
    if seat != Seat::Nobody {
        let (reel, offered) = reel::reel(&show.cassette, around)?;
        let start = match show.interaction {
            Some(number) => {
                let none = || no_interaction(reel.title(), (number, reel.len()), around);
                reel.recorded(number).ok_or_else(none)?
            }
            None => 0,
        };
        return Ok(browse(&reel, &offered, (start, seat), output)?);
    }
    let spot = match named(&show.cassette, around) {
        Err(missing @ (NoCassette::Unknown { .. } | NoCassette::Elsewhere { .. } | NoCassette::Pending { .. }))
            if show.interactive =>
        {
            Offer::named(&show.cassette, around)
                .and_then(Result::ok)
                .map(|offer| offer.spot().clone())
                .ok_or(missing)?
        }
        found => found?,
    };
    let unreadable = |error| ShowError::Unreadable(spot.clone(), error);
    let seen = match show.raw {
        true => spot.open().map(Seen::from),
        false => seen::of(&spot),
    };
    let Seen { tape, by_hand, .. } = seen.map_err(unreadable)?;
    let presented = presented(tape, Some(&spot));
    let tape = presented.tape;
    let in_plain = in_plain::told(presented.in_plain, &by_hand, &spot.typed()).map(|told| around.advice.here(&told));
    let exchanges = transcript(&tape.interactions);
    let all = tape.interactions.iter().zip(&exchanges);
    let chosen: Vec<_> =
        all.filter(|(_, exchange)| show.interaction.is_none_or(|number| number == exchange.number)).collect();
    if let (Some(number), true) = (show.interaction, chosen.is_empty()) {
        return Err(no_interaction(&spot.label(), (number, exchanges.len()), around).into());
    }
    if show.raw {
        in_plain.iter().for_each(|told| note(told));
        output.bytes(&raw(&spot, &chosen, around)?)?;
    } else if show.form.chosen() == Format::Json {
        output.json(&json::document(&spot, (&tape, &by_hand, presented.in_plain), &chosen))?;
    } else if show.form.chosen() == Format::Html {
        output
            .bytes(html::document(&spot, (&tape, &by_hand, in_plain.as_deref()), &around.today, &chosen).as_bytes())?;
    } else {
        let detail = if show.verbose { Detail::Full } else { Detail::Brief };
        if show.interaction.is_none() {
            head(&spot, &tape, around, output)?;
        }
        let told = by_hand::told(&by_hand);
        if let Some(told) = &told {
            output.line(&Line::of("  ").ink(Ink::Warn, told))?;
            output.help("    ", &mending(&spot, &Unreadable::Damaged(None, String::new())))?;
        }
        if let Some(told) = &in_plain {
            output.line(&Line::of("  ").ink(Ink::Warn, told))?;
        }
        for (i, (interaction, exchange)) in chosen.iter().enumerate() {
            if i > 0 || show.interaction.is_none() || told.is_some() || in_plain.is_some() {
                output.gap()?;
            }
            if by_hand.contains(&exchange.number) {
                output.line(&Line::of("     ").ink(Ink::Warn, by_hand::MARK))?;
            }
            print(exchange, interaction, detail, output)?;
        }
    }
    Ok(Found::something_if(!by_hand.is_empty()))
}

type Chosen<'a> = (&'a Interaction, &'a Exchange);

fn no_interaction(name: &str, (number, count): (usize, usize), around: &Surroundings) -> ShowError {
    let last = (count > 0).then(|| count.to_string());
    ShowError::NoInteraction(name.to_owned(), number, count, around.again(&number.to_string(), last.as_deref()))
}

fn raw(spot: &Spot, chosen: &[Chosen<'_>], around: &Surroundings) -> Result<Vec<u8>, ShowError> {
    let [(interaction, exchange)] = chosen else {
        let help = match chosen.is_empty() {
            true => around.again("--raw", None),
            false => format!("{} 1", around.again("", None)),
        };
        return Err(ShowError::Which(spot.label(), chosen.len(), help));
    };
    match interaction.outcome() {
        Outcome::Reply(reply) => {
            let mut reply = reply.clone();
            unescape_reply(&mut reply);
            Ok(reply.body())
        }
        Outcome::Error(_) => Err(ShowError::NoReply(exchange.number, around.again("--raw", None))),
    }
}

fn head(spot: &Spot, tape: &Tape, around: &Surroundings, output: &mut Output) -> Result<(), Failure> {
    let title = Line::new().ink(Ink::Strong, &spot.label()).ink(Ink::Faint, &format!("  {}", spot.place()));
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
    told.extend(recorded(&facts));
    told.extend(facts.owner.as_ref().map(|owner| format!("test {owner}")));
    told.extend(facts.origin.as_ref().map(|origin| format!("forked from {origin}")));
    let tokens = super::status::tokens_of(&facts);
    told.extend((!tokens.is_empty()).then_some(tokens));
    told
}

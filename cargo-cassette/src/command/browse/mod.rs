//! `-i`: a cassette, or two, call by call.
//!
//! ```text
//! tapes -> Reel            a key -> State::press -> State -> screen: lines -> terminal
//!                          a line -> stepper, where no screen can be had
//! ```
//!
//! Only the call that is read is laid out, and of the list what is in sight.

mod reel;
mod screen;
mod state;
mod stepper;
mod terminal;

pub(super) use reel::{Reel, Side};

use std::io::{self, IsTerminal as _};

use cassette_core::env;

use crate::output::Output;
use state::State;
use terminal::Colours;

/// What somebody who looks call by call has before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seat {
    /// A screen and keys.
    Screen,
    /// Lines in, and lines out.
    Lines,
    /// Nobody answers.
    Nobody,
}

/// Returns what there is.
pub(super) fn seat() -> Seat {
    let is_dumb = env::var("TERM").is_none_or(|term| term.is_empty() || term == "dumb") && cfg!(unix);
    match (io::stdin().is_terminal(), io::stdout().is_terminal()) {
        (true, true) if !is_dumb => Seat::Screen,
        (true, _) => Seat::Lines,
        (false, _) => Seat::Nobody,
    }
}

/// Shows a reel from this call on, to somebody who answers.
pub(super) fn browse(reel: &Reel, start: usize, seat: Seat, output: &mut Output) -> io::Result<()> {
    if seat == Seat::Screen {
        let colours = if output.has_colours() { Colours::Used } else { Colours::None };
        terminal::run(reel, &mut State::at(start), colours)
    } else {
        stepper::run(reel, start, &mut io::stdin().lock(), output)
    }
}

#[cfg(test)]
mod tests;

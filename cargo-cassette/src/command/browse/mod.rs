//! `-i`: a cassette, or two, call by call.
//!
//! ```text
//! tapes -> Reel            a key -> State::press -> State -> screen: lines -> terminal
//!                                          '-> Effect -> Offer: what is pending, settled -> State
//!                          a line -> stepper, where no screen can be had
//! ```
//!
//! Only the call that is read is laid out, and of the list what is in sight.

mod offer;
mod reel;
mod screen;
mod state;
mod stepper;
mod terminal;

pub(super) use offer::{Offer, Offered};
pub(super) use reel::{Reel, Side};

use std::io::{self, IsTerminal as _};

use cassette_core::env;

use super::Found;
use crate::output::Output;
use state::{Stand, State};
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

/// Shows a reel from this call on, to somebody who answers and may settle what is offered. There is something to look at where it
/// was refused.
pub(super) fn browse(
    reel: &Reel,
    offered: &Offered,
    (start, seat): (usize, Seat),
    output: &mut Output,
) -> io::Result<Found> {
    let (offer, stand) = match offered {
        Offered::This(offer) => (Some(&**offer), Stand::Waiting),
        Offered::Nothing(why) => (None, Stand::Nothing(why.clone())),
    };
    let mut state = State::at(start, stand);
    if seat == Seat::Screen {
        let colours = if output.has_colours() { Colours::Used } else { Colours::None };
        terminal::run(reel, offer, &mut state, colours)?;
        // The screen is gone, and with it what was said on it.
        state.last.iter().try_for_each(|line| output.line(line))?;
    } else {
        stepper::run(reel, offer, &mut state, &mut io::stdin().lock(), output)?;
    }
    let is_refused = state.stand == Stand::Waiting && !state.last.is_empty();
    Ok(Found::something_if(is_refused))
}

#[cfg(test)]
mod tests;

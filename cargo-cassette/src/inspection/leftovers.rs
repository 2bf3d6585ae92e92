//! What is left of recordings that were not taken over, or have not ended.

use std::io;

use super::{Finding, Limits, Rule, finding};
use crate::listing::{self, State};
use crate::mending::mending;
use crate::shelf::{Shelf, Unreadable};

/// Returns what is left in `.pending`.
pub(super) fn leftovers(shelf: &Shelf, limits: &Limits) -> io::Result<Vec<Finding>> {
    let pending = listing::pending(shelf, &limits.today)?.into_iter().map(|row| {
        let is_unnamed = row.spot.is_directory() || row.spot.is_nameless();
        if let (true, Err(error)) = (is_unnamed, &row.facts) {
            return finding(&row.spot.shown, Rule::Unreadable, &error.to_string(), &mending(&row.spot, error));
        }
        let why = match &row.facts {
            Ok(facts) => facts.pending.clone().unwrap_or_else(|| "no reason is given".to_owned()),
            Err(error) => error.to_string(),
        };
        let why = why.replace('\n', "; ");
        let is_aside = row.spot.put_aside().is_some();
        let what = if is_aside { row.spot.wrong(&why) } else { format!("a recording was not taken over: {why}") };
        let is_at_rest = shelf.store().at_rest(&row.spot.name).is_ok();
        let help = match &row.facts {
            _ if !is_at_rest => "wait until its run has ended".to_owned(),
            Ok(_) => shelf.looking("look at it, and accept or reject it: cargo cassette review"),
            Err(Unreadable::Io(_) | Unreadable::Newer(..)) => {
                row.facts.as_ref().err().map_or_else(String::new, |error| mending(&row.spot, error))
            }
            Err(_) if is_aside => {
                format!("when nothing in it is needed, remove it: cargo cassette reject {}", row.spot.words())
            }
            Err(_) => format!("remove it: cargo cassette reject {}", row.spot.words()),
        };
        finding(&row.spot.shown, Rule::Pending, &what, &help)
    });
    let unfinished = listing::unfinished(shelf)?.into_iter().map(|journal| {
        let help = match journal.state {
            State::Alive => "wait until its run has ended".to_owned(),
            State::Empty => shelf.looking("remove it: cargo cassette recover"),
            _ => shelf.looking("get back what it had: cargo cassette recover"),
        };
        finding(&journal.spot.shown, Rule::Pending, journal.state.told(), &help)
    });
    Ok(pending.chain(unfinished).collect())
}

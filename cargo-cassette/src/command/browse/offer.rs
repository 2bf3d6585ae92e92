//! A recording that was not taken over, and may be settled by whoever looks at it.

use std::fs;
use std::path::Path;

use cargo_cassette::shelf::Spot;
use cassette_core::tape::Tape;
use cassette_core::upkeep::{Candidate, Refusal};

use super::super::around::Surroundings;
use super::super::named::as_name;
use super::super::settling::{Run, Verdict, Waiting, against, consequence, pending, refused_lines, settle, why};
use super::state::{Question, Settled};
use crate::output::{Advice, Ink, Line, typed};

/// How many lines are told of what was found.
const FOUND: usize = 6;

/// What there is to settle beside what is shown.
pub(crate) enum Offered {
    /// This recording, which is shown.
    This(Box<Offer>),
    /// Nothing, and why.
    Nothing(String),
}

/// A recording that was not taken over, as it is shown.
pub(crate) struct Offer {
    waiting: Waiting,
    candidate: Candidate,
    /// The recording as it may be shown.
    tape: Tape,
    advice: Advice,
}

impl Offer {
    /// Returns the recording that stands in this file, where it is one that was not taken over.
    pub(crate) fn at(path: &Path, around: &Surroundings) -> Option<Result<Offer, Refusal>> {
        Offer::find(around, |waiting| is_same(&waiting.spot.path, path))
    }

    /// Returns the recording that would replace this file.
    pub(crate) fn over(spot: &Spot, around: &Surroundings) -> Option<Result<Offer, Refusal>> {
        Offer::find(around, |waiting| is_same(&waiting.shelf.spot(&waiting.spot.name).path, &spot.path))
    }

    /// Returns the recording of a cassette of this name that is not there yet; of several none.
    pub(crate) fn named(name: &str, around: &Surroundings) -> Option<Result<Offer, Refusal>> {
        let name = as_name(name);
        let all = pending(around).ok()?;
        match all.iter().filter(|waiting| waiting.spot.name == name).count() {
            1 => Offer::find(around, |waiting| waiting.spot.name == name),
            _ => None,
        }
    }

    fn find(around: &Surroundings, is_meant: impl Fn(&Waiting) -> bool) -> Option<Result<Offer, Refusal>> {
        let waiting = pending(around).ok()?.into_iter().find(is_meant)?;
        let advice = around.advice.clone();
        let offer =
            |candidate| Offer { tape: waiting.presentable(&candidate), candidate, waiting: waiting.clone(), advice };
        Some(waiting.candidate().map(offer))
    }

    /// Returns its name.
    pub(crate) fn name(&self) -> &str {
        self.candidate.name()
    }

    /// Returns its file.
    pub(crate) fn spot(&self) -> &Spot {
        &self.waiting.spot
    }

    /// Returns what was recorded, as it may be shown.
    pub(crate) fn tape(&self) -> &Tape {
        &self.tape
    }

    /// Returns what is asked before it is settled: why it is pending, and what would come of it now.
    pub(super) fn question(&self, verdict: Verdict) -> Question {
        let mut lines = why(&self.candidate);
        if lines.len() > FOUND + 1 {
            let more = format!("    … and {} more", lines.len() - FOUND);
            lines.truncate(FOUND);
            lines.push(Line::new().ink(Ink::Faint, &more));
        }
        let against = match verdict {
            Verdict::Accept => against(&self.waiting, &self.candidate, &self.advice),
            _ => Vec::new(),
        };
        if against.is_empty() {
            lines.push(consequence(verdict, &self.waiting, &self.candidate));
        }
        lines.extend(against);
        Question { verdict, name: self.name().to_owned(), lines }
    }

    /// Settles it as `cargo cassette accept` and `reject` do.
    pub(super) fn settle(&self, verdict: Verdict) -> Settled {
        match settle(verdict, &self.waiting, &self.candidate, Run::Real) {
            Ok(comes) => {
                Settled::Done(verdict, comes.told(Line::new().ink(verdict.ink(), verdict.past()), self.name()))
            }
            Err(why) => Settled::Refused(refused_lines(&self.waiting.spot, &why, &self.advice)),
        }
    }
}

impl Offered {
    /// Returns what there is to settle, where a recording of this name is not what is shown.
    pub(crate) fn elsewhere(name: &str) -> Offered {
        Offered::Nothing(format!("what is pending is not what is shown: cargo cassette show {} -i", typed(name)))
    }

    /// Returns that nothing is pending.
    pub(crate) fn nothing() -> Offered {
        Offered::Nothing("nothing is pending that is shown here".to_owned())
    }
}

/// Returns whether two paths lead to one file.
fn is_same(a: &Path, b: &Path) -> bool {
    let [real, other] = [a, b].map(|path| fs::canonicalize(path).ok());
    a == b || real.is_some() && real == other
}

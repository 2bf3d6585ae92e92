//! A call of a run that has ended, as whoever watches the run is told of it.

use std::fmt;

use crate::call::{Call, Kind};
use crate::reply::Outcome;
use crate::transcript::exchange;
use crate::view::{ReplyView, view};

/// A call of a run that was served or has ended live. Secrets are hidden in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// Which call of the run it is, from 1.
    pub number: usize,
    /// What was asked, as the program asked it.
    pub call: Call,
    /// How it ended.
    pub outcome: Outcome,
    /// Where the answer is from.
    pub source: Source,
}

/// Where an answer is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// It was recorded: the interaction of the file, from 1.
    Recorded(usize),
    /// It came live.
    Live,
}

impl Step {
    /// Returns the seam through which the call went.
    pub fn kind(&self) -> Kind {
        self.call.kind
    }

    /// Returns the call as reports name it: `POST https://host/path`, or the kind and the function's name.
    pub fn name(&self) -> String {
        self.call.title()
    }

    /// Returns whether the answer came live.
    pub fn is_live(&self) -> bool {
        self.source == Source::Live
    }

    /// Returns what the reply says, whoever gave it, where it is a model's.
    pub fn view(&self) -> Option<ReplyView> {
        match &self.outcome {
            Outcome::Reply(reply) => view(&self.call, reply),
            Outcome::Error(_) => None,
        }
    }
}

impl fmt::Display for Step {
    /// Writes what was asked and what was answered, as the transcript of the run does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        exchange(self.number, &self.call, Some(&self.outcome)).fmt(f)
    }
}

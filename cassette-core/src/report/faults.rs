//! Reports about faults that a test planned.

use std::fmt;

use super::{count, help};

/// A fault that has fired, as the summary tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fired {
    /// What went wrong: `status 429`.
    pub fault: String,
    /// Which call of the run over HTTP it was, from 1.
    pub call: usize,
    /// The call's name.
    pub name: String,
    /// Whether all of the answer came all the same, only in other pieces.
    pub harmless: bool,
    /// The call over HTTP that was served the recording afterwards, if one was.
    pub then: Option<usize>,
}

impl Fired {
    /// Returns what is told of a fault that fired at this call.
    pub(crate) fn new(fault: String, (call, name): (usize, String), harmless: bool, then: Option<usize>) -> Fired {
        Fired { fault, call, name, harmless, then }
    }
}

impl fmt::Display for Fired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fault `{}` at call {}, {}", self.fault, self.call, self.name)?;
        match (self.then, self.harmless) {
            (Some(call), _) => write!(f, "; served whole at call {call}"),
            (None, true) => Ok(()),
            (None, false) => f.write_str("; not served whole after it"),
        }
    }
}

/// A fault that a test planned never fired.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unfired {
    /// The cassette's name.
    pub cassette: String,
    /// The faults, each with where it was to fire and why it did not.
    pub faults: Vec<String>,
    /// What to do.
    pub help: String,
}

impl Unfired {
    /// Returns the report of these faults.
    pub(crate) fn new(cassette: &str, faults: Vec<String>, help: &str) -> Unfired {
        Unfired { cassette: cassette.to_owned(), faults, help: help.to_owned() }
    }
}

impl fmt::Display for Unfired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults = count(self.faults.len(), "fault");
        write!(f, "{faults} planned for `{}` never fired", self.cassette)?;
        self.faults.iter().try_for_each(|fault| write!(f, "\n  {fault}"))?;
        help(f, &self.help)
    }
}

/// A sweep of a fault over a run went otherwise than its test declares.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Swept {
    /// The cassette's name.
    pub cassette: String,
    /// What was swept: `status 429`.
    pub fault: String,
    /// At how many positions it was tried.
    pub positions: usize,
    /// The positions that the body did not survive, though that is not declared.
    pub perished: Vec<Perished>,
    /// The calls that were declared and survived.
    pub survived: Vec<usize>,
    /// The calls that were declared, and at which it was not tried.
    pub absent: Vec<usize>,
    /// What to do.
    pub help: String,
}

/// A position that a body did not survive.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Perished {
    /// The call over HTTP, from 1.
    pub call: usize,
    /// The fault at it.
    pub fault: String,
    /// How the body failed.
    pub why: String,
}

impl Perished {
    /// Returns a position that was not survived, and how.
    pub fn new(call: usize, fault: String, why: String) -> Perished {
        Perished { call, fault, why }
    }
}

impl Swept {
    /// Returns the report of a sweep that a test declares otherwise, if it does: it was tried `at` the call of each position, and
    /// `declared` are the calls at which it may fail.
    pub fn of(
        (cassette, fault): (&str, String),
        at: &[usize],
        perished: &[Perished],
        declared: &[usize],
    ) -> Option<Swept> {
        let undeclared: Vec<_> = perished.iter().filter(|at| !declared.contains(&at.call)).cloned().collect();
        let mut survived: Vec<usize> =
            declared.iter().copied().filter(|call| !perished.iter().any(|at| at.call == *call)).collect();
        survived.sort_unstable();
        survived.dedup();
        let (survived, absent): (Vec<_>, Vec<_>) = survived.into_iter().partition(|call| at.contains(call));
        if undeclared.is_empty() && survived.is_empty() && absent.is_empty() {
            return None;
        }
        let mut calls: Vec<usize> = perished.iter().map(|at| at.call).collect();
        calls.sort_unstable();
        calls.dedup();
        let help = match (undeclared.is_empty(), calls.is_empty()) {
            (_, true) => "take `may_fail_at` away".to_owned(),
            (true, false) => format!("declare what is not survived: `.may_fail_at({calls:?})`"),
            (false, false) => {
                format!("let the program get over it, or declare what it does not survive: `.may_fail_at({calls:?})`")
            }
        };
        let cassette = cassette.to_owned();
        Some(Swept { cassette, fault, positions: at.len(), perished: undeclared, survived, absent, help })
    }
}

impl fmt::Display for Swept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Swept { cassette, fault, positions, perished, survived, absent, .. } = self;
        write!(f, "`{fault}` was swept over `{cassette}`, {}", count(*positions, "position"))?;
        for Perished { call, fault, why } in perished {
            write!(f, "\n  not survived: `{fault}` at call {call}: {}", why.replace('\n', "\n    "))?;
        }
        survived.iter().try_for_each(|call| write!(f, "\n  declared, and survived: call {call}"))?;
        absent.iter().try_for_each(|call| write!(f, "\n  declared, and not tried: call {call}"))?;
        help(f, &self.help)
    }
}

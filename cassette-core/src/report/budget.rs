//! The report of a call that was not paid for.

use std::fmt;

use super::help;
use crate::account::Money;

/// A call would have gone live beyond the budget.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Budget {
    /// The cassette's name.
    pub cassette: String,
    /// The call's position in the run, from 1.
    pub call: usize,
    /// The call, `POST https://host/path`, secrets hidden.
    pub name: String,
    /// How much may be spent.
    pub limit: Money,
    /// Why it did not go live.
    pub short: Short,
    /// What to do.
    pub help: String,
}

/// Why a call is not paid for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Short {
    /// So much is spent.
    Reached(Money),
    /// Nobody knows what a call of this model costs.
    Unpriced(String),
    /// An answer of this model does not say what it took, so that nobody knows how much is left.
    Uncounted(String),
    /// A call of this model was sent and got no reply: nobody knows whether it cost anything.
    Unanswered(String),
    /// The book in which all processes of the run write what they spend cannot be kept: its path and the error.
    Unkept(String, String),
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Budget { cassette, call, name, limit, short, .. } = self;
        write!(f, "call {call} of `{cassette}` did not go live: ")?;
        match short {
            Short::Reached(spent) => write!(f, "${spent} are spent of a budget of ${limit}")?,
            Short::Unpriced(model) => {
                write!(f, "`{model}` has no price, so that a budget of ${limit} could not be kept")?;
            }
            Short::Uncounted(model) => write!(
                f,
                "an answer of `{model}` does not say how many tokens it took, so that a budget of ${limit} could not be kept"
            )?,
            Short::Unanswered(model) => write!(
                f,
                "a call of `{model}` got no reply and may have cost something all the same, so that a budget of ${limit} could not be kept"
            )?,
            Short::Unkept(file, error) => {
                write!(f, "{file}, in which the run writes what it spends, cannot be kept: {error}")?
            }
        }
        write!(f, "\n  {name}")?;
        help(f, &self.help)
    }
}

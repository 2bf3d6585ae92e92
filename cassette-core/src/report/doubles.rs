//! Reports about test doubles: stand-ins for what a program calls.

use std::fmt;

use super::{count, help};

/// A test double was used otherwise than the test says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Double {
    /// What it is called.
    pub name: String,
    /// How it was used.
    pub misuse: Misuse,
    /// What to do.
    pub help: String,
}

/// How a test double was used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misuse {
    /// It was asked once more than its script has answers.
    Exhausted {
        /// Which call of it that was, from 1.
        call: usize,
        /// How many answers its script has.
        answers: usize,
        /// What was asked, secrets hidden.
        asked: String,
    },
    /// Answers of its script were not asked for.
    Left {
        /// How many.
        left: usize,
        /// How many there are.
        answers: usize,
    },
    /// It was called, and is never to be.
    Called {
        /// What was asked, secrets hidden.
        asked: String,
    },
}

/// How much of what was asked is shown, in characters.
const SHOWN: usize = 400;

impl Double {
    /// Returns the report of a double of this name that was used so.
    pub fn new(name: impl Into<String>, misuse: Misuse) -> Double {
        let help = match &misuse {
            Misuse::Exhausted { .. } => "script an answer to it, or find out why it is asked once more",
            Misuse::Left { .. } => "take them out of the script, or find out why they are not asked for",
            Misuse::Called { .. } => "find out who calls it: the panic's place or RUST_BACKTRACE=1 shows it",
        };
        Double { name: name.into(), misuse, help: help.to_owned() }
    }
}

impl fmt::Display for Double {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Double { name, misuse, .. } = self;
        match misuse {
            Misuse::Exhausted { call, answers, asked } => {
                let answers = count(*answers, "answer");
                write!(
                    f,
                    "call {call} of `{name}` finds no answer: its script has {answers}\n  asked  {}",
                    cut(asked)
                )?;
            }
            Misuse::Left { left, answers } => {
                let were = if *left == 1 { "was" } else { "were" };
                write!(f, "{left} of {} of `{name}` {were} not asked for", count(*answers, "answer"))?;
            }
            Misuse::Called { asked } => {
                write!(f, "`{name}` was called, and is never to be\n  asked  {}", cut(asked))?;
            }
        }
        help(f, &self.help)
    }
}

fn cut(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push_str(" ..");
    }
    shown.replace('\n', "\n  ")
}

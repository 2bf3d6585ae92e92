//! Two runs that are not the same.

use std::fmt;

use super::{Difference, count, help};

/// The first place at which two runs of a test differ.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diverged {
    /// The position of the call, from 1.
    pub call: usize,
    /// Its name in the first and in the second run; `None` in a run that does not make it.
    pub names: [Option<String>; 2],
    /// How many calls either run made.
    pub calls: [usize; 2],
    /// Where the two calls differ: what is shown as recorded is the first run's.
    pub differences: Vec<Difference>,
}

impl fmt::Display for Diverged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diverged { call, names, calls: [first, second], differences } = self;
        if self.calls == [0, 0] {
            f.write_str("neither run makes a call, so there is nothing to compare")?;
            return help(f, "take `run()` after the calls, from the cassette that they go through");
        }
        match names {
            [Some(name), Some(other)] if name == other => write!(f, "the runs differ at call {call}, {name}")?,
            [Some(name), Some(other)] => {
                write!(f, "the runs differ at call {call}\n    first   {name}\n    second  {other}")?;
            }
            [Some(name), None] => write!(f, "only the first run makes call {call}, {name}")?,
            [None, Some(name)] => write!(f, "only the second run makes call {call}, {name}")?,
            [None, None] => write!(f, "the runs differ at call {call}")?,
        }
        differences.iter().try_for_each(|difference| difference.write(f, ["first ", "second"]))?;
        write!(f, "\n  {} in the first run, {second} in the second", count(*first, "call"))?;
        help(f, "print `transcript()` of both runs to see everything that was asked and answered")
    }
}

impl std::error::Error for Diverged {}

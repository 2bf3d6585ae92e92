//! How far long work has come.

use std::io::{self, IsTerminal as _, Write as _};

use super::hidden::visible;
use super::{columns, wrap};

/// A line on standard error that tells how far long work has come. It is there on a terminal alone, and goes when it is cleared.
#[derive(Debug)]
pub(crate) struct Progress {
    total: usize,
    is_shown: bool,
}

impl Progress {
    /// Returns the progress of work on so many things; of one alone there is none.
    pub(crate) fn of(total: usize) -> Progress {
        let is_dumb = cassette_core::env::var("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
        Progress { total, is_shown: total > 1 && !is_dumb && io::stderr().is_terminal() }
    }

    /// Tells which one is at work, from 1.
    pub(crate) fn at(&self, number: usize, what: &str) {
        if self.is_shown {
            let text = visible(&format!("{number} of {}: {what}", self.total));
            self.put(wrap::head(&text, columns().saturating_sub(1)));
        }
    }

    /// Takes the line away, for others to be printed.
    pub(crate) fn clear(&self) {
        if self.is_shown {
            self.put("");
        }
    }

    fn put(&self, text: &str) {
        let mut stderr = io::stderr().lock();
        // Whoever does not see it misses nothing of the work.
        let _ = write!(stderr, "\r\u{1b}[2K{text}").and_then(|()| stderr.flush());
    }
}

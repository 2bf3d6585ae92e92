//! The one place that prints.
//!
//! Colours and the width of lines go by the terminal: in a pipe there are neither, nor where `NO_COLOR` is set;
//! `CLICOLOR_FORCE` and `--color` say otherwise. What was recorded comes from outside, so that no control character of it
//! reaches a terminal as such.

mod advice;
mod hidden;
mod line;
mod progress;
mod size;
mod table;
mod wrap;

pub(crate) use advice::Advice;
pub(crate) use cargo_cassette::typed::{printed, quoted, quoted_os, typed};
pub(crate) use hidden::visible;
pub(crate) use line::{Ink, Line};
pub(crate) use progress::Progress;
pub(crate) use size::{count, grouped, size};
pub(crate) use table::Table;
pub(crate) use wrap::wrap;

use std::io::{self, IsTerminal as _, StdoutLock, Write as _};

use anstream::{AutoStream, ColorChoice};
use cargo_cassette::presentable::presentable_text;
use cassette_core::json::{Json, Layout};

use crate::common::Color;

/// The narrowest terminal that lines are laid out for.
const NARROWEST: usize = 40;

/// Standard output.
pub(crate) struct Output {
    stream: AutoStream<StdoutLock<'static>>,
    width: Option<usize>,
    advice: Advice,
}

impl Output {
    /// Returns standard output, coloured when it is asked for.
    pub(crate) fn new(color: Color, advice: Advice) -> Output {
        choose(color);
        let stdout = io::stdout().lock();
        let width = stdout.is_terminal().then(columns);
        Output { stream: AutoStream::auto(stdout), width, advice }
    }

    /// Returns what is added to advice, so that it looks where this command has looked.
    pub(crate) fn advice(&self) -> &Advice {
        &self.advice
    }

    /// Prints a piece of advice, so far indented.
    pub(crate) fn help(&mut self, indent: &str, text: &str) -> io::Result<()> {
        let help = presentable_text(&format!("help: {}", self.advice.here(text)));
        self.line(&Line::of(indent).ink(Ink::Faint, &help))
    }

    /// Returns how many columns a line has; `None` where nobody counts them.
    pub(crate) fn width(&self) -> Option<usize> {
        self.width
    }

    /// Returns whether colours are used.
    pub(crate) fn has_colours(&self) -> bool {
        self.stream.current_choice() != ColorChoice::Never
    }

    /// Prints a line.
    pub(crate) fn line(&mut self, line: &Line) -> io::Result<()> {
        writeln!(self.stream, "{}", line.painted())
    }

    /// Prints a line that stays open for an answer.
    pub(crate) fn prompt(&mut self, line: &Line) -> io::Result<()> {
        write!(self.stream, "{}", line.painted())?;
        self.stream.flush()
    }

    /// Prints an empty line.
    pub(crate) fn gap(&mut self) -> io::Result<()> {
        writeln!(self.stream)
    }

    /// Prints a document for another program.
    pub(crate) fn json(&mut self, json: &Json) -> io::Result<()> {
        self.bytes(document(json).as_bytes())
    }

    /// Writes bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        // The lock is the thread's own, and the stream keeps nothing back.
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()
    }

    /// Lets go of standard output, so that whoever reads it to its end goes on. At a terminal nobody does.
    pub(crate) fn close(&mut self) -> io::Result<()> {
        self.flush()?;
        #[cfg(unix)]
        if !io::stdout().is_terminal() {
            rustix::stdio::dup2_stdout(std::fs::OpenOptions::new().write(true).open("/dev/null")?)?;
        }
        Ok(())
    }

    /// Makes sure that everything was taken.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Returns the text of a document for another program, in which nothing drives a terminal.
pub(crate) fn document(json: &Json) -> String {
    format!("{}\n", hidden::inert(&json.print(Layout::Indent(2))))
}

/// Tells what went wrong, on standard error.
pub(crate) fn complain(what: &str) {
    let what = &*presentable_text(what);
    let mut stderr = AutoStream::auto(io::stderr().lock());
    let (what, help) = what.split_once("\nhelp: ").map_or((what, None), |(what, help)| (what, Some(help)));
    let told = [(Ink::Bad, "error: ", Some(what)), (Ink::Good, "help: ", help)];
    for (ink, title, text) in told.into_iter().filter_map(|(ink, title, text)| Some((ink, title, text?))) {
        say(&mut stderr, Line::new().ink(ink, title), text);
    }
}

/// Tells something beside the output, on standard error.
pub(crate) fn note(what: &str) {
    let mut stderr = AutoStream::auto(io::stderr().lock());
    say(&mut stderr, Line::new(), &presentable_text(what));
}

/// Writes a text of several lines, the first behind this.
fn say(stderr: &mut dyn io::Write, title: Line, text: &str) {
    let mut lines = text.split('\n');
    let first = title.plain(lines.next().unwrap_or_default());
    for line in std::iter::once(first).chain(lines.map(Line::of)) {
        // A process without a standard error stream has nobody to be told.
        let _ = writeln!(stderr, "{}", line.painted());
    }
}

/// Returns the width of the terminal; one that does not know its own is taken for an ordinary one.
fn columns() -> usize {
    let told = terminal_size::terminal_size().map(|(terminal_size::Width(width), _)| usize::from(width));
    let told = told.or_else(|| cassette_core::env::var("COLUMNS")?.parse().ok());
    told.unwrap_or(80).max(NARROWEST)
}

fn choose(color: Color) {
    match color {
        Color::Auto => {}
        Color::Always => ColorChoice::Always.write_global(),
        Color::Never => ColorChoice::Never.write_global(),
    }
}

//! The recording that is most like a call, and where the two differ.

use std::fmt;

use super::count;

/// How many differences are printed; the rest are counted.
const MOST: usize = 12;

/// The recording that is most like a call, and where the two differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// Its position in the file, from 1.
    pub interaction: usize,
    /// Whether it has been served already.
    pub used: bool,
    /// What it asks, in a few words, where that is told nowhere else.
    pub asks: Option<String>,
    /// Where the two differ, in the order of the request.
    pub differences: Vec<Difference>,
    /// The parts in which the two agree.
    pub agreeing: Vec<String>,
    /// Where the recording holds digests of its request, and no text: what else may have made these differ.
    pub digests: Option<Vec<Doubt>>,
}

/// Why digests may differ although the program asks what it asked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Doubt {
    /// The built-in redaction is another: the number of its table at the recording, and today's.
    Table(u64, u64),
    /// The test's own redaction rules are others.
    Rules,
    /// The body goes through functions, which may do something else today.
    Normalize,
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Table(then, now) => {
                write!(f, "it was recorded with redaction table {then}, and this one is {now}")?;
                f.write_str(": what only one of them hides differs")
            }
            Doubt::Rules => f.write_str("the test hides other values than when it was recorded: these differ"),
            Doubt::Normalize => f.write_str("`normalize` must do what it did when it was recorded"),
        }
    }
}

impl fmt::Display for Nearest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n  nearest recording: interaction {}", self.interaction)?;
        self.asks.iter().try_for_each(|asks| write!(f, ", {asks}"))?;
        f.write_str(if self.used { ", which was served already" } else { "" })?;
        list(f, &self.differences)?;
        self.agreement(f)?;
        let Some(doubts) = &self.digests else { return Ok(()) };
        if self.differences.is_empty() {
            f.write_str("\n    something differs that the digests are too short to tell")?;
        }
        f.write_str("\n    of the recorded request there are digests alone")?;
        doubts.iter().try_for_each(|doubt| write!(f, "\n    {doubt}"))
    }
}

impl Nearest {
    fn agreement(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.agreeing.as_slice() {
            [] => Ok(()),
            [only] => write!(f, "\n    {only} agrees"),
            [first @ .., last] if first.len() < 3 => write!(f, "\n    {} and {last} agree", first.join(", ")),
            [a, b, c, rest @ ..] => {
                write!(f, "\n    {a}, {b}, {c} and {} agree", count(rest.len(), "other part"))
            }
            [_, _] => Ok(()),
        }
    }
}

/// Writes the first differences, and counts the rest.
pub(super) fn list(f: &mut fmt::Formatter<'_>, differences: &[Difference]) -> fmt::Result {
    differences.iter().take(MOST).try_for_each(|difference| write!(f, "{difference}"))?;
    match differences.len().checked_sub(MOST) {
        None | Some(0) => Ok(()),
        Some(more) => write!(f, "\n    and {}", count(more, "more difference")),
    }
}

/// One place where a call and a recording differ.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// How it came about.
    pub edit: Edit,
    /// The path in the incoming request as it was sent; of what was removed, in the recorded one.
    pub path: String,
    /// The path in the recorded request, where that is another.
    pub from: Option<String>,
    /// What is there: one pair, or one for each of the first changes within a long text.
    pub shown: Vec<Shown>,
    /// What the difference consists in, where it is easily overlooked.
    pub nature: Option<Nature>,
    /// How many further changes there are within the text.
    pub more: usize,
}

impl Difference {
    /// Returns a difference of which nothing is known but the part of the request that it is in.
    pub(crate) fn of_part(edit: Edit, part: &str) -> Difference {
        Difference { edit, path: part.to_owned(), from: None, shown: Vec::new(), nature: None, more: 0 }
    }
}

impl Difference {
    /// Returns what the difference consists in, between two recordings: in either there is a moment, and none of them is of this run.
    pub fn nature_between_recordings(&self) -> Option<&Nature> {
        self.nature.as_ref().filter(|nature| **nature != Nature::Passing)
    }

    /// Writes the difference, its two sides under these names, which are equally long.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, [recorded, incoming]: [&str; 2]) -> fmt::Result {
        let ours = recorded.trim_end();
        write!(f, "\n    {}", self.path)?;
        match (self.edit, &self.from) {
            (Edit::Added, _) => f.write_str(" added")?,
            (Edit::Removed, _) => f.write_str(" removed")?,
            (Edit::Moved, Some(from)) => write!(f, " moved, {ours} as {from}")?,
            (_, Some(from)) => write!(f, ", {ours} as {from}")?,
            (_, None) => {}
        }
        if let Some(nature) = &self.nature {
            write!(f, ": {nature}")?;
        }
        for Shown { recorded: old, incoming: new } in &self.shown {
            let line = |label: &str, side: &Option<String>| {
                side.as_ref().map_or(String::new(), |said| format!("\n      {label}  {said}"))
            };
            match self.edit {
                Edit::Moved => f.write_str(&line("element ", new))?,
                _ => write!(f, "{}{}", line(recorded, old), line(incoming, new))?,
            }
        }
        if self.more > 0 {
            write!(f, "\n      and {} in this text", count(self.more, "more change"))?;
        }
        Ok(())
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, ["recorded", "incoming"])
    }
}

/// How one place of a request became another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Edit {
    /// It says something else.
    Changed,
    /// It was not recorded.
    Added,
    /// It is no longer there.
    Removed,
    /// It stands elsewhere in its list.
    Moved,
}

/// What a difference consists in, where it is easily overlooked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Nature {
    /// Spaces, tabs, line breaks and their like.
    WhiteSpace,
    /// `\r\n` against `\n`.
    LineEndings,
    /// Capital letters against small ones.
    LetterCase,
    /// Characters that no eye can see.
    Invisible,
    /// A moment, or an id: what a run alone knows.
    Passing,
    /// The secret was the same as at this path, or another, and now is not so.
    Secret(String),
    /// Values of these kinds, which are those of their placeholders, are hidden in the recording, and what stands there now is
    /// not: a rule or a variable that made them secret is not there.
    InPlain(Vec<String>),
}

/// A value, or the part of a text that matters, on either side: already cut, on one line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shown {
    /// What was recorded; `None` where nothing was.
    pub recorded: Option<String>,
    /// What came in; `None` where nothing did.
    pub incoming: Option<String>,
}

impl fmt::Display for Nature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Nature::WhiteSpace => f.write_str("white space alone differs"),
            Nature::LineEndings => f.write_str("line endings alone differ"),
            Nature::LetterCase => f.write_str("letter case alone differs"),
            Nature::Invisible => f.write_str("invisible characters alone differ"),
            Nature::Passing => f.write_str("a moment or an id alone differs, as it may in each run"),
            Nature::InPlain(_) => f.write_str("a value was hidden here, and what is there now is not"),
            Nature::Secret(path) => write!(f, "set against {path}, this is another secret than was recorded"),
        }
    }
}

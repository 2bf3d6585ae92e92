//! What is browsed: the calls of a cassette, or of two beside each other.

use cassette_core::alignment::{Alignment, Pair, Place};
use cassette_core::tape::Tape;
use cassette_core::transcript::{Entry, Exchange, What, transcript};

use super::super::diff::{call, heading};
use super::super::page::headline;
use super::super::transcript::{Detail, content};
use super::state::Stand;
use crate::output::{Ink, Line};

/// What is browsed.
pub(crate) struct Reel {
    /// What it is called.
    pub(super) title: String,
    /// What a reader has to know of it, on one line.
    pub(super) facts: String,
    tapes: [Tape; 2],
    exchanges: [Vec<Exchange>; 2],
    alignment: Option<Alignment>,
    /// Which of the two is shown of a call that is in both.
    shown: usize,
}

/// Which of two cassettes is read of a call that is in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Before,
    After,
}

/// A call on the list.
pub(super) struct Row {
    /// What became of it, where two are compared.
    pub(super) sign: (Ink, char),
    /// Its number.
    pub(super) number: usize,
    /// What it is about.
    pub(super) line: String,
    /// What a reader has to know before all else: a status, `error`, `cut`.
    pub(super) mark: Option<(Ink, String)>,
}

impl Reel {
    /// Returns a cassette.
    pub(crate) fn of(title: &str, facts: &str, tape: Tape) -> Reel {
        let exchanges = [transcript(&tape.interactions), Vec::new()];
        let tapes = [tape, Tape::default()];
        Reel { title: title.to_owned(), facts: facts.to_owned(), tapes, exchanges, alignment: None, shown: 0 }
    }

    /// Returns two cassettes beside each other.
    pub(crate) fn beside(title: &str, facts: &str, compared: (Tape, Tape, Alignment), shown: Side) -> Reel {
        let (before, after, alignment) = compared;
        let tapes = [before, after];
        let exchanges = [0, 1].map(|side: usize| transcript(&tapes[side].interactions));
        let (title, facts, shown) = (title.to_owned(), facts.to_owned(), shown as usize);
        Reel { title, facts, tapes, exchanges, alignment: Some(alignment), shown }
    }

    /// Returns what it is called.
    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    /// Returns how it stands with what is shown, in words; nothing where nothing was recorded that could be settled.
    pub(super) fn standing(&self, stand: &Stand) -> String {
        let word = match stand {
            Stand::Nothing(_) => return String::new(),
            Stand::Waiting => "pending",
            Stand::Settled(verdict) => verdict.past(),
        };
        match (self.is_compared(), stand) {
            (false, _) => word.to_owned(),
            (true, Stand::Waiting) => format!("beside what is {word}"),
            (true, _) => format!("beside what was {word}"),
        }
    }

    /// Returns how many calls there are.
    pub(crate) fn len(&self) -> usize {
        self.alignment.as_ref().map_or(self.exchanges[0].len(), |alignment| alignment.pairs.len())
    }

    /// Returns whether two are compared.
    pub(super) fn is_compared(&self) -> bool {
        self.alignment.is_some()
    }

    /// Returns whether a call differs in the other.
    pub(crate) fn differs(&self, step: usize) -> bool {
        self.pair(step).is_some_and(|pair| !pair.is_same())
    }

    /// Returns the step with this number: where two are compared, the number in the one that is read.
    pub(crate) fn numbered(&self, number: usize) -> Option<usize> {
        (0..self.len()).find(|step| self.place(*step).is_some_and(|(side, at)| side == self.shown && at + 1 == number))
    }

    /// Returns a call as it stands on the list.
    pub(super) fn row(&self, step: usize) -> Row {
        let sign = match self.pair(step) {
            Some(pair) if !pair.is_same() => {
                let (ink, told) = heading(pair);
                (ink, told.chars().next().unwrap_or(' '))
            }
            _ => (Ink::Plain, ' '),
        };
        let Some(exchange) = self.exchange(step) else {
            return Row { sign, number: step + 1, line: String::new(), mark: None };
        };
        Row { sign, number: exchange.number, line: headline(exchange), mark: exchange.answer.iter().find_map(mark) }
    }

    /// Returns what is read of a call, on lines no wider than this: its name, what differs, what was said.
    pub(super) fn lines(&self, step: usize, detail: Detail, width: usize) -> Vec<Line> {
        let (Some(exchange), Some((side, at))) = (self.exchange(step), self.place(step)) else { return Vec::new() };
        let mut lines = vec![Line::new().ink(Ink::Strong, &format!("{:>3}  {}", exchange.number, exchange.name))];
        if let Some(pair) = self.pair(step).filter(|pair| !pair.is_same()) {
            let (ink, _) = heading(pair);
            let what = match (pair.before, pair.after) {
                (None, _) => "new: the first does not have it".to_owned(),
                (_, None) => "gone: the second does not have it".to_owned(),
                (Some(before), Some(after)) if pair.place == Place::Moved => {
                    format!("moved, from call {} to call {}", before + 1, after + 1)
                }
                _ => "changed".to_owned(),
            };
            lines.push(Line::of("     ").ink(ink, &what));
            if pair.before.is_some() && pair.after.is_some() {
                lines.extend(call(pair, [&self.tapes[0], &self.tapes[1]], &self.exchanges, Some(width)));
            }
            lines.push(Line::new());
        }
        // What shows more is a key here.
        let detail = if detail == Detail::Brief { Detail::Aside } else { detail };
        lines.extend(content(exchange, &self.tapes[side].interactions[at], detail, Some(width)));
        lines
    }

    /// Returns whether somebody says this in a call, whose letters are all small.
    pub(super) fn says(&self, step: usize, needle: &str) -> bool {
        let Some(exchange) = self.exchange(step) else { return false };
        let has = |text: &str| text.to_lowercase().contains(needle);
        let entries = exchange.settings.iter().chain(&exchange.said).chain(&exchange.answer);
        let mut entries = entries.flat_map(|entry: &Entry| [&entry.label, &entry.text]);
        has(&exchange.name) || entries.any(|text| has(text))
    }

    fn pair(&self, step: usize) -> Option<&Pair> {
        self.alignment.as_ref()?.pairs.get(step)
    }

    /// Returns where a call stands that is shown: on which side, and at which position.
    fn place(&self, step: usize) -> Option<(usize, usize)> {
        let Some(pair) = self.pair(step) else { return (step < self.len()).then_some((0, step)) };
        let places = [pair.before, pair.after];
        let on = |side: usize| places[side].map(|at| (side, at));
        on(self.shown).or_else(|| on(1 - self.shown))
    }

    fn exchange(&self, step: usize) -> Option<&Exchange> {
        let (side, at) = self.place(step)?;
        self.exchanges[side].get(at)
    }
}

fn mark(entry: &Entry) -> Option<(Ink, String)> {
    match entry.what {
        What::Status if !entry.text.starts_with('2') => Some((Ink::Warn, entry.text.clone())),
        What::Error => Some((Ink::Bad, entry.label.strip_suffix(" error").unwrap_or("error").to_owned())),
        What::Truncated => Some((Ink::Warn, "cut".to_owned())),
        What::Refusal => Some((Ink::Warn, "refused".to_owned())),
        _ => None,
    }
}

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
    /// Its place on the list, from 1.
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

    /// Returns the step with this number: its place on the list. Of two cassettes each has numbers of its own, which name a call of one alone.
    pub(crate) fn numbered(&self, number: usize) -> Option<usize> {
        number.checked_sub(1).filter(|step| *step < self.len())
    }

    /// Returns the step of the call with this number in the cassette that is read.
    pub(crate) fn recorded(&self, number: usize) -> Option<usize> {
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
        Row { sign, number: step + 1, line: headline(exchange), mark: exchange.answer.iter().find_map(mark) }
    }

    /// Returns what is read of a call, on lines no wider than this: its name, what differs, what was said; of one that changed, in both.
    pub(super) fn lines(&self, step: usize, detail: Detail, width: usize) -> Vec<Line> {
        let Some(exchange) = self.exchange(step) else { return Vec::new() };
        // What shows more is a key here.
        let detail = if detail == Detail::Brief { Detail::Aside } else { detail };
        let mut lines = vec![Line::new().ink(Ink::Strong, &format!("{:>3}  {}", step + 1, exchange.name))];
        let differing = self.pair(step).filter(|pair| !pair.is_same());
        let ink = differing.map_or(Ink::Plain, |pair| heading(pair).0);
        let head = |what: &str| Line::of("     ").ink(ink, what);
        lines.extend(differing.map(|pair| head(&self.what(pair))));
        let places = self.places(step);
        if let (Some(pair), [_, _]) = (differing, places.as_slice()) {
            lines.extend(call(pair, [&self.tapes[0], &self.tapes[1]], &self.exchanges, (detail, Some(width))));
            for (side, at) in places {
                lines.extend([Line::new(), head(&format!("in {}, as number {}", self.names()[side], at + 1))]);
                lines.extend(self.content((side, at), detail, width));
            }
            return lines;
        }
        lines.extend(differing.map(|_| Line::new()));
        lines.extend(self.place(step).into_iter().flat_map(|place| self.content(place, detail, width)));
        lines
    }

    /// Returns what became of a call that differs.
    fn what(&self, pair: &Pair) -> String {
        let [first, second] = self.names();
        match (pair.before, pair.after) {
            (None, None) => String::new(),
            (None, Some(after)) => format!("new, as number {}: {first} does not have it", after + 1),
            (Some(before), None) => format!("gone, number {}: {second} does not have it", before + 1),
            (Some(before), Some(after)) if pair.place == Place::Moved => {
                format!("moved, from number {} to number {}", before + 1, after + 1)
            }
            _ => "changed".to_owned(),
        }
    }

    /// Returns what the two are called: beside the cassette stands the recording that would replace it, else one stands beside another.
    fn names(&self) -> [&'static str; 2] {
        if self.shown == Side::Before as usize {
            ["the cassette", "the new recording"]
        } else {
            ["the first", "the second"]
        }
    }

    fn content(&self, (side, at): (usize, usize), detail: Detail, width: usize) -> Vec<Line> {
        let both = self.exchanges[side].get(at).zip(self.tapes[side].interactions.get(at));
        both.map(|(exchange, it)| content(exchange, it, detail, Some(width))).unwrap_or_default()
    }

    /// Returns whether somebody says this in a call, whose letters are all small.
    pub(super) fn says(&self, step: usize, needle: &str) -> bool {
        let has = |text: &str| text.to_lowercase().contains(needle);
        let says = |exchange: &Exchange| {
            let entries = exchange.settings.iter().chain(&exchange.said).chain(&exchange.answer);
            let mut entries = entries.flat_map(|entry: &Entry| [&entry.label, &entry.text]);
            has(&exchange.name) || entries.any(|text| has(text))
        };
        self.places(step).into_iter().filter_map(|(side, at)| self.exchanges[side].get(at)).any(says)
    }

    fn pair(&self, step: usize) -> Option<&Pair> {
        self.alignment.as_ref()?.pairs.get(step)
    }

    /// Returns where a call stands, on which side and at which position: of one that is in both, on both where it is not the same.
    fn places(&self, step: usize) -> Vec<(usize, usize)> {
        match self.pair(step).map(|pair| (pair.before, pair.after, pair.is_same())) {
            Some((Some(before), Some(after), false)) => vec![(0, before), (1, after)],
            _ => self.place(step).into_iter().collect(),
        }
    }

    /// Returns where a call stands by which it is known: on which side, and at which position.
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

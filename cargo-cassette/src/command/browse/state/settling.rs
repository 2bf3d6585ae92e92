//! What is asked before a recording is settled, and what came of it.

use super::super::super::settling::Verdict;
use super::{Effect, Key, Next, State};
use crate::output::Line;

/// What is told where the answer was not yes.
pub(in super::super) const STAYS: &str = "it stays pending";

/// What settles a recording.
const SETTLES: (&str, &str) = ("a  r", "accepts or rejects the recording that is shown, once y is said");

/// What each key does.
const KEYS: [(&str, &str); 9] = [
    ("j k g G", "the next call and the one before, the first and the last; in the right pane its lines"),
    ("tab h l", "the other pane"),
    ("space b", "a page of what is read"),
    ("enter", "everything of the calls; once more, less"),
    ("12 enter", "call 12"),
    ("/text enter n N", "the next place that says it, and the one before"),
    ("d D ] [", "the next call that differs, the one before"),
    SETTLES,
    ("q", "the end"),
];

/// How it stands with the recording that is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Stand {
    /// There is none, and this is why.
    Nothing(String),
    /// It waits to be settled.
    Waiting,
    /// It was settled here.
    Settled(Verdict),
}

/// What is asked before a recording is settled.
#[derive(Clone, Debug)]
pub(in super::super) struct Question {
    /// What is to be said of it.
    pub(in super::super) verdict: Verdict,
    /// Its name.
    pub(in super::super) name: String,
    /// Why it is pending, and what would come of it.
    pub(in super::super) lines: Vec<Line>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub(in super::super) enum Settled {
    /// It is done: what came of it.
    Done(Verdict, Line),
    /// It was refused, and is pending as it was: why, and what to do.
    Refused(Vec<Line>),
}

/// What stands below the call that is read.
#[derive(Clone, Debug)]
pub(in super::super) enum Panel {
    Nothing,
    /// A question that is open.
    Question(Question),
    /// What came of it, until a key is pressed.
    Answer(Vec<Line>),
}

impl State {
    /// Says this of the recording that is shown: what is asked first is not known here.
    pub(in super::super) fn say(&mut self, verdict: Verdict) -> Next {
        self.note = match &self.stand {
            Stand::Waiting => return Next::Do(Effect::Ask(verdict)),
            Stand::Nothing(why) => why.clone(),
            Stand::Settled(verdict) => format!("it is {} already", verdict.past()),
        };
        Next::GoOn
    }

    /// Shows what keys do.
    pub(super) fn explain(&mut self) {
        let line = |(keys, does): &(&str, &str)| Line::of(&format!("  {keys:<16}{does}"));
        let settles = |(keys, _): &&(&str, &str)| *keys != SETTLES.0 || self.stand == Stand::Waiting;
        self.panel = Panel::Answer(KEYS.iter().filter(settles).map(line).collect());
    }

    /// Shows a question.
    pub(in super::super) fn ask(&mut self, question: Question) {
        self.panel = Panel::Question(question);
    }

    /// Shows what came of it.
    pub(in super::super) fn settled(&mut self, settled: Settled) {
        let lines = match settled {
            Settled::Done(verdict, line) => {
                self.stand = Stand::Settled(verdict);
                vec![line]
            }
            Settled::Refused(lines) => lines,
        };
        self.last = lines.clone();
        self.panel = Panel::Answer(lines);
    }

    /// Answers what is open: only `y` says yes.
    pub(super) fn answer(&mut self, panel: Panel, key: Key) -> Next {
        match (panel, key) {
            (Panel::Question(question), Key::Char('y')) => Next::Do(Effect::Settle(question.verdict)),
            (Panel::Question(_), _) => {
                self.note = STAYS.to_owned();
                Next::GoOn
            }
            _ => Next::GoOn,
        }
    }
}

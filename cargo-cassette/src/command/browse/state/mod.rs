//! What is on the screen, and what a key makes of it. Nothing here knows a terminal.

mod key;
mod search;
mod settling;
mod typing;

pub(super) use key::Key;
pub(super) use settling::{Panel, Question, STAYS, Settled, Stand};
pub(super) use typing::Typing;

use super::super::settling::Verdict;
use super::super::transcript::Detail;
use super::reel::Reel;
use crate::output::Line;
use search::Way;
use typing::typed;

/// What is on the screen.
pub(super) struct State {
    /// The call that is read.
    pub(super) step: usize,
    /// The first call on the list.
    pub(super) list_top: usize,
    /// The first line of what is read.
    pub(super) top: usize,
    /// Where keys go.
    pub(super) focus: Focus,
    /// How much is read of a call.
    pub(super) detail: Detail,
    /// What is being typed.
    pub(super) typing: Typing,
    /// What is searched for, in small letters.
    pub(super) needle: String,
    /// What was said last to the reader.
    pub(super) note: String,
    /// How it stands with the recording that is shown.
    pub(super) stand: Stand,
    /// What stands below the call that is read.
    pub(super) panel: Panel,
    /// What came of what was said of the recording last.
    pub(super) last: Vec<Line>,
    /// The line of the last hit.
    hit: Option<usize>,
    /// How many columns and lines there are for what is read, and how many calls fit on the list.
    pub(super) room: Room,
    laid: Option<((usize, Detail, usize), Vec<Line>)>,
}

/// Where keys go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Focus {
    /// To the list of calls.
    List,
    /// To what is read.
    Call,
}

/// How much room there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) rows: usize,
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    GoOn,
    /// Something is to be done first, and its outcome shown.
    Do(Effect),
    Quit,
}

/// What is done beside the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It is found out what to ask before this is said of the recording.
    Ask(Verdict),
    /// It is settled.
    Settle(Verdict),
}

impl State {
    /// Returns the screen with this call on it, where it stands so with what is shown.
    pub(super) fn at(step: usize, stand: Stand) -> State {
        State {
            step,
            list_top: 0,
            top: 0,
            focus: Focus::List,
            detail: Detail::Brief,
            typing: Typing::Nothing,
            needle: String::new(),
            note: String::new(),
            stand,
            panel: Panel::Nothing,
            last: Vec::new(),
            hit: None,
            room: Room::default(),
            laid: None,
        }
    }

    /// Makes room, and keeps in sight what was.
    pub(super) fn fit(&mut self, room: Room, reel: &Reel) {
        self.room = room;
        let lines = self.lines(reel).len();
        self.top = self.top.min(lines.saturating_sub(room.height));
        let last = reel.len().saturating_sub(room.rows);
        self.list_top = self.list_top.min(self.step).max((self.step + 1).saturating_sub(room.rows)).min(last);
    }

    /// Returns the lines of what is read. They are laid out once.
    pub(super) fn lines(&mut self, reel: &Reel) -> &[Line] {
        let wanted = (self.step, self.detail, self.room.width);
        if self.laid.as_ref().is_none_or(|(laid, _)| *laid != wanted) {
            self.laid = Some((wanted, reel.lines(self.step, self.detail, self.room.width)));
        }
        self.laid.as_ref().map_or(&[], |(_, lines)| lines)
    }

    /// Does what a key says.
    pub(super) fn press(&mut self, key: Key, reel: &Reel) -> Next {
        self.note.clear();
        if key == Key::Stop {
            return Next::Quit;
        }
        match std::mem::replace(&mut self.panel, Panel::Nothing) {
            Panel::Nothing => {}
            panel => return self.answer(panel, key),
        }
        match std::mem::replace(&mut self.typing, Typing::Nothing) {
            Typing::Nothing => return self.order(key, reel),
            Typing::Search(text) => self.typing = typed(text, key, &|_| true).map_or(Typing::Nothing, Typing::Search),
            Typing::Number(text) => {
                let number = typed(text, key, &|c| c.is_ascii_digit());
                self.typing = number.map_or(Typing::Nothing, Typing::Number);
            }
        }
        if key == Key::Enter {
            match std::mem::replace(&mut self.typing, Typing::Nothing) {
                Typing::Search(text) => {
                    self.needle = text.to_lowercase();
                    self.hit = None;
                    self.search(Way::On, reel);
                }
                Typing::Number(text) => self.jump(&text, reel),
                Typing::Nothing => {}
            }
        }
        self.fit(self.room, reel);
        Next::GoOn
    }

    fn order(&mut self, key: Key, reel: &Reel) -> Next {
        let last = reel.len().saturating_sub(1);
        let page = self.room.height.saturating_sub(1).max(1);
        match (key, self.focus) {
            (Key::Char('q'), _) | (Key::Escape, Focus::List) => return Next::Quit,
            (Key::Escape | Key::Left | Key::Char('h'), _) => self.focus = Focus::List,
            (Key::Tab, Focus::Call) => self.focus = Focus::List,
            (Key::Right | Key::Tab | Key::Char('l'), _) => self.focus = Focus::Call,
            (Key::Down | Key::Char('j'), Focus::List) => self.go(self.step.saturating_add(1).min(last)),
            (Key::Up | Key::Char('k'), Focus::List) => self.go(self.step.saturating_sub(1)),
            (Key::Home | Key::Char('g'), Focus::List) => self.go(0),
            (Key::End | Key::Char('G'), Focus::List) => self.go(last),
            (Key::Down | Key::Char('j'), Focus::Call) => self.top = self.top.saturating_add(1),
            (Key::Up | Key::Char('k'), Focus::Call) => self.top = self.top.saturating_sub(1),
            (Key::Home | Key::Char('g'), Focus::Call) => self.top = 0,
            (Key::End | Key::Char('G'), Focus::Call) => self.top = usize::MAX,
            (Key::PageDown | Key::Char(' '), _) => self.top = self.top.saturating_add(page),
            (Key::PageUp | Key::Char('b'), _) => self.top = self.top.saturating_sub(page),
            (Key::Enter, _) => self.unfold(),
            (Key::Char('/'), _) => self.typing = Typing::Search(String::new()),
            (Key::Char(':'), _) => self.typing = Typing::Number(String::new()),
            (Key::Char(digit @ '0'..='9'), _) => self.typing = Typing::Number(digit.to_string()),
            (Key::Char('n'), _) => self.search(Way::On, reel),
            (Key::Char('N'), _) => self.search(Way::Back, reel),
            (Key::Char('a'), _) => return self.say(Verdict::Accept),
            (Key::Char('r'), _) => return self.say(Verdict::Reject),
            (Key::Char('?'), _) => self.explain(),
            (Key::Char('d' | ']'), _) => self.next_difference(Way::On, reel),
            (Key::Char('D' | '['), _) => self.next_difference(Way::Back, reel),
            _ => {}
        }
        self.fit(self.room, reel);
        Next::GoOn
    }

    /// Goes to a call, and begins to read it.
    fn go(&mut self, step: usize) {
        if step != self.step {
            (self.step, self.top, self.hit) = (step, 0, None);
        }
    }

    fn unfold(&mut self) {
        self.detail = if self.detail == Detail::Brief { Detail::Full } else { Detail::Brief };
        (self.focus, self.hit) = (Focus::Call, None);
    }

    fn jump(&mut self, text: &str, reel: &Reel) {
        match text.parse().ok().and_then(|number| reel.numbered(number)) {
            Some(step) => self.go(step),
            None if text.is_empty() => {}
            None => self.note = format!("there is no call {text}"),
        }
    }
}

//! What is on the screen, and what a key makes of it. Nothing here knows a terminal.

use super::super::transcript::Detail;
use super::reel::Reel;
use crate::output::Line;

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

/// What is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Typing {
    Nothing,
    /// What to search for.
    Search(String),
    /// A call's number.
    Number(String),
}

/// How much room there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) rows: usize,
}

/// A key, as far as it means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Char(char),
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Home,
    End,
    Enter,
    Tab,
    Escape,
    Erase,
    /// Ctrl-C, or the end of the input.
    Stop,
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    GoOn,
    Quit,
}

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    On,
    Back,
}

impl State {
    /// Returns the screen with this call on it.
    pub(super) fn at(step: usize) -> State {
        State {
            step,
            list_top: 0,
            top: 0,
            focus: Focus::List,
            detail: Detail::Brief,
            typing: Typing::Nothing,
            needle: String::new(),
            note: String::new(),
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
        self.list_top = self.list_top.min(self.step).max((self.step + 1).saturating_sub(room.rows));
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

    fn next_difference(&mut self, way: Way, reel: &Reel) {
        if !reel.is_compared() {
            self.note = "nothing is compared: give another cassette with diff -i".to_owned();
            return;
        }
        match round(self.step, reel.len(), way).find(|step| reel.differs(*step)) {
            Some(step) if step == self.step => self.note = "no other call differs".to_owned(),
            Some(step) => self.go(step),
            None => self.note = "nothing differs".to_owned(),
        }
    }

    /// Goes to the next place that says what is searched for: a line of this call, else another call.
    fn search(&mut self, way: Way, reel: &Reel) {
        if self.needle.is_empty() {
            self.note = "nothing is searched for: type / and a text".to_owned();
            return;
        }
        let here = self.hits(reel);
        let next = match (way, self.hit) {
            (Way::On, Some(hit)) => here.iter().find(|line| **line > hit),
            (Way::Back, Some(hit)) => here.iter().rev().find(|line| **line < hit),
            (Way::On, None) => here.first(),
            (Way::Back, None) => None,
        };
        if let Some(line) = next {
            return self.show(*line);
        }
        let needle = self.needle.clone();
        let Some(step) = round(self.step, reel.len(), way).find(|step| reel.says(*step, &needle)) else {
            self.note = format!("nobody says {needle:?}");
            return;
        };
        self.go(step);
        if self.hits(reel).is_empty() {
            // It stands in what is folded.
            self.detail = Detail::Full;
        }
        let hits = self.hits(reel);
        let line = if way == Way::On { hits.first() } else { hits.last() };
        if let Some(line) = line {
            self.show(*line);
        }
    }

    fn show(&mut self, line: usize) {
        self.hit = Some(line);
        if line < self.top || line >= self.top + self.room.height {
            self.top = line.saturating_sub(self.room.height / 3);
        }
    }

    fn hits(&mut self, reel: &Reel) -> Vec<usize> {
        let needle = self.needle.clone();
        let lines = self.lines(reel).iter().enumerate();
        lines.filter(|(_, line)| line.text().to_lowercase().contains(&needle)).map(|(i, _)| i).collect()
    }
}

/// Returns every call from the next one on, round to this one.
fn round(from: usize, count: usize, way: Way) -> impl Iterator<Item = usize> {
    (1..=count).map(move |i| match way {
        Way::On => (from + i) % count,
        Way::Back => (from + count - i) % count,
    })
}

/// Returns what is typed once this key is pressed; `None` where it is given up.
fn typed(mut text: String, key: Key, may: &dyn Fn(char) -> bool) -> Option<String> {
    match key {
        Key::Escape => None,
        Key::Erase => text.pop().map(|_| text),
        Key::Char(c) if may(c) => {
            text.push(c);
            Some(text)
        }
        _ => Some(text),
    }
}

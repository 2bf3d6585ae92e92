//! The screen as lines: a heading, the list of calls, the call that is read, and what keys do.

use super::reel::{Reel, Row};
use super::state::{Focus, Panel, Question, Room, Stand, State, Typing};
use crate::output::{Ink, Line};

/// From how many columns on the list stands beside what is read.
const BESIDE: usize = 72;

/// How wide the list is at least, and at most.
const LIST: (usize, usize) = (24, 46);

/// What keys do.
const KEYS: &str = "j k move · ⏎ unfold · tab pane · / search · d difference · 12⏎ jump · q quit · ? keys";

/// What keys do where a recording waits to be settled.
const SETTLING: &str =
    "a accept · r reject · j k move · ⏎ unfold · tab pane · / search · d difference · q quit · ? keys";

/// Returns the screen, as many lines as it is high.
pub(super) fn screen(state: &mut State, reel: &Reel, (width, height): (usize, usize)) -> Vec<Line> {
    let panel = panel(&state.panel, width, height.saturating_sub(2));
    let body = height.saturating_sub(2 + panel.len());
    let is_beside = width >= BESIDE;
    let list = if is_beside { (width * 3 / 10).clamp(LIST.0, LIST.1) } else { width };
    let read = if is_beside { width.saturating_sub(list + 3) } else { width };
    state.fit(Room { width: read, height: body, rows: body }, reel);
    let mut lines = vec![heading(reel, &state.stand, Some(width))];
    let (step, top, focus) = (state.step, state.top, state.focus);
    let rows = |state: &State| {
        (state.list_top..reel.len())
            .take(body)
            .map(|at| row(&reel.row(at), at == step, focus, list))
            .collect::<Vec<_>>()
    };
    let needle = state.needle.clone();
    let read = |state: &mut State| {
        let lines = state.lines(reel).iter().skip(top).take(body);
        lines.map(|line| marked(line, &needle).fitted(Some(read))).collect::<Vec<_>>()
    };
    if is_beside {
        let (rows, read) = (rows(state), read(state));
        let bar = bar(state.lines(reel).len(), top, body);
        for i in 0..body {
            let left = rows.get(i).cloned().unwrap_or_default().padded(list);
            let right = read.get(i).cloned().unwrap_or_default();
            let ink = if focus == Focus::Call { Ink::Voice } else { Ink::Faint };
            lines.push(left.ink(ink, if bar.contains(&i) { " ┃ " } else { " │ " }).and(right));
        }
    } else {
        let mut shown = if focus == Focus::List { rows(state) } else { read(state) };
        shown.resize(body, Line::new());
        lines.extend(shown);
    }
    lines.extend(panel);
    lines.push(foot(state, reel, width));
    lines
}

/// Returns the name, how it stands with what is shown, and what else is known of it.
pub(super) fn heading(reel: &Reel, stand: &Stand, width: Option<usize>) -> Line {
    let standing = reel.standing(stand);
    let title = Line::new().ink(Ink::Strong, &reel.title).ink(Ink::Faint, "  ");
    let title = if standing.is_empty() { title } else { title.ink(Ink::Warn, &standing).ink(Ink::Faint, " · ") };
    title.ink(Ink::Faint, &reel.facts).fitted(width)
}

/// Returns what stands below the call that is read, a line above it; its end stays where there is little room.
fn panel(panel: &Panel, width: usize, height: usize) -> Vec<Line> {
    let told = match panel {
        Panel::Nothing => return Vec::new(),
        Panel::Question(question) => &question.lines,
        Panel::Answer(lines) => lines,
    };
    let mut lines = vec![Line::new().ink(Ink::Faint, &"─".repeat(width))];
    lines.extend(told.iter().flat_map(|line| line.wrapped(Some(width))));
    lines.split_off(lines.len().saturating_sub(height))
}

fn row(row: &Row, is_chosen: bool, focus: Focus, width: usize) -> Line {
    let Row { sign, number, line, mark } = row;
    let mark = mark.as_ref().map(|(ink, mark)| Line::of(" ").ink(*ink, mark).plain(" ")).unwrap_or_default();
    let head = Line::new().ink(Ink::Faint, &format!("{number:>4} ")).ink(sign.0, &sign.1.to_string()).plain(" ");
    let room = width.saturating_sub(head.width() + mark.width());
    let whole = head.and(Line::of(&line.replace('\n', " ")).fitted(Some(room)).padded(room)).and(mark);
    match (is_chosen, focus) {
        (true, Focus::List) => whole.all(Ink::Chosen),
        (true, Focus::Call) => whole.all(Ink::Strong),
        (false, _) => whole,
    }
}

/// Returns which lines of the bar tell what part of a call is in sight.
fn bar(lines: usize, top: usize, height: usize) -> std::ops::Range<usize> {
    if lines <= height || height == 0 {
        return 0..0;
    }
    let size = (height * height / lines).max(1);
    let start = (top * height / lines).min(height - size);
    start..start + size
}

fn foot(state: &mut State, reel: &Reel, width: usize) -> Line {
    let keys = if state.stand == Stand::Waiting { SETTLING } else { KEYS };
    let (left, ink) = match &state.typing {
        _ if !matches!(state.panel, Panel::Nothing) => (prompt(&state.panel), Ink::Warn),
        Typing::Search(text) => (format!("/{text}▏"), Ink::Strong),
        Typing::Number(text) => (format!("call {text}▏"), Ink::Strong),
        Typing::Nothing if state.note.is_empty() => (keys.to_owned(), Ink::Faint),
        Typing::Nothing => (state.note.clone(), Ink::Warn),
    };
    let lines = state.lines(reel).len();
    let seen = (state.top + state.room.height).min(lines);
    let part = if lines > state.room.height { format!(" · {}%", seen * 100 / lines) } else { String::new() };
    let right = Line::new().ink(Ink::Faint, &format!("  {} of {}{part}", (state.step + 1).min(reel.len()), reel.len()));
    let room = width.saturating_sub(right.width());
    Line::new().ink(ink, &left).fitted(Some(room)).padded(room).and(right).fitted(Some(width))
}

/// Returns what is asked for where something stands below the call.
pub(super) fn prompt(panel: &Panel) -> String {
    match panel {
        Panel::Question(Question { verdict, name, .. }) => {
            format!("{} {name}? y yes, anything else leaves it pending", verdict.verb())
        }
        _ => "any key goes on".to_owned(),
    }
}

/// Returns the line with every place marked that says what is searched for.
fn marked(line: &Line, needle: &str) -> Line {
    if needle.is_empty() {
        return line.clone();
    }
    let mut out = Line::new();
    for (ink, text) in line.stretches() {
        let mut rest = text;
        while let Some((start, end)) = place(rest, needle) {
            out = out.ink(ink, &rest[..start]).ink(Ink::Found, &rest[start..end]);
            rest = &rest[end..];
        }
        out = out.ink(ink, rest);
    }
    out
}

/// Returns where a text first says this, whose letters are all small.
fn place(text: &str, needle: &str) -> Option<(usize, usize)> {
    let starts = |from: usize| {
        let mut wanted = needle.chars();
        let mut next = wanted.next();
        for (at, c) in text[from..].char_indices() {
            for small in c.to_lowercase() {
                match next {
                    Some(expected) if expected == small => next = wanted.next(),
                    Some(_) => return None,
                    None => return Some(from + at),
                }
            }
            if next.is_none() {
                return Some(from + at + c.len_utf8());
            }
        }
        None
    };
    text.char_indices().find_map(|(from, _)| Some((from, starts(from)?)))
}

//! The terminal: keys in, lines out. However this ends, the terminal is as it was.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anstyle::{AnsiColor, Color, Effects};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use super::reel::Reel;
use super::screen::screen;
use super::state::{Key, Next, State};
use crate::output::Ink;

/// How long a signal may have to wait, without a key.
const SIGNAL: Duration = Duration::from_millis(100);

/// Whether colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colours {
    Used,
    None,
}

/// Shows the reel until its reader has enough.
pub(super) fn run(reel: &Reel, state: &mut State, colours: Colours) -> io::Result<()> {
    let told = Signals::heard()?;
    {
        // It brings back the terminal where this thread panics, too.
        let mut terminal = ratatui::try_init()?;
        let _restored = Restored;
        loop {
            terminal.draw(|frame| paint(state, reel, colours, frame.buffer_mut()))?;
            if told.some() {
                break;
            }
            if !event::poll(SIGNAL)? {
                continue;
            }
            if let Some(key) = key(&event::read()?)
                && state.press(key, reel) == Next::Quit
            {
                break;
            }
        }
    }
    told.obey()
}

struct Restored;

impl Drop for Restored {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

/// Paints the whole screen.
pub(super) fn paint(state: &mut State, reel: &Reel, colours: Colours, buffer: &mut Buffer) {
    let area = buffer.area;
    let lines = screen(state, reel, (usize::from(area.width), usize::from(area.height)));
    for (line, y) in lines.iter().zip(area.top()..area.bottom()) {
        let spans: Vec<_> = line.stretches().map(|(ink, text)| Span::styled(text.to_owned(), style(ink, colours))).collect();
        buffer.set_line(area.left(), y, &spans.into(), area.width);
    }
}

fn style(ink: Ink, colours: Colours) -> Style {
    let looks = ink.style();
    let effects = [
        (Effects::BOLD, Modifier::BOLD),
        (Effects::DIMMED, Modifier::DIM),
        (Effects::INVERT, Modifier::REVERSED),
    ];
    let has = effects.into_iter().filter(|(effect, _)| looks.get_effects().contains(*effect));
    let style = has.fold(Style::new(), |style, (_, modifier)| style.add_modifier(modifier));
    match looks.get_fg_color().filter(|_| colours == Colours::Used) {
        Some(Color::Ansi(color)) => style.fg(match color {
            AnsiColor::Red => ratatui::style::Color::Red,
            AnsiColor::Green => ratatui::style::Color::Green,
            AnsiColor::Yellow => ratatui::style::Color::Yellow,
            AnsiColor::Magenta => ratatui::style::Color::Magenta,
            AnsiColor::Cyan => ratatui::style::Color::Cyan,
            _ => ratatui::style::Color::Reset,
        }),
        _ => style,
    }
}

fn key(event: &Event) -> Option<Key> {
    let Event::Key(key) = event else { return None };
    if key.kind == KeyEventKind::Release {
        return None;
    }
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Char('c') if is_control => Key::Stop,
        KeyCode::Char('d') if is_control => Key::PageDown,
        KeyCode::Char('u') if is_control => Key::PageUp,
        KeyCode::Char(c) => Key::Char(c),
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::Enter => Key::Enter,
        KeyCode::Tab | KeyCode::BackTab => Key::Tab,
        KeyCode::Esc => Key::Escape,
        KeyCode::Backspace => Key::Erase,
        _ => return None,
    })
}

/// The signals that end a program, which have to wait until the terminal is as it was.
struct Signals(Arc<AtomicUsize>);

impl Signals {
    #[cfg(unix)]
    fn heard() -> io::Result<Signals> {
        let told = Arc::new(AtomicUsize::new(0));
        for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP, signal_hook::consts::SIGINT] {
            signal_hook::flag::register_usize(signal, Arc::clone(&told), signal.unsigned_abs() as usize)?;
        }
        Ok(Signals(told))
    }

    #[cfg(not(unix))]
    fn heard() -> io::Result<Signals> {
        Ok(Signals(Arc::new(AtomicUsize::new(0))))
    }

    fn some(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// Ends as the signal says, if there was one.
    fn obey(&self) -> io::Result<()> {
        #[cfg(unix)]
        if let Ok(signal @ 1..) = i32::try_from(self.0.load(Ordering::Relaxed)) {
            signal_hook::low_level::emulate_default_handler(signal)?;
        }
        Ok(())
    }
}

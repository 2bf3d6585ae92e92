//! The terminal: keys in, lines out. However this ends, the terminal is as it was.

use std::io;

use anstyle::{AnsiColor, Color, Effects};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use super::offer::Offer;
use super::reel::Reel;
use super::screen::screen;
use super::state::{Effect, Key, Next, State};
use crate::output::Ink;

/// Whether colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colours {
    Used,
    None,
}

/// Shows the reel until its reader has enough.
pub(super) fn run(reel: &Reel, offer: Option<&Offer>, state: &mut State, colours: Colours) -> io::Result<()> {
    obey_signals()?;
    // It brings back the terminal where this thread panics, too.
    let mut terminal = ratatui::try_init()?;
    let _restored = Restored;
    loop {
        terminal.draw(|frame| paint(state, reel, colours, frame.buffer_mut()))?;
        let Some(key) = key(&event::read()?) else { continue };
        match (state.press(key, reel), offer) {
            (Next::Quit, _) => return Ok(()),
            (Next::Do(Effect::Ask(verdict)), Some(offer)) => state.ask(offer.question(verdict)),
            (Next::Do(Effect::Settle(verdict)), Some(offer)) => state.settled(offer.settle(verdict)),
            (Next::Do(_) | Next::GoOn, _) => {}
        }
    }
}

struct Restored;

impl Drop for Restored {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

/// Brings back the terminal before a signal ends the program. It is done beside the thread that waits for keys, which may wait
/// for ever where the terminal has gone.
#[cfg(unix)]
fn obey_signals() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            // A terminal that has gone takes nothing, and needs nothing.
            let _ = bring_back();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    })?;
    Ok(())
}

/// Brings back the terminal by its own name: standard output is the other thread's, for as long as that runs.
#[cfg(unix)]
fn bring_back() -> io::Result<()> {
    use ratatui::crossterm::{cursor::Show, execute, terminal};
    terminal::disable_raw_mode()?;
    let mut terminal = std::fs::OpenOptions::new().write(true).open("/dev/tty")?;
    execute!(terminal, terminal::LeaveAlternateScreen, Show)
}

#[cfg(not(unix))]
fn obey_signals() -> io::Result<()> {
    Ok(())
}

/// Paints the whole screen.
pub(super) fn paint(state: &mut State, reel: &Reel, colours: Colours, buffer: &mut Buffer) {
    let area = buffer.area;
    let lines = screen(state, reel, (usize::from(area.width), usize::from(area.height)));
    for (line, y) in lines.iter().zip(area.top()..area.bottom()) {
        let spans: Vec<_> =
            line.stretches().map(|(ink, text)| Span::styled(text.to_owned(), style(ink, colours))).collect();
        buffer.set_line(area.left(), y, &spans.into(), area.width);
    }
}

fn style(ink: Ink, colours: Colours) -> Style {
    let looks = ink.style();
    let effects =
        [(Effects::BOLD, Modifier::BOLD), (Effects::DIMMED, Modifier::DIM), (Effects::INVERT, Modifier::REVERSED)];
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
        // Escape and a key in one breath is read as one: it is neither.
        KeyCode::Char(_) if key.modifiers.contains(KeyModifiers::ALT) => return None,
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

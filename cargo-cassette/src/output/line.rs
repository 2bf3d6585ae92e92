//! A line, in inks.

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr as _;

use super::hidden::visible;

/// What a stretch of text is painted as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// As everything.
    Plain,
    /// A name, a heading.
    Strong,
    /// What is there for completeness.
    Faint,
    /// What was added, or is in order.
    Good,
    /// What was removed, or is wrong.
    Bad,
    /// What changed, or needs a look.
    Warn,
    /// Who speaks.
    Voice,
    /// What a machine says: a tool.
    Machine,
    /// What is chosen.
    Chosen,
    /// What was searched for.
    Found,
}

impl Ink {
    /// Returns how it looks.
    pub(crate) fn style(self) -> Style {
        let color = |color: AnsiColor| color.on_default();
        match self {
            Ink::Plain => Style::new(),
            Ink::Strong => Style::new().bold(),
            Ink::Faint => Style::new().dimmed(),
            Ink::Good => color(AnsiColor::Green),
            Ink::Bad => color(AnsiColor::Red).bold(),
            Ink::Warn => color(AnsiColor::Yellow),
            Ink::Voice => color(AnsiColor::Cyan),
            Ink::Machine => color(AnsiColor::Magenta),
            Ink::Chosen => Style::new().invert(),
            Ink::Found => Style::new().bold().invert(),
        }
    }
}

/// A line of output: stretches of text, each in its ink. Nothing in it is a control character.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line(Vec<(Ink, String)>);

impl Line {
    pub(crate) fn new() -> Line {
        Line::default()
    }

    /// Returns a line of plain text.
    pub(crate) fn of(text: &str) -> Line {
        Line::new().plain(text)
    }

    /// Returns the line with this text at its end.
    #[must_use]
    pub(crate) fn plain(self, text: &str) -> Line {
        self.ink(Ink::Plain, text)
    }

    /// Returns the line with this text at its end, in this ink.
    #[must_use]
    pub(crate) fn ink(mut self, ink: Ink, text: &str) -> Line {
        // A name with a line end in it would begin a line of its own, and say there what it likes.
        self.0.push((ink, visible(text).replace('\n', "\\n")));
        self
    }

    /// Returns its stretches: of each the ink and the text.
    pub(crate) fn stretches(&self) -> impl Iterator<Item = (Ink, &str)> {
        self.0.iter().map(|(ink, text)| (*ink, text.as_str()))
    }

    /// Returns the text, without its inks.
    pub(crate) fn text(&self) -> String {
        self.0.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// Returns the line in one ink.
    #[must_use]
    pub(crate) fn all(&self, ink: Ink) -> Line {
        Line::new().ink(ink, &self.text())
    }

    /// Returns how many columns the line takes.
    pub(crate) fn width(&self) -> usize {
        self.0.iter().map(|(_, text)| text.width()).sum()
    }

    /// Returns the line with spaces up to this width at its end.
    #[must_use]
    pub(crate) fn padded(self, width: usize) -> Line {
        let missing = width.saturating_sub(self.width());
        self.plain(&" ".repeat(missing))
    }

    /// Returns the line followed by another.
    #[must_use]
    pub(crate) fn and(mut self, other: Line) -> Line {
        self.0.extend(other.0);
        self
    }

    /// Returns the line without spaces at its end, and no wider than this.
    #[must_use]
    pub(crate) fn fitted(mut self, width: Option<usize>) -> Line {
        while let Some((_, last)) = self.0.last_mut() {
            last.truncate(last.trim_end_matches(' ').len());
            if !last.is_empty() {
                break;
            }
            self.0.pop();
        }
        let Some(width) = width.filter(|width| self.width() > *width) else { return self };
        let mut room = width.saturating_sub(1);
        let mut cut = Line::new();
        for (ink, text) in self.0 {
            let kept = super::wrap::head(&text, room);
            // A text may be wider than its characters by themselves.
            room = room.saturating_sub(kept.width());
            let is_whole = kept.len() == text.len();
            cut = cut.ink(ink, kept);
            if !is_whole {
                return cut.ink(Ink::Faint, "…");
            }
        }
        cut
    }

    /// Returns the lines that it takes where none may be wider than this, indented as it is; what is wrapped has one ink.
    pub(crate) fn wrapped(&self, width: Option<usize>) -> Vec<Line> {
        if width.is_none_or(|width| self.width() <= width) {
            return vec![self.clone()];
        }
        let ink = self.0.last().map_or(Ink::Plain, |(ink, _)| *ink);
        super::wrap(&self.text(), width).iter().map(|line| Line::new().ink(ink, line)).collect()
    }

    /// Returns the line with the escapes of its inks, which the stream takes out again where there are no colours.
    pub(super) fn painted(&self) -> String {
        let paint = |(ink, text): &(Ink, String)| {
            let style = ink.style();
            if text.is_empty() { String::new() } else { format!("{style}{text}{style:#}") }
        };
        self.0.iter().map(paint).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Ink, Line};

    #[test]
    fn no_control_character_reaches_a_terminal() {
        assert_eq!(Line::of("a\nb").text(), "a\\nb", "a line is one");
        let line = Line::of("\u{9b}31m").ink(Ink::Bad, "x");
        assert!(line.painted().starts_with("\\u{9b}31m\u{1b}["));
    }

    #[test]
    fn a_line_is_cut_to_its_width() {
        let hearts = Line::of(&"\u{2764}\u{fe0f}".repeat(40)).ink(Ink::Bad, &"1\u{fe0f}\u{20e3}".repeat(40));
        (1..170).for_each(|width| drop(hearts.clone().fitted(Some(width))));
        let line = |width| Line::of("The next train ").ink(Ink::Bad, "leaves   ").fitted(width);
        assert_eq!(line(None).width(), 21);
        assert_eq!(line(Some(21)).width(), 21);
        assert_eq!(line(Some(17)).width(), 17);
    }
}

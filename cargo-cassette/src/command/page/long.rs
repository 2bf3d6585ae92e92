//! Long texts: the beginning is there, the rest unfolds.

use super::Markup;
use crate::output::count;

/// How many lines are shown at once.
const LINES: usize = 18;

/// How many characters are shown at once.
const CHARACTERS: usize = 2_400;

/// How much a rest must be to be worth a click, as lines and as characters.
const WORTH: (usize, usize) = (4, 400);

/// Adds a text, of a long one the beginning, with the rest to unfold.
pub(super) fn long(text: &str, to: &mut Markup) {
    let end = shown(text);
    let (head, rest) = text.split_at(end);
    to.text(head.strip_suffix('\n').unwrap_or(head));
    if rest.is_empty() {
        return;
    }
    let lines = rest.lines().count();
    let more = if lines > 1 { count(lines, "more line") } else { count(rest.chars().count(), "more character") };
    to.element("details", &[("class", "rest")], |details| {
        details.words("summary", "", &more);
        details.text(rest);
    });
}

/// Returns where what is shown at once ends.
fn shown(text: &str) -> usize {
    let by_lines = text.match_indices('\n').nth(LINES - 1).map_or(text.len(), |(at, _)| at + 1);
    let by_characters = text.char_indices().nth(CHARACTERS).map_or(text.len(), |(at, _)| {
        let broken = |cut: char| text[..at].rfind(cut).filter(|start| at - start < CHARACTERS / 4);
        broken('\n').or_else(|| broken(' ')).map_or(at, |start| start + 1)
    });
    let end = by_lines.min(by_characters);
    let rest = &text[end..];
    let is_short = rest.lines().count() <= WORTH.0 && rest.chars().count() <= WORTH.1;
    if is_short { text.len() } else { end }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn a_text_is_cut_where_a_reader_would() {
        let lines: String = (0..40).map(|i| format!("line {i}\n")).collect();
        assert!(lines[..shown(&lines)].ends_with("line 17\n"));
        let words = "word ".repeat(1_000);
        assert_eq!(shown(&words), 2_400);
        let few = "line\n".repeat(20);
        assert_eq!(shown(&few), few.len());
        assert_eq!(shown(&"日".repeat(3_000)), 3 * 2_400);
    }
}

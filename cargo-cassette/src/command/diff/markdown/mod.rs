//! Differences for a comment on a pull request.

mod lines;

use cargo_cassette::comparison::Comparison;

use super::Compared;
use super::shown::{is_cut as has_cut, summary};
use crate::output::{count, visible};
use lines::lines;

/// How many bytes a comment may have: GitHub takes 65,536 characters, and whoever counts otherwise counts no more than bytes.
const MOST: usize = 65_000;

/// How many bytes are kept for the note of what was left out.
const NOTE: usize = 1_000;

/// How many bytes of a cassette are shown at least, where it has as many.
const LEAST: usize = 200;

/// How many lines tell what could not be looked at.
const UNSEEN: usize = 8;

/// How many bytes are shown of what somebody has typed.
const TYPED: usize = 200;

/// What is shown of one cassette.
struct Block {
    head: String,
    lines: Vec<String>,
}

/// The end of a block.
const TAIL: &str = "\n</details>\n";

/// Returns the comment, cut with a note where it would be too long.
pub(super) fn comment(compared: &Compared) -> String {
    within(compared, MOST)
}

fn within(compared: &Compared, most: usize) -> String {
    let differing: Vec<_> = compared.all.iter().filter(|comparison| !comparison.is_same()).collect();
    let base = code(&compared.base);
    let unseen: String =
        compared.unseen.iter().map(|unseen| format!("\nNot looked at: {}\n", code(unseen))).take(UNSEEN).collect();
    if differing.is_empty() {
        let of = if unseen.is_empty() { "" } else { " of what was looked at" };
        return format!("### Cassettes\n\nNothing{of} differs from {base}.\n{unseen}");
    }
    let verb = if differing.len() == 1 { "differs" } else { "differ" };
    let mut out = format!("### Cassettes\n\n{} {verb} from {base}.\n{unseen}", count(differing.len(), "cassette"));
    let mut room = most.saturating_sub(NOTE + out.len());
    let mut blocks = Vec::new();
    for comparison in &differing {
        let block = Block::of(comparison, compared);
        let least = block.frame() + block.size().min(LEAST);
        if least > room {
            break;
        }
        room -= least;
        blocks.push(block);
    }
    let (is_short, mut is_cut) = (differing.iter().any(|comparison| has_cut(comparison)), false);
    for (i, block) in blocks.iter().enumerate() {
        let (text, left) = block.fenced(block.size().min(LEAST + share(&blocks[i..], room)));
        out += &format!("{}{text}{TAIL}", block.head);
        is_cut |= left > 0;
        // Lines are not divided: what this block leaves is for those behind it.
        room = (room + block.size().min(LEAST)).saturating_sub(text.len());
    }
    let left = differing.len() - blocks.len();
    let what = match (left, is_cut, is_short) {
        (0, false, false) => return out,
        (0, false, true) => return out + &format!("\nLong texts are cut. All of them: {}.\n", code(&compared.page())),
        (0, true, _) => "Some lines are".to_owned(),
        (1, false, _) => "1 more cassette is".to_owned(),
        (left, false, _) => format!("{} are", count(left, "more cassette")),
        (left, true, _) => format!("{}, and some lines, are", count(left, "more cassette")),
    };
    out + &format!("\n{what} not shown here: it would be too long. See {}.\n", code(&compared.command))
}

/// Returns how much of each block may be shown beyond the least: as much as there is room for, no block at the cost of a smaller
/// one.
fn share(blocks: &[Block], mut room: usize) -> usize {
    let mut wanted: Vec<_> = blocks.iter().map(|block| block.size().saturating_sub(LEAST)).collect();
    wanted.sort_unstable();
    let count = wanted.len();
    for (i, size) in wanted.into_iter().enumerate() {
        let each = room / (count - i);
        if size > each {
            return each;
        }
        room -= size;
    }
    usize::MAX - LEAST
}

impl Block {
    fn of(comparison: &Comparison, compared: &Compared) -> Block {
        let (name, summary) = (html(&comparison.label()), html(&summary(comparison)));
        let head = format!("\n<details><summary><code>{name}</code>: {summary}</summary>\n\n");
        Block { head, lines: lines(comparison, compared) }
    }

    /// Returns how many bytes it takes without its lines.
    fn frame(&self) -> usize {
        self.head.len() + TAIL.len()
    }

    /// Returns the fence that nothing within it can close.
    fn fence(&self) -> String {
        let longest = self.lines.iter().flat_map(|line| line.split(|c| c != '`')).map(str::len).max();
        "`".repeat((longest.unwrap_or_default() + 1).max(3))
    }

    /// Returns how many bytes its lines take, with the fence around them.
    fn size(&self) -> usize {
        let lines: usize = self.lines.iter().map(|line| line.len() + 1).sum();
        if self.lines.is_empty() { 0 } else { lines + 2 * self.fence().len() + "diff\n\n".len() }
    }

    /// Returns its lines, which are coloured by their signs, as many as there is room for, and how many are left out.
    fn fenced(&self, room: usize) -> (String, usize) {
        if self.lines.is_empty() {
            return (String::new(), 0);
        }
        let fence = self.fence();
        if self.size() <= room {
            return (format!("{fence}diff\n{}\n{fence}\n", self.lines.join("\n")), 0);
        }
        let note = |left: usize| format!("  … {}, not shown here\n", count(left, "more line"));
        let frame = 2 * fence.len() + "diff\n\n".len();
        let (mut shown, mut left) = (String::new(), self.lines.len());
        for (i, line) in self.lines.iter().enumerate() {
            let after = self.lines.len() - i - 1;
            if frame + shown.len() + line.len() + 1 + note(after).len() > room {
                break;
            }
            shown += &format!("{line}\n");
            left = after;
        }
        (format!("{fence}diff\n{shown}{}{fence}\n", note(left)), left)
    }
}

/// Returns what somebody has typed as code, whatever is in it.
fn code(text: &str) -> String {
    let text = visible(text).replace('\n', " ");
    let cut = &text[..text.floor_char_boundary(TYPED)];
    let end = if cut.len() < text.len() { "…" } else { "" };
    let longest = cut.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let ticks = "`".repeat(longest + 1);
    // Ticks at its ends would be taken for the code's own.
    let gap = if longest > 0 { " " } else { "" };
    format!("{ticks}{gap}{cut}{end}{gap}{ticks}")
}

fn html(text: &str) -> String {
    visible(text).replace('\n', " ").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests;

//! Words on lines of a width.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Returns the lines of a text, none wider than this; a word that is wider by itself is broken.
pub(crate) fn wrap(text: &str, width: Option<usize>) -> Vec<String> {
    let Some(width) = width else { return text.split('\n').map(str::to_owned).collect() };
    text.split('\n').flat_map(|line| wrapped(line, width.max(1))).collect()
}

fn wrapped(line: &str, width: usize) -> Vec<String> {
    if line.width() <= width {
        return vec![line.to_owned()];
    }
    // What continues a line is indented as it is, so that code and JSON stay readable.
    let indent = line.len() - line.trim_start_matches(' ').len();
    let indent = if indent < width / 2 { &line[..indent] } else { "" };
    let mut lines = Vec::new();
    let mut current = indent.to_owned();
    for word in line[indent.len()..].split_inclusive(' ') {
        let mut word = word;
        if current.width() + word.trim_end().width() > width && current.len() > indent.len() {
            lines.push(std::mem::replace(&mut current, indent.to_owned()));
        }
        while current.width() + word.trim_end().width() > width {
            let head = head(word, (width - current.width()).max(2));
            lines.push(std::mem::replace(&mut current, indent.to_owned()) + head);
            word = &word[head.len()..];
        }
        current.push_str(word);
    }
    lines.push(current);
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// Returns as much of a text as takes no more columns than this.
pub(super) fn head(text: &str, columns: usize) -> &str {
    let mut taken = 0;
    for (at, c) in text.char_indices() {
        taken += c.width().unwrap_or_default();
        if taken > columns {
            return &text[..at];
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[track_caller]
    fn check(text: &str, width: usize, expected: &[&str]) {
        assert_eq!(wrap(text, Some(width)), expected);
    }

    #[test]
    fn words_stay_whole_where_they_can() {
        check("the next train leaves", 10, &["the next", "train", "leaves"]);
        check("the next", 8, &["the next"]);
        check("  indented text goes on", 12, &["  indented", "  text goes", "  on"]);
        check("abcdefghij", 4, &["abcd", "efgh", "ij"]);
        check("a\n\nb", 4, &["a", "", "b"]);
        check("日本語の列車", 4, &["日本", "語の", "列車"]);
        assert_eq!(wrap("as it is, however long", None), ["as it is, however long"]);
    }
}

//! Addresses as reports show them: nobody reads one of thousands of parameters, and it hides what stands beside it.

use std::borrow::Cow;

/// How many bytes of a longer address are shown, and how long one is that is shown whole.
const SHOWN: usize = 240;
const WHOLE: usize = 300;

/// Returns a text with its long addresses cut, each with how long it is. What stands in a command stays whole: it is to be typed.
pub(super) fn cut(text: &str) -> Cow<'_, str> {
    let is_long = |word: &str| word.len() > WHOLE && word.contains("://");
    let is_command = |line: &str| line.starts_with("help: ");
    let has_any = |line: &str| !is_command(line) && line.split(' ').any(is_long);
    if text.len() <= WHOLE || !text.lines().any(has_any) {
        return Cow::Borrowed(text);
    }
    let shown = |word: &str| {
        let cut = &word[..word.floor_char_boundary(SHOWN)];
        format!("{cut}… ({} bytes)", word.len())
    };
    let words = |line: &str| {
        let words = line.split(' ').map(|word| if is_long(word) { shown(word) } else { word.to_owned() });
        words.collect::<Vec<_>>().join(" ")
    };
    let lines = text.split('\n').map(|line| if has_any(line) { words(line) } else { line.to_owned() });
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::{SHOWN, cut};

    #[test]
    fn a_long_address_is_cut_and_nothing_else() {
        let query: String = (0..5_000).map(|i| format!("&p{i}=\u{e9}")).collect();
        let address = format!("https://a.test/ask?{query}");
        let text = format!("call 1, GET {address}, was not\n  {}\nhelp: cargo test {address}", "x".repeat(9_000));
        let shown = cut(&text);
        let lines: Vec<_> = shown.lines().collect();
        let end = format!("… ({} bytes) was not", address.len() + 1);
        assert!(
            lines[0].starts_with("call 1, GET https://a.test/ask?&p0=") && lines[0].ends_with(&end),
            "{}",
            lines[0]
        );
        assert!(lines[0].len() < SHOWN + 60);
        assert_eq!(lines[1..], text.lines().collect::<Vec<_>>()[1..]);
        assert_eq!(cut("GET https://a.test/"), "GET https://a.test/");
    }
}

//! Stretches of base64 in a text.

use std::ops::Range;

use super::base64::is_digit;

/// The shortest run worth decoding: fifteen bytes.
const SHORTEST: usize = 20;

/// The shortest line of a run that is wrapped.
const SHORTEST_LINE: usize = 40;

/// One unbroken run of base64 digits, its padding included; wrapped over lines where `width` says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) range: Range<usize>,
    /// The length of a line and what ends it.
    pub(crate) wrap: Option<(usize, &'static str)>,
}

impl Run {
    /// Returns other base64 text in lines as these.
    pub(crate) fn wrapped(&self, encoded: &str) -> String {
        let Some((width, newline)) = self.wrap else { return encoded.to_owned() };
        let lines = (0..encoded.len()).step_by(width).map(|at| &encoded[at..encoded.len().min(at + width)]);
        lines.collect::<Vec<_>>().join(newline)
    }
}

/// Returns the runs of a text, in order.
pub(crate) fn runs(text: &str) -> Vec<Run> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    // A run of the shortest length covers every so-many-th byte: the others need not be looked at.
    while at + SHORTEST <= bytes.len() {
        let probe = at + SHORTEST - 1;
        if !is_digit(bytes[probe]) {
            at = probe + 1;
            continue;
        }
        let mut start = probe;
        while start > at && is_digit(bytes[start - 1]) {
            start -= 1;
        }
        // The letter of an escape such as `\\n` is no digit.
        let escaped = start > 0 && bytes[start - 1] == b'\\';
        let run = measure(bytes, start + usize::from(escaped));
        at = run.range.end;
        if run.range.len() >= SHORTEST {
            found.push(run);
        }
    }
    found
}

fn measure(bytes: &[u8], start: usize) -> Run {
    let mut end = start + digits(bytes, start);
    let width = end - start;
    let mut wrap = None;
    while let Some(newline) = newline(&bytes[end..]).filter(|_| width >= SHORTEST_LINE) {
        let line = digits(bytes, end + newline.len());
        if line == 0 || line > width {
            break;
        }
        wrap = Some((width, newline));
        end += newline.len() + line;
        if line < width {
            break;
        }
    }
    end += bytes[end..].iter().take(2).take_while(|b| **b == b'=').count();
    Run { range: start..end, wrap }
}

fn digits(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    while end < bytes.len() && is_digit(bytes[end]) {
        end += 1;
    }
    end - start
}

fn newline(rest: &[u8]) -> Option<&'static str> {
    if rest.starts_with(b"\r\n") {
        Some("\r\n")
    } else if rest.starts_with(b"\n") {
        Some("\n")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = runs(text).into_iter().map(|run| &text[run.range]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_run_is_twenty_digits_or_more() {
        check("", &[]);
        check("0123456789012345678", &[]);
        check("01234567890123456789", &["01234567890123456789"]);
        check("a 01234567890123456789== b", &["01234567890123456789=="]);
        check("x.0123456789.01234567890123456789ab.x", &["01234567890123456789ab"]);
        check("01234567890123456789 and 01234567890123456789", &["01234567890123456789", "01234567890123456789"]);
    }

    #[test]
    fn lines_of_one_width_are_one_run() {
        let line = "0123456789".repeat(4);
        let text = format!("a: {line}\n{line}\n0123=\n\nb");
        check(&text, &[&format!("{line}\n{line}\n0123=")]);
    }
}

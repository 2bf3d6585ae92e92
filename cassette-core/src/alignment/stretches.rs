//! Two texts, taken apart into what both have and what one has.

use crate::difference::changes_of;

/// A stretch of two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stretch<'a> {
    /// Both have it.
    Both(&'a str),
    /// The first has it.
    Before(&'a str),
    /// The second has it.
    After(&'a str),
}

/// Returns two texts as stretches, cut between words: all of the first and all of the second, in their order.
///
/// # Examples
///
/// ```
/// use cassette_core::alignment::{Stretch, stretches};
///
/// let told = stretches("At 09:04, from track 2.", "At 09:14, from track 2.");
/// assert_eq!(told[0], Stretch::Both("At 09:"));
/// assert_eq!(told[1..3], [Stretch::Before("04"), Stretch::After("14")]);
/// assert_eq!(told[3], Stretch::Both(", from track 2."));
/// ```
pub fn stretches<'a>(before: &'a str, after: &'a str) -> Vec<Stretch<'a>> {
    let mut stretches = Vec::new();
    let mut start = 0;
    for (ours, theirs) in changes_of(before, after) {
        stretches.extend([
            Stretch::Both(&before[start..ours.start]),
            Stretch::Before(&before[ours.clone()]),
            Stretch::After(&after[theirs]),
        ]);
        start = ours.end;
    }
    stretches.push(Stretch::Both(&before[start..]));
    stretches.retain(|stretch| !stretch.text().is_empty());
    stretches
}

impl<'a> Stretch<'a> {
    /// Returns its text.
    pub fn text(self) -> &'a str {
        match self {
            Stretch::Both(text) | Stretch::Before(text) | Stretch::After(text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Stretch, stretches};

    #[test]
    fn nothing_of_either_text_is_lost() {
        let texts =
            ["", "a", "At 09:04.", "Am 9. um 09:04.", "日本語の列車", "日本の列車は", "a\r\nb", "a\nb", "é e\u{301}"];
        for (a, b) in texts.iter().flat_map(|a| texts.iter().map(move |b| (*a, *b))) {
            let all = |without: fn(&Stretch<'_>) -> bool| -> String {
                stretches(a, b).into_iter().filter(|stretch| !without(stretch)).map(Stretch::text).collect()
            };
            assert_eq!(all(|stretch| matches!(stretch, Stretch::After(_))), a, "{a:?} {b:?}");
            assert_eq!(all(|stretch| matches!(stretch, Stretch::Before(_))), b, "{a:?} {b:?}");
        }
    }
}

//! Changes to a text, made all at once.

use std::ops::Range;

/// A stretch of a text that is to be replaced.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) range: Range<usize>,
    pub(crate) by: By,
}

/// What a stretch is replaced by.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum By {
    /// The placeholder of the secret that this value is, under this rule.
    Placeholder {
        value: String,
        rule: &'static str,
        /// What stands on either side of it: a quotation mark where a number was.
        quote: String,
    },
    /// This text.
    Text(String),
}

impl Edit {
    /// Returns the edit that hides what stands at `range` of `text`.
    pub(crate) fn hide(text: &str, range: Range<usize>, rule: &'static str) -> Edit {
        let value = text[range.clone()].to_owned();
        Edit { range, by: By::Placeholder { value, rule, quote: String::new() } }
    }
}

impl Edit {
    /// Returns the edit of an outer text, given where this stretch stands in it and how it spells what is put in.
    pub(crate) fn carried(self, range: Range<usize>, respell: fn(&str) -> String) -> Edit {
        let by = match self.by {
            By::Text(text) => By::Text(respell(&text)),
            By::Placeholder { value, rule, quote } => By::Placeholder { value, rule, quote: respell(&quote) },
        };
        Edit { range, by }
    }

    /// Returns the end of what goes with this edit: a digit that follows a placeholder would be read as one of its number.
    fn reach(&self, text: &str) -> usize {
        match self.by {
            By::Placeholder { .. } => {
                let digits = text[self.range.end..].bytes().take_while(u8::is_ascii_digit).count();
                self.range.end + digits
            }
            By::Text(_) => self.range.end,
        }
    }

    /// Returns the edit of a text in which this one's stands so many bytes further on.
    pub(crate) fn moved(mut self, by: usize) -> Edit {
        self.range = self.range.start + by..self.range.end + by;
        self
    }
}

/// Sorts edits and makes overlapping ones into one, so that each byte is changed at most once.
///
/// Where two hide parts of one stretch, the whole stretch is hidden under the rule of the one that starts first.
pub(crate) fn merge(text: &str, mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.sort_by(|a, b| a.range.start.cmp(&b.range.start).then(b.range.end.cmp(&a.range.end)));
    let mut merged: Vec<Edit> = Vec::with_capacity(edits.len());
    for edit in edits {
        let Some(last) = merged.last_mut().filter(|last| edit.range.start < last.reach(text)) else {
            merged.push(edit);
            continue;
        };
        let partly = edit.range.end > last.range.end;
        let follows = edit.range.start >= last.range.end;
        let same = edit.range == last.range;
        match (&mut last.by, edit.by) {
            (By::Placeholder { value, .. }, By::Placeholder { .. }) if partly => {
                last.range.end = edit.range.end;
                *value = text[last.range.clone()].to_owned();
            }
            (By::Placeholder { value, .. }, By::Text(_)) if follows => {
                last.range.end = edit.range.end;
                *value = text[last.range.clone()].to_owned();
            }
            (By::Text(_), by @ By::Placeholder { .. }) if same => last.by = by,
            (By::Text(_), By::Placeholder { rule, .. }) if partly => {
                *last = Edit::hide(text, last.range.start..edit.range.end, rule);
            }
            _ => {}
        }
    }
    merged
}

/// The text that came of edits, and where each place of the old text is in it.
pub(crate) struct Edited {
    pub(crate) text: String,
    /// The end of each edit in the old text and in the new one, and the start in the old one.
    moved: Vec<(Range<usize>, usize)>,
}

impl Edited {
    /// Makes the edits, which are merged; `name` gives the placeholder of a value under a rule.
    pub(crate) fn new(text: &str, edits: &[Edit], mut name: impl FnMut(&str, &'static str) -> String) -> Edited {
        let mut edited = Edited { text: String::with_capacity(text.len()), moved: Vec::with_capacity(edits.len()) };
        let mut copied = 0;
        for edit in edits {
            edited.text.push_str(&text[copied..edit.range.start]);
            copied = edit.range.end;
            match &edit.by {
                By::Text(by) => edited.text.push_str(by),
                By::Placeholder { value, rule, quote } => {
                    edited.text.extend([quote.as_str(), &name(value, rule), quote]);
                    copied = edit.reach(text);
                }
            }
            edited.moved.push((edit.range.start..copied, edited.text.len()));
        }
        edited.text.push_str(&text[copied..]);
        edited
    }

    /// Returns where a place of the old text is in the new one; a place within an edit is at its end.
    pub(crate) fn place(&self, old: usize) -> usize {
        let before = self.moved.partition_point(|(range, _)| range.start < old);
        match before.checked_sub(1).map(|i| &self.moved[i]) {
            None => old,
            Some((range, end)) => end + old.saturating_sub(range.end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{By, Edit, Edited, merge};

    #[test]
    fn what_follows_with_a_digit_is_hidden_with_it() {
        let text = "key 12 7365 end";
        let name = |value: &str, _: &'static str| format!("<{value}>");
        let hidden = Edit::hide(text, 0..4, "a");
        let edits = merge(text, vec![hidden.clone(), Edit::hide(text, 4..8, "b")]);
        assert_eq!(Edited::new(text, &edits, name).text, "<key 12 7>365 end".replace("365", ""));
        let edits = merge(text, vec![hidden, Edit { range: 4..11, by: By::Text("x".to_owned()) }]);
        assert_eq!(Edited::new(text, &edits, name).text, "<key 12 7365> end");
        let edits = merge(text, vec![Edit::hide(text, 0..3, "a"), Edit::hide(text, 7..11, "b")]);
        assert_eq!(Edited::new(text, &edits, name).text, "<key> 12 <7365> end");
    }

    #[test]
    fn overlapping_edits_become_one() {
        let text = "abc secret def";
        let edits = merge(text, vec![Edit::hide(text, 6..10, "b"), Edit::hide(text, 4..8, "a")]);
        let edited = Edited::new(text, &edits, |value, rule| format!("<{rule}:{value}>"));
        assert_eq!(edited.text, "abc <a:secret> def");
        assert_eq!([0, 4, 6, 10, 14].map(|old| edited.place(old)), [0, 4, 14, 14, 18]);
    }
}

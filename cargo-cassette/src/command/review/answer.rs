//! What may be answered.

use super::super::settling::Verdict;

/// What a person answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Accept,
    Reject,
    Skip,
    Drop,
    Next,
    Back,
    AcceptAll,
    RejectAll,
    Quit,
    Help,
}

impl Answer {
    /// Returns what it says of a file.
    pub(super) fn verdict(self) -> Option<Verdict> {
        match self {
            Answer::Accept | Answer::AcceptAll => Some(Verdict::Accept),
            Answer::Reject | Answer::RejectAll => Some(Verdict::Reject),
            _ => None,
        }
    }
}

/// The keys, what they mean, and what they do.
pub(super) const KEYS: [(&str, Answer, &str); 10] = [
    ("a", Answer::Accept, "accept the file, without what was dropped"),
    ("r", Answer::Reject, "reject the file: it is removed, and the committed one stays"),
    ("s", Answer::Skip, "skip the file: it stays pending"),
    ("d", Answer::Drop, "drop this call from the file once it is accepted; once more keeps it"),
    ("n", Answer::Next, "look at the next call, as an empty line does"),
    ("p", Answer::Back, "look at the call before"),
    ("A", Answer::AcceptAll, "accept this file and all that follow"),
    ("R", Answer::RejectAll, "reject this file and all that follow"),
    ("q", Answer::Quit, "quit: this file and those that follow stay pending"),
    ("?", Answer::Help, "print this"),
];

/// Reads an answer; `None` is none that is known.
pub(super) fn parse(line: &str) -> Option<Answer> {
    let line = line.trim();
    let known = KEYS.iter().find(|(key, ..)| *key == line).map(|(_, answer, _)| *answer);
    known.or(line.is_empty().then_some(Answer::Next))
}

#[cfg(test)]
mod tests {
    use super::{Answer, parse};

    #[test]
    fn case_counts_and_white_space_does_not() {
        let answers = [" a\r\n", "A", "", "?\n", "yes", "D"].map(parse);
        let expected =
            [Some(Answer::Accept), Some(Answer::AcceptAll), Some(Answer::Next), Some(Answer::Help), None, None];
        assert_eq!(answers, expected);
    }
}

//! Recordings that are alike to the letter: which of them is next is found without a look at those before.

use super::asked;
use crate::call::Call;
use crate::tape::Tape;

/// The recordings under one hash, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Equal {
    all: Vec<usize>,
    /// Whether any of them is another request than the first, be it by what is not compared.
    differ: bool,
    /// How many of the first have been served.
    served: usize,
}

impl Equal {
    /// Adds the recording of this request.
    pub(super) fn push(&mut self, index: usize, call: &Call, tape: &Tape) {
        self.differ |= self.all.first().is_some_and(|first| asked(tape, *first) != Some(call));
        self.all.push(index);
    }

    /// Returns all of them.
    pub(super) fn all(&self) -> &[usize] {
        &self.all
    }

    /// Returns how many there are.
    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    /// Returns the first of them; `None` where they are not all alike.
    pub(super) fn first(&self) -> Option<usize> {
        self.all.first().copied().filter(|_| !self.differ)
    }

    /// Returns the first that has not been served, those that nothing has to ask for last. What has been served stays so.
    pub(super) fn next(&mut self, used: &[bool], covered: &[bool]) -> Option<usize> {
        self.served += self.all[self.served..].iter().take_while(|i| used[**i]).count();
        let unused = || self.all[self.served..].iter().copied().filter(|i| !used[*i]);
        unused().find(|i| !covered[*i]).or_else(|| unused().next())
    }
}

#[cfg(test)]
mod tests {
    use super::Equal;

    #[test]
    fn what_was_served_is_not_looked_at_again() {
        let mut equal = Equal { all: vec![1, 2, 4, 6], differ: false, served: 0 };
        let (mut used, mut covered) = ([false; 8], [false; 8]);
        covered[1] = true;
        let mut next = Vec::new();
        while let Some(index) = equal.next(&used, &covered) {
            used[index] = true;
            next.push((index, equal.served));
        }
        assert_eq!(next, [(2, 0), (4, 0), (6, 0), (1, 0)], "what nothing has to ask for comes last");
        let mut equal = Equal { all: vec![1, 2, 4, 6], differ: false, served: 0 };
        let mut used = [false; 8];
        used[4] = true;
        let mut next = Vec::new();
        while let Some(index) = equal.next(&used, &[false; 8]) {
            used[index] = true;
            next.push((index, equal.served));
        }
        assert_eq!(next, [(1, 0), (2, 1), (6, 3)]);
        assert_eq!(Equal { differ: true, ..equal }.first(), None);
    }
}

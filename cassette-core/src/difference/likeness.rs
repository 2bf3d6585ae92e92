//! How much two values are alike: whether one may be the other, changed.

use std::collections::BTreeMap;

use super::node::{Node, Value};

/// The likeness of two equal scalars; that of two values is the sum over the scalars in them.
pub(super) const EQUAL: u64 = 1_000;

/// How many bytes of a string are looked at.
const SAMPLE: usize = 2_048;

/// What two values have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Likeness {
    /// How many places differ.
    edits: usize,
    /// How much agrees, [`EQUAL`] for each scalar that is equal.
    agreeing: u64,
    /// How many scalars the two have between them.
    leaves: usize,
}

impl Likeness {
    /// Returns what two values have in common.
    pub(super) fn of(ours: &Node, theirs: &Node) -> Likeness {
        if ours.is(theirs) {
            let leaves = ours.leaves.max(1);
            return Likeness { edits: 0, agreeing: EQUAL * leaves as u64, leaves };
        }
        match (&ours.value, &theirs.value) {
            (Value::Map(ours), Value::Map(theirs)) | (Value::Part(ours), Value::Part(theirs)) => members(ours, theirs),
            (Value::List(ours), Value::List(theirs)) => elements(ours, theirs),
            (Value::Text(ours), Value::Text(theirs)) => {
                Likeness { edits: 1, agreeing: texts(sample(ours), sample(theirs)), leaves: 1 }
            }
            _ => Likeness { edits: 1, agreeing: 0, leaves: ours.leaves.max(theirs.leaves).max(1) },
        }
    }

    /// Returns how much of the two agrees, from 0 to [`EQUAL`].
    pub(super) fn score(&self) -> u64 {
        self.agreeing / self.leaves.max(1) as u64
    }

    /// Returns how much agrees of what is not equal, from 0 to [`EQUAL`]: what the two have in common beside it does not
    /// make them more alike.
    pub(super) fn of_changes(&self) -> u64 {
        let equal = EQUAL * self.leaves.saturating_sub(self.edits) as u64;
        self.agreeing.saturating_sub(equal) / self.edits.max(1) as u64
    }

    /// Returns whether the second may be the first, changed: else one went and another came.
    pub(super) fn is_change(&self) -> bool {
        self.edits <= 1 || self.score() >= EQUAL / 2 || (self.edits == 2 && self.score() >= EQUAL / 4)
    }

    fn one_side(node: &Node) -> Likeness {
        Likeness { edits: 1, agreeing: 0, leaves: node.leaves.max(1) }
    }

    fn and(self, other: Likeness) -> Likeness {
        Likeness {
            edits: self.edits + other.edits,
            agreeing: self.agreeing + other.agreeing,
            leaves: self.leaves + other.leaves,
        }
    }
}

fn members(ours: &[(String, Node)], theirs: &[(String, Node)]) -> Likeness {
    let mut named: BTreeMap<&str, [Option<&Node>; 2]> = BTreeMap::new();
    ours.iter().for_each(|(name, node)| named.entry(name).or_default()[0] = Some(node));
    theirs.iter().for_each(|(name, node)| named.entry(name).or_default()[1] = Some(node));
    named.into_values().map(pair).fold(Likeness::default(), Likeness::and)
}

/// Compares the elements in their places, once what is equal at both ends is taken off: a guess that costs little.
fn elements(ours: &[Node], theirs: &[Node]) -> Likeness {
    let front = ours.iter().zip(theirs).take_while(|(a, b)| a.is(b)).count();
    let (a, b) = (&ours[front..], &theirs[front..]);
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a.is(b)).count();
    let (a, b) = (&a[..a.len() - back], &b[..b.len() - back]);
    let equal = ours[..front].iter().chain(&ours[ours.len() - back..]).map(|node| Likeness::of(node, node));
    let others = (0..a.len().max(b.len())).map(|i| pair([a.get(i), b.get(i)]));
    equal.chain(others).fold(Likeness::default(), Likeness::and)
}

fn pair(sides: [Option<&Node>; 2]) -> Likeness {
    match sides {
        [Some(ours), Some(theirs)] => Likeness::of(ours, theirs),
        [Some(only), None] | [None, Some(only)] => Likeness::one_side(only),
        [None, None] => Likeness::default(),
    }
}

fn sample(text: &str) -> &str {
    let mut end = SAMPLE.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns how much of two texts agrees: at their ends, or by the words in them, whichever is more.
fn texts(ours: &str, theirs: &str) -> u64 {
    let longest = ours.len().max(theirs.len()).max(1);
    let front = ours.bytes().zip(theirs.bytes()).take_while(|(a, b)| a == b).count();
    let rest = ours.len().min(theirs.len()) - front;
    let back = ours.bytes().rev().zip(theirs.bytes().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let words = |text: &str| {
        let mut words: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
        words.sort_unstable();
        words
    };
    let (ours, theirs) = (words(ours), words(theirs));
    let (mut i, mut j, mut common) = (0, 0, 0);
    while let (Some(a), Some(b)) = (ours.get(i), theirs.get(j)) {
        common += usize::from(a == b);
        (i, j) = (i + usize::from(a <= b), j + usize::from(a >= b));
    }
    let by_ends = EQUAL as usize * (front + back) / longest;
    let by_words = EQUAL as usize * 2 * common / (ours.len() + theirs.len()).max(1);
    by_ends.max(by_words).min(EQUAL as usize - 1) as u64
}

#[cfg(test)]
mod tests {
    use super::Likeness;
    use crate::difference::node::Node;
    use crate::json::Json;

    #[track_caller]
    fn check(ours: &str, theirs: &str, is_change: bool) {
        let node = |text: &str| Node::of(&Json::parse(text).unwrap());
        let (there, back) = (Likeness::of(&node(ours), &node(theirs)), Likeness::of(&node(theirs), &node(ours)));
        assert_eq!(there, back);
        assert_eq!(there.is_change(), is_change, "{there:?}");
    }

    #[test]
    fn one_place_or_little_is_a_change_and_the_rest_is_another_value() {
        check(r#"{"role":"user","content":"hi"}"#, r#"{"role":"user","content":"what else"}"#, true);
        check(r#"{"role":"user","content":"hi there you"}"#, r#"{"role":"developer","content":"hi there you"}"#, true);
        check(r#"{"role":"user","content":"hi"}"#, r#"{"role":"assistant","content":"what else"}"#, false);
        check(
            r#"{"name":"a","about":"finds a train","in":{"city":"string"}}"#,
            r#"{"name":"b","about":"sells tickets","in":{"date":"string"}}"#,
            false,
        );
        check("1", "\"1\"", true);
    }
}

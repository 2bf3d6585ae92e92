//! Which element of one list is which of the other: kept, changed, moved, gone or new.

use std::collections::{BTreeMap, BTreeSet};

use super::lcs::lcs;
use super::likeness::{EQUAL, Likeness};
use super::node::Node;

/// How many pairs of elements are weighed at most before the elements are taken as they stand.
const PAIRS: usize = 1_024;

/// From which likeness an element that stands elsewhere is the same, moved and changed.
const MOVED: u64 = EQUAL * 7 / 10;

/// From which likeness of what is not equal a call is the same, changed, wherever it stands.
const SAME_CALL: u64 = EQUAL * 4 / 10;

/// By how much it has to be more alike than any other.
const DISTINCT: u64 = EQUAL / 10;

/// What is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// Elements of a list in a request: one that stands where another stood may well be it.
    Elements,
    /// Calls, which share much with any other call: what they ask decides before where they stand.
    Calls,
}

/// What became of an element: its place in the recorded list, its place in the incoming one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It is where it was, and may have changed.
    Stays(usize, usize),
    /// It stands elsewhere among the others, and may have changed.
    Moves(usize, usize),
    /// It is gone.
    Goes(usize),
    /// It is new.
    Comes(usize),
}

/// Returns what became of each element, in the order of the incoming list.
pub(super) fn align(ours: &[Node], theirs: &[Node], of: Of) -> Vec<Step> {
    let unequal = ours.iter().zip(theirs).find(|(a, b)| !a.is(b));
    // Ties are broken from the side that says less, so that swapping the sides swaps the steps and no more.
    let mut steps = match unequal.map(|(a, b)| a.order(b)) {
        Some(order) if order.is_gt() => steps(theirs, ours, of).into_iter().map(Step::swapped).collect(),
        _ => steps(ours, theirs, of),
    };
    // What stays does not cross, so sorting it by either place sorts it by both.
    let mut stays: Vec<_> = steps.iter().filter_map(Step::stays).collect();
    stays.sort_unstable();
    let place = |step: &Step| match step {
        Step::Stays(_, j) | Step::Moves(_, j) | Step::Comes(j) => (*j, 1, 0),
        Step::Goes(i) => {
            let next = stays.partition_point(|(a, _)| a < i);
            (stays.get(next).map_or(theirs.len(), |(_, j)| *j), 0, *i)
        }
    };
    steps.sort_by_key(place);
    steps
}

impl Step {
    fn swapped(self) -> Step {
        match self {
            Step::Stays(i, j) => Step::Stays(j, i),
            Step::Moves(i, j) => Step::Moves(j, i),
            Step::Goes(i) => Step::Comes(i),
            Step::Comes(j) => Step::Goes(j),
        }
    }

    fn stays(&self) -> Option<(usize, usize)> {
        match self {
            Step::Stays(i, j) => Some((*i, *j)),
            _ => None,
        }
    }
}

fn steps(ours: &[Node], theirs: &[Node], of: Of) -> Vec<Step> {
    let digests = |nodes: &[Node]| nodes.iter().map(Node::digest).collect::<Vec<_>>();
    let mut kept = lcs(&digests(ours), &digests(theirs));
    let mut rest = Rest::of(ours, theirs, &kept);
    let mut steps: Vec<_> = rest.equal().into_iter().map(|(i, j)| Step::Moves(i, j)).collect();
    if of == Of::Calls {
        for pair in rest.distinct() {
            if kept.iter().all(|(a, b)| (pair.0 < *a) == (pair.1 < *b)) {
                kept.push(pair);
            } else {
                steps.push(Step::Moves(pair.0, pair.1));
            }
        }
        kept.sort_unstable();
    }
    steps.extend(kept.iter().map(|(i, j)| Step::Stays(*i, *j)));
    let mut start = (0, 0);
    for (i, j) in kept.into_iter().chain([(ours.len(), theirs.len())]) {
        steps.extend(rest.changed_between(start, (i, j)).into_iter().map(|(i, j)| Step::Stays(i, j)));
        start = (i + 1, j + 1);
    }
    steps.extend(rest.alike().into_iter().map(|(i, j)| Step::Moves(i, j)));
    steps.extend(rest.gone.iter().map(|i| Step::Goes(*i)));
    steps.extend(rest.new.iter().map(|j| Step::Comes(*j)));
    steps
}

/// What is not accounted for.
struct Rest<'a> {
    ours: &'a [Node],
    theirs: &'a [Node],
    gone: Vec<usize>,
    new: Vec<usize>,
}

type Pairs = Vec<(usize, usize)>;

impl<'a> Rest<'a> {
    fn of(ours: &'a [Node], theirs: &'a [Node], kept: &[(usize, usize)]) -> Rest<'a> {
        let (mut gone, mut new) = (vec![true; ours.len()], vec![true; theirs.len()]);
        kept.iter().for_each(|(i, j)| (gone[*i], new[*j]) = (false, false));
        let places = |flags: &[bool]| (0..flags.len()).filter(|i| flags[*i]).collect();
        Rest { ours, theirs, gone: places(&gone), new: places(&new) }
    }

    /// Takes out what stands elsewhere unchanged.
    fn equal(&mut self) -> Pairs {
        let mut places: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        self.new.iter().rev().for_each(|j| places.entry(self.theirs[*j].digest()).or_default().push(*j));
        let place = |i: &usize| Some((*i, places.get_mut(&self.ours[*i].digest())?.pop()?));
        let pairs: Pairs = self.gone.iter().filter_map(place).collect();
        self.take(&pairs);
        pairs
    }

    /// Takes out the pairs that are more alike than either is to any other, the likest first.
    fn distinct(&mut self) -> Pairs {
        if self.gone.len() * self.new.len() > PAIRS {
            return Vec::new();
        }
        let weigh = |i: &usize, j: &usize| {
            let likeness = Likeness::of(&self.ours[*i], &self.theirs[*j]);
            if likeness.is_change() { likeness.of_changes() } else { 0 }
        };
        let weights: Vec<Vec<u64>> = self.gone.iter().map(|i| self.new.iter().map(|j| weigh(i, j)).collect()).collect();
        let mut found: Vec<(u64, usize, usize)> = Vec::new();
        for (row, i) in self.gone.iter().enumerate() {
            for (column, j) in self.new.iter().enumerate() {
                let weight = weights[row][column];
                let in_row =
                    weights[row].iter().enumerate().filter(|(other, _)| *other != column).map(|(_, weight)| weight);
                let in_column =
                    weights.iter().enumerate().filter(|(other, _)| *other != row).map(|(_, row)| &row[column]);
                let next = in_row.chain(in_column).max().copied().unwrap_or_default();
                if weight >= SAME_CALL && weight >= next + DISTINCT {
                    found.push((weight, *i, *j));
                }
            }
        }
        found.sort_by_key(|(weight, i, j)| (std::cmp::Reverse(*weight), *i, *j));
        let pairs: Pairs = found.into_iter().map(|(_, i, j)| (i, j)).collect();
        self.take(&pairs);
        pairs
    }

    /// Takes out what changed between two elements that were kept.
    fn changed_between(&mut self, start: (usize, usize), end: (usize, usize)) -> Pairs {
        let between = |places: &[usize], start: usize, end: usize| {
            let from = places.partition_point(|place| *place < start);
            let to = places.partition_point(|place| *place < end);
            places[from..to].to_vec()
        };
        let gone = between(&self.gone, start.0, end.0);
        let new = between(&self.new, start.1, end.1);
        if gone.is_empty() || new.is_empty() {
            return Vec::new();
        }
        let pairs =
            if gone.len() * new.len() <= PAIRS { self.most_alike(&gone, &new) } else { self.abreast(&gone, &new) };
        self.take(&pairs);
        pairs
    }

    /// Pairs these elements, in order, so that the pairs are as much alike as can be.
    fn most_alike(&self, gone: &[usize], new: &[usize]) -> Pairs {
        let (rows, columns) = (gone.len(), new.len());
        let weigh = |i: usize, j: usize| {
            let likeness = Likeness::of(&self.ours[gone[i]], &self.theirs[new[j]]);
            likeness.is_change().then(|| likeness.score() + 1)
        };
        let weights: Vec<Vec<_>> = (0..rows).map(|i| (0..columns).map(|j| weigh(i, j)).collect()).collect();
        let mut best = vec![vec![0_u64; columns + 1]; rows + 1];
        for i in (0..rows).rev() {
            for j in (0..columns).rev() {
                let paired = weights[i][j].map_or(0, |weight: u64| weight + best[i + 1][j + 1]);
                best[i][j] = paired.max(best[i + 1][j]).max(best[i][j + 1]);
            }
        }
        let (mut i, mut j) = (0, 0);
        let mut pairs = Vec::new();
        while i < rows && j < columns {
            if weights[i][j].is_some_and(|weight| weight + best[i + 1][j + 1] == best[i][j]) {
                pairs.push((gone[i], new[j]));
                (i, j) = (i + 1, j + 1);
            } else if best[i + 1][j] == best[i][j] {
                i += 1;
            } else {
                j += 1;
            }
        }
        pairs
    }

    /// Pairs these elements as they stand: there are too many to weigh.
    fn abreast(&self, gone: &[usize], new: &[usize]) -> Pairs {
        let pairs = gone.iter().copied().zip(new.iter().copied());
        pairs.filter(|(i, j)| Likeness::of(&self.ours[*i], &self.theirs[*j]).is_change()).collect()
    }

    /// Takes out what stands elsewhere and changed a little.
    fn alike(&mut self) -> Pairs {
        let mut pairs: Pairs = Vec::new();
        if self.gone.len() * self.new.len() > PAIRS {
            return pairs;
        }
        for i in &self.gone {
            let free = self.new.iter().filter(|j| pairs.iter().all(|(_, taken)| taken != *j));
            let scored = free.map(|j| (Likeness::of(&self.ours[*i], &self.theirs[*j]), *j));
            let fit = scored
                .filter(|(likeness, j)| likeness.score() >= MOVED && self.theirs[*j].is_nest() && likeness.is_change());
            let best = fit.max_by_key(|(likeness, j)| (likeness.score(), std::cmp::Reverse(*j)));
            pairs.extend(best.map(|(_, j)| (*i, j)));
        }
        self.take(&pairs);
        pairs
    }

    fn take(&mut self, pairs: &[(usize, usize)]) {
        let (gone, new): (BTreeSet<_>, BTreeSet<_>) = pairs.iter().copied().unzip();
        self.gone.retain(|i| !gone.contains(i));
        self.new.retain(|j| !new.contains(j));
    }
}

#[cfg(test)]
mod tests {
    use super::Step::{Comes, Goes, Moves, Stays};
    use super::{Of, Step, align};
    use crate::difference::node::Node;
    use crate::json::Json;

    #[track_caller]
    fn check(ours: &str, theirs: &str, expected: &[Step]) {
        let nodes = |text: &str| Json::parse(text).unwrap().elements().iter().map(Node::of).collect::<Vec<_>>();
        let (ours, theirs) = (nodes(ours), nodes(theirs));
        let moved = |step: &Step| !matches!(step, Stays(i, j) if ours[*i].is(&theirs[*j]));
        let steps: Vec<_> = align(&ours, &theirs, Of::Elements).into_iter().filter(moved).collect();
        assert_eq!(steps, expected);
    }

    #[test]
    fn each_element_is_accounted_for_once() {
        check("[1,2,3]", "[1,2,3]", &[]);
        check("[1,2,3]", "[0,1,2,3]", &[Comes(0)]);
        check("[1,2,3]", "[1,3]", &[Goes(1)]);
        check("[1,2,3,4]", "[4,1,2,3]", &[Moves(3, 0)]);
        check("[1,2,3,4]", "[2,3,4,1]", &[Moves(0, 3)]);
        check("[1,2,3]", "[1,9,3]", &[Stays(1, 1)]);
        check("[\"a b c\",\"d e f\"]", "[\"x y z\",\"a b c\",\"d e g\"]", &[Comes(0), Stays(1, 2)]);
        check("[\"one two three\"]", "[\"something else\",\"one two four\"]", &[Comes(0), Stays(0, 1)]);
        let (a, b) = (r#"{"r":"user","c":"one two three four five"}"#, r#"{"r":"tool","c":"9"}"#);
        let changed = r#"{"r":"user","c":"one two three four six"}"#;
        check(&format!("[{a},{b},8]"), &format!("[{b},8,{changed}]"), &[Moves(0, 2)]);
    }
}

//! What two sequences have in common, in order, in bounded time.

use std::collections::HashMap;

/// How many elements may differ before the exact search is given up. Its time and memory grow with the square of this.
const EXACT: usize = 400;

/// The same between two elements that are unique on both sides.
const EXACT_BETWEEN: usize = 64;

/// Returns pairs of positions of equal elements, both rising: the most there are where few enough elements differ; else
/// those that hang on elements which are unique on both sides.
pub(crate) fn lcs(ours: &[u64], theirs: &[u64]) -> Vec<(usize, usize)> {
    framed(ours, theirs, |ours, theirs| myers(ours, theirs, EXACT).unwrap_or_else(|| by_unique(ours, theirs)))
}

type Pairs = Vec<(usize, usize)>;

/// Takes off what is equal at both ends and pairs what is left.
fn framed(ours: &[u64], theirs: &[u64], pair: impl FnOnce(&[u64], &[u64]) -> Pairs) -> Pairs {
    let front = ours.iter().zip(theirs).take_while(|(a, b)| a == b).count();
    let (a, b) = (&ours[front..], &theirs[front..]);
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - back], &b[..b.len() - back]);
    let mut pairs: Pairs = (0..front).map(|i| (i, i)).collect();
    if !a.is_empty() && !b.is_empty() {
        pairs.extend(pair(a, b).into_iter().map(|(i, j)| (front + i, front + j)));
    }
    pairs.extend((0..back).rev().map(|k| (ours.len() - 1 - k, theirs.len() - 1 - k)));
    pairs
}

/// Finds the shortest edit script; `None` where it is longer than `most`.
///
/// E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1 (1986), figure 2.
fn myers(ours: &[u64], theirs: &[u64], most: usize) -> Option<Pairs> {
    let (n, m) = (ours.len() as isize, theirs.len() as isize);
    let most = (most as isize).min(n + m);
    let offset = most + 1;
    let mut furthest = vec![0_isize; (2 * most + 3) as usize];
    let mut trace: Vec<Vec<isize>> = Vec::new();
    for d in 0..=most {
        trace.push(furthest[(offset - d - 1) as usize..=(offset + d + 1) as usize].to_vec());
        for k in (-d..=d).step_by(2) {
            let down = goes_down(&furthest, offset, d, k);
            let mut x =
                if down { furthest[(offset + k + 1) as usize] } else { furthest[(offset + k - 1) as usize] + 1 };
            while x < n && x - k < m && ours[x as usize] == theirs[(x - k) as usize] {
                x += 1;
            }
            furthest[(offset + k) as usize] = x;
            if x >= n && x - k >= m {
                return Some(walk_back(&trace, n, m));
            }
        }
    }
    None
}

fn goes_down(furthest: &[isize], offset: isize, d: isize, k: isize) -> bool {
    k == -d || (k != d && furthest[(offset + k - 1) as usize] < furthest[(offset + k + 1) as usize])
}

fn walk_back(trace: &[Vec<isize>], n: isize, m: isize) -> Pairs {
    let (mut x, mut y) = (n, m);
    let mut pairs = Vec::new();
    for (d, furthest) in trace.iter().enumerate().rev() {
        let d = d as isize;
        let k = x - y;
        let before = if goes_down(furthest, d + 1, d, k) { k + 1 } else { k - 1 };
        let start = if d == 0 { 0 } else { furthest[(d + 1 + before) as usize] };
        let edge = if d == 0 { (0, 0) } else { (start, start - before) };
        while x > edge.0 && y > edge.1 {
            x -= 1;
            y -= 1;
            pairs.push((x as usize, y as usize));
        }
        (x, y) = edge;
    }
    pairs.reverse();
    pairs
}

/// Pairs the elements that are unique on both sides and then what lies between them.
///
/// This is the idea of Bram Cohen's patience diff: what occurs once is what a reader takes for a landmark.
fn by_unique(ours: &[u64], theirs: &[u64]) -> Pairs {
    let (ours_once, theirs_once) = (once(ours), once(theirs));
    let landmarks: Pairs = (0..ours.len())
        .filter(|i| ours_once.get(&ours[*i]) == Some(&Some(*i)))
        .filter_map(|i| Some((i, (*theirs_once.get(&ours[i])?)?)))
        .collect();
    let mut pairs = Vec::new();
    let mut start = (0, 0);
    let end = (ours.len(), theirs.len());
    for (i, j) in rising(&landmarks).into_iter().chain([end]) {
        let between =
            framed(&ours[start.0..i], &theirs[start.1..j], |a, b| myers(a, b, EXACT_BETWEEN).unwrap_or_default());
        pairs.extend(between.into_iter().map(|(a, b)| (start.0 + a, start.1 + b)));
        if (i, j) != end {
            pairs.push((i, j));
        }
        start = (i + 1, j + 1);
    }
    pairs
}

/// Returns where each element stands, `None` for one that stands in several places.
fn once(elements: &[u64]) -> HashMap<u64, Option<usize>> {
    let mut places = HashMap::with_capacity(elements.len());
    for (i, element) in elements.iter().enumerate() {
        places.entry(*element).and_modify(|place| *place = None).or_insert(Some(i));
    }
    places
}

/// Returns the longest run of pairs whose second halves rise; the first halves do already.
fn rising(pairs: &[(usize, usize)]) -> Pairs {
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, (_, j)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *j);
        before.push(length.checked_sub(1).map(|last| ends[last]));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut found: Pairs = std::iter::successors(ends.last().copied(), |at| before[*at]).map(|at| pairs[at]).collect();
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::{EXACT, by_unique, lcs};

    #[track_caller]
    fn check(ours: &str, theirs: &str, expected: &str) {
        let numbers = |text: &str| text.bytes().map(u64::from).collect::<Vec<_>>();
        let pairs = lcs(&numbers(ours), &numbers(theirs));
        let common: String = pairs.iter().map(|(i, _)| char::from(ours.as_bytes()[*i])).collect();
        let same: String = pairs.iter().map(|(_, j)| char::from(theirs.as_bytes()[*j])).collect();
        assert_eq!((common.as_str(), same.as_str()), (expected, expected));
        assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
    }

    #[test]
    fn what_is_common_is_found() {
        check("", "", "");
        check("abc", "abc", "abc");
        check("abc", "", "");
        check("abc", "xabc", "abc");
        check("abcd", "dabc", "abc");
        check("abcdef", "axcyez", "ace");
        check("xaby", "xaxby", "xaby");
        check("abc", "xyz", "");
    }

    #[test]
    fn too_much_for_the_exact_search_still_finds_landmarks() {
        let ours: Vec<u64> = (0..4_000).map(|i| if i % 2 == 0 { i } else { 100_000 + i }).collect();
        let theirs: Vec<u64> = (0..4_000).map(|i| if i % 2 == 0 { i } else { 200_000 + i }).collect();
        const { assert!(EXACT < 4_000) };
        let pairs = lcs(&ours, &theirs);
        assert_eq!(pairs.len(), 2_000);
        assert_eq!(by_unique(&[1, 2, 3, 4], &[3, 1, 2, 4]), [(0, 1), (1, 2), (3, 3)]);
    }
}

//! What is told of a cassette that somebody has changed by hand.

use cargo_cassette::comparison::Comparison;

/// What marks an interaction that is not as it was sealed.
pub(super) const MARK: &str = "changed by hand";

/// Returns the line that stands on top of such a cassette; nothing where nobody has changed it.
pub(super) fn told(by_hand: &[usize]) -> Option<String> {
    (!by_hand.is_empty())
        .then(|| format!("{MARK}, and not vouched for: {}; until then it replays nothing", named(by_hand)))
}

/// Returns the lines that stand on top of what was compared.
pub(super) fn compared(comparison: &Comparison) -> Vec<String> {
    let [before, after] = &comparison.by_hand;
    let before = (!before.is_empty()).then(|| format!("before: {MARK}, and not vouched for: {}", named(before)));
    before.into_iter().chain(told(after)).collect()
}

/// Returns whether a call was changed by hand, by where it was and is.
pub(super) fn is_marked(comparison: &Comparison, [before, after]: [Option<usize>; 2]) -> bool {
    let is_in = |side: usize, at: Option<usize>| at.is_some_and(|at| comparison.by_hand[side].contains(&(at + 1)));
    is_in(0, before) || is_in(1, after)
}

/// Returns interactions by their numbers: `interactions 1 and 3`.
fn named(numbers: &[usize]) -> String {
    let numbers: Vec<_> = numbers.iter().map(ToString::to_string).collect();
    match numbers.as_slice() {
        [only] => format!("interaction {only}"),
        [first @ .., last] => format!("interactions {} and {last}", first.join(", ")),
        [] => String::new(),
    }
}

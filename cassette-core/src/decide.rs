//! The decision: what becomes of a call. It is pure; whoever asks looks up, serves, calls or fails.

use crate::call::Kind;
use crate::policy::{Missing, Order, Policy, Recorded, Repeat};
use crate::score::Score;

/// What is known about a call when it is decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The unused recordings of exactly this request, by how surely they are it and then by position.
    pub unused: Vec<usize>,
    /// How many recordings of this request have been served.
    pub used: usize,
    /// The last recording of this request, used or not.
    pub last: Option<usize>,
    /// Under [`Order::Strict`] and [`Order::Ordered`], the recordings that may come next: one, or a group that overlapped.
    pub next: Vec<usize>,
    /// Under [`Order::Ordered`], those of the next that go where the call goes, the likest first.
    pub fitting: Vec<usize>,
    /// Under [`Order::Fuzzy`], the unused recordings within the window that go where the call goes, by what beside the score
    /// speaks for them, each with its score.
    pub alike: Vec<(usize, Score)>,
    /// Whether something went live before this call started.
    pub went_live: bool,
    /// How many recordings of a fork's prefix have still to be asked for: until there are none, nothing goes live.
    pub due: usize,
}

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This recording is served.
    Serve(usize),
    /// This recording is served though it is not of this request: somebody asked for an order that allows it.
    Approximate(usize),
    /// It goes live.
    Live,
    /// Another recording is next; this one holds the call.
    Misplaced {
        /// The recording that is next.
        expected: usize,
        /// The unused recording of this call.
        recorded: usize,
    },
    /// It was recorded so many times, and all of them have been served.
    Exhausted(usize),
    /// It was never recorded.
    Mismatch,
    /// It is none of those that a fork's prefix still holds; so many of it have been served.
    Unreached(usize),
}

/// Decides what becomes of a call of this kind.
pub fn decide(policy: &Policy, kind: Kind, found: &Found) -> Decision {
    if found.due > 0 {
        return in_prefix(policy, found);
    }
    let hangs_on_state = matches!(kind, Kind::Tool | Kind::Memory | Kind::Mcp);
    let goes_live =
        policy.recorded == Recorded::Live || (policy.missing == Missing::Live && hangs_on_state && found.went_live);
    if goes_live {
        return Decision::Live;
    }
    if let (Repeat::Last, [], Some(last)) = (policy.repeat, found.unused.as_slice(), found.last) {
        return Decision::Serve(last);
    }
    match (policy.order, found.unused.as_slice()) {
        (Order::Any | Order::Fuzzy, [first, ..]) => Decision::Serve(*first),
        (Order::Strict | Order::Ordered, [first, ..]) => in_order(found, *first),
        (_, []) if policy.missing == Missing::Live => Decision::Live,
        (_, []) => approximate(policy, found).unwrap_or(match found.used {
            0 => Decision::Mismatch,
            used => Decision::Exhausted(used),
        }),
    }
}

/// Decides what becomes of a call before the place where a recording was forked.
fn in_prefix(policy: &Policy, found: &Found) -> Decision {
    match (policy.prefix, found.unused.as_slice()) {
        (Order::Any | Order::Fuzzy, [first, ..]) => Decision::Serve(*first),
        (Order::Strict | Order::Ordered, [first, ..]) => in_order(found, *first),
        (_, []) => match found.last.filter(|_| policy.repeat == Repeat::Last) {
            Some(last) => Decision::Serve(last),
            None => Decision::Unreached(found.used),
        },
    }
}

/// Decides what becomes of a call of which there are unused recordings, this one the first of them, where order counts.
fn in_order(found: &Found, first: usize) -> Decision {
    let own = found.unused.iter().find(|i| found.next.contains(i));
    match (own, found.fitting.first(), found.next.first()) {
        (Some(own), ..) => Decision::Serve(*own),
        (None, Some(fitting), _) => Decision::Approximate(*fitting),
        (None, None, Some(expected)) => Decision::Misplaced { expected: *expected, recorded: first },
        (None, None, None) => Decision::Mismatch,
    }
}

/// Returns the recording that is served to a call of which there is none, where the order allows it.
fn approximate(policy: &Policy, found: &Found) -> Option<Decision> {
    let index = match policy.order {
        Order::Any | Order::Strict => None,
        Order::Ordered => found.fitting.first().copied(),
        Order::Fuzzy => {
            let mut best: Option<(usize, Score)> = None;
            for (index, score) in found.alike.iter().filter(|(_, score)| *score >= policy.threshold) {
                if best.is_none_or(|(_, best)| *score > best) {
                    best = Some((*index, *score));
                }
            }
            best.map(|(index, _)| index)
        }
    };
    index.map(Decision::Approximate)
}

#[cfg(test)]
mod tests {
    use super::{Decision, Found, decide};
    use crate::call::Kind;
    use crate::mode::Mode;
    use crate::policy::{Order, Policy, Repeat};
    use crate::score::Score;

    #[track_caller]
    fn check(mode: Mode, order: Order, unused: &[usize], used: usize, next: &[usize], expected: Decision) {
        let found = Found { unused: unused.to_vec(), used, next: next.to_vec(), ..Found::default() };
        assert_eq!(decide(&Policy::of(mode, order, Repeat::Never), Kind::Http, &found), expected);
    }

    #[test]
    fn each_mode_decides_as_its_table_says() {
        use Decision::{Exhausted, Live, Mismatch, Serve};
        for (mode, recorded, exhausted, missing) in [
            (Mode::Replay, Serve(3), Exhausted(2), Mismatch),
            (Mode::Record, Serve(3), Live, Live),
            (Mode::Refresh, Live, Live, Live),
            (Mode::Off, Live, Live, Live),
        ] {
            check(mode, Order::Any, &[3, 5], 2, &[], recorded);
            check(mode, Order::Any, &[], 2, &[], exhausted);
            check(mode, Order::Any, &[], 0, &[], missing);
        }
    }

    #[test]
    fn a_strict_order_takes_the_next_or_says_what_is_next() {
        let misplaced = Decision::Misplaced { expected: 1, recorded: 3 };
        check(Mode::Replay, Order::Strict, &[1, 3], 0, &[1], Decision::Serve(1));
        check(Mode::Replay, Order::Strict, &[3], 0, &[1], misplaced);
        check(Mode::Replay, Order::Strict, &[3], 0, &[1, 2, 3], Decision::Serve(3));
        check(Mode::Record, Order::Strict, &[3], 0, &[1], Decision::Serve(3));
    }

    #[track_caller]
    fn check_found(mode: Mode, order: Order, found: Found, expected: Decision) {
        let policy = Policy::of(mode, order, Repeat::Never);
        assert_eq!(decide(&policy, Kind::Http, &found), expected, "{mode}, {order:?}, {found:?}");
    }

    #[test]
    fn an_ordered_run_takes_the_next_whatever_it_asks_unless_it_goes_elsewhere() {
        use Decision::{Approximate, Exhausted, Live, Mismatch, Misplaced, Serve};
        let found = |unused: &[usize], used, next: &[usize], fitting: &[usize]| Found {
            unused: unused.to_vec(),
            used,
            last: Some(9),
            next: next.to_vec(),
            fitting: fitting.to_vec(),
            ..Found::default()
        };
        for (found, expected) in [
            (found(&[1, 3], 0, &[1], &[1]), Serve(1)),
            (found(&[3], 0, &[1, 2, 3], &[2, 1, 3]), Serve(3)),
            (found(&[3], 0, &[1], &[1]), Approximate(1)),
            (found(&[3], 0, &[1, 2], &[2]), Approximate(2)),
            (found(&[3], 0, &[1], &[]), Misplaced { expected: 1, recorded: 3 }),
            (found(&[], 0, &[1, 2], &[2, 1]), Approximate(2)),
            (found(&[], 2, &[1], &[1]), Approximate(1)),
            (found(&[], 2, &[1], &[]), Exhausted(2)),
            (found(&[], 0, &[1], &[]), Mismatch),
            (found(&[], 0, &[], &[]), Mismatch),
        ] {
            check_found(Mode::Replay, Order::Ordered, found, expected);
        }
        check_found(Mode::Record, Order::Ordered, found(&[3], 0, &[1], &[1]), Serve(3));
        check_found(Mode::Record, Order::Ordered, found(&[], 0, &[1], &[1]), Live);
        check_found(Mode::Refresh, Order::Ordered, found(&[3], 0, &[1], &[1]), Live);
    }

    #[test]
    fn a_fuzzy_run_takes_its_own_recording_else_the_likest_that_scores_enough() {
        use Decision::{Approximate, Exhausted, Live, Mismatch, Serve};
        let found = |unused: &[usize], used, alike: &[(usize, f64)]| Found {
            unused: unused.to_vec(),
            used,
            alike: alike.iter().map(|(i, score)| (*i, Score::new(*score).unwrap())).collect(),
            ..Found::default()
        };
        for (found, expected) in [
            (found(&[5], 0, &[(1, 1.0)]), Serve(5)),
            (found(&[], 0, &[(1, 0.7), (2, 0.9), (3, 0.8)]), Approximate(2)),
            (found(&[], 0, &[(4, 0.9), (2, 0.9)]), Approximate(4)),
            (found(&[], 0, &[(1, 0.6)]), Approximate(1)),
            (found(&[], 0, &[(1, 0.599)]), Mismatch),
            (found(&[], 3, &[(1, 0.599)]), Exhausted(3)),
            (found(&[], 3, &[(1, 0.6)]), Approximate(1)),
            (found(&[], 0, &[]), Mismatch),
        ] {
            check_found(Mode::Replay, Order::Fuzzy, found, expected);
        }
        check_found(Mode::Record, Order::Fuzzy, found(&[], 0, &[(1, 1.0)]), Live);
        check_found(Mode::Off, Order::Fuzzy, found(&[], 0, &[(1, 1.0)]), Live);
        let exacting =
            Policy { threshold: Score::new(0.9).unwrap(), ..Policy::of(Mode::Replay, Order::Fuzzy, Repeat::Never) };
        assert_eq!(decide(&exacting, Kind::Http, &found(&[], 0, &[(1, 0.89)])), Mismatch);
    }

    #[test]
    fn only_the_orders_that_allow_it_serve_what_is_alike() {
        let found = || Found {
            fitting: vec![1],
            next: vec![1],
            alike: vec![(1, Score::new(1.0).unwrap())],
            ..Found::default()
        };
        for order in [Order::Any, Order::Strict] {
            check_found(Mode::Replay, order, found(), Decision::Mismatch);
        }
    }

    #[test]
    fn what_hangs_on_state_goes_live_after_a_live_call() {
        let found = Found { unused: vec![0], went_live: true, ..Found::default() };
        let record = Policy::of(Mode::Record, Order::Any, Repeat::Never);
        for kind in [Kind::Tool, Kind::Memory, Kind::Mcp] {
            assert_eq!(decide(&record, kind, &found), Decision::Live);
        }
        assert_eq!(decide(&record, Kind::Http, &found), Decision::Serve(0));
        assert_eq!(
            decide(&Policy::of(Mode::Replay, Order::Any, Repeat::Never), Kind::Tool, &found),
            Decision::Serve(0)
        );
    }

    #[test]
    fn the_last_recording_is_served_again_where_that_is_asked_for() {
        let found = Found { used: 2, last: Some(4), ..Found::default() };
        let replay = |repeat| Policy::of(Mode::Replay, Order::Any, repeat);
        assert_eq!(decide(&replay(Repeat::Last), Kind::Http, &found), Decision::Serve(4));
        assert_eq!(decide(&replay(Repeat::Never), Kind::Http, &found), Decision::Exhausted(2));
        assert_eq!(decide(&replay(Repeat::Last), Kind::Http, &Found::default()), Decision::Mismatch);
    }

    #[test]
    fn before_a_fork_nothing_goes_live_and_behind_it_the_mode_decides() {
        for mode in [Mode::Record, Mode::Refresh] {
            for kind in [Kind::Http, Kind::Tool] {
                let by = |order, repeat| Policy::of(mode, order, repeat);
                let any = by(Order::Any, Repeat::Never);
                let found = |unused: &[usize], next: &[usize]| Found {
                    unused: unused.to_vec(),
                    next: next.to_vec(),
                    used: 1,
                    last: Some(2),
                    due: 2,
                    ..Found::default()
                };
                assert_eq!(decide(&any, kind, &found(&[1], &[])), Decision::Serve(1));
                assert_eq!(decide(&any, kind, &found(&[], &[])), Decision::Unreached(1));
                assert_eq!(decide(&by(Order::Any, Repeat::Last), kind, &found(&[], &[])), Decision::Serve(2));
                let strict = by(Order::Strict, Repeat::Never);
                let misplaced = Decision::Misplaced { expected: 0, recorded: 1 };
                assert_eq!(decide(&strict, kind, &found(&[1], &[0])), misplaced);
                assert_eq!(decide(&strict, kind, &found(&[1], &[0, 1])), Decision::Serve(1));
                assert_eq!(decide(&any, kind, &Found { due: 0, ..found(&[], &[]) }), Decision::Live);
            }
        }
    }
}

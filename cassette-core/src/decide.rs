//! The decision: what becomes of a call. It is pure; whoever asks looks up, serves, calls or fails.

use crate::call::Kind;
use crate::policy::{Missing, Order, Policy, Recorded, Repeat};

/// What is known about a call when it is decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The unused recordings of exactly this request, by how surely they are it and then by position.
    pub unused: Vec<usize>,
    /// How many recordings of this request have been served.
    pub used: usize,
    /// The last recording of this request, used or not.
    pub last: Option<usize>,
    /// Under a strict order, the recordings that may come next: one, or a group that overlapped.
    pub next: Vec<usize>,
    /// Whether something went live before this call started.
    pub went_live: bool,
}

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This recording is served.
    Serve(usize),
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
}

/// Decides what becomes of a call of this kind.
pub fn decide(policy: &Policy, kind: Kind, found: &Found) -> Decision {
    let hangs_on_state = matches!(kind, Kind::Tool | Kind::Memory);
    let goes_live =
        policy.recorded == Recorded::Live || (policy.missing == Missing::Live && hangs_on_state && found.went_live);
    if goes_live {
        return Decision::Live;
    }
    if let (Repeat::Last, [], Some(last)) = (policy.repeat, found.unused.as_slice(), found.last) {
        return Decision::Serve(last);
    }
    match (policy.order, found.unused.as_slice()) {
        (Order::Any, [first, ..]) => Decision::Serve(*first),
        (Order::Strict, [first, ..]) => {
            match (found.unused.iter().find(|i| found.next.contains(i)), found.next.first()) {
                (Some(next), _) => Decision::Serve(*next),
                (None, Some(expected)) => Decision::Misplaced { expected: *expected, recorded: *first },
                (None, None) => Decision::Mismatch,
            }
        }
        (_, []) if policy.missing == Missing::Live => Decision::Live,
        (_, []) if found.used > 0 => Decision::Exhausted(found.used),
        (_, []) => Decision::Mismatch,
    }
}

#[cfg(test)]
mod tests {
    use super::{Decision, Found, decide};
    use crate::call::Kind;
    use crate::mode::Mode;
    use crate::policy::{Order, Policy, Repeat};

    #[track_caller]
    fn check(mode: Mode, order: Order, unused: &[usize], used: usize, next: &[usize], expected: Decision) {
        let found = Found { unused: unused.to_vec(), used, last: None, next: next.to_vec(), went_live: false };
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

    #[test]
    fn what_hangs_on_state_goes_live_after_a_live_call() {
        let found = Found { unused: vec![0], went_live: true, ..Found::default() };
        let record = Policy::of(Mode::Record, Order::Any, Repeat::Never);
        assert_eq!(decide(&record, Kind::Tool, &found), Decision::Live);
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
}

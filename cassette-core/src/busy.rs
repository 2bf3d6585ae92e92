//! When a function was at work: what was asked meanwhile may be its own.

use std::ops::Range;
use std::time::Instant;

/// The time in which a function worked: all that it took, or stretches of it. A stream works while it is asked for an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Busy {
    stretches: Option<Vec<Range<Instant>>>,
}

impl Busy {
    /// Returns that it worked in these stretches alone, which follow upon each other.
    #[must_use]
    pub fn only(stretches: Vec<Range<Instant>>) -> Busy {
        Busy { stretches: Some(stretches) }
    }

    /// Returns whether it worked at this time, which it was under way.
    pub(crate) fn at(&self, time: Instant) -> bool {
        self.stretches.as_ref().is_none_or(|stretches| {
            let next = stretches.partition_point(|stretch| stretch.end <= time);
            stretches.get(next).is_some_and(|stretch| stretch.start <= time)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Busy;

    #[test]
    fn it_is_busy_in_its_stretches() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let busy = Busy::only(vec![at(0)..at(2), at(2)..at(3), at(5)..at(6)]);
        let found: Vec<u64> = (0..8).filter(|second| busy.at(at(*second))).collect();
        assert_eq!(found, [0, 1, 2, 5]);
        assert!(Busy::default().at(at(9)) && !Busy::only(Vec::new()).at(at(0)));
    }
}

//! How alike two requests are, as a number.

use std::cmp::Ordering;
use std::fmt;

/// How alike two requests are: from 0, nothing in common, to 1, nothing that differs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score(f64);

impl Score {
    /// What a recording must score for `fuzzy` to serve it, unless a test says otherwise: 0.6.
    pub const THRESHOLD: Score = Score(0.6);

    /// Returns the score of this value; `None` where it is no number from 0 to 1.
    pub fn new(value: f64) -> Option<Score> {
        // Adding makes a negative zero a plain one.
        (0.0..=1.0).contains(&value).then_some(Score(value + 0.0))
    }

    /// Returns the value.
    pub fn value(self) -> f64 {
        self.0
    }
}

impl Eq for Score {}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Score) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl fmt::Display for Score {
    /// Writes three decimals, the rest cut off: what is below a threshold never reads as if it had reached it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NOISE: f64 = 1e-9;
        write!(f, "{:.3}", (self.0 * 1_000.0 + NOISE).floor() / 1_000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Score;

    #[test]
    fn a_score_is_from_nought_to_one() {
        for value in [0.0, -0.0, 0.6, 1.0, f64::MIN_POSITIVE] {
            assert_eq!(Score::new(value).map(Score::value), Some(value));
        }
        for value in [-0.1, 1.000_000_1, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(Score::new(value), None);
        }
        assert_eq!(Score::new(-0.0).unwrap().cmp(&Score::new(0.0).unwrap()), std::cmp::Ordering::Equal);
    }

    #[test]
    fn what_is_below_never_reads_as_if_it_had_reached() {
        for (value, shown) in
            [(0.599_999, "0.599"), (0.6, "0.600"), (0.57, "0.570"), (0.999_9, "0.999"), (1.0, "1.000")]
        {
            assert_eq!(Score::new(value).unwrap().to_string(), shown);
        }
    }
}

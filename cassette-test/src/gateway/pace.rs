//! How fast a recorded stream is played.

use std::time::Duration;

use crate::options::Pace;

/// The least pause between two chunks. Without it a client finds several in its socket at once and cuts them where its
/// read buffer ends; a timer of tokio's cannot pause for less.
const LEAST: Duration = Duration::from_millis(1);

/// Returns the pause before a chunk that arrived this long after the one before it.
pub(super) fn delay(pace: Pace, gap: Duration) -> Duration {
    pace.of(gap).max(LEAST)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Pace, delay};

    #[test]
    fn a_pause_is_never_less_than_one_millisecond() {
        let second = Duration::from_secs(1);
        assert_eq!(delay(Pace::Instant, second), Duration::from_millis(1));
        assert_eq!(delay(Pace::Recorded, second), second);
        assert_eq!(delay(Pace::Times(0.5), second), Duration::from_millis(500));
        assert_eq!(delay(Pace::Times(2.0), Duration::ZERO), Duration::from_millis(1));
        assert_eq!(delay(Pace::Times(-1.0), second), Duration::from_millis(1));
    }
}

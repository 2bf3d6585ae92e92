//! How fast a recorded stream is played.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Sleep, sleep};

use super::alarm::Alarm;
use crate::options::Pace;

/// For how long the last piece of a stream is held that the program left by itself: whoever passes it on to a reader finds out with that piece
/// that the reader has gone, and a replay is faster than the reader.
const LEAVING: Duration = Duration::from_millis(25);

/// How fast a recorded stream is played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rhythm {
    /// What the test asked for.
    pub(crate) pace: Pace,
    /// The least pause between two chunks.
    pub(crate) least: Duration,
    /// By which clock it is paused.
    pub(crate) clock: Clock,
}

/// A clock that pauses are taken by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// The runtime's own, which a test may have paused.
    Runtime,
    /// The machine's, for where there is no runtime, or where a paused clock must not count.
    Machine,
}

/// A pause.
#[derive(Debug)]
pub(crate) enum Pause {
    /// By the runtime's clock.
    Sleep(Pin<Box<Sleep>>),
    /// By the machine's.
    Alarm(Alarm),
}

impl Rhythm {
    /// Returns the pause between two chunks, the second of which arrived this long after the first; nothing where there is
    /// none.
    pub(crate) fn between(self, gap: Duration) -> Option<Pause> {
        let length = self.length(gap);
        (!length.is_zero()).then(|| self.clock.pause(length))
    }

    /// Returns the pause before the first chunk, which arrived this long after the start of its call.
    pub(crate) fn before(self, first: Duration) -> Option<Pause> {
        if self.pace == Pace::Instant { None } else { self.between(first) }
    }

    /// Returns the rhythm in which the last piece of a stream comes that the program left by itself.
    pub(crate) fn leaving(self) -> Rhythm {
        Rhythm { least: self.least.max(LEAVING), ..self }
    }

    fn length(self, gap: Duration) -> Duration {
        self.pace.of(gap).max(self.least)
    }
}

impl Clock {
    /// Returns a pause of this length, which starts now.
    pub(crate) fn pause(self, length: Duration) -> Pause {
        match self {
            Clock::Runtime => Pause::Sleep(Box::pin(sleep(length))),
            Clock::Machine => Pause::Alarm(Alarm::after(length)),
        }
    }
}

impl Pause {
    /// Returns whether the pause is over; if not, the task is woken when it is.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match self {
            Pause::Sleep(sleep) => sleep.as_mut().poll(cx),
            Pause::Alarm(alarm) => alarm.poll(cx),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Clock, Pace, Rhythm};

    #[track_caller]
    fn check(pace: Pace, gap: Duration, expected: Duration) {
        let rhythm = Rhythm { pace, least: Duration::from_millis(1), clock: Clock::Runtime };
        assert_eq!(rhythm.length(gap), expected);
    }

    #[test]
    fn a_pause_is_never_less_than_the_least() {
        let second = Duration::from_secs(1);
        check(Pace::Instant, second, Duration::from_millis(1));
        check(Pace::Recorded, second, second);
        check(Pace::Times(0.5), second, Duration::from_millis(500));
        check(Pace::Times(2.0), Duration::ZERO, Duration::from_millis(1));
        check(Pace::Times(-1.0), second, Duration::from_millis(1));
    }
}

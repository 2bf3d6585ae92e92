//! Whether tokio's clock runs with the real one.
//!
//! A paused clock jumps to the next timer whenever its runtime has nothing to do, and while a client waits for a real socket
//! it has nothing to do: the client's time-out fires at once. That is not seen in the error, so it is said beside it.

use std::time::{Duration, Instant};

/// The least that counts as a jump: a busy machine delays a poll by less.
const JUMP: Duration = Duration::from_millis(200);

/// The two clocks, as they were last read.
#[derive(Debug)]
pub(crate) struct Clocks {
    real: Instant,
    tokio: tokio::time::Instant,
}

impl Clocks {
    /// Reads the clocks of this thread.
    pub(crate) fn read() -> Clocks {
        Clocks { real: Instant::now(), tokio: tokio::time::Instant::now() }
    }

    /// Reads them again, and returns by how much tokio's has run ahead meanwhile, if it has jumped.
    pub(crate) fn jump(&mut self) -> Option<Duration> {
        let now = Clocks::read();
        let [real, tokio] = [now.real.duration_since(self.real), now.tokio.duration_since(self.tokio)];
        *self = now;
        tokio.checked_sub(real).filter(|ahead| *ahead >= JUMP)
    }
}

/// Returns what to say of a test that failed after its clock had jumped so far in all.
pub(crate) fn note(jumped: Duration) -> String {
    format!(
        "note: tokio's clock is paused in this test, and jumped {jumped:?} in all: a client's time-out fires at once while it \
         waits for a real socket\nhelp: take the client's time-out away, do without `start_paused`, or record in the client, where no socket is \
         waited for: an adapter, as in the README"
    )
}

#[cfg(test)]
mod tests {
    use super::{Clocks, Duration};

    #[test]
    fn clocks_that_run_together_do_not_jump() {
        let mut clocks = Clocks::read();
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(clocks.jump(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_paused_clock_jumps() {
        let mut clocks = Clocks::read();
        tokio::time::sleep(Duration::from_secs(60)).await;
        assert!(clocks.jump().is_some_and(|jump| jump > Duration::from_secs(59)));
        assert_eq!(clocks.jump(), None);
    }
}

//! Recording tests of one process take turns, so that an answer that was paid for goes into the right file.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cassette_core::report::Wiring;

use crate::tell::tell_now;

static HELD: Mutex<Option<Held>> = Mutex::new(None);
static FREE: Condvar = Condvar::new();

/// Who records, since when, and how many sessions of it are open.
struct Held {
    test: String,
    since: Instant,
    sessions: usize,
}

/// The right to record, for as long as it lives.
#[derive(Debug)]
pub(crate) struct Turn(());

/// How long somebody waits for one and the same test to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    /// As long as it takes, though not in silence: a test's turn comes when those before it are done.
    Endless,
    /// For this long: who waits may be a thread of the very test that it waits for, and that waits for it in turn.
    Of(Duration),
}

impl Patience {
    /// That of a thread of which nobody knows whose it is.
    pub(crate) const OF_A_THREAD: Patience = Patience::Of(Duration::from_secs(10));
}

/// Waits for the right to record; a test that has it already may open further sessions.
///
/// # Errors
///
/// Fails where patience ends while the same test records all the while.
pub(crate) fn take(test: &str, patience: Patience) -> Result<Turn, Wiring> {
    /// After how long one that waits for ever says so.
    const SILENCE: Duration = Duration::from_secs(60);
    let start = Instant::now();
    let mut silent = true;
    let mut held = lock();
    loop {
        let holder = match &mut *held {
            None => {
                *held = Some(Held { test: test.to_owned(), since: Instant::now(), sessions: 1 });
                return Ok(Turn(()));
            }
            Some(holder) if holder.test == test => {
                holder.sessions += 1;
                return Ok(Turn(()));
            }
            Some(holder) => holder,
        };
        let waited = start.max(holder.since).elapsed();
        let limit = match patience {
            Patience::Of(limit) => limit,
            Patience::Endless => SILENCE,
        };
        match patience {
            Patience::Of(_) if waited >= limit => return Err(stuck(test, &holder.test, limit)),
            Patience::Endless if waited >= limit && std::mem::take(&mut silent) => {
                tell_now(&format!("note: `{test}` waits for its turn to record: `{}` is recording", holder.test));
            }
            _ => {}
        }
        let rest = limit.saturating_sub(waited).max(Duration::from_millis(1));
        held = if silent {
            FREE.wait_timeout(held, rest).map_or_else(|poisoned| poisoned.into_inner().0, |(held, _)| held)
        } else {
            FREE.wait(held).unwrap_or_else(PoisonError::into_inner)
        };
    }
}

fn stuck(test: &str, holder: &str, limit: Duration) -> Wiring {
    let what = format!("`{test}` waited {limit:?} for its turn to record, while `{holder}` was recording all the time");
    Wiring::new(
        what,
        "tests record one after the other: open the cassette on the test's own thread, or within `cassette.enter()`",
    )
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut held = lock();
        let left = held.as_ref().map_or(0, |holder| holder.sessions - 1);
        match &mut *held {
            Some(holder) if left > 0 => holder.sessions = left,
            held => *held = None,
        }
        FREE.notify_all();
    }
}

fn lock() -> MutexGuard<'static, Option<Held>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Mutex, PoisonError};
    use std::time::Duration;

    use super::{Patience, Turn};

    /// There is one turn in a process, and these tests share it.
    static ONE: Mutex<()> = Mutex::new(());

    fn take(test: &str) -> Turn {
        super::take(test, Patience::Endless).unwrap()
    }

    #[test]
    fn tests_take_turns_and_one_test_may_hold_several() {
        static INSIDE: AtomicUsize = AtomicUsize::new(0);
        let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let threads: Vec<_> = ["a", "b", "c", "d"]
            .map(|test| {
                std::thread::spawn(move || {
                    for _ in 0..50 {
                        let (outer, inner) = (take(test), take(test));
                        assert_eq!(INSIDE.fetch_add(1, Ordering::SeqCst), 0);
                        std::thread::yield_now();
                        drop(outer);
                        assert_eq!(INSIDE.fetch_sub(1, Ordering::SeqCst), 1);
                        drop(inner);
                    }
                })
            })
            .into();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    }

    #[test]
    fn a_thread_that_its_own_test_waits_for_is_told_so() {
        let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let held = take("tests::holder");
        let patience = Patience::Of(Duration::from_millis(50));
        let waiter = std::thread::spawn(move || super::take("unnamed", patience).map(drop).unwrap_err().to_string());
        assert_eq!(
            waiter.join().unwrap(),
            "`unnamed` waited 50ms for its turn to record, while `tests::holder` was recording all the time\n\
             help: tests record one after the other: open the cassette on the test's own thread, or within \
             `cassette.enter()`"
        );
        drop(held);
        super::take("unnamed", patience).unwrap();
    }
}

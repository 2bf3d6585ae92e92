//! Recording tests of one process take turns, so that an answer that was paid for goes into the right file.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

static HELD: Mutex<Option<Held>> = Mutex::new(None);
static FREE: Condvar = Condvar::new();

/// Who records, and how many sessions of it are open.
struct Held {
    test: String,
    sessions: usize,
}

/// The right to record, for as long as it lives.
#[derive(Debug)]
pub(crate) struct Turn(());

/// Waits for the right to record; a test that has it already may open further sessions.
pub(crate) fn take(test: &str) -> Turn {
    let mut held = lock();
    loop {
        match &mut *held {
            None => {
                *held = Some(Held { test: test.to_owned(), sessions: 1 });
                return Turn(());
            }
            Some(holder) if holder.test == test => {
                holder.sessions += 1;
                return Turn(());
            }
            Some(_) => held = FREE.wait(held).unwrap_or_else(PoisonError::into_inner),
        }
    }
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

    use super::take;

    #[test]
    fn tests_take_turns_and_one_test_may_hold_several() {
        static INSIDE: AtomicUsize = AtomicUsize::new(0);
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
}

//! What a test says where something takes too long: of all that it waits for at once, with one thread.

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, ThreadId};
use std::time::{Duration, Instant};

use crate::guard::spawn_exempt;

/// The reminders of one test. Their thread starts with the first of them, and ends with the test.
#[derive(Debug, Default)]
pub(crate) struct Reminders {
    clock: Arc<Clock>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// Something that is said unless this is dropped first. Once it has been dropped, nothing is being said any more.
#[derive(Debug)]
#[must_use = "what is dropped is not said"]
pub(crate) struct Reminder {
    clock: Arc<Clock>,
    number: u64,
}

/// What is to be said, and when.
#[derive(Debug, Default)]
struct Clock {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: Vec<Waiting>,
    next: u64,
    /// What is being said, and on which thread.
    saying: Option<(u64, ThreadId)>,
    ended: bool,
}

struct Waiting {
    number: u64,
    due: Instant,
    say: Box<dyn FnOnce() + Send>,
}

impl Reminders {
    /// Says this after so long, unless what is returned is dropped first. Where the machine has no thread to give, and once the test has
    /// ended, nobody says it.
    pub(crate) fn after(&self, patience: Duration, say: impl FnOnce() + Send + 'static) -> Reminder {
        let mut state = self.clock.state();
        let number = state.next;
        state.next += 1;
        // What is due beyond the end of time is never due.
        if let (Some(due), false) = (Instant::now().checked_add(patience), state.ended) {
            state.waiting.push(Waiting { number, due, say: Box::new(say) });
            drop(state);
            self.clock.changed.notify_all();
            let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
            if thread.is_none() {
                *thread = start(&self.clock).ok();
            }
        }
        Reminder { clock: Arc::clone(&self.clock), number }
    }

    /// Ends the thread; nothing is said any more.
    pub(crate) fn end(&self) {
        self.clock.state().ended = true;
        self.clock.changed.notify_all();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // What is said may hold the last that there is of the test.
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != thread::current().id()) {
            let _ = thread.join();
        }
    }
}

impl Drop for Reminders {
    fn drop(&mut self) {
        self.end();
    }
}

impl Drop for Reminder {
    fn drop(&mut self) {
        let here = thread::current().id();
        let mut state = self.clock.state();
        let waiting = state.waiting.iter().position(|waiting| waiting.number == self.number);
        let waiting = waiting.map(|at| state.waiting.swap_remove(at));
        while state.saying.is_some_and(|(number, thread)| number == self.number && thread != here) {
            state = self.clock.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        // What it would have said may hold what takes the lock as it goes.
        drop(waiting);
    }
}

impl Clock {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says each thing when it is due, until the test has ended.
    fn run(&self) {
        let mut state = self.state();
        while !state.ended {
            let now = Instant::now();
            let next = state.waiting.iter().enumerate().min_by_key(|(_, waiting)| waiting.due);
            let Some((at, left)) = next.map(|(at, waiting)| (at, waiting.due.saturating_duration_since(now))) else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            if !left.is_zero() {
                state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            let Waiting { number, say, .. } = state.waiting.swap_remove(at);
            state.saying = Some((number, thread::current().id()));
            drop(state);
            // Whoever waits for it waits no longer where it panics.
            let _ = catch_unwind(AssertUnwindSafe(say));
            state = self.state();
            state.saying = None;
            self.changed.notify_all();
        }
    }
}

fn start(clock: &Arc<Clock>) -> io::Result<JoinHandle<()>> {
    let clock = Arc::clone(clock);
    spawn_exempt("cassette-report", move || clock.run())
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("waiting", &self.waiting.len())
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::Reminders;

    const AGES: Duration = Duration::from_secs(60);

    #[test]
    fn each_is_said_when_it_is_due_by_one_thread_and_none_that_was_dropped() {
        let reminders = Reminders::default();
        let (tell, told) = mpsc::channel();
        let say = |what: &'static str| {
            let tell = tell.clone();
            move || tell.send((what, std::thread::current().id())).unwrap()
        };
        let _later = reminders.after(AGES * 60, say("later"));
        let _never = reminders.after(Duration::MAX, say("never"));
        drop(reminders.after(Duration::from_millis(20), say("dropped")));
        let _one = reminders.after(Duration::from_millis(40), say("one"));
        let _other = reminders.after(Duration::ZERO, say("other"));
        let (other, one) = (told.recv_timeout(AGES).unwrap(), told.recv_timeout(AGES).unwrap());
        assert_eq!((other.0, one.0), ("other", "one"));
        assert_eq!(other.1, one.1);
        reminders.end();
        let _late = reminders.after(Duration::ZERO, say("late"));
        drop(tell);
        assert_eq!(told.try_recv(), Err(mpsc::TryRecvError::Empty), "they are dropped, and not said");
    }

    #[test]
    fn what_is_being_said_is_waited_for() {
        let reminders = Reminders::default();
        let (begin, begun) = mpsc::channel();
        let (tell, told) = mpsc::channel();
        let reminder = reminders.after(Duration::ZERO, move || {
            begin.send(()).unwrap();
            std::thread::sleep(Duration::from_millis(30));
            tell.send("said").unwrap();
        });
        begun.recv_timeout(AGES).unwrap();
        drop(reminder);
        assert_eq!(told.try_recv(), Ok("said"));
    }
}

//! A program that goes on after its test has failed: where it does so without end, no verdict falls, so the report is printed meanwhile.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Wake, Waker};
use std::time::Duration;

use cassette_core::session::Session;

use crate::reminders::{Reminder, Reminders};
use crate::tell::tell_now;

/// How long a program may go on in silence.
const PATIENCE: Duration = Duration::from_secs(10);

/// How many calls may be refused in silence.
const MANY: usize = 100;

/// What prints.
type Teller = Box<dyn Fn(&str) + Send + Sync>;

/// Prints the report of one test, once, where the program goes on for long. It waits from the failure to the end of the test.
pub(crate) struct Unending {
    session: Weak<Session>,
    patience: Duration,
    teller: Teller,
    told: AtomicBool,
    reminders: Arc<Reminders>,
    waiting: Mutex<Option<Reminder>>,
}

impl Unending {
    /// Watches what becomes of a session that fails.
    pub(crate) fn watch(session: &Arc<Session>, reminders: &Arc<Reminders>) -> Arc<Unending> {
        Unending::watch_for(session, reminders, PATIENCE, Box::new(tell_now))
    }

    fn watch_for(
        session: &Arc<Session>,
        reminders: &Arc<Reminders>,
        patience: Duration,
        teller: Teller,
    ) -> Arc<Unending> {
        let unending = Arc::new(Unending {
            session: Arc::downgrade(session),
            patience,
            teller,
            told: AtomicBool::new(false),
            reminders: Arc::clone(reminders),
            waiting: Mutex::default(),
        });
        let told = Arc::downgrade(&unending);
        session.on_refusals(MANY, move || {
            if let Some(unending) = told.upgrade() {
                unending.tell(&format!("{MANY} calls have failed since"));
            }
        });
        if session.poll_failure(&Waker::from(Arc::clone(&unending))).is_some() {
            Arc::clone(&unending).wake();
        }
        unending
    }

    /// Ends the wait.
    pub(crate) fn end(&self) {
        self.told.store(true, Ordering::SeqCst);
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(waiting);
    }

    fn tell(&self, since: &str) {
        let Some(session) = self.session.upgrade() else { return };
        if let Some(report) = session.failure()
            && !self.told.swap(true, Ordering::SeqCst)
        {
            (self.teller)(&format!(
                "cassette `{}`: the test has failed and goes on, {since}\n{report}",
                session.name()
            ));
        }
    }
}

impl Wake for Unending {
    fn wake(self: Arc<Unending>) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.is_some() || self.told.load(Ordering::SeqCst) {
            return;
        }
        let (unending, patience) = (Arc::downgrade(&self), self.patience);
        // Where there is no thread, it is told at the end alone, or when many calls have failed.
        *waiting = Some(self.reminders.after(patience, move || {
            if let Some(unending) = unending.upgrade() {
                unending.tell(&format!("{} seconds have passed since", patience.as_secs()));
            }
        }));
    }
}

impl fmt::Debug for Unending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unending").field("told", &self.told).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, mpsc};
    use std::time::Duration;

    use cassette_core::call::{Call, Kind};
    use cassette_core::mode::Mode;
    use cassette_core::report::{Report, Wiring};
    use cassette_core::session::{BodyEnd, Session};

    use super::Unending;
    use crate::Cassette;

    const REPORT: &str = "cassette wiring: it failed\nhelp: mend it";

    /// Watches a session with this patience; what is told comes out of the channel.
    fn watched(patience: Duration) -> (crate::Session, Arc<Session>, Arc<Unending>, mpsc::Receiver<String>) {
        let owner = Cassette::builder("trains").mode(Mode::Off).allow_ci().open().unwrap();
        let session = Arc::clone(owner.cassette().as_scope().session().unwrap());
        let (tell, told) = mpsc::channel();
        let tell = Box::new(move |text: &str| tell.send(text.to_owned()).unwrap());
        let unending = Unending::watch_for(&session, &Arc::default(), patience, tell);
        (owner, session, unending, told)
    }

    fn fail(session: &Session) {
        session.fail(Report::Wiring(Wiring::new("it failed", "mend it")));
    }

    #[test]
    fn a_program_that_only_waits_is_told_of_once() {
        let (owner, session, unending, told) = watched(Duration::ZERO);
        fail(&session);
        let text = told.recv_timeout(Duration::from_secs(60)).unwrap();
        assert_eq!(
            text,
            format!("cassette `trains`: the test has failed and goes on, 0 seconds have passed since\n{REPORT}")
        );
        (0..200).for_each(|_| drop(session.begin(Call::function(Kind::Tool, "ask".to_owned(), Vec::new()))));
        unending.end();
        assert_eq!(told.try_recv(), Err(mpsc::TryRecvError::Empty));
        assert!(owner.finish().is_err());
    }

    #[test]
    fn so_is_one_that_tries_again_and_one_that_ends_soon_is_not() {
        let (owner, session, unending, told) = watched(Duration::MAX);
        fail(&session);
        (0..99).for_each(|_| drop(session.begin(Call::function(Kind::Tool, "ask".to_owned(), Vec::new()))));
        assert_eq!(told.try_recv(), Err(mpsc::TryRecvError::Empty));
        (0..200).for_each(|_| drop(session.begin(Call::function(Kind::Tool, "ask".to_owned(), Vec::new()))));
        let expected =
            format!("cassette `trains`: the test has failed and goes on, 100 calls have failed since\n{REPORT}");
        assert_eq!(told.try_iter().collect::<Vec<_>>(), [expected]);
        unending.end();
        assert!(unending.waiting.lock().unwrap().is_none(), "nothing is left to be said");
        assert!(owner.finish().is_err());

        let (owner, session, unending, told) = watched(Duration::MAX);
        session.finish(BodyEnd::Failed);
        unending.end();
        fail(&session);
        assert!(unending.waiting.lock().unwrap().is_none(), "none is started");
        assert_eq!(told.try_recv(), Err(mpsc::TryRecvError::Empty));
        drop(owner.finish());
    }
}

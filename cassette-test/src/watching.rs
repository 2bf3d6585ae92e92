//! Whether this thread is telling somebody of a call, and for how long.
//!
//! The call is under way until they have been told, so nobody may wait meanwhile for all calls to end. Whoever makes a call of their own
//! meanwhile may wait for the thread that tells them, for ever, and no verdict falls: so that is printed.

use std::cell::Cell;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use cassette_core::step::Step;

use crate::guard::spawn_exempt;
use crate::tell::tell_now;

/// How long somebody may take in silence.
const PATIENCE: Duration = Duration::from_secs(10);

thread_local! {
    static TELLING: Cell<bool> = const { Cell::new(false) };
}

/// Tells this of a call.
pub(crate) fn tell(watcher: &(impl Fn(&Step) + ?Sized), step: &Step) {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            TELLING.set(self.0);
        }
    }
    let _before = Before(TELLING.replace(true));
    let call = format!("call {}, {}", step.number, step.call.title());
    attend((PATIENCE, tell_now), &call, || watcher(step));
}

/// Returns whether somebody is being told.
pub(crate) fn is_telling() -> bool {
    TELLING.get()
}

/// A wait that ends with what is waited for.
struct Wait(Option<Sender<()>>, Option<JoinHandle<()>>);

impl Drop for Wait {
    fn drop(&mut self) {
        drop(self.0.take());
        let _ = self.1.take().map(JoinHandle::join);
    }
}

/// Lets somebody be told of this call, and says so where they do not return for long.
fn attend((patience, teller): (Duration, impl FnOnce(&str) + Send + 'static), call: &str, telling: impl FnOnce()) {
    let text = format!(
        "note: what `on_step` was given has been told of {call}, for {} seconds, and has not returned: the call waits for it\n\
         help: let it make no call through the cassette: the thread that would answer may be the one that tells it",
        patience.as_secs()
    );
    let (stop, stopped) = mpsc::channel();
    let thread = spawn_exempt("cassette-report", move || {
        if stopped.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
            teller(&text);
        }
    });
    // Without a thread nobody says so.
    let _wait = Wait(Some(stop), thread.ok());
    telling();
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::mpsc;
    use std::time::Duration;

    use super::attend;

    #[test]
    fn who_does_not_return_is_told_of_and_who_does_is_not() {
        let (tell, told) = mpsc::channel();
        let teller = move |text: &str| tell.send(text.to_owned()).unwrap();
        let mut said = String::new();
        attend((Duration::ZERO, teller.clone()), "call 3, GET http://trains/1", || {
            said = told.recv_timeout(Duration::from_secs(60)).unwrap();
        });
        assert_eq!(
            said,
            "note: what `on_step` was given has been told of call 3, GET http://trains/1, for 0 seconds, and has not returned: the \
             call waits for it\n\
             help: let it make no call through the cassette: the thread that would answer may be the one that tells it"
        );
        attend((Duration::MAX, teller.clone()), "call 4", || {});
        let panicked = catch_unwind(AssertUnwindSafe(|| attend((Duration::MAX, teller), "call 5", || panic!("boom"))));
        assert!(panicked.is_err());
        assert_eq!(told.try_recv(), Err(mpsc::TryRecvError::Disconnected), "no thread is left");
    }
}

//! Whether this thread is telling somebody of a call, and for how long.
//!
//! The call is under way until they have been told, so nobody may wait meanwhile for all calls to end. Whoever makes a call of their own
//! meanwhile may wait for the thread that tells them, for ever, and no verdict falls: so that is printed.

use std::cell::Cell;
use std::time::Duration;

use cassette_core::step::Step;

use crate::reminders::Reminders;
use crate::tell::tell_now;

/// How long somebody may take in silence.
const PATIENCE: Duration = Duration::from_secs(10);

thread_local! {
    static TELLING: Cell<bool> = const { Cell::new(false) };
}

/// Tells this of a call.
pub(crate) fn tell(reminders: &Reminders, watcher: &(impl Fn(&Step) + ?Sized), step: &Step) {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            TELLING.set(self.0);
        }
    }
    let _before = Before(TELLING.replace(true));
    let call = format!("call {}, {}", step.number, step.call.title());
    attend(reminders, (PATIENCE, tell_now), &call, || watcher(step));
}

/// Returns whether somebody is being told.
pub(crate) fn is_telling() -> bool {
    TELLING.get()
}

/// Lets somebody be told of this call, and says so where they do not return for long.
fn attend(
    reminders: &Reminders,
    (patience, teller): (Duration, impl FnOnce(&str) + Send + 'static),
    call: &str,
    telling: impl FnOnce(),
) {
    let text = format!(
        "note: what `on_step` was given has been told of {call}, for {} seconds, and has not returned: the call waits for it\n\
         help: let it make no call through the cassette: the thread that would answer may be the one that tells it",
        patience.as_secs()
    );
    let _reminder = reminders.after(patience, move || teller(&text));
    telling();
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::mpsc;
    use std::time::Duration;

    use super::attend;
    use crate::reminders::Reminders;

    #[test]
    fn who_does_not_return_is_told_of_and_who_does_is_not() {
        let (reminders, (tell, told)) = (Reminders::default(), mpsc::channel());
        let teller = move |text: &str| tell.send(text.to_owned()).unwrap();
        let mut said = String::new();
        attend(&reminders, (Duration::ZERO, teller.clone()), "call 3, GET http://trains/1", || {
            said = told.recv_timeout(Duration::from_secs(60)).unwrap();
        });
        assert_eq!(
            said,
            "note: what `on_step` was given has been told of call 3, GET http://trains/1, for 0 seconds, and has not returned: the \
             call waits for it\n\
             help: let it make no call through the cassette: the thread that would answer may be the one that tells it"
        );
        attend(&reminders, (Duration::MAX, teller.clone()), "call 4", || {});
        let panicked =
            catch_unwind(AssertUnwindSafe(|| attend(&reminders, (Duration::MAX, teller), "call 5", || panic!("boom"))));
        assert!(panicked.is_err());
        assert_eq!(told.try_recv(), Err(mpsc::TryRecvError::Disconnected), "nothing is left to be said");
    }
}

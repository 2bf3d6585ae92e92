//! A timer that needs no runtime.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

/// A timer by the machine's clock. It has a thread of its own, which ends with it.
#[derive(Debug)]
pub(crate) struct Alarm {
    bell: Arc<Mutex<Bell>>,
    _stop: Sender<()>,
}

#[derive(Debug, Default)]
struct Bell {
    rung: bool,
    sleeper: Option<Waker>,
}

impl Alarm {
    /// Returns an alarm that rings after so long; at once where the machine has no thread to give.
    pub(crate) fn after(length: Duration) -> Alarm {
        let bell = Arc::<Mutex<Bell>>::default();
        let (stop, stopped) = mpsc::channel::<()>();
        let ringing = Arc::clone(&bell);
        let thread = thread::Builder::new().name("cassette-alarm".to_owned()).spawn(move || {
            if stopped.recv_timeout(length) == Err(RecvTimeoutError::Timeout) {
                ring(&ringing);
            }
        });
        if thread.is_err() {
            ring(&bell);
        }
        Alarm { bell, _stop: stop }
    }

    /// Returns whether it has rung; if not, the task is woken when it does.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let mut bell = self.bell.lock().unwrap_or_else(PoisonError::into_inner);
        if bell.rung {
            return Poll::Ready(());
        }
        bell.sleeper = Some(cx.waker().clone());
        Poll::Pending
    }
}

fn ring(bell: &Mutex<Bell>) {
    let mut bell = bell.lock().unwrap_or_else(PoisonError::into_inner);
    bell.rung = true;
    let sleeper = bell.sleeper.take();
    drop(bell);
    if let Some(sleeper) = sleeper {
        sleeper.wake();
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::time::{Duration, Instant};

    use super::Alarm;

    #[tokio::test(start_paused = true)]
    async fn it_rings_by_the_machines_clock() {
        let started = Instant::now();
        let mut alarm = Alarm::after(Duration::from_millis(20));
        poll_fn(|cx| alarm.poll(cx)).await;
        assert!(started.elapsed() >= Duration::from_millis(20));
        poll_fn(|cx| alarm.poll(cx)).await;
    }
}

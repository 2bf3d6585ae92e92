//! The signals that ask the command to end, as something to wait for.

use std::io::{self, IsTerminal as _};
#[cfg(not(unix))]
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::runtime::Runtime;

/// What asks for the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    /// An interrupt, as a terminal sends it for Ctrl-C.
    Interrupt,
    /// A request to end, as `kill` sends it.
    Terminate,
}

/// Returns a runtime for waiting.
pub(super) fn runtime() -> io::Result<Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

/// The signals that ask for the end. From the moment they are made, none of them ends the command by itself.
#[cfg(unix)]
pub(super) struct Interrupts([(Signal, tokio::signal::unix::Signal); 2]);

#[cfg(unix)]
impl Interrupts {
    pub(super) fn new() -> io::Result<Interrupts> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Interrupts([
            (Signal::Interrupt, signal(SignalKind::interrupt())?),
            (Signal::Terminate, signal(SignalKind::terminate())?),
        ]))
    }

    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Signal> {
        // Each of them has to be asked, so that each of them wakes.
        let polled = self.0.each_mut().map(|(kind, signal)| signal.poll_recv(cx).is_ready().then_some(*kind));
        polled.into_iter().flatten().next().map_or(Poll::Pending, Poll::Ready)
    }
}

/// The signals that ask for the end.
#[cfg(not(unix))]
pub(super) struct Interrupts(Pin<Box<dyn Future<Output = io::Result<()>>>>);

#[cfg(not(unix))]
impl Interrupts {
    pub(super) fn new() -> io::Result<Interrupts> {
        Ok(Interrupts(Box::pin(tokio::signal::ctrl_c())))
    }

    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Signal> {
        let polled = self.0.as_mut().poll(cx).map(|_| Signal::Interrupt);
        if polled.is_ready() {
            self.0 = Box::pin(tokio::signal::ctrl_c());
        }
        polled
    }
}

/// Sends a program a signal, unless the terminal has sent it to both already.
#[cfg(unix)]
pub(super) fn hand_on(program: Option<u32>, signal: Signal) {
    use rustix::process::{Pid, Signal as Number, kill_process};
    let is_sent = signal == Signal::Interrupt && is_at_a_terminal();
    let program = program.and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    if let Some(program) = program.filter(|_| !is_sent) {
        let number = match signal {
            Signal::Interrupt => Number::INT,
            Signal::Terminate => Number::TERM,
        };
        // It may have ended just now.
        let _ = kill_process(program, number);
    }
}

/// Sends nothing: the console sends it to both.
#[cfg(not(unix))]
pub(super) fn hand_on(_: Option<u32>, _: Signal) {
    let _ = is_at_a_terminal;
}

fn is_at_a_terminal() -> bool {
    io::stdin().is_terminal() || io::stdout().is_terminal() || io::stderr().is_terminal()
}

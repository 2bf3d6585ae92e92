//! A call at which a run stops: in the debugger where there is one, else it is printed and the run goes on.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cassette_core::session::Session;
use cassette_core::step::{Source, Step};

use crate::sys::debugger;
use crate::tell::tell_now;
use crate::whereabouts::Whereabouts;

/// The calls at which one run stops.
#[derive(Debug, Default)]
pub(crate) struct Breakpoints(Mutex<Vec<Arc<Breakpoint>>>);

/// A call at which it does.
#[derive(Debug)]
struct Breakpoint {
    /// The call, from 1.
    call: usize,
    /// Whether the run had made it already.
    late: bool,
    met: AtomicBool,
}

impl Breakpoints {
    /// Lets the run stop at this call; a second time, nothing happens.
    pub(crate) fn set(&self, session: &Session, call: usize, place: &Whereabouts) {
        let late = session.call_count() >= call;
        let breakpoint = Arc::new(Breakpoint { call, late, met: AtomicBool::new(false) });
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.iter().any(|known| known.call == call) {
            return;
        }
        all.push(Arc::clone(&breakpoint));
        drop(all);
        let ignored = if place.rerun.ignored { " --ignored" } else { "" };
        let (cassette, test) = (session.name().to_owned(), format!("{} --exact{ignored}", place.rerun.test));
        session.on_step(move |step| {
            if step.number == call {
                breakpoint.met.store(true, Ordering::SeqCst);
                stop(&cassette, &test, step);
            }
        });
    }

    /// Tells of those that the run never came to.
    pub(crate) fn tell(&self, session: &Session) {
        for breakpoint in self.0.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            if !breakpoint.met.load(Ordering::SeqCst) {
                let (call, made) = (breakpoint.call, session.call_count());
                let why = match breakpoint.late {
                    true => "since it was made before the stop was asked for".to_owned(),
                    false => format!("since the run made {made}"),
                };
                tell_now(&format!("cassette `{}`: no stop at call {call}, {why}", session.name()));
            }
        }
    }
}

fn stop(cassette: &str, test: &str, step: &Step) {
    let held = debugger::holds_us();
    tell_now(&Stop { cassette, test, step, held }.to_string());
    if held {
        debugger::stop();
    }
}

/// What is printed of a stop.
struct Stop<'a> {
    cassette: &'a str,
    /// What the program is given to run the test alone.
    test: &'a str,
    step: &'a Step,
    /// Whether a debugger holds the process.
    held: bool,
}

impl fmt::Display for Stop<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stop { cassette, test, step, held } = self;
        let from = match step.source {
            Source::Recorded(interaction) => format!("served from interaction {interaction}"),
            _ => "answered live".to_owned(),
        };
        write!(f, "cassette `{cassette}`: stopped at call {}, {from}", step.number)?;
        step.to_string().lines().try_for_each(|line| write!(f, "\n  {line}"))?;
        if *held {
            return f
                .write_str("\n  the debugger has the thread that answers it: `thread apply all bt` shows the test's");
        }
        let program = std::env::current_exe().map(|path| path.display().to_string());
        let program = program.unwrap_or_else(|_| "<the test's program>".to_owned());
        write!(
            f,
            "\n  no debugger holds the program, so the run goes on\nhelp: CASSETTE_BREAK_AT={} rust-gdb --args {program} {test} --nocapture",
            step.number
        )
    }
}

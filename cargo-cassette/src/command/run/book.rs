//! What the tests of a run do, from the first cargo to the last: the mode, the budget, and the ledger that they keep.

use std::ffi::OsString;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::process::{Command, ExitStatus};
use std::task::Poll;

use cargo_cassette::temporary::Room;
use cassette_core::account::Money;
use cassette_core::env;
use cassette_core::ledger::{self, Entry};
use cassette_core::mode::Mode;
use cassette_core::settings::dollars;
use tokio::runtime::Runtime;

use super::left::Before;
use super::words::Words;
use super::{RunError, options::Runner};
use crate::command::around::Surroundings;
use crate::command::interrupts::{Interrupts, hand_on_to_all, runtime};

/// What is settled before anything is built.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    pub(super) mode: Mode,
    /// How much may be spent, as it was typed.
    budget: Option<String>,
    /// The journals that are no run's of this command.
    pub(super) before: Before,
}

/// The book of a run; the ledger goes with it.
pub(super) struct Book {
    pub(super) terms: Terms,
    room: Room,
    interrupts: Interrupts,
    runtime: Runtime,
    /// Whether somebody asked for the end.
    pub(super) is_interrupted: bool,
}

impl Terms {
    /// Returns the terms of a run, if it is allowed.
    pub(super) fn of(words: &Words, mode: Mode, around: &Surroundings) -> Result<Terms, RunError> {
        if mode != Mode::Replay && env::is_on("CI") && !env::is_on("CASSETTE_ALLOW_CI") {
            return Err(RunError::Ci(mode));
        }
        let budget = words.budget.clone();
        match budget.as_deref().filter(|budget| dollars(budget).is_none()) {
            Some(wrong) => {
                let again = around.with_value("--budget", wrong, "0.50");
                Err(RunError::Budget(wrong.to_owned(), again))
            }
            None => {
                Ok(Terms { mode, budget, before: if mode.records() { Before::of(around) } else { Before::default() } })
            }
        }
    }

    /// Returns how much may be spent, as far as it is said here and not in a file of a package's.
    pub(super) fn limit(&self) -> Option<Money> {
        dollars(&self.budget.clone().or_else(|| env::var("CASSETTE_BUDGET"))?)
    }
}

impl Book {
    /// Opens a book. From now on an interrupt ends cargo, and not this before it has summed up.
    pub(super) fn open(terms: Terms) -> Result<Book, RunError> {
        let runtime = runtime().map_err(RunError::Wait)?;
        let interrupts = {
            let _entered = runtime.enter();
            Interrupts::new().map_err(RunError::Wait)?.beside_programs()
        };
        let temporary = std::env::temp_dir();
        let room = Room::make(&temporary).map_err(|error| RunError::NoPlace(temporary, error))?;
        Ok(Book { terms, room, interrupts, runtime, is_interrupted: false })
    }

    /// Runs cargo with what it takes, and behind it what the tests take.
    pub(super) fn cargo(
        &mut self,
        words: &Words,
        (cargo, tests): (&[OsString], &[OsString]),
        around: &Surroundings,
    ) -> Result<ExitStatus, RunError> {
        let program = env::var("CARGO").filter(|program| !program.is_empty()).unwrap_or_else(|| "cargo".to_owned());
        let mut command = Command::new(&program);
        command.args(if words.runner == Runner::Nextest { &["nextest", "run"][..] } else { &["test"] }).args(cargo);
        if !tests.is_empty() {
            command.arg("--").args(tests);
        }
        let standpoint = &around.standpoint;
        command.current_dir(&standpoint.here);
        command.env("CASSETTE_MODE", self.terms.mode.as_str()).env(ledger::VARIABLE, self.room.file("ledger"));
        command.envs(self.terms.budget.iter().map(|budget| ("CASSETTE_BUDGET", budget)));
        command.envs(standpoint.dir.iter().map(|dir| ("CASSETTE_DIR", standpoint.here.join(dir))));
        self.finish(command).map_err(|error| RunError::Start(program, error))
    }

    /// Runs a program to its end, and hands on to it, and to the tests that it runs, what asks for the end.
    fn finish(&mut self, command: Command) -> io::Result<ExitStatus> {
        let Book { runtime, interrupts, is_interrupted, .. } = self;
        runtime.block_on(async {
            let mut child = tokio::process::Command::from(command).spawn()?;
            let id = child.id();
            let mut ended = pin!(child.wait());
            poll_fn(|cx| {
                loop {
                    if let Poll::Ready(ended) = ended.as_mut().poll(cx) {
                        return Poll::Ready(ended);
                    }
                    let Poll::Ready(signal) = interrupts.poll(cx) else { return Poll::Pending };
                    *is_interrupted = true;
                    if interrupts.is_ours_alone(signal) {
                        hand_on_to_all(id, signal);
                    }
                }
            })
            .await
        })
    }

    /// Returns what the tests wrote of themselves.
    pub(super) fn entries(&self) -> Result<Vec<Entry>, RunError> {
        let ledger = self.room.file("ledger");
        ledger::read(&ledger).map_err(|error| RunError::Ledger(ledger, error))
    }
}

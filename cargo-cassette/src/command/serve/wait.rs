//! Until when it is served: an interrupt, or the end of a program.

use std::ffi::OsString;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::process::ExitStatus;
use std::task::Poll;

use cargo_cassette::exit;
use cassette_core::env;

use super::ServeError;
use super::addresses::Address;
use crate::command::interrupts::{Interrupts, hand_on, runtime};

/// What ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::command) enum End {
    /// An interrupt.
    Interrupted,
    /// The program, with this code, or what shells make of the signal that ended it.
    Code(u8),
}

/// Waits for an interrupt. Whoever is told that it is `ready` may send one at once.
pub(in crate::command) fn for_interrupt<E: From<ServeError>>(ready: impl FnOnce() -> Result<(), E>) -> Result<End, E> {
    let failed = |error| E::from(ServeError::Wait(error));
    let runtime = runtime().map_err(failed)?;
    let mut interrupts = {
        let _entered = runtime.enter();
        Interrupts::new().map_err(failed)?
    };
    ready()?;
    runtime.block_on(poll_fn(|cx| interrupts.poll(cx)));
    Ok(End::Interrupted)
}

/// Runs a program that finds the addresses in its environment, and waits for its end. What asks for the end is handed on to it, and
/// when that is asked for once more it is killed.
pub(super) fn for_program(program: &[OsString], addresses: &[Address]) -> Result<End, ServeError> {
    let [name, arguments @ ..] = program else { return Ok(End::Code(0)) };
    let failed = |error| ServeError::Start(name.to_string_lossy().into_owned(), error);
    let mut command = tokio::process::Command::new(name);
    command.args(arguments).kill_on_drop(true);
    for address in addresses {
        match address {
            Address::Variable(variable, value, _) => _ = command.env(variable, value),
            Address::Key(variable, _) if env::var(variable).is_some_and(|value| !value.is_empty()) => {}
            Address::Key(variable, value) => _ = command.env(variable, value),
        }
    }
    let ended = runtime().map_err(failed)?.block_on(async {
        let mut interrupts = Interrupts::new()?.beside_programs();
        let mut child = command.spawn()?;
        let id = child.id();
        let mut ended = pin!(child.wait());
        let mut is_asked = false;
        let ended: Option<io::Result<ExitStatus>> = poll_fn(|cx| {
            loop {
                if let Poll::Ready(ended) = ended.as_mut().poll(cx) {
                    return Poll::Ready(Some(ended));
                }
                let Poll::Ready(signal) = interrupts.poll(cx) else { return Poll::Pending };
                if std::mem::replace(&mut is_asked, true) {
                    return Poll::Ready(None);
                }
                if interrupts.is_ours_alone(signal) {
                    hand_on(id, signal);
                }
            }
        })
        .await;
        ended.transpose()
    });
    Ok(ended.map_err(failed)?.map_or(End::Code(1), |status| End::Code(exit::code(status))))
}

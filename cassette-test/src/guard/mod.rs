//! The network guard: while a test replays, nothing leaves the machine; while it records, what does leave is noted.
//!
//! [`enter`] gives the thread, and each thread it creates from then on, a scope with a [`GuardPolicy`]. Each [`Attempt`]
//! to reach something outside is kept with its scope, also when the code under test swallows the error. What belongs to
//! the harness itself runs without a scope, see [`exempt()`]. Whether any of it holds on this machine is what
//! [`protection()`] finds out by trying.
#![cfg_attr(not(all(glibc, not(target_feature = "crt-static"))), allow(dead_code, reason = "nobody asks the judge"))]

mod attempt;
mod book;
mod children;
mod departed;
mod exempt;
mod judge;
#[cfg(feature = "_adapters")]
mod loan;
mod policy;
mod protection;
mod scope;
mod strict;

#[cfg(test)]
#[cfg(all(glibc, not(target_feature = "crt-static"), not(sanitized)))]
mod tests;

pub(crate) use attempt::{Attempt, tell_late};
#[cfg(test)]
pub(crate) use book::attempts;
pub(crate) use book::{ended, note_gateway, note_upstream};
pub(crate) use departed::{Visit, tell as tell_visits};
pub(crate) use exempt::exempt;
pub(crate) use exempt::spawn_exempt;
#[cfg(feature = "_adapters")]
pub(crate) use loan::Loan;
pub use policy::Guard;
pub(crate) use policy::{GuardMode, GuardPolicy, OnAttempt};
pub(crate) use protection::{Protection, protection};
pub(crate) use scope::{GuardScope, current, enter};
pub(crate) use strict::{Strict, is_strict, release};

pub(crate) use crate::sys::scope::ScopeId;

//! The verbs, a file each.
//!
//! A verb has a clap struct, which says what may be typed, and `run`, which takes it with the [`Surroundings`] and an
//! [`Output`](crate::output::Output) and tells whether something was [`Found`]. Its errors stand beside it; [`Failure`] wraps them.

mod around;
mod browse;
mod by_hand;
mod failure;
mod form;
mod in_force;
mod in_plain;
mod interrupts;
mod named;
mod page;
mod settling;
mod transcript;
mod undecided;

pub(crate) mod run;
pub(crate) mod serve;
pub(crate) mod list;
pub(crate) mod status;
pub(crate) mod show;
pub(crate) mod stats;
pub(crate) mod review;
pub(crate) mod accept;
pub(crate) mod reject;
pub(crate) mod recover;
pub(crate) mod lint;
pub(crate) mod prune;
pub(crate) mod delete;
pub(crate) mod fork;
pub(crate) mod seal;
pub(crate) mod scrub;
pub(crate) mod compact;
pub(crate) mod diff;
pub(crate) mod import;
pub(crate) mod export;
pub(crate) mod init;
pub(crate) mod completions;
pub(crate) mod textconv;
pub(crate) mod mcp;

pub(crate) use around::Surroundings;
pub(crate) use failure::Failure;

/// Whether there is something that a person has to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Nothing,
    Something,
    /// What another program ended with, whose exit code is handed on.
    Ended(u8),
}

impl Found {
    /// Returns that there is something, if it is so.
    fn something_if(so: bool) -> Found {
        if so { Found::Something } else { Found::Nothing }
    }
}

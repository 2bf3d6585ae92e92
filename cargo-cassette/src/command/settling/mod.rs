//! What the verbs share that settle what was not taken over, or mend files at rest.
//!
//! A [`Waiting`] file is one of those; a [`Chore`] is what a verb does with each. [`settle`] is the one way in which a recording is
//! accepted or rejected, whoever asks for it, and [`mend`] the one in which a cassette at rest is written anew.

mod error;
mod waiting;
mod refused;
mod chore;
mod verdict;
mod question;
pub(super) mod verdicts;
mod mending;

pub(crate) use error::SettlingError;
pub(crate) use mending::Mending;
pub(crate) use verdicts::Settling;

pub(super) use chore::{Chore, Form, each};
pub(super) use mending::{Mended, meant, mend};
pub(super) use question::{against, consequence, why};
pub(super) use refused::{Of, Refused, help, refused, refused_lines};
pub(super) use verdict::{Comes, Run, Verdict, becomes, beside, proved, settle, settle_unseen};
pub(super) use waiting::{Waiting, chosen, once, pending, waiting};

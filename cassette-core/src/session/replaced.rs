//! The file that a recording replaces: the one that was opened, and no other.

use super::state::State;
use super::summary::Summary;
use super::{Plan, Shared, aside};
use crate::pending::{Over, Pending, Reason};
use crate::prove::Proven;
use crate::report::{Report, Why};
use crate::store::{self, StoreError};
use crate::tape::Tape;

impl Shared {
    /// Saves what was recorded over the file that was opened, and over no other.
    pub(super) fn save(&self, proven: &Proven) -> Result<(), StoreError> {
        store::promote(&*self.plan.store, &self.plan.name, proven, &self.opened)
    }

    /// Takes the file for what was recorded, which says the same, and forgets what was pending, as [`Shared::save`] does.
    pub(super) fn confirmed(&self) -> Result<(), StoreError> {
        self.unmoved().and_then(|()| self.plan.store.drop_pending(&self.plan.name))
    }

    /// Refuses a file that is not the one that was opened any more.
    pub(super) fn unmoved(&self) -> Result<(), StoreError> {
        let Plan { store, name, .. } = &self.plan;
        let since = self.opened.since(&Over::of(store.load(name)?.as_deref()));
        since.map_or(Ok(()), |since| Err(StoreError::Meanwhile(store.place(name), since)))
    }

    /// Keeps what could not be saved, for whatever reason, and says so.
    pub(super) fn unsaved(&self, state: &mut State, tape: Tape, error: StoreError, summary: &mut Summary) -> Report {
        match error {
            StoreError::Meanwhile(file, since) => {
                let why = Why::Meanwhile(file, since);
                self.set_aside(state, tape, aside::reason(&why), summary);
                self.plan.pending(why, summary)
            }
            error => {
                self.set_aside(state, tape, Pending::new(Reason::Unsaved, Vec::new()), summary);
                self.plan.storage(error)
            }
        }
    }
}

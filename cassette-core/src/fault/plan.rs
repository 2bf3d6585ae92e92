//! The faults of a run: what was planned, and what has fired.

use std::collections::BTreeSet;

use super::{At, Fault};
use crate::reply::Outcome;

/// The faults of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults {
    planned: Vec<Planned>,
    met: Vec<Met>,
    /// The recordings that a fault stood before or damaged, and that may be asked for again, or left.
    open: BTreeSet<usize>,
}

#[derive(Clone, Debug)]
struct Planned {
    fault: Fault,
    fired: bool,
    /// Why it could not fire at its call.
    unfit: Option<String>,
}

/// A fault that has fired.
#[derive(Clone, Debug)]
pub(crate) struct Met {
    pub(crate) fault: Fault,
    /// Which call of the run over HTTP it was, from 1.
    pub(crate) http: usize,
    /// Which call of the run it was, from 0.
    pub(crate) call: usize,
    /// The recording that it stood before or damaged.
    pub(crate) index: usize,
    /// How the call ended, as a transcript may show it.
    pub(crate) shown: Outcome,
}

impl Faults {
    /// Plans a fault, where so many calls over HTTP have been made.
    ///
    /// # Errors
    ///
    /// Fails with the reason where the fault is none, comes too late, or stands where another does.
    pub(crate) fn plan(&mut self, fault: Fault, made: usize) -> Result<(), String> {
        if let Some(mistake) = fault.mistake() {
            return Err(mistake);
        }
        if let At::Call(call) = fault.at
            && call <= made
        {
            return Err(format!("call {call} had been made before the fault `{fault}` was planned for it"));
        }
        if let Some(other) = self.planned.iter().find(|planned| planned.fault.at == fault.at) {
            let place = match fault.at {
                At::Call(call) => format!("call {call}"),
                At::Each => "each call".to_owned(),
                At::Recording(index) => format!("recording {}", index + 1),
            };
            return Err(format!("two faults are planned for {place}, `{}` and `{fault}`", other.fault));
        }
        self.planned.push(Planned { fault, fired: false, unfit: None });
        Ok(())
    }

    /// Returns the fault for this call over HTTP, which is to be served this recording, with its place in the plan.
    pub(crate) fn at(&self, http: usize, index: usize) -> Option<(usize, &Fault)> {
        let find = |at: At| self.planned.iter().position(|planned| planned.fault.at == at);
        let first = || find(At::Recording(index)).filter(|which| !self.planned[*which].fired);
        let which = find(At::Call(http)).or_else(first).or_else(|| find(At::Each))?;
        Some((which, &self.planned[which].fault))
    }

    /// Notes that a fault fired.
    pub(crate) fn fire(&mut self, which: usize, met: Met) {
        if !met.fault.is_harmless() {
            self.open.insert(met.index);
        }
        self.planned[which].fired = true;
        self.met.push(met);
    }

    /// Notes why a fault did not fire at its call.
    pub(crate) fn miss(&mut self, which: usize, why: String) {
        self.planned[which].unfit.get_or_insert(why);
    }

    /// Notes that a recording was served whole.
    pub(crate) fn close(&mut self, index: usize) {
        self.open.remove(&index);
    }

    /// Returns whether this recording may be asked for again, or left.
    pub(crate) fn is_open(&self, index: usize) -> bool {
        self.open.contains(&index)
    }

    /// Returns what has fired, in order.
    pub(crate) fn met(&self) -> &[Met] {
        &self.met
    }

    /// Returns whether any fault was planned.
    pub(crate) fn is_any_planned(&self) -> bool {
        !self.planned.is_empty()
    }

    /// Returns the fault that this call of the run met, counted from 0.
    pub(crate) fn met_by(&self, call: usize) -> Option<&Met> {
        self.met.iter().find(|met| met.call == call)
    }

    /// Returns whether a fault has fired that a program need not get over.
    pub(crate) fn have_harmed(&self) -> bool {
        self.met.iter().any(|met| !met.fault.is_harmless())
    }

    /// Returns the faults that have not fired, in the order in which they were planned, with the reason where their call was
    /// made.
    pub(crate) fn unfired(&self) -> impl Iterator<Item = (&Fault, Option<&str>)> {
        let unfired = self.planned.iter().filter(|planned| !planned.fired);
        unfired.map(|planned| (&planned.fault, planned.unfit.as_deref()))
    }
}

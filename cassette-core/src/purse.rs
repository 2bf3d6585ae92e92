//! How much may be spent live, and how much is.
//!
//! A session asks before a call goes live (`Purse::admit`) and tells what its answer took. What holds: once the known cost
//! reaches the limit, nothing more goes live; calls that were under way then are finished and kept. A call whose cost nobody
//! knows beforehand, and any model call after one whose cost nobody knows, be it that its answer does not count or that none came, does not go live at all. What the user's own
//! functions spend is not seen.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::account::{Money, Prices, Worth, worth};
use crate::call::Call;
use crate::ledger::{self, Entry, Spending};
use crate::report::Short;

/// How much may be spent live, at which prices.
#[derive(Clone, Debug, Default)]
pub struct Purse {
    /// How much may be spent; `None` where it is only counted.
    pub limit: Option<Money>,
    /// The prices.
    pub prices: Arc<Prices>,
    /// What is spent: of all sessions that share it.
    pub spent: Arc<Spent>,
}

/// What is spent, by every session that shares it; through a ledger, also by those of other processes.
#[derive(Debug, Default)]
pub struct Spent {
    ledger: Option<PathBuf>,
    own: Mutex<Spending>,
}

impl Spent {
    /// Returns what is spent by this process alone, nothing so far.
    pub fn alone() -> Spent {
        Spent::default()
    }

    /// Returns what is spent by every process that writes into this ledger.
    pub fn together(ledger: PathBuf) -> Spent {
        Spent { ledger: Some(ledger), own: Mutex::default() }
    }

    fn so_far(&self) -> Result<Spending, Short> {
        let Some(file) = &self.ledger else {
            return Ok(self.own.lock().unwrap_or_else(PoisonError::into_inner).clone());
        };
        let entries =
            ledger::read(file).map_err(|error| Short::Unkept(file.display().to_string(), error.to_string()))?;
        let spent = entries.into_iter().filter_map(|entry| match entry {
            Entry::Spent(spent) => Some(spent),
            Entry::Began(_) | Entry::Ended(_) => None,
        });
        Ok(spent.fold(Spending::default(), and))
    }
}

impl Purse {
    /// Returns why this call may not go live, if it may not.
    pub(crate) fn admit(&self, call: &Call) -> Result<(), Short> {
        let Some(limit) = self.limit else { return Ok(()) };
        let so_far = self.spent.so_far()?;
        if so_far.cost >= limit {
            return Err(Short::Reached(so_far.cost));
        }
        match worth(call, &self.prices) {
            Worth::Unknown(model) => Err(Short::Unpriced(model)),
            Worth::Priced if so_far.unknown > 0 => Err(Short::Uncounted(so_far.model)),
            Worth::Priced if so_far.unanswered > 0 => Err(Short::Unanswered(so_far.model)),
            Worth::Priced | Worth::Nothing => Ok(()),
        }
    }

    /// Notes what an answer took.
    pub(crate) fn pay(&self, spending: Spending) -> Result<(), Short> {
        match &self.spent.ledger {
            Some(file) => ledger::append(file, &Entry::Spent(spending))
                .map_err(|error| Short::Unkept(file.display().to_string(), error.to_string())),
            None => {
                let mut own = self.spent.own.lock().unwrap_or_else(PoisonError::into_inner);
                *own = and(std::mem::take(&mut *own), spending);
                Ok(())
            }
        }
    }
}

fn and(so_far: Spending, more: Spending) -> Spending {
    Spending {
        cost: so_far.cost + more.cost,
        unknown: so_far.unknown + more.unknown,
        unanswered: so_far.unanswered + more.unanswered,
        own: so_far.own + more.own,
        model: if more.unknown > 0 || more.unanswered > 0 { more.model } else { so_far.model },
    }
}

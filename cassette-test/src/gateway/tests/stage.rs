//! A gateway with a notebook behind it.

use std::sync::Arc;

use cassette_core::call::Call;
use cassette_core::reply::Outcome;

use super::notebook::Notebook;
use crate::gateway::Gateways;
use crate::options::Pace;
use crate::wire::Desk;
use crate::wire::Limits;

/// Gateways in front of a notebook.
pub(super) struct Stage {
    pub(super) gateways: Gateways,
    pub(super) notebook: Arc<Notebook>,
}

impl Stage {
    pub(super) fn live() -> Stage {
        Stage { gateways: Gateways::new(Pace::Instant), notebook: Notebook::live() }
    }

    pub(super) fn limited(limits: Limits, notebook: Arc<Notebook>) -> Stage {
        Stage { gateways: Gateways::limited(limits), notebook }
    }

    pub(super) fn replay(written: Vec<(Call, Outcome)>) -> Stage {
        Stage { gateways: Gateways::new(Pace::Instant), notebook: Notebook::replay(written) }
    }

    /// Returns the gateway's URL for this one.
    pub(super) fn url(&self, url: &str) -> String {
        let desk = Arc::clone(&self.notebook);
        self.gateways.address(None, url, move || Arc::new(desk) as Arc<dyn Desk>).unwrap()
    }
}

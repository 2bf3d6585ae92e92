//! What a run may spend live, and the book that it keeps of it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use cassette_core::account::{Money, Prices};
use cassette_core::mode::Mode;
use cassette_core::pricing;
use cassette_core::purse::{Purse, Spent};
use cassette_core::report::{Refused, Report};
use cassette_core::settings::{Settings, dollars};

use crate::mistyped::shown;
use crate::options::Surroundings;

/// Returns the purse of a session; `None` where nothing is spent, or nobody asks how much.
///
/// What is spent is the process's, whichever session spends it; with a ledger it is that of all processes which keep it.
///
/// # Errors
///
/// Fails for a budget that is no amount, whatever the mode, and for a table of prices that cannot be read.
pub(crate) fn purse(surroundings: &Surroundings, settings: &Settings, mode: Mode) -> Result<Option<Purse>, Report> {
    static SPENT: OnceLock<Arc<Spent>> = OnceLock::new();
    let limit = limit(&surroundings.budget, settings)?;
    if surroundings.ledger.is_none() && (limit.is_none() || mode == Mode::Replay) {
        return Ok(None);
    }
    let together = |ledger: &PathBuf| Spent::together(ledger.clone());
    let spent = SPENT.get_or_init(|| Arc::new(surroundings.ledger.as_ref().map_or_else(Spent::alone, together)));
    let prices = Arc::new(prices(settings.prices_file.as_deref())?);
    Ok(Some(Purse { limit, prices, spent: Arc::clone(spent) }))
}

/// Returns how much may be spent: what the variable says over what the settings do.
///
/// # Errors
///
/// Fails for what is no amount.
pub(crate) fn limit(variable: &str, settings: &Settings) -> Result<Option<Money>, Report> {
    if variable.is_empty() {
        return Ok(settings.budget);
    }
    let wrong = || {
        let what = format!("CASSETTE_BUDGET is `{}`, which is no amount of dollars", shown(variable));
        Report::Refused(Refused::new(what, "write it as `0.50`; unset, what goes live is not limited"))
    };
    dollars(variable).map(Some).ok_or_else(wrong)
}

fn prices(file: Option<&Path>) -> Result<Prices, Report> {
    let refused = |what: String| Report::Refused(Refused::new(what, "mend `prices_file` in cassette.toml"));
    let mut prices = pricing::own().map_err(|error| refused(format!("the table of prices: {error}")))?.prices;
    if let Some(file) = file {
        let shown = file.display();
        let text = std::fs::read_to_string(file);
        let text = text.map_err(|error| refused(format!("{shown} could not be read: {error}")))?;
        let own = pricing::read(&text).map_err(|error| refused(format!("{shown} is no table of prices: {error}")))?;
        prices.extend(own.prices);
    }
    Ok(prices)
}

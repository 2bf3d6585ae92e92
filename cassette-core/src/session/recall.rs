//! What is recorded of a call, for a program whose test has failed already.

use super::begin::Served;
use super::{Session, gateways};
use crate::call::Call;
use crate::fault::Enacted;

impl Session {
    /// Returns what is recorded of a call, served or not, for a program that is being torn down: its test has failed, and a
    /// destructor that is failed too would end the whole process. Nothing is noted.
    pub fn recall(&self, call: &Call) -> Option<Served> {
        let mut state = self.shared.state();
        let call = &gateways::addressed(call, &state.gateways).unwrap_or_else(|| call.clone());
        let matches = self.shared.with_lookup(&mut state, |lookup, asking| lookup.find(call, asking));
        let index = matches.unused.first().copied().or(matches.last)?;
        drop(state);
        let enacted = Enacted { outcome: self.shared.outcome(index), stalls: false };
        Some(self.served(call, index, enacted))
    }
}

//! Addresses that a recorded reply gave: those of the gateways of the run that was recorded.

use super::super::Shared;
use super::super::state::State;
use super::{Stands, addressed, ports};
use crate::call::Call;
use crate::reply::Outcome;

impl Shared {
    /// Returns a call that speaks of a gateway of the run that was recorded, as a reply which was served named it, as that run was
    /// recorded: it speaks of a server. Only the recordings tell of which, so there has to be one of the call, and of no other server.
    pub(in super::super) fn given_then(&self, call: &Call, state: &mut State) -> Option<Call> {
        if state.gateways.is_empty() {
            return None;
        }
        let is_given = |port: &u16, state: &State| {
            let served = state.used.iter().zip(&self.tape.interactions).filter(|(used, _)| **used);
            let mut replies = served.filter_map(|(_, interaction)| match &interaction.outcome {
                Outcome::Reply(reply) => Some(reply),
                Outcome::Error(_) => None,
            });
            let is_own = state.gateways.iter().any(|(own, _)| own == port);
            !is_own && replies.any(|reply| ports(&String::from_utf8_lossy(&reply.body())).contains(port))
        };
        let mut named = ports(&call.name);
        named.extend(ports(&String::from_utf8_lossy(&call.body)));
        let is_recorded = |call: &Call, state: &mut State| {
            let found = self.with_lookup(state, |lookup, asking| lookup.find(call, asking));
            !found.unused.is_empty()
        };
        if named.is_empty() || is_recorded(call, state) {
            return None;
        }
        named.retain(|port| is_given(port, state));
        if named.is_empty() {
            return None;
        }
        let mut servers: Vec<String> = state.gateways.iter().map(|(_, server)| server.clone()).collect();
        servers.sort_unstable();
        servers.dedup();
        let standing = |server: &String| -> Vec<Stands> { named.iter().map(|port| (*port, server.clone())).collect() };
        let read: Vec<Call> = servers.iter().filter_map(|server| addressed(call, &standing(server))).collect();
        let mut recorded = read.into_iter().filter(|call| is_recorded(call, state));
        let one = recorded.next()?;
        recorded.next().is_none().then_some(one)
    }
}

//! Requests of which a recording has no more to say.

use super::client::failed;
use super::connection::{Connection, Say};
use crate::report::Report;

/// A request of the client's that is answered no more: when it was recorded, the client gave it up. It may do so again, and the
/// connection may not know of it; whoever waits for long waits for what never came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withheld {
    /// The number of the request on its connection.
    pub number: u64,
    /// The position of its recording in the file, from 0.
    pub index: usize,
    /// The name under which it was recorded.
    pub name: String,
    /// How many messages were recorded.
    pub events: usize,
}

impl Connection {
    /// Returns the requests that are answered no more and have not been given up.
    pub fn withheld(&self) -> impl Iterator<Item = &Withheld> {
        self.turns.iter().filter_map(|turn| turn.withheld.as_ref())
    }

    /// Ends the wait of the client for one of those: it is given the report.
    pub fn overdue(&mut self, number: u64, report: &Report) -> Vec<Say> {
        let id = self.turn(number).filter(|turn| turn.withheld.is_some()).map(|turn| turn.id.clone());
        id.and_then(|id| self.take_turn(&id)).map(|turn| failed(&turn.id, report)).into_iter().collect()
    }
}

//! What is known of a connection.

use std::collections::HashSet;

use super::asked::Question;
use super::leg::Leg;
use super::withheld::Withheld;
use crate::call::Kind;
use crate::reply::{TransportError, Truncation};
use crate::session::Ticket;

/// What a seam is to do, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Say {
    /// Give the client this message.
    Client(String),
    /// Give the server this message; where there is none yet, it is wanted now.
    Server(String),
    /// Close the connection to the client: the server went away when this was recorded.
    HangUp,
}

/// One connection between a client and its server.
#[derive(Debug, Default)]
pub struct Connection {
    /// What the server is called in the recording.
    pub(super) server: Option<String>,
    /// The requests of the client's that have not been answered, in order.
    pub(super) turns: Vec<Turn>,
    /// What the server says unasked, since the last notification of the client's.
    pub(super) aside: Option<Leg>,
    /// What it said while there was nothing to keep it with.
    pub(super) loose: Vec<String>,
    /// What a recorded server says unasked, each with how many requests were answered before.
    pub(super) due: Vec<(u64, String)>,
    pub(super) questions: Vec<Question>,
    /// The ids of the requests that the client gave up.
    pub(super) given_up: HashSet<String>,
    /// The ids of the pings that the server has still to answer.
    pub(super) pinged: HashSet<String>,
    /// The ids of the pings that the client has still to answer.
    pub(super) pings: HashSet<String>,
    /// How many requests have been answered, but for those that were made while a function ran.
    pub(super) answered: u64,
    /// How many requests and recorded questions there were.
    pub(super) count: u64,
    pub(super) meeting: Meeting,
}

/// A request that has not been answered.
#[derive(Debug)]
pub(super) struct Turn {
    /// Its number on this connection.
    pub(super) number: u64,
    /// The client's id of it.
    pub(super) id: String,
    /// The client's token for its progress.
    pub(super) token: Option<String>,
    pub(super) kind: Kind,
    /// Whether its answer counts among those that say when something comes unasked: not where it was made while a function
    /// ran, for a replay that serves the function does without it.
    pub(super) counts: bool,
    /// What it was served, where there is no more to come.
    pub(super) withheld: Option<Withheld>,
    /// What is recorded of it now; `None` where it is served.
    pub(super) leg: Option<Leg>,
}

/// What the server knows of the client.
#[derive(Debug)]
pub(super) enum Meeting {
    /// Nothing: what the client said by way of introduction was answered by a recording.
    Unmet(Vec<String>),
    /// It has been greeted in the client's name, and has not answered yet: this is to be said then.
    Greeted(Vec<String>),
    /// Whatever the client has said.
    Met,
}

impl Default for Meeting {
    fn default() -> Meeting {
        Meeting::Unmet(Vec::new())
    }
}

impl Connection {
    /// Returns a connection to the only server.
    pub fn new() -> Connection {
        Connection::default()
    }

    /// Returns a connection to the server that the recording calls so: of several, each has to be told from the others.
    pub fn to(server: &str) -> Connection {
        Connection { server: Some(server.to_owned()), ..Connection::default() }
    }

    /// Returns what the recording calls the server, if it does.
    pub fn server(&self) -> Option<&str> {
        self.server.as_deref()
    }

    /// Notes that the server went away, by itself.
    pub fn server_gone(&mut self, error: &TransportError) -> Vec<Say> {
        for turn in std::mem::take(&mut self.turns) {
            if let Some(leg) = turn.leg {
                leg.break_off(error);
            }
        }
        vec![Say::HangUp]
    }

    /// Ends the connection: the client has gone, or its test has. What the server has said by now is recorded.
    pub fn close(&mut self) {
        for turn in std::mem::take(&mut self.turns) {
            if let Some(leg) = turn.leg {
                leg.file(Some(Truncation::Client));
            }
        }
        if let Some(aside) = self.aside.take() {
            aside.file_aside();
        }
    }

    /// Returns the next number.
    pub(super) fn next(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    /// Returns a leg that starts with what was said before there was one.
    pub(super) fn leg(&mut self, ticket: Ticket) -> Leg {
        let mut leg = Leg::new(ticket);
        self.loose.drain(..).for_each(|text| leg.keep(text));
        leg
    }

    pub(super) fn turn(&mut self, number: u64) -> Option<&mut Turn> {
        self.turns.iter_mut().find(|turn| turn.number == number)
    }

    /// Takes out the request of this id.
    pub(super) fn take_turn(&mut self, id: &str) -> Option<Turn> {
        let at = self.turns.iter().position(|turn| turn.id == id)?;
        Some(self.turns.remove(at))
    }
}

//! What a live server says.

use super::asked::{By, Question};
use super::client::GREETING;
use super::connection::{Connection, Meeting, Say};
use crate::json::{Json, Layout};
use crate::report::{Report, Wiring};
use crate::rpc::{Message, PING, STAND_IN, What, replaced};
use crate::session::Session;

impl Connection {
    /// Takes a line of the server's. One that is no message, such as a log's, is kept as it came: what the client makes of it, it
    /// makes of it again. One that no recording can hold fails the recording: a replay would be without it.
    pub fn from_server(&mut self, text: &str, session: &Session) -> Vec<Say> {
        let given = vec![Say::Client(text.to_owned())];
        let message = match Message::read(text) {
            Ok(message) => message,
            Err(_) if text.trim().is_empty() => return given,
            Err(why) => {
                if speaks(text) {
                    refuse(
                        session,
                        &format!("what is no message: {why}"),
                        "let it send one message of JSON-RPC 2.0 a line",
                    );
                } else {
                    self.keep_line(text);
                }
                return given;
            }
        };
        let text = message.text.as_str();
        match &message.what {
            What::Answer { id } if id == GREETING => return self.greeted(),
            What::Answer { id } if self.pinged.remove(id) => {}
            What::Request { id, method } if method == PING => drop(self.pings.insert(id.clone())),
            What::Answer { id } => {
                let turn = self.take_turn(id);
                // An answer may cross the word that gives its request up.
                if turn.is_none() && !self.given_up.contains(id) {
                    refuse(
                        session,
                        &format!("an answer under the id {id}, of which no request waits for one"),
                        "let it answer each request once",
                    );
                }
                self.answered += u64::from(turn.as_ref().is_some_and(|turn| turn.counts));
                // Before the client has it: a test that has its answer may end at once.
                if let Some(mut leg) = turn.and_then(|turn| turn.leg) {
                    leg.keep(replaced(text, &["id"], STAND_IN));
                    leg.file(None);
                }
            }
            What::Request { id, method } => {
                let turn = self.newest();
                let (method, params) = (method.clone(), message.params());
                self.questions.push(Question { id: id.clone(), method, params, turn, by: By::Server });
                self.keep(turn, replaced(text, &["id"], STAND_IN));
            }
            What::Notice { method } if method == "notifications/progress" => {
                let token = message.spelled(&["params", "progressToken"]);
                let of = self.turns.iter().find(|turn| turn.token.as_deref() == token && turn.leg.is_some());
                match of.map(|turn| turn.number) {
                    Some(turn) => self.keep(Some(turn), replaced(text, &["params", "progressToken"], STAND_IN)),
                    None => self.keep(self.newest(), text.to_owned()),
                }
            }
            What::Notice { method } if method == "notifications/cancelled" => {
                let id = message.spelled(&["params", "requestId"]).unwrap_or_default();
                let at = self.questions.iter().position(|question| question.id == id);
                match at.map(|at| self.questions.remove(at)) {
                    Some(question) => self.keep(question.turn, replaced(text, &["params", "requestId"], STAND_IN)),
                    None => self.keep(self.newest(), text.to_owned()),
                }
            }
            What::Notice { .. } => self.keep(self.newest(), text.to_owned()),
        }
        given
    }

    /// Returns the number of the request that was made last, of those that are live: a message that names none is taken to be
    /// in its course.
    fn newest(&self) -> Option<u64> {
        self.turns.iter().rev().find(|turn| turn.leg.is_some()).map(|turn| turn.number)
    }

    /// Keeps a line that is no message, where a message would stand that names no request.
    fn keep_line(&mut self, line: &str) {
        let line = Json::from(line).print(Layout::Compact);
        let turn = self.newest().and_then(|number| self.turn(number)).and_then(|turn| turn.leg.as_mut());
        if let Some(leg) = turn {
            return leg.keep(format!(r#"{{"line":{line}}}"#));
        }
        match &mut self.aside {
            Some(aside) => aside.keep(format!(r#"{{"after":{},"line":{line}}}"#, self.answered)),
            None => self.loose.push(format!(r#"{{"line":{line}}}"#)),
        }
    }

    /// Keeps a message in the course of this request, or as one that came unasked.
    fn keep(&mut self, turn: Option<u64>, text: String) {
        let asking = turn.and_then(|number| self.turn(number)).and_then(|turn| turn.leg.as_mut());
        if let Some(leg) = asking {
            return leg.keep(text);
        }
        match &mut self.aside {
            Some(aside) => aside.keep(format!(r#"{{"after":{},"message":{text}}}"#, self.answered)),
            None => self.loose.push(text),
        }
    }

    /// Says to a server that has been greeted what waited for that.
    fn greeted(&mut self) -> Vec<Say> {
        match std::mem::replace(&mut self.meeting, Meeting::Met) {
            Meeting::Greeted(waiting) => waiting.into_iter().map(Say::Server).collect(),
            Meeting::Unmet(_) | Meeting::Met => Vec::new(),
        }
    }
}

/// Returns whether a line that is no message is meant as one, or as several: with the ids in it, it would be given again to a
/// client that counts other ones.
fn speaks(line: &str) -> bool {
    match Json::parse(line.trim()) {
        Ok(Json::Array(messages)) => messages.iter().any(|message| message.get("jsonrpc").is_some()),
        Ok(message) => message.get("jsonrpc").is_some(),
        Err(_) => false,
    }
}

/// Fails the recording of what a server said.
fn refuse(session: &Session, what: &str, help: &str) {
    if session.mode().records() {
        session.fail(Report::Wiring(Wiring::new(format!("an MCP server said {what}"), help)));
    }
}

//! What a recorded server says.

use super::asked::{By, Question};
use super::connection::{Connection, Say};
use super::leg;
use super::withheld::Withheld;
use crate::json::Json;
use crate::reply::{Outcome, Truncation};
use crate::rpc::{Message, STAND_IN, What, replaced, value};
use crate::session::Served;

impl Connection {
    /// Says what was recorded, in the course of this request, or unasked.
    pub(super) fn serve(&mut self, turn: Option<u64>, served: &Served) -> Vec<Say> {
        let reply = match &*served.outcome {
            Outcome::Reply(reply) => reply,
            Outcome::Error(_) => return vec![Say::HangUp],
        };
        let mut said = Vec::new();
        let messages = leg::messages(reply);
        for text in &messages {
            let (after, text) = unwrapped(text);
            match turn {
                Some(_) => self.give(turn, &text, &mut said),
                None => self.due.push((after, text)),
            }
        }
        self.release(&mut said);
        let asking = turn.and_then(|number| self.turn(number));
        match (reply.truncated, asking) {
            (Some(Truncation::Client | Truncation::Left), Some(turn)) => {
                let (index, name, events) = (served.index, served.name.clone(), messages.len());
                turn.withheld = Some(Withheld { number: turn.number, index, name, events });
            }
            (Some(Truncation::Upstream), _) => said.push(Say::HangUp),
            _ => {}
        }
        said
    }

    /// Says what a recorded server says unasked, as far as it is due.
    fn release(&mut self, said: &mut Vec<Say>) {
        while let Some((after, _)) = self.due.first()
            && *after <= self.answered
        {
            let (_, text) = self.due.remove(0);
            self.give(None, &text, said);
        }
    }

    /// Gives the client one recorded message, with the ids of its own connection.
    fn give(&mut self, turn: Option<u64>, text: &str, said: &mut Vec<Say>) {
        let Ok(message) = Message::read(text) else {
            // No message: the client is to make of it what it made then.
            said.push(Say::Client(text.to_owned()));
            return;
        };
        let asking = turn.and_then(|number| self.turn(number));
        let given = match &message.what {
            What::Answer { .. } => {
                let Some((id, counts)) = asking.map(|turn| (turn.id.clone(), turn.counts)) else { return };
                self.take_turn(&id);
                self.answered += u64::from(counts);
                replaced(text, &["id"], &id)
            }
            What::Request { method, .. } => {
                let id = format!("\"cassette-{}\"", self.next());
                let (method, params) = (method.clone(), message.params());
                self.questions.push(Question { id: id.clone(), method, params, turn, by: By::Recording });
                replaced(text, &["id"], &id)
            }
            What::Notice { method } => {
                let (path, by): (&[&str], _) = match method.as_str() {
                    "notifications/progress" => {
                        (&["params", "progressToken"], asking.and_then(|turn| turn.token.clone()))
                    }
                    "notifications/cancelled" => (&["params", "requestId"], self.take_question(turn)),
                    _ => (&[], None),
                };
                let stands_in = message.spelled(path) == Some(STAND_IN);
                by.filter(|_| stands_in).map_or_else(|| text.to_owned(), |by| replaced(text, path, &by))
            }
        };
        said.push(Say::Client(given));
    }

    /// Takes back the last question that was put in the course of this request; returns its id.
    fn take_question(&mut self, turn: Option<u64>) -> Option<String> {
        let at = self.questions.iter().rposition(|question| question.turn == turn)?;
        Some(self.questions.remove(at).id)
    }
}

/// Returns what was said as one recorded line, and after how many answers it is to be given.
fn unwrapped(text: &str) -> (u64, String) {
    let Some(document) = Json::parse(text).ok().filter(|_| Message::read(text).is_err()) else {
        return (0, text.to_owned());
    };
    let after = value(text, &["after"]).and_then(|after| text[after].parse().ok()).unwrap_or_default();
    let line = document.get("line").and_then(Json::as_str).map(|line| line.into_owned());
    let message = || value(text, &["message"]).map(|message| text[message].to_owned());
    (after, line.or_else(message).unwrap_or_else(|| text.to_owned()))
}

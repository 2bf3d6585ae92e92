//! What a client says.

use super::asked::{self, By, Question};
use super::connection::{Connection, Meeting, Say, Turn};
use crate::call::Kind;
use crate::mode::Mode;
use crate::reply::Truncation;
use crate::report::{Report, Wiring};
use crate::rpc::{Message, PING, What, failure, pong, replaced};
use crate::session::{Session, Step};

/// The id under which a server is greeted in a client's name.
pub(super) const GREETING: &str = "\"cassette-greeting\"";

/// Requests that change what a server says later: one that starts late is told them too.
const SETTINGS: [&str; 4] = ["initialize", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"];

impl Connection {
    /// Takes a message of the client's.
    pub fn from_client(&mut self, text: &str, session: &Session) -> Vec<Say> {
        let message = match Message::read(text) {
            Err(_) if text.trim().is_empty() => return Vec::new(),
            Ok(message) => message,
            Err(why) => {
                let what = format!("a client of the Model Context Protocol sent what cannot be recorded: {why}");
                session.fail(Report::Wiring(Wiring::new(what, "let it send one message of JSON-RPC 2.0 a line")));
                return Vec::new();
            }
        };
        match message.what.clone() {
            What::Request { id, method } if method == PING => self.ping(id, &message),
            What::Request { id, method } => self.request((id, &method), &message, session),
            What::Notice { method } => self.notice(&method, &message, session),
            What::Answer { id } => self.answer(&id, &message, session),
        }
    }

    fn request(&mut self, (id, method): (String, &str), message: &Message, session: &Session) -> Vec<Say> {
        let call = asked::call(self.server.as_deref(), method, message);
        let token = message.spelled(&["params", "_meta", "progressToken"]).map(str::to_owned);
        let mut turn =
            Turn { number: self.next(), id, token, kind: call.kind, counts: true, withheld: None, leg: None };
        let number = turn.number;
        match session.begin_message(call) {
            Step::Serve(served) => {
                turn.counts = !session.is_within(&served);
                self.turns.push(turn);
                self.note(method, message);
                self.serve(Some(number), &served)
            }
            Step::Live(ticket) => {
                turn.counts = !session.runs_function();
                turn.leg = Some(self.leg(ticket));
                self.turns.push(turn);
                self.tell(method, message)
            }
            Step::Fail(report) => vec![failed(&turn.id, &report)],
        }
    }

    /// Lets a live server answer a ping; without one it is answered here, for a client that is about to ask.
    fn ping(&mut self, id: String, message: &Message) -> Vec<Say> {
        match &mut self.meeting {
            Meeting::Unmet(_) => vec![Say::Client(pong(&id))],
            Meeting::Greeted(waiting) => {
                self.pinged.insert(id);
                waiting.push(message.text.clone());
                Vec::new()
            }
            Meeting::Met => {
                self.pinged.insert(id);
                vec![Say::Server(message.text.clone())]
            }
        }
    }

    fn notice(&mut self, method: &str, message: &Message, session: &Session) -> Vec<Say> {
        match method {
            // Whether a client still sends these when it has what it wants hangs on chance.
            "notifications/cancelled" => {
                let turn = message.spelled(&["params", "requestId"]).and_then(|id| self.take_turn(id));
                self.given_up.extend(turn.as_ref().map(|turn| turn.id.clone()));
                if let Some(leg) = turn.and_then(|turn| turn.leg) {
                    leg.file(Some(Truncation::Client));
                }
                return self.pass_on(message);
            }
            "notifications/progress" => return self.pass_on(message),
            _ => {}
        }
        match session.begin_message(asked::call(self.server.as_deref(), method, message)) {
            Step::Serve(served) => {
                self.note(method, message);
                self.serve(None, &served)
            }
            Step::Live(ticket) => {
                let leg = self.leg(ticket);
                if let Some(before) = self.aside.replace(leg) {
                    before.file_aside();
                }
                self.tell(method, message)
            }
            Step::Fail(_) => Vec::new(),
        }
    }

    fn answer(&mut self, id: &str, message: &Message, session: &Session) -> Vec<Say> {
        if self.pings.remove(id) {
            return vec![Say::Server(message.text.clone())];
        }
        let Some(at) = self.questions.iter().position(|question| question.id == id) else {
            return self.pass_on(message);
        };
        let question = self.questions.remove(at);
        let asking = question.turn.and_then(|number| self.turn(number));
        let kind = asking.as_ref().map_or(Kind::Mcp, |turn| turn.kind);
        if let Some(leg) = asking.and_then(|turn| turn.leg.take()) {
            leg.file(None);
        }
        let call = asked::answer(self.server.as_deref(), kind, &question, message);
        match (session.begin_message(call), question.by) {
            (Step::Serve(served), By::Recording) => self.serve(question.turn, &served),
            (Step::Live(ticket), By::Server) => {
                let leg = self.leg(ticket);
                match question.turn.and_then(|number| self.turn(number)) {
                    Some(turn) => turn.leg = Some(leg),
                    None => {
                        if let Some(before) = self.aside.replace(leg) {
                            before.file_aside();
                        }
                    }
                }
                vec![Say::Server(message.text.clone())]
            }
            (Step::Fail(report), _) => self.fail(&question, &report),
            (Step::Serve(_), By::Server) | (Step::Live(_), By::Recording) => {
                let report = session.fail(Report::Wiring(misplaced(&question, session)));
                self.fail(&question, &report)
            }
        }
    }

    /// Fails the request in whose course this question was put.
    fn fail(&mut self, question: &Question, report: &Report) -> Vec<Say> {
        let turn = question.turn.and_then(|number| self.turn(number)).map(|turn| turn.id.clone());
        turn.and_then(|id| self.take_turn(&id)).map(|turn| failed(&turn.id, report)).into_iter().collect()
    }

    /// Notes what a server that starts later has to be told.
    fn note(&mut self, method: &str, message: &Message) {
        let counts = SETTINGS.contains(&method) || matches!(message.what, What::Notice { .. });
        if let Meeting::Unmet(told) = &mut self.meeting
            && counts
        {
            told.push(message.text.clone());
        }
    }

    /// Gives the server a message that goes live; one that has not met the client is greeted first.
    fn tell(&mut self, method: &str, message: &Message) -> Vec<Say> {
        let (meeting, said) = match std::mem::replace(&mut self.meeting, Meeting::Met) {
            Meeting::Unmet(told) if method != "initialize" && !told.is_empty() => {
                let mut told = told.iter().map(|text| replaced(text, &["id"], GREETING)).collect::<Vec<_>>();
                let greeting = told.remove(0);
                told.push(message.text.clone());
                (Meeting::Greeted(told), vec![Say::Server(greeting)])
            }
            Meeting::Greeted(mut waiting) => {
                waiting.push(message.text.clone());
                (Meeting::Greeted(waiting), Vec::new())
            }
            Meeting::Unmet(_) | Meeting::Met => (Meeting::Met, vec![Say::Server(message.text.clone())]),
        };
        self.meeting = meeting;
        said
    }

    /// Gives the server a message that is not recorded, if it knows the client.
    fn pass_on(&mut self, message: &Message) -> Vec<Say> {
        match &self.meeting {
            Meeting::Met => vec![Say::Server(message.text.clone())],
            Meeting::Unmet(_) | Meeting::Greeted(_) => Vec::new(),
        }
    }
}

/// Returns the answer to a request that holds why there is none.
pub(super) fn failed(id: &str, report: &Report) -> Say {
    Say::Client(failure(id, &report.to_string(), report.code()))
}

/// Returns the report of an answer that goes elsewhere than its question came from.
fn misplaced(question: &Question, session: &Session) -> Wiring {
    let what = format!(
        "the answer to `{}` is another than the recorded one, and the server that asked is a recording",
        question.method
    );
    Wiring::new(what, format!("record the whole run anew: {}", session.command(Mode::Refresh)))
}

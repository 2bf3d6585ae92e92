//! The run so far, as a person reads it and as a snapshot keeps it.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::state::{Fate, Slot, State};
use super::{Session, Shared};
use crate::call::Call;
use crate::canonical::Canonical;
use crate::json::{Json, Layout};
use crate::matching::Matching;
use crate::redact;
use crate::reply::Outcome;
use crate::tape::Asked;
use crate::view::{ReplyView, Usage, view};

impl Session {
    /// Returns the tokens that the replies of this run count, served ones included: of each kind the sum over those replies
    /// that say it, and `None` where none does.
    pub fn usage(&self) -> Usage {
        let state = self.shared.state();
        let told = state.slots.iter().filter_map(|slot| {
            let (call, outcome) = self.shared.exchange(&state, slot)?;
            match outcome {
                Outcome::Reply(reply) => view(&call, reply)?.usage,
                Outcome::Error(_) => None,
            }
        });
        told.fold(Usage::default(), Usage::and)
    }

    /// Returns the run so far as a text: what was asked, and what was answered, in the order in which the calls were started.
    ///
    /// It holds no secret, no time, and nothing that hangs on how a body is spelled, so it can be kept as a snapshot. A call
    /// that is still under way, or went live where nothing is recorded, has no answer in it.
    pub fn transcript(&self) -> String {
        let state = self.shared.state();
        let mut out = String::new();
        for slot in &state.slots {
            let (call, outcome) = match self.shared.exchange(&state, slot) {
                Some((call, outcome)) => (call, Some(outcome)),
                None => (Cow::Owned(self.shared.shown(&state.calls[slot.call])), None),
            };
            line(&mut out, "", &format!("{}. {}", slot.call + 1, call.name));
            asked(&mut out, &call);
            match outcome {
                None => line(&mut out, "  ", "no answer is recorded"),
                Some(Outcome::Error(error)) => {
                    line(&mut out, "  ", &format!("{} error: {}", error.class.as_str(), error.message));
                }
                Some(Outcome::Reply(reply)) => {
                    line(&mut out, "  ", &format!("answered {}", reply.status));
                    match view(&call, reply) {
                        Some(view) if says_something(&view) => answered(&mut out, &view),
                        _ => line(&mut out, "  ", &body(&reply.body())),
                    }
                }
            }
        }
        out
    }
}

impl Shared {
    /// Returns a call of the run as it was recorded, with how it ended; where it was recorded as digests, as it was made.
    pub(super) fn exchange<'a>(&'a self, state: &'a State, slot: &'a Slot) -> Option<(Cow<'a, Call>, &'a Outcome)> {
        let interaction = match &slot.fate {
            Fate::Served(index) => self.tape.interactions.get(*index)?,
            Fate::Live(_, recorded) => &recorded.as_ref()?.interaction,
        };
        let call = match &interaction.asked {
            Asked::Whole(call) => Cow::Borrowed(call),
            Asked::Digest(_) => Cow::Owned(self.shown(&state.calls[slot.call])),
        };
        let met = state.faults.met_by(slot.call);
        Some((call, met.map_or(&interaction.outcome, |met| &met.shown)))
    }
}

/// Writes what a call says: of a model call its parts, of any other its body.
fn asked(out: &mut String, call: &Call) {
    if call.body.is_empty() {
        return;
    }
    if crate::dialect::detect(call).is_none() {
        return line(out, "  ", &body(&call.body));
    }
    let form = Canonical::in_dialect(call, crate::dialect::detect(call), &Matching::default());
    let parts = form.parts().iter().filter(|part| part.name != "endpoint");
    for (path, text) in parts.flat_map(|part| part.elements()) {
        // A setting's text begins with its name, which the path has said.
        let said = text.strip_prefix(path).and_then(|rest| rest.strip_prefix(':')).unwrap_or(text);
        line(out, "  ", &format!("{path}  {said}"));
    }
}

fn says_something(view: &ReplyView) -> bool {
    let ReplyView { text, reasoning, tool_calls, refusal, error, .. } = view;
    !(text.is_empty() && reasoning.is_empty() && tool_calls.is_empty() && refusal.is_none() && error.is_none())
}

fn answered(out: &mut String, view: &ReplyView) {
    let texts = [("thinks", &view.reasoning), ("says", &view.text)];
    texts
        .into_iter()
        .filter(|(_, text)| !text.is_empty())
        .for_each(|(what, text)| line(out, "  ", &format!("{what}  {text}")));
    for call in &view.tool_calls {
        line(out, "  ", &format!("calls  {}({})", call.name, call.arguments));
    }
    let facts = [("refuses", &view.refusal), ("finish", &view.finish)];
    for (what, fact) in facts {
        fact.iter().for_each(|fact| line(out, "  ", &format!("{what}  {fact}")));
    }
    if let Some(error) = &view.error {
        line(out, "  ", &format!("error  {}", error.message));
    }
}

/// Returns a body in one spelling: JSON by its meaning, text as it is, anything else by its size.
fn body(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => match Json::parse(text) {
            Ok(json) => {
                Json::parse(&json.canonical()).map_or_else(|_| text.to_owned(), |json| json.print(Layout::Spaced))
            }
            Err(_) => text.trim_end().to_owned(),
        },
        Err(_) => format!("{} bytes", bytes.len()),
    }
}

/// Writes a text, its further lines indented below it.
fn line(out: &mut String, indent: &str, text: &str) {
    let text = redact::unescape(text);
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{indent}{}", text.replace('\n', &format!("\n{indent}  ")));
}

//! Values that a reply gave and the file hides there, sent on where nothing hides them.
//!
//! What people give to a test, `tok-alice-1`, is hidden under its name and looked for nowhere else. A replay serves the placeholder,
//! and the program sends that on: it is not what was recorded then. Nor may the value be hidden wherever it stands, since nothing tells
//! a program that was given it from one that says it by itself; a replay of the latter knows it for no secret. So such a
//! recording is not taken over before a rule says which it is, but for what the program had sent first, and what a reply says
//! in plain beside it: that is as likely to be where it has it from.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use super::Shared;
use super::later::Held;
use super::rehearse::{Line, placeholders};
use super::state::{Fate, Slot, State};
use crate::call::Call;
use crate::difference::differences;
use crate::digested::hidden;
use crate::redact::coding::percent;
use crate::redact::detect::value::is_ordinary;
use crate::redact::{self, Depth, Rules, Secrets};
use crate::reply::{Outcome, Reply};
use crate::report::Late;
use crate::tape::Tape;

/// A value that the file hides in a reply, and that is looked for nowhere else.
struct Gift {
    value: String,
    /// The slot of the call that gave it.
    by: usize,
    /// From when on the program may have had it.
    from: Instant,
}

/// A call with placeholders in place of what it was given.
struct Passed<'a> {
    held: Held<'a>,
    call: Arc<Call>,
}

impl Shared {
    /// Returns the places in the calls of a run at which a value stands that an earlier reply gave, where the calls would not be
    /// served if they held what a replay gives instead.
    pub(super) fn sent_on(&self, state: &State, tape: &Tape, script: &[Line]) -> Vec<Late> {
        let secrets = self.secrets().clone();
        let slots: HashMap<usize, usize> =
            state.slots.iter().enumerate().rev().map(|(at, slot)| (slot.call, at)).collect();
        let slot_of = |line: &Line| line.number.and_then(|number| slots.get(&number)).copied();
        let outer: Vec<usize> = script.iter().filter_map(slot_of).collect();
        let given = self.given(state, &secrets, &outer);
        if given.is_empty() {
            return Vec::new();
        }
        let said = Said::of(state, &given);
        let gifts: Vec<Gift> = given.into_iter().filter(|gift| !is_own(gift, state, &said)).collect();
        let passed = |line| slot_of(line).and_then(|at| self.passed(line, (state, at), (&secrets, &gifts, &said)));
        let passed: Vec<Option<Passed<'_>>> = script.iter().map(passed).collect();
        if passed.iter().all(Option::is_none) {
            return Vec::new();
        }
        let stage = self.stage(tape, secrets.clone());
        let mut late = Vec::new();
        for (line, passed) in script.iter().zip(&passed) {
            let Some(Passed { held, call }) = passed else {
                // That it is served has been shown.
                let _ = stage.act(line);
                continue;
            };
            stage.secrets().start_after(hidden(call).iter().map(String::as_str));
            let name = format!("call {}, {}", line.number.unwrap_or_default() + 1, held.hidden.title());
            let line = Line { name, number: line.number, call: Arc::clone(call), expected: line.expected.clone() };
            if stage.act(&line).is_err() {
                late.extend(self.late(&line, &secrets, held));
            }
        }
        late
    }

    /// Returns what these calls were given, by their slots.
    fn given(&self, state: &State, secrets: &Secrets, outer: &[usize]) -> Vec<Gift> {
        let mut given = Vec::new();
        for by in outer.iter().copied() {
            let Some((outcome, from)) = self.answered(&state.slots[by], state) else { continue };
            let hidden = placeholders(&outcome);
            let values = secrets.values(&hidden).filter(|value| !secrets.knows(value));
            given.extend(values.map(|value| Gift { value: value.to_owned(), by, from }));
        }
        given
    }

    /// Returns a call as a replay makes it, where what it was given stands in it and nothing hides it.
    fn passed<'a>(
        &self,
        line: &Line,
        (state, at): (&State, usize),
        (secrets, gifts, said): (&Secrets, &'a [Gift], &Said),
    ) -> Option<Passed<'a>> {
        let start = state.slots[at].start;
        let mut values: Vec<&str> = gifts
            .iter()
            .filter(|gift| gift.by < at && gift.from <= start)
            .map(|gift| gift.value.as_str())
            .filter(|value| said.may_be_in(at, value))
            .filter(|value| self.stands(value, &line.call, secrets) && !self.says_in_plain(state, value, start))
            .collect();
        values.sort_unstable();
        values.dedup();
        if values.is_empty() {
            return None;
        }
        let held = self.held(&line.call, secrets, values);
        let mut call = held.hidden.call().clone();
        redact::unescape_call(&mut call);
        Some(Passed { held, call: Arc::new(call) })
    }

    /// Returns how a call that went live was answered, as it is recorded, and from when on the program may have read of it.
    fn answered(&self, slot: &Slot, state: &State) -> Option<(Outcome, Instant)> {
        let Fate::Live(_, Some(recorded)) = &slot.fate else { return None };
        let outcome = self.completed(state, recorded, &HashSet::new()).outcome;
        let first = match &outcome {
            Outcome::Reply(Reply { chunks, .. }) => chunks.first().and_then(|chunk| chunk.at),
            Outcome::Error(_) => None,
        };
        let from = first.map_or(recorded.end, |at| recorded.end.min(slot.start + at));
        Some((outcome, from))
    }

    /// Returns whether this value stands in a call where nothing hides it: a single ordinary word only where it stands in no prose.
    fn stands(&self, value: &str, call: &Call, secrets: &Secrets) -> bool {
        let held = self.held(call, secrets, vec![value]);
        let bare = self.held(call, secrets, Vec::new());
        let found = differences(&held.hidden, &bare.hidden, &self.plan.matching).found;
        let is_no_prose =
            |text: &str| !text.contains(char::is_whitespace) && redact::placeholders(text).next().is_some();
        let mut shown = found.iter().flat_map(|found| &found.shown).filter_map(|shown| shown.recorded.as_deref());
        !held.places.is_empty() && (!is_word(value) || shown.any(is_no_prose))
    }

    /// Returns whether a reply that was there by this time says a value in plain.
    fn says_in_plain(&self, state: &State, value: &str, by: Instant) -> bool {
        state.slots.iter().filter(|slot| slot.start <= by).any(|slot| {
            let outcome = match &slot.fate {
                Fate::Served(index) => self.tape.interactions[*index].outcome.clone(),
                Fate::Live(..) => match self.answered(slot, state).filter(|(_, from)| *from <= by) {
                    Some((outcome, _)) => outcome,
                    None => return false,
                },
            };
            match outcome {
                Outcome::Reply(reply) => {
                    let headers = reply.headers.iter().chain(&reply.trailers);
                    String::from_utf8_lossy(&reply.body()).contains(value)
                        || headers.into_iter().any(|(_, text)| text.contains(value))
                }
                Outcome::Error(error) => error.message.contains(value),
            }
        })
    }
}

/// Which of some values each call of a run may say: looked for all at once, since they may be many.
struct Said(Vec<Saying>);

/// Which of them one call may say.
#[derive(Default)]
struct Saying {
    values: HashSet<String>,
    /// Whether something stands in it that is told to be one of them, and not which.
    any: bool,
}

impl Said {
    /// Returns which of these values each call may say.
    fn of(state: &State, given: &[Gift]) -> Said {
        let values: HashSet<&str> = given.iter().map(|gift| gift.value.as_str()).collect();
        let mut known = Secrets::default();
        // What is too short to be found again is sent by every call.
        for value in &values {
            let _ = known.declare(value);
        }
        Said(state.slots.iter().map(|slot| Saying::of(&state.calls[slot.call], &values, &known)).collect())
    }

    /// Returns whether this value may stand in the call of this slot.
    fn may_be_in(&self, slot: usize, value: &str) -> bool {
        self.0.get(slot).is_none_or(|saying| saying.any || saying.values.contains(value))
    }
}

impl Saying {
    fn of(call: &Call, values: &HashSet<&str>, known: &Secrets) -> Saying {
        let mut saying = Saying::default();
        // One may stand within another.
        let mut add = |found: &str| {
            let within: Vec<_> = values.iter().filter(|value| found.contains(**value)).collect();
            saying.any |= within.is_empty();
            saying.values.extend(within.into_iter().map(|value| (*value).to_owned()));
        };
        let mut endless = false;
        for text in texts(call) {
            endless |= known.find(&text, |range, _| add(text.get(range).unwrap_or_default())).is_err();
        }
        let rules = Rules::default();
        let bare = redact::redact_call(call, &rules, Depth::Known, &mut Secrets::default());
        let hidden = redact::redact_call(call, &rules, Depth::Known, &mut known.clone());
        let named = bare.secrets().iter().chain(hidden.secrets()).map(|secret| secret.value());
        for value in named {
            let plain = percent(value).map(|view| view.text);
            [Some(value.to_owned()), plain]
                .into_iter()
                .flatten()
                .filter(|it| values.contains(it.as_str()))
                .for_each(|it| add(&it));
        }
        let is_told = !saying.values.is_empty();
        Saying { any: saying.any || endless || (bare.call() != hidden.call() && !is_told), ..saying }
    }
}

/// Returns whether the program had sent by itself what it was given.
fn is_own(gift: &Gift, state: &State, said: &Said) -> bool {
    let earlier = |(at, slot): &(usize, &Slot)| *at <= gift.by || slot.start < gift.from;
    let mut earlier = state.slots.iter().enumerate().filter(earlier);
    Secrets::default().declare(&gift.value).is_err()
        || earlier.any(|(at, slot)| said.may_be_in(at, &gift.value) && sends(&state.calls[slot.call], &gift.value))
}

/// Returns whether a value is one ordinary word, which texts are full of; `demo-token` is not.
fn is_word(value: &str) -> bool {
    is_ordinary(value) && value.bytes().all(|b| b.is_ascii_alphabetic())
}

/// Returns all texts of a call, those in headers that are not written too.
fn texts(call: &Call) -> Vec<Cow<'_, str>> {
    let body = String::from_utf8_lossy(&call.body);
    let headers = call.headers.iter().map(|(_, text)| Cow::Borrowed(text.as_str()));
    [Cow::Borrowed(call.name.as_str()), body].into_iter().chain(headers).collect()
}

/// Returns whether a call says a value, be it where its name hides it or in a header that is not written.
fn sends(call: &Call, value: &str) -> bool {
    let (rules, mut known) = (Rules::default(), Secrets::default());
    if known.declare(value).is_err() {
        // It is too short to be found again.
        return true;
    }
    let stands = |text: Cow<'_, str>| {
        let mut is_there = false;
        known.find(&text, |_, _| is_there = true).is_err() || is_there
    };
    if texts(call).into_iter().any(stands) {
        return true;
    }
    let bare = redact::redact_call(call, &rules, Depth::Known, &mut Secrets::default());
    let hidden = redact::redact_call(call, &rules, Depth::Known, &mut known.clone());
    bare.call() != hidden.call()
        || bare.secrets().iter().any(|secret| percent(secret.value()).is_some_and(|view| view.text == value))
}

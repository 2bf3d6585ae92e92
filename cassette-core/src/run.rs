//! Two runs of one test, compared by what happened in them.
//!
//! ```text
//! Run: a Step a call -> segments of calls that overlapped -> the first Step without its like -> Diverged
//! ```
//!
//! What counts is which calls were made, in which order, what the models wanted called, and what was counted. The words of
//! an answer do not count, nor how a model was asked; ids that a service makes up and moments never do.

use crate::account::{Tokens, tokens};
use crate::agreement::agree;
use crate::call::{Call, Kind};
use crate::dialect;
use crate::difference::{differences, documents};
use crate::json::{Json, Text};
use crate::matching::Matching;
use crate::renaming::Renaming;
use crate::reply::Outcome;
use crate::report::{Difference, Diverged};
use crate::tape::Tape;
use crate::view::{ReplyView, view};

/// What happened in a run: its calls with how they ended, secrets hidden, in the order in which they were started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    steps: Vec<Step>,
    left_out: Vec<Fact>,
}

/// One call of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The call.
    pub call: Call,
    /// How it ended; `None` where it is under way, or nothing of it was recorded.
    pub outcome: Option<Outcome>,
    /// Whether it overlapped in time with the step before it, so that their order says nothing.
    pub overlaps: bool,
}

/// What of a run can be left out of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fact {
    /// Which address was asked or which function was called; what was asked of anything but a model is left out with it.
    Names,
    /// What the replies count.
    Usage,
}

impl Run {
    /// Returns the run of these steps.
    pub(crate) fn new(steps: Vec<Step>) -> Run {
        Run { steps, left_out: Vec::new() }
    }

    /// Returns the run that a cassette holds, but for what was asked while a function ran; `None` where it holds digests of
    /// requests: what was asked is not known then.
    pub fn of(tape: &Tape) -> Option<Run> {
        let step = |interaction: &crate::tape::Interaction| {
            Some(Step {
                call: interaction.call()?.clone(),
                outcome: Some(interaction.outcome.clone()),
                overlaps: interaction.overlaps,
            })
        };
        let outside = tape.interactions.iter().filter(|interaction| interaction.within.is_none());
        outside.map(step).collect::<Option<_>>().map(Run::new)
    }

    /// Returns the calls, in the order in which they were started.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the run without this, which is then not compared: two models count differently.
    #[must_use]
    pub fn without(mut self, fact: Fact) -> Run {
        self.left_out.push(fact);
        self
    }

    /// Compares two runs: the same calls in the same order, but for those that overlapped in either; the same tools called
    /// with the same arguments; the same usage.
    ///
    /// # Errors
    ///
    /// Fails with the first place where they differ, and where neither makes a call: that would say nothing.
    pub fn same_as(&self, other: &Run) -> Result<(), Diverged> {
        if self.steps.is_empty() && other.steps.is_empty() {
            return Err(Diverged { call: 1, names: [None, None], calls: [0, 0], differences: Vec::new() });
        }
        let facts = Facts { left_out: [&self.left_out[..], &other.left_out[..]].concat() };
        let mut renaming = Renaming::default();
        for segment in segments(&self.steps, &other.steps) {
            let (ours, theirs) = (cut(&self.steps, &segment), cut(&other.steps, &segment));
            let mut left: Vec<usize> = (0..theirs.len()).collect();
            let mut alone = Vec::new();
            for (i, step) in ours.iter().enumerate() {
                match left.iter().position(|j| facts.differ(step, &theirs[*j], &renaming).is_empty()) {
                    Some(at) => learn(step, &theirs[left.remove(at)], &mut renaming),
                    None => alone.push(i),
                }
            }
            let (first, second) = (alone.first().copied(), left.first().copied());
            let Some(at) = first.or(second) else { continue };
            let (first, second) = (first.map(|i| &ours[i]), second.map(|j| &theirs[j]));
            let pair = first.zip(second).filter(|(first, second)| speaks(first) == speaks(second));
            let diverged = Diverged {
                call: segment.start + at + 1,
                names: [first, second].map(|step| step.map(|step| step.call.title())),
                calls: [self.steps.len(), other.steps.len()],
                differences: pair.map(|(first, second)| facts.differ(first, second, &renaming)).unwrap_or_default(),
            };
            return Err(diverged);
        }
        Ok(())
    }
}

/// Returns the stretches of positions in which the order of the calls says nothing: those that overlapped in either run.
fn segments(ours: &[Step], theirs: &[Step]) -> Vec<std::ops::Range<usize>> {
    let length = ours.len().max(theirs.len());
    let overlaps = |steps: &[Step], i: usize| steps.get(i).is_some_and(|step| step.overlaps);
    let starts: Vec<usize> =
        (0..length).filter(|i| *i == 0 || !(overlaps(ours, *i) || overlaps(theirs, *i))).chain([length]).collect();
    starts.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

fn cut<'a>(steps: &'a [Step], segment: &std::ops::Range<usize>) -> &'a [Step] {
    &steps[segment.start.min(steps.len())..segment.end.min(steps.len())]
}

/// Notes which ids of the second run stand for which of the first.
fn learn(ours: &Step, theirs: &Step, renaming: &mut Renaming) {
    if let (Some(ours), Some(outcome)) = (&ours.outcome, &theirs.outcome) {
        agree(&theirs.call, ours, outcome, renaming);
    }
}

/// What is compared.
struct Facts {
    left_out: Vec<Fact>,
}

impl Facts {
    fn count(&self, fact: Fact) -> bool {
        !self.left_out.contains(&fact)
    }

    /// Returns where two steps differ.
    fn differ(&self, ours: &Step, theirs: &Step, renaming: &Renaming) -> Vec<Difference> {
        let (call, _) = renaming.call(&theirs.call);
        let theirs = Step { call, ..theirs.clone() };
        let by_request = !(speaks(ours) && speaks(&theirs)) && self.count(Fact::Names);
        let asked =
            if by_request { differences(&ours.call, &theirs.call, &Matching::default()).found } else { Vec::new() };
        let ended = documents(&ended(ours), &ended(&theirs));
        let told = match ended.is_empty() {
            true => documents(&self.told(ours, &Renaming::default()), &self.told(&theirs, renaming)),
            false => ended,
        };
        asked.into_iter().chain(told).collect()
    }

    /// Returns what counts of a model's step that ended well, as a document; of any other there is nothing more to tell.
    fn told(&self, step: &Step, renaming: &Renaming) -> Json {
        let mut members = Vec::new();
        let mut push = |name: &str, value: Json| members.push((Text::new(name), value));
        if speaks(step) && self.count(Fact::Names) {
            push("name", step.call.title().as_str().into());
        }
        if let Some(Outcome::Reply(reply)) = &step.outcome {
            let view = view(&step.call, reply).unwrap_or_default();
            push("tool_calls", tool_calls(&view, renaming));
            if let Some(counted) = tokens(&step.call, reply).filter(|_| self.count(Fact::Usage)) {
                push("usage", counts(counted));
            }
        }
        Json::Object(members)
    }
}

fn ended(step: &Step) -> Json {
    let how = match &step.outcome {
        None => "with nothing recorded".to_owned(),
        Some(Outcome::Error(error)) => format!("with the error `{}`", error.class.as_str()),
        Some(Outcome::Reply(reply)) if step.call.kind == Kind::Http => format!("with status {}", reply.status),
        Some(Outcome::Reply(reply)) if reply.is_failure() => "with an error".to_owned(),
        Some(Outcome::Reply(_)) => "with a value".to_owned(),
    };
    Json::object([("ended", how.into())])
}

fn speaks(step: &Step) -> bool {
    dialect::detect(&step.call).is_some()
}

/// Returns the calls that a model wants made, without the ids that the service gave them.
fn tool_calls(view: &ReplyView, renaming: &Renaming) -> Json {
    let choices = view.others.iter().flat_map(|choice| &choice.tool_calls);
    let call = |call: &crate::view::ToolCall| {
        let put_back = renaming.text(&call.arguments);
        let arguments = Json::parse(&put_back).unwrap_or_else(|_| put_back.into());
        Json::object([("name", call.name.as_str().into()), ("arguments", arguments)])
    };
    view.tool_calls.iter().chain(choices).map(call).collect::<Vec<_>>().into()
}

fn counts(tokens: Tokens) -> Json {
    let counted = tokens.kinds().into_iter().filter_map(|(kind, count)| Some((kind.into(), count?.into())));
    Json::Object(counted.collect())
}

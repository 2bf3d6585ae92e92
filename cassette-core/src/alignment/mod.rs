//! Two cassettes side by side: which call of one is which of the other, and what changed in each.
//!
//! ```text
//! two tapes -> ids out of the way -> aligned by what was asked -> Pairs -> what was asked, what was answered -> Changes
//! ```
//!
//! Calls are aligned by what they ask, so that one that was added shifts none of the others, and one that stands elsewhere
//! is recognised. Ids and dates that change with every recording are noise: counted, never told, and so is how a model's reply is
//! spelled. Nothing else is left out.

mod answer;
mod digests;
mod ids;
mod leaves;
mod question;
mod rows;
mod stretches;

pub use rows::{Row, rows};
pub use stretches::{Stretch, stretches};

use std::collections::{HashMap, HashSet};

use crate::difference::{Known, Said, Step, aligned, between};
use crate::report::{Difference, Edit, Shown};
use crate::tape::{Asked, Head, Interaction, Origin, Tape};
use ids::Ids;

/// How two cassettes differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Alignment {
    /// What the heads say differently; the date and the program that wrote them aside.
    pub head: Vec<Difference>,
    /// Every call of either, in the order of the second; what is gone stands where it stood.
    pub pairs: Vec<Pair>,
}

/// A call of two cassettes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pair {
    /// Where it stands in the first, from 0; `None` where it was added.
    pub before: Option<usize>,
    /// Where it stands in the second; `None` where it was removed.
    pub after: Option<usize>,
    /// Whether it stands elsewhere among the others.
    pub place: Place,
    /// What changed in it.
    pub changes: Vec<Change>,
    /// How many places differ that change with every recording.
    pub noise: usize,
    /// Whether the replies differ in nothing but how they are spelled: white space, the order of members.
    pub is_respelled: bool,
}

/// Whether a call stands where it stood, among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It does.
    Kept,
    /// It does not.
    Moved,
}

/// One thing that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What of the call it is in.
    pub aspect: Aspect,
    /// Where, and what stood and stands there.
    pub difference: Difference,
    /// Whether an earlier call told the same: a conversation repeats what was said in it.
    pub told_before: bool,
    /// Whether it follows from how the call ended: where one of two replies is an error, an answer is gone, and all that is in it.
    pub follows: bool,
}

/// What of a call changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Aspect {
    /// What the model is told.
    Prompt,
    /// The model.
    Model,
    /// The tools that it may call.
    Tools,
    /// A setting of the request, or a call that is no model's: whatever else is sent.
    Request,
    /// What the model says; of other calls, the reply's body.
    Answer,
    /// What the model thinks.
    Thought,
    /// Which tools the model calls, and with what.
    ToolCall,
    /// How it ended: the reason, a refusal, an error, the status, a truncation.
    Ending,
    /// The tokens.
    Usage,
    /// What else stands in a model's reply.
    Reply,
    /// A header.
    Header,
    /// Within which function it was asked: a replay does not ask it then.
    Within,
}

impl Change {
    fn of(aspect: Aspect, difference: Difference) -> Change {
        Change { aspect, difference, told_before: false, follows: false }
    }
}

impl Aspect {
    /// Returns a short, fixed name.
    pub fn as_str(self) -> &'static str {
        match self {
            Aspect::Prompt => "prompt",
            Aspect::Model => "model",
            Aspect::Tools => "tools",
            Aspect::Request => "request",
            Aspect::Answer => "answer",
            Aspect::Thought => "thought",
            Aspect::ToolCall => "tool-call",
            Aspect::Ending => "ending",
            Aspect::Usage => "usage",
            Aspect::Reply => "reply",
            Aspect::Header => "header",
            Aspect::Within => "within",
        }
    }
}

impl Alignment {
    /// Returns whether the two say the same.
    pub fn is_same(&self) -> bool {
        self.head.is_empty() && self.first_divergence().is_none()
    }

    /// Returns the first call that differs: everything before it went the same way.
    pub fn first_divergence(&self) -> Option<&Pair> {
        self.pairs.iter().find(|pair| !pair.is_same())
    }

    /// Returns how many places differ that change with every recording.
    pub fn noise(&self) -> usize {
        self.pairs.iter().map(|pair| pair.noise).sum()
    }

    /// Returns how many replies say the same and are spelled otherwise.
    pub fn respelled(&self) -> usize {
        self.pairs.iter().filter(|pair| pair.is_respelled).count()
    }
}

impl Pair {
    /// Returns whether the call is in both, where it was, and says the same.
    pub fn is_same(&self) -> bool {
        self.before.is_some() && self.after.is_some() && self.place == Place::Kept && self.changes.is_empty()
    }
}

/// Returns how two cassettes differ.
///
/// # Examples
///
/// ```
/// use cassette_core::{alignment::diff, tape::Tape};
///
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples"))?;
/// let before = Tape::open("cassettes/embeddings.json")?;
/// let mut after = before.clone();
/// assert!(diff(&before, &after).is_same());
///
/// after.interactions.remove(2);
/// let alignment = diff(&before, &after);
/// let first = alignment.first_divergence().ok_or("nothing differs")?;
/// assert_eq!((first.before, first.after), (Some(2), None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn diff(a: &Tape, b: &Tape) -> Alignment {
    let kept = Kept::by(&a.head, &b.head);
    let calls = |tape: &Tape| {
        let ids = Ids::of(&tape.interactions);
        let known = |interaction: &Interaction| match (&interaction.asked, kept) {
            (Asked::Whole(call), Kept::Whole) => Known::Call(ids.hidden(call)),
            _ => Known::Fields(digests::fields(interaction, kept)),
        };
        tape.interactions.iter().map(known).collect::<Vec<_>>()
    };
    let mut renamed = Ids::default();
    let mut pairs = Vec::new();
    for step in aligned(calls(a), calls(b)) {
        pairs.push(match step {
            Step::Stays(i, j) => pair(a, b, (i, j), Place::Kept, &mut renamed),
            Step::Moves(i, j) => pair(a, b, (i, j), Place::Moved, &mut renamed),
            Step::Goes(i) => alone(Some(i), None),
            Step::Comes(j) => alone(None, Some(j)),
        });
    }
    mark_nested(&mut pairs, [a, b]);
    mark_repeated(&mut pairs);
    Alignment { head: heads(&a.head, &b.head), pairs }
}

/// Notes which calls were asked within another function than before, or within one and then by the program.
fn mark_nested(pairs: &mut [Pair], tapes: [&Tape; 2]) {
    let both: HashMap<usize, usize> = pairs.iter().filter_map(|pair| Some((pair.before?, pair.after?))).collect();
    let said = |tape: &Tape, at: Option<usize>| {
        let told = |at: usize| format!("{} ({})", tape.interactions[at].asked.name(), at + 1);
        at.map(|at| ("within".to_owned(), Said::Text(told(at)))).into_iter().collect()
    };
    for pair in pairs {
        let (Some(before), Some(after)) = (pair.before, pair.after) else { continue };
        let [ours, theirs] = [tapes[0].interactions[before].within, tapes[1].interactions[after].within];
        if ours.map(|at| both.get(&at)) != theirs.as_ref().map(Some) {
            let found = between(said(tapes[0], ours), said(tapes[1], theirs));
            pair.changes.extend(found.into_iter().map(|difference| Change::of(Aspect::Within, difference)));
        }
    }
}

/// Notes which prompts differ in what an earlier call has told of already.
fn mark_repeated(pairs: &mut [Pair]) {
    let mut told: HashSet<Vec<Shown>> = HashSet::new();
    for pair in pairs {
        for change in pair.changes.iter_mut().filter(|change| change.aspect == Aspect::Prompt) {
            change.told_before = change.difference.edit == Edit::Changed && told.contains(&change.difference.shown);
        }
        told.extend(pair.changes.iter().map(|change| change.difference.shown.clone()));
    }
}

/// What the requests of two cassettes can be compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// By what they say.
    Whole,
    /// By digests, which were made in one way.
    Digests,
    /// By their names alone: one keeps digests, and the other requests or digests made in another way.
    Names,
}

impl Kept {
    fn by(a: &Head, b: &Head) -> Kept {
        match (&a.digests, &b.digests) {
            (None, None) => Kept::Whole,
            (Some(ours), Some(theirs)) if ours == theirs => Kept::Digests,
            _ => Kept::Names,
        }
    }
}

fn pair(a: &Tape, b: &Tape, (i, j): (usize, usize), place: Place, renamed: &mut Ids) -> Pair {
    let (ours, theirs) = (&a.interactions[i], &b.interactions[j]);
    let (asked, mut noise) = match (&ours.asked, &theirs.asked) {
        (Asked::Whole(recorded), Asked::Whole(incoming)) => question::changes(recorded, incoming, renamed),
        _ => (digests::changes(ours, theirs, Kept::by(&a.head, &b.head)), 0),
    };
    let (answered, more, is_respelled) = answer::changes(ours, theirs);
    let changes = answer::after(asked, answered, [ours, theirs]);
    noise += more;
    renamed.learn(ours, theirs);
    Pair { before: Some(i), after: Some(j), place, changes, noise, is_respelled }
}

fn alone(before: Option<usize>, after: Option<usize>) -> Pair {
    Pair { before, after, place: Place::Kept, changes: Vec::new(), noise: 0, is_respelled: false }
}

fn heads(a: &Head, b: &Head) -> Vec<Difference> {
    let fields = |head: &Head| {
        let origin = head.origin.as_ref().map(Origin::to_string);
        let texts = [
            ("test", &head.test),
            ("package", &head.package),
            ("origin", &origin),
            ("provider", &head.stamp.provider),
            ("version", &head.stamp.version),
        ];
        let texts = texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), Said::Text(text.clone()?))));
        let hooks =
            (!head.stamp.hooks.is_empty()).then(|| ("hooks".to_owned(), Said::Text(head.stamp.hooks.join(", "))));
        let facts = head.meta.iter().chain(&head.other);
        let facts = facts.map(|(name, value)| (name.value().into_owned(), Said::Json(value.clone())));
        let digests = head.digests.as_ref().map(|digests| ("digests".to_owned(), Said::Json(digests.told())));
        texts.chain(hooks).chain(digests).chain(facts).collect()
    };
    between(fields(a), fields(b))
}

#[cfg(test)]
mod tests;

//! Where the functions of a test stand: two that go by one name would be given each other's values.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::iter;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use cassette_core::call::Call;
use cassette_core::function::Receiver;
use cassette_core::reply::Reply;
use cassette_core::report::{Report, Wiring};

use crate::stay::{Asker, Stay};

/// Where a function stands: a file, a line of it and which of those that a macro writes there, or a type that has it as a method, and no
/// line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) file: &'static str,
    pub(crate) line: u32,
    pub(crate) place: usize,
}

/// What was asked: the title and the arguments of a call.
type Asked = (String, Vec<u8>);

/// The functions that a test called.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    /// Where they stand, by title.
    standing: Mutex<HashMap<String, Standing>>,
    /// Of which types those of generic ones were that asked this.
    types: Mutex<HashMap<Asked, String>>,
    /// Which of what was wrapped it was that was asked this.
    wrapped: Mutex<HashMap<Asked, Wrapped>>,
    /// What objects gave that were asked this.
    given: Mutex<HashMap<Asked, Vec<Given>>>,
    /// How many were wrapped.
    count: AtomicU64,
}

/// What an object gave.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    receiver: Receiver,
    began: Instant,
    ended: Instant,
    asker: Asker,
    /// What it was asked in, where the test said so.
    stay: Option<Arc<Stay>>,
    /// A digest of what it said.
    said: u64,
}

/// Who gave what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Givers {
    /// One object in one task or thread, or several that said the same.
    One,
    /// Several, or one in several, which said different things.
    Several,
}

impl Given {
    /// Returns what this object has just given, that was asked then.
    pub(crate) fn new(receiver: Receiver, began: Instant, reply: &Reply) -> Given {
        let mut hasher = DefaultHasher::new();
        (reply.is_failure(), reply.body()).hash(&mut hasher);
        let (asker, stay) = (Asker::here(), Stay::current());
        Given { receiver, began, ended: Instant::now(), asker, stay, said: hasher.finish() }
    }

    /// Returns whether the other one, which was noted before, comes before it in every run, too: whoever asks goes on from there, or
    /// whoever handed over what it was asked in.
    fn is_after(&self, other: &Given, waited: impl Fn(Range<Instant>) -> bool) -> bool {
        let handed_over = Stay::each(self.stay.as_ref()).map(Stay::handed_over);
        iter::once((self.asker, self.began)).chain(handed_over).any(|(asker, at)| other.is_before(asker, at, &waited))
    }

    /// Returns whether somebody goes on from it at this moment: who had asked, or who had handed over what it was asked in, and did not
    /// wait, when that had ended, for what a replay serves at once.
    fn is_before(&self, asker: Asker, at: Instant, waited: impl Fn(Range<Instant>) -> bool) -> bool {
        let is_handed_back = |stay: &Stay| {
            let ended = stay.ended().filter(|ended| *ended <= at && stay.handed_over().0 == asker);
            ended.is_some_and(|ended| !waited(ended..at))
        };
        self.ended <= at && (self.asker == asker || Stay::each(self.stay.as_ref()).any(is_handed_back))
    }

    fn overlaps(&self, other: &Given) -> bool {
        other.ended > self.began
    }

    /// Returns whether it may be of another object, or was asked by another, and said something else.
    fn is_of_another(&self, other: &Given) -> bool {
        (self.receiver != other.receiver || self.asker != other.asker) && self.said != other.said
    }
}

/// One of what the test wrapped; clones are the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wrapped(u64);

/// Returns another one that is wrapped.
pub(crate) fn wrapped(sites: &Sites) -> Wrapped {
    Wrapped(sites.count.fetch_add(1, Ordering::SeqCst))
}

/// Notes where the function of this name stands.
///
/// # Errors
///
/// Fails where another one goes by the same name.
pub(crate) fn note(sites: &Sites, title: &str, standing: Standing) -> Result<(), Report> {
    let known = *held(&sites.standing).entry(title.to_owned()).or_insert(standing);
    if known == standing {
        return Ok(());
    }
    let shown =
        |Standing { file, line, .. }: Standing| if line == 0 { file.to_owned() } else { format!("{file}:{line}") };
    let (one, other) = (shown(known), shown(standing));
    let what = match one == other {
        true => format!("two functions are recorded as {title}, both of the macro in {one}"),
        false => format!("two functions are recorded as {title}: one in {one}, another in {other}"),
    };
    let help = match standing.line {
        0 => {
            "give one of them a name of its own, `cassette.wrap(..).named(\"..\")`; without `name` the type is a part of it"
        }
        _ => "give one of them a name of its own: `name = \"..\"`",
    };
    Err(Report::Wiring(Wiring::new(what, help)))
}

/// Notes of which types a function was that asked this.
///
/// # Errors
///
/// Fails where it was asked of other types before: nothing in a recording would tell the two from each other.
pub(crate) fn note_types(sites: &Sites, call: &Call, types: &str) -> Result<(), Report> {
    if types.is_empty() {
        return Ok(());
    }
    let asked = (call.title(), call.body.clone());
    let known = held(&sites.types).entry(asked).or_insert_with(|| types.to_owned()).clone();
    if known == types {
        return Ok(());
    }
    let what = format!("{} is asked the same of two types: of {known}, and of {types}", call.title());
    Err(Report::Wiring(Wiring::new(
        what,
        "tell the types apart, by an argument or `also(of = std::any::type_name::<..>())`",
    )))
}

/// Notes which of what was wrapped was asked this.
///
/// # Errors
///
/// Fails where another one was asked it before: a replay would give each what the other said, as soon as they are asked in another order.
pub(crate) fn note_wrapped(sites: &Sites, call: &Call, wrapped: Wrapped) -> Result<(), Report> {
    let asked = (call.title(), call.body.clone());
    if *held(&sites.wrapped).entry(asked).or_insert(wrapped) == wrapped {
        return Ok(());
    }
    let what = format!(
        "{} is asked the same of two that were wrapped, and nothing in a recording tells them apart",
        call.title()
    );
    let help = "give one of them a name of its own, `cassette.wrap(..).named(\"..\")`; where they are one and the same, clone it";
    Err(Report::Wiring(Wiring::new(what, help)))
}

/// Notes what an object gave that was asked this, and returns whether others said something else. Whether a recorded
/// call was waited for, `waited` tells.
///
/// # Errors
///
/// Fails where one that stands elsewhere said something else at the same time, or to another task: which of them a replay gives to
/// which hangs on chance.
pub(crate) fn note_given(
    sites: &Sites,
    call: &Call,
    given: Given,
    waited: impl Fn(Range<Instant>) -> bool,
) -> Result<Givers, Report> {
    let mut all = held(&sites.given);
    let known = all.entry((call.title(), call.body.clone())).or_default();
    let others: Vec<_> = known.iter().filter(|other| given.is_of_another(other)).cloned().collect();
    known.push(given.clone());
    let is_confused = |other: &&Given| given.receiver != other.receiver && !given.is_after(other, &waited);
    let Some(other) = others.iter().find(is_confused) else {
        return Ok(if others.is_empty() { Givers::One } else { Givers::Several });
    };
    let how = match given.overlaps(other) {
        true => "of two objects at the same time",
        false => "in two tasks or threads, of two objects or of one that was moved",
    };
    let what = format!(
        "{} was asked the same {how}, which said different things, and nothing in a recording tells them apart",
        call.title()
    );
    let help = "say which it is, `also(index = self.index)`, or `skip(self)` where either may answer, as of clones";
    Err(Report::Wiring(Wiring::new(what, help)))
}

fn held<T>(map: &Mutex<T>) -> MutexGuard<'_, T> {
    map.lock().unwrap_or_else(PoisonError::into_inner)
}

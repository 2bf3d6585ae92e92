//! What a person says of a recording that was not taken over, and what comes of it.

use cassette_core::files;

use cargo_cassette::comparison::{Comparison, Fate, compare};
use cassette_core::disk;
use cassette_core::store::Store as _;
use cassette_core::tape::Tape;
use cassette_core::upkeep::{Candidate, Refusal};

use super::super::diff::{changes, summary};
use super::refused::Refused;
use super::waiting::Waiting;
use crate::output::{Ink, Line, count};

/// What a person says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::command) enum Verdict {
    /// It takes the place of what it was recorded over.
    Accept,
    /// It takes the place of whatever is there.
    Replace,
    /// It is removed.
    Reject,
}

impl Verdict {
    /// Returns the verb that is typed for it.
    pub(in crate::command) fn verb(self) -> &'static str {
        match self {
            Verdict::Accept | Verdict::Replace => "accept",
            Verdict::Reject => "reject",
        }
    }

    /// Returns what was done: `accepted`.
    pub(in crate::command) fn past(self) -> &'static str {
        match self {
            Verdict::Accept | Verdict::Replace => "accepted",
            Verdict::Reject => "rejected",
        }
    }

    /// Returns the ink of what was done.
    pub(in crate::command) fn ink(self) -> Ink {
        match self {
            Verdict::Accept | Verdict::Replace => Ink::Good,
            Verdict::Reject => Ink::Warn,
        }
    }
}

/// Whether anything is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::command) enum Run {
    /// It is done.
    Real,
    /// It is found out what would be done.
    Dry,
}

/// What comes of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::command) enum Comes {
    /// It is accepted: what becomes of the file.
    Becomes(String),
    /// It is removed, with so many calls; it is not known how many where it cannot be read.
    Goes(Option<usize>),
}

impl Comes {
    /// Returns what comes of it, if this is said.
    pub(in crate::command) fn of(verdict: Verdict, waiting: &Waiting, tape: &Tape) -> Comes {
        match verdict {
            Verdict::Accept | Verdict::Replace => Comes::Becomes(becomes(waiting, tape)),
            Verdict::Reject => Comes::Goes(Some(tape.interactions.len())),
        }
    }

    /// Returns the line that tells it, behind a verb.
    pub(in crate::command) fn told(&self, verb: Line, name: &str) -> Line {
        let line = verb.plain(" ").ink(Ink::Strong, name);
        match self {
            Comes::Becomes(becomes) => line.plain(&format!(": {becomes}")),
            Comes::Goes(Some(calls)) => line.plain(&format!(", {}", count(*calls, "call"))),
            Comes::Goes(None) => line.plain(", a file that cannot be read"),
        }
    }
}

/// Does with a recording that was looked at what a person says, and returns what comes of it.
///
/// # Errors
///
/// Fails where it is refused, and is as it was.
pub(in crate::command) fn settle(
    verdict: Verdict,
    waiting: &Waiting,
    candidate: &Candidate,
    run: Run,
) -> Result<Comes, Refused> {
    let comes = Comes::of(verdict, waiting, candidate.tape());
    let store = waiting.store();
    let settled = match (verdict, run) {
        (Verdict::Accept, Run::Real) => accepted(waiting, candidate),
        (Verdict::Accept, Run::Dry) => proved(waiting, candidate),
        (Verdict::Replace, Run::Real) => accepted(waiting, &candidate.over_anything()),
        (Verdict::Replace, Run::Dry) => proved(waiting, &candidate.over_anything()),
        (Verdict::Reject, Run::Real) => candidate.reject(&store),
        (Verdict::Reject, Run::Dry) => waiting.at_rest(),
    };
    let test = || candidate.tape().head.test.clone();
    settled.map(|()| comes).map_err(|refusal| Refused::Pending(refusal, test()))
}

/// Does with a recording what a person says who has not looked at it; one that cannot be read may be rejected.
///
/// # Errors
///
/// Fails where it is refused, and is as it was.
pub(in crate::command) fn settle_unseen(verdict: Verdict, waiting: &Waiting, run: Run) -> Result<Comes, Refused> {
    let refusal = match waiting.candidate() {
        Ok(candidate) => return settle(verdict, waiting, &candidate, run),
        Err(refusal) => refusal,
    };
    let (store, name) = (waiting.store(), &waiting.spot.name);
    let gone = match (&refusal, verdict, run) {
        (Refusal::Unreadable(_), Verdict::Reject, Run::Dry) => waiting.at_rest(),
        (Refusal::Unreadable(_), Verdict::Reject, Run::Real) => {
            store.undisturbed(name, || Ok(store.drop_pending(name)?))
        }
        _ => Err(refusal),
    };
    gone.map(|()| Comes::Goes(None)).map_err(|refusal| Refused::Pending(refusal, None))
}

fn accepted(waiting: &Waiting, candidate: &Candidate) -> Result<(), Refusal> {
    candidate.accept(&waiting.store(), &waiting.known(candidate.name())?)
}

/// Checks that a recording would be accepted as it is.
///
/// # Errors
///
/// Fails with the reason against it.
pub(in crate::command) fn proved(waiting: &Waiting, candidate: &Candidate) -> Result<(), Refusal> {
    waiting.at_rest()?;
    waiting.store().writable(candidate.name())?;
    candidate.prove(&waiting.store(), &waiting.known(candidate.name())?).map(drop)
}

/// Returns what would become of the file that it was recorded for.
pub(in crate::command) fn becomes(waiting: &Waiting, tape: &Tape) -> String {
    let file = waiting.shelf.spot(&waiting.spot.name).place();
    match beside(waiting, tape) {
        None => format!("{file} would be as it is"),
        Some(comparison) if comparison.is_same() => format!("{file} would say the same"),
        Some(comparison) => match &comparison.fate {
            Fate::Added(tape) => format!("{file} is new, with {}", count(tape.interactions.len(), "call")),
            Fate::Unreadable(..) => format!("{file}, which cannot be read, is replaced"),
            Fate::Kept(kept) => {
                format!("{file} has {}: {}", count(tape.interactions.len(), "call"), changes(&kept.2))
            }
            Fate::Removed(_) => format!("{file} {}", summary(&comparison)),
        },
    }
}

/// Compares it with the file that it was recorded for.
pub(in crate::command) fn beside(waiting: &Waiting, tape: &Tape) -> Option<Comparison> {
    let before = files::read(&waiting.shelf.spot(&waiting.spot.name).path).ok();
    let mut tape = tape.clone();
    tape.head.other.retain(|(name, _)| !name.is("pending"));
    let spot = waiting.shelf.spot(&waiting.spot.name);
    compare(&spot.name, before.as_deref(), Some(disk::write(&tape).as_bytes()), [Some(&spot); 2])
}

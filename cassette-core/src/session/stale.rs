//! Whether a cassette was recorded with what the test names.

use super::{Plan, Shared};
use crate::mode::Mode;
use crate::report::{Change, Report, Stale};
use crate::tape::{Stamp, Tape};

/// Returns the report of recordings that would be served though they were made with something else than the test names.
pub(super) fn stale(shared: &Shared) -> Option<Report> {
    let Shared { plan, pool, tape, .. } = shared;
    let serves = pool.size > 0 || matches!(plan.mode, Mode::Replay | Mode::Record);
    let other = plan.fork.as_ref().filter(|_| pool.is_new).map(|origin| origin.cassette.clone());
    let named = Plan { name: other.unwrap_or_else(|| plan.name.clone()), ..plan.clone() };
    let is_its_own = named.name == plan.name && !shared.is_shared();
    let unnamed = if is_its_own { Unnamed::Nothing } else { Unnamed::Anything };
    serves.then(|| named.stale(tape, unnamed)).flatten()
}

/// What it means that a test does not name what a recording is made with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unnamed {
    /// It is made with nothing of the kind.
    Nothing,
    /// Whatever it is.
    Anything,
}

impl Plan {
    /// Returns the report of a cassette that was recorded with something else than the test names: what it has would be
    /// served as if it came from there. Where others have recorded it, what the test does not name it leaves to them.
    fn stale(&self, tape: &Tape, unnamed: Unnamed) -> Option<Report> {
        let (now, then) = (&self.stamp, &tape.head.stamp);
        let hooks = |stamp: &Stamp| (!stamp.hooks.is_empty()).then(|| stamp.hooks.join(", "));
        let pairs = [
            ("hooks", hooks(then), hooks(now)),
            ("provider", then.provider.clone(), now.provider.clone()),
            ("version", then.version.clone(), now.version.clone()),
        ];
        let counts = |now: &Option<String>| now.is_some() || unnamed == Unnamed::Nothing;
        let differ = pairs.into_iter().filter(|(_, then, now)| counts(now) && then != now);
        let named: Vec<_> =
            differ.map(|(name, recorded, incoming)| Change { path: name.to_owned(), recorded, incoming }).collect();
        let help = self
            .help_of_fork()
            .unwrap_or_else(|| format!("record it with what the test names: {}", self.command(Mode::Refresh)));
        (!named.is_empty() && !tape.interactions.is_empty())
            .then(|| Report::Stale(Stale { cassette: self.name.clone(), named, file: self.file(), help }))
    }
}

//! What a run did to its cassette, as it is told at its end.

use std::fmt;

use crate::redact::Tally;
use crate::report::{Approximate, Drift, Fired, Place, Unread};
use crate::tape::Origin;
use crate::typed::visible;

/// What follows where a value is hidden since an environment holds it.
pub(crate) const UNMATCHED: &str = "a replay without it will not match: send `cassette.secret(\"..\")`, or other words";

/// What a run did to its cassette.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The cassette's name.
    pub cassette: String,
    /// The cassette's path.
    pub file: String,
    /// How many calls were served from it.
    pub served: usize,
    /// How many calls were recorded.
    pub recorded: usize,
    /// Where it was forked, if this run wrote what is before that.
    pub forked: Option<Origin>,
    /// The recordings that are no longer in it, since nothing asked for them.
    pub dropped: Vec<Place>,
    /// The recordings that are no longer in it, since what was recorded anew stands for them: a request that changed.
    pub replaced: Vec<Place>,
    /// The recordings of a shared cassette in whose place another answer stands now, which tests that share it are served too.
    pub recorded_over: Vec<Place>,
    /// The recordings that were served after one that stands behind them.
    pub out_of_order: Vec<Place>,
    /// The recordings that were served although their sampling is not the call's.
    pub drifted: Vec<Drift>,
    /// The recordings that were served though they are not of exactly the request: an order that explores allowed it, or the
    /// test's own matcher took them for it.
    pub approximate: Vec<Approximate>,
    /// What to do about those that an order allowed, if there are any.
    pub help: Option<String>,
    /// The recordings that were served by their position: others of this request differ from them only in a hidden value,
    /// and nothing tells which of them a value that was never met before belongs to.
    pub by_position: Vec<Place>,
    /// The test that has recorded the cassette, where it is another one's and neither says that they share it.
    pub of_another: Option<String>,
    /// The recordings that were served though a rule of the test's own hides a whole text of the call: whatever it says is served.
    pub unread: Vec<Unread>,
    /// The functions that the test had run live though it replays, each once, by name.
    pub ran_live: Vec<String>,
    /// The methods that were asked the same of several objects, or of one in several tasks, and said different things.
    pub of_several: Vec<String>,
    /// The recordings that hold a text of their request all the same, in the reply, where digests are kept of requests.
    pub echoes: Vec<Place>,
    /// Where a request speaks of a value that this machine's environment holds under a secret name: it is hidden, and a replay
    /// without that variable would compare what the program sends as it is.
    pub by_environment: Option<String>,
    /// What is hidden in the bodies of what was recorded: in prompts and answers, in arguments and values.
    pub hidden: Tally,
    /// Which tools and memories did not run, since they were served, before others ran live, and what to do about it.
    pub unrun: Option<String>,
    /// Whether a recording run found nothing to change.
    pub unchanged: bool,
    /// How many replies were kept as they were in the file: what came back differs from them in ids and dates at most.
    pub kept: usize,
    /// Whether the date of an unchanged file was renewed.
    pub redated: bool,
    /// Where a recording lies that an earlier run left unfinished.
    pub cut_short: Option<String>,
    /// Where the damaged file lies that this run replaced.
    pub damaged: Option<String>,
    /// Where this run's recording lies if it was not taken over.
    pub pending: Option<String>,
    /// Why it does not lie there either: at most its journal is left of it.
    pub unkept: Option<String>,
    /// What came back from upstreams that were out of order, where the test failed: often that is why.
    pub outages: Vec<String>,
    /// The faults that the test planned and that fired.
    pub faults: Vec<Fired>,
    /// The recordings that nothing asked for after a fault: a program may give up, and the run then ends early.
    pub unasked: Vec<Place>,
    /// The recorded functions that lost a race against another one, and were not asked for: they need not be, and whether the program
    /// still asks them this run does not tell.
    pub lost: Vec<Place>,
}

impl Summary {
    /// Returns whether there is nothing to tell: everything was served in its order, and nothing was written.
    pub fn is_quiet(&self) -> bool {
        let wrote = self.recorded > 0 || self.forked.is_some() || !self.dropped.is_empty() || self.pending.is_some();
        let told = !self.out_of_order.is_empty() || !self.drifted.is_empty() || !self.by_position.is_empty();
        let told = told || !self.ran_live.is_empty() || self.of_another.is_some() || !self.unread.is_empty();
        let told = told || !self.lost.is_empty();
        !wrote && !told && self.faults.is_empty() && self.approximate.is_empty() && self.cut_short.is_none()
    }

    /// Returns whether anything was served for an order's sake that is not of the request: a run that was meant to explore.
    pub fn explored(&self) -> bool {
        self.help.is_some()
    }
}

impl fmt::Display for Summary {
    /// Writes the text. What was recorded came from outside: no control character of it reaches a terminal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible(&format!("{}", Told(self))))
    }
}

/// What a summary says, as it was recorded.
struct Told<'a>(&'a Summary);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Told(summary) = self;
        let Summary { cassette, file, served, recorded, .. } = summary;
        write!(f, "cassette `{cassette}`: {recorded} recorded, {served} served")?;
        match (&summary.pending, &summary.unkept, summary.unchanged) {
            (Some(pending), ..) => write!(f, "; not taken over, it is in {pending}")?,
            (None, Some(why), _) => write!(f, "; not taken over, and not kept: {why}")?,
            (None, None, true) if summary.redated => write!(f, "; nothing changed but the date in {file}")?,
            (None, None, true) => write!(f, "; nothing changed in {file}")?,
            (None, None, false) => write!(f, ", in {file}")?,
        }
        summary.outages.iter().try_for_each(|outage| write!(f, "\n  {outage}"))?;
        if summary.kept > 0 && !summary.unchanged {
            let s = if summary.kept == 1 { "y" } else { "ies" };
            write!(f, "\n  {} repl{s} kept as before: ids and dates at most differ", summary.kept)?;
        }
        if let Some(Origin { cassette, at }) = &summary.forked {
            write!(f, "\n  up to interaction {at} it is what `{cassette}` holds")?;
        }
        list(f, "replaced by what was recorded anew", &summary.replaced)?;
        list(
            f,
            "recorded over, and served to each test that shares the cassette and asks the same",
            &summary.recorded_over,
        )?;
        list(f, "dropped, since nothing asked for it", &summary.dropped)?;
        list(f, "served out of recorded order", &summary.out_of_order)?;
        list(f, "served by its position, since another differs from it only in a hidden value", &summary.by_position)?;
        if let Some(owner) = &summary.of_another {
            write!(
                f,
                "\n  {owner} has recorded it, and this test is served the same; one that records has a cassette of its own"
            )?;
        }
        let unread =
            |unread: &Unread| write!(f, "\n  hidden whole by a rule of this test, and compared with nothing: {unread}");
        summary.unread.iter().try_for_each(unread)?;
        let live = |title: &String| write!(f, "\n  ran live in this replay, as `live(..)` has it: {title}");
        summary.ran_live.iter().try_for_each(live)?;
        let several = |title: &String| {
            write!(
                f,
                "\n  asked the same of several objects, or of one in several tasks, which said different things: {title}; a replay gives \
                 them in this order, whoever asks, unless `also(..)` in its attribute tells them apart"
            )
        };
        summary.of_several.iter().try_for_each(several)?;
        list(f, "its reply repeats what was asked, and is kept", &summary.echoes)?;
        summary.unrun.iter().try_for_each(|unrun| write!(f, "\n  {unrun}"))?;
        if !summary.hidden.is_empty() {
            write!(f, "\n  hides in bodies {}", summary.hidden)?;
        }
        if let Some(place) = &summary.by_environment {
            write!(f, "\n  {place}; {UNMATCHED}")?;
        }
        summary.drifted.iter().try_for_each(|drift| write!(f, "\n  served though its sampling differs: {drift}"))?;
        summary.approximate.iter().try_for_each(|approximate| write!(f, "\n  {approximate}"))?;
        summary.faults.iter().try_for_each(|fired| write!(f, "\n  {fired}"))?;
        list(f, "not asked for after a fault", &summary.unasked)?;
        list(f, "not asked for, as what lost a race need not be", &summary.lost)?;
        if let Some(journal) = &summary.cut_short {
            write!(f, "\n  an earlier recording was cut short; what it had is in {journal}")?;
        }
        if let Some(damaged) = &summary.damaged {
            write!(f, "\n  the damaged file that stood there is in {damaged}")?;
        }
        summary.help.as_ref().map_or(Ok(()), |help| write!(f, "\nhelp: {help}"))
    }
}

fn list(f: &mut fmt::Formatter<'_>, what: &str, places: &[Place]) -> fmt::Result {
    places.iter().try_for_each(|place| write!(f, "\n  {what}: {place}"))
}

//! The words that text and markdown share.

use cargo_cassette::comparison::{Comparison, Fate};
use cassette_core::alignment::{Alignment, Change, Pair, Place};
use cassette_core::report::{Difference, Edit};
use cassette_core::transcript::Exchange;

use super::super::page::headline;
use crate::output::count;

/// Returns how many calls became what, on one line.
pub(in crate::command) fn summary(comparison: &Comparison) -> String {
    match &comparison.fate {
        Fate::Added(tape) => format!("added, with {}", count(tape.interactions.len(), "call")),
        Fate::Removed(tape) => format!("removed, with {}", count(tape.interactions.len(), "call")),
        Fate::Kept(kept) => {
            let was = comparison.was.as_ref().map(|was| format!("renamed, was {was}, "));
            let [old, new] = [&kept.0, &kept.1].map(|tape| tape.interactions.len());
            let were = if old == new { String::new() } else { format!(", were {old}") };
            format!("{}{}{were}: {}", was.unwrap_or_default(), count(new, "call"), changes(&kept.2))
        }
        Fate::Unreadable(before, after) => {
            let told = [("before", before), ("now", after)].into_iter();
            let told = told.filter_map(|(when, error)| Some(format!("{when}: {}", error.as_ref()?)));
            format!("cannot be read; {}", told.collect::<Vec<_>>().join("; "))
        }
    }
}

/// Returns how many calls of a cassette that is on both sides became what.
pub(in crate::command) fn changes(alignment: &Alignment) -> String {
    let counted = |is: &dyn Fn(&Pair) -> bool| alignment.pairs.iter().filter(|pair| is(pair)).count();
    let parts = [
        (counted(&|pair| pair.before.is_some() && pair.after.is_some() && !pair.changes.is_empty()), "changed"),
        (counted(&|pair| pair.before.is_none()), "added"),
        (counted(&|pair| pair.after.is_none()), "removed"),
        (counted(&|pair| pair.place == Place::Moved), "moved"),
        (counted(&Pair::is_same), "as before"),
    ];
    let parts = parts.into_iter().filter(|(n, _)| *n > 0);
    let mut told: Vec<String> = parts.map(|(n, what)| format!("{n} {what}")).collect();
    told.extend((!alignment.head.is_empty()).then(|| "the head changed".to_owned()));
    let first = alignment.first_divergence().map(|pair| match pair.after.or(pair.before) {
        Some(at) if pair.after.is_none() => format!("first divergence where call {} was", at + 1),
        Some(at) => format!("first divergence at call {}", at + 1),
        None => String::new(),
    });
    told.extend(first.filter(|_| alignment.pairs.len() > 1));
    told.join(", ")
}

/// Returns the line of a call: its sign, and where it stands and stood.
pub(in crate::command) fn places(pair: &Pair) -> (char, String) {
    match (pair.before, pair.after) {
        (None, Some(after)) => ('+', format!("{}", after + 1)),
        (Some(before), None) => ('-', format!("{}", before + 1)),
        (before, after) => {
            let sign = if pair.place == Place::Moved { '>' } else { '~' };
            let number = |place: Option<usize>| place.map_or(0, |place| place + 1);
            // Others around it have moved where it has the number that it had.
            let was = if before == after { String::new() } else { format!(", was {}", number(before)) };
            (sign, format!("{}{was}", number(after)))
        }
    }
}

/// Returns what a call asks that stands elsewhere now, and in which nothing else may have changed: many have the same address.
pub(super) fn asks(pair: &Pair, exchanges: &[Vec<Exchange>; 2]) -> Option<String> {
    let moved = pair.after.filter(|_| pair.place == Place::Moved);
    moved.and_then(|at| exchanges[1].get(at)).map(headline)
}

/// Returns where something changed, and how.
pub(super) fn place(difference: &Difference) -> String {
    let Difference { edit, path, from, .. } = difference;
    let mut place = path.clone();
    match (edit, from) {
        (Edit::Added, _) => place += " added",
        (Edit::Removed, _) => place += " removed",
        (Edit::Moved, Some(from)) => place += &format!(" moved, was {from}"),
        (_, Some(from)) => place += &format!(", was {from}"),
        _ => {}
    }
    if let Some(nature) = difference.nature_between_recordings() {
        place += &format!(": {nature}");
    }
    place
}

/// Returns a change of a number, `5 -> 6`, where it is one.
pub(super) fn numbers(difference: &Difference) -> Option<String> {
    let [shown] = difference.shown.as_slice() else { return None };
    let (old, new) = (shown.recorded.as_deref()?, shown.incoming.as_deref()?);
    let is_number = |text: &str| text.parse::<f64>().is_ok();
    (is_number(old) && is_number(new)).then(|| format!("{old} → {new}"))
}

/// Returns what was there and what is, a line each: the sign, and the value.
pub(super) fn values(difference: &Difference) -> Vec<(char, String)> {
    let mut lines = Vec::new();
    for shown in &difference.shown {
        let sides = match difference.edit {
            Edit::Moved => vec![(' ', &shown.incoming)],
            _ => vec![('-', &shown.recorded), ('+', &shown.incoming)],
        };
        lines.extend(sides.into_iter().filter_map(|(sign, value)| Some((sign, value.clone()?))));
    }
    if difference.more > 0 {
        lines.push((' ', format!("and {} in this text", count(difference.more, "more change"))));
    }
    lines
}

/// Returns whether something of what changed is left out, which a page has whole.
pub(super) fn is_cut(comparison: &Comparison) -> bool {
    let Fate::Kept(kept) = &comparison.fate else { return false };
    let is_cut = |side: &Option<String>| side.as_ref().is_some_and(|it| it.ends_with(" more characters"));
    let left = |change: &&Change| {
        let Difference { shown, more, .. } = &change.difference;
        *more > 0 || shown.iter().any(|shown| is_cut(&shown.recorded) || is_cut(&shown.incoming))
    };
    kept.2.pairs.iter().any(|pair| told(pair).0.iter().any(left))
}

/// Returns the changes of a call that are shown, and the lines that count the others.
pub(super) fn told(pair: &Pair) -> (Vec<&Change>, Vec<String>) {
    let (folded, told): (Vec<_>, Vec<_>) = pair.changes.iter().partition(|change| change.told_before || change.follows);
    let follow = folded.iter().filter(|change| change.follows).count();
    let counted = |n: usize, what: &str| (n > 0).then(|| format!("… {} {what}", count(n, "change")));
    let repeated = counted(folded.len() - follow, "of what was said, as told above");
    let verb = if follow == 1 { "follows" } else { "follow" };
    let following = counted(follow, &format!("that {verb} from how it ended"));
    (told, repeated.into_iter().chain(following).collect())
}

/// Returns what is counted and not shown, if there is any: `3 places that change with every recording`.
pub(super) fn noise<'a>(alignments: impl Iterator<Item = &'a Alignment>) -> Option<String> {
    let (mut places, mut respelled) = (0, 0);
    for alignment in alignments {
        (places, respelled) = (places + alignment.noise(), respelled + alignment.respelled());
    }
    let (verb, other) =
        (if places == 1 { "changes" } else { "change" }, if respelled == 1 { ["is", "says"] } else { ["are", "say"] });
    let places = (places > 0).then(|| format!("{} that {verb} with every recording", count(places, "place")));
    let replies = if respelled == 1 { "1 reply".to_owned() } else { format!("{respelled} replies") };
    let respelled =
        (respelled > 0).then(|| format!("{replies} that {} the same and {} spelled otherwise", other[1], other[0]));
    let told: Vec<_> = places.into_iter().chain(respelled).collect();
    (!told.is_empty()).then(|| told.join(", "))
}

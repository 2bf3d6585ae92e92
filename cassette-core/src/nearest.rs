//! The recording that is most like a call which none is of.
//!
//! Three sieves, each finer and dearer than the one before: bytes, parts, places. However many recordings there are, what
//! is parsed is bounded; which one is named hangs on what they say and on their order alone. Where the recordings hold
//! digests of their requests, [`digested`] compares these.

mod digested;

pub(crate) use digested::nearest as nearest_digested;

use std::cmp::Reverse;

use crate::call::Call;
use crate::canonical::Canonical;
use crate::dialect;
use crate::difference::{Differences, differences};
use crate::matching::Matching;
use crate::report::{Difference, Edit, Nearest};
use crate::tape::Interaction;
use crate::view::gist;

/// How many bytes of bodies are compared part by part, and how many recordings at least.
const BY_PARTS: (usize, usize) = (1 << 20, 16);

/// How many bytes of bodies are compared place by place, and how many recordings at least.
const BY_PLACES: (usize, usize) = (1 << 18, 4);

/// How many recordings are compared place by place at most.
const PLACES: usize = 16;

/// Returns the recording of the same kind that is most like the redacted call: the one that agrees with it in the most
/// parts; of several, the one that differs in the fewest places and by the least text, an unused one before a used one,
/// the earlier before the later.
pub(crate) fn nearest(call: &Call, tape: &[Interaction], used: &[bool], matching: &Matching) -> Option<Nearest> {
    let form = |call: &Call| Canonical::in_dialect(call, dialect::detect(call), matching);
    let whole = tape.iter().enumerate().filter_map(|(i, interaction)| Some((i, interaction.call()?)));
    let asked: Vec<(usize, &Call)> = whole.filter(|(_, recorded)| recorded.kind == call.kind).collect();
    let is_used = |n: usize| used[asked[n].0];
    let mut rough: Vec<_> = (0..asked.len()).collect();
    let sizes: usize = asked.iter().map(|(_, recorded)| recorded.body.len()).sum();
    if sizes > BY_PARTS.0 {
        rough.sort_by_cached_key(|n| Reverse((likeness(asked[*n].1, call), !is_used(*n))));
    }
    let incoming = form(call);
    let parts = within(BY_PARTS, &rough, &asked).map(|n| (n, form(asked[n].1)));
    let mut parts: Vec<_> = parts.map(|(n, recorded)| (n, agreeing(&recorded, &incoming))).collect();
    parts.sort_by_cached_key(|(n, agreeing)| Reverse((rank(agreeing), likeness(asked[*n].1, call))));
    let best = parts.first().map(|(_, agreeing)| rank(agreeing))?;
    let equals: Vec<_> = parts.into_iter().take_while(|(_, agreeing)| rank(agreeing) == best).collect();
    let fine: Vec<_> = equals.iter().map(|(n, _)| *n).take(PLACES).collect();
    let compared = within(BY_PLACES, &fine, &asked).map(|n| (n, differences(asked[n].1, call, matching)));
    let (nth, found) = compared.min_by_key(|(n, found)| (found.found.len(), found.size, is_used(*n), *n))?;
    let agreeing = equals.into_iter().find(|(n, _)| *n == nth).map(|(_, agreeing)| agreeing)?;
    let differences = named(found, &form(asked[nth].1), &agreeing);
    let asks = told_otherwise(asked[nth].1, call, &differences);
    Some(Nearest { interaction: asked[nth].0 + 1, used: is_used(nth), asks, differences, agreeing, digests: None })
}

/// Returns what a recording asks, unless the call asks the same or a difference tells it.
pub(crate) fn told_otherwise(recorded: &Call, call: &Call, differences: &[Difference]) -> Option<String> {
    let asks = gist(recorded).filter(|asks| gist(call).as_ref() != Some(asks))?;
    let mut shown = differences.iter().flat_map(|difference| &difference.shown);
    (!shown.any(|shown| shown.recorded.as_ref() == Some(&asks))).then_some(asks)
}

/// Returns these recordings until so many bytes have gone by, but at least so many.
fn within<'a>(
    (bytes, least): (usize, usize),
    places: &'a [usize],
    asked: &'a [(usize, &'a Call)],
) -> impl Iterator<Item = usize> + 'a {
    let mut spent = 0;
    places
        .iter()
        .copied()
        .enumerate()
        .take_while(move |(n, i)| {
            let within = *n < least || spent <= bytes;
            spent += asked[*i].1.body.len();
            within
        })
        .map(|(_, i)| i)
}

/// Returns how much two calls agree by their bytes: in the name, and then in thousandths of the body at its two ends.
fn likeness(recorded: &Call, incoming: &Call) -> (bool, usize) {
    let (a, b) = (recorded.body.as_slice(), incoming.body.as_slice());
    let longest = a.len().max(b.len()).max(1);
    let front =
        common(a.chunks(BLOCK).zip(b.chunks(BLOCK)), |a, b| a.iter().zip(b).take_while(|(a, b)| a == b).count());
    let rest = a.len().min(b.len()) - front;
    let (a, b) = (&a[a.len() - rest..], &b[b.len() - rest..]);
    let back = common(a.rchunks(BLOCK).zip(b.rchunks(BLOCK)), |a, b| {
        a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
    });
    (recorded.name == incoming.name, 1_000 * (front + back) / longest)
}

/// How many bytes are compared at once: slices are compared fast even where nothing is optimised.
const BLOCK: usize = 512;

fn common<'a>(blocks: impl Iterator<Item = (&'a [u8], &'a [u8])>, bytes: fn(&[u8], &[u8]) -> usize) -> usize {
    let mut total = 0;
    for (a, b) in blocks {
        let equal = if a == b { a.len() } else { bytes(a, b) };
        total += equal;
        if equal < a.len() || equal < b.len() {
            break;
        }
    }
    total
}

fn agreeing(recorded: &Canonical, incoming: &Canonical) -> Vec<String> {
    let agree = recorded.parts().iter().filter(|part| incoming.parts().contains(part));
    // That the body is a form goes without saying.
    agree.map(|part| part.name.clone()).filter(|name| name != "@form").collect()
}

fn rank(agreeing: &[String]) -> (bool, usize) {
    (agreeing.iter().any(|part| part == "endpoint"), agreeing.len())
}

/// Returns the differences; where none was found though the parts differ, these are named.
fn named(found: Differences, recorded: &Canonical, agreeing: &[String]) -> Vec<Difference> {
    if !found.found.is_empty() {
        return found.found;
    }
    let differing = recorded.parts().iter().map(|part| &part.name).filter(|name| !agreeing.contains(name));
    differing.map(|name| Difference::of_part(Edit::Changed, name)).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;
    use crate::call::Call;
    use crate::key::Key;
    use crate::matching::Matching;
    use crate::reply::{Outcome, Reply};
    use crate::tape::{Asked, Interaction};

    fn ask(question: &str) -> Call {
        let system = "Answer from the timetable alone, and never guess. ".repeat(40);
        let body = format!(
            r#"{{"model":"m","messages":[{{"role":"system","content":"{system}"}},{{"role":"user","content":"{question}"}}]}}"#
        );
        Call::http("POST", "https://api.example.com/v1/chat/completions", Vec::new(), body.into_bytes())
    }

    fn recorded(call: Call) -> Interaction {
        let reply =
            Reply { status: 200, headers: Vec::new(), chunks: Vec::new(), trailers: Vec::new(), truncated: None };
        let asked = Asked::Whole(call);
        Interaction { key: Key::over([]), asked, within: None, overlaps: false, outcome: Outcome::Reply(reply) }
    }

    #[test]
    fn ten_thousand_recordings_are_sieved_in_no_time() {
        let question =
            |i: usize, to: &str| ask(&format!("Which train is number {i}, and when does it leave for {to}?"));
        let tape: Vec<_> = (0..10_000).map(|i| recorded(question(i, "Bergen"))).collect();
        let started = std::time::Instant::now();
        let found = nearest(&question(7_531, "Oslo"), &tape, &vec![false; tape.len()], &Matching::default()).unwrap();
        assert_eq!((found.interaction, found.differences.len()), (7_532, 1));
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }

    #[test]
    fn parts_come_first_then_distance_then_what_is_unused_then_the_file() {
        let other = |model: &str, call: Call| Call {
            body: String::from_utf8(call.body).unwrap().replace("\"m\"", &format!("\"{model}\"")).into_bytes(),
            ..call
        };
        let check = |tape: &[Call], used: &[bool], expected: usize| {
            let tape: Vec<_> = tape.iter().cloned().map(recorded).collect();
            let found = nearest(&ask("When does the train leave?"), &tape, used, &Matching::default()).unwrap();
            assert_eq!((found.interaction, found.used), (expected, used[expected - 1]));
        };
        let (near, far) = (ask("When does the bus leave?"), ask("What does it cost, and is there a restaurant?"));
        let elsewhere = other("n", ask("When does the bus leave?"));
        check(&[elsewhere.clone(), far.clone()], &[false, false], 2);
        check(&[far.clone(), near.clone()], &[false, true], 2);
        check(&[near.clone(), near.clone()], &[true, false], 2);
        check(&[near.clone(), near.clone()], &[false, false], 1);
        check(&[far, elsewhere, near], &[false; 3], 3);
    }
}

//! The recording of digests that is most like a call: which of its parts moved, and which elements of these.
//!
//! What came in is there to be shown; of what was recorded, marks are. A mark that agrees is taken for a text that agrees:
//! where that is wrong, once in 65,536 times, a report names one place too few, and the call fails all the same.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::{PLACES, rank};
use crate::call::Call;
use crate::canonical::{self, Canonical, Part, Sketch, Spot, place};
use crate::dialect;
use crate::difference::{lcs, said};
use crate::digested::Digested;
use crate::json::{Json, Layout};
use crate::key::{Mark, Salt};
use crate::matching::Matching;
use crate::path::{Path, select};
use crate::report::{Difference, Edit, Nearest, Shown};
use crate::tape::{Asked, Tape};

/// The call, as it is compared.
struct Incoming<'a> {
    parts: Vec<(&'a Part, Sketch)>,
    /// Its body, for what is to be shown of it.
    document: Option<Json>,
}

/// An element of the call.
#[derive(Clone, Copy)]
struct Element<'a> {
    path: &'a str,
    text: &'a str,
    spot: Spot,
}

/// Returns the recording of the same kind that is most like the redacted call: the one that agrees with it in the most
/// parts; of several, the one that differs in the fewest places, an unused one before a used one, the earlier before the
/// later.
pub(crate) fn nearest(
    call: &Call,
    (tape, offered): (&Tape, usize),
    used: &[bool],
    matching: &Matching,
) -> Option<Nearest> {
    let salt = &tape.head.digests.as_ref()?.salt;
    let canonical = Canonical::in_dialect(call, dialect::detect(call), matching);
    let parts = canonical.parts().iter().map(|part| (part, Sketch::of(part, salt))).collect();
    let incoming = Incoming { parts, document: canonical::document(call, matching) };
    let known = known_names(matching, salt);
    let recorded =
        tape.interactions[..offered].iter().enumerate().filter_map(|(i, interaction)| match &interaction.asked {
            Asked::Digest(digested) if digested.kind == call.kind => Some((i, digested)),
            _ => None,
        });
    let mut ranked: Vec<_> = recorded.map(|(i, digested)| (i, digested, agreeing(digested, &incoming))).collect();
    ranked.sort_by_cached_key(|(.., agreeing)| Reverse(rank(agreeing)));
    let best = ranked.first().map(|(.., agreeing)| rank(agreeing))?;
    let equals = ranked.into_iter().take_while(|(.., agreeing)| rank(agreeing) == best).take(PLACES);
    let compared = equals.map(|(i, digested, agreeing)| (i, differences(digested, &incoming, &known), agreeing));
    let (i, differences, agreeing) = compared.min_by_key(|(i, found, _)| (found.len(), used[*i], *i))?;
    Some(Nearest { interaction: i + 1, used: used[i], asks: None, differences, agreeing, digests: Some(Vec::new()) })
}

fn agreeing(recorded: &Digested, incoming: &Incoming<'_>) -> Vec<String> {
    let agrees = |(_, sketch): &&(&Part, Sketch)| recorded.outline.parts.iter().any(|known| known.agrees(sketch));
    let agree = incoming.parts.iter().filter(agrees).map(|(part, _)| part.name.clone());
    agree.filter(|name| name != "@form").collect()
}

/// Returns the names of parts that the test itself gives, each with the name that a sketch of it has.
fn known_names(matching: &Matching, salt: &Salt) -> Vec<(String, String)> {
    let headers = matching.counting_headers().into_iter().map(|name| format!("@header.{name}"));
    let names = headers.chain(matching.paths().map(ToString::to_string));
    names.map(|name| (Sketch::name(&name, salt), name)).collect()
}

fn differences(recorded: &Digested, incoming: &Incoming<'_>, known: &[(String, String)]) -> Vec<Difference> {
    let named = |sketch: &Sketch| recorded.outline.parts.iter().find(|known| known.name == sketch.name);
    let mut found = Vec::new();
    for (part, sketch) in &incoming.parts {
        match named(sketch) {
            Some(ours) if ours.agrees(sketch) => {}
            Some(ours) => found.extend(elements(recorded, ours, (part, sketch), incoming)),
            None => found.push(added(part, incoming)),
        }
    }
    let gone = recorded.outline.parts.iter().map(|sketch| &sketch.name);
    let gone = gone.filter(|name| !incoming.parts.iter().any(|(_, sketch)| sketch.name == **name));
    let mut unnamed = 0;
    for name in gone {
        match known.iter().find(|(mark, _)| mark == name) {
            Some((_, name)) => found.push(Difference::of_part(Edit::Removed, name)),
            None if !name.starts_with('#') => found.push(Difference::of_part(Edit::Removed, name)),
            None => unnamed += 1,
        }
    }
    match unnamed {
        0 => {}
        1 => found.push(Difference::of_part(Edit::Removed, "a part whose name is not kept")),
        n => found.push(Difference::of_part(Edit::Removed, &format!("{n} parts whose names are not kept"))),
    }
    found
}

fn added(part: &Part, incoming: &Incoming<'_>) -> Difference {
    let mut elements = part.elements();
    let shown = match (elements.next(), elements.next()) {
        (Some((path, text)), None) => vec![incoming.shown(None, path, text)],
        _ => Vec::new(),
    };
    Difference { shown, ..Difference::of_part(Edit::Added, &part.name) }
}

/// Returns where the elements of a part differ.
fn elements(
    recorded: &Digested,
    ours: &Sketch,
    (part, sketch): (&Part, &Sketch),
    incoming: &Incoming<'_>,
) -> Vec<Difference> {
    let ours = &ours.elements;
    let spots = part.elements().zip(&sketch.elements);
    let theirs: Vec<_> = spots.map(|((path, text), spot)| Element { path, text, spot: *spot }).collect();
    let pairs = Pairs::of(ours, &theirs);
    let mut found: Vec<(usize, Difference)> = Vec::new();
    for (i, j) in &pairs.changed {
        let Element { path, text, .. } = theirs[*j];
        let shown = vec![incoming.shown(was(recorded, path), path, text)];
        found.push((*j, Difference { shown, ..at(Edit::Changed, ours, *i, &theirs[*j]) }));
    }
    found.extend(pairs.moved.iter().map(|(i, j)| (*j, at(Edit::Moved, ours, *i, &theirs[*j]))));
    let is_new = |j: &usize| !pairs.accounts_for(|(_, known)| known == j);
    for j in (0..theirs.len()).filter(is_new) {
        let Element { path, text, .. } = theirs[j];
        found.push((
            j,
            Difference { shown: vec![incoming.shown(None, path, text)], ..Difference::of_part(Edit::Added, path) },
        ));
    }
    found.sort_by_key(|(j, _)| *j);
    let is_gone = |i: &usize| !pairs.accounts_for(|(known, _)| known == i);
    let gone = (0..ours.len()).filter(is_gone).map(|i| Difference::of_part(Edit::Removed, &path_of(ours, i, &theirs)));
    found.into_iter().map(|(_, difference)| difference).chain(gone).collect()
}

/// Which elements are which.
struct Pairs {
    kept: Vec<(usize, usize)>,
    changed: Vec<(usize, usize)>,
    moved: Vec<(usize, usize)>,
}

impl Pairs {
    fn of(ours: &[Spot], theirs: &[Element<'_>]) -> Pairs {
        let numbers = |spots: &mut dyn Iterator<Item = Spot>| spots.map(|spot| spot.text.number()).collect::<Vec<_>>();
        let kept = lcs(&numbers(&mut ours.iter().copied()), &numbers(&mut theirs.iter().map(|element| element.spot)));
        let (our_kept, their_kept): (BTreeSet<_>, BTreeSet<_>) = kept.iter().copied().unzip();
        let mut gone: Vec<_> = (0..ours.len()).filter(|i| !our_kept.contains(i)).collect();
        let mut new: Vec<_> = (0..theirs.len()).filter(|j| !their_kept.contains(j)).collect();
        let mut pairs = Pairs { kept, changed: Vec::new(), moved: Vec::new() };
        pairs.moved = take(&mut gone, &mut new, |i, j| ours[i].text == theirs[j].spot.text);
        // What stands between the same two that stayed is likelier to have changed than what stands elsewhere.
        let between = |at: usize, kept: &BTreeSet<usize>| kept.range(..at).count();
        let near = |i: usize, j: usize| between(i, &our_kept) == between(j, &their_kept);
        pairs.changed = take(&mut gone, &mut new, |i, j| ours[i].place == theirs[j].spot.place && near(i, j));
        let named = |j: usize| !place(theirs[j].path).1;
        pairs.changed.extend(take(&mut gone, &mut new, |i, j| ours[i].place == theirs[j].spot.place && named(j)));
        pairs
    }

    fn accounts_for(&self, is: impl Fn(&(usize, usize)) -> bool) -> bool {
        self.kept.iter().chain(&self.changed).chain(&self.moved).any(is)
    }
}

/// Takes out each pair that belongs together, in order.
fn take(gone: &mut Vec<usize>, new: &mut Vec<usize>, belong: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    gone.retain(|i| match new.iter().position(|j| belong(*i, *j)) {
        Some(at) => {
            pairs.push((*i, new.remove(at)));
            false
        }
        None => true,
    });
    pairs
}

/// Returns a difference at an element of the call, and the path under which it was recorded where that is another.
fn at(edit: Edit, ours: &[Spot], i: usize, theirs: &Element<'_>) -> Difference {
    let (outside, listed) = place(theirs.path);
    let from = listed.then(|| format!("{outside}[{}]", position(ours, i))).filter(|from| from != theirs.path);
    Difference { from, ..Difference::of_part(edit, theirs.path) }
}

/// Returns the path of a recorded element, as far as the call has one at such a place.
fn path_of(ours: &[Spot], i: usize, theirs: &[Element<'_>]) -> String {
    match theirs.iter().find(|element| element.spot.place == ours[i].place).map(|element| place(element.path)) {
        Some((outside, true)) => format!("{outside}[{}]", position(ours, i)),
        Some((path, false)) => path.to_owned(),
        None => "an element whose path is not kept".to_owned(),
    }
}

/// Returns the position of an element among those of its list.
fn position(ours: &[Spot], i: usize) -> usize {
    let place: Mark = ours[i].place;
    ours[..i].iter().filter(|spot| spot.place == place).count()
}

/// Returns what was recorded at a path of the address: so much of it the name tells.
fn was(recorded: &Digested, path: &str) -> Option<String> {
    let known = matches!(path, "@method" | "@host" | "@path" | "@name");
    let bare = Call { kind: recorded.kind, name: recorded.name.clone(), headers: Vec::new(), body: Vec::new() };
    let form = known.then(|| Canonical::in_dialect(&bare, None, &Matching::default()))?;
    let mut elements = form.parts().iter().flat_map(Part::elements);
    elements.find(|(known, _)| *known == path).map(|(_, text)| said(text))
}

impl Incoming<'_> {
    /// Returns what came in at this path, as it was sent where it stands in the body.
    fn shown(&self, recorded: Option<String>, path: &str, text: &str) -> Shown {
        let sent = match (&self.document, path.parse()) {
            (Some(document), Ok(Path::Body(steps))) => select(document, &steps).into_iter().next(),
            _ => None,
        };
        let incoming = sent.map_or_else(|| said(value(path, text)), |(_, json)| said(&json.print(Layout::Compact)));
        Shown { recorded, incoming: Some(incoming) }
    }
}

/// Returns what an element says without the name that it may begin with.
fn value<'a>(path: &str, text: &'a str) -> &'a str {
    let after_path = text.strip_prefix(path).and_then(|rest| rest.strip_prefix([':', ' ']));
    let of_query = || path.strip_prefix("@query.").and_then(|key| text.strip_prefix(key)?.strip_prefix('='));
    let after_name = || {
        let ends = text.match_indices("\":").map(|(at, _)| at + 1);
        ends.into_iter()
            .find(|end| matches!(Json::parse(&text[..*end]), Ok(Json::String(_))))
            .map(|end| &text[end + 1..])
    };
    after_path.or_else(of_query).or_else(after_name).unwrap_or(text)
}

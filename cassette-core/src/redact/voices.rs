//! Whose a piece is, by what stands beside and above it: an agent's name, a channel, the name of an event.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use super::detect::Spent;
use super::scan::{Role, Scan};

/// How many steps it may take to tell the voices of one text apart.
const MOST: usize = 1 << 22;

/// How much may be said beside the pieces of one text.
const MOST_SAID: usize = 1 << 25;

/// How often a member may stand in one place to tell whose it is.
const FEW: usize = 4;

/// The place in which everything is.
pub(crate) const BODY: usize = 0;

/// What stands in the containers of a body: it may tell whose the pieces are that stand there too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Voices {
    said: Vec<Voice>,
    places: Vec<Surroundings>,
}

/// What may tell whose a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Voice {
    /// The mark of the names under which it stands.
    member: u64,
    /// The mark of what it says.
    said: u64,
    /// How many containers it stands in.
    depth: usize,
}

/// A container, and what stands in it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Surroundings {
    above: usize,
    depth: usize,
    /// The voices in it, however deep.
    voices: Range<usize>,
}

/// A voice as it is heard in a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Heard {
    member: u64,
    /// How many containers are between: what an element says is said in the whole array too, and told apart there by others.
    height: usize,
    said: u64,
    place: usize,
}

/// Pieces that are one voice's, by stretches of their numbers.
type Told = Vec<Range<usize>>;

impl Default for Voices {
    fn default() -> Voices {
        Voices { said: Vec::new(), places: vec![Surroundings { above: BODY, depth: 0, voices: 0..0 }] }
    }
}

impl Voices {
    /// Returns a new place within another: what is said next is said there.
    pub(crate) fn open(&mut self, above: usize) -> usize {
        let (depth, start) = (self.places[above].depth + 1, self.said.len());
        self.places.push(Surroundings { above, depth, voices: start..start });
        self.places.len() - 1
    }

    /// Takes up what is said in a place under the names of this mark.
    pub(crate) fn say(&mut self, place: usize, member: u64, said: &impl Hash) {
        self.said.push(Voice { member, said: mark(said), depth: self.places[place].depth });
        let mut around = place;
        while around != BODY {
            self.places[around].voices.end = self.said.len();
            around = self.places[around].above;
        }
    }

    /// Takes up the places of another body, and returns how far on in this one they are: what is alone there is alone here.
    pub(crate) fn take_up(&mut self, other: Voices) -> usize {
        let (by, start) = (self.places.len() - 1, self.said.len());
        let moved = |place: Surroundings| Surroundings {
            above: if place.above == BODY { BODY } else { place.above + by },
            voices: place.voices.start + start..place.voices.end + start,
            ..place
        };
        self.places.extend(other.places.into_iter().skip(1).map(moved));
        self.said.extend(other.said);
        by
    }

    /// Takes up a document that stands in this place, and returns the place that each of its containers is.
    pub(super) fn document(&mut self, text: &str, scan: &Scan, above: usize) -> Vec<usize> {
        let mut places: Vec<usize> = Vec::with_capacity(scan.containers.len());
        let mut members: Vec<u64> = Vec::with_capacity(scan.containers.len());
        for leaf in scan.leaves.iter().filter(|leaf| leaf.role != Role::Key) {
            self.containers(text, scan, leaf.container + 1, above, (&mut places, &mut members));
            let name = leaf.name.clone().map_or("", |name| &text[name]);
            self.say(places[leaf.container], mark(&(members[leaf.container], name)), &&text[leaf.span.clone()]);
        }
        self.containers(text, scan, scan.containers.len(), above, (&mut places, &mut members));
        places
    }

    /// Opens the containers of a document up to this one.
    fn containers(
        &mut self,
        text: &str,
        scan: &Scan,
        end: usize,
        above: usize,
        (places, members): (&mut Vec<usize>, &mut Vec<u64>),
    ) {
        for container in scan.containers.iter().take(end).skip(places.len()) {
            places.push(self.open(places.get(container.parent).copied().unwrap_or(above)));
            let name = container.name.clone().map_or("", |name| &text[name]);
            members.push(mark(&(members.get(container.parent), name)));
        }
    }

    /// Returns the numbers of those of these pieces, given by their places in order, that one voice says: for each member that
    /// tells several apart those under which it says the same, and those that lack it.
    ///
    /// # Errors
    ///
    /// Fails where there is no end to telling them apart.
    pub(crate) fn told_apart(&self, pieces: &[usize]) -> Result<Vec<Vec<usize>>, Spent> {
        let mut spans: BTreeMap<usize, Range<usize>> = BTreeMap::new();
        for (at, place) in pieces.iter().enumerate() {
            let mut place = *place;
            while place != BODY {
                spans.entry(place).or_insert(at..at).end = at + 1;
                place = self.places[place].above;
            }
        }
        // What stands around all of them tells none of them.
        spans.retain(|_, span| span.len() < pieces.len());
        if spans.keys().map(|place| self.places[*place].voices.len()).sum::<usize>() > MOST_SAID {
            return Err(Spent);
        }
        let mut heard: Vec<Heard> = spans.keys().flat_map(|place| self.heard_in(*place)).collect();
        if heard.len() > MOST {
            return Err(Spent);
        }
        heard.sort_unstable();
        heard.dedup();
        let mut told: HashSet<Told> = HashSet::new();
        for member in heard.chunk_by(|a, b| (a.member, a.height) == (b.member, b.height)) {
            for said in member.chunk_by(|a, b| a.said == b.said) {
                told.insert(joined(said.iter().map(|heard| spans[&heard.place].clone())));
            }
            let mut places: Vec<usize> = member.iter().map(|heard| heard.place).collect();
            places.sort_unstable();
            told.insert(others(&joined(places.iter().map(|place| spans[place].clone())), pieces.len()));
        }
        let count = |told: &Told| told.iter().map(Range::len).sum::<usize>();
        told.retain(|told| (2..pieces.len()).contains(&count(told)));
        if told.iter().map(count).sum::<usize>() > MOST {
            return Err(Spent);
        }
        let mut told: Vec<Vec<usize>> = told.into_iter().map(|told| told.into_iter().flatten().collect()).collect();
        told.sort_unstable();
        Ok(told)
    }

    /// Returns what is heard in a place, but for what several of its elements say: a list of what may have been said tells nobody apart.
    fn heard_in(&self, place: usize) -> Vec<Heard> {
        let around = &self.places[place];
        let voices = self.said[around.voices.clone()].iter();
        let mut heard: Vec<Heard> = voices
            .map(|voice| Heard { member: voice.member, height: voice.depth - around.depth, said: voice.said, place })
            .collect();
        heard.sort_unstable();
        heard
            .chunk_by(|a, b| (a.member, a.height) == (b.member, b.height))
            .filter(|member| member.len() <= FEW)
            .flatten()
            .copied()
            .collect()
    }
}

/// Returns a number for something, that of nothing else.
pub(crate) fn mark(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// Returns stretches that are in order with those that meet as one.
fn joined(spans: impl Iterator<Item = Range<usize>>) -> Told {
    let mut told: Told = Vec::new();
    for span in spans {
        match told.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => told.push(span),
        }
    }
    told
}

/// Returns what is between these stretches of so many.
fn others(told: &[Range<usize>], all: usize) -> Told {
    let ends = std::iter::once(0).chain(told.iter().map(|span| span.end));
    let starts = told.iter().map(|span| span.start).chain([all]);
    ends.zip(starts).map(|(end, start)| end..start).filter(|span| !span.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::{BODY, Voices};
    use crate::redact::scan::scan;

    /// Checks which pieces are told apart of those in these events, one in each outermost container.
    #[track_caller]
    fn check(events: &[&str], expected: &[&[usize]]) {
        let mut voices = Voices::default();
        let place = |event: &&str| voices.document(event, &scan(event).unwrap(), BODY)[0];
        let pieces: Vec<usize> = events.iter().map(place).collect();
        assert_eq!(voices.told_apart(&pieces).unwrap(), expected, "{events:?}");
    }

    #[test]
    fn voices_are_told_by_anything_beside_the_pieces() {
        let told: &[&[usize]] = &[&[0, 2], &[1, 3]];
        for [one, other] in [
            ["\"who\":\"al\"", "\"who\":\"berta\""],
            ["\"who\":\"researcher-agent-1-instance\"", "\"who\":\"researcher-agent-2-instance\""],
            ["\"who\":[\"al\"]", "\"who\":[\"berta\"]"],
            ["\"who\":{\"a\":{\"b\":1}}", "\"who\":{\"a\":{\"b\":2}}"],
            ["\"final\":true", "\"final\":false"],
            ["\"who\":\"al\"", "\"n\":null"],
            ["\"who\":\"al\"", "\"n\":null,\"x\":1"],
        ] {
            let [one, other] = [one, other].map(|said| format!("{{{said},\"all\":\"same\",\"other\":0}}"));
            check(&[&one, &other, &one, &other], told);
        }
        check(&["{\"a\":1}", "{\"a\":1,\"b\":1}", "{\"a\":1}"], &[&[0, 2]]);
        check(&["{\"a\":1}", "{\"a\":2}", "{\"a\":3}"], &[]);
        check(&["{\"a\":1}", "{\"a\":1}"], &[]);
    }

    #[test]
    fn what_an_element_says_tells_it_from_its_neighbours() {
        let text = "[{\"a\":1,\"d\":\"x\"},{\"a\":2,\"d\":\"y\"},{\"a\":1,\"d\":\"z\"}]";
        let mut voices = Voices::default();
        let mut pieces = Vec::new();
        for _ in 0..2 {
            pieces.extend(voices.document(text, &scan(text).unwrap(), BODY).into_iter().skip(1));
        }
        let told = voices.told_apart(&pieces).unwrap();
        assert!(told.contains(&vec![0, 2, 3, 5]) && told.contains(&vec![1, 4]), "{told:?}");
    }
}

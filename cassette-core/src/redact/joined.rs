//! What the pieces of a body say together: the strings at one path of its values, the bytes that its arrays and numbers are.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::coding::{Held, held};
use super::edit::{By, Edit};
use super::finder::is_telling;
use super::fragment::{Fragment, Said, Source, fragments};
use super::grown;
use super::kinship::{Kinship, ROOT};
use super::lens::{Lens, Trust};
use super::numbers;
use super::pieces::Value;
use super::secrets::Secrets;
use super::stretches::{Parts, Stretch, across, changed, over, overlaps};
use super::voices::{BODY, Voices, mark};
use super::within;

/// The name of lines that are no values.
const DATA: &str = "\0data";

/// How many texts are looked into, one within the other; the audit refuses what is deeper.
const MAX_DEPTH: usize = 4;

/// What may stand within a known value.
const GAP: usize = 64;

/// The pieces of a body, and which of them belong together.
#[derive(Default)]
pub(super) struct Joined {
    fragments: Vec<Fragment>,
    groups: Vec<Group>,
    kinship: Kinship,
    /// By the number of a path, its group.
    known: HashMap<usize, usize>,
    /// How many texts these are in, one within the other.
    depth: usize,
    voices: Voices,
    /// The place that the event is whose pieces are taken up, and all of them where it says nothing of itself.
    event: usize,
}

/// Pieces that are one text, in order.
#[derive(Default)]
struct Group {
    /// By their numbers.
    fragments: Vec<usize>,
    bytes: bool,
}

impl Joined {
    /// Takes up a line that is no value.
    pub(super) fn push_data(&mut self, span: Range<usize>) {
        let path = self.kinship.below(ROOT, DATA);
        self.file(path, Fragment { span, said: Said::Plain, place: Default::default(), beside: self.event });
    }

    /// Takes up the strings and numbers of a value of this text; `source` says where a stretch of it stands in the body.
    pub(super) fn push(
        &mut self,
        body: &str,
        text: &str,
        value: &Value,
        source: impl Fn(Range<usize>) -> Option<Range<usize>>,
    ) {
        let places = self.voices.document(text, &value.read.scan, self.event);
        for (path, fragment) in fragments(&Source { body, text, value, places }, &mut self.kinship, source) {
            self.file(path, fragment);
        }
    }

    /// Says what the event that is taken up next has beside its data, as its name.
    pub(super) fn event<'a>(&mut self, fields: impl IntoIterator<Item = (&'a str, &'a str)>) {
        let mut fields = fields.into_iter().peekable();
        self.event = if fields.peek().is_some() { self.voices.open(BODY) } else { BODY };
        fields.for_each(|(name, said)| self.voices.say(self.event, mark(&name), &said));
    }

    fn file(&mut self, path: usize, fragment: Fragment) {
        let group = *self.known.entry(path).or_insert_with(|| {
            self.groups.push(Group::default());
            self.groups.len() - 1
        });
        self.groups[group].bytes = matches!(fragment.said, Said::Bytes(_) | Said::Byte(_));
        self.groups[group].fragments.push(self.fragments.len());
        self.fragments.push(fragment);
    }

    /// Returns the edits that hide what the pieces of one path say, and what is known and lies across those of any.
    ///
    /// `made` are those of each piece by itself: what is spelled anew as a whole waits until they are made.
    pub(super) fn edits(mut self, lens: Lens<'_>, body: &str, made: &[Edit]) -> Vec<Edit> {
        self.groups.retain(|group| group.fragments.len() > 1);
        let mut found = Vec::new();
        let made = changed(made);
        if made.is_empty() {
            found
                .extend(self.groups.iter().filter(|group| !group.bytes).flat_map(|group| self.held(lens, body, group)));
            // What a text holds is hidden in it, before it is taken for a piece of something else.
            if !found.is_empty() {
                return self.carried(found);
            }
        }
        let waits = |parts: &[(usize, Edit)]| {
            let spelled = parts.len() > 1 && matches!(&parts[0].1.by, By::Text(_));
            spelled && parts.iter().any(|(i, _)| overlaps(&made, &self.fragments[*i].span))
        };
        for group in &self.groups {
            if group.bytes {
                found.extend(numbers::edits(lens, group.fragments.iter().map(|i| (*i, &self.fragments[*i].said))));
                continue;
            }
            for fragments in std::iter::once(group.fragments.clone()).chain(self.apart(&group.fragments)) {
                let whole = self.looked(lens, body, &fragments);
                found.extend(whole.into_iter().filter(|parts| !waits(parts)).flatten());
            }
            let places: Vec<usize> = group.fragments.iter().map(|i| self.fragments[*i].beside).collect();
            // What there is no end to telling apart is refused by the audit.
            for told in self.voices.told_apart(&places).unwrap_or_default() {
                let fragments: Vec<usize> = told.into_iter().map(|at| group.fragments[at]).collect();
                let whole = self.looked(lens.by_looks(), body, &fragments);
                found.extend(whole.into_iter().filter(|parts| !waits(parts)).flatten());
            }
            let said: Vec<&str> = group.fragments.iter().map(|i| self.fragments[*i].text(body)).collect();
            for (at, edit) in grown::edits(lens, &said) {
                found.push((group.fragments[at], edit));
            }
        }
        let texts = |i: &usize| !matches!(self.fragments[*i].said, Said::Bytes(_) | Said::Byte(_));
        let every: Vec<usize> = (0..self.fragments.len()).filter(texts).collect();
        let telling = |text: &str, mut edits: Vec<Edit>| {
            edits.retain(|edit| is_telling(&text[edit.range.clone()]));
            edits
        };
        let known = |text: &str, starts: &[usize]| lens.known_across(text, if made.is_empty() { starts } else { &[] });
        let known = self.known(lens, body, &every, |text, starts| telling(text, known(text, starts)));
        found.extend(across(known).into_iter().flatten());
        self.carried(found)
    }

    /// Finds what lies across the texts that pieces of one path hold.
    fn held(&self, lens: Lens<'_>, body: &str, group: &Group) -> Vec<(usize, Edit)> {
        let texts = group.fragments.iter().map(|i| (*i, self.fragments[*i].text(body)));
        let within = Joined { depth: self.depth + 1, ..Joined::default() };
        if self.depth < MAX_DEPTH { within::edits(lens, texts, within) } else { Vec::new() }
    }

    /// Returns the pieces of one path by what else tells them apart, where anything does.
    fn apart(&self, fragments: &[usize]) -> Vec<Vec<usize>> {
        let place = |i: &usize| &self.fragments[*i].place;
        if fragments.windows(2).all(|pair| place(&pair[0]) == place(&pair[1])) {
            return Vec::new();
        }
        let mut apart: BTreeMap<&(String, usize), Vec<usize>> = BTreeMap::new();
        fragments.iter().for_each(|i| apart.entry(place(i)).or_default().push(*i));
        apart.into_values().filter(|fragments| fragments.len() > 1).collect()
    }

    /// Finds what stands in pieces. Where names are not believed, what stands in one of them alone is left to who looks into it.
    fn looked(&self, lens: Lens<'_>, body: &str, fragments: &[usize]) -> Vec<Parts> {
        let text = |i: &usize| self.fragments[*i].text(body);
        let coded = fragments.iter().all(|i| text(i).is_empty() || matches!(held(text(i)), Some(Held::Base64(_))));
        let edits = |text: &str, _: &[usize]| match coded {
            true => lens.in_clear(text),
            false => lens.edits(text, 0),
        };
        if lens.trust == Trust::Names {
            return over(&self.whole(body, fragments), edits);
        }
        let mut found = over(&self.seams(body, fragments), edits);
        let known = |text: &str, starts: &[usize]| lens.known_across(text, if coded { &[] } else { starts });
        found.extend(self.known(lens, body, fragments, known));
        across(found)
    }

    /// Finds what is known and lies across pieces: no further from where they meet than it is long, what stands in it included.
    fn known(
        &self,
        lens: Lens<'_>,
        body: &str,
        fragments: &[usize],
        edits: impl Fn(&str, &[usize]) -> Vec<Edit>,
    ) -> Vec<Parts> {
        let Some(longest) = lens.known.map(Secrets::longest).filter(|longest| *longest > 0) else { return Vec::new() };
        let reach = 2 * longest + GAP;
        let mut ends = Vec::with_capacity(fragments.len());
        for whole in self.whole(body, fragments) {
            let said = whole.said;
            if said.len() <= 2 * reach {
                ends.push(whole);
                continue;
            }
            let (head, tail) = (said.floor_char_boundary(reach), said.ceil_char_boundary(said.len() - reach));
            let head = Stretch { said: &said[..head], parted: true, ..whole };
            ends.extend([head, Stretch { start: tail, said: &said[tail..], ..whole }]);
        }
        over(&ends, edits)
    }

    /// Returns all that the pieces say.
    fn whole<'a>(&'a self, body: &'a str, fragments: &[usize]) -> Vec<Stretch<'a>> {
        let whole = |i: &usize| Stretch { fragment: *i, start: 0, said: self.fragments[*i].text(body), parted: false };
        fragments.iter().map(whole).collect()
    }

    /// Returns the words at which the pieces meet: what is in the middle of one goes on in no other.
    fn seams<'a>(&'a self, body: &'a str, fragments: &[usize]) -> Vec<Stretch<'a>> {
        let mut seams = Vec::with_capacity(fragments.len());
        for whole in self.whole(body, fragments) {
            match (whole.said.find(' '), whole.said.rfind(' ')) {
                (Some(first), Some(last)) => {
                    let head = Stretch { said: &whole.said[..first], parted: true, ..whole };
                    seams.extend([head, Stretch { start: last + 1, said: &whole.said[last + 1..], ..whole }]);
                }
                _ => seams.push(whole),
            }
        }
        seams
    }

    /// Returns edits of pieces as edits of the body.
    fn carried(&self, found: Vec<(usize, Edit)>) -> Vec<Edit> {
        let mut carried = Vec::new();
        let mut spelled: BTreeMap<usize, Vec<Edit>> = BTreeMap::new();
        for (i, edit) in found {
            let fragment = &self.fragments[i];
            match &fragment.said {
                Said::Plain => carried.push(edit.moved(fragment.span.start)),
                Said::View(view) => {
                    let range = view.source(&edit.range);
                    carried.push(edit.carried(range, view.respell).moved(fragment.span.start));
                }
                Said::Bytes(_) | Said::Byte(_) => spelled.entry(i).or_default().push(edit),
            }
        }
        for (i, edits) in spelled {
            let fragment = &self.fragments[i];
            let by = By::Text(numbers::spelled(&fragment.said, &edits));
            carried.push(Edit { range: fragment.span.clone(), by });
        }
        carried
    }
}

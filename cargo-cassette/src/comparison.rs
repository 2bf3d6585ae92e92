//! A cassette before and after.

use std::collections::BTreeSet;

use cassette_core::alignment::{Alignment, diff};
use cassette_core::tape::{Asked, Interaction, Tape};

use crate::presentable::{presentable_text, presented};
use crate::seen;
use crate::shelf::{Spot, Unreadable};
use crate::typed::printed;

/// A cassette before and after.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Its name; of two cassettes, both.
    pub name: String,
    /// Its name in its directory.
    pub inside: String,
    /// What it was called, where it was renamed.
    pub was: Option<String>,
    /// What became of it.
    pub fate: Fate,
    /// The numbers of the interactions that somebody changed by hand, from 1: what it was, and what it is.
    pub by_hand: [Vec<usize>; 2],
    /// How many secrets are hidden here that stand in its file: in what it was, and in what it is.
    pub in_plain: [usize; 2],
}

impl Comparison {
    /// Returns its name as it is printed, without what is known to be secret.
    #[must_use]
    pub fn label(&self) -> String {
        printed(&presentable_text(&self.name))
    }
}

/// What became of a cassette.
#[derive(Clone, Debug)]
pub enum Fate {
    /// It was not there.
    Added(Tape),
    /// It is not there any more.
    Removed(Tape),
    /// It is in both: what it was, what it is, and how they differ.
    Kept(Box<(Tape, Tape, Alignment)>),
    /// One of the two cannot be read: why not the first, why not the second.
    Unreadable(Option<Unreadable>, Option<Unreadable>),
}

impl Comparison {
    /// Returns that a file differs which cannot be told apart by its name, for that is no UTF-8.
    #[must_use]
    pub fn nameless(file: &str) -> Comparison {
        let fate = Fate::Unreadable(None, Some(Unreadable::Nameless));
        let (name, inside) = (file.to_owned(), file.to_owned());
        Comparison { name, inside, was: None, fate, by_hand: Default::default(), in_plain: [0; 2] }
    }

    /// Returns whether there is nothing for a reader to look at: what was changed by hand is something.
    pub fn is_same(&self) -> bool {
        let is_by_hand = !self.by_hand.iter().all(Vec::is_empty);
        self.was.is_none() && !is_by_hand && matches!(&self.fate, Fate::Kept(kept) if kept.2.is_same())
    }
}

/// Compares two states of a cassette, each where it was there, as it may be shown and as somebody may have changed it by hand; `None`
/// where it was in neither. What is vouched for in the directory of a file is shown.
pub fn compare(
    name: &str,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
    files: [Option<&Spot>; 2],
) -> Option<Comparison> {
    let (mut by_hand, mut in_plain) = ([Vec::new(), Vec::new()], [0; 2]);
    let mut read = |(side, bytes): (usize, &[u8])| {
        let seen = seen::read(bytes)?;
        by_hand[side] = seen.by_hand;
        let presented = presented(seen.tape, files[side]);
        in_plain[side] = presented.in_plain;
        Ok(presented.tape)
    };
    let [before, after] = [(0, before), (1, after)].map(|(side, bytes)| bytes.map(|bytes| read((side, bytes))));
    let fate = match (before, after) {
        (None, None) => return None,
        (Some(Ok(a)), Some(Ok(b))) => {
            let alignment = diff(&a, &b);
            Fate::Kept(Box::new((a, b, alignment)))
        }
        (Some(Ok(a)), None) => Fate::Removed(a),
        (None, Some(Ok(b))) => Fate::Added(b),
        (a, b) => Fate::Unreadable(a.and_then(Result::err), b.and_then(Result::err)),
    };
    let inside = files[1].map_or(name, |spot| &spot.name).to_owned();
    Some(Comparison { name: presentable_text(name), inside, was: None, fate, by_hand, in_plain })
}

/// Returns that the second state of a cassette cannot be read, and why; and so the first, where it was there and cannot be read either.
#[must_use]
pub fn unreadable(name: &str, before: Option<&[u8]>, after: Unreadable) -> Comparison {
    let before = before.and_then(|bytes| seen::read(bytes).err());
    Comparison {
        name: name.to_owned(),
        inside: name.to_owned(),
        was: None,
        fate: Fate::Unreadable(before, Some(after)),
        by_hand: Default::default(),
        in_plain: [0; 2],
    }
}

/// Returns the comparisons, those of a cassette that was renamed as one: of one that is gone and one that came, where at least half of
/// the calls ask the same. Where that shows that a directory moved, what has its old name in it is the same cassette, whatever it asks.
#[must_use]
pub fn renamed(mut all: Vec<Comparison>) -> Vec<Comparison> {
    let mut pairs = Vec::new();
    for (i, old) in all.iter().enumerate() {
        for (j, new) in all.iter().enumerate() {
            let (Fate::Removed(before), Fate::Added(after)) = (&old.fate, &new.fate) else { continue };
            let most = before.interactions.len().max(after.interactions.len());
            let same = alike(before, after);
            // What only moved is called as it was.
            let other = match (&old.inside, &new.inside) {
                (old, new) if old == new => 0,
                (old, new) if file_name(old) == file_name(new) => 1,
                _ => 2,
            };
            pairs.extend((same > 0 && same * 2 >= most).then_some((most - same, other, i, j)));
        }
    }
    pairs.sort_unstable();
    pairs.extend(moved(&all, &pairs));
    let mut gone: Vec<usize> = Vec::new();
    for (_, _, i, j) in pairs {
        let (Fate::Removed(before), Fate::Added(after)) = (&all[i].fate, &all[j].fate) else { continue };
        if gone.contains(&i) {
            continue;
        }
        let kept = (before.clone(), after.clone(), diff(before, after));
        let Comparison { name: was, by_hand: [by_hand, _], in_plain: [in_plain, _], .. } = all[i].clone();
        let new = &mut all[j];
        (new.was, new.fate, new.by_hand[0]) = (Some(was), Fate::Kept(Box::new(kept)), by_hand);
        new.in_plain[0] = in_plain;
        gone.push(i);
    }
    let mut at = 0..;
    all.retain(|_| at.next().is_none_or(|at| !gone.contains(&at)));
    all
}

/// Where two stand of which one became the other, behind what makes it likely.
type Likely = (usize, usize, usize, usize);

/// Returns the pairs that have one name in two directories, of which one became the other as far as these pairs tell.
fn moved(all: &[Comparison], pairs: &[Likely]) -> Vec<Likely> {
    let dir = |one: &Comparison| {
        one.name.strip_suffix(".json").and_then(|it| it.strip_suffix(&*one.inside)).map(str::to_owned)
    };
    let dirs: BTreeSet<_> = pairs.iter().map(|(_, _, i, j)| (dir(&all[*i]), dir(&all[*j]))).collect();
    let is_moved = |(i, j): &(usize, usize)| {
        let (old, new) = (&all[*i], &all[*j]);
        let fates = (&old.fate, &new.fate);
        matches!(fates, (Fate::Removed(_), Fate::Added(_)))
            && old.inside == new.inside
            && dir(old) != dir(new)
            && dirs.contains(&(dir(old), dir(new)))
    };
    let both = (0..all.len()).flat_map(|i| (0..all.len()).map(move |j| (i, j)));
    both.filter(is_moved).map(|(i, j)| (0, 0, i, j)).collect()
}

/// Returns the last step of a cassette's name.
fn file_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Returns how many calls ask the same in both.
fn alike(a: &Tape, b: &Tape) -> usize {
    let mut left: Vec<&Asked> = b.interactions.iter().map(Interaction::asked).collect();
    let mut take =
        |asked: &Asked| left.iter().position(|other| *other == asked).map(|at| left.swap_remove(at)).is_some();
    a.interactions.iter().filter(|interaction| take(interaction.asked())).count()
}

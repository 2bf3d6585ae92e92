//! A cassette before and after.

use cassette_core::alignment::{Alignment, diff};
use cassette_core::tape::{Asked, Interaction, Tape};

use crate::presentable::presentable;
use crate::shelf::{self, Unreadable};

/// A cassette before and after.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Its name; of two cassettes, both.
    pub name: String,
    /// What it was called, where it was renamed.
    pub was: Option<String>,
    /// What became of it.
    pub fate: Fate,
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
    /// Returns whether there is nothing for a reader to look at.
    pub fn is_same(&self) -> bool {
        self.was.is_none() && matches!(&self.fate, Fate::Kept(kept) if kept.2.is_same())
    }
}

/// Compares two states of a cassette, each where it was there and as it may be shown; `None` where it was in neither.
pub fn compare(name: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> Option<Comparison> {
    let read = |bytes: &[u8]| shelf::read(bytes).map(|tape| presentable(tape, None));
    let [before, after] = [before, after].map(|bytes| bytes.map(read));
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
    Some(Comparison { name: name.to_owned(), was: None, fate })
}

/// Returns that the second state of a cassette cannot be read, and why; and so the first, where it was there and cannot be read either.
#[must_use]
pub fn unreadable(name: &str, before: Option<&[u8]>, after: Unreadable) -> Comparison {
    let before = before.and_then(|bytes| shelf::read(bytes).err());
    Comparison { name: name.to_owned(), was: None, fate: Fate::Unreadable(before, Some(after)) }
}

/// Returns the comparisons, those of a cassette that was renamed as one: of one that is gone and one that came, where at least half of
/// the calls ask the same.
#[must_use]
pub fn renamed(mut all: Vec<Comparison>) -> Vec<Comparison> {
    let mut pairs = Vec::new();
    for (i, old) in all.iter().enumerate() {
        for (j, new) in all.iter().enumerate() {
            let (Fate::Removed(before), Fate::Added(after)) = (&old.fate, &new.fate) else { continue };
            let most = before.interactions.len().max(after.interactions.len());
            let same = alike(before, after);
            pairs.extend((same > 0 && same * 2 >= most).then_some((most - same, i, j)));
        }
    }
    pairs.sort_unstable();
    let mut gone: Vec<usize> = Vec::new();
    for (_, i, j) in pairs {
        let (Fate::Removed(before), Fate::Added(after)) = (&all[i].fate, &all[j].fate) else { continue };
        if gone.contains(&i) {
            continue;
        }
        let kept = (before.clone(), after.clone(), diff(before, after));
        let (was, new) = (all[i].name.clone(), &mut all[j]);
        (new.was, new.fate) = (Some(was), Fate::Kept(Box::new(kept)));
        gone.push(i);
    }
    let mut at = 0..;
    all.retain(|_| at.next().is_none_or(|at| !gone.contains(&at)));
    all
}

/// Returns how many calls ask the same in both.
fn alike(a: &Tape, b: &Tape) -> usize {
    let mut left: Vec<&Asked> = b.interactions.iter().map(Interaction::asked).collect();
    let mut take =
        |asked: &Asked| left.iter().position(|other| *other == asked).map(|at| left.swap_remove(at)).is_some();
    a.interactions.iter().filter(|interaction| take(interaction.asked())).count()
}

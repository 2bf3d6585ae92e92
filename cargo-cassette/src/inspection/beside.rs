//! What no cassette's file tells: where a merge has stopped, and what is wrong with the list of what somebody vouches for.

use std::io;

use cassette_core::audit::allow_list_mistake;
use cassette_core::files;

use super::{Finding, Rule, finding};
use crate::git::{Unmerged, all_unmerged, committed_cassettes};
use crate::mending::{anew, mending};
use crate::shelf::{Shelf, Spot, Unreadable, holds_other};

/// Returns the cassettes in which a merge has stopped, as git knows: where one side has removed one, no mark in it tells so.
pub(super) fn unmarked(shelf: &Shelf) -> Vec<Finding> {
    let one = |(file, sides): (String, Unmerged)| {
        let spot = shelf.spot(file.strip_suffix(".json").unwrap_or(&file));
        let what = match sides {
            Unmerged::Ours => "a merge has stopped at it: the other side has removed it",
            Unmerged::Theirs => "a merge has stopped at it: this side has removed it",
            _ => "a merge has stopped at it, and git was not told what came of it",
        };
        finding(&spot.shown, Rule::Conflict, what, &sides.mending(&spot.shown, &anew(&spot, None)))
    };
    let is_other = |file: &str| holds_other(&shelf.dir.join(file));
    all_unmerged(&shelf.dir).into_iter().filter(|(file, _)| !is_other(file)).map(one).collect()
}

/// Returns which of these other documents stand where the last commit has a cassette. What never was one is nobody's business.
pub(super) fn replaced(shelf: &Shelf, others: &[Spot]) -> Vec<Finding> {
    let known = if others.is_empty() { Default::default() } else { committed_cassettes(&shelf.dir) };
    let were = others.iter().filter(|spot| known.contains(&format!("{}.json", spot.name)));
    let one = |spot: &Spot| {
        let what = "it is not a cassette, and the last commit has one there";
        finding(&spot.shown, Rule::Unreadable, what, &mending(spot, &Unreadable::Other))
    };
    were.map(one).collect()
}

/// Returns the cassettes that are hidden, so that no test can have them.
pub(super) fn hidden(shelf: &Shelf) -> io::Result<Vec<Finding>> {
    let error = Unreadable::Hidden;
    let one = |spot: Spot| finding(&spot.shown, Rule::Unreadable, &error.to_string(), &mending(&spot, &error));
    Ok(shelf.hidden()?.into_iter().map(one).collect())
}

/// Returns what is wrong with the list of what somebody vouches for in this directory.
pub(super) fn unlisted(shelf: &Shelf) -> Option<Finding> {
    let spot = shelf.spot("allow");
    let (line, what) = match files::read(&spot.path) {
        Ok(bytes) => allow_list_mistake(&bytes)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound && !spot.path.is_symlink() => return None,
        Err(error) => {
            let error = Unreadable::Io(error.to_string());
            return Some(finding(&spot.shown, Rule::Unreadable, &error.to_string(), &mending(&spot, &error)));
        }
    };
    let help = "mend it: it is an array of the entries that findings print, each with a reason";
    Some(Finding { line, ..finding(&spot.shown, Rule::Unreadable, &format!("it is no allow list: {what}"), help) })
}

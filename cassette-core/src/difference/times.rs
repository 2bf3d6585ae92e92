//! A time in the metadata of a call, which counts where the call is no conversation, and is left aside where it is one.

use super::show::said;
use crate::call::Call;
use crate::canonical::spelled;
use crate::report::{Difference, Edit, Shown};

/// Where such a time stands, as a path ends.
const TIME: &str = "metadata.timestamp";

/// Puts right what is told of a time that stands in both requests, and was left aside in one of them alone: there it is neither
/// new nor gone. Where it is the same, something else is why the two differ.
pub(super) fn settle(found: &mut Vec<Difference>, calls: [&Call; 2]) {
    let mut is_same = vec![false; found.len()];
    for (difference, is_same) in found.iter_mut().zip(&mut is_same) {
        if !matches!(difference.edit, Edit::Added | Edit::Removed) || !is_time(&difference.path) {
            continue;
        }
        let [Some(recorded), Some(incoming)] = calls.map(|call| spelled(call, &difference.path)) else { continue };
        *is_same = recorded == incoming;
        if !*is_same {
            difference.edit = Edit::Changed;
            difference.shown = vec![Shown { recorded: Some(said(&recorded)), incoming: Some(said(&incoming)) }];
        }
    }
    if is_same.contains(&false) {
        let mut is_same = is_same.into_iter();
        found.retain(|_| !is_same.next().unwrap_or_default());
    }
}

fn is_time(path: &str) -> bool {
    path.strip_suffix(TIME).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

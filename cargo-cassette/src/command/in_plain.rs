//! What is told of secrets that are hidden where a cassette is shown, and stand in its file.

use cargo_cassette::comparison::Comparison;

use crate::output::{count, typed};

/// Returns the line that says so, of a cassette that is typed so; nothing where nothing had to be hidden.
pub(super) fn told(secrets: usize, by_hand: &[usize], typed: &str) -> Option<String> {
    // What was changed by hand is not scrubbed before somebody vouches for it.
    let command = match by_hand.is_empty() {
        true => format!("cargo cassette scrub {typed}"),
        false => format!("cargo cassette seal {typed} --scrub"),
    };
    Some(format!("{}: {command}", standing(secrets)?))
}

/// Returns the line of a file that nobody has named.
pub(super) fn nameless(secrets: usize) -> Option<String> {
    Some(format!("{}: cargo cassette lint", standing(secrets)?))
}

/// Returns the lines that stand on top of what was compared: of what a revision has, or of two files, as they are typed.
pub(super) fn compared(comparison: &Comparison, files: Option<&[String; 2]>) -> Vec<String> {
    let Comparison { name, by_hand, in_plain: [old, new], .. } = comparison;
    let own = typed(name);
    let before = match files {
        Some([file, _]) => told(*old, &by_hand[0], file),
        None => standing(*old).map(|told| format!("{told} as it was")),
    };
    let after = told(*new, &by_hand[1], files.map_or(&own, |[_, file]| file));
    before.map(|told| format!("before: {told}")).into_iter().chain(after).collect()
}

fn standing(secrets: usize) -> Option<String> {
    let verbs = if secrets == 1 { "is hidden here and stands" } else { "are hidden here and stand" };
    (secrets > 0).then(|| format!("{} {verbs} in the file", count(secrets, "secret")))
}

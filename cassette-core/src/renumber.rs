//! Placeholders numbered by where they first stand in the file, so that no scheduler decides a number.

use std::collections::{BTreeMap, HashMap};

use crate::call::Call;
use crate::disk;
use crate::redact::{counts, placeholders, replace_placeholders, unescape};
use crate::reply::{Outcome, Reply};
use crate::tape::{Asked, Interaction, Tape};

/// The new placeholder of each old one.
pub(crate) type Names = HashMap<String, String>;

/// Returns the tape with its placeholders numbered, those of each kind from 1, in the order of the file.
pub(crate) fn renumber(mut tape: Tape) -> Tape {
    let names = names(&disk::write(&tape));
    if names.iter().all(|(old, new)| old == new) {
        return tape;
    }
    tape.interactions.iter_mut().for_each(|interaction| rename(interaction, &names));
    tape
}

/// Returns the tape with other numbers for those placeholders that a text of the program's own, its escapes taken away, would be
/// taken for: so that such texts can be told from placeholders where nothing is escaped.
///
/// # Examples
///
/// ```
/// use cassette_core::{renumber::told_apart, tape::Tape};
///
/// let nothing = Tape::default();
/// assert_eq!(told_apart(nothing.clone()), nothing);
/// ```
#[must_use]
pub fn told_apart(mut tape: Tape) -> Tape {
    let text = disk::write(&tape);
    let own = unescape(&text);
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    placeholders(&own).for_each(|found| *counts.entry(found).or_default() += 1);
    placeholders(&text).for_each(|hidden| *counts.entry(hidden).or_default() -= 1);
    let is_own = |hidden: &str| counts.get(hidden).is_some_and(|count| *count > 0);
    let mut names = Names::new();
    for clash in placeholders(&text).filter(|hidden| is_own(hidden)) {
        let Some((kind, _)) = clash.rsplit_once('.') else { continue };
        let is_free = |name: &String| !counts.contains_key(name.as_str()) && !names.values().any(|known| known == name);
        if !names.contains_key(clash)
            && let Some(free) = (1_u64..).map(|number| format!("{kind}.{number}")).find(is_free)
        {
            names.insert(clash.to_owned(), free);
        }
    }
    if !names.is_empty() {
        tape.interactions.iter_mut().for_each(|interaction| rename(interaction, &names));
    }
    tape
}

/// Gives the placeholders of an exchange these names; one that has none keeps its own.
pub(crate) fn rename(interaction: &mut Interaction, names: &Names) {
    let rename = |text: &mut String| *text = replace_placeholders(text, |old| new_name(names, old));
    match &mut interaction.asked {
        Asked::Whole(call) => rename_call(call, names),
        Asked::Digest(digested) => {
            rename(&mut digested.name);
            digested.hidden.iter_mut().for_each(rename);
        }
    }
    match &mut interaction.outcome {
        Outcome::Error(error) => rename(&mut error.message),
        Outcome::Reply(reply) => {
            reply.headers.iter_mut().chain(&mut reply.trailers).for_each(|(_, value)| rename(value));
            rename_chunks(reply, names);
        }
    }
}

/// Gives the placeholders of a call these names; one that has none keeps its own.
pub(crate) fn rename_call(call: &mut Call, names: &Names) {
    let rename = |text: &mut String| *text = replace_placeholders(text, |old| new_name(names, old));
    rename(&mut call.name);
    call.headers.iter_mut().for_each(|(_, value)| rename(value));
    if !counts(&call.headers, &call.body)
        && let Ok(mut body) = String::from_utf8(call.body.clone())
    {
        rename(&mut body);
        call.body = body.into_bytes();
    }
}

fn names(text: &str) -> Names {
    let mut names = Names::new();
    let mut counts: HashMap<String, usize> = HashMap::new();
    for old in placeholders(text) {
        let Some((kind, _)) = old.rsplit_once('.') else { continue };
        names.entry(old.to_owned()).or_insert_with(|| {
            let count = counts.entry(kind.to_owned()).or_default();
            *count += 1;
            format!("{kind}.{count}")
        });
    }
    names
}

fn new_name(names: &Names, old: &str) -> String {
    names.get(old).map_or(old, String::as_str).to_owned()
}

/// Renames within a body, and moves a chunk's end that fell within a placeholder behind it.
fn rename_chunks(reply: &mut Reply, names: &Names) {
    let body = reply.body();
    if counts(&reply.headers, &body) {
        return;
    }
    let Ok(body) = String::from_utf8(body) else { return };
    // The old and the new position at which each placeholder ends: what follows it has moved by their difference.
    let mut ends = vec![(0, 0)];
    let mut position = 0;
    let mut grown = 0isize;
    let renamed = replace_placeholders(&body, |old| {
        let new = new_name(names, old);
        position += body[position..].find(old).unwrap_or(0) + old.len();
        grown += new.len() as isize - old.len() as isize;
        ends.push((position, position.saturating_add_signed(grown)));
        new
    });
    let moved = |old: usize| {
        let before = ends.partition_point(|(end, _)| *end <= old).saturating_sub(1);
        let (from, to) = ends[before];
        let within = ends.get(before + 1).map_or(usize::MAX, |(_, to)| *to);
        (to + (old - from)).min(within).min(renamed.len())
    };
    let (mut old, mut start) = (0, 0);
    for chunk in &mut reply.chunks {
        old += chunk.bytes.len();
        let end = moved(old).max(start);
        chunk.bytes = renamed.as_bytes()[start..end].to_vec();
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Names, rename_chunks};
    use crate::reply::{Chunk, Reply};

    #[track_caller]
    fn check(chunks: &[&str], expected: &[&str]) {
        let chunk = |text: &&str| Chunk { bytes: text.as_bytes().to_vec(), at: Some(Duration::ZERO) };
        let chunks = chunks.iter().map(chunk).collect();
        let mut reply = Reply { status: 200, headers: Vec::new(), chunks, trailers: Vec::new(), truncated: None };
        let names = [("REDACTED.a.12", "REDACTED.a.1"), ("REDACTED.b.1", "REDACTED.b.10")];
        let names: Names = names.map(|(old, new)| (old.to_owned(), new.to_owned())).into();
        rename_chunks(&mut reply, &names);
        let got: Vec<_> = reply.chunks.iter().map(|chunk| String::from_utf8(chunk.bytes.clone()).unwrap()).collect();
        assert_eq!(got, expected);
    }

    #[test]
    fn chunks_keep_what_they_held() {
        check(&["x REDACTED.a.12 y", "", "z REDACTED.b.1", "!"], &["x REDACTED.a.1 y", "", "z REDACTED.b.10", "!"]);
        check(&["REDACTED.a.12"], &["REDACTED.a.1"]);
        check(&["no", "thing"], &["no", "thing"]);
        let split = ["REDAC", "TED.a.12 y"];
        let joined = "REDACTED.a.1 y";
        let chunk = |text: &&str| Chunk { bytes: text.as_bytes().to_vec(), at: Some(Duration::ZERO) };
        let mut reply = Reply {
            status: 200,
            headers: Vec::new(),
            chunks: split.iter().map(chunk).collect(),
            trailers: Vec::new(),
            truncated: None,
        };
        rename_chunks(&mut reply, &[("REDACTED.a.12".to_owned(), "REDACTED.a.1".to_owned())].into());
        assert_eq!((reply.chunks.len(), reply.body()), (2, joined.as_bytes().to_vec()));
    }
}

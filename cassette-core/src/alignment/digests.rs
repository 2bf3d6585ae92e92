//! Calls of which a cassette keeps digests: which is which, and which of its parts moved.

use super::{Aspect, Change, Kept};
use crate::call::{Call, Kind};
use crate::canonical::{Outline, Sketch};
use crate::difference::{Said, every_difference, lcs};
use crate::json::Json;
use crate::report::{Difference, Edit, Shown};
use crate::tape::{Asked, Interaction};

/// Returns what tells a call from others: its address, and of digests that can be compared the key and the marks.
pub(super) fn fields(interaction: &Interaction, kept: Kept) -> Vec<(String, Said)> {
    let call = address(interaction);
    let mut fields = vec![("@name".to_owned(), Said::Text(call.name))];
    if let (Asked::Digest(digested), Kept::Digests) = (&interaction.asked, kept) {
        fields.push(("@key".to_owned(), Said::Text(interaction.key.to_string())));
        let Outline { parts, rest, .. } = &digested.outline;
        fields.extend(parts.iter().chain(rest).map(|sketch| {
            let marks: Vec<Json> = sketch.elements.iter().map(|spot| spot.text.to_string().as_str().into()).collect();
            (sketch.name.clone(), Said::Json(marks.into()))
        }));
    }
    fields
}

/// Returns what changed between two requests, as far as what is kept of them tells.
pub(super) fn changes(ours: &Interaction, theirs: &Interaction, kept: Kept) -> Vec<Change> {
    let moved = every_difference(&address(ours), &address(theirs));
    let mut changes: Vec<_> = moved.into_iter().map(|found| Change::of(Aspect::Request, found)).collect();
    let (Asked::Digest(recorded), Asked::Digest(incoming)) = (&ours.asked, &theirs.asked) else { return changes };
    let (a, b) = (&recorded.outline, &incoming.outline);
    let paths = a.sampling.iter().chain(&b.sampling).map(|(path, _)| path.as_str());
    changes.extend(distinct(paths).into_iter().filter_map(|path| setting(path, a, b)));
    if kept == Kept::Digests {
        changes.extend(parts(&[&a.parts[..], &a.rest].concat(), &[&b.parts[..], &b.rest].concat()));
        changes.extend(
            parts(&a.headers, &b.headers).into_iter().map(|change| Change { aspect: Aspect::Header, ..change }),
        );
        if changes.is_empty() && ours.key != theirs.key {
            let keys = [ours, theirs].map(|side| Some(side.key.to_string()));
            changes.push(changed(Aspect::Request, Edit::Changed, "@key", keys));
        }
    }
    changes
}

/// Returns where a call goes: digests keep the name up to its query.
fn address(interaction: &Interaction) -> Call {
    let asked = &interaction.asked;
    let name = match asked.kind() {
        Kind::Http => asked.name().split(['?', '#']).next().unwrap_or_default(),
        _ => asked.name(),
    };
    Call { kind: asked.kind(), name: name.to_owned(), headers: Vec::new(), body: Vec::new() }
}

fn setting(path: &str, a: &Outline, b: &Outline) -> Option<Change> {
    let sides = [a.setting(path), b.setting(path)];
    let edit = match sides {
        [Some(ours), Some(theirs)] if ours == theirs => return None,
        [None, _] => Edit::Added,
        [_, None] => Edit::Removed,
        _ => Edit::Changed,
    };
    Some(changed(Aspect::Request, edit, path, sides.map(|side| side.map(ToString::to_string))))
}

/// Returns which parts differ, and how many of the elements of each.
fn parts(ours: &[Sketch], theirs: &[Sketch]) -> Vec<Change> {
    let names = distinct(theirs.iter().chain(ours).map(|sketch| sketch.name.as_str()));
    let one = |name: &str| {
        let find = |side: &[Sketch]| side.iter().find(|sketch| sketch.name == name).cloned();
        let told = if name.starts_with('#') { "a part whose name is not kept" } else { name };
        let aspect = match name {
            "messages" => Aspect::Prompt,
            "model" => Aspect::Model,
            "tools" => Aspect::Tools,
            _ => Aspect::Request,
        };
        match (find(ours), find(theirs)) {
            (Some(a), Some(b)) if a.agrees(&b) => None,
            (Some(a), Some(b)) => Some(changed(aspect, Edit::Changed, told, counted(&a, &b))),
            (None, _) => Some(changed(aspect, Edit::Added, told, [None, None])),
            (_, None) => Some(changed(aspect, Edit::Removed, told, [None, None])),
        }
    };
    names.into_iter().filter_map(one).collect()
}

/// Returns how many elements of each side the other does not have in this order.
fn counted(a: &Sketch, b: &Sketch) -> [Option<String>; 2] {
    let marks = [a, b].map(|sketch| sketch.elements.iter().map(|spot| spot.text.number()).collect::<Vec<_>>());
    let kept = lcs(&marks[0], &marks[1]).len();
    marks.map(|marks| Some(format!("{} of {} kept as digests", marks.len() - kept, marks.len())))
}

fn changed(aspect: Aspect, edit: Edit, path: &str, [recorded, incoming]: [Option<String>; 2]) -> Change {
    let shown = (recorded.is_some() || incoming.is_some()).then_some(Shown { recorded, incoming });
    Change::of(aspect, Difference { shown: shown.into_iter().collect(), ..Difference::of_part(edit, path) })
}

/// Returns each name once, in the order of its first occurrence.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    names.for_each(|name| {
        if !seen.contains(&name) {
            seen.push(name);
        }
    });
    seen
}

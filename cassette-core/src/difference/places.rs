//! Things by their paths: what a place is in, and what is in it, is found without looking at everything.

use std::collections::BTreeMap;

use crate::path::WHOLE;

/// Things, each under its path.
#[derive(Clone, Debug)]
pub(super) struct Places<T>(BTreeMap<String, Vec<T>>);

impl<T> Default for Places<T> {
    fn default() -> Places<T> {
        Places(BTreeMap::new())
    }
}

impl<T> Places<T> {
    /// Adds a thing.
    pub(super) fn add(&mut self, path: &str, thing: T) {
        self.0.entry(path.to_owned()).or_default().push(thing);
    }

    /// Returns what stands at the nearest place that this path is in, or is.
    pub(super) fn nearest_around(&self, path: &str) -> &[T] {
        outer(path).find_map(|outer| self.0.get(outer)).map_or(&[], Vec::as_slice)
    }

    /// Returns what stands at any place that this path is in, or is.
    pub(super) fn around<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a T> {
        outer(path).filter_map(|outer| self.0.get(outer)).flatten()
    }

    /// Returns what stands within this path, and not at it.
    pub(super) fn inside<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a T> {
        let first = if path == WHOLE { "" } else { path };
        let near = self.0.range(first.to_owned()..).take_while(move |(known, _)| known.starts_with(first));
        near.filter(move |(known, _)| *known != path && outer(known).any(|outer| outer == path))
            .flat_map(|(_, things)| things)
    }
}

/// Returns the paths of everything that what stands at a path may be in, itself first.
fn outer(path: &str) -> impl Iterator<Item = &str> {
    let whole = is_in_body(path).then_some(WHOLE).filter(|whole| *whole != path);
    let is_one = path.starts_with("@query.") || path.starts_with("@header.");
    let ends =
        path.char_indices().rev().filter(move |(at, c)| !is_one && *at > 0 && matches!(c, '.' | '[' | '~' | '@'));
    std::iter::once(path).chain(ends.map(|(at, _)| &path[..at])).chain(whole)
}

fn is_in_body(path: &str) -> bool {
    !path.starts_with('@') || path.starts_with("@part[") || path.starts_with(WHOLE)
}

#[cfg(test)]
mod tests {
    use super::Places;

    #[test]
    fn what_a_place_is_in_and_what_is_in_it() {
        let mut places = Places::default();
        for path in
            ["a", "a.b", "a.b[0].c", "ab", "@body", "@query.a", "@query.a.b", "[\"a.b\"]", "@part[\"f\"]@filename"]
        {
            places.add(path, path);
        }
        let around = |path: &'static str| places.around(path).copied().collect::<Vec<_>>();
        assert_eq!(around("a.b[0].d"), ["a.b", "a", "@body"]);
        assert_eq!(around("@query.a.b"), ["@query.a.b"]);
        assert_eq!(around("[\"a.b\"][1]"), ["[\"a.b\"]", "@body"]);
        assert_eq!(places.nearest_around("a.b[0].d"), ["a.b"]);
        let inside = |path: &'static str| places.inside(path).copied().collect::<Vec<_>>();
        assert_eq!(inside("a"), ["a.b", "a.b[0].c"]);
        assert_eq!(inside("@part[\"f\"]"), ["@part[\"f\"]@filename"]);
        assert_eq!(inside("@query.a"), [""; 0]);
        assert_eq!(inside("@body"), ["@part[\"f\"]@filename", "[\"a.b\"]", "a", "a.b", "a.b[0].c", "ab"]);
    }
}

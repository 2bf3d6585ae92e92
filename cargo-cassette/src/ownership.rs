//! What does not fit between cassettes and the tests that own them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use cassette_core::name::is_pattern;

use crate::inspection::{Finding, Rule, finding};
use crate::registry::{Owned, Registry};
use crate::shelf::{self, Shelf, Spot};

/// Returns what does not fit between the cassettes of these directories and the tests that own them.
///
/// A cassette whose head does not say that its test is annotated is known by that head alone, and never nobody's.
///
/// # Errors
///
/// Fails where a directory cannot be read.
pub fn findings(shelves: &[Shelf], registry: &Registry) -> io::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for (shelf, spot) in orphans(shelves, registry)? {
        let help = format!("remove it: cargo cassette prune --dir {}", shelf.shown);
        findings.push(finding(&spot.shown, Rule::Orphan, "no test owns this cassette any more", &help));
    }
    let mut claims: HashMap<(&Path, &str), Vec<&Owned>> = HashMap::new();
    for owned in &registry.owned {
        claims.entry((&owned.dir, &owned.cassette)).or_default().push(owned);
    }
    let is_double = |owned: &&Owned| {
        let first = claims[&(owned.dir.as_path(), owned.cassette.as_str())][0];
        !is_pattern(&owned.cassette) && first.test != owned.test
    };
    for owned in registry.owned.iter().filter(is_double) {
        let first = claims[&(owned.dir.as_path(), owned.cassette.as_str())][0];
        let what = format!("`{}` and `{}` both own `{}`", first.test, owned.test, owned.cassette);
        findings.push(at_test(owned, Rule::Owners, what, "give each test a cassette of its own".to_owned()));
    }
    for owned in missing(registry) {
        let what = format!("nothing is recorded for `{}`, cassette `{}`", owned.test, owned.cassette);
        let name = owned.test.split_once("::").map_or(owned.test.as_str(), |(_, name)| name);
        findings.push(at_test(
            owned,
            Rule::Missing,
            what,
            format!("record it: CASSETTE_MODE=record cargo test {name}"),
        ));
    }
    Ok(findings)
}

/// Returns the cassettes that an annotated test recorded and none owns any more.
///
/// # Errors
///
/// Fails where a directory cannot be read.
pub fn orphans<'a>(shelves: &'a [Shelf], registry: &Registry) -> io::Result<Vec<(&'a Shelf, Spot)>> {
    let mut found = Vec::new();
    for shelf in shelves {
        let here = real(&shelf.dir);
        let owned: Vec<_> = registry.owned.iter().filter(|owned| real(&owned.dir) == here).collect();
        for spot in shelf.cassettes()? {
            let is_owned = owned.iter().any(|owned| fits(&owned.cassette, &spot.name));
            if !is_owned && shelf::open(&spot.path).is_ok_and(|tape| tape.head.registered) {
                found.push((shelf, spot));
            }
        }
    }
    Ok(found)
}

/// Returns the tests for which nothing is recorded.
pub fn missing(registry: &Registry) -> impl Iterator<Item = &Owned> {
    registry.owned.iter().filter(|owned| !is_recorded(owned))
}

/// Returns whether anything is recorded under the name, or under one that its pattern makes.
fn is_recorded(owned: &Owned) -> bool {
    let file = owned.dir.join(format!("{}.json", owned.cassette));
    if !is_pattern(&owned.cassette) {
        return file.is_file() || file.with_extension("json.zst").is_file();
    }
    let shelf = Shelf { shown: String::new(), dir: owned.dir.clone() };
    let spots = if owned.dir.is_dir() { shelf.cassettes().unwrap_or_default() } else { Vec::new() };
    spots.iter().any(|spot| fits(&owned.cassette, &spot.name))
}

/// Returns whether a name is this one, or may be made from this pattern: an argument holds no `/`.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((before, rest)) = pattern.split_once('{') else { return pattern == name };
    let (Some(name), Some((_, after))) = (name.strip_prefix(before), rest.split_once('}')) else { return false };
    let ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
    ends.take_while(|at| !name[..*at].contains('/')).any(|at| fits(after, &name[at..]))
}

fn real(dir: &Path) -> PathBuf {
    fs::canonicalize(dir).unwrap_or_else(|_| dir.to_owned())
}

fn at_test(owned: &Owned, rule: Rule, what: String, help: String) -> Finding {
    Finding { file: owned.file.clone(), line: Some(owned.line), rule, what, help }
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_pattern_fits_the_names_that_its_arguments_make() {
        assert!(fits("trains", "trains") && !fits("trains", "trains2"));
        assert!(fits("trains/{model}", "trains/gpt-4o") && !fits("trains/{model}", "trains/a/b"));
        assert!(fits("{a}-{b}/x", "m-n-o/x") && !fits("{a}-{b}/x", "m/x"));
    }
}

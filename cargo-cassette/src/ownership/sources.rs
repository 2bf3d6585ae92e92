//! Functions that the sources of a package have or let a macro make, and no program told: what stands behind a `cfg` that is off is in
//! none.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cassette_core::tape::Head;

use super::programs::Programs;
use crate::registry::Owned;
use crate::tenants::Package;
use crate::tokens::{Token, tokens};
use crate::written;

/// The sources of packages, by the package's directory; each is read once.
#[derive(Default)]
pub(super) struct Sources(BTreeMap<PathBuf, Written>);

/// What is written in the sources of a package.
struct Written {
    files: Vec<Source>,
    /// The macros that are defined beside tests with cassettes: they may make some.
    makers: BTreeSet<String>,
}

struct Source {
    file: PathBuf,
    text: String,
    /// Whether it speaks of cassettes.
    speaks: bool,
}

impl Sources {
    /// Returns whether the sources may make a function of the name of the test that recorded a cassette, and no test that was told is
    /// it.
    pub(super) fn may_have(&mut self, head: &Head, dir: &Path, programs: &Programs<'_>) -> bool {
        let names = functions_of(head.test.as_deref().unwrap_or_default());
        let packages = programs.packages(dir, head);
        let case = names.last().is_some_and(|name| name.starts_with("case_")).then(|| names[0]);
        names.iter().any(|name| packages.iter().any(|package| self.has(package, name, programs)))
            || case.is_some_and(|function| packages.iter().any(|package| self.has_cases(package, function)))
    }

    /// Returns whether the function of this name may have cases that are not there now: `#[cfg_attr(windows, case(1))]`.
    fn has_cases(&mut self, package: &Package, function: &str) -> bool {
        let Written { files, .. } = self.0.entry(package.dir.clone()).or_insert_with(|| read(&package.dir));
        let may = |source: &Source| source.text.contains("cfg_attr") && functions(&tokens(&source.text), function) > 0;
        files.iter().filter(|source| source.speaks).any(may)
    }

    fn has(&mut self, package: &Package, name: &str, programs: &Programs<'_>) -> bool {
        let Written { files, makers } = self.0.entry(package.dir.clone()).or_insert_with(|| read(&package.dir));
        files.iter().filter(|source| source.text.contains(name)).any(|source| {
            let is_here = |owned: &&Owned| {
                let is_named = owned.test.split("::").skip(1).any(|step| step == name);
                owned.package == package.name && is_named && is_file(&source.file, &owned.file)
            };
            let told: BTreeSet<_> = programs.told().filter(is_here).map(|owned| owned.line).collect();
            made(source, name, makers) > told.len()
        })
    }
}

/// Returns whether a package has a program of the name with which the path of a test begins, and its sources, as far as they speak of
/// cassettes, a function of the test's name: what can be told without building anything.
#[must_use]
pub fn may_have(package: &Package, test: &str) -> bool {
    let program = test.split("::").next().unwrap_or_default();
    let (names, Written { files, makers }) = (functions_of(test), read(&package.dir));
    let has = |source: &Source| names.iter().any(|name| made(source, name, &makers) > 0);
    package.crates().contains(program) && files.iter().any(has)
}

/// Returns the names of which one is that of the test's function: a case of a parametrised test has it before its own.
fn functions_of(test: &str) -> Vec<&str> {
    let mut names: Vec<_> = test.split("::").skip(1).collect();
    names.split_off(names.len().saturating_sub(2))
}

/// Returns how often a source has a function of a name, or hands the name to a macro that may make one.
fn made(source: &Source, name: &str, makers: &BTreeSet<String>) -> usize {
    let tokens = tokens(&source.text);
    match source.speaks {
        true => functions(&tokens, name) + arguments(&tokens, name, |called| !STANDARD.contains(&called)),
        false => arguments(&tokens, name, |called| makers.contains(called)),
    }
}

/// Macros of the standard library, which make no tests.
const STANDARD: [&str; 21] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "format",
    "matches",
    "panic",
    "print",
    "println",
    "stringify",
    "vec",
    "write",
    "writeln",
];

/// Returns whether a file is the one that the compiler, or whoever looks from another directory, names so.
fn is_file(file: &Path, named: &str) -> bool {
    let below: PathBuf = Path::new(named).components().skip_while(|step| step.as_os_str() == "..").collect();
    file.ends_with(below)
}

/// Reads the sources of a package.
fn read(package: &Path) -> Written {
    let source = |(file, text): (PathBuf, String)| Source { file, speaks: text.contains("cassette"), text };
    let files: Vec<_> = written::files(package).into_iter().map(source).collect();
    let makers =
        files.iter().filter(|source| source.speaks).flat_map(|source| defined(&tokens(&source.text))).collect();
    Written { files, makers }
}

/// Returns the macros that a source defines.
fn defined(tokens: &[Token<'_>]) -> Vec<String> {
    let name = |tokens: &[Token<'_>]| match tokens {
        [Token::Word("macro_rules"), Token::Mark('!'), Token::Word(name)] => Some((*name).to_owned()),
        _ => None,
    };
    tokens.windows(3).filter_map(name).collect()
}

/// Counts the functions of a name.
fn functions(tokens: &[Token<'_>], name: &str) -> usize {
    tokens.windows(2).filter(|pair| **pair == [Token::Word("fn"), Token::Word(name)]).count()
}

/// Counts how often a name is given to such a macro, which may make a function of it.
fn arguments(tokens: &[Token<'_>], name: &str, is_such: impl Fn(&str) -> bool) -> usize {
    let (mut found, mut depth) = (0, 0_usize);
    for (i, token) in tokens.iter().enumerate() {
        match token {
            Token::Mark('(' | '[' | '{') if depth > 0 || is_called(&tokens[..i], &is_such) => depth += 1,
            Token::Mark(')' | ']' | '}') => depth = depth.saturating_sub(1),
            Token::Word(word) if depth > 0 && *word == name && !tokens[..i].ends_with(&[Token::Word("fn")]) => {
                found += 1
            }
            _ => {}
        }
    }
    found
}

/// Returns whether such a macro's name stands last.
fn is_called(before: &[Token<'_>], is_such: impl Fn(&str) -> bool) -> bool {
    matches!(before, [.., Token::Word(called), Token::Mark('!')] if is_such(called))
}

#[cfg(test)]
mod tests {
    use super::{arguments, defined, functions, tokens};

    #[test]
    fn functions_of_a_name_are_counted_wherever_they_stand() {
        let source = tokens(
            "#[cfg(windows)]\n#[cassette]\nfn trains(c: Cassette) {}\nmod b { async fn trains<T>() { trains() } }\n// fn trains()\nfn\n  r#trains() {} fn trains_two() {}\n",
        );
        assert_eq!(["trains", "trains_two", "train"].map(|name| functions(&source, name)), [3, 1, 0]);
    }

    #[test]
    fn names_that_a_macro_is_given_are_counted() {
        let source = tokens(
            "macro_rules! many { ($n:ident) => { fn $n() {} } }\nmany!(one); x::many! { two: [1], three(two) }\nassert!(one);\nif !(one) { many!(fn four() {}) }",
        );
        let given = |name| arguments(&source, name, |called| called == "many");
        assert_eq!(["one", "two", "three", "four", "five"].map(given), [1, 2, 1, 0, 0]);
        assert_eq!(defined(&source), ["many"]);
    }
}

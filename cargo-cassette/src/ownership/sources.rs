//! Functions that the sources of a package have, and no program told: what stands behind a `cfg` that is off is in none.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cassette_core::tape::Head;

use super::programs::Programs;
use crate::registry::Owned;
use crate::tenants::Package;

/// The sources of packages that speak of cassettes, by the package's directory; each is read once.
#[derive(Default)]
pub(super) struct Sources(BTreeMap<PathBuf, Vec<(PathBuf, String)>>);

impl Sources {
    /// Returns whether the sources have a function of the name of the test that recorded a cassette, and no test that was told is it.
    pub(super) fn may_have(&mut self, head: &Head, dir: &Path, programs: &Programs<'_>) -> bool {
        let names = functions_of(head.test.as_deref().unwrap_or_default());
        let packages = programs.packages(dir, head);
        names.iter().any(|name| packages.iter().any(|package| self.has(package, name, programs)))
    }

    fn has(&mut self, package: &Package, name: &str, programs: &Programs<'_>) -> bool {
        let files = self.0.entry(package.dir.clone()).or_insert_with(|| read(&package.dir));
        files.iter().any(|(file, text)| {
            let is_here = |owned: &&Owned| {
                let is_named = owned.test.split("::").skip(1).any(|step| step == name);
                owned.package == package.name && is_named && is_file(file, &owned.file)
            };
            let told: BTreeSet<_> = programs.told().filter(is_here).map(|owned| owned.line).collect();
            functions(text, name) > told.len()
        })
    }
}

/// Returns whether a package has a program of the name with which the path of a test begins, and its sources, as far as they speak of
/// cassettes, a function of the test's name: what can be told without building anything.
#[must_use]
pub fn may_have(package: &Package, test: &str) -> bool {
    let program = test.split("::").next().unwrap_or_default();
    let names = functions_of(test);
    let has = |(_, text): &(PathBuf, String)| names.iter().any(|name| functions(text, name) > 0);
    package.crates().contains(program) && read(&package.dir).iter().any(has)
}

/// Returns the names of which one is that of the test's function: a case of a parametrised test has it before its own.
fn functions_of(test: &str) -> Vec<&str> {
    let mut names: Vec<_> = test.split("::").skip(1).collect();
    names.split_off(names.len().saturating_sub(2))
}

/// Returns whether a file is the one that the compiler, or whoever looks from another directory, names so.
fn is_file(file: &Path, named: &str) -> bool {
    let below: PathBuf = Path::new(named).components().skip_while(|step| step.as_os_str() == "..").collect();
    file.ends_with(below)
}

/// Reads the sources of a package that speak of cassettes.
fn read(package: &Path) -> Vec<(PathBuf, String)> {
    let (mut files, mut open) = (Vec::new(), vec![package.to_owned()]);
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            match entry.file_type() {
                // What is built is no source, and a directory with a manifest is another package's.
                Ok(kind) if kind.is_dir() => {
                    let is_others = is_hidden || path == package.join("target") || path.join("Cargo.toml").is_file();
                    open.extend((!is_others).then_some(path));
                }
                Ok(_) if path.is_file() && path.extension().is_some_and(|ending| ending == "rs") => {
                    let text = fs::read_to_string(&path).unwrap_or_default();
                    files.extend(text.contains("cassette").then_some((path, text)));
                }
                _ => {}
            }
        }
    }
    files
}

/// Counts the functions of a name in a source, but for those that are commented out.
fn functions(text: &str, name: &str) -> usize {
    let is_it = |words: &[&str]| words[0] == "fn" && words[1].trim_start_matches("r#") == name;
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    let is_separator = |c: char| !(c.is_alphanumeric() || c == '_' || c == '#');
    let words: Vec<_> = text.split(is_separator).filter(|word| !word.is_empty()).collect();
    words.windows(2).filter(|words| is_it(words)).count()
}

#[cfg(test)]
mod tests {
    use super::functions;

    #[test]
    fn functions_of_a_name_are_counted_wherever_they_stand() {
        let source = "#[cfg(windows)]\n#[cassette]\nfn trains(c: Cassette) {}\nmod b { async fn trains<T>() { trains() } }\n// fn trains()\nfn\n  r#trains() {} fn trains_two() {}\n";
        assert_eq!(["trains", "trains_two", "train"].map(|name| functions(source, name)), [3, 1, 0]);
    }
}

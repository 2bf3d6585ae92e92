//! What is written in the Rust sources of a package.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::tokens::Token::{Mark, Text, Word};
use crate::tokens::{Token, all};

/// Returns the sources of a package, and what they say.
pub(crate) fn files(package: &Path) -> Vec<(PathBuf, String)> {
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
                    files.push((path, text));
                }
                _ => {}
            }
        }
    }
    files
}

/// Returns the directories that tests of a package name as their own, `#[cassette(dir = "tests/tapes")]`, as they name them. What a
/// macro or a constant says is not seen.
pub(crate) fn directories(package: &Path) -> BTreeSet<String> {
    let speaking = files(package).into_iter().filter(|(_, text)| text.contains("cassette") && text.contains("dir"));
    speaking.flat_map(|(_, text)| named(&all(&text))).collect()
}

/// Returns the directories that attributes name.
fn named(tokens: &[Token<'_>]) -> Vec<String> {
    let (mut found, mut depth) = (Vec::new(), 0_usize);
    for (i, token) in tokens.iter().enumerate() {
        match token {
            Mark('(') if depth > 0 || tokens[..i].ends_with(&[Word("cassette")]) => depth += 1,
            Mark(')') => depth = depth.saturating_sub(1),
            Text(text) if depth == 1 && tokens[..i].ends_with(&[Word("dir"), Mark('=')]) => found.extend(said(text)),
            _ => {}
        }
    }
    found
}

/// Returns what a literal says that is a text without escapes.
fn said(literal: &str) -> Option<String> {
    let raw = literal.strip_prefix('r').map(|raw| raw.trim_matches('#'));
    let text = raw.unwrap_or(literal).strip_prefix('"')?.strip_suffix('"')?;
    (raw.is_some() || !text.contains('\\')).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::named;
    use crate::tokens::all;

    #[test]
    fn directories_are_those_that_attributes_name() {
        let source = "// #[cassette(dir = \"gone\")]\n#[cassette(\"trains\", dir = \"tests/tapes\", ignore(dir = \"no\"))]\n#[cfg_attr(x, cassette_test::cassette(dir = r#\"..\"#))]\nlet dir = \"no\"; cassette(dir = DIR); f(dir = \"no\");";
        assert_eq!(named(&all(source)), ["tests/tapes", ".."]);
    }
}

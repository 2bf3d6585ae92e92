//! What was typed, taken apart: the command's own options, cargo's, the tests'.

use std::ffi::{OsStr, OsString};

use cargo_cassette::registry::TARGETS;

use super::{Run, RunError};

/// What was typed.
#[derive(Debug)]
pub(super) struct Words {
    /// Whether cargo-nextest runs the tests.
    pub(super) nextest: bool,
    /// Whether only tests without a cassette are meant.
    pub(super) missing: bool,
    /// How much may be spent.
    pub(super) budget: Option<String>,
    /// What cargo takes.
    pub(super) cargo: Vec<OsString>,
    /// What the tests take.
    pub(super) tests: Vec<OsString>,
}

/// Words of cargo's that say which package is meant, with whether a value follows.
const PACKAGES: [(&str, Value); 5] = [
    ("-p", Value::Follows),
    ("--package", Value::Follows),
    ("--exclude", Value::Follows),
    ("--workspace", Value::None),
    ("--all", Value::None),
];

/// Words of cargo's that take a name of a target.
const NAMING: [&str; 4] = ["--bin", "--example", "--test", "--bench"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    None,
    Follows,
}

impl Words {
    /// Takes apart what was typed: the command's own options may stand among cargo's.
    pub(super) fn of(run: &Run) -> Result<Words, RunError> {
        let mut words = Words {
            nextest: run.nextest,
            missing: false,
            budget: run.budget.clone(),
            cargo: Vec::new(),
            tests: run.tests.clone(),
        };
        let mut typed = run.cargo.iter();
        while let Some(word) = typed.next() {
            match word.to_str() {
                Some("--nextest") => words.nextest = true,
                Some("--missing") => words.missing = true,
                Some("--budget") => {
                    let value = typed.next().and_then(|value| value.to_str());
                    let lacking = || RunError::Option("`--budget` lacks its value".to_owned());
                    words.budget = Some(value.ok_or_else(lacking)?.to_owned());
                }
                Some(text) if text.starts_with("--budget=") => {
                    words.budget = text.strip_prefix("--budget=").map(str::to_owned);
                }
                _ => words.cargo.push(word.clone()),
            }
        }
        Ok(words)
    }

    /// Returns what cargo takes without what says which tests are meant: packages, targets, and the filter.
    pub(super) fn without_selection(&self) -> Vec<OsString> {
        let mut kept = Vec::new();
        let mut typed = self.cargo.iter().peekable();
        while let Some(word) = typed.next() {
            let text = word.to_str().unwrap_or_default();
            let name = text.split('=').next().unwrap_or_default();
            let is_selection = TARGETS.contains(&name) || PACKAGES.iter().any(|(known, _)| *known == name);
            let follows = NAMING.contains(&name) || PACKAGES.contains(&(name, Value::Follows));
            if is_selection {
                if follows && !text.contains('=') {
                    typed.next();
                }
                continue;
            }
            kept.push(word.clone());
            if takes_value(text) {
                kept.extend(typed.next().cloned());
            }
        }
        kept.retain(|word| !is_filter(word, &self.cargo));
        kept
    }
}

/// Words of cargo's that a value follows, and that say nothing of which tests are meant.
const VALUED: [&str; 13] = [
    "--features",
    "-F",
    "--jobs",
    "-j",
    "--profile",
    "--target",
    "--target-dir",
    "--manifest-path",
    "--message-format",
    "--color",
    "--config",
    "-Z",
    "--lockfile-path",
];

fn takes_value(word: &str) -> bool {
    VALUED.contains(&word)
}

/// Returns whether a word is the filter: no option, and no option's value.
fn is_filter(word: &OsStr, typed: &[OsString]) -> bool {
    let is_option = |word: &OsStr| word.to_string_lossy().starts_with('-');
    let at = typed.iter().position(|known| known == word);
    let before = at.and_then(|at| at.checked_sub(1)).map(|at| typed[at].to_string_lossy().into_owned());
    !is_option(word) && !before.is_some_and(|before| takes_value(&before))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(cargo: &[&str]) -> Words {
        let cargo = cargo.iter().map(OsString::from).collect();
        Words::of(&Run { nextest: false, budget: None, cargo, tests: Vec::new() }).unwrap()
    }

    #[test]
    fn own_options_stand_among_cargos() {
        let words = words(&["--release", "--missing", "-p", "a", "--budget", "0.50", "--nextest"]);
        assert_eq!((words.missing, words.nextest, words.budget.as_deref()), (true, true, Some("0.50")));
        assert_eq!(words.cargo, ["--release", "-p", "a"]);
    }

    #[test]
    fn what_says_which_tests_are_meant_is_left_out() {
        let words =
            words(&["--release", "-p", "a", "--test=suite", "--lib", "--features", "x", "it_answers", "--bin", "b"]);
        assert_eq!(words.without_selection(), ["--release", "--features", "x"]);
    }
}

//! What was typed, taken apart: the command's own options, cargo's, the tests'.

use std::ffi::OsString;

use cassette_core::spelling::distance;

use super::options::{Kind, Runner};
use super::{Run, RunError};

/// What was typed.
#[derive(Debug)]
pub(super) struct Words {
    /// Who runs the tests.
    pub(super) runner: Runner,
    /// Whether only tests without a cassette are meant.
    pub(super) missing: bool,
    /// How much may be spent.
    pub(super) budget: Option<String>,
    /// What cargo takes.
    pub(super) cargo: Vec<OsString>,
    /// What the tests take.
    pub(super) tests: Vec<OsString>,
}

impl Words {
    /// Takes apart what was typed: the command's own options, which are these, may stand among cargo's.
    pub(super) fn of(run: &Run, own: &[&'static str]) -> Result<Words, RunError> {
        let mut words = Words {
            runner: if run.nextest { Runner::Nextest } else { Runner::Cargo },
            missing: false,
            budget: run.budget.clone(),
            cargo: Vec::new(),
            tests: run.tests.clone(),
        };
        let mut typed = run.cargo.iter();
        while let Some(word) = typed.next() {
            match word.to_str() {
                Some("--nextest") => words.runner = Runner::Nextest,
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
        let options = words.runner.options(&words.cargo);
        let misspelt = options.iter().find_map(|(kind, group)| {
            let word = group[0].to_str().filter(|_| *kind == Kind::Run)?;
            let name = word.split('=').next()?;
            let meant = own.iter().find(|meant| name.starts_with("--") && is_near(name, meant))?;
            Some(RunError::Misspelt(word.to_owned(), word.replacen(name, meant, 1)))
        });
        misspelt.map_or(Ok(words), Err)
    }

    /// Returns the words of cargo's that are of one of these kinds, each option with its value.
    fn of_kinds(&self, kinds: &[Kind]) -> Vec<OsString> {
        let options = self.runner.options(&self.cargo);
        options.into_iter().filter(|(kind, _)| kinds.contains(kind)).flat_map(|(_, words)| words.to_vec()).collect()
    }

    /// Returns what `cargo test` takes to build what is meant, whoever runs it: the packages, the targets and how they are built.
    pub(super) fn to_build(&self) -> Vec<OsString> {
        let words = self.of_kinds(&[Kind::Target, Kind::Package, Kind::Build]);
        words.into_iter().map(|word| self.runner.as_cargo_says(word)).collect()
    }

    /// Returns what cargo takes without what says which tests are meant: packages, targets, and names.
    pub(super) fn without_selection(&self) -> Vec<OsString> {
        self.of_kinds(&[Kind::Build, Kind::Run])
    }

    /// Returns which of the tests are meant, by their names.
    pub(super) fn filter(&self) -> Filter {
        let mut filter = Filter { names: self.of_kinds(&[Kind::Name]), ..Filter::default() };
        let mut skips = Vec::new();
        for (kind, words) in Runner::Tests.options(&self.tests) {
            let first = words[0].to_str().unwrap_or_default();
            match (kind, first) {
                (Kind::Name, _) => filter.names.push(words[0].clone()),
                (_, "--exact") => filter.exact = true,
                (_, "--ignored") => filter.ignored = Ignored::Alone,
                (_, "--include-ignored") => filter.ignored = Ignored::Too,
                (_, skip) if skip.split('=').next() == Some("--skip") => skips.extend(value(words)),
                _ => {}
            }
        }
        if self.runner == Runner::Nextest {
            for (_, words) in self.runner.options(&self.cargo) {
                let is_it = words[0].to_str().is_some_and(|word| word.split('=').next() == Some("--run-ignored"));
                match value(words).as_ref().and_then(|value| value.to_str()).filter(|_| is_it) {
                    Some("all") => filter.ignored = Ignored::Too,
                    Some("only" | "ignored-only") => filter.ignored = Ignored::Alone,
                    _ => {}
                }
            }
        }
        filter.skips = skips;
        filter
    }

    /// Returns what the tests take without what says which of them are meant.
    pub(super) fn tests_without_filter(&self) -> Vec<OsString> {
        let is_filter = |kind: Kind, word: &OsString| {
            let name = word.to_str().unwrap_or_default();
            kind == Kind::Name || name == "--exact" || name.split('=').next() == Some("--skip")
        };
        let options = Runner::Tests.options(&self.tests);
        let kept = options.into_iter().filter(|(kind, words)| !is_filter(*kind, &words[0]));
        kept.flat_map(|(_, words)| words.to_vec()).collect()
    }

    /// Returns what else the runner has to be told where it may find none of the tests that it is asked for.
    pub(super) fn if_none_is_found(&self) -> Option<OsString> {
        let named = |name: &str| self.cargo.iter().filter_map(|word| word.to_str()).any(|word| word.starts_with(name));
        let narrows = ["-E", "--filterset", "--filter-expr", "--partition"].into_iter().any(named);
        (self.runner == Runner::Nextest && narrows && !named("--no-tests")).then(|| "--no-tests=pass".into())
    }
}

/// In how many letters an option may differ from one of the command's own to be taken for it: none of cargo's and nextest's is as near.
const SLIPS: usize = 2;

fn is_near(typed: &str, own: &str) -> bool {
    typed != own && distance(typed, own) <= SLIPS
}

/// Returns the value of an option, behind it or behind its `=`.
fn value(words: &[OsString]) -> Option<OsString> {
    let behind = || words[0].to_str()?.split_once('=').map(|(_, value)| OsString::from(value));
    words.get(1).cloned().or_else(behind)
}

/// Which tests are meant, by their names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    names: Vec<OsString>,
    skips: Vec<OsString>,
    exact: bool,
    ignored: Ignored,
}

/// What becomes of tests that are `#[ignore]`d.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Ignored {
    #[default]
    Out,
    Too,
    Alone,
}

/// Whether a test is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meant {
    Yes,
    No,
    /// It would be, but it is `#[ignore]`d.
    Ignored,
}

impl Filter {
    /// Returns the words that tests are to have in their names.
    pub(super) fn names(&self) -> Vec<String> {
        self.names.iter().map(|name| name.to_string_lossy().into_owned()).collect()
    }

    /// Returns whether a test of this name is meant, as libtest decides it.
    pub(super) fn meant(&self, name: &str, is_ignored: bool) -> Meant {
        let fits = |word: &OsString| {
            let word = word.to_string_lossy();
            if self.exact { name == word } else { name.contains(&*word) }
        };
        let named = self.names.is_empty() || self.names.iter().any(fits);
        match (named && !self.skips.iter().any(fits), self.ignored, is_ignored) {
            (false, ..) | (true, Ignored::Alone, false) => Meant::No,
            (true, Ignored::Out, true) => Meant::Ignored,
            (true, ..) => Meant::Yes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(cargo: &[&str], tests: &[&str]) -> Words {
        let [cargo, tests] = [cargo, tests].map(|words| words.iter().map(OsString::from).collect());
        Words::of(&Run { nextest: false, budget: None, cargo, tests }, &[]).unwrap()
    }

    #[test]
    fn own_options_stand_among_cargos() {
        let words = words(&["--release", "--missing", "-p", "a", "--budget", "0.50", "--nextest"], &[]);
        assert_eq!((words.missing, words.runner, words.budget.as_deref()), (true, Runner::Nextest, Some("0.50")));
        assert_eq!(words.cargo, ["--release", "-p", "a"]);
    }

    #[test]
    fn what_says_which_tests_are_meant_is_left_out() {
        let typed =
            ["--release", "-p", "x", "--test=suite", "--lib", "--features", "x", "x", "--bin", "b", "--no-fail-fast"];
        let words = words(&typed, &["--nocapture", "y", "--skip", "z", "--exact", "--test-threads", "1", "--skip=w"]);
        assert_eq!(words.without_selection(), ["--release", "--features", "x", "--no-fail-fast"]);
        assert_eq!(
            words.to_build(),
            ["--release", "-p", "x", "--test=suite", "--lib", "--features", "x", "--bin", "b"]
        );
        assert_eq!(words.tests_without_filter(), ["--nocapture", "--test-threads", "1"]);
        let [names, skips] = [["x", "y"], ["z", "w"]].map(|words| words.map(OsString::from).to_vec());
        assert_eq!(words.filter(), Filter { names, skips, exact: true, ignored: Ignored::Out });
    }

    #[test]
    fn nextests_words_are_told_to_cargo_as_cargo_says_them() {
        let typed = ["--nextest", "--cargo-profile", "slow", "-P", "ci", "-E", "test(x)", "-j", "2", "--build-jobs=3"];
        let words = words(&[&typed[..], &["--cargo-profile=fast", "--run-ignored", "all", "y"]].concat(), &[]);
        assert_eq!(words.to_build(), ["--profile", "slow", "--jobs=3", "--profile=fast"]);
        assert_eq!(words.filter().meant("y", true), Meant::Yes);
        assert_eq!(words.if_none_is_found(), Some("--no-tests=pass".into()));
    }

    #[test]
    fn a_name_is_meant_as_libtest_means_it() {
        let meant = |tests: &[&str], name: &str, ignored| words(&[], tests).filter().meant(name, ignored);
        assert_eq!(meant(&[], "a::b", false), Meant::Yes);
        assert_eq!(meant(&["b"], "a::b", false), Meant::Yes);
        assert_eq!(meant(&["b", "--exact"], "a::b", false), Meant::No);
        assert_eq!(meant(&["--skip", "a::"], "a::b", false), Meant::No);
        assert_eq!(meant(&["--exact", "--skip", "a"], "a::b", false), Meant::Yes);
        assert_eq!(meant(&["b"], "a::b", true), Meant::Ignored);
        assert_eq!(meant(&["c"], "a::b", true), Meant::No);
        assert_eq!(meant(&["--include-ignored"], "a::b", true), Meant::Yes);
        assert_eq!([true, false].map(|is| meant(&["--ignored"], "a::b", is)), [Meant::Yes, Meant::No]);
    }
}

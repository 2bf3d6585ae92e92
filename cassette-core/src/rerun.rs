//! The command that runs one test again.

use crate::mode::Mode;

/// The kind of target a test was built into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The package's library.
    Lib,
    /// A binary of the package, by name.
    Bin(String),
    /// An integration test, by name.
    Test(String),
    /// An example, by name: it is run whole.
    Example(String),
    /// An example in the documentation of the library. It does not know its name, so all of them are run.
    Doc,
    /// No test: a program in any language, whose calls the command serves. The words behind `cargo cassette serve`.
    Served(String),
    /// No test: a program in any language, for one of whose MCP servers the command stands in. The words behind `cargo cassette
    /// mcp`.
    StoodInFor(String),
    /// No test: a recording of another tool, which the command imports. The words behind `cargo cassette import`.
    Imported(String),
}

impl Target {
    /// Returns whether it is one of cargo's, and no program in any language to which the command gives a cassette.
    pub fn is_cargos(&self) -> bool {
        self.where_a_program_asks().is_none()
    }

    /// Returns what a program that is no test has to do for its calls to come here; `None` for a test.
    pub(crate) fn where_a_program_asks(&self) -> Option<&'static str> {
        match self {
            Target::Served(_) => Some(
                "let the program ask at the addresses that stand in its environment; where it looks in other variables, \
                 `--upstream NAME=URL` sets NAME_BASE_URL",
            ),
            Target::StoodInFor(_) => {
                Some("let the program start this command in place of its server, and ask it something")
            }
            Target::Imported(_) => Some("import a recording that holds an exchange"),
            Target::Lib | Target::Bin(_) | Target::Test(_) | Target::Example(_) | Target::Doc => None,
        }
    }
}

/// Where a test lives, as cargo has to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rerun {
    /// The package.
    pub package: String,
    /// The target within the package.
    pub target: Target,
    /// The test's path within the target: `module::function`, as libtest lists it.
    pub test: String,
    /// Whether the test is `#[ignore]`d, so that it has to be asked for.
    pub ignored: bool,
}

/// Returns whether a program is one that rustdoc makes of an example, or of all of them.
#[must_use]
pub fn is_doc_test(program: &str) -> bool {
    program == "rust_out" || program.starts_with("doctest_bundle") || program.starts_with("doctest_runner")
}

impl Rerun {
    /// Returns the command that runs exactly this test in this mode.
    pub fn command(&self, mode: Mode) -> String {
        let Rerun { package, target, test, ignored } = self;
        let target = match target {
            Target::Lib => "--lib".to_owned(),
            Target::Bin(name) => format!("--bin {name}"),
            Target::Test(name) => format!("--test {name}"),
            Target::Served(words) if mode == Mode::Replay => return format!("cargo cassette serve {words}"),
            Target::Served(words) => return format!("cargo cassette serve --mode {mode} {words}"),
            Target::StoodInFor(words) if mode == Mode::Replay => return format!("cargo cassette mcp {words}"),
            Target::StoodInFor(words) => return format!("cargo cassette mcp --mode {mode} {words}"),
            Target::Imported(words) => return format!("cargo cassette import {words}"),
            Target::Example(name) => return prefixed(mode, format!("cargo run -p {package} --example {name}")),
            Target::Doc => return prefixed(mode, format!("cargo test -p {package} --doc")),
        };
        let ignored = if *ignored { " --ignored" } else { "" };
        prefixed(mode, format!("cargo test -p {package} {target} {test} -- --exact{ignored}"))
    }

    /// Returns the command that runs another test, `crate::module::function`, where this one is called `own` so; `ignored` is that
    /// one's here.
    pub fn command_of(&self, other: &str, own: &str, mode: Mode) -> String {
        let (program, test) = other.split_once("::").unwrap_or(("", other));
        if own.split("::").next() == Some(program) {
            return Rerun { test: test.to_owned(), ..self.clone() }.command(mode);
        }
        if is_doc_test(program) {
            return Rerun { target: Target::Doc, ..self.clone() }.command(mode);
        }
        // Its target is not known; no other test of the package is likely to be called the same.
        prefixed(mode, format!("cargo test -p {} {test} -- --exact", self.package))
    }
}

fn prefixed(mode: Mode, command: String) -> String {
    if mode == Mode::Replay { command } else { format!("CASSETTE_MODE={mode} {command}") }
}

#[cfg(test)]
mod tests {
    use super::{Rerun, Target, is_doc_test};
    use crate::mode::Mode;

    #[test]
    fn what_rustdoc_makes_is_known_by_its_name() {
        let made = ["rust_out", "doctest_bundle_2024", "doctest_runner_2024"];
        assert!(made.into_iter().all(is_doc_test) && !["suite", "rust_outlaw"].into_iter().any(is_doc_test));
    }

    #[test]
    fn a_doc_test_is_run_with_all_of_them() {
        let rerun = Rerun { package: "timetable".into(), target: Target::Doc, test: "main".into(), ignored: false };
        assert_eq!(rerun.command(Mode::Replay), "cargo test -p timetable --doc");
        assert_eq!(rerun.command(Mode::Record), "CASSETTE_MODE=record cargo test -p timetable --doc");
    }
}

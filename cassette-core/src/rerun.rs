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

impl Rerun {
    /// Returns the command that runs exactly this test in this mode.
    pub fn command(&self, mode: Mode) -> String {
        let target = match &self.target {
            Target::Lib => "--lib".to_owned(),
            Target::Bin(name) => format!("--bin {name}"),
            Target::Test(name) => format!("--test {name}"),
        };
        let ignored = if self.ignored { " --ignored" } else { "" };
        let cargo = format!("cargo test -p {} {target} {} -- --exact{ignored}", self.package, self.test);
        if mode == Mode::Replay { cargo } else { format!("CASSETTE_MODE={mode} {cargo}") }
    }
}

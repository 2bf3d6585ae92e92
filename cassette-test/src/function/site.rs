//! Where the functions of a test stand: two that go by one name would be given each other's values.

use cassette_core::report::{Report, Wiring};

use crate::scope::Scope;

/// Where a function stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) file: &'static str,
    pub(super) line: u32,
}

/// Notes where the function of this name stands.
///
/// # Errors
///
/// Fails where another one goes by the same name.
pub(super) fn note(scope: &Scope, title: &str, Standing { file, line }: Standing) -> Result<(), Report> {
    let known = scope.note_function(title, (file, line));
    if known == (file, line) {
        return Ok(());
    }
    let (other, at) = known;
    let what = format!("two functions are recorded as {title}: one in {other}:{at}, another in {file}:{line}");
    Err(Report::Wiring(Wiring::new(what, "give one of them a name of its own: `name = \"..\"`")))
}

//! Where the functions of a test stand: two that go by one name would be given each other's values.

use cassette_core::report::{Report, Wiring};

use crate::scope::Scope;

/// Where a function stands: a file and a line of it, or a type that has it as a method, and no line.
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
    let shown = |(place, line): (&str, u32)| if line == 0 { place.to_owned() } else { format!("{place}:{line}") };
    let (one, other) = (shown(known), shown((file, line)));
    let what = format!("two functions are recorded as {title}: one in {one}, another in {other}");
    let help = match line {
        0 => {
            "leave `name` out, so that the type is a part of it, or give one of them a name: `cassette.wrap(..).named(\"..\")`"
        }
        _ => "give one of them a name of its own: `name = \"..\"`",
    };
    Err(Report::Wiring(Wiring::new(what, help)))
}

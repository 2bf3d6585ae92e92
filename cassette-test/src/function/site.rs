//! Where the functions of a test stand: two that go by one name would be given each other's values.

use cassette_core::call::Call;
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
            "give one of them a name of its own, `cassette.wrap(..).named(\"..\")`; without `name` the type is a part of it"
        }
        _ => "give one of them a name of its own: `name = \"..\"`",
    };
    Err(Report::Wiring(Wiring::new(what, help)))
}

/// Notes of which types a function was that asked this.
///
/// # Errors
///
/// Fails where it was asked of other types before: nothing in a recording would tell the two from each other.
pub(super) fn note_types(scope: &Scope, call: &Call, types: &str) -> Result<(), Report> {
    if types.is_empty() {
        return Ok(());
    }
    let known = scope.note_types(call, types);
    if known == types {
        return Ok(());
    }
    let what = format!("{} is asked the same of two types: of {known}, and of {types}", call.title());
    Err(Report::Wiring(Wiring::new(
        what,
        "tell the types apart, by an argument or `also(of = std::any::type_name::<..>())`",
    )))
}

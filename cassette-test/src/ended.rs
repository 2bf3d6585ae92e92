//! Whether a test's value is an error, asked of the value itself where its type is written down: in the expansion.
//!
//! `Termination` is asked only where nothing else is left: it consumes the value and prints, and the expansion then passes its
//! exit code on in the value's place. Everywhere else it calls `failed` on `&&&Ended(value)`, and the compiler takes the first
//! of these traits that fits, the most referenced one first.

use std::process::ExitCode;

/// The value that a test's body returned.
#[derive(Debug)]
pub struct Ended<'a, T>(pub &'a T);

/// Knows an exit code, alone or in an `Ok`.
pub trait ByCode {
    /// Returns whether the test failed.
    fn failed(&self) -> bool;
}

/// Knows an `Err`.
pub trait ByResult {
    /// Returns whether the test failed.
    fn failed(&self) -> bool;
}

/// Takes what is left for a success: the unit, and what never comes to be. Of no other type does the expansion ask.
pub trait Otherwise {
    /// Returns whether the test failed.
    fn failed(&self) -> bool;
}

impl ByCode for &&Ended<'_, ExitCode> {
    fn failed(&self) -> bool {
        *self.0 != ExitCode::SUCCESS
    }
}

impl<E> ByCode for &&Ended<'_, Result<ExitCode, E>> {
    fn failed(&self) -> bool {
        !matches!(self.0, Ok(ExitCode::SUCCESS))
    }
}

impl<T, E> ByResult for &Ended<'_, Result<T, E>> {
    fn failed(&self) -> bool {
        self.0.is_err()
    }
}

impl<T> Otherwise for Ended<'_, T> {
    fn failed(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! failed {
        ($value:expr) => {
            (&&&Ended(&$value)).failed()
        };
    }

    #[test]
    fn errors_and_codes_are_told_from_values() {
        assert!(!failed!(()));
        assert!(!failed!(Ok::<(), String>(())));
        assert!(failed!(Err::<(), String>(String::new())));
        assert!(!failed!(ExitCode::SUCCESS));
        assert!(failed!(ExitCode::from(3)));
        assert!(failed!(Ok::<ExitCode, String>(ExitCode::FAILURE)));
        assert!(!failed!(Ok::<ExitCode, String>(ExitCode::SUCCESS)));
    }
}

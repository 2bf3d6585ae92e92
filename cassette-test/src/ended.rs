//! Whether a test's value is an error, asked of the value itself where its type is written down: in the expansion.
//!
//! `Termination` cannot be asked: it consumes the value and prints. So the expansion calls `failed` on `&&&Ended(value)`,
//! and the compiler takes the first of these traits that fits, the most referenced one first.

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

/// Takes whatever else a test returns for a success; libtest has the last word on it.
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

//! What a run may do: replay, record, refresh, or stand aside.

use std::fmt;

/// The four modes; `CASSETTE_MODE` picks one for a whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Serves what was recorded and fails on everything else. The default.
    #[default]
    Replay,
    /// Serves what was recorded, calls live and records what was not.
    Record,
    /// Calls everything live and records over what there was.
    Refresh,
    /// Calls everything live and records nothing.
    Off,
}

impl Mode {
    /// Every mode with its name.
    const NAMES: [(Mode, &'static str); 4] =
        [(Mode::Replay, "replay"), (Mode::Record, "record"), (Mode::Refresh, "refresh"), (Mode::Off, "off")];

    /// Returns the mode's name.
    pub fn as_str(self) -> &'static str {
        Mode::NAMES.iter().find(|(mode, _)| *mode == self).map_or("", |(_, name)| name)
    }

    /// Returns the mode that `CASSETTE_MODE` names; unset or empty is [`Mode::Replay`].
    ///
    /// # Errors
    ///
    /// Fails for a value that names no mode: it never means replay.
    pub fn from_env() -> Result<Mode, UnknownMode> {
        Mode::parse(&crate::env::var("CASSETTE_MODE").unwrap_or_default())
    }

    /// Returns the mode of this name; an empty name is [`Mode::Replay`].
    ///
    /// # Errors
    ///
    /// Fails for any other name.
    pub fn parse(value: &str) -> Result<Mode, UnknownMode> {
        if value.is_empty() {
            return Ok(Mode::Replay);
        }
        let known = Mode::NAMES.iter().find(|(_, name)| *name == value).map(|(mode, _)| *mode);
        known.ok_or_else(|| UnknownMode { value: value.to_owned() })
    }

    /// Returns whether this mode writes the cassette at the end of a passing test.
    pub fn records(self) -> bool {
        matches!(self, Mode::Record | Mode::Refresh)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// `CASSETTE_MODE` holds a value that names no mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMode {
    /// The value.
    pub value: String,
}

impl fmt::Display for UnknownMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CASSETTE_MODE is `{}`, which names no mode", self.value)
    }
}

impl std::error::Error for UnknownMode {}

#[cfg(test)]
mod tests {
    use super::Mode;

    #[test]
    fn a_name_is_a_mode_and_nothing_else_is() {
        assert_eq!(Mode::parse(""), Ok(Mode::Replay));
        assert_eq!(Mode::parse("refresh"), Ok(Mode::Refresh));
        for wrong in ["Record", "rec", " replay", "1"] {
            assert_eq!(Mode::parse(wrong).unwrap_err().value, wrong);
        }
    }
}

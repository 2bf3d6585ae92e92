//! A number of a JSON document, in its own spelling.

use std::borrow::Cow;

/// A JSON number: its source text, never passed through a float.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Number {
    source: Box<str>,
}

impl Number {
    /// Returns the number whose source text, which the parser has checked, is `source`.
    pub(super) fn from_source(source: &str) -> Number {
        Number { source: source.into() }
    }

    /// Returns the number as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the value where it is whole, not negative and written without fraction or exponent.
    pub fn as_u64(&self) -> Option<u64> {
        self.source.parse().ok()
    }

    /// Returns the value where it is whole, not negative and written without fraction or exponent.
    pub fn as_u128(&self) -> Option<u128> {
        self.source.parse().ok()
    }

    /// Returns a spelling that is equal exactly for equal decimal values: `1`, `1.0` and `10e-1` all give `1`.
    ///
    /// An exponent too long for any machine keeps its own spelling, and equals itself alone.
    pub fn canonical(&self) -> Cow<'_, str> {
        let plain = self.source.bytes().all(|b| b.is_ascii_digit()) && !self.source.ends_with('0');
        if plain {
            return Cow::Borrowed(&self.source);
        }
        normalised(&self.source).map_or(Cow::Borrowed(&self.source), Cow::Owned)
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Number {
        Number { source: value.to_string().into() }
    }
}

impl From<u128> for Number {
    fn from(value: u128) -> Number {
        Number { source: value.to_string().into() }
    }
}

/// Writes the value as a whole mantissa without trailing zeros and, unless zero, a power of ten.
fn normalised(source: &str) -> Option<String> {
    let (sign, unsigned) = source.strip_prefix('-').map_or(("", source), |rest| ("-", rest));
    let (decimal, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = decimal.split_once('.').unwrap_or((decimal, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0');
    let mantissa = significant.trim_end_matches('0');
    if mantissa.is_empty() {
        return Some("0".into());
    }
    let shift = i64::try_from(significant.len() - mantissa.len()).ok()? - i64::try_from(fraction.len()).ok()?;
    let power = exponent.parse::<i64>().ok()?.checked_add(shift)?;
    Some(if power == 0 { format!("{sign}{mantissa}") } else { format!("{sign}{mantissa}e{power}") })
}

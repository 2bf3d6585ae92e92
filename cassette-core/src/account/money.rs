//! Dollars, exactly: sums of counted tokens at a price never go through binary fractions.

use std::fmt;
use std::iter::Sum;

/// How many digits of a dollar are kept behind the point.
const DIGITS: usize = 12;

/// An amount of US dollars, exact to 10^-12.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(u128);

/// What a token costs.
///
/// # Examples
///
/// ```
/// use cassette_core::account::Rate;
///
/// let rate = Rate::per_million("0.15").unwrap();
/// assert_eq!(rate.of(1_000_001).unwrap().to_string(), "0.15000015");
/// assert_eq!(Rate::per_million("-1"), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(u64);

impl Rate {
    /// Returns the rate of so many dollars per million tokens; `None` for what is no decimal number with at most six digits
    /// on either side of its point.
    pub fn per_million(text: &str) -> Option<Rate> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let is_number = |digits: &str| digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || text.ends_with('.') || !is_number(whole) || !is_number(part) {
            return None;
        }
        format!("{whole}{part:0<6}").parse().ok().map(Rate)
    }

    /// Returns what so many tokens cost; `None` where that is more than can be counted.
    pub fn of(self, tokens: u128) -> Option<Money> {
        u128::from(self.0).checked_mul(tokens).map(Money)
    }
}

impl Money {
    /// Returns the amount of so many 10^-12 dollars.
    pub fn from_units(units: u128) -> Money {
        Money(units)
    }

    /// Returns how many 10^-12 dollars it is.
    pub fn units(self) -> u128 {
        self.0
    }

    /// Returns by how much this is more than another amount.
    #[must_use]
    pub fn beyond(self, other: Money) -> Money {
        Money(self.0.saturating_sub(other.0))
    }

    /// Returns both amounts together; `None` where that is more than can be counted.
    pub fn checked_add(self, other: Money) -> Option<Money> {
        self.0.checked_add(other.0).map(Money)
    }

    /// Returns the amount so many times; `None` where that is more than can be counted.
    pub fn times(self, n: u64) -> Option<Money> {
        self.0.checked_mul(u128::from(n)).map(Money)
    }

    /// Returns the amount rounded to so many digits behind the point, all of them written: `0.0012`.
    pub fn rounded(self, digits: usize) -> String {
        let unit = 10_u128.pow((DIGITS - digits.min(DIGITS)) as u32);
        let units = self.0.saturating_add(unit / 2) / unit;
        let text = format!("{units:0>width$}", width = digits + 1);
        let (whole, part) = text.split_at(text.len() - digits);
        if digits == 0 { whole.to_owned() } else { format!("{whole}.{part}") }
    }
}

impl fmt::Display for Money {
    /// Writes the amount with all its digits and no more: `0.15`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.rounded(DIGITS);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl std::ops::Add for Money {
    type Output = Money;

    fn add(self, other: Money) -> Money {
        Money(self.0.saturating_add(other.0))
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Money>>(amounts: I) -> Money {
        amounts.fold(Money::default(), |sum, amount| sum + amount)
    }
}

#[cfg(test)]
mod tests {
    use super::{Money, Rate};

    #[test]
    fn a_sum_is_exact_and_rounded_only_to_be_shown() {
        let rate = |text| Rate::per_million(text).unwrap();
        assert_eq!(rate("0.0375").of(1).unwrap().to_string(), "0.0000000375");
        assert_eq!(rate("15").of(1_000_000).unwrap().to_string(), "15");
        assert_eq!(rate("0").of(7).unwrap().to_string(), "0");
        let tenth: Money = (0..10).map(|_| rate("0.1").of(1_000_000).unwrap()).sum();
        assert_eq!(tenth.to_string(), "1");
        assert_eq!(rate("0.15").of(12_345).unwrap().rounded(4), "0.0019");
        assert_eq!(rate("150").of(12_345).unwrap().rounded(2), "1.85");
        assert_eq!(rate("150").of(12_345).unwrap().times(3).unwrap().rounded(0), "6");
        for wrong in ["", ".5", "5.", "1e3", "-1", "1,5", "0.1234567", "1234567", "$1"] {
            assert_eq!(Rate::per_million(wrong), None, "{wrong}");
        }
    }
}

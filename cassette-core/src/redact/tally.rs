//! How many values are hidden in texts, by rule.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::placeholder::hidings;

/// The rules by which something is hidden, and of each how many values.
///
/// ```
/// use cassette_core::redact::Tally;
///
/// let tally = Tally::of(["my key is REDACTED.openai-key.1", "REDACTED.openai-key.1"]);
/// assert_eq!(tally.to_string(), "1 secret: openai-key");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally(BTreeMap<String, usize>);

impl Tally {
    /// Counts what stands hidden in these texts, each value once. What stands within base64, or in a body that counts its bytes, bears
    /// no number: all such values of a rule are one.
    pub fn of<Text: AsRef<str>>(texts: impl IntoIterator<Item = Text>) -> Tally {
        let mut values = BTreeSet::new();
        for text in texts {
            values.extend(hidings(text.as_ref()).map(|(kind, number)| (kind.to_owned(), number)));
        }
        let mut rules = BTreeMap::new();
        values.into_iter().for_each(|(kind, _)| *rules.entry(kind).or_default() += 1);
        Tally(rules)
    }

    /// Returns whether nothing is hidden.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the rules, each with how many values it hides.
    pub fn rules(&self) -> impl Iterator<Item = (&str, usize)> {
        self.0.iter().map(|(rule, values)| (rule.as_str(), *values))
    }
}

impl FromIterator<(String, usize)> for Tally {
    fn from_iter<Rules: IntoIterator<Item = (String, usize)>>(rules: Rules) -> Tally {
        Tally(rules.into_iter().collect())
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: usize = self.0.values().sum();
        let secrets = if all == 1 { "secret" } else { "secrets" };
        let rules: Vec<_> = match self.0.len() {
            1 => self.0.keys().cloned().collect(),
            _ => self.0.iter().map(|(rule, values)| format!("{values} {rule}")).collect(),
        };
        write!(f, "{all} {secrets}: {}", rules.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    fn check(texts: &[&str], expected: &str) {
        assert_eq!(Tally::of(texts).to_string(), expected, "{texts:?}");
    }

    #[test]
    fn each_value_counts_once_and_a_programs_own_text_never() {
        check(&["REDACTED.a.1 REDACTED.a.1", "REDACTED.a.1"], "1 secret: a");
        check(&["REDACTED.a.1 REDACTED.a.2"], "2 secrets: a");
        check(&["REDACTED.b.3, REDACTED.a.1 and REDACTED.b.7"], "3 secrets: 1 a, 2 b");
        // Within base64 and where bytes are counted there is no number.
        check(&["REDACTED.a.0 REDACTED.a.000"], "1 secret: a");
        assert!(Tally::of(["REDACTED..a.1", "REDACTED", "REDACTED.A.1"]).is_empty());
    }
}

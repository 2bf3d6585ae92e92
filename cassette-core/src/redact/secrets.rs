//! The ledger of a session's secrets: what is known, and the placeholder that each value got.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::detect::Spent;
use super::environment::in_environment;
use super::finder::{Finder, Form, SHORTEST, beginning};
use super::placeholder::{parts, placeholder, placeholders};

/// The shortest value that is looked for because the user said so.
const SHORTEST_DECLARED: usize = 4;

/// One secret of a call: its value, in memory only, and the placeholder that stands for it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Secret {
    value: String,
    placeholder: String,
}

impl Secret {
    pub(crate) fn new(value: &str, placeholder: &str) -> Secret {
        Secret { value: value.to_owned(), placeholder: placeholder.to_owned() }
    }

    /// Returns the live value. It must not be written anywhere.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Returns what stands for it.
    pub fn placeholder(&self) -> &str {
        &self.placeholder
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Secret").field(&self.placeholder).finish()
    }
}

/// A value that is too short to be looked for: it would be found in what has nothing to do with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooShort;

impl fmt::Display for TooShort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a secret needs {SHORTEST_DECLARED} characters to be found again")
    }
}

impl std::error::Error for TooShort {}

/// What is known to be secret in a session, and the number that each distinct value got.
///
/// `Debug` tells how many there are and none of their values.
#[derive(Clone, Default)]
pub struct Secrets {
    /// Values to look for wherever they stand.
    known: Vec<String>,
    /// Those of them that no call made known.
    given: HashSet<String>,
    /// The placeholder of each value met so far.
    named: HashMap<String, String>,
    /// The highest number given, by kind.
    highest: HashMap<String, usize>,
    /// Placeholders of the loaded file, which come back from a program that was served them.
    served: HashSet<String>,
    /// Whether a text may have been cut short within a value, so that its beginning counts at the end of a text.
    pub(super) cut: bool,
    /// Finds the known values; made when it is first needed.
    finder: OnceLock<Arc<Finder>>,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets").field("known", &self.known.len()).field("named", &self.named.len()).finish()
    }
}

impl Secrets {
    /// Returns the ledger that knows what stands in the environment under a secret name, from eight characters.
    ///
    /// Core reads the environment in one place only; this is given what was read.
    pub fn new(environment: &[(String, String)]) -> Secrets {
        let mut secrets = Secrets::default();
        in_environment(environment).for_each(|(_, value)| secrets.learn(value));
        secrets.give();
        secrets
    }

    /// Makes a value known: from now on it is hidden wherever it stands. One below eight characters is not.
    pub fn learn(&mut self, value: &str) {
        let value = value.trim();
        if value.len() >= SHORTEST {
            self.add(value);
        }
    }

    /// Makes a value known that the user called secret, from four characters: it is hidden wherever it stands as a word.
    ///
    /// It must be hidden for sure, so one that is too short to be told from what it only resembles is refused, not dropped.
    /// Below eight characters it is not looked for in base64, where so short a text turns up by chance.
    ///
    /// # Errors
    ///
    /// Fails below four characters, white space around it not counted. Nothing is known then.
    pub fn declare(&mut self, value: &str) -> Result<(), TooShort> {
        let value = value.trim();
        if value.chars().count() < SHORTEST_DECLARED {
            return Err(TooShort);
        }
        self.add(value);
        self.given.insert(value.to_owned());
        self.finder = OnceLock::new();
        Ok(())
    }

    /// Says of all that is known that no call made it so.
    fn give(&mut self) {
        self.given = self.known.iter().cloned().collect();
        self.finder = OnceLock::new();
    }

    fn add(&mut self, value: &str) {
        if !self.knows(value) && !value.contains("REDACTED.") {
            self.known.push(value.to_owned());
            if let Some(mut finder) = self.finder.take()
                && !self.given.contains(value)
                && Arc::make_mut(&mut finder).add(value)
            {
                self.finder = OnceLock::from(finder);
            }
        }
    }

    /// Gives a live secret the placeholder under which it was recorded, for all calls to come.
    pub fn bind(&mut self, secret: &Secret, placeholder: &str) {
        self.start_after([placeholder].into_iter());
        self.named.insert(secret.value.clone(), placeholder.to_owned());
    }

    /// Keeps the placeholders of a loaded file from being given to other values.
    ///
    /// They may also come back in a call, since a program was served them; they are then left as they are.
    pub fn start_after<'a>(&mut self, used: impl Iterator<Item = &'a str>) {
        for used in used {
            if let Some((kind, number)) = parts(used) {
                let highest = self.highest.entry(kind.to_owned()).or_default();
                *highest = number.max(*highest);
                self.served.insert(used.to_owned());
            }
        }
    }

    /// Keeps the placeholders that stand in this part of a loaded file, be it of a request or of a reply, from being given
    /// to other values.
    pub fn start_after_text(&mut self, text: &str) {
        self.start_after(placeholders(text));
    }

    /// Returns the placeholder of a value, a new one where the value is new.
    pub(crate) fn name(&mut self, value: &str, rule: &str) -> String {
        if let Some(known) = self.named.get(value) {
            return known.clone();
        }
        let highest = self.highest.entry(rule.to_owned()).or_default();
        *highest += 1;
        let name = placeholder(rule, *highest);
        self.named.insert(value.to_owned(), name.clone());
        name
    }

    /// Returns the placeholder that this value has got, if it has.
    pub(crate) fn named(&self, value: &str) -> Option<&str> {
        self.named.get(value).map(String::as_str)
    }

    /// Returns the ledger of a run that begins: it knows what no call makes known, and has named nothing.
    pub(crate) fn at_first(&self) -> Secrets {
        let mut first = Secrets { given: self.given.clone(), ..Secrets::default() };
        self.known.iter().filter(|value| self.given.contains(*value)).for_each(|value| first.add(value));
        first
    }

    /// Returns the ledger without these values, as on a machine that has them not.
    pub(crate) fn without(&self, values: &[&str]) -> Secrets {
        let mut left = Secrets::default();
        self.known.iter().filter(|value| !values.contains(&value.as_str())).for_each(|value| left.add(value));
        left.give();
        left
    }

    /// Returns the values for which these placeholders stand, as far as they were named here.
    pub(crate) fn values<'a>(&'a self, placeholders: &'a HashSet<String>) -> impl Iterator<Item = &'a str> {
        let named = (!placeholders.is_empty()).then_some(&self.named).into_iter().flatten();
        named.filter(|(_, name)| placeholders.contains(*name)).map(|(value, _)| value.as_str())
    }

    /// Returns what is known here and not there.
    pub(crate) fn beyond(&self, other: &Secrets) -> Vec<&str> {
        self.known.iter().filter(|value| !other.knows(value)).map(String::as_str).collect()
    }

    /// Returns what has become known after the first so many values.
    pub(crate) fn since(&self, count: usize) -> Vec<String> {
        self.known.get(count..).unwrap_or_default().to_vec()
    }

    /// Returns the same ledger for a program that was served no placeholder: whatever looks like one is its own text.
    pub(crate) fn unserved(&self) -> Secrets {
        Secrets { served: HashSet::new(), ..self.clone() }
    }

    /// Returns whether a text of the form of a placeholder is one of ours.
    pub(crate) fn served(&self, placeholder: &str) -> bool {
        self.served.contains(placeholder)
    }

    /// Returns whether a known value holds anything that scripts and documents write as an escape, but a slash: that escape is a
    /// clue by itself.
    pub(crate) fn is_escapable(&self) -> bool {
        self.finder().is_some_and(Finder::is_escapable)
    }

    /// Returns the length of the longest text that is looked for.
    pub(super) fn longest(&self) -> usize {
        self.finder().map_or(0, Finder::longest)
    }

    /// Calls `found` with the place of each known value, and how it stands there.
    ///
    /// # Errors
    ///
    /// Fails where there is no end to looking: what a text holds is not known then.
    pub(crate) fn find(&self, text: &str, mut found: impl FnMut(Range<usize>, Form)) -> Result<(), Spent> {
        let Some(finder) = self.finder() else { return Ok(()) };
        finder.find(text, &mut found)?;
        if self.cut {
            let beginnings = self.known.iter().filter_map(|value| beginning(text, value));
            beginnings.for_each(|(range, form)| found(range, form));
        }
        Ok(())
    }

    fn finder(&self) -> Option<&Finder> {
        let new = || Arc::new(Finder::new(&self.known, |value| self.given.contains(value)));
        (!self.known.is_empty()).then(|| &**self.finder.get_or_init(new))
    }

    /// Returns whether a known value begins with this text.
    pub(crate) fn begins(&self, text: &str) -> bool {
        !text.is_empty() && self.known.iter().any(|known| known.starts_with(text))
    }

    /// Returns whether so much of a known value is this beginning of one that it is to be hidden: eight bytes, or half.
    pub(crate) fn tells(&self, beginning: &str) -> bool {
        let tells = |known: &String| beginning.len() >= SHORTEST.min(known.len().div_ceil(2));
        self.known.iter().any(|known| known.starts_with(beginning) && tells(known))
    }

    /// Returns whether this value is known.
    pub(crate) fn knows(&self, value: &str) -> bool {
        self.known.iter().any(|known| known == value)
    }

    /// Returns how many values are known.
    pub(crate) fn count(&self) -> usize {
        self.known.len()
    }

    /// Returns a number that is another one as soon as more is known, or otherwise.
    pub(crate) fn version(&self) -> usize {
        self.known.len() + self.given.len()
    }

    /// Returns whether nothing is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{Secrets, TooShort};

    #[test]
    fn the_environment_gives_what_stands_under_a_secret_name() {
        let environment = [("ACME_API_KEY", "longenough1"), ("ACME_TOKEN", "short"), ("HOME", "/home/somebody")];
        let secrets = Secrets::new(&environment.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let mut found = Vec::new();
        secrets
            .find("(longenough1) longenough12 short /home/somebody", |range, _| found.push((range.start, range.end)))
            .unwrap();
        assert_eq!(found, [(1, 12)]);
        assert!(!format!("{secrets:?}").contains("longenough"));
    }

    #[test]
    fn a_telling_value_is_found_within_a_word() {
        let mut secrets = Secrets::default();
        ["correct-horse", "tulip-gate-99", "opensesame"].into_iter().for_each(|value| secrets.learn(value));
        let mut found = Vec::new();
        let text = "Atulip-gate-99x tulip-gate-99tulip-gate-99 correct-horses opensesames 1opensesame opensesame";
        secrets.find(text, |range, _| found.push(&text[range])).unwrap();
        assert_eq!(found, ["tulip-gate-99", "tulip-gate-99", "tulip-gate-99", "opensesame"]);
    }

    #[test]
    fn variables_are_known_by_their_names_and_by_random_values() {
        let random = "qZ7xT9vLm2RkW8pYqZ7xT9vLm2RkW8pYaa4";
        let known = |name: &str, value: &str| !Secrets::new(&[(name.to_owned(), value.to_owned())]).is_empty();
        for name in ["SEARCH_PRIMARY_KEY", "REDIS_CACHE_KEY", "SORT_KEY", "NEXT_TOKEN", "MAX_TOKENS", "REDISCLI_AUTH"] {
            assert!(known(name, random), "{name}");
            assert!(!known(name, "created_at, name"), "{name}");
        }
        assert!(known("PGPASSWORD", "opensesame") && known("DB_PASSWD", "opensesame"));
        assert!(!known("PUBLIC_KEY", random) && !known("MONKEY", random) && !known("HOME", random));
    }

    #[test]
    fn what_the_user_calls_secret_may_be_short() {
        let mut secrets = Secrets::default();
        assert_eq!(secrets.declare(" q7Z "), Err(TooShort));
        secrets.learn("q7Zx9k1");
        assert!(secrets.is_empty());
        secrets.declare("q7Zx\n").expect("it is long enough");
        let mut found = Vec::new();
        secrets.find("q7Zx q7Zxx xq7Zx (q7Zx) cTdaeA==", |range, _| found.push((range.start, range.end))).unwrap();
        assert_eq!(found, [(0, 4), (18, 22)]);
    }

    #[test]
    fn numbers_are_never_used_twice() {
        let mut secrets = Secrets::default();
        secrets.start_after(["REDACTED.token.3", "no placeholder"].into_iter());
        secrets.start_after_text("{\"token\": \"REDACTED.token.4\", \"n\": \"REDACTED..token.9\"}");
        assert_eq!(secrets.name("a", "token"), "REDACTED.token.5");
        assert_eq!(secrets.name("b", "token"), "REDACTED.token.6");
        assert_eq!(secrets.name("a", "api-key"), "REDACTED.token.5");
        assert!(secrets.served("REDACTED.token.4"));
    }
}

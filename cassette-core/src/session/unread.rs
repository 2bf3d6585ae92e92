//! What a replay compares with nothing: whole texts that a rule of the test's own hides.
//!
//! A rule that names `content` hides every message, and whatever the program asks then is what was recorded. A number or a name of
//! one field is hidden on purpose, and is not told; what is told is prose.

use super::Shared;
use crate::call::Call;
use crate::dialect;
use crate::difference::differences;
use crate::redact::{Depth, Rules, Secret, Secrets, kind, placeholders, redact_call};
use crate::report::Difference;

/// From how many words on a text says something, in the call of a model.
const TELLING_MODEL: usize = 2;

/// The same in any other call, where names and addresses stand.
const TELLING: usize = 4;

/// The kinds of placeholders for what a rule hides whatever it says.
const OWN: &[&str] = &["field", "custom"];

impl Shared {
    /// Returns where in a call, in which these secrets stand, a rule of the test's own hides a whole text that says something.
    pub(super) fn unread(&self, call: &Call, bindings: &[(Secret, String)]) -> Vec<String> {
        let least = if dialect::detect(call).is_some() { TELLING_MODEL } else { TELLING };
        let own = |placeholder: &str| kind(placeholder).is_some_and(|kind| OWN.contains(&kind));
        let tells = |(secret, _): &(Secret, String)| own(secret.placeholder()) && words(secret.value()) >= least;
        if !bindings.iter().any(tells) {
            return Vec::new();
        }
        let rules = &self.plan.rules;
        let without = Rules { fields: Vec::new(), custom: Vec::new(), ..rules.clone() };
        let [hidden, bare] =
            [rules, &without].map(|rules| redact_call(call, rules, Depth::Shape, &mut Secrets::default()));
        let is_whole = |found: &Difference| match found.shown.as_slice() {
            [shown] => {
                let said = |side: &Option<String>| side.as_deref().unwrap_or_default().trim_matches('"').to_owned();
                let (hidden, bare) = (said(&shown.recorded), said(&shown.incoming));
                own(&hidden) && placeholders(&hidden).next() == Some(&hidden) && words(&bare) >= least
            }
            _ => false,
        };
        let found = differences(&hidden, &bare, &self.plan.matching).found.into_iter().filter(is_whole);
        found.map(|found| self.said(&found.path)).collect()
    }
}

fn words(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count()
}

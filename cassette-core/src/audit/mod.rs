//! The last look at a finished file: is anything secret left in it?
//!
//! The audit shares the table of formats with the redactor and nothing of its editing. It reads the document that is about
//! to be written, walks each string of it through every decoding, joins what streams say piece by piece, and reports a
//! [`Finding`] for whatever a redactor should have hidden, and for each body that it cannot look into. [`mask`] takes the
//! findings out of a text that has to be kept for a person to look at.

mod allow;
mod body;
mod inspect;
mod mask;
mod walk;

pub use allow::{Allowed, read_allow_list};
pub use mask::mask;

use std::fmt;

use crate::json::Json;
use crate::redact::{Rules, Secrets};

/// Something secret that is left in a file, or something that cannot be looked into.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The interaction, from 0; `None` in the head of the file.
    pub interaction: Option<usize>,
    /// Where it stands: `interactions[1].request.body.json.messages[0].content`. A `~` enters what a string encodes,
    /// `.*[2]` is the third member of an object whose name may not be printed.
    pub path: String,
    /// The rule that says so, such as `openai-key`, or `opaque-body`.
    pub rule: String,
    /// What may be shown of it: at most four characters, and the length.
    pub shown: String,
}

/// Returns what is left to hide in the text of a finished file, in the order of the file; none where all is well.
///
/// A text that is no JSON document is searched as it stands, under an empty path.
pub fn audit(text: &str, rules: &Rules, secrets: &Secrets, allowed: &[Allowed]) -> Vec<Finding> {
    let auditor = inspect::Auditor { rules, secrets };
    let mut findings = match Json::parse(text) {
        Ok(document) => walk::document(auditor, &document),
        Err(_) => Vec::new(),
    };
    if findings.is_empty() {
        findings = auditor.raw(text);
    }
    findings.retain(|finding| !allowed.iter().any(|entry| entry.path == finding.path && entry.rule == finding.rule));
    findings
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}, {}", self.path, self.rule, self.shown)
    }
}

impl Finding {
    fn new(path: &str, rule: &str, value: &str) -> Finding {
        let interaction = path.strip_prefix("interactions[").and_then(|rest| rest.split(']').next()?.parse().ok());
        let count = value.chars().count();
        let visible: String = value.chars().take(4.min(count / 3)).collect();
        let shown = format!("{visible}.. ({count} characters)");
        Finding { interaction, path: path.to_owned(), rule: rule.to_owned(), shown }
    }
}

#[cfg(test)]
mod tests;

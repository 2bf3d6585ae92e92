//! The last look at a finished file: is anything secret left in it?
//!
//! The audit shares the table of formats with the redactor and nothing of its editing. It reads the document that is about
//! to be written, walks each string and each number of it through every decoding, joins what streams say piece by piece,
//! and reports a [`Finding`] for whatever a redactor should have hidden, and for each body that it cannot look into.
//! [`mask`] takes the findings out of a text that has to be kept for a person to look at.

mod allow;
mod archive;
mod body;
mod counted;
mod encoded;
mod finding;
mod inspect;
mod joined;
mod mask;
mod neighbours;
mod pieces;
mod room;
mod walk;

pub use allow::{Allowed, allow_list_mistake, read_allow_list};
pub use finding::{Finding, entries};
pub use mask::{mask, masked};
pub(crate) use walk::member_step;

use crate::json::Json;
use crate::redact::detect::Work;
use crate::redact::{Rules, Secrets, Trust};

/// Returns what is left to hide in the text of a finished file, in the order of the file; none where all is well.
///
/// `allowed` are the entries of the allow list for this very file. A text that is no JSON document is searched as it
/// stands, and its findings name lines.
pub fn audit(text: &str, rules: &Rules, secrets: &Secrets, allowed: &[Allowed]) -> Vec<Finding> {
    let work = Work::decoding(text);
    let room = room::Room::new();
    let auditor = inspect::Auditor { rules, secrets, work: &work, room: &room, trust: Trust::Names };
    let document = document(text);
    let cut = secrets.of_what_is_cut();
    let walked = document.as_ref().map(|document| walk::document(auditor, &cut, document)).unwrap_or_default();
    let open = |finding: &Finding| !allowed.iter().any(|entry| entry.covers(finding));
    let findings: Vec<Finding> = walked.findings.into_iter().filter(open).collect();
    if !findings.is_empty() {
        return findings;
    }
    // A second net, under the walk: it needs no path, and what the walk found and somebody vouched for may pass it too.
    auditor.lines(text, document.is_some(), &walked.said).into_iter().filter(open).collect()
}

/// Returns the document that a text is, if it is one.
fn document(text: &str) -> Option<Json> {
    Json::parse_around(text).ok().filter(|document| matches!(document, Json::Object(_) | Json::Array(_)))
}

#[cfg(test)]
mod tests;

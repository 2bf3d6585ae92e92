//! What a variable holds that means nothing to tests, as a report may show it: a key that was pasted behind the wrong name is hidden.

use cassette_core::redact::{Rules, Secrets, redact_text};

/// Returns the value without what has the shape of a secret.
pub(crate) fn shown(value: &str) -> String {
    redact_text(value, &Rules::default(), &mut Secrets::default())
}

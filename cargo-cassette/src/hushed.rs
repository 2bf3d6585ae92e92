//! A text as it may be shown to anybody.

use std::sync::OnceLock;

use cassette_core::env;
use cassette_core::redact::{Rules, Secrets, redact_text};

/// Returns a text that was read or written down earlier as it may be shown: without what is known to be secret by now. Names of files, what
/// a head says and what is wrong with a file pass through here.
#[must_use]
pub fn presentable_text(text: &str) -> String {
    static SECRETS: OnceLock<Secrets> = OnceLock::new();
    let mut secrets = SECRETS.get_or_init(|| Secrets::new(&env::of_secrets())).clone();
    redact_text(text, &Rules::default(), &mut secrets)
}

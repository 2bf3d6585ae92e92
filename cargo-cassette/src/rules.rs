//! What a package says is secret beside what always is: the rules of its `cassette.toml`, as its tests follow them.

use std::fs;
use std::path::Path;

use cassette_core::redact::Rules;
use cassette_core::settings::{self, Settings};

/// Returns the rules that hold for the cassettes of a directory: those of the package around it, and of its workspace. Where their files
/// cannot be followed, which `lint` tells of, or there is none, they are the ones that always hold.
#[must_use]
pub fn rules(dir: &Path) -> Rules {
    let dir = fs::canonicalize(dir).unwrap_or_else(|_| dir.to_owned());
    let package = dir.ancestors().find(|dir| dir.join("Cargo.toml").is_file());
    let said = package.and_then(|package| settings::load(package).ok());
    let Settings { redact_field, redact_header, redact_value, keep_header, pii, .. } = said.unwrap_or_default();
    let lower = |names: Vec<String>| names.iter().map(|name| name.to_ascii_lowercase()).collect();
    Rules {
        fields: redact_field,
        headers: lower(redact_header),
        values: redact_value,
        keep_reply_headers: lower(keep_header),
        pii,
        ..Rules::default()
    }
}

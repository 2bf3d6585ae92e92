//! What an environment says is secret.

use super::detect::{names, value};

/// Returns what stands in an environment under a secret name, with the name.
pub(crate) fn in_environment(environment: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    let secret = |(name, value): &&(String, String)| {
        names::is_secret_variable(name, value.trim()) && !value::is_reference(value) && !value::is_placeholder(value)
    };
    environment.iter().filter(secret).map(|(name, value)| (name.as_str(), value.trim()))
}

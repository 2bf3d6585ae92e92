//! The one place where the environment is read.

use std::path::Path;

/// Returns the variable's value where it is set; what is not Unicode in it reads as U+FFFD, so that it means nothing by
/// accident.
#[expect(clippy::disallowed_methods, reason = "the one place where the environment is read")]
pub fn var(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

/// Returns the variables that may hold something secret: all whose name and value are Unicode, but those that hold the path of something
/// that is there, as the shell's `PWD` does, and `GOOGLE_APPLICATION_CREDENTIALS`.
#[expect(clippy::disallowed_methods, reason = "the one place where the environment is read")]
pub fn of_secrets() -> Vec<(String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(_, value)| !is_there(Path::new(value.trim())))
        .collect()
}

/// Returns whether this variable is switched on: set, and neither empty, `0` nor `false`.
pub fn is_on(name: &str) -> bool {
    var(name).is_some_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}

/// Returns whether this is the path of something that is there, wherever one stands.
fn is_there(path: &Path) -> bool {
    path.is_absolute() && path.exists()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{is_there, of_secrets};

    #[test]
    fn what_leads_somewhere_is_no_secret() {
        let dir = tempfile::tempdir().unwrap();
        assert!(is_there(dir.path()));
        assert!(["PzNvKqTrLd", "/PzNvKqTrLd", ".", ""].iter().all(|secret| !is_there(Path::new(secret))));
        assert!(of_secrets().iter().all(|(name, _)| name != "PWD" && name != "CARGO_MANIFEST_DIR"));
    }
}

//! The one place where the environment is read.

/// Returns the variable's value where it is set; what is not Unicode in it reads as U+FFFD, so that it means nothing by
/// accident.
#[expect(clippy::disallowed_methods, reason = "the one place where the environment is read")]
pub fn var(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

/// Returns every variable whose name and value are Unicode.
#[expect(clippy::disallowed_methods, reason = "the one place where the environment is read")]
pub fn vars() -> Vec<(String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// Returns whether this variable is switched on: set, and neither empty, `0` nor `false`.
pub fn is_on(name: &str) -> bool {
    var(name).is_some_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}

//! Base URLs of programs that are children of a test, by the variables that their clients read.

use std::ffi::OsStr;
use std::process::Command;

/// The variables, and the upstream that each client goes to where its variable is unset.
pub const KNOWN: [(&str, &str); 6] = [
    ("ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
    ("CO_API_URL", "https://api.cohere.com"),
    ("GOOGLE_GEMINI_BASE_URL", "https://generativelanguage.googleapis.com"),
    ("OLLAMA_HOST", "http://127.0.0.1:11434"),
    ("OPENAI_API_BASE", "https://api.openai.com/v1"),
    ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
];

/// The variables that hold keys, without which some clients refuse to start, by the variable of the address.
pub const KEYS: [(&str, &str); 5] = [
    ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
    ("CO_API_URL", "CO_API_KEY"),
    ("GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY"),
    ("OPENAI_API_BASE", "OPENAI_API_KEY"),
    ("OPENAI_BASE_URL", "OPENAI_API_KEY"),
];

/// Returns each variable with its upstream: what the command sets it to, else the provider's own.
///
/// The test's environment has no say: a replay must not hang on it.
pub(crate) fn upstreams(command: &Command) -> Vec<(&'static str, String)> {
    let set = |name: &str| {
        let mut set = command.get_envs().filter(|(known, _)| *known == OsStr::new(name));
        set.next().and_then(|(_, value)| Some(value?.to_str()?.to_owned()))
    };
    KNOWN.iter().map(|(name, upstream)| (*name, set(name).unwrap_or_else(|| (*upstream).to_owned()))).collect()
}

#[cfg(test)]
mod tests {
    use super::{Command, upstreams};

    #[test]
    fn the_command_goes_over_the_provider() {
        let mut command = Command::new("ask");
        command.env("OPENAI_BASE_URL", "https://router.example/v1").env_remove("OLLAMA_HOST");
        let upstreams = upstreams(&command);
        assert!(upstreams.contains(&("OPENAI_BASE_URL", "https://router.example/v1".to_owned())));
        assert!(upstreams.contains(&("OPENAI_API_BASE", "https://api.openai.com/v1".to_owned())));
        assert!(upstreams.contains(&("OLLAMA_HOST", "http://127.0.0.1:11434".to_owned())));
    }
}

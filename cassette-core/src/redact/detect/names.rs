//! What a name says about the value that stands under it.

use super::value;
use super::vocabulary::{ENDS, KEYS, NOT_KEYS, NOT_TOKENS, PAIRS, PUBLISHED, WHOLE};

/// How much a name alone proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// The name is often that of something harmless: the value must look random.
    Weak,
    /// Whatever stands here is secret, unless it refers to something.
    Strong,
}

/// A secret name: what it proves and the rule it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) strength: Strength,
    pub(crate) rule: &'static str,
}

/// Judges a name by its last word, and that by the word before it; `None` where it says nothing.
pub(crate) fn judge(name: &str) -> Option<Named> {
    // Numbered names, as `API_KEY_2`, are those without the number.
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '_' | '-' | '.'));
    // What the secret manager of AWS calls a secret.
    if matches!(name, "SecretString" | "SecretBinary") {
        return Some(Named { strength: Strength::Strong, rule: "secret" });
    }
    if !may_end(name) {
        return None;
    }
    let words = words(name);
    let (last, before) = words.split_last()?;
    let before = before.last().map_or("", String::as_str);
    if let Some((_, strength, rule)) = WHOLE.iter().find(|(word, ..)| word == last) {
        return Some(Named { strength: *strength, rule });
    }
    if let Some((.., strength, rule)) = PAIRS.iter().find(|(first, second, ..)| *first == before && second == last) {
        return Some(Named { strength: *strength, rule });
    }
    match last.as_str() {
        "key" if KEYS.contains(&before) => {
            let rule = if before == "private" { "private-key" } else { "api-key" };
            Some(Named { strength: Strength::Strong, rule })
        }
        "key" if !before.is_empty() && !NOT_KEYS.contains(&before) => weak("api-key"),
        "token" if NOT_TOKENS.contains(&before) => None,
        "token" if before.is_empty() => weak("token"),
        "token" => Some(Named { strength: Strength::Strong, rule: "token" }),
        // As in `PGPASSWORD`.
        word if ["password", "passwd"].iter().any(|end| word.ends_with(end)) => {
            Some(Named { strength: Strength::Strong, rule: "password" })
        }
        word if word.ends_with("secret") => Some(Named { strength: Strength::Strong, rule: "secret" }),
        word if word.ends_with("apikey") => Some(Named { strength: Strength::Strong, rule: "api-key" }),
        word => word.strip_suffix("token").filter(|word| !NOT_TOKENS.contains(word)).and_then(|_| weak("token")),
    }
}

/// Returns the last word of a name, in lower case.
pub(crate) fn last_word(name: &str) -> String {
    words(name).pop().unwrap_or_default()
}

/// Judges the name of a query or form field, where short names are credentials too.
pub(crate) fn judge_field(name: &str) -> Option<Named> {
    let short = match name {
        "key" => weak("api-key"),
        "code" | "code_verifier" => weak("oauth-code"),
        "sig" | "signature" | "Signature" => weak("url-signature"),
        "auth" | "pass" | "pw" => weak("password"),
        _ => None,
    };
    short.or_else(|| judge(name))
}

/// Returns whether an environment variable of this name holds a secret, if this is its value: a name that is most often that of
/// something else counts where the value looks random.
pub(crate) fn is_secret_variable(name: &str, said: &str) -> bool {
    let words = words(name);
    let Some((last, before)) = words.split_last() else { return false };
    let before = before.last().map_or("", String::as_str);
    match last.as_str() {
        "key" if before.is_empty() || PUBLISHED.contains(&before) => false,
        "key" => !NOT_KEYS.contains(&before) || value::is_random(said),
        "token" => !NOT_TOKENS.contains(&before) || value::is_random(said),
        "tokens" => value::is_random(said),
        "pass" | "credentials" | "credential" | "pat" | "dsn" => !before.is_empty(),
        "auth" => !before.is_empty() && value::is_likely(said),
        // As in `PGPASSWORD`.
        word if word.ends_with("password") || word.ends_with("passwd") => true,
        word => WHOLE.iter().any(|(known, strength, _)| *known == word && *strength == Strength::Strong),
    }
}

/// Returns whether a name ends as a secret one may, which spares most names from being taken apart.
fn may_end(name: &str) -> bool {
    let Some(end) = name.len().checked_sub(3).and_then(|start| name.as_bytes().get(start..)) else { return false };
    ENDS.iter().any(|known| end.eq_ignore_ascii_case(*known))
}

fn weak(rule: &'static str) -> Option<Named> {
    Some(Named { strength: Strength::Weak, rule })
}

/// Returns the words of a name in lower case: `apiKey`, `api-key`, `API_KEY` and `api.key` are `api`, `key`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    let mut previous = ' ';
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        let hump = c.is_uppercase()
            && (previous.is_lowercase()
                || previous.is_uppercase() && rest.peek().is_some_and(|next| next.is_lowercase()));
        if !c.is_alphanumeric() {
            open = false;
        } else {
            if !open || hump {
                words.push(String::new());
                open = true;
            }
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
        previous = c;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{Strength, is_secret_variable, judge, words};

    #[test]
    fn a_name_falls_into_words() {
        for name in ["apiKey", "api-key", "API_KEY", "api.key", "ApiKey", "Api_key", "APIKey"] {
            assert_eq!(words(name), ["api", "key"], "{name}");
        }
    }

    #[test]
    fn the_last_word_decides() {
        let strong =
            ["api_key", "xi_api_key", "clientSecret", "DB_PASSWORD", "access_token", "Ocp-Apim-Subscription-Key"];
        let weak = ["token", "sessionid", "age_key", "Cookie", "code_verifier"];
        let none = [
            "secretary",
            "author",
            "token_count",
            "next_page_token",
            "primary_key",
            "prompt_cache_key",
            "max_tokens",
            "password_hash",
            "secret_name",
            "api_base",
            "keywords",
            "key",
            "tokens",
            "auth",
            "progressToken",
        ];
        for name in strong {
            assert_eq!(judge(name).map(|named| named.strength), Some(Strength::Strong), "{name}");
        }
        for name in weak {
            assert_eq!(judge(name).map(|named| named.strength), Some(Strength::Weak), "{name}");
        }
        for name in none {
            assert_eq!(judge(name), None, "{name}");
        }
    }

    #[test]
    fn no_word_is_lost_by_its_end() {
        for (word, ..) in super::WHOLE {
            assert!(super::may_end(word), "{word}");
        }
        for (first, second, ..) in super::PAIRS {
            assert!(super::may_end(&format!("{first}_{second}")), "{first} {second}");
        }
        assert!(judge("API_KEY_2").is_some() && judge("token1").is_some() && judge("xsessid").is_none());
    }

    #[test]
    fn variables() {
        assert!(
            ["ACME_KEY", "ACME_TOKEN", "DB_PASS", "SECRET"].iter().all(|name| is_secret_variable(name, "opensesame"))
        );
        assert!(
            !["HOME", "PUBLIC_KEY", "PATH", "KEYBOARD", "NEXT_PAGE_TOKEN"]
                .iter()
                .any(|name| is_secret_variable(name, "opensesame"))
        );
    }
}

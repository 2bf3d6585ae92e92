//! Which keys there are, and what was meant by another.

use crate::spelling::distance;

/// Every key, with an example of its value.
pub const KEYS: [(&str, &str); 15] = [
    ("allow_hosts", "[\"127.0.0.2\", \"metrics.internal\"]"),
    ("budget", "\"0.50\""),
    ("dir", "\"tests/cassettes\""),
    ("guard", "\"strict\""),
    ("ignore", "[\"**.request_id\"]"),
    ("keep_header", "[\"x-served-by\"]"),
    ("match_header", "[\"x-tenant\"]"),
    ("max_age", "\"90d\""),
    ("order", "\"strict\""),
    ("pii", "true"),
    ("prices_file", "\"prices.toml\""),
    ("redact_field", "[\"customer_number\"]"),
    ("redact_header", "[\"x-internal-id\"]"),
    ("redact_value", "[\"internal.example.com\"]"),
    ("requests", "\"digest\""),
];

/// What a test can ask for and a file cannot, with what to do instead.
const ELSEWHERE: [(&str, &str); 7] = [
    ("mode", "the mode is asked for run by run: CASSETTE_MODE=record cargo test"),
    ("unused", "say `unused = \"allow\"` at the tests that share a cassette"),
    ("allow_errors", "say `allow_errors` at the test that is about a failure"),
    ("allow_ci", "set CASSETTE_ALLOW_CI=1 where CI is meant to call live"),
    ("repeat", "say `repeat` at the test that repeats a request"),
    ("match_on", "say `match_on(..)` at the test that compares less"),
    ("redact", "a function is named at the test: `redact(path::to::fn)`"),
];

/// How many characters may differ for one key to be meant by another.
const NEAR: usize = 3;

/// Returns what to do about a key that there is not.
pub(super) fn instead_of(key: &str) -> String {
    if let Some((_, help)) = ELSEWHERE.iter().find(|(name, _)| *name == key) {
        return (*help).to_owned();
    }
    let names = KEYS.iter().map(|(name, _)| *name);
    let near = names.clone().map(|name| (distance(&key.replace('-', "_"), name), name)).min();
    match near.filter(|(distance, _)| *distance <= NEAR) {
        Some((_, meant)) => format!("did you mean `{meant}`?"),
        None => format!("the keys are {}", names.collect::<Vec<_>>().join(", ")),
    }
}

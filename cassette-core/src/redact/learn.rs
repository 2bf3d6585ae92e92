//! What a call itself makes known: values under a secret name are looked for everywhere afterwards.

use super::coding::{as_text, base64, percent};
use super::detect::{UNSEARCHED, value};
use super::{Rules, Secret, Secrets};
use crate::call::Call;
use crate::redact::headers;

/// Rules whose finds are passing values, or no credentials at all.
const PASSING: &[&str] =
    &["email", "phone", "card-number", "custom", "value", "private-key", "url-signature", UNSEARCHED];

/// Rules under which whatever stands under a name is secret: a field that the user named, and a header.
const NAMED: &[&str] = &["field", "header"];

/// Makes known what a call shows to be secret, given what was hidden in it.
pub(crate) fn learn(call: &Call, hidden: &[(Secret, String)], rules: &Rules, secrets: &mut Secrets) {
    from_request(call, rules, secrets);
    hidden.iter().for_each(|(secret, _)| from_hidden(std::slice::from_ref(secret), secrets));
}

/// Makes known what stands in a request's secret headers and cookies.
pub(crate) fn from_request(call: &Call, rules: &Rules, secrets: &mut Secrets) {
    for (name, value) in &call.headers {
        if name == "cookie" {
            let values = value.split(';').filter_map(|pair| pair.split_once('='));
            values.for_each(|(_, value)| learn_text(value, secrets));
        } else if headers::is_secret(name) || rules.names_header(name) {
            let token = value.split_once(' ').map_or(value.as_str(), |(_, token)| token.trim());
            if rules.names_header(name) {
                learn_named(value, secrets);
                learn_named(token, secrets);
            }
            if secrets.knows(token) {
                continue;
            }
            learn_placed(token, secrets);
            let decoded = base64::decode(token);
            if let Some((_, password)) = decoded.as_deref().and_then(as_text).and_then(|text| text.split_once(':')) {
                learn_placed(password, secrets);
            }
        }
    }
}

/// Makes known what was hidden, so that an echo of it without its name is found too.
pub(crate) fn from_hidden(hidden: &[Secret], secrets: &mut Secrets) {
    for secret in hidden {
        let rule = secret.placeholder().split('.').nth(1).unwrap_or_default();
        let learn = match rule {
            rule if NAMED.contains(&rule) => learn_named,
            rule if PASSING.contains(&rule) => continue,
            _ => learn_placed,
        };
        learn(secret.value(), secrets);
        // In a URL or a form it was coded, and what repeats it may not be.
        let decoded = percent(secret.value()).map(|view| view.text);
        let decoded = decoded.unwrap_or_else(|| secret.value().to_owned());
        learn(&decoded, secrets);
        learn(&decoded.replace('+', " "), secrets);
    }
}

/// Makes known what may be secret, if it looks so: not every cookie is.
fn learn_text(text: &str, secrets: &mut Secrets) {
    if text.len() <= 512 && !secrets.knows(text) && (value::is_likely(text) || value::is_random(text)) {
        secrets.learn(text);
    }
}

/// Makes known what stands where secrets do, unless it is what people give to a test: a user may be called as the password is.
fn learn_placed(text: &str, secrets: &mut Secrets) {
    learn_text(text, secrets);
    if !value::is_plain(text) {
        learn_named(text, secrets);
    }
}

/// Makes known what the user called secret by its name, which needs not look it.
fn learn_named(text: &str, secrets: &mut Secrets) {
    if text.len() <= 512 && !secrets.knows(text) && value::is_distinct(text) {
        secrets.learn(text);
    }
}

//! Credentials told by what stands around them: keys in PEM, passwords in URLs, values of authorization schemes.

use std::ops::Range;

use super::shape::{WORD_EQ, has};
use super::value;
use super::{Found, Work};
use crate::redact::coding::{as_text, base64};

/// The longest part of a URL before its path that is looked at.
const AUTHORITY: usize = 512;

/// The longest private key that is looked at, its escapes included.
const PEM: usize = 32 << 10;

/// Finds what the structure that opens with `word` at `start` holds.
pub(crate) fn at(text: &str, start: usize, word: &str, work: &Work) -> Option<Found> {
    match word {
        "://" => url_password(text, start, work),
        "-----BEGIN " => pem(text, start, work),
        scheme if scheme.ends_with(' ') => self::scheme(text, scheme.trim_end(), start + scheme.len() - 1, work),
        path => webhook(text, start + path.len(), work),
    }
}

/// Finds the private key whose `-----BEGIN ` starts at `start`, in whatever escapes its line breaks are written.
fn pem(text: &str, start: usize, work: &Work) -> Option<Found> {
    let rest = text[start..].get(..PEM).unwrap_or(&text[start..]);
    let label = &rest["-----BEGIN ".len()..];
    let label = label.get(..64).unwrap_or(label);
    let label = &label[..label.find("-----")?];
    if !label.contains("PRIVATE KEY") {
        return None;
    }
    let head = "-----BEGIN ".len() + label.len() + "-----".len();
    let dashes = rest[head..].find("-----").map(|end| head + end);
    let close = dashes.filter(|dashes| rest[*dashes..].starts_with("-----END "));
    let body = &rest[head..dashes.unwrap_or(rest.len())];
    let length = body
        .bytes()
        .take_while(|b| {
            has(WORD_EQ, *b) || matches!(b, b' ' | b'\r' | b'\n' | b'\t' | b'\\' | b':' | b',' | b'.' | b'(' | b')')
        })
        .count();
    work.spend(length + 1);
    let digits = body[..length].bytes().filter(|b| base64::is_digit(*b)).count();
    let longest =
        body[..length].split(|c: char| !c.is_ascii() || !base64::is_digit(c as u8)).map(str::len).max().unwrap_or(0);
    if digits < 40 || longest < 24 {
        return None;
    }
    let end = match close {
        Some(close) if length == body.len() => {
            let label = &rest[close + "-----END ".len()..];
            close + "-----END ".len() + label.find("-----").filter(|end| *end <= 48).map_or(0, |end| end + 5)
        }
        _ => head + length,
    };
    Some(Found { range: start..start + end, rule: "private-key" })
}

/// Finds the password in the URL whose `://` starts at `start`.
///
/// The user information ends at the last `@` before the path, since passwords hold that sign unescaped.
fn url_password(text: &str, start: usize, work: &Work) -> Option<Found> {
    let from = start + "://".len();
    let rest = &text.as_bytes()[from..];
    let stops = |b: &u8| {
        matches!(
            b,
            b' ' | b'\n' | b'\r' | b'\t' | b'"' | b'\'' | b'<' | b'>' | b'`' | b'/' | b'?' | b'#' | b'\\' | b',' | b'|'
        )
    };
    let limit = rest.len().min(AUTHORITY);
    let length = rest[..limit].iter().position(stops).unwrap_or(limit);
    work.spend(length + 1);
    let at = rest[..length].iter().rposition(|b| *b == b'@')?;
    let colon = rest[..at].iter().position(|b| *b == b':');
    let (secret, user) = match colon {
        Some(colon) => (colon + 1..at, &text[from..from + colon]),
        None => (0..at, ""),
    };
    let range = from + secret.start..from + secret.end;
    let password = text.get(range.clone())?;
    let blank = password.is_empty()
        || value::is_placeholder(password)
        || value::is_reference(password)
        || password.contains(['{', '}', '$', '(', '*'])
        || password.eq_ignore_ascii_case(user);
    // A name alone is a public key, as in a Sentry DSN, unless it could be nothing but a token.
    let public =
        colon.is_none() && (rest[at..length].windows(6).any(|w| w == b"sentry") || !value::is_random(password));
    (!blank && !public).then_some(Found { range, rule: "url-password" })
}

/// Finds the credential after an authorization scheme's name, which ends at `end`.
fn scheme(text: &str, name: &str, end: usize, work: &Work) -> Option<Found> {
    let rest = &text[end..];
    let blank = rest.bytes().take_while(|b| *b == b' ').count();
    if blank == 0 {
        return None;
    }
    let token = &rest[blank..];
    let token = &token[..token.bytes().take_while(|b| has(WORD_EQ, *b) || matches!(b, b'.' | b'~' | b':')).count()];
    work.spend(blank + token.len() + 1);
    let token = token.trim_end_matches(['.', ':']);
    let range = end + blank..end + blank + token.len();
    if name.eq_ignore_ascii_case("basic") {
        return is_basic(token).then_some(Found { range, rule: "basic-auth" });
    }
    let likely = token.len() >= 12 && value::is_likely(token) && !value::is_reference(token);
    likely.then_some(Found { range, rule: "token" })
}

/// Returns whether the text is a name and a password, a colon between, in base64.
fn is_basic(text: &str) -> bool {
    let decoded = base64::decode(text);
    let decoded = decoded.as_deref().and_then(as_text).unwrap_or_default();
    text.len() >= 8
        && decoded.split_once(':').is_some_and(|(user, password)| {
            let blank = |part: &str| part.is_empty() || value::is_placeholder(part);
            !(blank(user) && blank(password))
        })
}

/// Finds the secret path of an incoming webhook, whose fixed part ends at `end`.
fn webhook(text: &str, end: usize, work: &Work) -> Option<Found> {
    let length = text.as_bytes()[end..].iter().take_while(|b| has(WORD_EQ, **b)).count();
    work.spend(length + 1);
    let path = &text[end..end + length];
    let token = path.rsplit('/').next().unwrap_or_default();
    let range = end + length - token.len()..end + length;
    (token.len() >= 20 && path.len() > token.len()).then_some(Found { range, rule: "webhook" })
}

/// Finds a Discord token: the number of a bot in base64, a time, a proof.
pub(crate) fn discord(text: &str, run: &Range<usize>) -> Option<Found> {
    let first = &text[run.clone()];
    let rest = text[run.end..].strip_prefix('.')?;
    let time = rest.split('.').next().filter(|time| time.len() == 6)?;
    let proof = &rest[time.len()..].strip_prefix('.')?;
    let length = proof.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')).count();
    let number = (24..=28).contains(&first.len()) && first.starts_with(['M', 'N', 'O']);
    let time = time.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    (number && time && (27..=40).contains(&length))
        .then(|| Found { range: run.start..run.end + 8 + length, rule: "discord-token" })
}

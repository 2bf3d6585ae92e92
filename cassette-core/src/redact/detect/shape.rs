//! Matching a text against the table, by hand: after a prefix was seen, the rest is a walk over an alphabet.

use std::ops::Range;

use super::Work;
use super::table::{EXAMPLES, Infix, Proof, TELEGRAM_ID};
use crate::redact::coding::{as_text, base64};

pub(crate) const HEX: u128 = set(b"0123456789abcdef");
pub(crate) const HEX_DASH: u128 = HEX | set(b"-");
pub(crate) const UPPER: u128 = set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
pub(crate) const ALNUM: u128 = UPPER | set(b"abcdefghijklmnopqrstuvwxyz");
pub(crate) const WORD: u128 = ALNUM | set(b"-_");
pub(crate) const WORD_EQ: u128 = WORD | set(b"=+/");
pub(crate) const DOTTED: u128 = WORD | set(b".");
pub(crate) const TILDE: u128 = DOTTED | set(b"~");
pub(crate) const BASE64: u128 = ALNUM | set(b"+/=");

const fn set(bytes: &[u8]) -> u128 {
    let mut bits = 0;
    let mut i = 0;
    while i < bytes.len() {
        bits |= 1 << bytes[i];
        i += 1;
    }
    bits
}

/// How one issuer's credentials look.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) rule: &'static str,
    /// How they begin, in the case in which they are issued.
    pub(crate) prefix: &'static str,
    /// What they are made of after the prefix.
    pub(crate) alphabet: u128,
    pub(crate) min: usize,
    pub(crate) max: usize,
    pub(crate) proof: Proof,
}

/// How far to the left of a hit a run of base64 is looked at, to tell a credential from a chance hit in a blob.
const BLOB: usize = 32;

impl Shape {
    /// Returns the credential of this shape whose prefix starts at `start`, if there is one.
    pub(crate) fn at(&self, text: &str, start: usize, work: &Work) -> Option<Range<usize>> {
        let bytes = text.as_bytes();
        if !text[start..].starts_with(self.prefix) || !starts(bytes, start) {
            return None;
        }
        let rest = &bytes[start + self.prefix.len()..];
        let length = run(&rest[..rest.len().min(self.limit())], self.alphabet);
        work.spend(length + 1);
        if length < self.min || length >= self.limit() {
            return None;
        }
        let length = trimmed(&bytes[start + self.prefix.len()..][..length]);
        let range = start..start + self.prefix.len() + length;
        let body = &text[start + self.prefix.len()..range.end];
        let fits = (self.min..=self.max).contains(&length) && self.proof.holds(text, &range, body);
        let known = EXAMPLES.contains(&&text[range.clone()]) || monotonous(body);
        (fits && !known).then(|| self.whole(text, range))
    }

    /// Returns whether the prefix at `start` is followed by enough to be looked at.
    pub(crate) fn may_start(&self, bytes: &[u8], start: usize) -> bool {
        let body = &bytes[start + self.prefix.len()..];
        let least = self.min.min(16);
        // An escape before the prefix ends in a letter, so what stands before it does not count here.
        body.len() >= least && body[..least].iter().all(|b| has(self.alphabet, *b))
    }

    /// How far the alphabet is followed: far enough for any token, and not to the end of a text for each of many hits.
    fn limit(&self) -> usize {
        let long = self.proof == Proof::Claims || self.alphabet == BASE64;
        if long { 64 << 10 } else { self.max.saturating_add(1).min(2048) }
    }

    /// Returns the whole credential: of a Telegram token, the number before the colon too.
    fn whole(&self, text: &str, range: Range<usize>) -> Range<usize> {
        if self.proof != Proof::Telegram {
            return range;
        }
        let digits = text[..range.start - 1].bytes().rev().take_while(u8::is_ascii_digit).count();
        range.start - 1 - digits..range.end
    }
}

impl Proof {
    fn holds(self, text: &str, range: &Range<usize>, body: &str) -> bool {
        let token = &text[range.clone()];
        match self {
            Proof::None => true,
            Proof::Random => is_random(body),
            Proof::Dotted(first, second) => {
                body.split_once('.').is_some_and(|(a, b)| a.len() == first && b.len() == second && !b.contains('.'))
            }
            Proof::Claims => is_jwt(token),
            Proof::Telegram => is_telegram(text, range.start),
        }
    }
}

impl Infix {
    /// Returns the credential around the mark that starts at `start`.
    pub(crate) fn at(&self, text: &str, start: usize, work: &Work) -> Option<Range<usize>> {
        let bytes = text.as_bytes();
        let end = start + self.mark.len();
        if bytes.get(start..end)? != self.mark.as_bytes() {
            return None;
        }
        let limit = start.saturating_sub(self.before.1 + 1);
        let before = bytes[limit..start].iter().rev().take_while(|b| has(self.alphabet, **b)).count();
        let rest = &bytes[end..];
        // One digit more than fits is enough to tell that it does not.
        let after = run(&rest[..rest.len().min(self.after.1.saturating_add(1))], self.alphabet);
        work.spend(before + after + 1);
        let fits = (self.before.0..=self.before.1).contains(&before) && (self.after.0..=self.after.1).contains(&after);
        fits.then(|| start - before..end + after)
    }
}

/// Returns whether a credential may start here: not within a word, and not within a blob of base64.
pub(crate) fn starts(bytes: &[u8], start: usize) -> bool {
    let Some(before) = start.checked_sub(1).map(|i| bytes[i]) else { return true };
    if before.is_ascii_alphanumeric() {
        return false;
    }
    if !matches!(before, b'+' | b'/' | b'-' | b'_') {
        return true;
    }
    let url = matches!(before, b'-' | b'_');
    let digit =
        |b: &&u8| b.is_ascii_alphanumeric() || if url { matches!(b, b'-' | b'_') } else { matches!(b, b'+' | b'/') };
    let blob = &bytes[start.saturating_sub(BLOB)..start];
    let whole = blob.len() == BLOB && blob.iter().all(|b| digit(&b));
    !(whole
        && blob.iter().any(u8::is_ascii_digit)
        && blob.iter().any(u8::is_ascii_uppercase)
        && blob.iter().any(u8::is_ascii_lowercase))
}

/// Returns whether the alphabet holds the byte.
pub(crate) fn has(alphabet: u128, byte: u8) -> bool {
    byte < 128 && alphabet >> byte & 1 == 1
}

fn run(bytes: &[u8], alphabet: u128) -> usize {
    bytes.iter().take_while(|b| has(alphabet, **b)).count()
}

/// A full stop or a dash that ends a sentence is no part of a credential.
fn trimmed(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|b| *b != b'.').map_or(0, |last| last + 1)
}

/// Returns whether some part of the text looks drawn at random: long, with digits among its letters or mixed case.
fn is_random(body: &str) -> bool {
    body.split(['-', '_', '.']).any(|part| {
        let digits = part.bytes().filter(u8::is_ascii_digit).count();
        let upper = part.bytes().filter(u8::is_ascii_uppercase).count();
        let lower = part.bytes().filter(u8::is_ascii_lowercase).count();
        let long = part.len() >= 16;
        long && (digits >= 2 && digits < part.len() || upper >= 3 && lower >= 3)
            || part.len() >= 10 && digits >= 1 && upper >= 2 && lower >= 2
            || part.len() >= 7
                && digits >= 2
                && lower >= 2
                && body.len() >= 30
                && body.bytes().filter(u8::is_ascii_digit).count() >= 6
    })
}

/// Returns whether the text is one of those written to show a form: few different characters.
fn monotonous(body: &str) -> bool {
    let seen = body.bytes().fold(0u128, |seen, b| seen | 1 << (b & 127));
    seen.count_ones() < 5
}

/// Returns whether the token is two parts or more of base64 of which the first is a JOSE header (RFC 7515, section 4).
fn is_jwt(token: &str) -> bool {
    let mut parts = token.split('.');
    let header = parts.next().and_then(base64::decode);
    let header = header.as_deref().and_then(as_text).unwrap_or_default();
    let named = ["\"alg\"", "\"typ\"", "\"enc\"", "\"kid\""].iter().any(|name| header.contains(name));
    named && parts.next().is_some_and(|claims| claims.len() >= 8)
}

/// Returns whether the number of a bot and a colon stand before.
fn is_telegram(text: &str, start: usize) -> bool {
    let Some(before) = text[..start].strip_suffix(':') else { return false };
    let digits = before.bytes().rev().take_while(u8::is_ascii_digit).count();
    TELEGRAM_ID.contains(&digits)
}

#[cfg(test)]
mod tests {
    use super::{is_jwt, is_random};

    #[test]
    fn words_are_not_random() {
        assert!(!is_random("learn-style-metrics-classification"));
        assert!(!is_random("metrics_classification_report_output_dict_true_macro_average"));
        assert!(is_random(&format!("proj-{}", "aB3dE6gH9k".repeat(3))));
    }

    #[test]
    fn a_jwt_proves_itself() {
        assert!(is_jwt(concat!("eyJhbGciOiJIUzI1NiJ9", ".eyJzdWIiOiIxIn0.c2ln")));
        assert!(!is_jwt("eyJub3RoaW5nIjoxfQ.eyJzdWIiOiIxIn0"));
    }
}

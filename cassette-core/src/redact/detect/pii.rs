//! Personal data, looked for only where asked: e-mail addresses, card numbers, telephone numbers.

use super::Found;

/// Finds the personal data in a text.
pub(crate) fn find(text: &str) -> Vec<Found> {
    let mut found = emails(text);
    found.extend(numbers(text));
    found
}

fn emails(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let local = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'%' | b'+' | b'-');
    let domain = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-');
    let address = |at: usize| {
        let before = bytes[..at].iter().rev().take(64).take_while(local).count();
        let after = bytes[at + 1..].iter().take(255).take_while(domain).count();
        let host = text[at + 1..at + 1 + after].trim_end_matches(['.', '-']);
        let top = host.rsplit('.').next().unwrap_or_default();
        let fits = before > 0 && host.contains('.') && top.len() >= 2 && top.bytes().all(|b| b.is_ascii_alphabetic());
        fits.then(|| Found { range: at - before..at + 1 + host.len(), rule: "email" })
    };
    text.match_indices('@').filter_map(|(at, _)| address(at)).collect()
}

/// Runs of digits with single blanks or dashes between: cards by their checksum, telephones by their plus sign.
fn numbers(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = bytes[at..].iter().position(u8::is_ascii_digit) {
        let start = at + next;
        let mut end = start;
        let mut digits = String::new();
        while let Some(byte) = bytes.get(end) {
            let between = matches!(byte, b' ' | b'-' | b'(' | b')' | b'.')
                && bytes.get(end + 1).is_some_and(|b| b.is_ascii_digit() || *b == b'(');
            match byte {
                byte if byte.is_ascii_digit() => digits.push(char::from(*byte)),
                _ if between && digits.len() < 19 => {}
                _ => break,
            }
            end += 1;
        }
        at = end.max(start + 1);
        let plus = start > 0 && bytes[start - 1] == b'+';
        let inside =
            start > 0 && (bytes[start - 1].is_ascii_alphanumeric() || matches!(bytes[start - 1], b'.' | b'-' | b'_'));
        let ends = !bytes.get(end).is_some_and(u8::is_ascii_alphanumeric);
        if plus && (8..=15).contains(&digits.len()) && ends {
            found.push(Found { range: start - 1..end, rule: "phone" });
        } else if !inside && ends && (13..=19).contains(&digits.len()) && is_card(&digits) {
            found.push(Found { range: start..end, rule: "card-number" });
        }
    }
    found
}

/// The checksum of ISO/IEC 7812-1, annex B, on a number that an issuer's digits begin.
fn is_card(digits: &str) -> bool {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(i, b)| {
            let digit = u32::from(b - b'0') << (i % 2);
            if digit > 9 { digit - 9 } else { digit }
        })
        .sum();
    sum.is_multiple_of(10)
        && digits.starts_with(['2', '3', '4', '5', '6'])
        && digits.bytes().any(|b| b != digits.as_bytes()[0])
}

#[cfg(test)]
mod tests {
    use super::find;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = find(text).into_iter().map(|found| &text[found.range]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn addresses_cards_and_telephones() {
        check("write to a.b+c@example.org.", &["a.b+c@example.org"]);
        check("4111 1111 1111 1111 or 4111 1111 1111 1112", &["4111 1111 1111 1111"]);
        check("call +47 22 33 44 55 now", &["+47 22 33 44 55"]);
        check("1700000000000 and 2026-07-21 and 10.0.0.1", &[]);
        check("git@host @nobody", &[]);
    }
}

//! Names and values in running text: `api_key = ..`, `"token": ".."`, `<ApiKey>..</ApiKey>`, `--password ..`.

use std::ops::Range;

use super::Found;
use super::names::{self, Named, Strength};
use super::value;

/// The longest name that is looked at, on either side of the word that gave it away.
const NAME: usize = 48;

/// The longest value that is looked at.
const VALUE: usize = 4096;

/// Finds the value assigned to the name in which a telling word was seen.
pub(crate) fn at(text: &str, word: Range<usize>) -> Option<Found> {
    let name = name_around(text, &word)?;
    let bytes = text.as_bytes();
    let field = matches!(name.start.checked_sub(1).map(|i| bytes[i]), Some(b'?' | b'&' | b';'));
    let named = if field { names::judge_field(&text[name.clone()]) } else { names::judge(&text[name.clone()]) }?;
    let element = name.start > 0 && bytes[name.start - 1] == b'<';
    let from = separator(text, name.end, element, text[..name.start].ends_with("--"))?;
    if named.rule == "cookie" {
        return None;
    }
    let range = value(text, from)?;
    let fits = is_hidden(&text[range.clone()], named);
    fits.then_some(Found { range, rule: named.rule })
}

/// Returns whether this word stands at the end of a name that is secret, as a cheap first look.
pub(crate) fn is_secret_name(text: &str, word: &Range<usize>) -> bool {
    name_around(text, word).is_some_and(|name| names::judge_field(&text[name]).is_some())
}

fn is_hidden(text: &str, named: Named) -> bool {
    match named.strength {
        Strength::Strong => value::is_likely(text) || named.rule != "password" && value::is_random(text),
        Strength::Weak => value::is_random(text),
    }
}

fn name_around(text: &str, word: &Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let of_name = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    let before = bytes[..word.start].iter().rev().take(NAME + 1).take_while(of_name).count();
    let after = bytes[word.end..].iter().take(NAME + 1).take_while(of_name).count();
    if before > NAME || after > NAME {
        return None;
    }
    // The dashes of an option and the stops of a sentence are no part of the name.
    let range = word.start - before..word.end + after;
    let name = &text[range.clone()];
    let start = range.start + name.len() - name.trim_start_matches(['-', '.']).len();
    let end = range.end - (name.len() - name.trim_end_matches(['-', '.']).len());
    (start < end).then_some(start..end)
}

/// Returns where the value starts: after one sign of assignment, what closes the name and blanks, never a line break.
fn separator(text: &str, end: usize, element: bool, option: bool) -> Option<usize> {
    let rest = &text[end..];
    let mut at = rest.len() - rest.trim_start_matches(['"', '\'', '`', '\\', ']', '?', '*']).len();
    let closed = at > 0;
    at += blanks(&rest[at..]);
    let spoken = [" is ", "was ", "is ", "to "].iter().find(|word| rest[at..].starts_with(**word));
    let sign = ["=>", ":=", "==", "->", "=", ":"].iter().find(|sign| rest[at..].starts_with(**sign));
    at += match (sign, spoken) {
        (Some(sign), _) => sign.len(),
        (None, _) if element && rest[at..].starts_with('>') => 1,
        (None, _) if rest[at..].starts_with('|') => 1,
        (None, _) if rest[at..].starts_with(',') && closed => 1,
        (None, _) if rest[at..].starts_with('(') => 1,
        (None, _) if option && at > 0 => 0,
        (None, Some(word)) if at > 0 => word.len(),
        _ => return None,
    };
    at += blanks(&rest[at..]);
    // A type between the name and its value: `const KEY: &str = ".."`.
    if let Some(of_type) = ["&'static str", "&str", "String", "string", "str", "Optional[str]"]
        .iter()
        .find(|of_type| rest[at..].starts_with(**of_type))
    {
        let after = at + of_type.len() + blanks(&rest[at + of_type.len()..]);
        if rest[after..].starts_with('=') {
            at = after + 1 + blanks(&rest[after + 1..]);
        }
    }
    // A call that only wraps the value: `SecretStr("..")`.
    if let Some(open) = rest[at..].find(['(', '"', '\'', '\n', ' ']).filter(|open| *open < 32) {
        let inner = at + open + 1;
        if rest[at + open..].starts_with('(') && rest[inner..].starts_with(['"', '\'']) {
            let call = rest[at..at + open].to_ascii_lowercase();
            at =
                if ["get", "env", "read", "load", "fetch"].iter().any(|word| call.contains(word)) { at } else { inner };
        }
    }
    Some(end + at)
}

fn blanks(text: &str) -> usize {
    text.bytes().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

/// Returns the value that starts here: to the closing quote where one opens, else to what cannot belong to it.
fn value(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = text[start..].get(..VALUE).unwrap_or(&text[start..]);
    let unmarked = rest.trim_start_matches(['b', 'r', 'f', 'u']);
    let rest = if unmarked.starts_with(['"', '\'']) { unmarked } else { rest };
    let escapes = rest.len() - rest.trim_start_matches('\\').len();
    let quote = rest[escapes..].chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    let skipped = text[start..].len().min(VALUE) - rest.len();
    let mut from = start + skipped + if quote.is_some() { escapes + 1 } else { 0 };
    let schemes = [
        "Bearer ",
        "bearer ",
        "Basic ",
        "basic ",
        "Token ",
        "token ",
        "SSWS ",
        "Bot ",
        "Key ",
        "key ",
        "ApiKey ",
        "GenieKey ",
    ];
    if let Some(scheme) = schemes.iter().find(|scheme| text[from..].starts_with(**scheme)) {
        from += scheme.len();
    }
    let body = &text[from..];
    let stop = |c: char| match quote {
        Some(quote) => c == quote || matches!(c, '\n' | '\r') || c == '\\',
        None => {
            c.is_whitespace()
                || matches!(c, '"' | '\'' | '`' | '<' | '>' | ',' | ';' | ')' | '}' | ']' | '&' | '|' | '\\')
        }
    };
    let length = body.find(stop).unwrap_or(body.len());
    let trimmed = if quote.is_some() { &body[..length] } else { body[..length].trim_end_matches(['.', ':', '?', '!']) };
    (!trimmed.is_empty() && trimmed.len() <= VALUE).then(|| from..from + trimmed.len())
}

#[cfg(test)]
mod tests {
    use super::at;

    #[track_caller]
    fn check(text: &str, word: &str, expected: Option<&str>) {
        let start = text.find(word).expect("the word");
        let found = at(text, start..start + word.len()).map(|found| &text[found.range]);
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn values_are_found_in_many_syntaxes() {
        let value = "9fa740a4ca426e39".repeat(2);
        for text in [
            "api_key = V",
            "api_key: V\nnext",
            "\"api_key\": \"V\"",
            "'api_key': 'V', 'verify': True",
            "API_KEY=V",
            "api_key => 'V'",
            "--api-key V",
            "<Api_key>V</Api_key>",
            "const API_KEY: &str = \"V\";",
            "x-api-key: V\r\n",
            "\\\"api_key\\\": \\\"V\\\"",
            "?api_key=V&x=1",
            "api_key=\"V\",",
            "apiKey: 'V' }",
            "api_key=SecretStr(\"V\")",
            "api_key is V.",
        ] {
            let word = if text.contains("API_KEY") {
                "KEY"
            } else if text.contains("Key") && !text.contains('<') {
                "Key"
            } else {
                "key"
            };
            check(&text.replace('V', &value), word, Some(&value));
        }
    }

    #[test]
    fn code_and_prose_are_not_values() {
        check("password = client.access_secret_version(name)", "password", None);
        check("Password: must have 12 characters", "Password", None);
        check("apiKey: string; password?: string", "Key", None);
        check("token = os.getenv('GITHUB_TOKEN', '')", "token", None);
        check("connector:\n  api_key:\n  region", "key", None);
        check("secret_rotation | every-90-days-automatically", "secret", None);
    }
}

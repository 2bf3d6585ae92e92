//! Names and values in running text: `api_key = ..`, `"token": ".."`, `<ApiKey>..</ApiKey>`, `--password ..`.

use std::ops::Range;

use super::names::{self, Named, Strength};
use super::value;
use super::{Found, Work, columns, dressed, markup, shell, sql};

/// The longest name that is looked at, on either side of the word that gave it away.
const NAME: usize = 48;

/// What finding the name around a word costs.
const LOOK: usize = 16;

/// The longest name of a function that wraps a value.
const CALL: usize = 32;

/// The longest value that is looked at.
const VALUE: usize = 1024;

/// Words that a sentence about a credential may hold between its name and its value, at most so long together.
const FILLER: usize = 24;

/// Finds the values assigned to the name in which a telling word was seen: one, or of a cookie header several.
pub(crate) fn at(text: &str, word: usize, work: &Work) -> Vec<Found> {
    work.spend(LOOK);
    let Some(name) = name_around(text, word) else { return Vec::new() };
    let said = &text[name.clone()];
    if said.eq_ignore_ascii_case("cookie") || said.eq_ignore_ascii_case("set-cookie") {
        return cookies(text, name.end, work);
    }
    let found = assigned(text, &name, work);
    let found = found.or_else(|| sql::password(text, &name, work));
    let found = found.or_else(|| spoken(text, &name, work)).or_else(|| paired(text, &name, work));
    let found = found.or_else(|| shell::variable(text, &name, work)).or_else(|| dressed::at(text, &name, work));
    if let Some(found) = found {
        return vec![found];
    }
    let found = markup::at(text, &name, work);
    let found = if found.is_empty() { sql::column(text, &name, work) } else { found };
    if found.is_empty() { columns::at(text, &name, work) } else { found }
}

/// Finds the value that a member beside the name gives: `name: API_KEY` and, in the next line, `value: ..`.
fn paired(text: &str, name: &Range<usize>, work: &Work) -> Option<Found> {
    let rest = &text[name.end..];
    let gap = rest.len() - rest.trim_start_matches(['"', '\'', ' ', '\t', '\r', '\n', ',', '\\']).len();
    let from = name.end + gap;
    let before = &text[boundary_after(text, name.start.saturating_sub(NAME))..name.start];
    let spoken = text.get(from..from + 5).is_some_and(|word| word.eq_ignore_ascii_case("value"));
    let from = if spoken {
        let introduced = before.trim_end_matches(['"', '\'', ' ', ':', '=', '\\']).to_ascii_lowercase();
        let named = introduced.ends_with("name") || introduced.ends_with("key");
        named.then(|| separator(text, from + 5, false, false))??
    } else {
        // A line of a `.netrc`: `machine .. login .. password ..`.
        let login = gap == 1 && text[name.clone()].eq_ignore_ascii_case("password") && before.contains("login ");
        login.then_some(from)?
    };
    let named = names::judge(&text[name.clone()])?;
    let range = value(text, from, work)?;
    is_hidden(&text[range.clone()], named).then_some(Found { range, rule: named.rule })
}

fn assigned(text: &str, name: &Range<usize>, work: &Work) -> Option<Found> {
    let bytes = text.as_bytes();
    let field = matches!(name.start.checked_sub(1).map(|i| bytes[i]), Some(b'?' | b'&' | b';'));
    let named = if field { names::judge_field(&text[name.clone()]) } else { names::judge(&text[name.clone()]) }?;
    let element = name.start > 0 && bytes[name.start - 1] == b'<';
    let from = separator(text, name.end, element, text[..name.start].ends_with("--"))?;
    let range = value(text, from, work)?;
    let closed = !text[name.end..].starts_with('>') || text[range.end..].starts_with("</");
    let fits = closed && is_hidden(&text[range.clone()], named);
    fits.then_some(Found { range, rule: named.rule })
}

/// Finds the value in a sentence: `Incorrect API key provided: ..`, `the token '..' has expired`.
fn spoken(text: &str, name: &Range<usize>, work: &Work) -> Option<Found> {
    let said = text[name.clone()].to_ascii_lowercase();
    let rule = match said.rsplit(['_', '-', '.']).next()? {
        "key" | "apikey" => "api-key",
        "token" => "token",
        "secret" | "password" | "credential" | "credentials" => "secret",
        _ => return None,
    };
    let rest = &text[name.end..];
    let filler = rest.bytes().take(FILLER + 1).take_while(|b| b.is_ascii_alphabetic() || *b == b' ').count();
    let after = &rest[filler..];
    let quoted = after.starts_with(['"', '\'', '`']) && rest[..filler].ends_with(' ');
    let colon = after.starts_with(": ");
    if filler > FILLER || !(quoted || colon) {
        return None;
    }
    let range = value(text, name.end + filler + if colon { 2 } else { 0 }, work)?;
    value::is_random(&text[range.clone()]).then_some(Found { range, rule })
}

/// Finds the random values in a cookie header that is part of a text.
fn cookies(text: &str, end: usize, work: &Work) -> Vec<Found> {
    let Some(from) = separator(text, end, false, false) else { return Vec::new() };
    let line = &text[from..];
    let line = &line[..boundary(line, VALUE)];
    let line = &line[..line.find(['\n', '\r', '"', '\'', '\\']).unwrap_or(line.len())];
    // Each of its pairs is looked at on its own, and measured more than once.
    work.spend(4 * line.len());
    let mut found = Vec::new();
    let mut start = from;
    for pair in line.split(';') {
        if let Some((name, value)) = pair.split_once('=').filter(|(_, value)| value::is_random(value)) {
            let from = start + name.len() + 1;
            found.push(Found { range: from..from + value.trim_end().len(), rule: "cookie" });
        }
        start += pair.len() + 1;
    }
    found
}

/// Returns whether this word stands at the end of a name that is secret, as a cheap first look.
pub(crate) fn is_secret_name(text: &str, word: usize) -> bool {
    name_around(text, word).is_some_and(|name| names::judge_field(&text[name]).is_some())
}

/// Returns the first boundary between characters from `from`.
fn boundary_after(text: &str, from: usize) -> usize {
    (from..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// Returns the last boundary between characters up to `limit`.
fn boundary(text: &str, limit: usize) -> usize {
    (0..=limit.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

pub(super) fn is_hidden(text: &str, named: Named) -> bool {
    match named.strength {
        Strength::Strong => value::is_likely(text) || named.rule != "password" && value::is_random(text),
        Strength::Weak => value::is_random(text),
    }
}

/// Returns the name that a word which starts here is part of.
fn name_around(text: &str, word: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let of_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    let (mut start, mut end) = (word, word);
    while start > 0 && of_name(bytes[start - 1]) {
        start -= 1;
        if word - start > NAME {
            return None;
        }
    }
    while end < bytes.len() && of_name(bytes[end]) {
        end += 1;
        if end - word > NAME {
            return None;
        }
    }
    // The dashes of an option, the stops of a sentence and the letter of an escape are no part of the name.
    start += usize::from(start > 0 && bytes[start - 1] == b'\\');
    let edge = |b: u8| matches!(b, b'-' | b'.');
    while start < end && edge(bytes[start]) {
        start += 1;
    }
    while start < end && edge(bytes[end - 1]) {
        end -= 1;
    }
    (start < end).then_some(start..end)
}

/// Returns where the value starts: after one sign of assignment, what closes the name and blanks, never a line break.
pub(super) fn separator(text: &str, end: usize, element: bool, option: bool) -> Option<usize> {
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
    let call = &rest[at..];
    let call = &call[..boundary(call, CALL)];
    if let Some(open) = call.find(['(', '"', '\'', '\n', ' ']) {
        let inner = at + open + 1;
        if call[open..].starts_with('(') && rest[inner..].starts_with(['"', '\'']) {
            let call = call[..open].to_ascii_lowercase();
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
pub(super) fn value(text: &str, start: usize, work: &Work) -> Option<Range<usize>> {
    let rest = &text[start..];
    let rest = &rest[..boundary(rest, VALUE)];
    let unmarked = rest.trim_start_matches(['b', 'r', 'f', 'u']);
    let rest = if unmarked.starts_with(['"', '\'']) { unmarked } else { rest };
    let escapes = rest.len() - rest.trim_start_matches('\\').len();
    let quote = rest[escapes..].chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    let skipped = boundary(&text[start..], VALUE) - rest.len();
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
    let body = &body[..boundary(body, VALUE)];
    let stop = |c: char| match quote {
        Some(quote) => c == quote || matches!(c, '\n' | '\r') || c == '\\',
        None => {
            c.is_whitespace()
                || matches!(c, '"' | '\'' | '`' | '<' | '>' | ',' | ';' | ')' | '}' | ']' | '&' | '|' | '\\')
        }
    };
    let length = body.find(stop).unwrap_or(body.len());
    work.spend(length);
    if length == body.len() && from + length < text.len() {
        return None;
    }
    let trimmed = if quote.is_some() { &body[..length] } else { body[..length].trim_end_matches(['.', ':', '?', '!']) };
    (!trimmed.is_empty() && trimmed.len() <= VALUE).then(|| from..from + trimmed.len())
}

#[cfg(test)]
mod tests {
    use super::{Work, at};

    #[track_caller]
    fn check(text: &str, word: &str, expected: Option<&str>) {
        let start = text.find(word).expect("the word");
        let found = at(text, start, &Work::on(text)).pop().map(|found| &text[found.range]);
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
            "Incorrect API key provided: V. You can",
            "API key not valid: 'V'",
            "Cookie: a=b; c=V\r\n",
            "- name: API_KEY\n  value: V\n",
            "<add key=\"ApiKey\" value=\"V\"/>",
        ] {
            let word = if text.contains("ApiKey") {
                "Key"
            } else if text.contains("Cookie") {
                "Cookie"
            } else if text.contains("API_KEY") {
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
        check("redis://:<password>@localhost:6379/0", "password", None);
        check("the token limit: 200000 for claude-sonnet-4-5", "token", None);
        check("secret_rotation | every-90-days-automatically", "secret", None);
    }
}

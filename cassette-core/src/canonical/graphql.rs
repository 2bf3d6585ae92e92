//! GraphQL: a query by its tokens, variables as JSON.
//!
//! White space, line ends, commas and comments between tokens mean nothing (GraphQL, October 2021, section 2.1.7). Strings
//! and block strings stay as they were written.

use crate::json::Json;

/// The members of a request, which are the parameters of one that is a GET.
const MEMBERS: &[&str] = &["query", "variables", "operationName", "extensions"];

/// Spells the query of a request in one way, if the request is one.
pub(super) fn respell(body: &mut Json) {
    let is_request = body.members().iter().all(|(name, _)| MEMBERS.iter().any(|known| name.is(known)));
    let Some(query) = body.get_mut("query").filter(|_| is_request) else { return };
    let spelled = match &*query {
        Json::String(text) => text.exact().and_then(|text| tokens(&text)),
        _ => None,
    };
    if let Some(spelled) = spelled {
        *query = spelled.into();
    }
}

/// Returns a parameter of a query string by what it means; `None` where it stays as it is.
///
/// The space behind the equals sign stands in no URL, so that nothing which was sent equals what is returned.
pub(super) fn parameter(parameter: &str) -> Option<String> {
    let (key, value) = parameter.split_once('=')?;
    let value = super::urlencoded::decoded(value)?;
    let spelled = match key {
        "query" => tokens(&value)?,
        "variables" | "extensions" => Json::parse(&value).ok()?.canonical(),
        _ => return None,
    };
    Some(format!("{key}= {spelled}"))
}

/// Returns the tokens of a document with a space between each two; `None` where it is none.
fn tokens(text: &str) -> Option<String> {
    let mut found: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            ' ' | '\t' | '\n' | '\r' | ',' | '\u{feff}' => {
                rest = &rest[first.len_utf8()..];
                continue;
            }
            '#' => {
                rest = &rest[rest.find(['\n', '\r']).unwrap_or(rest.len())..];
                continue;
            }
            '.' => rest.starts_with("...").then_some(3)?,
            '!' | '$' | '&' | '(' | ')' | ':' | '=' | '@' | '[' | ']' | '{' | '|' | '}' => 1,
            '"' => string(rest)?,
            'a'..='z' | 'A'..='Z' | '_' => rest.find(|c: char| !is_name(c)).unwrap_or(rest.len()),
            '-' | '0'..='9' => number(rest)?,
            _ => return None,
        };
        found.push(&rest[..length]);
        rest = &rest[length..];
    }
    (balanced(&found) && found.contains(&"{")).then(|| found.join(" "))
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns how long the string or block string is with which the text begins.
fn string(text: &str) -> Option<usize> {
    let block = text.starts_with("\"\"\"");
    let (quote, escaped) = if block { ("\"\"\"", "\\\"\"\"") } else { ("\"", "\\\"") };
    let mut at = quote.len();
    loop {
        let rest = text.get(at..)?;
        if !block && rest.starts_with("\\\\") {
            at += 2;
        } else if rest.starts_with(escaped) {
            at += escaped.len();
        } else if rest.starts_with(quote) {
            return Some(at + quote.len());
        } else {
            let next = rest.chars().next().filter(|c| block || !matches!(c, '\n' | '\r'))?;
            at += next.len_utf8();
        }
    }
}

/// Returns how long the number is with which the text begins; `None` where a name or a dot follows it at once.
fn number(text: &str) -> Option<usize> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
    let end = text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    let sound = Json::parse(&text[..end]).is_ok() && !text[end..].starts_with(is_name);
    sound.then_some(end)
}

fn balanced(tokens: &[&str]) -> bool {
    let mut open = Vec::new();
    let sound = tokens.iter().all(|token| match *token {
        "{" | "(" | "[" => {
            open.push(*token);
            true
        }
        "}" => open.pop() == Some("{"),
        ")" => open.pop() == Some("("),
        "]" => open.pop() == Some("["),
        _ => true,
    });
    sound && open.is_empty()
}

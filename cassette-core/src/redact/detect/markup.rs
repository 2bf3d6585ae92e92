//! Passwords in XML and HTML: in elements with attributes, beside the element that names them, in fields and tables.

use std::ops::Range;

use super::names::{self, Named, Strength};
use super::{Found, Work, ahead, behind, value};

/// The longest tag that is looked at.
const TAG: usize = 256;

/// How far before a name its element may begin.
const NAME: usize = 48;

/// The longest table that is looked at.
const TABLE: usize = 32 << 10;

/// The element that holds a name, and the one after it that holds the value.
const BESIDE: &[(&[&str], &[&str])] = &[
    (&["key"], &["string", "value", "data"]),
    (&["name", "param-name"], &["value", "string", "param-value"]),
    (&["dt"], &["dd"]),
    (&["th", "td"], &["td"]),
    (&["b", "strong", "label", "em", "span"], &["code", "kbd", "samp", "tt", "span"]),
];

/// Finds what is the value of a name that stands in markup.
pub(super) fn at(text: &str, name: &Range<usize>, work: &Work) -> Vec<Found> {
    let before = text[..name.start].bytes().next_back();
    // What is no markup has no such signs.
    let near = matches!(before, Some(b'<' | b':' | b'>' | b'"' | b'\'' | b'=' | b' '));
    let Some(named) = names::judge(&text[name.clone()]).filter(|named| near && named.strength == Strength::Strong)
    else {
        return Vec::new();
    };
    let found = match before {
        Some(b'<' | b':') => element(text, name, work),
        Some(b'"' | b'\'' | b'=') => field(text, name, work),
        _ => {
            let found = beside(text, name, work);
            return if found.is_none() { column(text, name, named, work) } else { hidden(text, found, named) };
        }
    };
    hidden(text, found, named)
}

fn hidden(text: &str, range: Option<Range<usize>>, named: Named) -> Vec<Found> {
    let range = range.filter(|range| value::is_likely(&text[range.clone()]));
    range.map(|range| Found { range, rule: named.rule }).into_iter().collect()
}

/// Returns what stands in the element of this name.
fn element(text: &str, name: &Range<usize>, work: &Work) -> Option<Range<usize>> {
    let prefix = behind(text, name.start, NAME).trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == ':');
    if !prefix.ends_with('<') || !text[name.end..].starts_with(['>', ' ', '\n', '\t']) {
        return None;
    }
    content(text, name.end, work)
}

/// Returns what stands between the end of the tag that is open here and the next one, which closes it.
fn content(text: &str, at: usize, work: &Work) -> Option<Range<usize>> {
    let tag = ahead(text, at, TAG).find(['>', '<']).filter(|end| text[at + end..].starts_with('>'))?;
    let from = at + tag + 1;
    let rest = ahead(text, from, 2 * TAG);
    let (skipped, end) = match rest.trim_start().strip_prefix("<![CDATA[") {
        Some(data) => (rest.len() - data.len(), "]]>"),
        None => (rest.len() - rest.trim_start().len(), "</"),
    };
    let said = &rest[skipped..];
    let length = said.find(end).filter(|length| *length < TAG)?;
    work.spend(tag + skipped + length);
    let said = said[..length].trim_end();
    (!said.contains('<')).then(|| from + skipped..from + skipped + said.len())
}

/// Returns what stands in the element after the one whose text this name is.
fn beside(text: &str, name: &Range<usize>, work: &Work) -> Option<Range<usize>> {
    let end = name.end + ahead(text, name.end, TAG).len();
    let opened = behind(text, name.start, NAME)
        .trim_end_matches(|c: char| c.is_ascii_alphabetic() || matches!(c, ' ' | '_' | '.'));
    let after = ahead(text, name.end, TAG).trim_start_matches([':', ' ', '*']);
    let (closed, after) = after.strip_prefix("</")?.split_once('>').filter(|(tag, _)| tag.len() < 16)?;
    let after = after.trim_start_matches([':', ' ', '\n', '\r', '\t']).strip_prefix('<')?;
    let opens = &after[..after.find(|c: char| !c.is_ascii_alphanumeric() && c != '-')?];
    let known = |(of, beside): &(&[&str], &[&str])| {
        let is = |list: &[&str], tag: &str| list.iter().any(|known| known.eq_ignore_ascii_case(tag));
        is(of, closed) && is(beside, opens)
    };
    (opened.ends_with('>') && BESIDE.iter().any(known)).then(|| content(text, end - after.len() + opens.len(), work))?
}

/// Returns the value of the field that this name is an attribute's: `<input type="password" value="x">`.
fn field(text: &str, name: &Range<usize>, work: &Work) -> Option<Range<usize>> {
    let before = behind(text, name.start, TAG);
    let open = name.start - before.len() + before.rfind(['<', '>'])?;
    let close = name.end + ahead(text, name.end, TAG).find(['<', '>'])?;
    work.spend(close - open);
    let tag = &text[open..close];
    if !tag.starts_with('<')
        || !text[close..].starts_with('>')
        || !tag[1..].starts_with(|c: char| c.is_ascii_alphabetic())
    {
        return None;
    }
    let at = ["value=", "content="].iter().find_map(|member| {
        let at = tag.find(&format!(" {member}"))?;
        Some(at + 1 + member.len())
    })?;
    let quote = tag[at..].chars().next().filter(|c| matches!(c, '"' | '\''));
    let from = at + usize::from(quote.is_some());
    let ends = |c: char| quote.map_or(c.is_whitespace() || c == '/', |quote| c == quote);
    let length = tag[from..].find(ends).unwrap_or(tag.len() - from);
    Some(open + from..open + from + length)
}

/// Finds what stands in the column that this name heads.
fn column(text: &str, name: &Range<usize>, named: Named, work: &Work) -> Vec<Found> {
    let after = ahead(text, name.end, TABLE);
    let closed = after.trim_start().get(..5).is_some_and(|tag| tag.eq_ignore_ascii_case("</th>"));
    let before = behind(text, name.start, 16 * TAG);
    let Some(head) = before.rfind("<tr").filter(|_| closed) else { return Vec::new() };
    let column = before[head..].matches("<th").count().wrapping_sub(1);
    let mut found = Vec::new();
    let table = &after[..after.find("</table").unwrap_or(after.len())];
    work.spend(table.len());
    // Nobody has to close a row (WHATWG HTML, section 13.1.2.4).
    let starts: Vec<usize> = table.match_indices("<tr").map(|(at, _)| at).collect();
    for (i, at) in starts.iter().enumerate() {
        let row = &table[*at..starts.get(i + 1).copied().unwrap_or(table.len())];
        let row = &row[..row.find("</tr").unwrap_or(row.len())];
        work.spend(row.len());
        if work.is_spent() {
            break;
        }
        let cell = row
            .match_indices("<td")
            .nth(column)
            .and_then(|(cell, tag)| content(text, name.end + at + cell + tag.len(), work));
        found.extend(hidden(text, cell, named));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::find;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found = find(text).unwrap();
        let mut told: Vec<&str> = found.iter().map(|found| &text[found.range.clone()]).collect();
        told.dedup();
        assert_eq!(told, expected, "{text}");
    }

    #[test]
    fn what_markup_names_is_found() {
        let value = "Tulip-gate-77xQ";
        for text in [
            "<w:Password Type=\"text\">V</w:Password>",
            "<password encoding='plain'>\n  V\n</password>",
            "<password><![CDATA[V]]></password>",
            "<key>password</key>\n<string>V</string>",
            "<property><name>db.password</name><value>V</value></property>",
            "<dt>Password</dt><dd>V</dd>",
            "<tr><td>Password</td><td>V</td></tr>",
            "<b>Your password:</b> <code>V</code>",
            "<input type=\"password\" name=\"p\" value=\"V\">",
            "<input name=password value=V>",
            "<tr><th>User</th><th>Password</th></tr><tr><td>joe</td><td>V</td></tr>",
        ] {
            check(&text.replace('V', value), &[value]);
        }
    }

    #[test]
    fn what_markup_does_not_name_is_left() {
        for text in [
            "<Password Type=\"text\">must have 12 characters</Password>",
            "<li><a>Password</a></li><li><a>OAuth2-Tokens7x</a></li>",
            "<input type=\"password\" value=\"\"><input value=\"Tulip-gate-77xQ\">",
            "<tr><th>Password</th><th>User</th></tr><tr><td>x</td><td>Tulip-gate-77xQ</td></tr>",
            "<p>the password</p><p>Tulip-gate-77xQ</p>",
            "<name>town</name><value>Tulip-gate-77xQ</value>",
        ] {
            check(text, &[]);
        }
    }
}

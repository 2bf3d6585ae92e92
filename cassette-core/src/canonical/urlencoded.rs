//! Forms and the values of queries (`application/x-www-form-urlencoded`).

use std::collections::HashMap;

use crate::json::Json;

/// Reads a form; `None` where a field is no UTF-8.
pub(super) fn fields(body: &[u8]) -> Option<Json> {
    let text = std::str::from_utf8(body).ok()?;
    let mut fields: Vec<(String, Vec<Json>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for pair in text.split('&') {
        let (name, value) = pair.split_once('=')?;
        let (name, value) = (decoded(name)?, Json::from(decoded(value)?));
        let place = *places.entry(name).or_insert_with_key(|name| {
            fields.push((name.clone(), Vec::new()));
            fields.len() - 1
        });
        fields[place].1.push(value);
    }
    let members = fields.into_iter().map(|(name, mut values)| {
        let value = if values.len() == 1 { values.remove(0) } else { Json::Array(values) };
        (name.as_str().into(), value)
    });
    Some(Json::Object(members.collect()))
}

/// Returns a value of a form or a query; `None` where its encoding is none.
pub(super) fn decoded(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'+' => out.push(b' '),
            b'%' => {
                let digits = std::str::from_utf8(bytes.get(at + 1..at + 3)?).ok()?;
                let sound = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                out.push(u8::from_str_radix(digits, 16).ok().filter(|_| sound)?);
                at += 2;
            }
            byte => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8(out).ok()
}

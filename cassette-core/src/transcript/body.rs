//! Bodies and what stands in them, in one spelling.

use sha2::{Digest as _, Sha256};

use super::enclosed::enclosed;
use super::{Entry, What};
use crate::json::{Json, Layout};
use crate::key::hex;
use crate::redact::fields;
use crate::view::File;

/// From how many bytes on a JSON document takes a line a member.
const LONG: usize = 100;

/// How many zeros a number is written with at most.
const DIGITS_OF_A_NUMBER: u32 = 20;

/// How many digits of a file's digest are shown.
const DIGITS: usize = 8;

/// Returns the entries of a body: JSON by its meaning, text as it is, a multipart body by its parts, anything else by its
/// size.
pub(super) fn body(bytes: &[u8], content_type: Option<&str>, label: &str) -> Vec<Entry> {
    if bytes.is_empty() {
        return Vec::new();
    }
    let media = content_type.unwrap_or_default();
    let parts = fields::boundary(media).map(|boundary| fields::parts(bytes, boundary)).unwrap_or_default();
    if parts.is_empty() {
        return whole(bytes, media, label);
    }
    let one = |part: &fields::Part| {
        let head = String::from_utf8_lossy(&bytes[part.head.clone()]).into_owned();
        let parameter = |name: &str| {
            let (_, rest) = head.split_once(&format!("{name}=\""))?;
            rest.split('"').next().map(str::to_owned)
        };
        let media = head.lines().find_map(|line| {
            line.to_ascii_lowercase().strip_prefix("content-type:").map(|media| media.trim().to_owned())
        });
        let inner = &bytes[part.content.clone()];
        let name =
            head.split("; ").find_map(|field| field.strip_prefix("name=\"")).and_then(|rest| rest.split('"').next());
        let label = format!("{label} {}", name.unwrap_or("a part"));
        match (std::str::from_utf8(inner), parameter("filename")) {
            (Err(_), name) => {
                Entry::of_file(label, File { media: media.unwrap_or_default(), name, bytes: Some(inner.to_vec()) })
            }
            (Ok(text), Some(name)) => Entry::new(What::Body, label, format!("{name}: {}", content(text))),
            (Ok(text), None) => Entry::new(What::Body, label, content(text)),
        }
    };
    parts.iter().map(one).collect()
}

/// Returns a document in one spelling: members sorted, a short one on one line.
pub(super) fn json(json: &Json) -> String {
    if let Json::String(text) = json {
        return text.value().into_owned();
    }
    let sorted = sorted(json);
    let short = sorted.print(Layout::Spaced);
    if short.len() > LONG { sorted.print(Layout::Indent(2)) } else { short }
}

fn sorted(json: &Json) -> Json {
    match json {
        Json::Number(number) => {
            let canonical = number.canonical();
            let plain = decimal(&canonical).and_then(|text| Json::parse(&text).ok());
            plain.unwrap_or_else(|| json.clone())
        }
        Json::Array(elements) => Json::Array(elements.iter().map(sorted).collect()),
        Json::Object(members) => {
            let mut members: Vec<_> = members.iter().map(|(name, value)| (name.clone(), sorted(value))).collect();
            members.sort_by(|(a, _), (b, _)| a.value().cmp(&b.value()));
            Json::Object(members)
        }
        other => Json::parse(&other.canonical()).unwrap_or_else(|_| other.clone()),
    }
}

/// Returns a number that is written `12e-1` as people write it, `1.2`, unless that takes many digits.
fn decimal(canonical: &str) -> Option<String> {
    let (digits, power) = canonical.split_once('e').unwrap_or((canonical, "0"));
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let power: i32 = power.parse().ok().filter(|power: &i32| power.unsigned_abs() <= DIGITS_OF_A_NUMBER)?;
    let zeros = |n: usize| "0".repeat(n);
    let point = digits.len() as i32 + power;
    let text = match (usize::try_from(point), usize::try_from(power)) {
        (_, Ok(power)) => format!("{digits}{}", zeros(power)),
        (Ok(point), _) if point > 0 => format!("{}.{}", &digits[..point], &digits[point..]),
        _ => format!("0.{}{digits}", zeros(point.unsigned_abs() as usize)),
    };
    Some(format!("{sign}{text}"))
}

/// Returns what is told of a file.
pub(super) fn file(file: &File) -> String {
    let told = match &file.bytes {
        Some(bytes) => weighed(&file.media, bytes),
        None => file.media.clone(),
    };
    file.name.as_ref().map_or(told.clone(), |name| format!("{name} ({told})"))
}

/// Returns the entries of a body in one piece: the files that a document encloses stand behind it.
fn whole(bytes: &[u8], media: &str, label: &str) -> Vec<Entry> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        let file = File { media: media.to_owned(), name: None, bytes: Some(bytes.to_vec()) };
        return vec![Entry::of_file(label, file)];
    };
    let Ok(document) = Json::parse(text) else { return vec![Entry::new(What::Body, label, text.trim_end())] };
    let (document, files) = enclosed(document);
    let files = files.into_iter().map(|file| Entry::of_file(format!("{label} shows"), file));
    std::iter::once(Entry::new(What::Body, label, json(&document))).chain(files).collect()
}

fn content(text: &str) -> String {
    Json::parse(text).map_or_else(|_| text.trim_end().to_owned(), |document| json(&document))
}

/// Returns what is told of bytes instead of them.
fn weighed(media: &str, bytes: &[u8]) -> String {
    let media = if media.is_empty() { "unknown type" } else { media };
    format!("{media}, {} bytes, sha256 {}", bytes.len(), &hex(&Sha256::digest(bytes))[..DIGITS])
}

#[cfg(test)]
mod tests {
    use super::{decimal, json};
    use crate::json::Json;

    #[test]
    fn a_number_has_one_spelling_and_a_readable_one() {
        let plain = |text: &str| json(&Json::parse(text).unwrap());
        let written = ["0.5", "5e-1", "0.50", "4e3", "4000", "-1.25", "1e-3", "0", "1e400", "12.0"];
        let read = ["0.5", "0.5", "0.5", "4000", "4000", "-1.25", "0.001", "0", "1e400", "12"];
        written.into_iter().zip(read).for_each(|(written, read)| assert_eq!(plain(written), read));
        assert_eq!(decimal("12e-1").as_deref(), Some("1.2"));
    }

    #[test]
    fn a_document_has_one_spelling() {
        let plain = |text: &str| json(&Json::parse(text).unwrap());
        assert_eq!(plain(r#"{"b":[1.0,"\u00e9"],"a":null}"#), r#"{"a": null, "b": [1, "é"]}"#);
        assert_eq!(plain(r#""a text""#), "a text");
        assert!(plain(&format!(r#"{{"a":"{}"}}"#, "x".repeat(100))).starts_with("{\n  \"a\""));
    }
}

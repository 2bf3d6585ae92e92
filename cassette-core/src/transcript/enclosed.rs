//! Pictures, documents and sounds that stand in a JSON document as base64.

use super::body;
use crate::json::Json;
use crate::view::{File, decoded, documents_of, of_url};

/// What the base64 of a format's first bytes begins with, which no word does, and the format's type.
const FIRST: [(&str, &str); 7] = [
    ("iVBORw0KGgo", "image/png"),
    ("/9j/4", "image/jpeg"),
    ("R0lGODlh", "image/gif"),
    ("R0lGODdh", "image/gif"),
    ("UklGR", "image/webp"),
    ("JVBERi0", "application/pdf"),
    ("SUQz", "audio/mpeg"),
];

/// Returns the document with what is told of each file in the file's place, and the files.
pub(super) fn enclosed(document: Json) -> (Json, Vec<File>) {
    let mut files = Vec::new();
    (take(document, &mut files), files)
}

/// Returns the files in a reply's documents.
pub(super) fn in_reply(body: &[u8]) -> Vec<File> {
    let text = String::from_utf8_lossy(body);
    let may = FIRST.iter().map(|(first, _)| *first).chain([";base64,"]).any(|first| text.contains(first));
    if !may {
        return Vec::new();
    }
    documents_of(body).into_iter().flat_map(|document| enclosed(document).1).collect()
}

fn take(json: Json, files: &mut Vec<File>) -> Json {
    match json {
        Json::Array(elements) => Json::Array(elements.into_iter().map(|element| take(element, files)).collect()),
        Json::Object(members) => {
            Json::Object(members.into_iter().map(|(name, value)| (name, take(value, files))).collect())
        }
        Json::String(text) => match file(&text.value()) {
            Some(file) => {
                let told = body::file(&file);
                files.push(file);
                told.as_str().into()
            }
            None => Json::String(text),
        },
        other => other,
    }
}

fn file(text: &str) -> Option<File> {
    if text.starts_with("data:") && text.contains(";base64,") {
        return Some(of_url(text, "")).filter(|file| file.bytes.is_some());
    }
    // Words have spaces between them; base64 has line breaks at most.
    let (_, media) = FIRST.iter().find(|(first, _)| text.starts_with(first) && !text.contains(' '))?;
    let bytes = decoded(text)?;
    // WebP and WAVE begin alike.
    let media = if bytes.get(8..12) == Some(b"WAVE") { "audio/wav" } else { media };
    Some(File { media: media.to_owned(), name: None, bytes: Some(bytes) })
}

#[cfg(test)]
mod tests {
    use super::enclosed;
    use crate::json::{Json, Layout};

    #[test]
    fn files_are_told_and_not_spelled_out() {
        let source = r#"{"data":[{"b64_json":"iVBORw0KGgo="},{"url":"data:text/csv;base64,YSxi"}],"said":"/9j/4 is no picture"}"#;
        let (told, files) = enclosed(Json::parse(source).unwrap());
        assert_eq!(
            told.print(Layout::Compact),
            r#"{"data":[{"b64_json":"image/png, 8 bytes, sha256 4c4b6a3b"},{"url":"text/csv, 3 bytes, sha256 1eb7c54d"}],"said":"/9j/4 is no picture"}"#
        );
        let shown: Vec<_> = files.iter().map(|file| (file.media.as_str(), file.bytes.clone().unwrap().len())).collect();
        assert_eq!(shown, [("image/png", 8), ("text/csv", 3)]);
    }
}

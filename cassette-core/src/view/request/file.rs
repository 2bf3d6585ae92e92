//! What is sent beside words: images, documents, sounds.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use crate::json::Json;
use crate::view::field::{at, string};

/// Something that is no text: named, where the request names it, and told by its type and its size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct File {
    /// Its media type, or what the provider calls it: `image/png`, `pdf`, `image`.
    pub media: String,
    /// Its name, address or id, where it has one.
    pub name: Option<String>,
    /// Its bytes, where they are sent along and can be decoded.
    pub bytes: Option<Vec<u8>>,
}

/// The members of a typed piece in which a file stands.
pub(super) const MEMBERS: &[&str] = &[
    "image_url",
    "source",
    "input_audio",
    "file",
    "file_data",
    "file_id",
    "file_url",
    "filename",
    "image",
    "data",
    "mimeType",
    "mime_type",
    "uri",
    "document_url",
    "document_name",
    "title",
    "document",
    "audio_url",
    "video_url",
];

/// Returns the file in a piece of this type.
pub(super) fn of_block(json: &Json, kind: &str) -> Option<File> {
    let places = [
        "image_url.url",
        "image_url",
        "source.url",
        "audio_url.url",
        "video_url.url",
        "document_url",
        "file_url",
        "image",
        "uri",
    ];
    let url = places.iter().find_map(|path| string(json, path));
    if let Some(url) = url {
        return Some(of_url(&url, kind));
    }
    let data = ["source.data", "input_audio.data", "file.file_data", "file_data", "data"]
        .iter()
        .find_map(|path| string(json, path));
    let name = ["filename", "file.filename", "document_name", "title", "file.file_id", "file_id", "source.file_id"];
    let name = name.iter().find_map(|path| string(json, path));
    let media =
        ["source.media_type", "input_audio.format", "mimeType", "mime_type"].iter().find_map(|path| string(json, path));
    match data {
        Some(data) if data.starts_with("data:") => Some(File { name, ..of_url(&data, kind) }),
        Some(data) => {
            let bytes = if string(json, "source.type").as_deref() == Some("text") {
                Some(data.into_bytes())
            } else {
                decoded(&data)
            };
            Some(File { media: media.unwrap_or_else(|| kind.to_owned()), name, bytes })
        }
        None => {
            name.map(|name| File { media: media.unwrap_or_else(|| kind.to_owned()), name: Some(name), bytes: None })
        }
    }
}

/// Returns the file in a piece without a type, and the member it stands in: Gemini's and Bedrock's.
pub(super) fn unnamed(json: &Json) -> Option<(&'static str, File)> {
    for name in ["inlineData", "inline_data", "fileData", "file_data"] {
        if let Some(inner) = json.get(name) {
            let media = string(inner, "mimeType").or_else(|| string(inner, "mime_type")).unwrap_or_default();
            let address = string(inner, "fileUri").or_else(|| string(inner, "file_uri"));
            let bytes = string(inner, "data").and_then(|data| decoded(&data));
            return Some((name, File { media, name: address, bytes }));
        }
    }
    for name in ["image", "document", "video", "audio"] {
        if let Some(inner) = json.get(name) {
            let media = string(inner, "format").map_or_else(|| name.to_owned(), |format| format!("{name}/{format}"));
            let bytes = at(inner, "source.bytes").and_then(Json::as_str).and_then(|data| decoded(&data));
            let address = string(inner, "name").or_else(|| string(inner, "source.s3Location.uri"));
            return Some((name, File { media, name: address, bytes }));
        }
    }
    None
}

/// Returns an image of which there is nothing but its bytes: Ollama's.
pub(super) fn of_image(json: &Json) -> Option<File> {
    let bytes = decoded(&json.as_str()?);
    Some(File { media: "image".to_owned(), name: None, bytes })
}

/// Returns the file at an address, or in it.
pub(crate) fn of_url(url: &str, kind: &str) -> File {
    let kind = kind.trim_start_matches("input_").trim_end_matches("_url");
    let Some((media, data)) = url.strip_prefix("data:").and_then(|rest| rest.split_once(',')) else {
        return File { media: kind.to_owned(), name: Some(url.to_owned()), bytes: None };
    };
    let media = media.split(';').next().unwrap_or_default();
    File { media: media.to_owned(), name: None, bytes: decoded(data) }
}

/// Decodes base64 of either alphabet, padded or not.
pub(crate) fn decoded(data: &str) -> Option<Vec<u8>> {
    let data: String = data.chars().filter(|c| !c.is_whitespace() && *c != '=').collect();
    STANDARD_NO_PAD.decode(data.replace('-', "+").replace('_', "/")).ok()
}

//! A file that a conversation shows: a picture as a picture, a sound to be heard, anything else to be saved.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cassette_core::view::File;

use super::Markup;

/// Pictures that browsers show and that can hold no program.
const PICTURES: [&str; 5] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];

/// Sounds that browsers play.
const SOUNDS: [&str; 5] = ["audio/mpeg", "audio/wav", "audio/ogg", "audio/mp4", "audio/webm"];

/// How many bytes of one file are taken into the page.
const MOST: usize = 8 << 20;

/// Adds a file, under what is told of it.
pub(super) fn file(file: &File, told: &str, to: &mut Markup) {
    to.words("span", "", told);
    let Some(bytes) = file.bytes.as_deref().filter(|bytes| !bytes.is_empty()) else { return };
    if bytes.len() > MOST {
        to.words("span", "faint", " too large for a page");
        return;
    }
    let media = media(&file.media, bytes);
    // The type is one of those above or none at all: what was recorded does not say what a browser does with it.
    let url = |media: &str| format!("data:{media};base64,{}", STANDARD.encode(bytes));
    if PICTURES.contains(&media) {
        to.void("img", &[("src", &url(media)), ("alt", told)]);
    } else if SOUNDS.contains(&media) {
        to.element("audio", &[("controls", ""), ("preload", "none"), ("src", &url(media))], |_| {});
    } else {
        let name = file.name.as_deref().and_then(|name| name.rsplit(['/', '\\']).next()).unwrap_or("file");
        let save = [("download", name), ("href", &*url("application/octet-stream"))];
        to.text(" ").element("a", &save, |link| {
            link.text("save it");
        });
    }
}

/// Returns the type of a file, by its first bytes where the request says less.
fn media(said: &str, bytes: &[u8]) -> &'static str {
    const FIRST: [(&[u8], &str); 4] = [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF8", "image/gif"),
        (b"ID3", "audio/mpeg"),
    ];
    let first = FIRST.iter().find(|(first, _)| bytes.starts_with(first)).map(|(_, media)| *media);
    let said = said.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let said = match said.as_str() {
        "image/jpg" => "image/jpeg",
        "wav" | "audio/x-wav" | "audio/wave" => "audio/wav",
        "mp3" | "audio/mp3" => "audio/mpeg",
        other => other,
    };
    let known = PICTURES.into_iter().chain(SOUNDS).find(|known| *known == said);
    first.or(known).unwrap_or_default()
}

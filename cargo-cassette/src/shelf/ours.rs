//! Which files of a directory are this framework's: its cassettes may lie among anything else, `dir = "tests"`.

use std::path::Path;

use cassette_core::files;
use cassette_core::json::Json;

/// With what a cassette begins.
const BEGINNING: &str = "{\n  \"cassette\": ";

/// How many digits the name of a long leaf has: SHA-256 in hexadecimal.
const DIGITS: usize = 64;

/// Returns whether a file of this name is a long leaf: its digest, and an ending. Whatever else lies beside is somebody's.
pub(super) fn is_blob(path: &Path) -> bool {
    let Some((digest, ending)) = path.file_name().and_then(|name| name.to_str()?.split_once('.')) else { return false };
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    digest.len() == DIGITS && digest.bytes().all(is_digit) && !ending.is_empty() && ending.bytes().all(is_plain)
}

/// Returns whether these bytes never were a cassette, but another document that somebody keeps there: nothing of a head stands in them.
/// What is torn, empty or was never written to the disk may have been one.
#[must_use]
pub fn is_other(bytes: &[u8]) -> bool {
    // Of a large cassette nothing more has to be read.
    if is_begun(bytes) {
        return false;
    }
    let text = String::from_utf8_lossy(bytes);
    match Json::parse_around(&text) {
        Ok(document) => {
            let has = |name| document.get(name).is_some();
            let numbers = |name| matches!(document.get(name), Some(Json::Number(_)));
            !(numbers("cassette") || has("by") && has("interactions"))
        }
        Err(_) => {
            let is_torn = BEGINNING.starts_with(text.trim_end());
            let is_blank = text.chars().all(|c| c == '\0' || c.is_whitespace());
            !is_torn && !is_blank && !["\"cassette\":", "\"interactions\":"].iter().any(|head| text.contains(head))
        }
    }
}

/// Returns whether a file can be read and holds another document.
#[must_use]
pub fn holds_other(path: &Path) -> bool {
    files::read(path).is_ok_and(|bytes| is_other(&bytes))
}

/// Returns whether a file or a directory is hidden.
pub(super) fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Returns whether a file is a cassette but for its name, which begins with a dot.
pub(super) fn is_hidden_one(path: &Path) -> bool {
    let is_called_so = path.to_str().is_some_and(|path| path.ends_with(".json"));
    is_called_so && is_hidden(path) && holds_one(path)
}

/// Returns whether a file can be read and begins as a cassette does.
fn holds_one(path: &Path) -> bool {
    files::read(path).is_ok_and(|bytes| is_begun(&bytes))
}

/// Returns whether a file that is called as a cassette and more, `trains.json.orig`, was left of one: one lies beside it, or in it.
pub(super) fn is_copy(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some((stem, ending)) = name.split_once(".json") else { return false };
    // `trains.jsonl` is called otherwise.
    if ending.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return false;
    }
    let is_beside = files::read(&path.with_file_name(format!("{stem}.json"))).is_ok_and(|bytes| !is_other(&bytes));
    is_beside || holds_one(path)
}

/// Returns whether these bytes begin as a cassette does, however they go on.
#[must_use]
pub fn is_begun(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(2 * BEGINNING.len())]);
    let members = text.trim_start().strip_prefix('{').map(str::trim_start);
    let value = members.and_then(|members| members.strip_prefix("\"cassette\""));
    let value = value.and_then(|value| value.trim_start().strip_prefix(':')).map(str::trim_start);
    value.is_some_and(|value| value.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{is_begun, is_blob, is_copy, is_other};

    #[test]
    fn a_long_leaf_is_called_by_its_digest_and_nothing_else_is() {
        let digest = "d267c6660f7820605ef4e2c0defbe040d267c6660f7820605ef4e2c0defbe040";
        assert!(is_blob(Path::new(&format!("blobs/{digest}.png"))) && is_blob(Path::new(&format!("{digest}.7z"))));
        let others = [digest.to_owned(), digest.to_uppercase() + ".png", format!("{}.png", &digest[1..])];
        let more =
            ["logo.png".to_owned(), format!("{digest}.png.orig"), format!("{digest}."), format!("0{digest}.png")];
        for other in others.iter().chain(&more) {
            assert!(!is_blob(Path::new(other)), "{other}");
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "it is torn")]
    fn what_is_called_otherwise_is_no_copy() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("trains.json"), "{\n  \"cassette\": 1,").unwrap();
        let is_copy = |name: &str| is_copy(&dir.path().join(name));
        assert!(is_copy("trains.json.orig") && is_copy("trains.json~") && is_copy("trains.json-1"));
        assert!(!is_copy("trains.jsonl") && !is_copy("trains.json5"));
    }

    #[test]
    fn another_document_is_none_that_was_a_cassette() {
        let others = [
            "{\"cassette\": \"C90\"}",
            "[1, 2]",
            "{}",
            "null",
            "{\"a\": 1,}",
            "// a\n{\"a\": 1}",
            "{\"interactions\": [], \"version\": 1}",
        ];
        for other in others {
            assert!(is_other(other.as_bytes()), "{other}");
        }
        let torn = [
            "",
            "{",
            "{\n  \"cass",
            "\0\0",
            "{\"cassette\": 1",
            "{\"cassette\": 9}",
            "{\"by\": 1, \"interactions\": 2}",
        ];
        let conflict = "<<<<<<< a\n{\n  \"cassette\": 1,\n=======\n>>>>>>> b\n";
        for torn in torn.into_iter().chain([conflict]) {
            assert!(!is_other(torn.as_bytes()), "{torn}");
        }
        assert!(is_other(b"\xff\xfe{\0}\0"), "in another encoding");
        assert!(is_begun(b"{\n  \"cassette\": 1, <<<<") && is_begun(b"{\"cassette\":1") && !is_begun(b"{\"a\":1}"));
    }
}

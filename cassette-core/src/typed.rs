//! Words as people type them.

use std::ffi::OsStr;

/// Returns the name of a cassette, or a file's path, as it has to be typed at a shell. One that begins as an option does is given
/// as a path, which no program takes for one.
#[must_use]
pub fn typed(word: &str) -> String {
    if word.starts_with('-') { quoted(&format!("./{word}")) } else { quoted(word) }
}

/// Returns any word as it has to be typed at a shell: on one line, and nothing in it is hidden.
#[must_use]
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/:@^~=+,%".contains(c);
    // What begins with a tilde is somebody's home directory, and with an equals sign a program of zsh's.
    if !word.is_empty() && !word.starts_with(['~', '=']) && word.chars().all(is_plain) {
        word.to_owned()
    } else if word.contains(is_hidden) {
        quoted_bytes(word.as_bytes())
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Returns a word of the system's as it has to be typed at a shell, one that is no UTF-8 too.
#[must_use]
pub fn quoted_os(word: &OsStr) -> String {
    word.to_str().map_or_else(|| quoted_bytes(word.as_encoded_bytes()), quoted)
}

/// Returns any bytes as they have to be typed at a shell that knows `$'..'`, as bash and zsh do.
#[must_use]
pub fn quoted_bytes(word: &[u8]) -> String {
    let mut typed = "$'".to_owned();
    for chunk in word.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\'' | '\\' => typed.extend(['\\', c]),
                '\n' => typed.push_str("\\n"),
                '\r' => typed.push_str("\\r"),
                '\t' => typed.push_str("\\t"),
                c if c.is_ascii_control() => typed.push_str(&format!("\\x{:02x}", u32::from(c))),
                // By its bytes: by its number, a shell knows it where the locale does.
                c if is_hidden(c) => {
                    c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| typed.push_str(&format!("\\x{byte:02x}")));
                }
                c => typed.push(c),
            }
        }
        chunk.invalid().iter().for_each(|byte| typed.push_str(&format!("\\x{byte:02x}")));
    }
    typed + "'"
}

/// Returns a name or a path as it is printed: as it is, or, where something in it would not be seen, as it has to be typed.
#[must_use]
pub fn printed(name: &str) -> String {
    if name.contains(is_hidden) { quoted(name) } else { name.to_owned() }
}

/// Returns whether a character is not seen: a control character, a mark that reverses the direction of text or joins and parts
/// without a sign, a tag. Line ends and tabs are among them; the joiners that scripts and pictures are written with are not.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Returns the text with everything escaped that is hidden, line ends aside, as people read it: `\u{1b}`.
#[must_use]
pub fn visible(text: &str) -> String {
    if !text.contains(|c| c != '\n' && is_hidden(c)) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push(c),
            '\t' => out.push_str("    "),
            '\r' => out.push_str("\\r"),
            c if is_hidden(c) => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{printed, quoted, quoted_bytes, typed};

    #[test]
    fn a_word_is_quoted_where_a_shell_would_take_it_apart() {
        let check = |word: &str, expected: &str| assert_eq!(typed(word), expected);
        check("fares/day", "fares/day");
        check("a b", "'a b'");
        check("it's", r"'it'\''s'");
        check("", "''");
        check("~root", "'~root'");
        check("a~b", "a~b");
        check("=a", "'=a'");
        check("a=http://b:1/c?d", "'a=http://b:1/c?d'");
        check("$(id)`id`\"*", "'$(id)`id`\"*'");
        check(r"back\slash", r"'back\slash'");
    }

    #[test]
    fn what_nobody_would_see_is_typed_and_printed_on_one_line() {
        let check = |word: &str, expected: &str| assert_eq!([quoted(word), printed(word)], [expected, expected]);
        check("new\nline", r"$'new\nline'");
        check("a\u{1b}[31mb", r"$'a\x1b[31mb'");
        check("it's\\\t\u{202e}\u{7f}\u{85}", r"$'it\'s\\\t\xe2\x80\xae\x7f\xc2\x85'");
        assert_eq!(quoted_bytes(b"bad\xff\xc3.json"), r"$'bad\xff\xc3.json'");
        assert_eq!(
            ["a b", r"back\slash", ""].map(printed),
            ["a b", r"back\slash", ""],
            "what is seen is printed as it is"
        );
        assert_eq!(typed("-a\nb"), r"$'./-a\nb'");
    }

    #[test]
    fn what_begins_as_an_option_is_typed_as_a_path() {
        assert_eq!([typed("--help"), typed("-a b"), typed("a-b")], ["./--help", "'./-a b'", "a-b"]);
        assert_eq!(quoted("--help"), "--help", "what is no name and no path is an option where it stands as one");
    }
}

//! What no eye sees in a text: a terminal would obey it, or a reader read another text than is there.

use cassette_core::typed::is_hidden;
pub(crate) use cassette_core::typed::visible;

/// Returns the text of a JSON document with everything escaped that is hidden, the line ends of its layout aside: it says the same to
/// a program, and nothing to a terminal.
pub(crate) fn inert(json: &str) -> String {
    if !json.contains(|c| c != '\n' && is_hidden(c)) {
        return json.to_owned();
    }
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        // Only in strings are there any: JSON has no other characters.
        match c {
            c if c != '\n' && is_hidden(c) => {
                c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use cassette_core::json::{Json, Layout};

    use super::{inert, is_hidden, visible};

    /// Everything that is hidden, and what is not.
    const ALL: &str =
        "a\u{7f}\u{9b}31m\u{85}\u{61c}\u{200e}\u{202e}\u{2066}\u{2028}\u{feff}\u{e0041}\u{200d}\u{e9}\u{1f686}";

    #[test]
    fn no_control_character_reaches_a_terminal() {
        assert_eq!(visible("a\u{1b}[2Jb\tc\r\n\u{202e}"), "a\\u{1b}[2Jb    c\\r\n\\u{202e}");
        assert!(!visible(ALL).contains(is_hidden));
    }

    #[test]
    fn a_document_says_the_same_and_drives_no_terminal() {
        let document = Json::object([(ALL, ALL.into()), ("b", "\n\t\u{1b}".into())]);
        let text = inert(&document.print(Layout::Indent(2)));
        assert!(!text.contains(|c| c != '\n' && is_hidden(c)), "{text:?}");
        assert!(text.contains(r"\u007f\u009b31m\u0085\u061c\u200e\u202e\u2066\u2028\ufeff\udb40\udc41"), "{text}");
        assert!(text.contains("\u{200d}\u{e9}\u{1f686}"), "{text}");
        assert_eq!(Json::parse(&text).unwrap().canonical(), document.canonical());
    }
}

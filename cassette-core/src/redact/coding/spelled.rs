//! Texts that JSON spells out, as serde writes bytes and characters: `[104, 105]`, `["h", "i"]`.

use crate::json::{Json, Layout};

/// The fewest elements that are taken for a text: no secret is shorter.
pub(crate) const LEAST: usize = 8;

/// How an array spells a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// By the numbers of its bytes.
    Bytes,
    /// By its characters.
    Characters,
}

/// Returns whether a text may hold an array that spells one: false is certain, true is not.
pub(crate) fn may_spell(text: &str) -> bool {
    // The first and the last element stand beside brackets and more.
    let least = LEAST - 2;
    let mut commas = text.match_indices(',').map(|(at, _)| at);
    let mut after = 0;
    // Of so many elements in a row one is the so-manieth: the others need not be looked at.
    loop {
        let Some(start) = commas.by_ref().nth(least - 1).map(|at| at + 1) else { return false };
        let end = text[start..].find(',').map_or(text.len(), |length| start + length);
        if is_element(text[start..end].trim_ascii()) {
            let before = text[after..start - 1].rsplit(',').take_while(|token| is_element(token.trim_ascii())).count();
            let behind =
                text[start..].split(',').take(least).take_while(|token| is_element(token.trim_ascii())).count();
            if before + behind >= least {
                return true;
            }
        }
        after = start;
    }
}

fn is_element(token: &str) -> bool {
    let number = (1..=3).contains(&token.len()) && token.bytes().all(|b| b.is_ascii_digit());
    let character = || token.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    number || character().is_some_and(|said| said.chars().count() == 1 || said.starts_with('\\') && said.len() <= 12)
}

/// Returns the bytes that an array spells.
pub(crate) fn spelled(elements: &[Json]) -> Option<Vec<u8>> {
    if elements.len() < LEAST {
        return None;
    }
    let bytes = |element: &Json| u8::try_from(element.as_u64()?).ok();
    let bytes: Option<Vec<u8>> = elements.iter().map(bytes).collect();
    bytes.or_else(|| {
        let character = |element: &Json| match element {
            Json::String(text) => single(&text.value()),
            _ => None,
        };
        let text: Option<String> = elements.iter().map(character).collect();
        text.map(String::into_bytes)
    })
}

/// Returns the one character of a text.
pub(crate) fn single(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// Returns the elements of an array that spells this text.
pub(crate) fn spell(text: &str, spelling: Spelling) -> String {
    let elements: Vec<String> = match spelling {
        Spelling::Bytes => text.bytes().map(|byte| byte.to_string()).collect(),
        Spelling::Characters => {
            let quoted = |c: char| Json::from(c.encode_utf8(&mut [0; 4]) as &str).print(Layout::Compact);
            text.chars().map(quoted).collect()
        }
    };
    elements.join(",")
}

#[cfg(test)]
mod tests {
    use super::{may_spell, spelled};
    use crate::json::Json;

    #[test]
    fn what_spells_a_text_is_known() {
        for (text, expected) in [
            ("[104, 105, 32, 104, 105, 32, 104, 105]", Some("hi hi hi")),
            ("[ \"h\",\"\\u0069\" , \" \", \"h\", \"\u{e9}\", \" \", \"h\", \"i\"]", Some("hi h\u{e9} hi")),
            ("[104,105,32,104,105,32,104]", None),
            ("[104,105,32,104,105,32,104,256]", None),
            ("[0.5,105,32,104,105,32,104,105]", None),
            ("[\"hi\",\"hi\",\"hi\",\"hi\",\"hi\",\"hi\",\"hi\",\"hi\"]", None),
        ] {
            let document = Json::parse(text).unwrap();
            let found = spelled(document.elements());
            assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{text}");
            assert!(expected.is_none() || may_spell(text), "{text}");
        }
        assert!(
            !may_spell("1234,1234,1234,1234,1234,1234,1234,1234,1234") && !may_spell("a, b, c, d, e, f, g, h, i, j")
        );
    }
}

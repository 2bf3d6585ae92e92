//! Names of cassettes: what may stand below `cassettes/`, on every file system.

use std::fmt;

use sha2::{Digest, Sha256};

/// The longest name, in bytes; what is longer ends in a hash.
const LONGEST: usize = 100;

/// A cassette's name: segments of `[A-Za-z0-9._-]`, divided by `/`.
///
/// It stays inside its directory and means the same file on Windows.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(String);

/// What is wrong with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameError {
    /// Nothing stands in it, or nothing between two `/`.
    Empty,
    /// A character other than `[A-Za-z0-9._-]` and `/`.
    Character,
    /// A segment begins or ends in a dot: `.` and `..` lead elsewhere, and what is hidden is looked at by nobody.
    Dots,
    /// A segment is a device on Windows: `con`, `nul`, `com1` and their like, also before a dot.
    Reserved,
    /// The name is that of a file of the framework's own: `allow`, or something below `.pending` or `blobs`.
    Ours,
    /// A `{` without its `}`, or no argument's name between them.
    Placeholder,
}

impl Name {
    /// Returns the name that this text is.
    ///
    /// # Errors
    ///
    /// Fails where the text would leave the directory or is no file's name on some system.
    pub fn parse(text: &str) -> Result<Name, NameError> {
        match mistake(text.as_bytes(), Braces::Refused) {
            Some(error) => Err(error),
            None => Ok(Name(shortened(text))),
        }
    }

    /// Returns the name of a pattern, `trains/{model}`, with the arguments in their places.
    ///
    /// Characters of an argument that cannot stand in a name, `/` among them, become `-`; a hash of the argument stands behind it then,
    /// and where it could be told apart from its neighbour in two ways, since no two arguments may share a cassette.
    ///
    /// # Errors
    ///
    /// Fails where the pattern is no name, or names an argument that is not there.
    pub fn of_pattern(pattern: &str, arguments: &[(&str, &dyn fmt::Display)]) -> Result<Name, NameError> {
        let mut name = String::new();
        let mut rest = pattern;
        while let Some((before, placeholder)) = rest.split_once('{') {
            let (argument, after) = placeholder.split_once('}').ok_or(NameError::Placeholder)?;
            let (_, value) = arguments.iter().find(|(known, _)| *known == argument).ok_or(NameError::Placeholder)?;
            let value = value.to_string();
            name.push_str(before);
            let legal = legal(&value);
            let is_vague = legal == value && is_vague(&value, after);
            name.push_str(&if is_vague { hashed(&legal, &value) } else { legal });
            rest = after;
        }
        name.push_str(rest);
        Name::parse(&name.split('/').map(mended).collect::<Vec<_>>().join("/"))
    }

    /// Returns the name of what a program calls `a::b::c`: `a/b/c`.
    pub fn of_path(path: &str) -> Name {
        let segments = path.split("::").map(|segment| mended(&legal(segment.trim_start_matches("r#"))));
        Name(shortened(&segments.collect::<Vec<_>>().join("/")))
    }

    /// Returns the name of one case of a parametrised test: `trains.case_1`.
    pub fn of_case(&self, case: &str) -> Name {
        Name(shortened(&format!("{}.{}", self.0, mended(&legal(case)))))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns whether this name holds places for arguments.
pub fn is_pattern(name: &str) -> bool {
    name.contains('{')
}

/// Checks a name, or a pattern of one, while the program that uses it is compiled.
///
/// # Panics
///
/// Panics where the name is refused, which stops the compiler at the name.
#[track_caller]
pub const fn check(name: &str) {
    match mistake(name.as_bytes(), Braces::Allowed) {
        None => {}
        Some(error) => panic!("{}", error.as_str()),
    }
}

/// Whether `{argument}` may stand in a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Braces {
    Allowed,
    Refused,
}

const fn mistake(name: &[u8], braces: Braces) -> Option<NameError> {
    if is_ours(name) {
        return Some(NameError::Ours);
    }
    let mut start = 0;
    let mut at = 0;
    while at <= name.len() {
        if at < name.len() && name[at] == b'{' && matches!(braces, Braces::Allowed) {
            let end = past_placeholder(name, at);
            if end == at {
                return Some(NameError::Placeholder);
            }
            at = end;
        } else if at == name.len() || name[at] == b'/' {
            if let Some(error) = segment_mistake(name, start, at) {
                return Some(error);
            }
            at += 1;
            start = at;
        } else if name[at] == b'{' || name[at] == b'}' {
            return Some(NameError::Placeholder);
        } else if is_legal(name[at]) {
            at += 1;
        } else {
            return Some(NameError::Character);
        }
    }
    None
}

/// Returns where the placeholder that opens at `at` is over; `at` itself where it is none.
const fn past_placeholder(name: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < name.len() && name[end] != b'}' {
        let digit = name[end].is_ascii_digit();
        if !(name[end].is_ascii_alphabetic() || name[end] == b'_' || digit && end > at + 1) {
            return at;
        }
        end += 1;
    }
    if end == name.len() || end == at + 1 { at } else { end + 1 }
}

/// Returns whether the first segment is one that the framework keeps for itself.
const fn is_ours(name: &[u8]) -> bool {
    is_segment(name, b".pending") || is_segment(name, b"blobs") || is_segment(name, b"allow") && name.len() == 5
}

/// Returns whether the first segment is this one, in either case.
const fn is_segment(name: &[u8], segment: &[u8]) -> bool {
    let ends = name.len() == segment.len() || name.len() > segment.len() && name[segment.len()] == b'/';
    let mut at = 0;
    while ends && at < segment.len() && name[at].to_ascii_lowercase() == segment[at] {
        at += 1;
    }
    ends && at == segment.len()
}

const fn segment_mistake(name: &[u8], start: usize, end: usize) -> Option<NameError> {
    if start == end {
        return Some(NameError::Empty);
    }
    if name[start] == b'.' || name[end - 1] == b'.' {
        return Some(NameError::Dots);
    }
    if is_reserved(name, start, end) { Some(NameError::Reserved) } else { None }
}

/// Returns whether Windows takes this segment for a device, whatever follows its first dot.
const fn is_reserved(name: &[u8], start: usize, end: usize) -> bool {
    let mut stem = start;
    while stem < end && name[stem] != b'.' {
        stem += 1;
    }
    let numbered = stem - start == 4 && matches!(name[start + 3], b'1'..=b'9');
    if numbered {
        return is_word(name, start, b"com") || is_word(name, start, b"lpt");
    }
    stem - start == 3
        && (is_word(name, start, b"con")
            || is_word(name, start, b"prn")
            || is_word(name, start, b"aux")
            || is_word(name, start, b"nul"))
}

/// Returns whether these three letters stand here, in either case.
const fn is_word(name: &[u8], start: usize, word: &[u8; 3]) -> bool {
    name[start].to_ascii_lowercase() == word[0]
        && name[start + 1].to_ascii_lowercase() == word[1]
        && name[start + 2].to_ascii_lowercase() == word[2]
}

const fn is_legal(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-')
}

/// Returns a text of which no other has the same letters, as they may stand in a name.
fn legal(text: &str) -> String {
    let kept: String = text.chars().map(|c| if u8::try_from(c).is_ok_and(is_legal) { c } else { '-' }).collect();
    if kept == text { kept } else { hashed(&kept, text) }
}

/// Returns whether an argument may end elsewhere too, in a segment in which another one follows.
fn is_vague(value: &str, after: &str) -> bool {
    let segment = after.split('/').next().unwrap_or_default();
    segment.split_once('{').is_some_and(|(between, _)| value.contains(between))
}

/// Returns this segment, changed where only its place in a file system is against it.
fn mended(segment: &str) -> String {
    match segment_mistake(segment.as_bytes(), 0, segment.len()) {
        None => segment.to_owned(),
        Some(_) => hashed(segment.trim_matches('.'), segment),
    }
}

/// Returns what is left of a text, with a hash of it all.
fn hashed(left: &str, of: &str) -> String {
    format!("{left}-{}", hash(of))
}

fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

fn shortened(name: &str) -> String {
    if name.len() <= LONGEST {
        return name.to_owned();
    }
    let hash = hash(name);
    let mut kept = LONGEST - hash.len() - 1;
    while !name.as_bytes()[kept - 1].is_ascii_alphanumeric() {
        kept -= 1;
    }
    format!("{}-{hash}", &name[..kept])
}

impl NameError {
    /// Returns what is wrong, and what is allowed.
    pub const fn as_str(self) -> &'static str {
        match self {
            NameError::Empty => "a cassette's name, and each segment of it between `/`, needs a character",
            NameError::Character => {
                "a cassette's name is made of `A-Z`, `a-z`, `0-9`, `.`, `_`, `-`, and `/` between segments"
            }
            NameError::Dots => {
                "a cassette's name stays below its directory and in sight: no segment begins or ends in a dot"
            }
            NameError::Reserved => "Windows keeps this name for a device",
            NameError::Ours => "`allow`, `.pending/..` and `blobs/..` are files of the framework's own",
            NameError::Placeholder => "`{` and `}` stand round the name of an argument of the test",
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::error::Error for NameError {}

#[cfg(test)]
mod tests {
    use super::{Name, NameError, check};

    #[test]
    fn a_name_is_a_file_below_the_directory() {
        for right in ["trains", "a/b.c/D-e_1", "allow/a", "blobs.a", "console", "com0", "nulls/con-1", "com10"] {
            assert_eq!(Name::parse(right).unwrap().as_str(), right);
            check(right);
        }
        let wrong = [
            (NameError::Empty, ["", "/a", "a/", "a//b"].as_slice()),
            (NameError::Dots, &["..", "../a", "a/./b", "a.", "a/b..", "...", "..a", ".hidden", "a/.b", ".git/a"]),
            (
                NameError::Character,
                &["a\\b", "C:a", "a b", "a\nb", "zürich", "a*", "a?", "a\"", "a<", "a>", "a|", "a "],
            ),
            (NameError::Reserved, &["con", "NUL", "a/Com1", "lpt9.json", "aux.x.y", "prn/a"]),
            (NameError::Ours, &["allow", ".pending/a", "Blobs/a", "blobs"]),
            (NameError::Placeholder, &["{a}", "a{", "a}"]),
        ];
        for (error, names) in wrong {
            for name in names {
                assert_eq!(Name::parse(name), Err(error), "{name:?}");
            }
        }
    }

    #[test]
    fn a_pattern_takes_arguments_and_no_separator_from_them() {
        let name = |pattern, value: &str| Name::of_pattern(pattern, &[("m", &value)]).map(|name| name.to_string());
        assert_eq!(name("trains/{m}", "gpt-4.1"), Ok("trains/gpt-4.1".to_owned()));
        assert_eq!(name("{m}/{m}x", "a/b c"), Ok("a-b-c-0af99a60/a-b-c-0af99a60x".to_owned()));
        assert_eq!(name("{m}", ".."), Ok("-5ec1f7e7".to_owned()));
        assert_eq!(name("{m}", ".a"), Ok("a-36797c3a".to_owned()));
        assert_eq!(name("{m}", "con"), Ok("con-1143da2b".to_owned()));
        assert_eq!(name("a/{m}", ""), Ok("a/-e3b0c442".to_owned()));
        assert_eq!(name("{n}", "a"), Err(NameError::Placeholder));
        for wrong in ["{}", "{1a}", "{a b}", "{a", "a}", "{a/b}"] {
            assert!(std::panic::catch_unwind(|| check(wrong)).is_err(), "{wrong}");
        }
        check("trains/{model_1}");
    }

    #[test]
    fn no_two_arguments_have_one_name() {
        let of = |pattern: &str, a: &str, b: &str| Name::of_pattern(pattern, &[("a", &a), ("b", &b)]).unwrap();
        let alike =
            ["gpt/4o", "gpt:4o", "gpt-4o", "gpt 4o", "北京", "上海", "--", "", ".", "..", "con", "con-", "CON-"];
        for (i, one) in alike.iter().enumerate() {
            for other in &alike[i + 1..] {
                assert_ne!(of("{a}", one, ""), of("{a}", other, ""), "{one:?} {other:?}");
            }
        }
        assert_eq!(of("{a}-{b}", "x", "y").as_str(), "x-y");
        for pattern in ["{a}-{b}", "{a}{b}", "{a}/{b}", "{a}-x-{b}"] {
            assert_ne!(of(pattern, "x", "y-z"), of(pattern, "x-y", "z"), "{pattern}");
            assert_ne!(of(pattern, "xx", "x-x"), of(pattern, "x", "x-xx"), "{pattern}");
            assert_ne!(of(pattern, "x-x-x", "x"), of(pattern, "x", "x-x-x"), "{pattern}");
        }
    }

    #[test]
    fn a_long_name_ends_in_a_hash_of_it_all() {
        let long = |last: char| Name::parse(&format!("{}{last}", "a/".repeat(99))).unwrap();
        assert!(long('b').as_str().len() <= 100);
        assert_ne!(long('b'), long('c'));
        assert_eq!(long('b'), long('b'));
        assert_eq!(Name::parse(long('b').as_str()), Ok(long('b')));
    }

    #[test]
    fn a_path_and_a_case_become_names() {
        assert_eq!(Name::of_path("suite::r#type::zürich").as_str(), "suite/type/z-rich-201f10d5");
        assert_eq!(Name::parse("trains").unwrap().of_case("case_1").as_str(), "trains.case_1");
    }
}

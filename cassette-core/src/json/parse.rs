//! From text to tree, strictly by RFC 8259.

use std::collections::HashSet;
use std::fmt;

use super::{Json, Member, Number, Text};

/// How deeply arrays and objects may be nested.
pub const MAX_DEPTH: usize = 200;

/// How much deeper a document may be nested in which others stand.
const AROUND: usize = 16;

/// Up to how many names are compared each with each, which for so few is faster than hashing them.
const FEW: usize = 12;

/// What is wrong with a text that is no JSON, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JsonError {
    /// What is wrong.
    pub what: &'static str,
    /// The line, from 1.
    pub line: usize,
    /// The column, in bytes from 1.
    pub column: usize,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at line {}, column {}", self.what, self.line, self.column)
    }
}

impl std::error::Error for JsonError {}

impl Json {
    /// Reads one JSON document.
    ///
    /// # Errors
    ///
    /// Fails where the text breaks RFC 8259, nests deeper than [`MAX_DEPTH`], or names a member twice: such a document
    /// means different things to different readers, so it has no tree.
    pub fn parse(text: &str) -> Result<Json, JsonError> {
        read(text, MAX_DEPTH, Twice::IsRefused)
    }

    /// Reads a document in which others stand, each nested as deeply as [`Json::parse`] reads it: a cassette, a line of a journal.
    ///
    /// # Errors
    ///
    /// Fails as [`Json::parse`] does, but for documents that are nested a little deeper.
    pub fn parse_around(text: &str) -> Result<Json, JsonError> {
        read(text, MAX_DEPTH + AROUND, Twice::IsRefused)
    }

    /// Reads a document for people alone: of members of one name the last stands, as most programs read it.
    ///
    /// # Errors
    ///
    /// Fails where the text breaks RFC 8259, or nests deeper than [`MAX_DEPTH`].
    pub(crate) fn parse_loosely(text: &str) -> Result<Json, JsonError> {
        read(text, MAX_DEPTH, Twice::LastStands)
    }
}

fn read(text: &str, deepest: usize, twice: Twice) -> Result<Json, JsonError> {
    let mut parser = Parser { text, at: 0, deepest, twice };
    let parsed = parser.document();
    parsed.map_err(|what| parser.error(what))
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    deepest: usize,
    twice: Twice,
}

/// What becomes of a member that is named twice.
#[derive(Clone, Copy)]
enum Twice {
    IsRefused,
    LastStands,
}

type Parsed<T> = Result<T, &'static str>;

impl<'a> Parser<'a> {
    fn document(&mut self) -> Parsed<Json> {
        let value = self.value(0)?;
        self.skip_space();
        if self.at < self.text.len() { Err("something follows the document") } else { Ok(value) }
    }

    fn value(&mut self, depth: usize) -> Parsed<Json> {
        self.skip_space();
        match self.peek() {
            None => Err("the text ends where a value should stand"),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Json::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            Some(_) if self.at == 0 && self.text.starts_with('\u{feff}') => {
                Err("a byte-order mark stands before the document")
            }
            Some(_) => Err("no value starts so"),
        }
    }

    fn object(&mut self, depth: usize) -> Parsed<Json> {
        let mut members: Vec<Member> = Vec::new();
        self.open(depth)?;
        if self.closes(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return Err("a member's name should stand here");
            }
            let name = self.string()?;
            self.skip_space();
            self.expect(b':', "a colon should stand here")?;
            members.push((name, self.value(depth + 1)?));
            if self.closes(b'}') {
                break;
            }
            self.expect(b',', "a comma or the end of the object should stand here")?;
        }
        match self.twice {
            _ if differ(&members) => Ok(Json::Object(members)),
            Twice::IsRefused => Err("a member of this object is named twice"),
            Twice::LastStands => Ok(Json::Object(last_of_each(members))),
        }
    }

    fn array(&mut self, depth: usize) -> Parsed<Json> {
        let mut elements = Vec::new();
        self.open(depth)?;
        if self.closes(b']') {
            return Ok(Json::Array(elements));
        }
        loop {
            elements.push(self.value(depth + 1)?);
            if self.closes(b']') {
                return Ok(Json::Array(elements));
            }
            self.expect(b',', "a comma or the end of the array should stand here")?;
        }
    }

    fn string(&mut self) -> Parsed<Text> {
        let start = self.at + 1;
        let bytes = self.text.as_bytes();
        let mut at = start;
        loop {
            // An index, where `get` would be one call more for each byte while nothing is optimised.
            if at >= bytes.len() {
                return self.fail(at, "the text ends within a string");
            }
            match bytes[at] {
                b'"' => break,
                b'\\' => at += escape_length(&bytes[at..]).or_else(|what| self.fail(at, what))?,
                0..=0x1f => return self.fail(at, "a control character stands bare in a string"),
                _ => at += 1,
            }
        }
        self.at = at + 1;
        Ok(Text::from_source(&self.text[start..at]))
    }

    fn number(&mut self) -> Parsed<Json> {
        let start = self.at;
        self.eat(b"-");
        if !self.eat(b"0") && self.digits() == 0 {
            return Err("a digit should stand here");
        }
        if self.eat(b".") && self.digits() == 0 {
            return Err("a digit should follow the decimal point");
        }
        if self.eat(b"eE") {
            self.eat(b"+-");
            if self.digits() == 0 {
                return Err("a digit should stand in the exponent");
            }
        }
        Ok(Json::Number(Number::from_source(&self.text[start..self.at])))
    }

    fn word(&mut self, word: &str, value: Json) -> Parsed<Json> {
        if !self.text[self.at..].starts_with(word) {
            return Err("no value starts so");
        }
        self.at += word.len();
        Ok(value)
    }

    fn open(&mut self, depth: usize) -> Parsed<()> {
        if depth >= self.deepest {
            return Err("the document is nested too deeply");
        }
        self.at += 1;
        Ok(())
    }

    fn closes(&mut self, bracket: u8) -> bool {
        self.skip_space();
        self.eat(&[bracket])
    }

    fn expect(&mut self, byte: u8, what: &'static str) -> Parsed<()> {
        if self.eat(&[byte]) { Ok(()) } else { Err(what) }
    }

    fn eat(&mut self, any_of: &[u8]) -> bool {
        let found = self.peek().is_some_and(|byte| any_of.contains(&byte));
        self.at += usize::from(found);
        found
    }

    fn digits(&mut self) -> usize {
        let rest = &self.text.as_bytes()[self.at..];
        let count = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        self.at += count;
        count
    }

    fn skip_space(&mut self) {
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() && matches!(bytes[self.at], b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fail<T>(&mut self, at: usize, what: &'static str) -> Parsed<T> {
        self.at = at;
        Err(what)
    }

    fn error(&self, what: &'static str) -> JsonError {
        let before = &self.text.as_bytes()[..self.at.min(self.text.len())];
        let line = 1 + before.iter().filter(|b| **b == b'\n').count();
        let column = 1 + before.iter().rev().take_while(|b| **b != b'\n').count();
        JsonError { what, line, column }
    }
}

/// Returns whether no two members have the same name.
fn differ(members: &[Member]) -> bool {
    let mut pairs = members.iter().enumerate();
    if members.len() <= FEW && members.iter().all(|(name, _)| !name.source().contains('\\')) {
        return pairs.all(|(i, (name, _))| members[..i].iter().all(|(before, _)| before != name));
    }
    let mut names = HashSet::with_capacity(members.len());
    members.iter().all(|(name, _)| names.insert(name.canonical()))
}

/// Returns the members without those that are named again further on.
fn last_of_each(mut members: Vec<Member>) -> Vec<Member> {
    let mut seen = HashSet::new();
    members.reverse();
    members.retain(|(name, _)| seen.insert(name.canonical().into_owned()));
    members.reverse();
    members
}

/// Returns how many bytes the escape at the start of `bytes` takes.
fn escape_length(bytes: &[u8]) -> Parsed<usize> {
    match bytes.get(1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(2),
        Some(b'u') if bytes.len() >= 6 && bytes[2..6].iter().all(u8::is_ascii_hexdigit) => Ok(6),
        Some(b'u') => Err("four hexadecimal digits should follow \\u"),
        _ => Err("no escape is written so"),
    }
}

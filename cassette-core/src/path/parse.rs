//! From text to path.

use std::fmt;
use std::str::FromStr;

use super::{Line, PartPath, PartPlace, Path, Step, is_plain_char};
use crate::json::Json;

/// What is wrong with a text that is no path, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PathError {
    /// The text.
    pub path: String,
    /// The character at which it is wrong, from 1.
    pub at: usize,
    /// What is wrong.
    pub what: &'static str,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no path: at character {}, {}", self.path, self.at, self.what)
    }
}

impl std::error::Error for PathError {}

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Path, PathError> {
        let mut parser = Parser { text, at: 0 };
        let parsed = if text.starts_with('@') { parser.place() } else { parser.body() };
        parsed.map_err(|what| {
            let at = text[..parser.at].chars().count() + 1;
            PathError { path: text.to_owned(), at, what }
        })
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

type Parsed<T> = Result<T, &'static str>;

impl<'a> Parser<'a> {
    fn place(&mut self) -> Parsed<Path> {
        self.at = 1;
        if let Some((line, name)) = Line::NAMES.iter().find(|(_, name)| self.rest() == *name) {
            self.at += name.len();
            return Ok(Path::Line(*line));
        }
        if self.eat("header.") {
            return Ok(Path::Header(self.remainder()?.to_ascii_lowercase()));
        }
        if self.eat("query.") {
            return Ok(Path::Query(self.remainder()?.to_owned()));
        }
        if self.eat("body") {
            return match self.rest() {
                "" => Ok(Path::Body(Vec::new())),
                rest if rest.starts_with('~') => Ok(Path::Body(self.steps(Vec::new())?)),
                _ => Err("nothing but `~` can follow @body; what is in the body goes without it"),
            };
        }
        if !self.eat("part[") {
            return Err("there are @method, @host, @path, @name, @header.x, @query.key, @body and @part[\"file\"]");
        }
        let name = self.quoted()?;
        self.expect("]", "`]` is missing")?;
        let nth = if self.rest().starts_with('[') { Some(self.nth()?) } else { None };
        Ok(Path::Part(PartPath { name, nth, place: self.place_in_part()? }))
    }

    fn nth(&mut self) -> Parsed<usize> {
        self.at += 1;
        match self.bracket()? {
            Step::Element(nth) => Ok(nth),
            _ => Err("a position should stand here"),
        }
    }

    fn place_in_part(&mut self) -> Parsed<PartPlace> {
        if self.rest().is_empty() {
            Ok(PartPlace::Whole)
        } else if self.rest() == "@filename" {
            self.at += self.rest().len();
            Ok(PartPlace::Filename)
        } else if self.eat("@header.") {
            Ok(PartPlace::Header(self.remainder()?.to_ascii_lowercase()))
        } else if self.rest().starts_with('~') {
            Ok(PartPlace::Inside(self.steps(Vec::new())?))
        } else {
            Err("a part is followed by `[n]`, `@filename`, `@header.x`, `~` or nothing")
        }
    }

    fn remainder(&mut self) -> Parsed<&'a str> {
        if self.rest().is_empty() { Err("a name should stand here") } else { Ok(self.rest()) }
    }

    fn body(&mut self) -> Parsed<Path> {
        let first = self.step(true)?;
        Ok(Path::Body(self.steps(vec![first])?))
    }

    /// Reads the steps that follow these.
    fn steps(&mut self, mut steps: Vec<Step>) -> Parsed<Vec<Step>> {
        while !self.rest().is_empty() {
            let step = self.step(false)?;
            steps.push(step);
        }
        match steps.last() {
            Some(Step::Anywhere) => Err("a step should follow `**`"),
            _ => Ok(steps),
        }
    }

    fn step(&mut self, first: bool) -> Parsed<Step> {
        if self.eat("[") {
            return self.bracket();
        }
        if !first && self.eat("~") {
            return Ok(Step::Inside);
        }
        if !first && !self.eat(".") {
            return Err("a step is `.name`, `[\"text\"]`, `[n]`, `[*]`, `.*`, `.**` or `~`");
        }
        if self.eat("**") {
            return Ok(Step::Anywhere);
        }
        if self.eat("*") {
            return Ok(Step::EachMember);
        }
        let length = self.rest().chars().take_while(|c| is_plain_char(*c)).count();
        if length == 0 {
            return Err("a name should stand here; one of other characters is quoted, as in `[\"na me\"]`");
        }
        let name = self.rest()[..length].to_owned();
        self.at += length;
        Ok(Step::Member(name))
    }

    fn bracket(&mut self) -> Parsed<Step> {
        let step = if self.rest().starts_with('"') {
            Step::Member(self.quoted()?)
        } else if self.eat("*") {
            Step::EachElement
        } else {
            let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
            let position = self.rest()[..digits].parse();
            let position = position.map_err(|_| "a position, `*` or a quoted name should stand here")?;
            self.at += digits;
            Step::Element(position)
        };
        self.expect("]", "`]` is missing")?;
        Ok(step)
    }

    /// Reads a JSON string.
    fn quoted(&mut self) -> Parsed<String> {
        let rest = self.rest();
        let mut escaped = false;
        let end = rest.char_indices().skip(1).find(|(_, c)| {
            let ends = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        });
        let (true, Some((end, _))) = (rest.starts_with('"'), end) else {
            return Err("a name in quotes should stand here");
        };
        let text = Json::parse(&rest[..=end]).map_err(|_| "this is no JSON string")?;
        self.at += end + 1;
        Ok(text.as_str().unwrap_or_default().into_owned())
    }

    fn expect(&mut self, text: &str, what: &'static str) -> Parsed<()> {
        if self.eat(text) { Ok(()) } else { Err(what) }
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        self.at += if found { text.len() } else { 0 };
        found
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }
}

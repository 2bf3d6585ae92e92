//! JSON and JSON5 into a tree that knows its lines.
//!
//! A cassette's own JSON is read by [`cassette_core::json`], which keeps every byte; here it is enough to know what a
//! recording says and where, and to read what talkback writes: single quotes, bare names, comments, trailing commas.

use super::imported::Fault;
use super::node::{Node, Value};

/// The deepest nesting that is followed.
const DEEPEST: usize = 128;

/// Returns the document.
pub(super) fn parse(text: &str) -> Result<Node, Fault> {
    let mut reader = Reader { text, at: 0, line: 1 };
    let node = reader.node(0)?;
    reader.space()?;
    if reader.at < text.len() {
        return Err(reader.fault("something stands behind the document"));
    }
    Ok(node)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl Reader<'_> {
    fn fault(&self, what: &str) -> Fault {
        Fault::at(self.line, format!("this is no JSON: {what}"))
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        self.line += usize::from(c == '\n');
        Some(c)
    }

    fn eat(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.bump();
        }
        there
    }

    /// Passes white space and comments.
    fn space(&mut self) -> Result<(), Fault> {
        loop {
            let rest = &self.text[self.at..];
            if rest.starts_with("//") {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.bump();
                }
            } else if rest.starts_with("/*") {
                let end = rest.find("*/").ok_or_else(|| self.fault("a comment does not end"))? + 2;
                let end = self.at + end;
                while self.at < end {
                    self.bump();
                }
            } else if self.peek().is_some_and(|c| c.is_whitespace() || c == '\u{feff}') {
                self.bump();
            } else {
                return Ok(());
            }
        }
    }

    fn node(&mut self, depth: usize) -> Result<Node, Fault> {
        if depth > DEEPEST {
            return Err(self.fault("it is nested too deeply"));
        }
        self.space()?;
        let line = self.line;
        let value = match self.peek() {
            Some('{') => self.map(depth)?,
            Some('[') => self.list(depth)?,
            Some('"' | '\'') => Value::Text(self.string()?),
            _ => match self.word() {
                "" => return Err(self.fault("a value is missing")),
                "null" | "undefined" => Value::Null,
                word => Value::Bare(word.to_owned()),
            },
        };
        Ok(Node { line, tag: None, value })
    }

    fn list(&mut self, depth: usize) -> Result<Value, Fault> {
        let mut items = Vec::new();
        self.bump();
        loop {
            self.space()?;
            if self.eat(']') {
                return Ok(Value::List(items));
            }
            items.push(self.node(depth + 1)?);
            self.space()?;
            if !self.eat(',') && self.peek() != Some(']') {
                return Err(self.fault("a list goes on without a comma"));
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Value, Fault> {
        let mut members = Vec::new();
        self.bump();
        loop {
            self.space()?;
            if self.eat('}') {
                return Ok(Value::Map(members));
            }
            let line = self.line;
            let name = match self.peek() {
                Some('"' | '\'') => self.string()?,
                _ => self.word().to_owned(),
            };
            self.space()?;
            if !self.eat(':') {
                return Err(self.fault("a member has no colon"));
            }
            members.push((Node { line, tag: None, value: Value::Text(name) }, self.node(depth + 1)?));
            self.space()?;
            if !self.eat(',') && self.peek() != Some('}') {
                return Err(self.fault("an object goes on without a comma"));
            }
        }
    }

    /// Takes a number, a literal or a bare name.
    fn word(&mut self) -> &str {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_alphanumeric() || matches!(c, '+' | '-' | '.' | '_' | '$')) {
            self.bump();
        }
        &self.text[start..self.at]
    }

    fn string(&mut self) -> Result<String, Fault> {
        let quote = self.bump();
        let mut out = String::new();
        loop {
            match self.bump() {
                None => return Err(self.fault("a text does not end")),
                c if c == quote => return Ok(out),
                Some('\\') => self.escape(&mut out)?,
                Some(c) => out.push(c),
            }
        }
    }

    fn escape(&mut self, out: &mut String) -> Result<(), Fault> {
        let c = match self.bump() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('v') => '\u{b}',
            Some('0') => '\0',
            Some('x') => self.unit(2).and_then(char::from_u32).ok_or_else(|| self.fault("a bad escape"))?,
            Some('u') => self.unicode()?,
            Some('\r') => {
                self.eat('\n');
                return Ok(());
            }
            Some('\n') => return Ok(()),
            Some(c) => c,
            None => return Err(self.fault("a text does not end")),
        };
        out.push(c);
        Ok(())
    }

    fn unit(&mut self, digits: usize) -> Option<u32> {
        let text = self.text.get(self.at..self.at + digits)?;
        self.at += digits;
        u32::from_str_radix(text, 16).ok()
    }

    fn unicode(&mut self) -> Result<char, Fault> {
        let first = self.unit(4).ok_or_else(|| self.fault("a bad escape"))?;
        let code = match first {
            0xd800..=0xdbff if self.text[self.at..].starts_with("\\u") => {
                self.at += 2;
                let low = self.unit(4).and_then(|second| second.checked_sub(0xdc00)).filter(|low| *low < 0x400);
                low.map_or(first, |low| 0x1_0000 + ((first - 0xd800) << 10) + low)
            }
            code => code,
        };
        char::from_u32(code).ok_or_else(|| self.fault("half a character, whose bytes nobody knows"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json5_is_read_and_lines_are_counted() {
        let node = parse(
            "// tape\n{\n  req: { url: '/a\\'b', },\n  /* c\n */ \"body\": \"\\u00e9\\ud83d\\ude00\", n: -1.5e3, z: null,\n}\n",
        );
        let node = node.unwrap();
        assert_eq!(node.get("req").unwrap().need_text("url").unwrap(), "/a'b");
        let body = node.get("body").unwrap();
        assert_eq!((body.text(), body.line), (Some("é😀"), 5));
        assert_eq!(node.get("n").unwrap().number(), Some(-1500.0));
        assert!(node.has("z") && node.get("z").is_none());
    }

    #[test]
    fn a_fault_names_its_line() {
        for (text, line) in
            [("{\n\"a\": 1\n\"b\": 2}", 3), ("{\"a\":\n\"b", 2), ("[1] 2", 1), ("\n\"\\ud83d\"", 2), ("", 1)]
        {
            assert_eq!(parse(text).unwrap_err().line, Some(line), "{text}");
        }
        assert!(parse(&"[".repeat(10_000)).is_err());
    }
}

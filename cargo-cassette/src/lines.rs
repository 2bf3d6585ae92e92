//! On which line of a document something stands, by the path that leads to it.

/// Returns the line, from 1, on which the value of this path stands, `interactions[0].request.body.json`; where no path of the document
/// leads that far, as into a text that is JSON itself, the line of the last value on the way. `None` where not even one leads there.
#[must_use]
pub fn line_of(text: &str, path: &str) -> Option<usize> {
    let mut reader = Reader { text, at: 0, found: None };
    reader.value(&format!(".{path}"));
    let at = reader.found?;
    Some(1 + text[..at].bytes().filter(|byte| *byte == b'\n').count())
}

/// A document, and how far it was read.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Where the farthest value begins to which the path has led.
    found: Option<usize>,
}

impl<'a> Reader<'a> {
    /// Reads a value: into what leads on, and over everything else.
    fn value(&mut self, rest: &str) {
        self.space();
        match self.text.as_bytes().get(self.at) {
            Some(b'{') => self.within(rest, b'}'),
            Some(b'[') => self.within(rest, b']'),
            Some(b'"') => _ = self.string(),
            _ => {
                let length = self.text[self.at..].find([',', '}', ']', '\n']).unwrap_or(self.text.len() - self.at);
                self.at += length;
            }
        }
    }

    /// Reads the members of an object, or the elements of an array.
    fn within(&mut self, rest: &str, end: u8) {
        self.at += 1;
        for place in 0.. {
            self.space();
            match self.text.as_bytes().get(self.at) {
                None => return,
                Some(byte) if *byte == end => {
                    self.at += 1;
                    return;
                }
                Some(b',') => {
                    self.at += 1;
                    self.space();
                }
                Some(_) => {}
            }
            let start = self.at;
            let below = match end {
                b'}' => {
                    let name = self.string();
                    self.space();
                    self.at += usize::from(self.text.as_bytes().get(self.at) == Some(&b':'));
                    member(rest, name, place)
                }
                _ => step(rest, &format!("[{place}]")),
            };
            match below {
                Some(below) => {
                    self.space();
                    self.found = Some(self.at.min(self.text.len()));
                    self.value(below);
                    return;
                }
                None => self.value("\0"),
            }
            // What is no JSON leads nowhere, and is not to be read for ever.
            if self.at == start {
                return;
            }
        }
    }

    /// Reads a string, and returns what stands between its quotation marks.
    fn string(&mut self) -> &'a str {
        let start = (self.at + 1).min(self.text.len());
        let mut is_escaped = false;
        for (i, byte) in self.text.as_bytes()[start..].iter().enumerate() {
            match byte {
                b'"' if !is_escaped => {
                    self.at = start + i + 1;
                    return &self.text[start..start + i];
                }
                b'\\' => is_escaped = !is_escaped,
                _ => is_escaped = false,
            }
        }
        self.at = self.text.len();
        ""
    }

    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
    }
}

/// Returns what is left of a path behind a member's name: `.name`, `["odd name"]`, or `.*[2]` where it may not be printed.
fn member<'a>(rest: &'a str, name: &str, place: usize) -> Option<&'a str> {
    [format!(".{name}"), format!("[\"{name}\"]"), format!(".*[{place}]")].iter().find_map(|it| step(rest, it))
}

/// Returns what is left of a path behind a step, where it begins with this one.
fn step<'a>(rest: &'a str, step: &str) -> Option<&'a str> {
    rest.strip_prefix(step).filter(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

#[cfg(test)]
mod tests {
    use super::line_of;

    #[test]
    fn a_path_leads_to_its_line() {
        let text = "{\n  \"a\": \"x \\\" }\",\n  \"list\": [\n    1, {\"b\": [true]},\n    {\n      \"b\": {\"odd name\": null,\n  \"a.b\": \"{\\\"c\\\": 1}\"}\n    }\n  ],\n  \"key\": 1\n}\n";
        let check = |path: &str, expected: Option<usize>| assert_eq!(line_of(text, path), expected, "{path}");
        check("a", Some(2));
        check("list", Some(3));
        check("list[0]", Some(4));
        check("list[1].b[0]", Some(4));
        check("list[2].b[\"odd name\"]", Some(6));
        check("list[2].b.*[1].c", Some(7));
        check("list[2].b[\"a.b\"].c.d[3]", Some(7));
        check("key", Some(10));
        check("list[2].none", Some(5));
        check("ke", None);
        check("none", None);
    }

    #[test]
    fn what_is_no_json_leads_nowhere() {
        for text in
            ["", "{", "[", "{\"a\"", "{\"a\":", "{\"a\" 1}", "[}", "{]", "{\"a\": [}]}", "\u{e9}", "{\u{e9}}", "{\"\\"]
        {
            let _ = line_of(text, "a[0].b");
        }
        assert_eq!(line_of("<<<<<<< HEAD\n{\"a\": 1}", "a"), None);
        assert_eq!(line_of("{\n\"a\": 1,\n<<<<<<< HEAD\n\"b\": 2}", "a"), Some(2));
    }
}

//! On which line of a document something stands, by the path that leads to it.

use std::cell::OnceCell;

/// Where the values of a document stand. It is read once, when the first of them is looked for.
#[derive(Debug)]
pub struct Lines<'a> {
    text: &'a str,
    read: OnceCell<Read<'a>>,
}

/// A document that was read.
#[derive(Debug)]
struct Read<'a> {
    root: Value<'a>,
    /// Where each line ends.
    ends: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Returns those of this document.
    #[must_use]
    pub fn new(text: &'a str) -> Lines<'a> {
        Lines { text, read: OnceCell::new() }
    }

    /// Returns the line, from 1, on which the value of this path stands, `interactions[0].request.body.json`; where no path of the
    /// document leads that far, as into a text that is JSON itself, the line of the last value on the way. `None` where not even one
    /// leads there.
    #[must_use]
    pub fn of(&self, path: &str) -> Option<usize> {
        let read = self.read();
        let at = read.root.farthest(path, &mut || ())?;
        Some(1 + read.ends.partition_point(|end| *end < at))
    }

    fn read(&self) -> &Read<'a> {
        self.read.get_or_init(|| {
            let root = Reader { text: self.text, at: 0 }.value();
            let ends = self.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect();
            Read { root, ends }
        })
    }
}

/// A value, by where it begins.
#[derive(Debug)]
struct Value<'a> {
    at: usize,
    below: Below<'a>,
}

impl Value<'_> {
    /// Returns where the farthest value begins to which a path leads; of each that is looked at on the way it is told.
    fn farthest(&self, path: &str, looked: &mut dyn FnMut()) -> Option<usize> {
        let path = format!(".{path}");
        let (mut value, mut rest, mut found) = (self, path.as_str(), None);
        while let Some((next, below)) = value.below.along(rest, looked) {
            (value, rest, found) = (next, below, Some(next.at));
        }
        found
    }
}

/// What is in a value.
#[derive(Debug)]
enum Below<'a> {
    Nothing,
    Members(Vec<(&'a str, Value<'a>)>),
    Elements(Vec<Value<'a>>),
}

impl<'a> Below<'a> {
    /// Returns the value to which the next step of a path leads, and what is left of the path behind it.
    fn along<'p>(&self, rest: &'p str, looked: &mut dyn FnMut()) -> Option<(&Value<'a>, &'p str)> {
        match self {
            Below::Nothing => None,
            Below::Members(members) => members.iter().enumerate().find_map(|(place, (name, value))| {
                looked();
                Some((value, member(rest, name, place)?))
            }),
            Below::Elements(elements) => {
                looked();
                let (place, _) = rest.strip_prefix('[')?.split_once(']')?;
                let value = elements.get(place.parse::<usize>().ok()?)?;
                Some((value, step(rest, &format!("[{place}]"))?))
            }
        }
    }
}

/// A document, and how far it was read.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn value(&mut self) -> Value<'a> {
        self.space();
        let at = self.at.min(self.text.len());
        let below = match self.text.as_bytes().get(self.at) {
            Some(b'{') => self.members(),
            Some(b'[') => self.elements(),
            Some(b'"') => {
                self.string();
                Below::Nothing
            }
            _ => {
                let length = self.text[self.at..].find([',', '}', ']', '\n']).unwrap_or(self.text.len() - self.at);
                self.at += length;
                Below::Nothing
            }
        };
        Value { at, below }
    }

    fn members(&mut self) -> Below<'a> {
        let mut members = Vec::new();
        self.each(b'}', |reader| {
            let name = reader.string();
            reader.space();
            reader.at += usize::from(reader.text.as_bytes().get(reader.at) == Some(&b':'));
            members.push((name, reader.value()));
        });
        Below::Members(members)
    }

    fn elements(&mut self) -> Below<'a> {
        let mut elements = Vec::new();
        self.each(b']', |reader| elements.push(reader.value()));
        Below::Elements(elements)
    }

    /// Reads one after the other, up to the end of the object or the array.
    fn each(&mut self, end: u8, mut one: impl FnMut(&mut Self)) {
        self.at += 1;
        loop {
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
            one(self);
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
    use super::Lines;

    #[test]
    fn a_path_leads_to_its_line() {
        let text = "{\n  \"a\": \"x \\\" }\",\n  \"list\": [\n    1, {\"b\": [true]},\n    {\n      \"b\": {\"odd name\": null,\n  \"a.b\": \"{\\\"c\\\": 1}\"}\n    }\n  ],\n  \"key\": 1\n}\n";
        let lines = Lines::new(text);
        let check = |path: &str, expected: Option<usize>| assert_eq!(lines.of(path), expected, "{path}");
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
    fn of_many_paths_none_is_looked_for_from_the_beginning() {
        let one = "{\"key\": 1, \"request\": {\"body\": 2}}";
        for many in [100, 1000] {
            let text = format!("{{\"interactions\": [\n{}\n]}}", vec![one; many].join(",\n"));
            let (lines, mut looked) = (Lines::new(&text), 0);
            for i in 0..many {
                let path = format!("interactions[{i}].request.body");
                assert_eq!(lines.of(&path), Some(i + 2));
                lines.read().root.farthest(&path, &mut || looked += 1);
            }
            // The list, its element, two members, and one.
            assert_eq!(looked, 5 * many);
        }
    }

    #[test]
    fn what_is_no_json_leads_nowhere() {
        for text in
            ["", "{", "[", "{\"a\"", "{\"a\":", "{\"a\" 1}", "[}", "{]", "{\"a\": [}]}", "\u{e9}", "{\u{e9}}", "{\"\\"]
        {
            let _ = Lines::new(text).of("a[0].b");
        }
        assert_eq!(Lines::new("<<<<<<< HEAD\n{\"a\": 1}").of("a"), None);
        assert_eq!(Lines::new("{\n\"a\": 1,\n<<<<<<< HEAD\n\"b\": 2}").of("a"), Some(2));
    }
}

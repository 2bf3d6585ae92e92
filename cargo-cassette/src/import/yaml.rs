//! YAML as libyaml reads it, which is how most of the tools wrote it: scalars exact, tags kept, lines known.
//!
//! No tag constructs anything. What Python would build from a single argument (`!!python/object/new:istr [Accept]`, a
//! frozenset of tuples) stands for that argument.

use std::collections::HashMap;

use libyaml_safer::{Event, EventData, Parser, ScalarStyle};

use super::imported::Fault;
use super::node::{Node, Value};

/// The deepest nesting that is followed.
const DEEPEST: usize = 128;

/// The most nodes that a file may have once its aliases are written out.
const MOST: usize = 1_000_000;

/// Returns the documents of a file.
pub(super) fn parse(text: &str) -> Result<Vec<Node>, Fault> {
    let unfinished = Unfinished::of(text);
    let ended = unfinished.map(|_| format!("{text}\n"));
    let mut input = ended.as_deref().unwrap_or(text).as_bytes();
    let mut parser = Parser::new();
    parser.set_input_string(&mut input);
    let mut reader = Reader { parser, anchors: HashMap::new(), left: MOST, unfinished };
    let mut documents = Vec::new();
    loop {
        let event = reader.next()?;
        match event.data {
            EventData::StreamEnd => return Ok(documents),
            EventData::DocumentStart { .. } => reader.anchors.clear(),
            EventData::StreamStart { .. } | EventData::DocumentEnd { .. } => {}
            _ => documents.push(reader.node(event, 0)?),
        }
    }
}

struct Reader<'r, 'b> {
    parser: Parser<&'r mut &'b [u8]>,
    anchors: HashMap<String, Node>,
    left: usize,
    unfinished: Option<Unfinished>,
}

/// A last line without a line end, on which libyaml-safer panics where it belongs to a block scalar.
///
/// The end is put there, and taken away again from the scalar that reaches it.
#[derive(Clone, Copy, Debug)]
struct Unfinished {
    /// Where the text ends.
    end: u64,
    /// Whether nothing stands on the line but white space.
    is_blank: bool,
}

impl Unfinished {
    fn of(text: &str) -> Option<Unfinished> {
        let last = text.rsplit('\n').next().filter(|last| !last.is_empty())?;
        Some(Unfinished { end: text.len() as u64, is_blank: last.trim().is_empty() })
    }

    fn restore(self, value: &mut String) {
        let has_added = if self.is_blank { value == "\n" || value.ends_with("\n\n") } else { value.ends_with('\n') };
        if has_added {
            value.pop();
        }
    }
}

impl Reader<'_, '_> {
    fn next(&mut self) -> Result<Event, Fault> {
        self.parser.parse().map_err(|error| {
            let line = error.problem_mark().map(|mark| line(mark.line));
            Fault { line, reason: format!("this is no YAML: {}", error.problem()) }
        })
    }

    fn node(&mut self, event: Event, depth: usize) -> Result<Node, Fault> {
        let line = line(event.start_mark.line);
        if depth > DEEPEST {
            return Err(Fault::at(line, format!("it is nested more than {DEEPEST} levels deep")));
        }
        self.count(1, line)?;
        let (anchor, tag, value) = match event.data {
            EventData::Alias { anchor } => {
                let known = self.anchors.get(&anchor).cloned();
                let known = known.ok_or_else(|| Fault::at(line, format!("`*{anchor}` stands for nothing")))?;
                self.count(size(&known), line)?;
                return Ok(known);
            }
            EventData::Scalar { anchor, tag, mut value, style, .. } => {
                let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                if let Some(unfinished) = self.unfinished.filter(|last| is_block && event.end_mark.index >= last.end) {
                    unfinished.restore(&mut value);
                }
                let is_plain = style == ScalarStyle::Plain && tag.is_none();
                (anchor, tag, if is_plain { plain(value) } else { Value::Text(value) })
            }
            EventData::SequenceStart { anchor, tag, .. } => (anchor, tag, self.list(depth)?),
            EventData::MappingStart { anchor, tag, .. } => (anchor, tag, self.map(depth)?),
            _ => return Err(Fault::at(line, "a value is missing")),
        };
        let node = built(Node { line, tag, value });
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn list(&mut self, depth: usize) -> Result<Value, Fault> {
        let mut items = Vec::new();
        loop {
            let event = self.next()?;
            if event.data == EventData::SequenceEnd {
                return Ok(Value::List(items));
            }
            items.push(self.node(event, depth + 1)?);
        }
    }

    fn map(&mut self, depth: usize) -> Result<Value, Fault> {
        let mut members = Vec::new();
        loop {
            let event = self.next()?;
            if event.data == EventData::MappingEnd {
                return Ok(Value::Map(members));
            }
            let key = self.node(event, depth + 1)?;
            let event = self.next()?;
            members.push((key, self.node(event, depth + 1)?));
        }
    }

    fn count(&mut self, nodes: usize, line: usize) -> Result<(), Fault> {
        self.left = self.left.checked_sub(nodes).ok_or_else(|| Fault::at(line, "its aliases never end"))?;
        Ok(())
    }
}

fn line(mark: u64) -> usize {
    usize::try_from(mark).unwrap_or(usize::MAX).saturating_add(1)
}

fn size(node: &Node) -> usize {
    let below: usize = node.items().iter().map(size).sum();
    1 + below + node.members().iter().map(|(key, value)| size(key) + size(value)).sum::<usize>()
}

/// Returns what a scalar without quotes says.
fn plain(text: String) -> Value {
    match text.as_str() {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => Value::Bare(text),
        number if number.starts_with(|c: char| matches!(c, '0'..='9' | '+' | '-' | '.')) => {
            if number.parse::<f64>().is_ok() { Value::Bare(text) } else { Value::Text(text) }
        }
        _ => Value::Text(text),
    }
}

/// Returns the only argument of what Python would construct.
fn built(node: Node) -> Node {
    let constructs = node.tag.as_deref().is_some_and(|tag| {
        let kind = tag.strip_prefix("tag:yaml.org,2002:python/object/");
        kind.is_some_and(|kind| kind.starts_with("apply:") || kind.starts_with("new:"))
    });
    let argument = match &node.value {
        Value::List(items) if constructs => items.first(),
        Value::Map(_) if constructs => node.get("args").and_then(|args| args.items().first()),
        _ => None,
    };
    argument.cloned().unwrap_or(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> Node {
        parse(text).unwrap().remove(0)
    }

    #[test]
    fn scalars_keep_their_bytes_and_their_lines() {
        let node = only("a: !!binary |\n  aGk=\nb: 'it''s\n\n  two'\nc: !binary aG8=\nd: ~\ne: '~'\n");
        assert_eq!(node.get("a").unwrap().bytes().unwrap(), b"hi");
        assert_eq!(node.get("b").unwrap().bytes().unwrap(), b"it's\ntwo");
        assert_eq!(node.get("c").unwrap().bytes().unwrap(), b"ho");
        assert!(node.get("d").is_none() && node.has("d"));
        assert_eq!((node.get("e").unwrap().text(), node.get("e").unwrap().line), (Some("~"), 8));
    }

    #[test]
    fn what_python_would_build_is_its_argument() {
        let node = only("? !!python/object/apply:multidict._multidict.istr\n- Accept\n: - x\n");
        assert_eq!(node.get("Accept").unwrap().items()[0].text(), Some("x"));
    }

    #[test]
    fn a_block_at_the_end_of_a_file_without_a_line_end_is_exact() {
        for (text, value) in [
            ("a: |\n  é", "é"),
            ("a: |\n  é\n", "é\n"),
            ("a: |-\n  é", "é"),
            ("a: |+\n  é", "é"),
            ("a: |+\n  é\n\n", "é\n\n"),
            ("a: |\n  é\n  ", "é\n"),
            ("a: |+\n  é\n  ", "é\n"),
            ("a: >\n  é\n  è", "é è"),
            ("a: |\n  ", ""),
        ] {
            assert_eq!(only(text).get("a").unwrap().text(), Some(value), "{text:?}");
        }
        assert_eq!(only("a: |\n  b\nc: d").get("a").unwrap().text(), Some("b\n"));
    }

    #[test]
    fn aliases_are_followed_and_end() {
        let node = only("a: &x [1, 2]\nb: *x\n");
        assert_eq!(node.get("b").unwrap().items().len(), 2);
        let bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n".to_owned()
            + &["ab", "bc", "cd", "de", "ef", "fg"]
                .map(|pair| {
                    let (from, to) = pair.split_at(1);
                    format!("{to}: &{to} [{}]\n", vec![format!("*{from}"); 10].join(", "))
                })
                .concat();
        assert!(parse(&bomb).unwrap_err().reason.contains("aliases"));
        assert!(parse(&"[".repeat(10_000)).is_err());
    }

    #[test]
    fn a_fault_names_its_line() {
        assert_eq!(parse("a: 1\nb: [\n").unwrap_err().line, Some(3));
    }
}

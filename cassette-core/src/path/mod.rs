//! Where something stands in a request: the notation in which reports name places and tests name what to ignore.
//!
//! ```text
//! path = place | body
//! place = @method | @host | @path | @name | @header.x | @query.key | @body | @body~ step .. | part
//! part = @part["file"], its nth alone: @part["file"][n], and of either: @filename | @header.x | ~ step ..
//! body = step step ..           bare: in the body, or in a function's arguments
//! step = .name | ["text"] | [n] | [*] | .* | .** | ~
//! ```
//!
//! The first step goes without its dot: `messages[*].content`. `[*]` is each element of an array, `.*` each member of an
//! object, `.**` any number of steps, none included. `~` enters the JSON document that a string holds:
//! `tool_calls[0].function.arguments~.city`. A name of other characters than letters, digits, `_` and `-` is quoted, as a
//! JSON string: `["na me"]`.

mod check;
mod parse;
mod walk;

pub use check::check;
pub use parse::PathError;
pub(crate) use walk::{leave_out, leave_out_all, put, select};

use std::fmt;

use crate::json::{Json, Layout};

/// A place in a request, or several.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Path {
    /// `@method`, `@host`, `@path` or `@name`: a part of the request's line.
    Line(Line),
    /// `@header.x`: the header of this name, in lower case.
    Header(String),
    /// `@query.key`: the query parameters of this key, as it was sent.
    Query(String),
    /// `@part["file"]`: the parts of a multipart body of this name, or something in them.
    Part(PartPath),
    /// In the body, or in a function's arguments; without a step, `@body`: all of it.
    Body(Vec<Step>),
}

/// A place in the parts of a multipart body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartPath {
    /// The name of the parts.
    pub name: String,
    /// Which of them, from 0; each where none is named.
    pub nth: Option<usize>,
    /// What of it.
    pub place: PartPlace,
}

/// What of a part of a multipart body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PartPlace {
    /// All of it.
    Whole,
    /// `@filename`: the file's name.
    Filename,
    /// `@header.x`: the header of this name, in lower case.
    Header(String),
    /// `~` and what follows: within the JSON that it holds. The first step is [`Step::Inside`].
    Inside(Vec<Step>),
}

/// A part of the request's line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Line {
    /// The method.
    Method,
    /// Scheme, host and port.
    Host,
    /// The path of the URL.
    Path,
    /// The name of a function.
    Name,
}

impl Line {
    const NAMES: [(Line, &'static str); 4] =
        [(Line::Method, "method"), (Line::Host, "host"), (Line::Path, "path"), (Line::Name, "name")];

    fn name(self) -> &'static str {
        Line::NAMES.iter().find(|(line, _)| *line == self).map_or("", |(_, name)| name)
    }
}

/// One step of a path within a JSON document.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// `.name` or `["na me"]`: the member of this name.
    Member(String),
    /// `[n]`: the element at this position, from 0.
    Element(usize),
    /// `.*`: each member.
    EachMember,
    /// `[*]`: each element.
    EachElement,
    /// `.**`: any number of steps, none included.
    Anywhere,
    /// `~`: into the JSON document that a string holds.
    Inside,
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Line(line) => write!(f, "@{}", line.name()),
            Path::Header(name) => write!(f, "@header.{name}"),
            Path::Query(key) => write!(f, "@query.{key}"),
            Path::Part(path) => path.fmt(f),
            Path::Body(steps) => {
                let mut text =
                    String::from(if matches!(steps.first(), None | Some(Step::Inside)) { WHOLE } else { "" });
                steps.iter().for_each(|step| push(&mut text, step));
                f.write_str(&text)
            }
        }
    }
}

impl fmt::Display for PartPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = format!("@part[{}]", quoted(&self.name));
        self.nth.iter().for_each(|nth| push(&mut text, &Step::Element(*nth)));
        match &self.place {
            PartPlace::Whole => {}
            PartPlace::Filename => text.push_str("@filename"),
            PartPlace::Header(name) => text.extend(["@header.", name]),
            PartPlace::Inside(steps) => steps.iter().for_each(|step| push(&mut text, step)),
        }
        f.write_str(&text)
    }
}

/// The path of the whole body.
pub(crate) const WHOLE: &str = "@body";

/// Returns the path of a part of a multipart body: the `nth` of its name, from 0.
pub(crate) fn part(name: &str, nth: usize) -> String {
    let nth = Some(nth).filter(|nth| *nth > 0);
    PartPath { name: name.to_owned(), nth, place: PartPlace::Whole }.to_string()
}

/// Returns the path of a member of what stands at `path`: `.name`, or `["na me"]` where the name is no plain one.
pub(crate) fn member(path: &str, name: &str) -> String {
    let mut text = path.to_owned();
    push(&mut text, &Step::Member(name.to_owned()));
    text
}

fn push(text: &mut String, step: &Step) {
    let dot = if text.is_empty() { "" } else { "." };
    match step {
        Step::Member(name) if is_plain(name) => *text += &format!("{dot}{name}"),
        Step::Member(name) => *text += &format!("[{}]", quoted(name)),
        Step::Element(at) => *text += &format!("[{at}]"),
        Step::EachMember => *text += &format!("{dot}*"),
        Step::EachElement => text.push_str("[*]"),
        Step::Anywhere => *text += &format!("{dot}**"),
        Step::Inside => text.push('~'),
    }
}

fn quoted(name: &str) -> String {
    Json::from(name).print(Layout::Compact)
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_plain_char)
}

fn is_plain_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

#[cfg(test)]
mod tests;

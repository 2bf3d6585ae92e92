//! The parts of a canonical form.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use crate::key::{Digest, Salt};
use crate::matching::PartName;

/// One part of a request: what it is called and what it says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// `endpoint`, `@header.x`, a part of a model call, the name of a member of the body, `@part["file"]`, or `@body`.
    pub name: String,
    pub(super) class: PartName,
    origin: Origin,
    texts: Texts,
}

/// What a part is made of. Two parts of one name that are made of different things are different parts: a member may be
/// called `@body`, `@header.x`, `messages`, or as a path that a test names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Origin {
    /// Of what makes up a call by our own words: its endpoint, and the parts of a dialect.
    Own,
    /// A member of a JSON object.
    Member,
    /// A field of a form.
    Field,
    /// A part of a multipart body.
    Upload,
    /// A JSON document that has no members.
    Document,
    /// A body that is nothing else.
    Bytes,
    Header,
    /// What stands at a path that `match_on` names, and a model that the path of a URL names.
    Path,
}

impl Origin {
    fn mark(self) -> char {
        match self {
            Origin::Own => 'o',
            Origin::Member => 'm',
            Origin::Field => 'f',
            Origin::Upload => 'u',
            Origin::Document => 'd',
            Origin::Bytes => 'b',
            Origin::Header => 'h',
            Origin::Path => 'p',
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Texts {
    One(Element),
    /// The elements of an array: a conversation that grows shares all but its last with the one before.
    Each(Vec<Element>),
}

/// What stands at one place. Two are equal if they say the same, wherever it was said: a system parameter stands elsewhere
/// than a system message.
#[derive(Clone, Debug)]
pub(super) struct Element {
    path: String,
    text: String,
}

/// What of a request is not compared. It decides which one of several recordings of the same request is served.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Aside {
    /// What `match_on` does not name.
    pub(super) rest: Vec<Part>,
    pub(super) sampling: Vec<Part>,
    pub(super) headers: Vec<Part>,
}

impl Part {
    /// Returns a part of one text.
    pub(super) fn one(name: String, text: String) -> Part {
        let path = name.clone();
        Part { name, class: PartName::Rest, origin: Origin::Own, texts: Texts::One(Element { path, text }) }
    }

    /// Returns the part as one that stands at this path, where it is one of one text.
    pub(super) fn standing(self, path: &str) -> Part {
        let texts = match self.texts {
            Texts::One(element) => Texts::One(Element { path: path.to_owned(), ..element }),
            each => each,
        };
        Part { texts, ..self }
    }

    /// Returns the part as one of this class.
    pub(super) fn of(self, class: PartName) -> Part {
        Part { class, ..self }
    }

    /// Returns the part as one that is made of this.
    pub(super) fn from(self, origin: Origin) -> Part {
        Part { origin, ..self }
    }

    /// Returns a part of a list.
    pub(super) fn list(name: String, class: PartName, elements: Vec<Element>) -> Part {
        Part { name, class, origin: Origin::Own, texts: Texts::Each(elements) }
    }

    /// Returns what the part says, each text with its path in the request as it was sent.
    pub fn elements(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all().iter().map(|element| (element.path.as_str(), element.text.as_str()))
    }

    pub(super) fn digest(&self, salt: Option<&Salt>) -> Digest {
        match &self.texts {
            Texts::One(element) => {
                Digest::of(salt, &format!("{}:{}", self.origin.mark(), self.name), element.text.as_bytes())
            }
            Texts::Each(elements) => {
                let one = |element: &Element| Digest::of(salt, "", element.text.as_bytes());
                let elements: Vec<_> = elements.iter().map(one).collect();
                Digest::of_list(salt, &format!("{}[:{}", self.origin.mark(), self.name), &elements)
            }
        }
    }

    /// Returns whether the part is a list.
    pub(crate) fn is_list(&self) -> bool {
        matches!(self.texts, Texts::Each(_))
    }

    /// Returns everything in which a placeholder may stand: the name, and the texts.
    pub(super) fn words_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let elements = match &mut self.texts {
            Texts::One(element) => std::slice::from_mut(element),
            Texts::Each(elements) => elements,
        };
        std::iter::once(&mut self.name).chain(elements.iter_mut().map(|element| &mut element.text))
    }

    fn all(&self) -> &[Element] {
        match &self.texts {
            Texts::One(element) => std::slice::from_ref(element),
            Texts::Each(elements) => elements,
        }
    }
}

impl Element {
    pub(super) fn at(path: impl Into<String>, text: impl Into<String>) -> Element {
        Element { path: path.into(), text: text.into() }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Element {
    fn eq(&self, other: &Element) -> bool {
        self.text == other.text
    }
}

impl Eq for Element {}

impl PartialOrd for Element {
    fn partial_cmp(&self, other: &Element) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Element {
    fn cmp(&self, other: &Element) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl Hash for Element {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl Aside {
    /// Returns how much of this is in another: of what is not named first, then of sampling, then of headers.
    pub(crate) fn likeness(&self, other: &Aside) -> [usize; 3] {
        let halves = [(&self.rest, &other.rest), (&self.sampling, &other.sampling), (&self.headers, &other.headers)];
        halves.map(|(ours, theirs)| ours.iter().map(|part| shared(part, theirs)).sum())
    }

    /// Returns the parts that are not compared, headers apart.
    pub(crate) fn compared_nowhere(&self) -> impl Iterator<Item = &Part> {
        self.rest.iter().chain(&self.sampling)
    }

    /// Returns the sampling, each setting with its path and its value.
    pub(crate) fn sampling(&self) -> impl Iterator<Item = (&str, &str)> {
        let settings = self.sampling.iter().flat_map(Part::elements);
        settings.map(|(path, text)| (path, text.split_once(':').map_or(text, |(_, value)| value)))
    }

    pub(super) fn parts_mut(&mut self) -> impl Iterator<Item = &mut Part> {
        self.rest.iter_mut().chain(&mut self.sampling).chain(&mut self.headers)
    }
}

fn shared(part: &Part, others: &[Part]) -> usize {
    let Some(other) = others.iter().find(|other| other.name == part.name) else { return 0 };
    part.all().iter().filter(|element| other.all().contains(element)).count()
}

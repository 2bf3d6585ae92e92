//! The outline of a request: what digests tell of it, part by part, and none of its text.
//!
//! The key alone decides whether two requests are the same. Below it an outline has but sixteen bits of each element
//! ([`Mark`]), so that a report can name what moved, and so that a text cannot be guessed element by element: to be sure of
//! one is to guess the request as a whole.

use std::fmt;

use super::{Canonical, Part, spelled};
use crate::call::Call;
use crate::json::{Json, Layout};
use crate::key::{Digest, Mark, Salt};
use crate::matching::PartName;

/// What digests tell of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// What is compared.
    pub(crate) parts: Vec<Sketch>,
    /// The digest of all that is not compared, in hexadecimal.
    pub(crate) aside: String,
    /// What `match_on` does not name.
    pub(crate) rest: Vec<Sketch>,
    /// The sampling, each setting by its path.
    pub(crate) sampling: Vec<(String, Setting)>,
    pub(crate) headers: Vec<Sketch>,
}

/// What marks tell of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sketch {
    /// The name, where it is one of our own words, else `#` and its mark.
    pub(crate) name: String,
    pub(crate) form: Form,
    pub(crate) elements: Vec<Spot>,
}

/// Whether a part is a list of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    One,
    List,
}

/// What marks tell of an element: where it stands, but for its position in a list, and what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) place: Mark,
    pub(crate) text: Mark,
}

/// What is kept of a sampling setting.
#[derive(Clone, Debug)]
pub(crate) enum Setting {
    /// A number or a truth value, as it was spelled: it is nobody's prompt.
    Plain(Json),
    /// The mark of anything else, such as a stop sequence.
    Marked(Mark),
}

impl PartialEq for Setting {
    fn eq(&self, other: &Setting) -> bool {
        match (self, other) {
            (Setting::Plain(ours), Setting::Plain(theirs)) => ours.canonical() == theirs.canonical(),
            (Setting::Marked(ours), Setting::Marked(theirs)) => ours == theirs,
            _ => false,
        }
    }
}

impl Eq for Setting {}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Plain(value) => f.write_str(&value.print(Layout::Compact)),
            Setting::Marked(_) => f.write_str("what is kept as a digest"),
        }
    }
}

impl Outline {
    /// Returns the outline of a call of this form.
    pub(crate) fn of(call: &Call, canonical: &Canonical, salt: &Salt) -> Outline {
        let sketches = |parts: &[Part]| parts.iter().map(|part| Sketch::of(part, salt)).collect();
        let aside = &canonical.aside;
        let all: Vec<_> = [&aside.rest, &aside.sampling, &aside.headers]
            .into_iter()
            .map(|parts| {
                let digests: Vec<_> = parts.iter().map(|part| part.digest(Some(salt))).collect();
                Digest::of_list(Some(salt), "", &digests)
            })
            .collect();
        Outline {
            parts: sketches(&canonical.parts),
            aside: Digest::of_list(Some(salt), "aside", &all).hex(),
            rest: sketches(&aside.rest),
            sampling: aside.sampling().map(|(path, text)| (path.to_owned(), setting(call, path, text, salt))).collect(),
            headers: sketches(&aside.headers),
        }
    }

    /// Returns how much of what is not compared is in another: whether it is all the same first, since that is certain,
    /// then of what is not named, then of sampling, then of headers.
    pub(crate) fn likeness(&self, other: &Outline) -> [usize; 4] {
        let sampling = self.sampling.iter().filter(|setting| other.sampling.contains(setting)).count();
        let same = usize::from(self.aside == other.aside);
        [same, shared(&self.rest, &other.rest), sampling, shared(&self.headers, &other.headers)]
    }

    /// Returns the setting of this path.
    pub(crate) fn setting(&self, path: &str) -> Option<&Setting> {
        self.sampling.iter().find(|(known, _)| known == path).map(|(_, setting)| setting)
    }
}

impl Sketch {
    /// Returns the sketch of a part.
    pub(crate) fn of(part: &Part, salt: &Salt) -> Sketch {
        let mark = |text: &str| Digest::of(Some(salt), "", text.as_bytes()).mark();
        let spot = |(path, text): (&str, &str)| Spot { place: mark(place(path).0), text: mark(text) };
        Sketch {
            name: Sketch::name(&part.name, salt),
            form: if part.is_list() { Form::List } else { Form::One },
            elements: part.elements().map(spot).collect(),
        }
    }

    /// Returns the name that a sketch of a part of this name has.
    pub(crate) fn name(name: &str, salt: &Salt) -> String {
        match is_own_word(name) {
            true => name.to_owned(),
            false => format!("#{}", Digest::of(Some(salt), "", name.as_bytes()).mark()),
        }
    }

    /// Returns whether two parts say the same, wherever it was said, as far as marks tell.
    pub(crate) fn agrees(&self, other: &Sketch) -> bool {
        let texts = |sketch: &Sketch| sketch.elements.iter().map(|spot| spot.text).collect::<Vec<_>>();
        self.name == other.name && self.form == other.form && texts(self) == texts(other)
    }
}

/// Returns a path without the position of an element in its list, and whether it had one.
pub(crate) fn place(path: &str) -> (&str, bool) {
    let outside = path.strip_suffix(']').and_then(|path| path.rsplit_once('['));
    match outside {
        Some((outside, at)) if at.bytes().all(|b| b.is_ascii_digit()) => (outside, true),
        _ => (path, false),
    }
}

/// Returns whether the name of a part is a word of our own, and none that a request brought along.
fn is_own_word(name: &str) -> bool {
    PartName::from_name(name).is_some() || matches!(name, "@body" | "@form")
}

fn setting(call: &Call, path: &str, text: &str, salt: &Salt) -> Setting {
    let spelled = spelled(call, path).unwrap_or_else(|| text.to_owned());
    match Json::parse(&spelled) {
        Ok(plain @ (Json::Number(_) | Json::Bool(_) | Json::Null)) => Setting::Plain(plain),
        _ => Setting::Marked(Digest::of(Some(salt), "", text.as_bytes()).mark()),
    }
}

fn shared(ours: &[Sketch], theirs: &[Sketch]) -> usize {
    let one = |sketch: &Sketch| {
        let Some(other) = theirs.iter().find(|other| other.name == sketch.name) else { return 0 };
        let said = |spot: &&Spot| other.elements.iter().any(|known| known.text == spot.text);
        sketch.elements.iter().filter(said).count()
    };
    ours.iter().map(one).sum()
}

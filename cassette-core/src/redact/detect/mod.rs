//! Finding what is secret in one decoded text. The table and these functions serve the redactor and the audit alike.

mod assign;
pub(crate) mod names;
mod pii;
pub(crate) mod shape;
pub(crate) mod structure;
pub(crate) mod table;
pub(crate) mod value;

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::coding::{as_text, base64, gzip, runs};
pub(crate) use pii::find as find_pii;
use table::{INFIXES, SHAPES};

/// A stretch of a text that is secret, and the rule that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) range: Range<usize>,
    pub(crate) rule: &'static str,
}

/// Words in the names of secrets.
const NAMES: &[&str] = &[
    "key",
    "token",
    "secret",
    "passw",
    "passphrase",
    "passcode",
    "_pass",
    "pwd",
    "auth",
    "cookie",
    "credential",
    "session",
    "sid",
    "bearer",
    "code",
    "sig",
    "jwt",
    "sessid",
];

/// Texts that open a structure.
const STRUCTURES: &[&str] =
    &["://", "-----BEGIN ", "Bearer ", "Basic ", "Token ", "SSWS ", "hooks.slack.com/services/", "/api/webhooks/"];

/// Texts that say that something is encoded.
const CODED: &[&str] = &["\\u00", "\\x", ":\\/\\/", "&#", "&quot;", "H4sI"];

/// What a hit of the automaton may be the beginning of.
enum Clue {
    Name,
    Structure(&'static str),
    Coded,
    Shape(&'static shape::Shape),
    Infix(&'static table::Infix),
}

fn clue(pattern: usize) -> Clue {
    let structures = NAMES.len();
    let coded = structures + STRUCTURES.len();
    let shapes = coded + CODED.len();
    let infixes = shapes + SHAPES.len();
    match pattern {
        i if i < structures => Clue::Name,
        i if i < coded => Clue::Structure(STRUCTURES[i - structures]),
        i if i < shapes => Clue::Coded,
        i if i < infixes => Clue::Shape(&SHAPES[i - shapes]),
        i => Clue::Infix(&INFIXES[i - infixes]),
    }
}

/// One automaton over every word, built when the first text is looked at.
fn automaton() -> Option<&'static AhoCorasick> {
    static AUTOMATON: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    AUTOMATON
        .get_or_init(|| {
            let fixed = NAMES.iter().chain(STRUCTURES).chain(CODED).copied();
            let shapes = SHAPES.iter().map(|shape| shape.prefix);
            let infixes = INFIXES.iter().map(|infix| infix.mark);
            AhoCorasick::builder().ascii_case_insensitive(true).build(fixed.chain(shapes).chain(infixes)).ok()
        })
        .as_ref()
}

/// Finds the secrets of a text by shape, by structure and by the names in it.
pub(crate) fn find(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let Some(automaton) = automaton() else { return found };
    for hit in automaton.find_overlapping_iter(text) {
        let start = hit.start();
        let one = match clue(hit.pattern().as_usize()) {
            Clue::Name => {
                found.extend(assign::at(text, hit.range()));
                None
            }
            Clue::Structure("://") => structure::url_password(text, start),
            Clue::Structure("-----BEGIN ") => structure::pem(text, start),
            Clue::Structure(scheme) if scheme.ends_with(' ') => {
                structure::scheme(text, scheme.trim_end(), hit.end() - 1)
            }
            Clue::Structure(_) => structure::webhook(text, hit.end()),
            Clue::Coded => None,
            Clue::Shape(shape) => shape.at(text, start).map(|range| Found { range, rule: shape.rule }),
            Clue::Infix(infix) => infix.at(text, start).map(|range| Found { range, rule: infix.rule }),
        };
        found.extend(one);
    }
    for run in runs(text) {
        found.extend(structure::discord(text, &run.range));
    }
    found
}

/// Finds credentials that are told by their looks alone, for texts whose names say nothing.
pub(crate) fn find_shapes(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let Some(automaton) = automaton() else { return found };
    for hit in automaton.find_overlapping_iter(text) {
        found.extend(match clue(hit.pattern().as_usize()) {
            Clue::Shape(shape) => shape.at(text, hit.start()).map(|range| Found { range, rule: shape.rule }),
            Clue::Infix(infix) => infix.at(text, hit.start()).map(|range| Found { range, rule: infix.rule }),
            _ => None,
        });
    }
    found
}

/// Returns whether a text, in whatever encoding, may hold a secret: false is certain, true is not.
pub(crate) fn is_suspicious(text: &str) -> bool {
    let Some(automaton) = automaton() else { return true };
    let bytes = text.as_bytes();
    let hits = automaton.find_overlapping_iter(text).any(|hit| match clue(hit.pattern().as_usize()) {
        Clue::Name => assign::is_secret_name(text, &hit.range()),
        Clue::Structure("://") => {
            bytes[hit.end()..].iter().take(256).take_while(|b| !matches!(b, b'"' | b' ')).any(|b| *b == b'@')
        }
        Clue::Structure(_) | Clue::Coded => true,
        Clue::Shape(shape) => text[hit.start()..].starts_with(shape.prefix),
        Clue::Infix(infix) => &text[hit.range()] == infix.mark,
    });
    hits || bytes.windows(3).any(|w| w[0] == b'%' && w[1].is_ascii_hexdigit() && w[2].is_ascii_hexdigit())
        || runs(text)
            .iter()
            .any(|run| decodes(&text[run.range.clone()]) || structure::discord(text, &run.range).is_some())
}

/// Returns whether a run of base64 decodes to something to look into, judged by its beginning.
pub(crate) fn decodes(run: &str) -> bool {
    let head = base64::decode(run.get(..24).unwrap_or(run).trim_end_matches('=')).unwrap_or_default();
    as_text(&head).is_some_and(|text| text.is_ascii()) || gzip::is_packed(&head)
}

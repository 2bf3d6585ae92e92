//! Finding what is secret in one decoded text. The table and these functions serve the redactor and the audit alike.

mod assign;
mod columns;
mod dressed;
pub(crate) mod indirect;
mod markup;
pub(crate) mod names;
pub(crate) mod passphrase;
mod pii;
pub(crate) mod shape;
mod shell;
mod sql;
pub(crate) mod structure;
pub(crate) mod table;
pub(crate) mod value;
mod vocabulary;
mod work;

use std::ops::Range;
use std::sync::OnceLock;

use super::coding::{
    Run, as_text, base32, base64, gzip, may_be_numbered, may_be_quoted, may_spell, runs, tar, wide_texts, zip,
};
use super::words::{Case, Words};
pub(crate) use pii::find as find_pii;
use table::{INFIXES, SHAPES};
pub(crate) use work::{Spent, UNSEARCHED, Work};

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
const STRUCTURES: &[&str] = &[
    "://",
    "-----BEGIN ",
    "Bearer ",
    "Basic ",
    "Token ",
    "SSWS ",
    "hooks.slack.com/services/",
    "/api/webhooks/",
    IDENTIFIED,
];

/// What says in SQL whose password follows.
const IDENTIFIED: &str = "identified ";

/// Texts that say that something is encoded, or is a key in JSON.
const CODED: &[&str] = &[
    "\\u00",
    "\\u{",
    "\\x",
    "\\/",
    "\\0",
    "\\1",
    "&#",
    "&amp;#",
    "&quot;",
    "H4sI",
    "kty",
    "SecureString",
    "CONCEALED",
    "\"sensitive\"",
    "\"masked\"",
    "\"pass\"",
    "\"lease_id\"",
];

/// What a first look at one place costs at most.
const GLANCE: usize = 64;

/// What a word may be the beginning of.
#[derive(Clone, Copy)]
enum Clue {
    Name,
    Structure(&'static str),
    Coded,
    Command(&'static str),
    Shape(&'static shape::Shape),
    Infix(&'static table::Infix),
}

/// Every word that is looked for, and what it may begin.
struct Lexicon {
    words: Words,
    clues: Vec<Clue>,
}

/// One set of words, filled when the first text is looked at.
fn lexicon() -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    LEXICON.get_or_init(|| {
        let mut entries: Vec<(&str, Case, Clue)> = Vec::with_capacity(256);
        entries.extend(NAMES.iter().map(|word| (*word, Case::Folded, Clue::Name)));
        entries.extend(STRUCTURES.iter().map(|word| (*word, Case::Folded, Clue::Structure(word))));
        entries.extend(shell::clues().map(|word| (word, Case::Exact, Clue::Command(word))));
        entries.extend(CODED.iter().map(|word| (*word, Case::Exact, Clue::Coded)));
        entries.extend(SHAPES.iter().map(|shape| (shape.prefix, Case::Exact, Clue::Shape(shape))));
        entries.extend(INFIXES.iter().map(|infix| (infix.mark, Case::Exact, Clue::Infix(infix))));
        let words = Words::new(entries.iter().map(|(word, case, _)| (*word, *case)));
        Lexicon { words, clues: entries.into_iter().map(|(.., clue)| clue).collect() }
    })
}

/// Finds the secrets of a text by shape, by structure and by the names in it; fails where that takes too much work.
pub(crate) fn find(text: &str) -> Result<Vec<Found>, Spent> {
    let mut found = Vec::new();
    let lexicon = lexicon();
    let work = Work::on(text);
    lexicon.words.find(text, |start, word| {
        match lexicon.clues[word] {
            Clue::Name => found.extend(assign::at(text, start, &work)),
            Clue::Structure(IDENTIFIED) => found.extend(sql::identified(text, start + IDENTIFIED.len(), &work)),
            Clue::Structure(word) => found.extend(structure::at(text, start, word, &work)),
            Clue::Command(word) => found.extend(shell::at(text, start, word, &work)),
            Clue::Coded => {}
            clue => found.extend(of_shape(clue, text, start, &work)),
        }
        work.is_spent()
    });
    if work.is_spent() {
        return Err(Spent);
    }
    for run in runs(text) {
        found.extend(structure::discord(text, &run.range));
    }
    Ok(found)
}

/// Finds credentials that are told by their looks alone, for texts whose names say nothing; fails as [`find`] does.
pub(crate) fn find_shapes(text: &str) -> Result<Vec<Found>, Spent> {
    let mut found = Vec::new();
    let lexicon = lexicon();
    let work = Work::on(text);
    lexicon.words.find(text, |start, word| {
        found.extend(of_shape(lexicon.clues[word], text, start, &work));
        work.is_spent()
    });
    if work.is_spent() { Err(Spent) } else { Ok(found) }
}

/// Returns the end of what stands before a place, so long at most.
fn behind(text: &str, end: usize, limit: usize) -> &str {
    let from = (end.saturating_sub(limit)..=end).find(|from| text.is_char_boundary(*from)).unwrap_or(end);
    &text[from..end]
}

/// Returns the beginning of what stands from a place on, so long at most.
fn ahead(text: &str, start: usize, limit: usize) -> &str {
    let end = text.len().min(start + limit);
    let end = (start..=end).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(start);
    &text[start..end]
}

fn of_shape(clue: Clue, text: &str, start: usize, work: &Work) -> Option<Found> {
    match clue {
        Clue::Shape(shape) => shape.at(text, start, work).map(|range| Found { range, rule: shape.rule }),
        Clue::Infix(infix) => infix.at(text, start, work).map(|range| Found { range, rule: infix.rule }),
        _ => None,
    }
}

/// Returns whether a text, in whatever encoding, may hold a secret: false is certain, true is not.
pub(crate) fn is_suspicious(text: &str) -> bool {
    let bytes = text.as_bytes();
    let lexicon = lexicon();
    let mut suspicious = false;
    let work = Work::on(text);
    lexicon.words.find(text, |start, word| {
        work.spend(GLANCE);
        suspicious = work.is_spent()
            || match lexicon.clues[word] {
                Clue::Name => assign::is_secret_name(text, start),
                Clue::Structure("://") => {
                    bytes[start..].iter().take(256).take_while(|b| !matches!(b, b'"' | b' ')).any(|b| *b == b'@')
                }
                Clue::Shape(shape) => shape.may_start(bytes, start),
                Clue::Command(word) => shell::at(text, start, word, &work).is_some(),
                Clue::Structure(_) | Clue::Coded | Clue::Infix(_) => true,
            };
        suspicious
    });
    suspicious
        || is_percent_encoded(text)
        || may_be_quoted(text)
        || !wide_texts(text.as_bytes()).is_empty()
        || may_spell(text)
        || may_be_numbered(text)
        || may_hold_runs(text)
}

fn may_hold_runs(text: &str) -> bool {
    let runs = runs(text);
    let base64 = |run: &Run| decodes(&text[run.range.clone()]) || structure::discord(text, &run.range).is_some();
    runs.iter().any(base64)
        || base32::stretches(text, &runs).into_iter().any(|stretch| decodes_from_base32(&text[stretch]))
}

fn is_percent_encoded(text: &str) -> bool {
    text.split('%')
        .skip(1)
        .any(|rest| rest.as_bytes().get(..2).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)))
}

/// Returns whether a run of base64 decodes to something to look into, judged by its beginning.
pub(crate) fn decodes(run: &str) -> bool {
    let head = |length: usize| base64::decode(beginning(run, length).trim_end_matches('=')).unwrap_or_default();
    is_promising(&head(24)) || run.len() > tar::LEAST && tar::is_archive(&head(HEADED))
}

/// Returns whether a run of base32 decodes to something to look into, judged by its beginning.
pub(crate) fn decodes_from_base32(run: &str) -> bool {
    let head = |length: usize| base32::decode(beginning(run, length)).unwrap_or_default();
    is_promising(&head(24)) || run.len() > tar::LEAST && tar::is_archive(&head(HEADED))
}

/// How long the head of an archive is at most where it is encoded, in whole groups of digits, line ends between them.
const HEADED: usize = 960;

fn beginning(run: &str, length: usize) -> &str {
    run.get(..length).unwrap_or(run)
}

fn is_promising(head: &[u8]) -> bool {
    as_text(head).is_some_and(|text| text.is_ascii())
        || gzip::is_packed(head)
        || zip::is_archive(head)
        || !wide_texts(head).is_empty()
}

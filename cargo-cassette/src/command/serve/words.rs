//! What is typed to serve cassettes again.

use cargo_cassette::workspace::Reach;
use cassette_core::env;
use cassette_core::redact::{Rules, Secrets, redact_text};
use cassette_core::tape::Tape;

use super::Serve;
use super::place::Place;
use super::unsaid::unsaid;
use super::upstream::Upstream;
use super::whose::is_a_tests;
use crate::command::around::Surroundings;
use crate::command::named::as_name;
use crate::output::{quoted, quoted_os, typed};

/// Which port the first address gets when it is served again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Port {
    /// The one that was asked for.
    Asked,
    /// Any that is free.
    Any,
}

/// Returns the words that serve it again in its mode.
pub(super) fn again_in(serve: &Serve, port: Port, around: &Surroundings) -> String {
    let mode = serve.mode.as_ref().map(|mode| format!("--mode {mode} ")).unwrap_or_default();
    format!("{mode}{}", again(serve, port, &[], around))
}

/// How the cassettes that are served are named where one of them is recorded anew.
pub(super) struct Anew<'a> {
    words: &'a [String],
    asked: &'a [Upstream],
    places: &'a [Place],
    tapes: &'a [Tape],
}

impl<'a> Anew<'a> {
    pub(super) fn of(serve: &'a Serve, asked: &'a [Upstream], places: &'a [Place], tapes: &'a [Tape]) -> Anew<'a> {
        Anew { words: &serve.cassettes, asked, places, tapes }
    }

    /// Returns the words for this one: of a directory only it is meant, for whatever else is there need not be recorded. Those that are
    /// a test's, over which a served program records nothing, get names of their own.
    pub(super) fn words(&self, place: &Place) -> Vec<String> {
        let is_owned =
            |place: &Place| self.places.iter().zip(self.tapes).any(|(it, tape)| it == place && is_a_tests(tape));
        let named = |word: &String| match self.named(word) {
            Some(it) if is_owned(it) => served(word),
            None if is_within(place, word) && is_owned(place) => served(&place.shown),
            None if is_within(place, word) => place.shown.clone(),
            _ => word.clone(),
        };
        self.words.iter().map(named).collect()
    }

    /// Returns the upstreams that are to be said with these words.
    pub(super) fn unsaid(&self, place: &Place) -> Vec<String> {
        let is_meant = |it: &Place, word: &String| match self.named(word) {
            Some(named) => named == it,
            None => is_within(it, word) && (it == place || !is_within(place, word)),
        };
        let meant =
            self.places.iter().zip(self.tapes).filter(|(it, _)| self.words.iter().any(|word| is_meant(it, word)));
        unsaid(self.asked, &meant.map(|(_, tape)| tape).collect::<Vec<_>>())
    }

    /// Returns the cassette that a word names, and not by its directory.
    fn named(&self, word: &String) -> Option<&Place> {
        self.places.iter().find(|place| place.name == as_name(word) || place.shown == *word)
    }
}

fn is_within(place: &Place, word: &str) -> bool {
    place.shown.starts_with(&format!("{}/", word.trim_end_matches('/')))
}

/// Returns the name that what is served gets beside a test's own.
pub(in crate::command) fn served(word: &str) -> String {
    match word.strip_suffix(".json") {
        Some(path) => format!("{path}-served.json"),
        None => format!("{word}-served"),
    }
}

/// Returns the words that serve it again, behind `--mode`, with the upstreams that were not said this time.
pub(super) fn again(serve: &Serve, port: Port, unsaid: &[String], around: &Surroundings) -> String {
    let dir = around.standpoint.dir.as_deref().map(|dir| format!("--dir {}", quoted_os(dir.as_os_str())));
    let dir = dir.or_else(|| (around.standpoint.reach == Reach::Workspace).then(|| "--workspace".to_owned()));
    let upstreams = serve.upstream.iter().chain(unsaid).map(|upstream| format!("--upstream {}", quoted(upstream)));
    let port = (serve.port > 0 && port == Port::Asked).then(|| format!("--port {}", serve.port));
    let program = serve.program.iter().map(|word| quoted_os(word));
    let program: Vec<_> = program.collect();
    let program = (!program.is_empty()).then(|| format!("-- {}", program.join(" ")));
    let cassettes = serve.cassettes.iter().map(|cassette| typed(cassette));
    let words = cassettes.chain(dir).chain(upstreams).chain(port).chain(program).collect::<Vec<_>>().join(" ");
    // The words of the program are printed in reports, and what is secret in them is to be in none.
    redact_text(&words, &Rules::default(), &mut Secrets::new(&env::of_secrets()))
}

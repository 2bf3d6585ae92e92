//! Replies that repeat what was asked: so a prompt comes to stand in a file that keeps digests of requests.
//!
//! It is a hint and no proof: whole texts are looked for, as they are spelled, in JSON, and joined from a stream. A service
//! that repeats a request in other words, or in a coding, is not noticed.

use super::Shared;
use crate::call::{Call, Kind};
use crate::digested::Digested;
use crate::json::{Json, Text};
use crate::redact::fields;
use crate::reply::{Outcome, Reply};
use crate::report::Place;
use crate::tape::{Asked, Tape};
use crate::view::view;

/// The shortest text that is looked for, in bytes: shorter ones are in many replies.
const TELLING: usize = 24;

/// The shortest query or text that is looked for in a header, of which there are few.
const TELLING_IN_HEADER: usize = 12;

/// How much of a text is looked for, in bytes: where its beginning stands, the rest follows.
const LOOKED_FOR: usize = 96;

impl Shared {
    /// Returns the exchanges, as reports name them, whose reply repeats a text of a request that is not to stand in the file.
    pub(super) fn echoes(&self, tape: &Tape) -> Vec<Place> {
        if self.digests.is_some() { echoes(tape) } else { Vec::new() }
    }
}

fn echoes(tape: &Tape) -> Vec<Place> {
    let one = |(i, interaction): (usize, &crate::tape::Interaction)| {
        let Asked::Whole(call) = &interaction.asked else { return None };
        let repeats = match &interaction.outcome {
            Outcome::Reply(reply) => repeats(call, reply),
            Outcome::Error(error) => stands(call, &error.message),
        };
        repeats.then(|| Place { interaction: i + 1, name: call.kind.title(Digested::name_of(call)), asks: None })
    };
    tape.interactions.iter().enumerate().filter_map(one).collect()
}

fn repeats(call: &Call, reply: &Reply) -> bool {
    let mut texts = Vec::new();
    match std::str::from_utf8(&call.body).map(|text| (text, Json::parse(text))) {
        Ok((_, Ok(document))) => collect(&document, &mut texts),
        Ok((text, Err(_))) => texts.push(text.to_owned()),
        Err(_) => {}
    }
    let body = String::from_utf8_lossy(&reply.body()).into_owned();
    let said = view(call, reply).map(|view| view.text).unwrap_or_default();
    if reply.headers.iter().chain(&reply.trailers).any(|(_, value)| stands(call, value)) {
        return true;
    }
    texts.extend(asked(call));
    texts.iter().map(|text| beginning(text)).filter(|text| text.len() >= TELLING).any(|text| {
        let json = Text::new(text);
        let spelled = [text, json.source(), json.ascii().source()].into_iter().any(|spelling| body.contains(spelling));
        spelled || said.contains(text)
    })
}

/// Returns whether a header or a message repeats the query of a request, or its body as a whole or a string of it.
fn stands(call: &Call, text: &str) -> bool {
    let long = |asked: &String, least: usize| asked.len() >= least && text.contains(beginning(asked));
    let mut strings = Vec::new();
    if let Ok(document) = Json::parse(&String::from_utf8_lossy(&call.body)) {
        collect(&document, &mut strings);
    }
    asked(call).iter().any(|asked| long(asked, TELLING_IN_HEADER)) || strings.iter().any(|asked| long(asked, TELLING))
}

/// Returns what a request asks in one text: its query, the values in it as they are meant, and its body.
fn asked(call: &Call) -> Vec<String> {
    let query = call.name.split_once('?').filter(|_| call.kind == Kind::Http).map_or("", |(_, query)| query);
    let mut asked = vec![query.to_owned()];
    asked.extend(query.split('&').filter_map(|field| field.split_once('=')).map(|(_, value)| fields::meant(value)));
    asked.extend(String::from_utf8(call.body.clone()));
    asked
}

fn collect(value: &Json, texts: &mut Vec<String>) {
    match value {
        Json::String(text) => texts.push(text.value().into_owned()),
        Json::Array(elements) => elements.iter().for_each(|element| collect(element, texts)),
        Json::Object(members) => members.iter().for_each(|(_, value)| collect(value, texts)),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

fn beginning(text: &str) -> &str {
    let text = text.trim();
    let end = (0..=LOOKED_FOR.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}

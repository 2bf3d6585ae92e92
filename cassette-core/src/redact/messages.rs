//! Secrets in a body of messages whose frames can be written anew: what stands for one may be longer than it was.

use std::ops::Range;

use super::body::Task;
use super::coding::documents;
use super::detect::Work;
use super::edit::{Edit, Edited, merge};
use super::lens::{Lens, Trust};
use super::placeholder::{kind, unnumbered};
use super::rewritten::Rewritten;
use super::stream::{self, Event, Field};
use super::{Secret, learn};
use crate::eventstream::{self, Place};

/// How often the texts are looked through at most.
const ROUNDS: usize = 8;

/// How messages are framed whose frames can be written anew.
#[derive(Clone, Copy, Debug)]
pub(super) enum Framed {
    /// As an AWS event stream.
    Events,
    /// As gRPC and Connect frame JSON.
    Documents,
}

/// A message of a body, as a text.
struct Message<'a> {
    place: Place,
    said: &'a str,
    /// What it has beside its payload.
    fields: Vec<Field<'a>>,
}

impl Framed {
    /// Returns the messages of a body whose payloads can be read.
    fn messages(self, body: &[u8]) -> Vec<Message<'_>> {
        let places = match self {
            Framed::Events => eventstream::places(body),
            Framed::Documents => documents::documents(body),
        };
        let message = |place: Place| {
            let said = text(&body[place.payload.clone()], place.cut)?;
            let fields = match self {
                Framed::Events => eventstream::headers(body, &place),
                Framed::Documents => Vec::new(),
            };
            Some(Message { place, said, fields })
        };
        places.into_iter().filter_map(message).collect()
    }

    /// Returns a message of a body with another payload; `None` where that is too long.
    fn with_payload(self, body: &[u8], place: &Place, payload: &[u8]) -> Option<Vec<u8>> {
        match self {
            Framed::Events => eventstream::with_payload(body, place, payload),
            Framed::Documents => documents::with_payload(body, place, payload),
        }
    }
}

impl Task<'_> {
    /// Returns a body of messages without the secrets in their payloads, and where each of `places` is in it; `None` where nothing
    /// is to be changed.
    ///
    /// What is in no message that can be read stays, and so do headers, for the audit to find: the recording is refused then.
    pub(super) fn messages(&mut self, body: &[u8], framed: Framed, places: &[usize]) -> Option<(Vec<u8>, Vec<usize>)> {
        let messages = framed.messages(body);
        let hidden = self.hidden_in(&messages)?;
        let mut next = Rewritten::default();
        for (Message { place, said, .. }, hidden) in messages.iter().zip(&hidden) {
            if said != hidden {
                // What a cut left of a letter stands behind it.
                let payload = [hidden.as_bytes(), &body[place.payload.start + said.len()..place.payload.end]].concat();
                if let Some(message) = framed.with_payload(body, place, &payload) {
                    next.put(body, place.whole.clone(), &message);
                }
            }
        }
        Some(next.finish(body, places))
    }

    /// Returns the texts that messages say without their secrets; `None` where nothing is to be changed.
    fn hidden_in(&mut self, messages: &[Message<'_>]) -> Option<Vec<String>> {
        let mut said = String::new();
        let mut ranges: Vec<Range<usize>> = Vec::with_capacity(messages.len());
        for message in messages {
            ranges.push(said.len()..said.len() + message.said.len());
            said.extend([message.said, "\n"]);
        }
        let before = said.clone();
        let mut hidden: Vec<Secret> = Vec::new();
        for _ in 0..ROUNDS {
            let edits = self.text_edits(&said, messages.iter().zip(&ranges));
            let within = |edit: &Edit| {
                let text = ranges.partition_point(|range| range.end < edit.range.start);
                ranges.get(text).is_some_and(|range| range.start <= edit.range.start && edit.range.end <= range.end)
            };
            // What there is no end to looking through is left for the audit.
            if edits.is_empty() || !edits.iter().all(within) {
                break;
            }
            let edited = Edited::new(&said, &edits, |value, rule| {
                // Equal secrets have one rule, wherever they stand.
                let known = self.secrets.name(value, rule);
                let stands = unnumbered(kind(&known).unwrap_or(rule));
                hidden.push(Secret::new(value, &stands));
                stands
            });
            ranges = ranges.iter().map(|range| edited.place(range.start)..edited.place(range.end)).collect();
            said = edited.text;
        }
        learn::from_hidden(&hidden, self.secrets);
        (said != before).then(|| ranges.into_iter().map(|range| said[range].to_owned()).collect())
    }

    /// Returns the edits of what messages say, each at its place in the text.
    fn text_edits<'a>(
        &self,
        said: &str,
        messages: impl Iterator<Item = (&'a Message<'a>, &'a Range<usize>)>,
    ) -> Vec<Edit> {
        let event = |(message, range): (&Message<'a>, &Range<usize>)| Event {
            data: vec![range.clone()],
            fields: message.fields.clone(),
        };
        let work = Work::decoding(said);
        let known = self.known.then_some(&*self.secrets);
        let lens = Lens { rules: self.rules, known, work: &work, trust: Trust::Names };
        merge(said, stream::in_events(lens, said, messages.map(event).collect()))
    }
}

/// Returns a payload as the text that it is, of one that was cut what came before the letter in which it was.
fn text(payload: &[u8], cut: bool) -> Option<&str> {
    match std::str::from_utf8(payload) {
        Ok(text) => Some(text),
        Err(error) if cut && error.error_len().is_none() => std::str::from_utf8(&payload[..error.valid_up_to()]).ok(),
        Err(_) => None,
    }
}

//! Secrets in a body of messages whose frames can be written anew: what stands for one may be longer than it was.

use std::ops::Range;

use super::body::Task;
use super::coding::documents;
use super::detect::Work;
use super::edit::{Edit, Edited, merge};
use super::lens::{Lens, Trust};
use super::placeholder::{kind, unnumbered};
use super::{Secret, learn, stream};
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

/// Returns a message of a body with another payload.
type WithPayload = fn(&[u8], &Place, &[u8]) -> Vec<u8>;

impl Task<'_> {
    /// Returns a body of messages without the secrets in their payloads, and where each of `places` is in it; `None` where nothing
    /// is to be changed.
    ///
    /// What is in no message that can be read stays, and so do headers, for the audit to find: the recording is refused then.
    pub(super) fn messages(&mut self, body: &[u8], framed: Framed, places: &[usize]) -> Option<(Vec<u8>, Vec<usize>)> {
        let (frames, with_payload): (_, WithPayload) = match framed {
            Framed::Events => (eventstream::places(body), eventstream::with_payload),
            Framed::Documents => (documents::documents(body), documents::with_payload),
        };
        let texts: Vec<(Place, &str)> = frames
            .into_iter()
            .filter_map(|place| Some((place.clone(), text(&body[place.payload], place.cut)?)))
            .collect();
        let said: Vec<&str> = texts.iter().map(|(_, text)| *text).collect();
        let hidden = self.hidden_in(&said)?;
        let mut next = Body::default();
        for ((place, said), hidden) in texts.iter().zip(&hidden) {
            if said != hidden {
                // What a cut left of a letter stands behind it.
                let payload = [hidden.as_bytes(), &body[place.payload.start + said.len()..place.payload.end]].concat();
                next.put(body, place.whole.clone(), &with_payload(body, place, &payload));
            }
        }
        Some(next.finish(body, places))
    }

    /// Returns the texts that events say without their secrets; `None` where nothing is to be changed.
    fn hidden_in(&mut self, texts: &[&str]) -> Option<Vec<String>> {
        let mut said = String::new();
        let mut ranges: Vec<Range<usize>> = Vec::with_capacity(texts.len());
        for text in texts {
            ranges.push(said.len()..said.len() + text.len());
            said.extend([text, "\n"]);
        }
        let before = said.clone();
        let mut hidden: Vec<Secret> = Vec::new();
        for _ in 0..ROUNDS {
            let edits = self.text_edits(&said, &ranges);
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

    fn text_edits(&self, said: &str, ranges: &[Range<usize>]) -> Vec<Edit> {
        let work = Work::decoding(said);
        let known = self.known.then_some(&*self.secrets);
        let lens = Lens { rules: self.rules, known, work: &work, trust: Trust::Names };
        merge(said, stream::in_texts(lens, said, ranges))
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

/// A body that is made of another one, stretch by stretch.
#[derive(Default)]
struct Body {
    bytes: Vec<u8>,
    /// What was put in: where it was before, and where it is now.
    put: Vec<(Range<usize>, Range<usize>)>,
    copied: usize,
}

impl Body {
    fn put(&mut self, old: &[u8], range: Range<usize>, by: &[u8]) {
        self.bytes.extend_from_slice(&old[self.copied..range.start]);
        let start = self.bytes.len();
        self.bytes.extend_from_slice(by);
        self.copied = range.end;
        self.put.push((range, start..self.bytes.len()));
    }

    /// Returns the bytes, and where each of these places of the old body is in them: one within a message is as far from its
    /// beginning, or at its end.
    fn finish(mut self, old: &[u8], places: &[usize]) -> (Vec<u8>, Vec<usize>) {
        self.bytes.extend_from_slice(&old[self.copied..]);
        let place = |place: &usize| {
            let before = self.put.partition_point(|(range, _)| range.start < *place);
            match before.checked_sub(1).map(|i| &self.put[i]) {
                None => *place,
                Some((range, now)) if *place >= range.end => now.end + place - range.end,
                Some((range, now)) => (now.start + place - range.start).min(now.end),
            }
        };
        let places = places.iter().map(place).collect();
        (self.bytes, places)
    }
}

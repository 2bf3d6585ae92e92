//! Which recorded value each new one stands for: one consistent renaming over a whole run.
//!
//! An id is renamed both ways: two new ids never stand for one recorded id, nor one for two. What is only a moment or a
//! measure says nothing about another, so it may stand for any; it is put back only while it stands for a single one.
//! Placeholders of secrets are ids of their own kind.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::call::Call;
use crate::json::{Json, Layout, Member};
use crate::redact::replace_placeholders;
use crate::reply::Outcome;

/// The shortest value that is put back: a shorter one stands in other texts by chance.
const TELLING: usize = 4;

/// What the values of a run stand for in the recording.
#[derive(Clone, Debug, Default)]
pub(crate) struct Renaming {
    ids: Pairs,
    secrets: Pairs,
    /// The recorded value of each new moment, as long as it is one.
    free: HashMap<String, Option<String>>,
    /// The values that are put back, by their first word.
    by_word: HashMap<String, BTreeSet<String>>,
}

/// A one-to-one relation.
#[derive(Clone, Debug, Default)]
struct Pairs {
    recorded: HashMap<String, String>,
    incoming: HashMap<String, String>,
}

impl Pairs {
    fn add(&mut self, recorded: &str, incoming: &str) -> bool {
        let known = self.recorded.get(incoming).map(String::as_str);
        let taken = self.incoming.get(recorded).map(String::as_str);
        if (known, taken) == (None, None) {
            self.recorded.insert(incoming.to_owned(), recorded.to_owned());
            self.incoming.insert(recorded.to_owned(), incoming.to_owned());
            return true;
        }
        (known, taken) == (Some(recorded), Some(incoming))
    }
}

impl Renaming {
    /// Lets a new id stand for a recorded one, and returns whether that agrees with what is known.
    pub(crate) fn id(&mut self, recorded: &str, incoming: &str) -> bool {
        let agrees = self.ids.add(recorded, incoming);
        if agrees && recorded != incoming {
            self.note(incoming);
        }
        agrees
    }

    /// Lets a new placeholder stand for a recorded one, and returns whether that agrees with what is known.
    pub(crate) fn secret(&mut self, recorded: &str, incoming: &str) -> bool {
        self.secrets.add(recorded, incoming)
    }

    /// Notes a moment or a measure.
    pub(crate) fn free(&mut self, recorded: &str, incoming: &str) {
        let known = self.free.entry(incoming.to_owned()).or_insert_with(|| Some(recorded.to_owned()));
        if known.as_deref() != Some(recorded) {
            *known = None;
        } else if recorded != incoming {
            self.note(incoming);
        }
    }

    /// Returns the text with every known value put back to what it was in the recording: whole words, all at once.
    pub(crate) fn text(&self, text: &str) -> String {
        self.put_back(text, &mut HashSet::new())
    }

    /// Returns the ids that are put back in a text, each with the recorded one.
    pub(crate) fn ids_in(&self, text: &str) -> impl Iterator<Item = (String, String)> {
        let mut used = HashSet::new();
        self.put_back(text, &mut used);
        used.into_iter()
            .filter_map(|id| Some((self.ids.recorded.get(&id)?.clone(), id)))
            .map(|(recorded, id)| (id, recorded))
    }

    /// Returns the request as it would have been in the recording, and the new values that were put back in it.
    pub(crate) fn call(&self, call: &Call) -> (Call, HashSet<String>) {
        let mut used = HashSet::new();
        if self.by_word.is_empty() {
            return (call.clone(), used);
        }
        let name = self.put_back(&call.name, &mut used);
        let headers = call.headers.iter().map(|(name, value)| (name.clone(), self.put_back(value, &mut used)));
        let headers = headers.collect();
        let body = match std::str::from_utf8(&call.body) {
            Err(_) => call.body.clone(),
            Ok(text) => match Json::parse(text) {
                Ok(json) => self.document(text, &json, &mut used),
                Err(_) => self.put_back(text, &mut used).into_bytes(),
            },
        };
        (Call { kind: call.kind, name, headers, body }, used)
    }

    /// Returns the recorded name of each new placeholder of a secret.
    pub(crate) fn placeholders(&self) -> &HashMap<String, String> {
        &self.secrets.recorded
    }

    /// Keeps the very bytes of a document in which nothing is put back.
    fn document(&self, text: &str, json: &Json, used: &mut HashSet<String>) -> Vec<u8> {
        let mut own = HashSet::new();
        let put_back = self.json(json, &mut own);
        let body = if own.is_empty() { text.to_owned() } else { put_back.print(Layout::Compact) };
        used.extend(own);
        body.into_bytes()
    }

    fn json(&self, json: &Json, used: &mut HashSet<String>) -> Json {
        match json {
            Json::String(text) => {
                let (value, put_back) = (text.value(), self.put_back(&text.value(), used));
                if put_back == value { json.clone() } else { put_back.into() }
            }
            Json::Number(number) => {
                let known = self.value(number.source());
                let put_back = known.and_then(|recorded| Json::parse(recorded).ok());
                used.extend(put_back.as_ref().map(|_| number.source().to_owned()));
                put_back.unwrap_or_else(|| json.clone())
            }
            Json::Array(elements) => Json::Array(elements.iter().map(|element| self.json(element, used)).collect()),
            Json::Object(members) => {
                let member = |(name, value): &Member| (name.clone(), self.json(value, used));
                Json::Object(members.iter().map(member).collect())
            }
            Json::Null | Json::Bool(_) => json.clone(),
        }
    }

    fn put_back(&self, text: &str, used: &mut HashSet<String>) -> String {
        if let Some(recorded) = self.value(text) {
            used.insert(text.to_owned());
            return recorded.to_owned();
        }
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for (start, word) in words(text) {
            if start < at {
                continue;
            }
            let Some((value, recorded)) = self.starting_at(&text[start..], word) else { continue };
            out.push_str(&text[at..start]);
            out.push_str(recorded);
            at = start + value.len();
            used.insert(value.to_owned());
        }
        out.push_str(&text[at..]);
        out
    }

    /// Returns the longest known value that a text begins with and that ends where a word does.
    fn starting_at(&self, text: &str, word: &str) -> Option<(&str, &str)> {
        let ends = |value: &str| !text[value.len()..].starts_with(is_word) || !value.ends_with(is_word);
        let candidates = self.by_word.get(word)?.iter().map(String::as_str);
        let found =
            candidates.filter(|value| text.starts_with(value) && ends(value)).max_by_key(|value| value.len())?;
        Some((found, self.value(found)?))
    }

    /// Returns what a new value stands for, where that is another and it is long enough to be told from chance.
    fn value(&self, incoming: &str) -> Option<&str> {
        let known = self.ids.recorded.get(incoming).or_else(|| self.free.get(incoming)?.as_ref())?;
        (known != incoming && incoming.len() >= TELLING).then_some(known)
    }

    fn note(&mut self, incoming: &str) {
        let first = words(incoming).next().filter(|(start, _)| *start == 0).map_or("", |(_, word)| word);
        self.by_word.entry(first.to_owned()).or_default().insert(incoming.to_owned());
    }
}

/// Returns a text with the kinds of its placeholders in their place, and the placeholders.
pub(crate) fn without_secrets(text: &str) -> (String, Vec<String>) {
    let mut found = Vec::new();
    let plain = replace_placeholders(text, |placeholder| {
        found.push(placeholder.to_owned());
        placeholder.rsplit_once('.').map_or("", |(kind, _)| kind).to_owned()
    });
    (plain, found)
}

/// Returns the words of a text, each with where it starts: letters, digits, `_` and `-`.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text[rest..].find(is_word)?;
        let end = text[start..].find(|c| !is_word(c)).map_or(text.len(), |length| start + length);
        rest = end;
        Some((start, &text[start..end]))
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// The stretches of letters and digits in a request or a reply: what a program may have taken out of an earlier reply.
#[derive(Debug, Default)]
pub(crate) struct Stretches {
    known: HashSet<String>,
}

impl Stretches {
    /// Returns the stretches of a call, those in the strings of its body and in its percent-encoding included.
    pub(crate) fn of(call: &Call) -> Stretches {
        let mut all = Stretches::default();
        all.add(&call.name);
        call.headers.iter().for_each(|(_, value)| all.add(value));
        all.add_body(&call.body);
        all
    }

    /// Returns the stretches of an outcome.
    pub(crate) fn of_outcome(outcome: &Outcome) -> Stretches {
        let mut all = Stretches::default();
        match outcome {
            Outcome::Error(error) => all.add(&error.message),
            Outcome::Reply(reply) => {
                reply.headers.iter().chain(&reply.trailers).for_each(|(_, value)| all.add(value));
                all.add_body(&reply.body());
            }
        }
        all
    }

    /// Returns whether all of a value may stand there.
    pub(crate) fn hold_all(&self, value: &str) -> bool {
        stretches(value).all(|stretch| self.known.contains(stretch))
    }

    /// Returns whether a value, or enough of it, may stand there: its longest stretch, or any that is long and no word. An id
    /// that was cut or joined to another text is found too.
    pub(crate) fn hold(&self, value: &str) -> bool {
        let longest = stretches(value).map(str::len).max().unwrap_or_default();
        let tells = |stretch: &&str| stretch.len() == longest || is_random(stretch);
        stretches(value).filter(tells).any(|stretch| self.known.contains(stretch))
    }

    fn add_body(&mut self, body: &[u8]) {
        let body = String::from_utf8_lossy(body);
        self.add(&body);
        if let Ok(json) = Json::parse(&body) {
            self.add_strings(&json);
        }
    }

    fn add(&mut self, text: &str) {
        self.known.extend(stretches(text).map(str::to_owned));
        // `%2F` and `\n` are no part of what follows them.
        for (mark, skip) in [('%', 2), ('\\', 1)] {
            let after = text.match_indices(mark).filter_map(|(at, _)| text.get(at + 1 + skip..));
            // What begins elsewhere is a stretch of the text.
            let cut = after.filter(|rest| rest.starts_with(char::is_alphanumeric));
            self.known.extend(cut.filter_map(|rest| Some(stretches(rest).next()?.to_owned())));
        }
    }

    fn add_strings(&mut self, json: &Json) {
        match json {
            Json::String(text) if text.source().contains('\\') => self.add(&text.value()),
            Json::Array(elements) => elements.iter().for_each(|element| self.add_strings(element)),
            Json::Object(members) => members.iter().for_each(|(_, value)| self.add_strings(value)),
            _ => {}
        }
    }
}

fn is_random(stretch: &str) -> bool {
    stretch.len() >= 8 && stretch.bytes().any(|b| b.is_ascii_digit())
}

fn stretches(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|stretch| !stretch.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{Renaming, Stretches};
    use crate::call::Call;

    fn renaming() -> Renaming {
        let mut renaming = Renaming::default();
        assert!(renaming.id("call_A1", "call_B1") && renaming.id("call_B1", "call_A1"));
        assert!(renaming.id("chat.cmpl:1", "chat.cmpl:2") && renaming.id("a+b/c=", "d+e/f="));
        renaming.free("1764400000", "1764400777");
        renaming
    }

    #[track_caller]
    fn check(incoming: &str, recorded: &str) {
        assert_eq!(renaming().text(incoming), recorded);
    }

    #[test]
    fn whole_words_are_put_back_all_at_once() {
        check("call_B1 and call_A1, call_B1.", "call_A1 and call_B1, call_A1.");
        check("call_B12 recall_B1 call_B1-x", "call_B12 recall_B1 call_B1-x");
        check("see chat.cmpl:2, not chat.cmpl:23", "see chat.cmpl:1, not chat.cmpl:23");
        check("d+e/f=", "a+b/c=");
        check("at 1764400777", "at 1764400000");
    }

    #[test]
    fn a_request_is_put_back_wherever_an_id_stands() {
        let body = r#"{"b":[{"id":"call_B1","at":1764400777,"args":"{\"of\": \"call_B1\"}"}], "a":"\ncall_B1"}"#;
        let headers = vec![("x-of".to_owned(), "call_B1".to_owned())];
        let call = Call::http("GET", "https://example.com/runs/call_B1?of=call_B1", headers, body.into());
        let (old, used) = renaming().call(&call);
        assert_eq!(old.name, "GET https://example.com/runs/call_A1?of=call_A1");
        assert_eq!(old.headers[0].1, "call_A1");
        let expected = r#"{"b":[{"id":"call_A1","at":1764400000,"args":"{\"of\": \"call_A1\"}"}],"a":"\ncall_A1"}"#;
        assert_eq!(String::from_utf8(old.body).unwrap(), expected);
        let mut used: Vec<_> = used.into_iter().collect();
        used.sort();
        assert_eq!(used, ["1764400777", "call_B1"]);
        let other = Call { body: br#"{ "a" :1}"#.to_vec(), ..call };
        assert_eq!(renaming().call(&other).0.body, other.body, "what holds no id keeps its spelling");
    }

    #[test]
    fn one_id_stands_for_one() {
        let mut renaming = renaming();
        assert!(renaming.id("call_A1", "call_B1"), "the same again");
        assert!(!renaming.id("call_A1", "call_C1"), "two for one");
        assert!(!renaming.id("call_C1", "call_B1"), "one for two");
        assert!(renaming.id("same", "same") && !renaming.id("same", "other"), "what stays is taken");
        assert!(renaming.secret("REDACTED.token.1", "REDACTED.token.4"));
        assert!(!renaming.secret("REDACTED.token.2", "REDACTED.token.4"));
    }

    #[test]
    fn a_moment_is_put_back_while_it_stands_for_one() {
        let mut renaming = renaming();
        assert_eq!(renaming.text("1764400777"), "1764400000");
        renaming.free("1764400005", "1764400777");
        assert_eq!(renaming.text("1764400777"), "1764400777");
    }

    #[test]
    fn a_text_of_escapes_takes_no_time_to_speak_of() {
        let body = format!("{}{}%", "\\".repeat(1_000_000), "%".repeat(1_000_000));
        let call = Call::http("POST", "https://example.com", Vec::new(), body.into_bytes());
        assert!(!Stretches::of(&call).hold("abc123"));
    }

    #[test]
    fn what_a_request_takes_up_is_found_cut_joined_and_escaped() {
        let body = r#"{"a":"x_8fK2pQ91-y","b":"line\nabc123","c":"{\"d\":\"line\\nxyz789\"}"}"#;
        let call = Call::http("GET", "https://example.com/a%2Fdef456", Vec::new(), body.into());
        let stretches = Stretches::of(&call);
        for taken in ["ord_8fK2pQ91", "abc123", "xyz789", "def456"] {
            assert!(stretches.hold(taken), "{taken}");
        }
        assert!(stretches.hold("8fK2pQ91-e29b-41d4-a716-446655440000"), "a part of it");
        assert!(!stretches.hold("call_000000") && !stretches.hold("example-00000000") && !stretches.hold("+/="));
    }
}

//! Secrets in a body that counts its own bytes: what stands for one is exactly as long.

use super::body::Task;
use super::coding::counted::{Counting, Part, Reading, parts};
use super::coding::{as_text, tar};
use super::detect::Work;
use super::document::named_rule;
use super::edit::{By, Edit, merge};
use super::lens::{Lens, Trust};
use super::placeholder::filled;
use super::{Secret, learn};

/// How often a body is looked through at most.
const ROUNDS: usize = 8;

impl Task<'_> {
    /// Returns a body of the same length without its secrets; `None` where nothing is to be changed.
    ///
    /// What no placeholder is short enough for stays, for the audit to find: the recording is refused then.
    pub(super) fn counted(&mut self, body: &[u8], counting: Counting) -> Option<Vec<u8>> {
        let mut changed: Option<Vec<u8>> = None;
        for _ in 0..ROUNDS {
            let current = changed.as_deref().unwrap_or(body);
            let found = parts(current, counting);
            let mut next = self.without(current, &found.texts);
            // What lies across several waits until each has settled by itself.
            if next == current {
                next = self.without_across(current, &found);
            }
            if next == current {
                break;
            }
            changed = Some(next);
        }
        // The heads of an archive have checksums too.
        changed.map(|changed| tar::sealed(body, changed))
    }

    /// Returns the body without the secrets in these parts of it.
    fn without(&mut self, body: &[u8], parts: &[Part]) -> Vec<u8> {
        let mut within: Vec<Edit> = Vec::new();
        let mut across: Vec<Edit> = Vec::new();
        for part in parts {
            match part.reading {
                Reading::Text => within.extend(self.part_edits(body, part)),
                // A message has control characters for its numbers and lengths, as a rule; letters may happen to count.
                // What its name says, it says of the text within, whose length may look like a letter.
                Reading::Either if as_text(&body[part.range.clone()]).is_some() => {
                    across.extend(self.part_edits(body, &Part { name: None, ..part.clone() }));
                }
                Reading::Either => {}
            }
        }
        // Hidden as a part of one reading, a secret of the other would be left in part, or a length be lost.
        let torn = |a: &Edit, b: &Edit| overlap(a, b) && !holds(a, b);
        let (kept, left): (Vec<_>, Vec<_>) =
            across.iter().partition(|edit| !within.iter().any(|known| overlap(known, edit)));
        let edits: Vec<_> =
            within.iter().filter(|edit| !left.iter().any(|other| torn(edit, other))).chain(kept).collect();
        let mut next = body.to_vec();
        let mut hidden = Vec::new();
        for edit in edits {
            let (value, rule) = match &edit.by {
                By::Placeholder { value, rule, .. } => (value.as_str(), *rule),
                By::Text(text) if text.len() == edit.range.len() => {
                    next[edit.range.clone()].copy_from_slice(text.as_bytes());
                    continue;
                }
                By::Text(_) => ("", "encoded"),
            };
            // Equal secrets have one rule, wherever they stand.
            let known = (!value.is_empty()).then(|| self.secrets.name(value, rule));
            let kind = known.as_deref().and_then(super::placeholder::parts).map_or(rule, |(kind, _)| kind);
            let Some(by) = filled(kind, edit.range.len()) else { continue };
            next[edit.range.clone()].copy_from_slice(by.as_bytes());
            hidden.push(Secret::new(value, &by));
        }
        learn::from_hidden(&hidden, self.secrets);
        next
    }

    /// Returns the edits of one text, as edits of the body.
    fn part_edits(&self, body: &[u8], part: &Part) -> Vec<Edit> {
        let Ok(text) = std::str::from_utf8(&body[part.range.clone()]) else { return Vec::new() };
        let work = Work::decoding(text);
        let lens =
            Lens { rules: self.rules, known: self.known.then_some(&*self.secrets), work: &work, trust: Trust::Names };
        let name = part.name.clone().and_then(|name| std::str::from_utf8(&body[name]).ok());
        let edits = match name.and_then(|name| named_rule(lens, name, text, false)) {
            Some(rule) => vec![Edit::hide(text, 0..text.len(), rule)],
            None => merge(text, lens.edits(text, 0)),
        };
        edits.into_iter().map(|edit| edit.moved(part.range.start)).collect()
    }
}

fn overlap(a: &Edit, b: &Edit) -> bool {
    a.range.start < b.range.end && b.range.start < a.range.end
}

/// Returns whether all that `b` changes is within `a`.
fn holds(a: &Edit, b: &Edit) -> bool {
    a.range.start <= b.range.start && b.range.end <= a.range.end
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use crate::audit::audit;
    use crate::call::{Call, Header};
    use crate::disk;
    use crate::key::Key;
    use crate::redact::{Depth, Rules, Secrets, redact_call, redact_recorded_reply, redact_reply, unescape_reply};
    use crate::reply::{Chunk, Outcome, Reply};
    use crate::tape::{Asked, Head, Interaction, Tape};

    /// A credential, put together here so that no scanner takes this file for a leak.
    fn key() -> String {
        ["sk", "proj", "aB3dE6gH9kL2nP5qR8tU1wX4zA7"].join("-")
    }

    fn field(number: u8, content: &[u8]) -> Vec<u8> {
        let length = match content.len() {
            short @ ..128 => vec![short as u8],
            long => vec![(long & 0x7f) as u8 | 0x80, (long >> 7) as u8],
        };
        [&[number << 3 | 2][..], &length, content].concat()
    }

    fn frame(message: &[u8]) -> Vec<u8> {
        [&[0][..], &(message.len() as u32).to_be_bytes(), message].concat()
    }

    fn reply(headers: &[(&str, &str)], chunks: &[&[u8]]) -> Reply {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let chunks = chunks.iter().map(|bytes| Chunk { bytes: bytes.to_vec(), at: Some(Duration::ZERO) }).collect();
        Reply { status: 200, headers, chunks, trailers: Vec::new(), truncated: None }
    }

    fn request() -> Call {
        Call::http("POST", "https://a.test/v1", Vec::new(), Vec::new())
    }

    /// Returns what the audit finds in a file with this reply.
    fn findings(reply: &Reply, secrets: &Secrets) -> Vec<String> {
        let interaction = Interaction {
            key: Key::over([]),
            asked: Asked::Whole(request()),
            outcome: Outcome::Reply(reply.clone()),
            within: None,
            overlaps: false,
        };
        let text = disk::write(&Tape { head: Head::default(), interactions: vec![interaction] });
        let found = audit(&text, &Rules::default(), secrets, &[]);
        found.iter().map(|finding| format!("{} {}", finding.path, finding.rule)).collect()
    }

    /// Redacts a reply of this type, in which nothing may move, and audits it.
    #[track_caller]
    fn check(media: &str, body: &[u8], expected: &[u8]) {
        let mut secrets = Secrets::default();
        let (first, rest) = body.split_at(body.len() / 2);
        let live = reply(&[("content-type", media)], &[first, rest]);
        let redacted = redact_reply(&live, &request(), &Rules::default(), &mut secrets);
        let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
        assert_eq!(shown(&redacted.body()), shown(expected));
        assert_eq!(redacted.chunks[0].bytes.len(), first.len());
        assert_eq!(redacted.body().len(), body.len());
        assert_eq!(findings(&redacted, &secrets), [""; 0]);
        let again = redact_recorded_reply(&redacted, &Rules::default(), &mut secrets);
        assert_eq!(again.reply(), redacted.reply());
        let mut served = redacted.reply().clone();
        unescape_reply(&mut served);
        assert_eq!(&served, redacted.reply());
        let call = Call::http("POST", "https://a.test", vec![("content-type".into(), media.into())], body.to_vec());
        let call = redact_call(&call, &Rules::default(), Depth::Shape, &mut Secrets::default());
        assert_eq!(call.body, expected);
    }

    fn stands(kind: &str, length: usize) -> String {
        let before = format!("REDACTED.{kind}.");
        format!("{before}{}", "0".repeat(length - before.len()))
    }

    #[test]
    fn an_attribute_whose_length_looks_like_a_letter_is_hidden() {
        // An attribute of telemetry: a name, and a value in a message of its own (OpenTelemetry's `KeyValue`).
        for length in [32, 33, 36, 40, 64] {
            let value: String = "e59f4a945871b2c6".chars().cycle().take(length).collect();
            let attribute =
                |value: &str| field(1, &[field(1, b"crew_key"), field(2, &field(1, value.as_bytes()))].concat());
            check("application/x-protobuf", &attribute(&value), &attribute(&stands("api-key", length)));
        }
    }

    #[test]
    fn a_secret_in_a_message_that_counts_is_hidden_in_as_many_bytes() {
        let (key, hidden) = (key(), stands("openai-key", key().len()));
        let long = "x ".repeat(100);
        let vector: Vec<u8> = (0..40u8).flat_map(|i| (f32::from(i) / 3.0).to_le_bytes()).collect();
        for (before, after) in [("it is ", " ok"), ("", ""), (&*long, " ok")] {
            let said = |key: &str| field(1, format!("{before}{key}{after}").as_bytes());
            let grpc = |key: &str| [frame(&said(key)), frame(&field(3, &said(key)))].concat();
            check("application/grpc", &grpc(&key), &grpc(&hidden));
            check("application/x-protobuf", &said(&key), &said(&hidden));
            let beside = |key: &str| [field(9, &vector), said(key), field(9, b"REDACTED.x.1"), vec![0x28, 7]].concat();
            check("application/protobuf", &beside(&key), &beside(&hidden));
        }
        let netstring = |key: &str| format!("{}:{key},3:abc,", key.len()).into_bytes();
        check("text/plain", &netstring(&key), &netstring(&hidden));
        let json = |key: &str| frame(format!("{{\"a\": \"{key}\"}}").as_bytes());
        check("application/grpc+json", &json(&key), &json(&hidden));
    }

    #[test]
    fn letters_that_happen_to_count_are_letters() {
        let pad = |length: usize| "to Bergen ".chars().cycle().take(length).collect::<String>();
        // `j` and `r` are numbers of fields, and the letter behind them is a length: 97, 111, 48.
        let across = |key: &str| field(1, format!("ja{}{key} {}", pad(93), pad(112 - key.len() + 4)).as_bytes());
        let hidden = stands("openai-key", key().len());
        check("application/x-protobuf", &across(&key()), &across(&hidden));

        let torn = format!("{}j0{}", ["sk", "proj", "aB3dE6gH9kL2nP5qR8tU"].join("-"), "wX4zA7bN3mK6vC9xS2dF");
        let body = field(1, format!("ja{} {torn} {}", pad(97 - 29), pad(27)).as_bytes());
        let live = reply(&[("content-type", "application/x-protobuf")], &[&body]);
        let redacted = redact_reply(&live, &request(), &Rules::default(), &mut Secrets::default());
        assert_eq!(redacted.body(), body, "part of it would be left");
        let found = "interactions[0].reply.body.base64 openai-key";
        assert_eq!(findings(&redacted, &Secrets::default()), [found; 3], "in either reading, and across what is one");
    }

    #[test]
    fn an_entry_of_a_map_is_hidden_by_its_name() {
        let password = "hunter-77-Abc-def-xyz";
        let entry = |value: &str| field(3, &[field(1, b"password"), field(2, value.as_bytes())].concat());
        let hidden = stands("password", password.len());
        check("application/grpc", &frame(&entry(password)), &frame(&entry(&hidden)));
        let nested = |value: &str| field(3, &[field(1, b"password"), field(2, &field(3, value.as_bytes()))].concat());
        check("application/grpc", &frame(&nested(password)), &frame(&nested(&hidden)));
    }

    #[test]
    fn an_entry_of_bson_and_of_php_is_hidden_by_its_name() {
        let password = "hunter two purple 88";
        let hidden = stands("password", password.len());
        let bson = |value: &str| {
            let entry =
                [b"\x02password\0", &(value.len() as u32 + 1).to_le_bytes()[..], value.as_bytes(), b"\0"].concat();
            [&(entry.len() as u32 + 5).to_le_bytes()[..], &entry, b"\0"].concat()
        };
        check("application/bson", &bson(password), &bson(&hidden));
        let php = |value: &str| format!("a:1:{{s:8:\"password\";s:{}:\"{value}\";}}", value.len()).into_bytes();
        check("text/plain", &php(password), &php(&hidden));
        let said = |key: &str| format!("O:3:\"Job\":1:{{s:4:\"note\";s:{}:\"{key}\";}}", key.len()).into_bytes();
        check("text/plain", &said(&key()), &said(&stands("openai-key", key().len())));
    }

    #[test]
    fn what_nothing_is_short_enough_for_is_a_leak() {
        let mut secrets = Secrets::default();
        secrets.declare("q7Zx9k1w").expect("it is long enough");
        let body = frame(&field(1, b"it is q7Zx9k1w"));
        let live = reply(&[("content-type", "application/grpc")], &[&body]);
        let redacted = redact_reply(&live, &request(), &Rules::default(), &mut secrets);
        assert_eq!(redacted.body(), body);
        assert_eq!(findings(&redacted, &secrets), ["interactions[0].reply.body.text secret"]);
    }

    #[test]
    fn messages_are_looked_into_by_the_audit() {
        let found =
            |media: &str, body: &[u8]| findings(&reply(&[("content-type", media)], &[body]), &Secrets::default());
        let long = "x".repeat(300);
        assert_eq!(found("application/grpc", &frame(&field(1, long.as_bytes()))), [""; 0]);
        let at = |kind: &str| format!("interactions[0].reply.body.base64 {kind}");
        let secret = [field(1, long.as_bytes()), field(2, key().as_bytes())].concat();
        assert_eq!(found("application/grpc", &frame(&secret)), [at("openai-key")]);
        assert_eq!(found("application/protobuf", &secret), [at("openai-key")]);
        let packed = crate::redact::coding::gzip::pack(&secret, b"\x1f\x8b").expect("it packs");
        let packed = [&[1][..], &(packed.len() as u32).to_be_bytes(), &packed].concat();
        assert_eq!(found("application/grpc", &packed), [at("openai-key")]);
        assert_eq!(found("application/grpc", b"\x01\0\0\0\x02\xff\xfe"), [at("opaque-body")]);
        assert_eq!(found("application/grpc", b"\x77\0\0\0\x02\xff\xfe"), [at("opaque-body")]);
        assert_eq!(found("application/grpc", b"\0\0\0\0\x02\xff\xfe"), [at("opaque-body")]);
        let web =
            super::super::coding::base64::encode(&frame(&secret), super::super::coding::base64::Spelling::of("a==="));
        assert_eq!(found("application/grpc-web-text", web.as_bytes()), ["interactions[0].reply.body.text openai-key"]);
    }

    #[test]
    fn a_digest_goes_where_the_body_is_another() {
        let left = |body: &str| {
            let headers =
                [("content-type", "text/plain"), ("digest", "sha-256=abc"), ("content-md5", "x"), ("etag", "y")];
            let live = reply(&headers, &[body.as_bytes()]);
            let redacted = redact_reply(&live, &request(), &Rules::default(), &mut Secrets::default());
            let names = |headers: &[Header]| headers.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>().join(" ");
            names(&redacted.headers)
        };
        assert_eq!(left("nothing to hide"), "content-type digest content-md5 etag");
        assert_eq!(left("it looks like REDACTED.x.1 and REDACTED..y.2"), "content-type digest content-md5 etag");
        assert_eq!(left(&key()), "content-type etag");
    }

    /// A field of a random message: its number, and what it holds.
    #[derive(Clone, Debug)]
    enum Held {
        Number(u64),
        Eight([u8; 8]),
        Four([u8; 4]),
        Bytes(Vec<u8>),
        /// Words, with a secret behind so many of them.
        Text(Vec<&'static str>, Option<usize>),
        /// An entry of a map, by a name that says what it is.
        Named(usize),
        Message(Vec<(u8, Held)>),
    }

    const WORDS: [&str; 12] = [
        "the",
        "next train",
        "to Bergen",
        "Flåm",
        "09:04",
        "\n\n",
        "\"x\": [1, 2]",
        "-",
        "a {b}",
        "(a)b",
        "ja \u{1f682}",
        "*",
    ];

    /// Secrets that are told by a name: none of them has the shape of one.
    const NAMED: [(&str, &str); 3] = [
        ("password", "hunter-77-Abc-def-xyz"),
        ("api_key", "q7Zx9k1wQ3m8Vt5bL2s6"),
        ("access_token", "blue-Horse-77-staple-9"),
    ];

    fn held() -> impl Strategy<Value = Held> {
        let leaf = prop_oneof![
            any::<u64>().prop_map(Held::Number),
            any::<[u8; 8]>().prop_map(Held::Eight),
            any::<[u8; 4]>().prop_map(Held::Four),
            prop::collection::vec(any::<u8>(), 0..40).prop_map(Held::Bytes),
            (prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..60), prop::option::of(0..60_usize))
                .prop_map(|(words, at)| Held::Text(words, at)),
            (0..NAMED.len()).prop_map(Held::Named),
        ];
        leaf.prop_recursive(5, 40, 6, |inner| prop::collection::vec((1..16u8, inner), 0..6).prop_map(Held::Message))
    }

    fn varint(mut value: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        while value >= 0x80 {
            bytes.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
        bytes
    }

    fn counted(number: u8, content: &[u8]) -> Vec<u8> {
        [&[number << 3 | 2][..], &varint(content.len() as u64), content].concat()
    }

    /// Writes a message; `stand` says what is written where a secret stands.
    fn written(fields: &[(u8, Held)], stand: &impl Fn(&str, &str) -> String) -> Vec<u8> {
        let one = |(number, held): &(u8, Held)| match held {
            Held::Number(value) => [vec![number << 3], varint(*value)].concat(),
            Held::Eight(bytes) => [&[number << 3 | 1][..], bytes].concat(),
            Held::Four(bytes) => [&[number << 3 | 5][..], bytes].concat(),
            Held::Bytes(bytes) => counted(*number, bytes),
            Held::Text(words, at) => {
                let mut words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
                if let Some(at) = at {
                    words.insert((*at).min(words.len()), stand("openai-key", &key()));
                }
                counted(*number, words.join(" ").as_bytes())
            }
            Held::Named(which) => {
                let (name, value) = NAMED[*which];
                let rule = ["password", "api-key", "token"][*which];
                counted(*number, &[counted(1, name.as_bytes()), counted(2, stand(rule, value).as_bytes())].concat())
            }
            Held::Message(fields) => counted(*number, &written(fields, stand)),
        };
        fields.iter().map(one).collect::<Vec<_>>().concat()
    }

    /// Returns a message, and what is to be left of it.
    fn message() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
        prop::collection::vec((1..16u8, held()), 1..8).prop_map(|fields| {
            let live = written(&fields, &|_, secret| secret.to_owned());
            (live, written(&fields, &|rule, secret| stands(rule, secret.len())))
        })
    }

    /// Returns what is left of a body of this type.
    fn left(media: &str, body: &[u8]) -> Vec<u8> {
        let live = reply(&[("content-type", media)], &[body]);
        redact_reply(&live, &request(), &Rules::default(), &mut Secrets::default()).body()
    }

    /// Returns what the audit finds in a body of this type.
    fn leaks(media: &str, body: &[u8]) -> Vec<String> {
        findings(&reply(&[("content-type", media)], &[body]), &Secrets::default())
    }

    proptest! {
        #[test]
        fn nothing_moves_in_any_message_and_every_secret_is_gone(messages in prop::collection::vec(message(), 1..4)) {
            let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
            let live: Vec<u8> = messages.iter().flat_map(|(live, _)| frame(live)).collect();
            let expected: Vec<u8> = messages.iter().flat_map(|(_, left)| frame(left)).collect();
            let grpc = left("application/grpc", &live);
            if grpc != expected {
                // What can be read in two ways.
                prop_assert_eq!(grpc.len(), expected.len());
                prop_assert_ne!(leaks("application/grpc", &grpc), [""; 0], "{} for {}", shown(&grpc), shown(&expected));
            }
            let (live, expected) = &messages[0];
            let bare = left("application/x-protobuf", live);
            if bare != *expected {
                prop_assert_eq!(bare.len(), expected.len());
                prop_assert_ne!(leaks("application/x-protobuf", &bare), [""; 0], "{} for {}", shown(&bare), shown(expected));
            }
        }

        #[test]
        fn a_body_that_was_cut_or_spoilt_keeps_its_length_and_no_secret_passes_unseen(
            (live, _) in message(),
            cut in any::<prop::sample::Index>(),
            spoilt in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        ) {
            let mut body = frame(&live);
            let whole = spoilt.is_empty();
            for (at, by) in spoilt {
                let at = at.index(body.len());
                body[at] = by;
            }
            body.truncate(cut.index(body.len()) + 1);
            for media in ["application/grpc", "application/x-protobuf", "application/octet-stream", "text/plain", ""] {
                let live = reply(&[("content-type", media)], &[&body]);
                let mut secrets = Secrets::default();
                let redacted = redact_reply(&live, &request(), &Rules::default(), &mut secrets);
                if media != "text/plain" {
                    prop_assert_eq!(redacted.body().len(), body.len());
                }
                if whole && redacted.body().windows(key().len()).any(|window| window == key().as_bytes()) {
                    prop_assert_ne!(findings(&redacted, &secrets), [""; 0], "{}: {}", media, body.escape_ascii());
                }
            }
        }
    }
}

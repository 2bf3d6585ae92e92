//! Secrets that come piece by piece in messages that are framed by their lengths.

use std::time::Duration;

use cassette_core::audit::audit;
use cassette_core::call::Call;
use cassette_core::mode::Mode;
use cassette_core::redact::{Rules, Secrets, redact_recorded_reply, redact_reply};
use cassette_core::reply::{Chunk, Outcome, Reply, Truncation};
use cassette_core::session::{BodyEnd, Plan};
use cassette_core::store::MemoryStore;
use proptest::prelude::*;

use crate::bench_of_calls::{ask, codes, file, plan, run};
use crate::pieces::{base64_of, cut, environment, json, pieces_of, secret};

const EVENTS: &str = "application/vnd.amazon.eventstream";

/// The CRC-32 of these bytes, by another implementation than the one that is tested.
fn crc(bytes: &[u8]) -> [u8; 4] {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum().to_be_bytes()
}

/// An event-stream message.
fn message(event: &str, payload: &str) -> Vec<u8> {
    let mut head = Vec::new();
    for (name, value) in [(":event-type", event), (":content-type", "application/json"), (":message-type", "event")] {
        head.extend(
            [&[name.len() as u8][..], name.as_bytes(), &[7], &(value.len() as u16).to_be_bytes(), value.as_bytes()]
                .concat(),
        );
    }
    let mut message = ((16 + head.len() + payload.len()) as u32).to_be_bytes().to_vec();
    message.extend((head.len() as u32).to_be_bytes());
    message.extend(crc(&message));
    message.extend(head);
    message.extend(payload.bytes());
    message.extend(crc(&message));
    message
}

/// The payloads of an event stream, each of whose messages is whole and sealed.
fn payloads(mut body: &[u8]) -> Vec<String> {
    let mut payloads = Vec::new();
    while !body.is_empty() {
        let number = |at: usize| u32::from_be_bytes(body[at..at + 4].try_into().unwrap()) as usize;
        let (length, head) = (number(0), number(4));
        assert_eq!(crc(&body[..8]), body[8..12]);
        assert_eq!(crc(&body[..length - 4]), body[length - 4..length]);
        payloads.push(String::from_utf8(body[12 + head..length - 4].to_vec()).unwrap());
        body = &body[length..];
    }
    payloads
}

/// How a piece is framed, and how it is read.
struct Frame {
    name: &'static str,
    media: &'static str,
    write: fn(&str) -> Vec<u8>,
    read: fn(&[u8]) -> String,
    /// What stands for the secret.
    stands: &'static str,
}

/// What stands for a secret where no number could be changed later.
const UNNUMBERED: &str = "REDACTED.secret.0";

fn strings(payloads: &[String], at: &str) -> String {
    let said = payloads.iter().map(|payload| serde_json::from_str::<serde_json::Value>(payload).unwrap());
    said.filter_map(|payload| payload.pointer(at)?.as_str().map(str::to_owned)).collect()
}

/// What the base64 of this member of each payload holds.
fn held(payloads: &[String], at: &str) -> Vec<String> {
    let texts = payloads.iter().map(|payload| strings(std::slice::from_ref(payload), at));
    texts.map(|text| String::from_utf8(unbase64(&text)).unwrap()).collect()
}

fn unbase64(text: &str) -> Vec<u8> {
    let digit = |b: u8| match b {
        b'A'..=b'Z' => b - b'A',
        b'a'..=b'z' => b - b'a' + 26,
        b'0'..=b'9' => b - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text.bytes().filter(|b| *b != b'=').map(digit).collect();
    let group = |group: &[u8]| {
        let word = group.iter().enumerate().fold(0u32, |word, (i, digit)| word | u32::from(*digit) << (18 - 6 * i));
        (0..group.len() - 1).map(move |i| (word >> (16 - 8 * i)) as u8).collect::<Vec<_>>()
    };
    digits.chunks(4).flat_map(group).collect()
}

const FRAMES: &[Frame] = &[
    Frame {
        name: "converse",
        media: EVENTS,
        write: |text| {
            message(
                "contentBlockDelta",
                &format!("{{\"contentBlockIndex\":0,\"delta\":{{\"text\":{}}},\"p\":\"abcd\"}}", json(text)),
            )
        },
        read: |body| strings(&payloads(body), "/delta/text"),
        stands: UNNUMBERED,
    },
    Frame {
        name: "arguments",
        media: EVENTS,
        write: |text| {
            message(
                "contentBlockDelta",
                &format!("{{\"contentBlockIndex\":1,\"delta\":{{\"toolUse\":{{\"input\":{}}}}}}}", json(text)),
            )
        },
        read: |body| strings(&payloads(body), "/delta/toolUse/input"),
        stands: UNNUMBERED,
    },
    Frame {
        name: "invoke",
        media: EVENTS,
        write: |text| {
            let inner = format!(
                "{{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{{\"type\":\"text_delta\",\"text\":{}}}}}",
                json(text)
            );
            message("chunk", &format!("{{\"bytes\":\"{}\",\"p\":\"abcdefgh\"}}", padded(inner.as_bytes())))
        },
        read: |body| strings(&held(&payloads(body), "/bytes"), "/delta/text"),
        stands: UNNUMBERED,
    },
    Frame {
        name: "gRPC",
        media: "application/grpc+proto",
        write: |text| {
            envelope(
                0,
                &[field(2, &[field(1, text.as_bytes()), vec![0x18, 7]].concat()), field(3, b"model-1")].concat(),
            )
        },
        read: |body| fields(body, &[2, 1]),
        stands: FILLED,
    },
    Frame {
        name: "Connect",
        media: "application/connect+proto",
        write: |text| envelope(0, &field(1, text.as_bytes())),
        read: |body| fields(body, &[1]),
        stands: FILLED,
    },
    Frame {
        name: "Connect in JSON",
        media: "application/connect+json",
        write: |text| envelope(0, format!("{{\"delta\":{{\"text\":{}}},\"id\":\"abcdefgh\"}}", json(text)).as_bytes()),
        read: |body| {
            let documents: Vec<String> = envelopes(body).into_iter().map(|d| String::from_utf8(d).unwrap()).collect();
            strings(&documents, "/delta/text")
        },
        stands: UNNUMBERED,
    },
    Frame {
        name: "JSON within a string",
        media: "text/event-stream",
        write: |text| {
            let inner = format!("{{\"role\":\"tool\",\"delta\":{}}}", json(text));
            format!("data: {{\"id\":\"chatcmpl-1\",\"payload\":{}}}\n\n", json(&inner)).into_bytes()
        },
        read: |body| {
            let within: Vec<String> =
                data(body).iter().map(|event| strings(std::slice::from_ref(event), "/payload")).collect();
            strings(&within, "/delta")
        },
        stands: "REDACTED.secret.1",
    },
    Frame {
        name: "JSON within JSON within a string",
        media: "application/x-ndjson",
        write: |text| {
            let inner = json(&format!("[{{\"delta\":{}}}]", json(text)));
            format!("{{\"a\":{}}}\n", json(&format!("{{\"b\":{inner}}}"))).into_bytes()
        },
        read: |body| {
            let lines: Vec<String> = String::from_utf8_lossy(body).lines().map(str::to_owned).collect();
            let outer: Vec<String> = lines.iter().map(|line| strings(std::slice::from_ref(line), "/a")).collect();
            let inner: Vec<String> = outer.iter().map(|line| strings(std::slice::from_ref(line), "/b")).collect();
            strings(&inner, "/0/delta")
        },
        stands: "REDACTED.secret.1",
    },
    Frame {
        name: "base64",
        media: "text/event-stream",
        write: |text| format!("data: {{\"audio\":\"{}\"}}\n\n", padded(text.as_bytes())).into_bytes(),
        read: |body| held(&data(body), "/audio").concat(),
        stands: UNNUMBERED,
    },
    Frame {
        name: "base64 of JSON in an array",
        media: "application/json",
        write: |text| {
            format!("{{\"data\":\"{}\"}}\n", padded(format!("{{\"text\":{}}}", json(text)).as_bytes())).into_bytes()
        },
        read: |body| {
            let lines: Vec<String> = String::from_utf8_lossy(body).lines().map(str::to_owned).collect();
            strings(&held(&lines, "/data"), "/text")
        },
        stands: UNNUMBERED,
    },
];

fn envelope(flag: u8, message: &[u8]) -> Vec<u8> {
    [&[flag][..], &(message.len() as u32).to_be_bytes(), message].concat()
}

/// The messages of gRPC or Connect, each of which is whole.
fn envelopes(mut body: &[u8]) -> Vec<Vec<u8>> {
    let mut messages = Vec::new();
    while !body.is_empty() {
        let end = 5 + u32::from_be_bytes(body[1..5].try_into().unwrap()) as usize;
        messages.push(body[5..end].to_vec());
        body = &body[end..];
    }
    messages
}

/// A field of a protocol buffer, with its length in as few bytes as it takes.
fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let (mut length, mut rest) = (Vec::new(), content.len());
    while rest > 0x7f {
        length.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    length.push(rest as u8);
    [&[number << 3 | 2][..], &length, content].concat()
}

/// What the texts at this path of fields of each message say.
fn fields(body: &[u8], path: &[u8]) -> String {
    let within = |message: &[u8], number: u8| {
        let mut at = 0;
        while at < message.len() {
            let tag = message[at];
            if tag & 7 == 0 {
                at += 2;
                continue;
            }
            let (length, start) = match message[at + 1] {
                short @ ..128 => (usize::from(short), at + 2),
                low => (usize::from(low & 0x7f) | usize::from(message[at + 2]) << 7, at + 3),
            };
            if tag >> 3 == number {
                return message[start..start + length].to_vec();
            }
            at = start + length;
        }
        panic!("there is a field {number}")
    };
    let text = |message: Vec<u8>| path.iter().fold(message, |message, number| within(&message, *number));
    envelopes(body).into_iter().map(|message| String::from_utf8(text(message)).unwrap()).collect()
}

/// The data of server-sent events.
fn data(body: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(body).lines().filter_map(|line| line.strip_prefix("data: ")).map(str::to_owned).collect()
}

fn padded(bytes: &[u8]) -> String {
    let text = base64_of(bytes);
    format!("{text}{}", "=".repeat(text.len().next_multiple_of(4) - text.len()))
}

fn reply(media: &str, chunks: &[Vec<u8>]) -> Reply {
    let chunks = chunks.iter().map(|bytes| Chunk { bytes: bytes.clone(), at: Some(Duration::ZERO) });
    let headers = vec![("content-type".to_owned(), media.to_owned())];
    Reply { status: 200, headers, chunks: chunks.collect(), trailers: Vec::new(), truncated: None }
}

/// Records a reply with this environment and returns the file, or the code of the report that refuses it.
fn record(answer: &Reply, environment: Vec<(String, String)>) -> Result<(String, MemoryStore), String> {
    let store = MemoryStore::default();
    let recording = Plan { environment, ..plan(&store, Mode::Record) };
    let live = answer.clone();
    let (_, verdict) = run(recording, &[ask("x")], move |_: &Call| Outcome::Reply(live.clone()), BodyEnd::Passed);
    match codes(&verdict).as_slice() {
        [] => Ok((String::from_utf8(file(&store).unwrap()).unwrap(), store)),
        [code, ..] => Err((*code).to_owned()),
    }
}

/// What a replay serves of the file.
fn replayed(store: &MemoryStore) -> Reply {
    let (served, verdict) =
        run(plan(store, Mode::Replay), &[ask("x")], |_: &Call| panic!("it is served"), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    match &served[0] {
        Ok(Outcome::Reply(reply)) => reply.clone(),
        other => panic!("it is a reply: {other:?}"),
    }
}

/// What stands for the secret where nothing may become longer.
const FILLED: &str = "REDACTED.secret.000000";

#[track_caller]
fn check(frame: &Frame, pieces: &[String], expected: &str) {
    let chunks: Vec<Vec<u8>> = pieces.iter().map(|piece| (frame.write)(piece)).collect();
    let live = reply(frame.media, &chunks);
    let (_, store) = record(&live, environment()).unwrap_or_else(|code| panic!("{}: {code}: {pieces:?}", frame.name));
    let served = replayed(&store);
    let said = (frame.read)(&served.body());
    assert_eq!(said, expected, "{}: {pieces:?}", frame.name);
    for piece in pieces_of(&secret()) {
        assert!(!said.contains(piece), "{}: {said}", frame.name);
    }
    assert_eq!(served.chunks.len(), chunks.len());
    // Each chunk is the message that it was.
    assert_eq!(served.chunks.iter().map(|chunk| (frame.read)(&chunk.bytes)).collect::<String>(), expected);
    let mut secrets = Secrets::new(&environment());
    let redacted = redact_reply(&live, &ask("x"), &Rules::default(), &mut secrets);
    assert_eq!(redacted.body(), served.body(), "{}", frame.name);
    let again = redact_recorded_reply(&redacted, &Rules::default(), &mut secrets);
    assert_eq!(again.reply(), redacted.reply(), "{}", frame.name);

    let (unhidden, _) = record(&live, Vec::new()).unwrap_or_else(|code| panic!("{}: {code}: {pieces:?}", frame.name));
    assert_ne!(
        audit(&unhidden, &Rules::default(), &Secrets::new(&environment()), &[]),
        [],
        "{}: the audit sees it",
        frame.name
    );
}

#[test]
fn a_secret_in_pieces_is_hidden_in_every_framing() {
    let pieces: Vec<String> = secret().as_bytes().chunks(4).map(|c| String::from_utf8_lossy(c).into_owned()).collect();
    for frame in FRAMES {
        check(frame, &pieces, frame.stands);
        let whole = [format!("it is {} now", secret())];
        check(frame, &whole, &format!("it is {} now", stands(frame, &whole)));
    }
}

#[test]
fn what_names_and_looks_tell_is_hidden_in_an_event_stream() {
    let key = ["sk", "proj", "aB3dE6gH9kL2nP5qR8tU1wX4zA7"].join("-");
    let converse = &FRAMES[0];
    let body = |pieces: &[&str]| pieces.iter().map(|piece| (converse.write)(piece)).collect::<Vec<_>>();
    let (_, store) =
        record(&reply(EVENTS, &body(&["use ", &key[..9], &key[9..20], &key[20..], " now"])), Vec::new()).unwrap();
    assert_eq!((converse.read)(&replayed(&store).body()), "use REDACTED.openai-key.0 now");
    let named = message("x", "{\"password\":\"hunter-77-Abc-def-xyz\"}");
    let (_, store) = record(&reply(EVENTS, &[named]), Vec::new()).unwrap();
    assert_eq!(replayed(&store).body(), message("x", "{\"password\":\"REDACTED.password.0\"}"));
    let harmless =
        vec![message("x", "{\"text\":\"REDACTED.x.1 and REDACTED..y.2\"}"), message("y", "no JSON"), message("z", "")];
    let (_, store) = record(&reply(EVENTS, &harmless), environment()).unwrap();
    assert_eq!(replayed(&store), reply(EVENTS, &harmless));
}

#[test]
fn what_cannot_be_hidden_in_an_event_stream_is_a_leak() {
    let header = message(&secret(), "{}");
    assert_eq!(record(&reply(EVENTS, &[header]), environment()).unwrap_err(), "leak");
    let mut damaged = message("x", &format!("{{\"text\":{}}}", json(&secret())));
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    assert_eq!(record(&reply(EVENTS, &[damaged]), environment()).unwrap_err(), "leak");
}

/// What stands for the secret in these pieces: within one message of JSON it is as long as it was.
fn stands(frame: &Frame, pieces: &[String]) -> &'static str {
    let whole = pieces.iter().any(|piece| piece.contains(&secret()));
    if whole && frame.name == "Connect in JSON" { FILLED } else { frame.stands }
}

/// Returns whether what stands for a secret in one message of this framing is as long as it was.
fn is_counted(frame: &Frame) -> bool {
    frame.media.contains("grpc") || frame.media.contains("connect")
}

#[test]
fn a_message_that_was_cut_off_keeps_no_beginning_and_is_sealed_as_it_came() {
    for frame in FRAMES {
        let whole = (frame.write)("on it: ");
        let begun = (frame.write)(&format!("the key is {}", secret()));
        for end in 13..=begun.len() {
            let live = Reply {
                truncated: Some(Truncation::Left),
                ..reply(frame.media, &[whole.clone(), begun[..end].to_vec()])
            };
            let mut secrets = Secrets::new(&environment());
            let redacted = redact_reply(&live, &ask("x"), &Rules::default(), &mut secrets);
            let left = redacted.body();
            if is_counted(frame) && end < begun.len() {
                // So short a beginning is hidden in as many bytes, or the recording is refused.
                let short = pieces_of(&secret()).any(|piece| String::from_utf8_lossy(&left).contains(piece));
                assert!(!short || record(&live, environment()).is_err(), "{}: {end}", frame.name);
                continue;
            }
            assert!(left.starts_with(&whole), "{}: {end}: {}", frame.name, left.escape_ascii());
            let text = String::from_utf8_lossy(&left[whole.len()..]).into_owned();
            for piece in pieces_of(&secret()) {
                assert!(!text.contains(piece), "{}: {end}: {text}", frame.name);
            }
            for piece in base64_pieces() {
                assert!(!text.contains(&piece), "{}: {end}: {text}", frame.name);
            }
            if end == begun.len() {
                let stands = if is_counted(frame) { FILLED } else { frame.stands };
                assert_eq!((frame.read)(&left), format!("on it: the key is {stands}"), "{}", frame.name);
            }
        }
    }
}

/// What the base64 of the first eight letters of the secret holds for certain, wherever it begins.
fn base64_pieces() -> Vec<String> {
    let secret = secret();
    let at = |(before, shown): (usize, usize)| {
        base64_of(format!("{}{}", "x".repeat(before), &secret[..shown]).as_bytes())[[0, 2, 3][before]..].to_owned()
    };
    [(0, 9), (1, 8), (2, 10)].map(at).to_vec()
}

#[test]
fn the_beginning_with_which_an_unfinished_stream_ends_is_hidden() {
    for frame in FRAMES {
        for pieces in [vec!["it is ", "Zq9Horse/b"], vec!["it is Zq9H", "orse", "/bat"], vec!["Zq9Horse"]] {
            let chunks: Vec<Vec<u8>> = pieces.iter().map(|piece| (frame.write)(piece)).collect();
            let live = Reply { truncated: Some(Truncation::Left), ..reply(frame.media, &chunks) };
            let redacted = redact_reply(&live, &ask("x"), &Rules::default(), &mut Secrets::new(&environment()));
            let said = (frame.read)(&redacted.body());
            if is_counted(frame) {
                assert!(said.contains("REDACTED.s") || record(&live, environment()).is_err(), "{}: {said}", frame.name);
                continue;
            }
            let before =
                pieces.concat().replace(&secret()[..pieces.concat().len() - pieces.concat().find('Z').unwrap()], "");
            assert_eq!(said, format!("{before}{}", frame.stands), "{}: {pieces:?}", frame.name);
        }
    }
}

/// A secret that JSON writes with escapes, put together here so that no scanner takes this file for a leak.
fn escaped_secret() -> String {
    ["Zq9\"Horse", "bat+tery77=xK"].join("\\")
}

/// Two voices in turn, one of which says the secret.
type Voices = (&'static str, fn(&str, &str) -> String);

const VOICES: &[Voices] = &[
    ("a member beside it", |who, text| format!("data: {{\"agent\":\"{who}\",\"delta\":{}}}\n\n", json(text))),
    ("an aside", |who, text| format!("data: {{\"item_id\":\"msg-{who}\",\"delta\":{}}}\n\n", json(text))),
    ("a member above", |who, text| format!("data: {{\"from\":\"{who}\",\"n\":1,\"d\":{{\"t\":{}}}}}\n\n", json(text))),
    ("an object beside it", |who, text| format!("data: {{\"agent\":{{\"name\":\"{who}\"}},\"d\":{}}}\n\n", json(text))),
    ("a number", |who, text| format!("data: {{\"speaker\":{},\"delta\":{}}}\n\n", who.len(), json(text))),
    ("the event", |who, text| format!("event: {who}\ndata: {}\n\n", json(text))),
    ("a long member", |who, text| {
        let who = format!("researcher-agent-{who:>9}-{}", "in the same pool ".repeat(9));
        format!("data: {{\"agent\":\"{who}\",\"delta\":{}}}\n\n", json(text))
    }),
    ("a member behind many", |who, text| {
        let many: String = (0..40).map(|i| format!("\"m{i}\":\"v{i}\",")).collect();
        format!("data: {{{many}\"agent\":\"{who}\",\"delta\":{}}}\n\n", json(text))
    }),
    ("an object in an object beside it", |who, text| {
        format!("data: {{\"agent\":{{\"info\":{{\"name\":\"{who}\"}}}},\"d\":{}}}\n\n", json(text))
    }),
    ("an array beside it", |who, text| format!("data: {{\"namespace\":[\"{who}\"],\"d\":{}}}\n\n", json(text))),
    ("a tuple", |who, text| format!("data: [[\"{who}\"],{{\"content\":{}}}]\n\n", json(text))),
    ("a tuple in a tuple", |who, text| {
        format!("data: [[\"graph:1\",\"{who}\"],\"messages\",[{{\"content\":{}}},{{\"n\":1}}]]\n\n", json(text))
    }),
    ("an array of numbers", |who, text| format!("data: {{\"at\":[1,{}],\"d\":{}}}\n\n", who.len(), json(text))),
    ("a boolean", |who, text| format!("data: {{\"d\":{},\"final\":{}}}\n\n", json(text), who == "al")),
    ("a member that one lacks", |who, text| {
        let who = if who == "al" { String::new() } else { format!("\"agent\":\"{who}\",") };
        format!("data: {{{who}\"d\":{}}}\n\n", json(text))
    }),
    ("the event behind its data", |who, text| format!("data: {{\"t\":{}}}\nevent: {who}\n\n", json(text))),
    ("another field", |who, text| format!("channel: {who}\ndata: {{\"t\":{}}}\n\n", json(text))),
    ("the event of an object", |who, text| format!("event: {who}\ndata: {{\"t\":{}}}\n\n", json(text))),
];

#[test]
fn what_two_voices_say_in_turn_is_joined_by_voice() {
    let key = ["sk", "proj", "aB3dE6gH9kL2nP5qR8tU1wX4zA7"].join("-");
    for (secret, stands) in [(secret(), "REDACTED.secret.1"), (key, "REDACTED.openai-key.1")] {
        for (name, write) in VOICES {
            let pieces: Vec<&str> = secret.as_bytes().chunks(4).map(|c| std::str::from_utf8(c).unwrap()).collect();
            let others = ["The ", "next ", "train ", "to ", "Bergen ", "leaves ", "at ", "nine."].iter().cycle();
            let chunks: Vec<Vec<u8>> = pieces
                .iter()
                .zip(others.clone())
                .flat_map(|(piece, other)| [write("al", piece).into_bytes(), write("berta", other).into_bytes()])
                .collect();
            let live = reply("text/event-stream", &chunks);
            let (_, store) = record(&live, environment()).unwrap_or_else(|code| panic!("{name}: {code}"));
            let served = String::from_utf8(replayed(&store).body()).unwrap();
            let expected: Vec<String> = pieces
                .iter()
                .zip(others)
                .enumerate()
                .flat_map(|(i, (_, other))| [write("al", if i == 0 { stands } else { "" }), write("berta", other)])
                .collect();
            assert_eq!(served, expected.concat(), "{name}");
            if stands.contains("secret") {
                let (unhidden, _) = record(&live, Vec::new()).unwrap_or_else(|code| panic!("{name}: {code}"));
                let found = audit(&unhidden, &Rules::default(), &Secrets::new(&environment()), &[]);
                assert_ne!(found, [], "{name}: the audit sees it");
            }
        }
    }
}

/// Messages of two voices, each a text and its name or its number.
type Messages = (&'static str, &'static str, fn(&str, &str) -> Vec<u8>);

const MESSAGES: &[Messages] = &[
    ("the type of an event", EVENTS, |who, text| message(who, &format!("{{\"text\":{}}}", json(text)))),
    ("the type of an event that is text", EVENTS, message),
    ("a member of an event", EVENTS, |who, text| {
        message("chunk", &format!("{{\"who\":\"{who}\",\"text\":{}}}", json(text)))
    }),
    ("a member in Connect", "application/connect+json", |who, text| {
        envelope(0, format!("{{\"who\":[\"{who}\"],\"text\":{}}}", json(text)).as_bytes())
    }),
    ("a field", "application/grpc", |who, text| {
        envelope(0, &[field(1, who.as_bytes()), field(2, text.as_bytes())].concat())
    }),
    ("a number", "application/grpc", |who, text| {
        envelope(0, &[vec![8, who.len() as u8], field(2, text.as_bytes())].concat())
    }),
    ("a message beside it", "application/grpc", |who, text| {
        envelope(0, &[field(2, &field(1, text.as_bytes())), field(3, &field(1, who.as_bytes()))].concat())
    }),
    ("a field in messages of one", "application/x-protobuf", |who, text| {
        field(4, &[field(1, who.as_bytes()), field(2, text.as_bytes()), vec![0x18, 1]].concat())
    }),
];

#[test]
fn what_two_voices_say_in_messages_is_joined_by_voice() {
    let others = ["The ", "next ", "train ", "to ", "Bergen ", "leaves ", "at ", "nine."];
    for (name, media, write) in MESSAGES {
        let secret = secret();
        let pieces = secret.as_bytes().chunks(4).map(|c| std::str::from_utf8(c).unwrap());
        let turns: Vec<(&str, &str)> =
            pieces.zip(others).flat_map(|(piece, other)| [("al", piece), ("berta", other)]).collect();
        let live = reply(media, &turns.iter().map(|(who, text)| write(who, text)).collect::<Vec<_>>());
        let (_, store) = record(&live, environment()).unwrap_or_else(|code| panic!("{name}: {code}"));
        let served = replayed(&store).body();
        assert!(String::from_utf8_lossy(&served).contains("REDA"), "{name}: {}", served.escape_ascii());
        for (who, text) in &turns {
            let text = String::from_utf8_lossy(&write(who, text)[..]).into_owned();
            assert_eq!(*who == "berta", String::from_utf8_lossy(&served).contains(&text), "{name}: {text}");
        }
        let (unhidden, _) = record(&live, Vec::new()).unwrap_or_else(|code| panic!("{name}: {code}"));
        let found = audit(&unhidden, &Rules::default(), &Secrets::new(&environment()), &[]);
        assert_ne!(found, [], "{name}: the audit sees it");
    }
}

#[test]
fn a_text_within_texts_is_looked_into_or_refused() {
    let within = |text: &str, depth: usize| {
        (0..depth).fold(format!("{{\"t\":{}}}", json(text)), |inner, _| format!("{{\"t\":{}}}", json(&inner)))
    };
    let record_at = |secret: &str, depth: usize| {
        let pieces = secret.as_bytes().chunks(4).map(|c| std::str::from_utf8(c).unwrap());
        let chunks: Vec<Vec<u8>> = pieces.map(|p| format!("data: {}\n\n", within(p, depth)).into_bytes()).collect();
        record(&reply("text/event-stream", &chunks), environment())
    };
    for depth in 0..10 {
        match record_at(&secret(), depth) {
            Ok((text, _)) => assert!(depth <= 4 && text.contains("REDACTED.secret."), "{depth}: {text}"),
            Err(code) => assert!(depth > 4 && code == "leak", "{depth}: {code}"),
        }
        assert_eq!(record_at("the train to Bergen leaves at nine", depth).is_ok(), depth <= 4, "{depth}");
    }
}

#[test]
fn what_stands_around_base64_stays() {
    let pieces: Vec<String> = secret().as_bytes().chunks(4).map(padded).collect();
    let event = |piece: &String| format!("data: {{\"d\":{}}}\n\n", json(&format!(" {piece}\n"))).into_bytes();
    let live = reply("text/event-stream", &pieces.iter().map(event).collect::<Vec<_>>());
    let (_, store) = record(&live, environment()).unwrap();
    let said: Vec<String> =
        data(&replayed(&store).body()).iter().map(|d| strings(std::slice::from_ref(d), "/d")).collect();
    assert_eq!(said[0], format!(" {}\n", padded(UNNUMBERED.as_bytes())));
    assert!(said[1..].iter().all(|said| said == " \n"), "{said:?}");
}

#[test]
fn what_is_said_over_and_over_is_hidden_in_no_more_steps_a_time() {
    let pieces: Vec<String> = secret().as_bytes().chunks(4).map(|c| String::from_utf8_lossy(c).into_owned()).collect();
    let count = 12_000;
    let frames: Vec<u8> = pieces
        .iter()
        .cycle()
        .take(count / 6 * pieces.len())
        .flat_map(|p| envelope(0, &field(1, p.as_bytes())))
        .collect();
    let redacted = redact_reply(
        &reply("application/grpc", &[frames]),
        &ask("x"),
        &Rules::default(),
        &mut Secrets::new(&environment()),
    );
    assert_eq!(fields(&redacted.body(), &[1]), FILLED.repeat(count / 6));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_secret_in_any_pieces_is_hidden_in_every_framing(
        places in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
        frame in 0..FRAMES.len(),
        around in prop::bool::ANY,
    ) {
        let around = if around { ("the key is ", " today") } else { ("", "") };
        let text = format!("{}{}{}", around.0, secret(), around.1);
        let (frame, pieces) = (&FRAMES[frame], cut(&text, &places));
        // So much of a value is taken for all of it in base64, and goes as a whole.
        let nearly = |piece: &String| [&secret()[..20], &secret()[1..21], &secret()[2..]].iter().any(|most| piece.contains(most));
        prop_assume!(frame.stands != UNNUMBERED || !pieces.iter().any(|piece| nearly(piece) && !piece.contains(&secret())));
        check(frame, &pieces, &format!("{}{}{}", around.0, stands(frame, &pieces), around.1));
    }

    #[test]
    fn a_secret_with_escapes_in_pieces_of_arguments_is_hidden(places in prop::collection::vec(any::<prop::sample::Index>(), 1..8)) {
        let arguments = |secret: &str| format!("{{\"to\":\"Bergen\",\"note\":{}}}", json(&format!("use {secret} now")));
        let pieces = cut(&arguments(&escaped_secret()), &places);
        let event = |piece: &String| format!("data: {{\"index\":0,\"delta\":{{\"arguments\":{}}}}}\n\n", json(piece)).into_bytes();
        let known = vec![("LAB_API_KEY".to_owned(), escaped_secret())];
        let live = reply("text/event-stream", &pieces.iter().map(event).collect::<Vec<_>>());
        let (_, store) = record(&live, known).unwrap();
        let said = strings(&data(&replayed(&store).body()), "/delta/arguments");
        prop_assert_eq!(said, arguments("REDACTED.secret.1"));
    }
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut encoder, bytes).unwrap();
    encoder.finish().unwrap()
}

/// A secret in pieces, and a text that is as long and harmless.
fn told() -> [(Vec<String>, bool); 2] {
    let four = |text: &str| text.as_bytes().chunks(4).map(|piece| String::from_utf8(piece.to_vec()).unwrap()).collect();
    [(four(&secret()), false), (four("The next train to Bergen leaves at nine."), true)]
}

/// Records each, and checks that what is harmless is served as it came, and what is not is a leak.
#[track_caller]
fn check_told(name: &str, media: &str, written: impl Fn(&[String]) -> Vec<u8>) {
    for (pieces, harmless) in told() {
        let live = reply(media, &[written(&pieces)]);
        match record(&live, environment()) {
            Ok((_, store)) => {
                assert!(harmless, "{name} was saved");
                assert_eq!(replayed(&store).body(), live.body(), "{name}");
            }
            Err(code) => assert!(!harmless, "{name}: {code}"),
        }
    }
}

fn document(piece: &str) -> String {
    format!("{{\"text\":{}}}", json(piece))
}

#[test]
fn what_is_told_across_packed_messages_is_a_leak() {
    let frames = |pieces: &[String]| -> Vec<u8> {
        pieces.iter().flat_map(|piece| envelope(1, &packed(document(piece).as_bytes()))).collect()
    };
    check_told("packed", "application/connect+json", frames);
    check_told("one in two", "application/connect+json", |pieces| {
        let frame = |(i, piece): (usize, &String)| match i % 2 {
            0 => envelope(0, document(piece).as_bytes()),
            _ => envelope(1, &packed(document(piece).as_bytes())),
        };
        pieces.iter().enumerate().flat_map(frame).collect()
    });
}

#[test]
fn an_event_stream_is_joined_whatever_is_around_it() {
    let stream = |pieces: &[String]| -> Vec<u8> {
        pieces.iter().flat_map(|piece| message("contentBlockDelta", &document(piece))).collect()
    };
    check_told("packed as a whole", EVENTS, |pieces| packed(&stream(pieces)));
    check_told("packed twice", EVENTS, |pieces| packed(&packed(&stream(pieces))));
    for media in ["application/octet-stream", ""] {
        check_told(media, media, stream);
        check_told(media, media, |pieces| packed(&stream(pieces)));
    }
}

#[test]
fn behind_a_damaged_message_nothing_is_taken_for_read() {
    for media in [EVENTS, "application/octet-stream", ""] {
        let pieces = &told()[0].0;
        let whole: Vec<u8> = pieces.iter().flat_map(|piece| message("contentBlockDelta", &document(piece))).collect();
        for at in [2, 9, 40, message("contentBlockDelta", &document(&pieces[0])).len() + 40] {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert!(record(&reply(media, &[damaged]), environment()).is_err(), "{media}: {at}");
        }
    }
    // What is only cut off was all there is.
    let two = [message("a", "{\"text\":\"the next\"}"), message("a", "{\"text\":\"train\"}")].concat();
    for end in message("a", "{\"text\":\"the next\"}").len()..two.len() {
        let live = Reply { truncated: Some(Truncation::Left), ..reply(EVENTS, &[two[..end].to_vec()]) };
        assert!(record(&live, environment()).is_ok(), "{end}");
    }
}

#[test]
fn packed_messages_have_one_limit_together() {
    // It begins with a letter that begins no field, so that the text is nothing else.
    let large = packed(&field(1, "the next train ".repeat((24 << 20) / 15).as_bytes()));
    let frames = |count: usize| envelope(1, &large).repeat(count);
    assert!(record(&reply("application/grpc", &[frames(2)]), environment()).is_ok());
    assert!(record(&reply("application/grpc", &[frames(3)]), environment()).is_err());
}

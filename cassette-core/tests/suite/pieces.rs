//! Secrets that come piece by piece, in whatever framing.

use std::time::Duration;

use cassette_core::call::Call;
use cassette_core::mode::Mode;
use cassette_core::redact::{Rules, Secrets, redact_recorded_reply, redact_reply};
use cassette_core::reply::{Chunk, Outcome, Reply, Truncation};
use cassette_core::session::{BodyEnd, Plan};
use cassette_core::store::MemoryStore;
use proptest::prelude::*;

use crate::bench_of_calls::{ask, codes, file, plan, run};

/// A value of the environment, put together here so that no scanner takes this file for a leak.
pub(crate) fn secret() -> String {
    ["Zq9Horse", "bat+tery77=xK"].join("/")
}

pub(crate) fn environment() -> Vec<(String, String)> {
    vec![("LAB_API_KEY".to_owned(), secret())]
}

pub(crate) fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// How a piece is framed: its number and its text.
type Frame = fn(usize, &str) -> String;

/// The framings by their media types.
const FRAMES: &[(&str, &str, Frame)] = &[
    ("string", "text/event-stream", |_, d| format!("data: {}\n\n", json(d))),
    ("string with an event", "text/event-stream", |_, d| format!("event: tok\ndata: {}\n\n", json(d))),
    ("string with an id", "text/event-stream", |i, d| format!("id: {i}\ndata: {}\n\n", json(d))),
    ("string with both", "text/event-stream", |i, d| format!("id: {i}\nevent: tok\ndata: {}\n\n", json(d))),
    ("plain with an id", "text/event-stream", |i, d| format!("id: {i}\ndata: {d}\n\n")),
    ("object with an id", "text/event-stream", |i, d| format!("id: {i}\r\ndata: {{\"t\":{}}}\r\n\r\n", json(d))),
    ("array", "text/event-stream", |_, d| format!("data: [{}]\n\n", json(d))),
    ("tuple", "text/event-stream", |i, d| format!("data: [{i}, {}, \"tok\"]\n\n", json(d))),
    ("over two lines", "text/event-stream", |_, d| format!("data: {{\"t\":\ndata: {}}}\n\n", json(d))),
    ("lines", "application/json", |_, d| format!("{{\"t\":{}}}\n", json(d))),
    ("lines of arrays", "application/x-ndjson", |_, d| format!("[0,{}]\n", json(d))),
    ("lines of strings", "application/x-ndjson", |_, d| format!("{}\n", json(d))),
    ("marked lines", "text/plain; charset=utf-8", |_, d| format!("0:{}\n", json(d))),
    ("numbered lines", "text/x-component", |i, d| format!("{i:x}:{}\n", json(d))),
    ("one after the other", "application/json", |_, d| format!("{{\"t\":{}}}", json(d))),
    ("a sequence", "application/json-seq", |_, d| format!("\u{1e}{{\"t\":{}}}\n", json(d))),
    ("parts", "multipart/mixed; boundary=-", |_, d| {
        format!("---\r\ncontent-type: application/json\r\n\r\n{{\"data\":{{\"t\":{}}},\"hasNext\":true}}\r\n", json(d))
    }),
    ("a chat in an array", "application/json", |i, d| {
        let open = if i == 0 { "[" } else { ",\r\n" };
        format!(
            "{open}{{\"candidates\": [{{\"content\": {{\"parts\": [{{\"text\": {}}}], \"role\": \"model\"}}}}]}}",
            json(d)
        )
    }),
    ("logprobs", "application/json", |i, d| {
        let open = if i == 0 { "{\"logprobs\":{\"content\":[" } else { "," };
        format!("{open}{{\"token\":{},\"logprob\":-0.5}}", json(d))
    }),
    ("bytes", "application/json", |_, d| format!("{{\"item\":{:?}}}\n", d.as_bytes())),
    ("chat in hex", "text/event-stream", |_, d| {
        let hex: String = d.bytes().map(|b| format!("{b:02x}")).collect();
        format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{hex}\"}}}}]}}\n\n")
    }),
];

/// What ends a body of this framing.
fn end(name: &str) -> &'static str {
    match name {
        "a chat in an array" => "]",
        "logprobs" => "]}}",
        "parts" => "-----\r\n",
        _ => "",
    }
}

fn reply(media: &str, chunks: &[String]) -> Reply {
    let chunks = chunks.iter().map(|text| Chunk { bytes: text.clone().into_bytes(), at: Some(Duration::ZERO) });
    let headers = vec![("content-type".to_owned(), media.to_owned())];
    Reply { status: 200, headers, chunks: chunks.collect(), trailers: Vec::new(), truncated: None }
}

/// Cuts a text at these places.
pub(crate) fn cut(text: &str, places: &[prop::sample::Index]) -> Vec<String> {
    let mut places: Vec<usize> = places.iter().map(|place| place.index(text.len())).collect();
    places.extend([0, text.len()]);
    places.sort_unstable();
    places.windows(2).map(|pair| text[pair[0]..pair[1]].to_owned()).collect()
}

/// Records a reply and returns the file, or the code of the report that refuses it.
fn record(answer: &Reply) -> Result<(String, MemoryStore), String> {
    let store = MemoryStore::default();
    let recording = Plan { environment: environment(), ..plan(&store, Mode::Record) };
    let live = answer.clone();
    let (_, verdict) = run(recording, &[ask("x")], move |_: &Call| Outcome::Reply(live.clone()), BodyEnd::Passed);
    match codes(&verdict).as_slice() {
        [] => Ok((String::from_utf8(file(&store).unwrap()).unwrap(), store)),
        [code, ..] => Err((*code).to_owned()),
    }
}

/// What a replay serves of the file.
fn replayed(store: &MemoryStore) -> Vec<u8> {
    let (served, verdict) =
        run(plan(store, Mode::Replay), &[ask("x")], |_: &Call| panic!("it is served"), BodyEnd::Passed);
    assert_eq!(codes(&verdict), [""; 0]);
    match &served[0] {
        Ok(Outcome::Reply(reply)) => reply.body(),
        other => panic!("it is a reply: {other:?}"),
    }
}

/// What a body says to whoever joins its pieces: its strings but for those that are the same in each.
fn joined(body: &str) -> String {
    let mut said = String::new();
    let mut rest = body;
    while let Some(start) = rest.find('"') {
        let mut end = start + 1;
        while rest.as_bytes()[end] != b'"' {
            end += if rest.as_bytes()[end] == b'\\' { 2 } else { 1 };
        }
        let text: String = serde_json::from_str(&rest[start..=end]).unwrap();
        rest = &rest[end + 1..];
        if !rest.starts_with(':') && !["tok", "model"].contains(&text.as_str()) {
            said.push_str(&text);
        }
    }
    said
}

/// What the arrays of numbers of a body spell.
fn spelled(body: &str) -> String {
    let arrays = body.split('[').skip(1).filter_map(|rest| rest.split(']').next());
    let bytes = arrays.flat_map(|array| array.split(',')).filter_map(|number| number.trim().parse().ok());
    String::from_utf8(bytes.collect()).unwrap()
}

/// What the hexadecimal digits of a body spell.
fn unhexed(text: &str) -> String {
    let pairs = (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap());
    String::from_utf8(pairs.collect()).unwrap()
}

pub(crate) fn pieces_of(secret: &str) -> impl Iterator<Item = &str> {
    (0..=secret.len() - 8).map(|at| &secret[at..at + 8])
}

#[track_caller]
fn check(name: &str, media: &str, chunks: &[String], around: (&str, &str)) {
    let live = reply(media, chunks);
    let (file, store) = record(&live).unwrap_or_else(|code| panic!("{name}: {code}: {chunks:?}"));
    let served = String::from_utf8(replayed(&store)).unwrap();
    let said = match name {
        "bytes" => spelled(&served),
        "chat in hex" => unhexed(&joined(&served)),
        "plain with an id" => served.lines().filter_map(|line| line.strip_prefix("data: ")).collect(),
        _ => joined(&served),
    };
    let stands = if ["bytes", "chat in hex"].contains(&name) { "REDACTED.secret.0" } else { "REDACTED.secret.1" };
    // A piece may look like a secret under the name that it has there, `token`.
    if name != "logprobs" || !said.contains("REDACTED.token.") {
        assert_eq!(said, format!("{}{stands}{}", around.0, around.1), "{name}: {served}");
    }
    for piece in pieces_of(&secret()) {
        assert!(!file.contains(piece) && !served.contains(piece) && !said.contains(piece), "{name}: {file}");
    }
    let mut secrets = Secrets::new(&environment());
    let redacted = redact_reply(&live, &ask("x"), &Rules::default(), &mut secrets);
    assert_eq!(redacted.body(), served.as_bytes(), "{name}");
    assert_eq!(redacted.chunks.len(), chunks.len());
    let again = redact_recorded_reply(&redacted, &Rules::default(), &mut secrets);
    assert_eq!(again.reply(), redacted.reply(), "{name}");
}

fn framed(frame: &(&str, &str, Frame), pieces: &[String]) -> Vec<String> {
    let mut chunks: Vec<String> = pieces.iter().enumerate().map(|(i, piece)| frame.2(i, piece)).collect();
    chunks.extend(Some(end(frame.0).to_owned()).filter(|end| !end.is_empty()));
    chunks
}

#[test]
fn a_secret_in_four_letters_a_piece_is_hidden_in_every_framing() {
    let pieces: Vec<String> = secret().as_bytes().chunks(4).map(|c| String::from_utf8_lossy(c).into_owned()).collect();
    for frame in FRAMES {
        check(frame.0, frame.1, &framed(frame, &pieces), ("", ""));
    }
}

/// Hides what is known in a reply of this type.
fn hidden(media: &str, body: &str) -> String {
    let redacted = redact_reply(
        &reply(media, &[body.to_owned()]),
        &ask("x"),
        &Rules::default(),
        &mut Secrets::new(&environment()),
    );
    String::from_utf8(redacted.body()).unwrap()
}

#[test]
fn a_credential_in_pieces_is_told_by_its_looks_in_an_array() {
    let key = ["sk", "proj", "aB3dE6gH9kL2nP5qR8tU1wX4zA7"].join("-");
    let element = |text: &str| format!("{{\"candidates\":[{{\"content\":{{\"parts\":[{{\"text\":\"{text}\"}}]}}}}]}}");
    let array =
        |pieces: &[&str]| format!("[{}]", pieces.iter().map(|text| element(text)).collect::<Vec<_>>().join(",\r\n"));
    assert_eq!(
        hidden("application/json", &array(&["use ", &key[..9], &key[9..20], &key[20..], " now"])),
        array(&["use ", "REDACTED.openai-key.1", "", "", " now"])
    );
    let names = r#"[{"text":"the password: "},{"text":"hunter-77-Abc-def-xyz"}]"#;
    assert_eq!(hidden("application/json", names), names, "what stands in an array need not belong together");
}

#[test]
fn the_last_piece_may_be_an_error_and_each_piece_a_byte() {
    let lines = |pieces: &[&str]| pieces.concat();
    let secret = secret();
    let items = ["{\"item\":{\"a\":\"Zq9H\"}}\n", "{\"item\":{\"a\":\"orse/bat\"}}\n", "{\"error\":\"+tery77=xK\"}\n"];
    assert_eq!(
        hidden("application/json", &lines(&items)),
        "{\"item\":{\"a\":\"REDACTED.secret.1\"}}\n{\"item\":{\"a\":\"\"}}\n{\"error\":\"\"}\n"
    );
    let numbers = |text: &str| text.bytes().map(|byte| format!("{{\"item\":{byte}}}\n")).collect::<String>();
    assert_eq!(hidden("application/json", &numbers(&format!("a {secret} z"))), numbers("a REDACTED.secret.000000 z"));
}

#[test]
fn a_slash_that_a_script_escapes_is_a_slash() {
    let escaped = secret().replace('/', "\\/");
    let page = format!("<script>var c = {{\"u\":\"{escaped}\"}};</script>");
    assert_eq!(hidden("text/html", &page), "<script>var c = {\"u\":\"REDACTED.secret.1\"};</script>");
    assert_eq!(hidden("text/plain", &format!("it is {escaped}.")), "it is REDACTED.secret.1.");
    let within = json(&page);
    assert_eq!(
        hidden("application/json", &format!("{{\"html\":{within}}}")),
        format!("{{\"html\":{}}}", json(&page.replace(&escaped, "REDACTED.secret.1")))
    );
}

#[test]
fn a_value_that_goes_on_in_the_next_line_is_hidden() {
    let secret = secret();
    let (head, tail) = secret.split_at(9);
    for end in ["\n", "\r\n", "\n    "] {
        assert_eq!(hidden("text/plain", &format!("a {head}{end}{tail} b")), "a REDACTED.secret.1 b");
    }
    assert_eq!(hidden("text/plain", &format!("a {head}\n\n{tail} b")), format!("a {head}\n\n{tail} b"));
}

#[test]
fn other_codings_of_what_is_known_are_decoded() {
    for (name, coding) in CODINGS {
        let body = format!("it is {} and more", coding(&secret()));
        let left = hidden("text/plain", &body);
        assert!(!left.contains(&coding(&secret())) && left.ends_with(" and more"), "{name}: {left}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a_secret_in_pieces_is_hidden_in_every_framing(
        places in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
        frame in prop::sample::select(FRAMES.to_vec()),
        around in prop::bool::ANY,
    ) {
        let around = if around { ("the key is ", " today") } else { ("", "") };
        let text = format!("{}{}{}", around.0, secret(), around.1);
        let mut pieces = cut(&text, &places);
        pieces.retain(|piece| !piece.is_empty());
        if frame.0 == "plain with an id" {
            // White space at the ends of plain data is not told from the framing.
            pieces.iter_mut().for_each(|piece| *piece = piece.replace(' ', "_"));
        }
        let around = if frame.0 == "plain with an id" { (around.0.replace(' ', "_"), around.1.replace(' ', "_")) } else { (around.0.to_owned(), around.1.to_owned()) };
        if pieces.len() > 1 {
            check(frame.0, frame.1, &framed(&frame, &pieces), (&around.0, &around.1));
        }
    }

    #[test]
    fn snapshots_that_grow_show_no_beginning(
        places in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
        frame in prop::sample::select(vec![0, 2, 5, 9, 11, 12, 14, 17]),
    ) {
        let frame = &FRAMES[frame];
        let text = format!("the key is {} today", secret());
        let mut shown = String::new();
        let mut pieces: Vec<String> = Vec::new();
        for piece in cut(&text, &places) {
            shown.push_str(&piece);
            pieces.push(shown.clone());
        }
        let (file, store) = record(&reply(frame.1, &framed(frame, &pieces))).unwrap();
        let served = String::from_utf8(replayed(&store)).unwrap();
        prop_assert!(served.contains("the key is REDACTED.secret.1 today"));
        for piece in pieces_of(&secret()) {
            prop_assert!(!file.contains(piece) && !served.contains(piece), "{}: {file}", frame.0);
        }
    }

    #[test]
    fn the_beginning_at_the_end_of_what_was_cut_short_is_hidden_in_every_coding(
        shown in 8..22usize,
        coding in prop::sample::select(CODINGS.to_vec()),
        before in "[ -!#-Z^-~]{0,9}",
    ) {
        let beginning = secret()[..shown].to_owned();
        let full = coding.1(&format!("{before}{}", secret()));
        // The cut goes anywhere behind so much of it.
        let from = coding.1(&format!("{before}{beginning}")).trim_end_matches('=').len();
        for cut in from..full.trim_end_matches('=').len() {
            let body = format!("{{\"note\":\"the key is {}", &full[..cut]);
            let live = Reply { truncated: Some(Truncation::Left), ..reply("application/json", &[body]) };
            let mut secrets = Secrets::new(&environment());
            let redacted = redact_reply(&live, &ask("x"), &Rules::default(), &mut secrets);
            let left = String::from_utf8(redacted.body()).unwrap();
            let coded = coding.1(&beginning);
            prop_assert!(!left.contains(coded.trim_end_matches('=')), "{}: {left}", coding.0);
            prop_assert!(left.contains("REDACTED.") || coding.0 != "plain", "{}: {left}", coding.0);
        }
    }
}

/// A coding by its name.
type Coding = (&'static str, fn(&str) -> String);

const CODINGS: &[Coding] = &[
    ("plain", str::to_owned),
    ("percent", |text| text.bytes().map(|b| format!("%{b:02X}")).collect()),
    ("escapes", |text| text.bytes().map(|b| format!("\\u{b:04x}")).collect()),
    ("braced", |text| text.bytes().map(|b| format!("\\u{{{b:x}}}")).collect()),
    ("octal", |text| text.bytes().map(|b| format!("\\{b:03o}")).collect()),
    ("entities", |text| text.bytes().map(|b| format!("&#x{b:x};")).collect()),
    ("hex", |text| text.bytes().map(|b| format!("{b:02x}")).collect()),
    ("base64", base64),
    ("decimal", |text| text.bytes().map(|b| b.to_string()).collect::<Vec<_>>().join(", ")),
    ("utf-16 in base64", |text| base64_of(&wide(text))),
    ("utf-16 in hex", |text| wide(text).iter().map(|b| format!("{b:02x}")).collect()),
    ("script", |text| text.replace('/', "\\/")),
];

fn wide(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn base64(text: &str) -> String {
    base64_of(text.as_bytes())
}

pub(crate) fn base64_of(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |group: &[u8]| {
        let word = group.iter().enumerate().fold(0u32, |word, (i, byte)| word | u32::from(*byte) << (16 - 8 * i));
        (0..=group.len()).map(|i| char::from(DIGITS[(word >> (18 - 6 * i) & 63) as usize])).collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}

//! What the audit finds in a file, and what it leaves alone.

use proptest::prelude::{ProptestConfig, any, prop, prop_oneof, proptest};
use proptest::strategy::{Just, Strategy};

use std::time::Duration;

use super::{Finding, allow_list_mistake, audit, mask, read_allow_list};
use crate::call::Call;
use crate::disk;
use crate::json::{Json, Layout};
use crate::key::Key;
use crate::redact::coding::base64::{Spelling, encode};
use crate::redact::{Rules, Secrets};
use crate::reply::{Chunk, Outcome, Reply};
use crate::tape::{Asked, Head, Interaction, Tape};

fn key() -> String {
    ["sk", "proj", "aB3dE6gH9kL2nP5qR8tU1wX4zA7"].join("-")
}

fn file(body: &str) -> String {
    format!(
        r#"{{"cassette": 1, "interactions": [{{"kind": "http", "name": "POST https://a.test", "request": {{"headers": [["content-type", "text/plain"]], "body": {body}}}}}]}}"#
    )
    .replace("KEY", &key())
}

/// Audits a file with this request body, in which `KEY` stands for a credential; expects `path rule` of each finding.
#[track_caller]
fn check(body: &str, expected: &[&str]) {
    let text = file(body);
    let findings = audit(&text, &Rules::default(), &Secrets::default(), &[]);
    let short = |path: &str| path.strip_prefix("interactions[0].request.body").map(str::to_owned);
    let found: Vec<String> =
        findings.iter().map(|f| format!("{} {}", short(&f.path).unwrap_or_default(), f.rule)).collect();
    assert_eq!(found, expected);
    assert!(findings.iter().all(|finding| finding.interaction == Some(0) && !finding.shown.contains(&key()[5..])));
    let masked = mask(&text, &Rules::default(), &Secrets::default());
    assert!(!masked.contains(&key()), "{masked}");
    assert!(audit(&masked, &Rules::default(), &Secrets::default(), &[]).is_empty(), "{masked}");
}

#[test]
fn a_finding_names_its_place() {
    check(r#"{"json": {"messages": [{"content": "x KEY"}]}}"#, &[".json.messages[0].content openai-key"]);
    check(r#"{"json": {"a b": "KEY"}}"#, &[r#".json["a b"] openai-key"#]);
    check(r#"{"json": {"KEY": {"spend": "KEY"}}}"#, &[".json.*[0] openai-key", ".json.*[0].spend openai-key"]);
    check(r#"{"text": "a%253DKEY"}"#, &[".text openai-key"]);
    check(r#"{"json": {"password": "hunter3-Zq9"}}"#, &[".json.password password"]);
    check(r#"{"json": {"password": "REDACTED.password.1", "n": 1}}"#, &[]);
}

#[test]
fn pieces_are_joined() {
    let key = key();
    let (head, tail) = key.split_at(12);
    let body = format!(r#"{{"events": [{{"data": {{"delta": "{head}"}}}}, {{"data": {{"delta": "{tail}"}}}}]}}"#);
    check(&body, &[".events[0].data.delta openai-key", ".events[1].data.delta openai-key"]);
}

#[test]
fn what_is_encoded_across_pieces_is_told_where_it_stands() {
    let encoded =
        encode(format!("the key is {}, and no other", key()).as_bytes(), Spelling { url: false, padded: true });
    let (head, tail) = encoded.split_at(20);
    let other = |i: usize| format!(r#"{{"data": {{"delta": " train {i} "}}}}"#);
    let mut events: Vec<_> = (0..40).map(other).collect();
    for at in [9, 30] {
        events[at] = format!(r#"{{"data": {{"delta": " {head}"}}}}"#);
        events[at + 1] = format!(r#"{{"data": {{"delta": "{tail} "}}}}"#);
    }
    let found = [9, 10, 30, 31].map(|at| format!(".events[{at}].data.delta openai-key"));
    check(&format!(r#"{{"events": [{}]}}"#, events.join(", ")), &found.each_ref().map(String::as_str));
}

#[test]
fn an_id_that_begins_as_if_it_were_packed_is_an_id() {
    let hexadecimal = "7801ea03f6c68ccbc6677793ad8b0617";
    let bytes = crate::redact::coding::hex::decode(hexadecimal).unwrap();
    let base64 = encode(&bytes, Spelling { url: false, padded: true });
    for id in [hexadecimal, &base64] {
        check(&format!(r#"{{"json": {{"id": "{id}"}}}}"#), &[]);
        check(&format!(r#"{{"text": "{id}  trains.bin"}}"#), &[]);
        check(&format!(r#"{{"events": [{{"data": {{"d": "a "}}}}, {{"data": {{"d": "{id} "}}}}]}}"#), &[]);
    }
}

#[test]
fn pieces_are_joined_in_every_framing() {
    let key = key();
    let (head, tail) = key.split_at(12);
    let bytes = |text: &str| text.bytes().map(|byte| byte.to_string()).collect::<Vec<_>>().join(",");
    let both = |path: &str| [format!("{path} openai-key"), format!("{path} openai-key").replace("[0]", "[1]")];
    let check = |body: String, expected: &[String]| {
        check(&body, &expected.iter().map(String::as_str).collect::<Vec<_>>());
    };
    let event = |i: usize, text: &str| format!(r#""id: {i}\nevent: tok\ndata: \"{text}\"\n\n""#);
    check(format!(r#"{{"events": [{}, {}]}}"#, event(0, head), event(1, tail)), &both(".events[0]"));
    let event = |i: usize, text: &str| format!(r#"{{"data": [{i}, "{text}", " tok "]}}"#);
    check(format!(r#"{{"events": [{}, {}]}}"#, event(0, head), event(1, tail)), &both(".events[0].data[1]"));
    check(format!(r#"{{"json": [{{"t": "{head}"}}, {{"t": "{tail}"}}]}}"#), &both(".json[0].t"));
    check(
        format!(r#"{{"json": {{"content": [{{"said": "{head}"}}, {{"said": "{tail}"}}]}}}}"#),
        &both(".json.content[0].said"),
    );
    check(format!(r#"{{"json": [[{}], [{}]]}}"#, bytes(head), bytes(tail)), &both(".json[0]"));
    for text in [
        format!(r#"0:\"{head}\"\n0:\"{tail}\"\n"#),
        format!(r#"{{\"t\": \"{head}\"}}{{\"t\": \"{tail}\"}}"#),
        format!(r#"\u001e{{\"t\": \"{head}\"}}\n\u001e{{\"t\": \"{tail}\"}}\n"#),
        format!(r#"--b\r\nx: y\r\n\r\n{{\"t\": \"{head}\"}}\r\n--b\r\n\r\n{{\"t\": \"{tail}\"}}\r\n--b--"#),
    ] {
        let path = if text.starts_with('0') { ".text" } else { ".text.t" };
        check(format!(r#"{{"text": "{text}"}}"#), &[format!("{path} openai-key")]);
    }
}

#[test]
fn what_is_known_is_found_across_pieces_and_as_it_grows() {
    let secret = ["Zq9Horse", "bat+tery77=xK"].join("/");
    let mut secrets = Secrets::default();
    secrets.declare(&secret).expect("it is long enough");
    let check = |body: &str, expected: &[&str]| {
        let findings = super::audit(&file(body), &Rules::default(), &secrets, &[]);
        let found: Vec<_> =
            findings.iter().map(|f| f.path.trim_start_matches("interactions[0].request.body")).collect();
        assert_eq!(found, expected, "{body}");
    };
    let (head, tail) = secret.split_at(5);
    let items =
        format!(r#"{{"events": [{{"line": {{"item": {{"a": "{head}"}}}}}}, {{"line": {{"error": "{tail}"}}}}]}}"#);
    check(&items, &[".events[0].line.item.a", ".events[1].line.error"]);
    let numbers: Vec<String> = secret.bytes().map(|byte| format!(r#"{{"line": {{"item": {byte}}}}}"#)).collect();
    let paths: Vec<String> = (0..secret.len()).map(|i| format!(".events[{i}].line.item")).collect();
    check(&format!(r#"{{"events": [{}]}}"#, numbers.join(", ")), &paths.iter().map(String::as_str).collect::<Vec<_>>());
    let grown =
        |shown: usize| format!(r#"{{"json": [{{"t": "is {}"}}, {{"t": "is REDACTED.secret.1"}}]}}"#, &secret[..shown]);
    check(&grown(8), &[".json[0].t"]);
    check(&grown(7), &[]);
}

#[test]
fn the_members_of_archives_are_looked_into() {
    use std::io::Write as _;
    let member = |method: u8, length: usize, packed: Vec<u8>| {
        let mut head = b"PK\x03\x04".to_vec();
        head.extend([20, 0, 0, 0, method, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        head.extend((packed.len() as u32).to_le_bytes());
        head.extend((length as u32).to_le_bytes());
        head.extend([5, 0, 0, 0]);
        [head, b"a.txt".to_vec(), packed, b"PK\x01\x02\xff\xfe".to_vec()].concat()
    };
    let stored = |text: &str| member(0, text.len(), text.as_bytes().to_vec());
    let zip = |text: &str| {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(text.repeat(3).as_bytes()).expect("it is memory");
        member(8, text.len() * 3, encoder.finish().expect("it is memory"))
    };
    let plain = Spelling { url: false, padded: true };
    for (text, expected) in [(format!("<w:t>{} ok</w:t>", key()), "openai-key"), ("<w:t>nothing</w:t>".to_owned(), "")]
    {
        let at = |path: &str| if expected.is_empty() { vec![] } else { vec![format!("{path} {expected}")] };
        for encoded in [zip(&text), stored(&text)].map(|archive| encode(&archive, plain)) {
            for (body, path) in [("base64", ".base64"), ("json", ".json.file_data"), ("json", ".json.note")] {
                let value = match body {
                    "json" => format!(r#"{{"{}": "{encoded}"}}"#, &path[6..]),
                    _ => format!("\"{encoded}\""),
                };
                check(&format!(r#"{{"{body}": {value}}}"#), &at(path).iter().map(String::as_str).collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn bytes_are_looked_into() {
    let plain = Spelling { url: false, padded: true };
    let body = |bytes: &[u8]| format!(r#"{{"base64": "{}"}}"#, encode(bytes, plain));
    check(&body(format!("a={}", key()).as_bytes()), &[".base64 openai-key"]);
    let hex: String = key().bytes().map(|byte| format!("{byte:02x}")).collect();
    check(&format!(r#"{{"text": "\\x{hex}"}}"#), &[".text openai-key"]);
    check(&body(b"\x00\x01\x02\xff\xfe nothing known"), &[".base64 opaque-body"]);
    let wide = |text: &str| [vec![0xff, 0xfe], text.encode_utf16().flat_map(u16::to_le_bytes).collect()].concat();
    check(&body(&wide(&format!("a\u{e9}={}", key()))), &[".base64 openai-key"]);
    check(&body(&wide("nothing known")), &[]);
    check(r#"{"text": "CREATE USER joe IDENTIFIED BY 'tulip-gate'"}"#, &[".text password"]);
    check(r#"{"text": "user,password\njoe,tulip-gate\nann,gate-tulip"}"#, &[".text password", ".text password"]);
    check(&body(b"\x89PNG\r\n\x1a\n\xff\xff"), &[]);
}

#[test]
fn what_the_user_vouches_for_is_left_out() {
    let text = file(r#"{"json": {"a": "KEY", "b": ["KEY"]}}"#);
    let audit = |text: &str, list: &str| {
        let allowed = read_allow_list(list.as_bytes(), "trains").expect("a list");
        super::audit(text, &Rules::default(), &Secrets::default(), &allowed)
    };
    let findings = audit(&text, "[]");
    let entries = |cassette: &str| {
        let entries: Vec<String> = findings.iter().map(|finding| finding.entry(cassette)).collect();
        format!("[{}]", entries.join(",")).replace("\"\"}", "\"a test\"}")
    };
    assert_eq!(findings.len(), 2);
    assert!(audit(&text, &entries("trains")).is_empty());
    assert_eq!(audit(&text, &entries("planes")).len(), 2, "one cassette does not vouch for another");
    assert_eq!(audit(&text, &entries("trains").replace("openai-key", "jwt")).len(), 2);
    assert_eq!(audit(&text, &entries("trains").replace(".a", ".c")).len(), 1);
    assert_eq!(audit(&text.replace("aB3", "xY9"), &entries("trains")).len(), 2, "nor one value for another");
    let two = text.replace(&key(), &format!("{} {}", key(), key().replace("aB3", "xY9")));
    assert!(!audit(&two, &entries("trains")).is_empty(), "nor for one beside it");
}

#[test]
fn an_entry_of_an_allow_list_is_whole() {
    let entry = r#"{"cassette": "a", "path": "p", "rule": "r", "value": "0123abcd", "reason": "x"}"#;
    let read = |entry: &str| read_allow_list(format!("[{entry}]").as_bytes(), "a");
    assert_eq!(read(entry).map(|list| list.len()), Ok(1));
    for name in ["cassette", "path", "rule", "value", "reason"] {
        let lacking = entry.replace(&format!("\"{name}\""), "\"other\"");
        assert_eq!(read(&lacking), Err(format!("entry 1: `{name}` is missing or empty")));
    }
    let error = "entry 1: `value` is not eight hexadecimal digits in lower case";
    assert_eq!(read(&entry.replace("0123abcd", "0123ABCD")), Err(error.to_owned()));
    assert_eq!(read(&entry.replace("\"x\"", "\" \"")), Err("entry 1: `reason` is missing or empty".to_owned()));
}

#[test]
fn a_hint_gives_nothing_away() {
    let shown = |value: &str| Finding::new("p", "r", value).shown;
    assert_eq!(shown("q7Zx9k1"), "7 characters");
    assert_eq!(shown(&"a".repeat(19)), "19 characters");
    assert_eq!(shown("abcdefghijklmnopqrst"), "abcd.. (20 characters)");
}

#[test]
fn numbers_are_walked() {
    let rules = Rules { values: vec!["4155550123".into()], fields: vec!["pin".into()], pii: true, ..Rules::default() };
    let secrets = Secrets::new(&[("BANK_PASSWORD".to_owned(), "8273645190".to_owned())]);
    let body = r#"{"json": {"a": 4155550123, "b": [4111111111111111, 4.111111111111111], "pin": 12, "c": 8273645190, "n": 200}}"#;
    let text = file(body).replacen("1,", "1, \"meta\": {\"a\": 4155550123}, \"other\": 4155550123,", 1);
    let findings = super::audit(&text, &rules, &secrets, &[]);
    let found: Vec<_> =
        findings.iter().map(|f| format!("{} {}", f.path.rsplit('.').next().unwrap_or_default(), f.rule)).collect();
    assert_eq!(found, ["a value", "a value", "b[0] card-number", "pin field", "c secret"]);
    let masked = mask(&text, &rules, &secrets);
    let expected = r#"{"a": "MASKED.value", "b": ["MASKED.card-number", 4.111111111111111], "pin": "MASKED.field", "c": "MASKED.secret", "n": 200}"#;
    assert!(masked.contains(expected), "{masked}");
}

#[test]
fn what_no_walk_finds_has_a_line_and_is_masked() {
    let mut secrets = Secrets::default();
    secrets.learn("one\": \"two-three");
    let text = "{\n  \"one\": \"two-three\"\n}";
    let findings = super::audit(text, &Rules::default(), &secrets, &[]);
    assert_eq!(findings.iter().map(|f| f.path.as_str()).collect::<Vec<_>>(), ["line 2"]);
    assert!(!mask(text, &Rules::default(), &secrets).contains("two-three"));
}

#[test]
fn what_is_no_document_is_searched_as_it_stands() {
    let rules = Rules { values: vec!["timetable".into()], pii: true, ..Rules::default() };
    let text = format!("torn {}\nline timetable a@b.org", key());
    let findings = super::audit(&text, &rules, &Secrets::default(), &[]);
    let found: Vec<_> = findings.iter().map(|f| format!("{} {}", f.path, f.rule)).collect();
    assert_eq!(found, ["line 1 openai-key", "line 2 value", "line 2 email"]);
    assert_eq!(mask(&text, &rules, &Secrets::default()), "torn MASKED\nline MASKED MASKED");
}

/// Writes an exchange with this request and this reply, masks it, and reads it back.
#[track_caller]
fn masked_and_read(call: Call, content_type: &str, chunks: &[&[u8]]) -> String {
    let chunk =
        |(i, bytes): (usize, &&[u8])| Chunk { bytes: bytes.to_vec(), at: Some(Duration::from_millis(i as u64 * 10)) };
    let headers = vec![("content-type".to_owned(), content_type.to_owned())];
    let chunks = chunks.iter().enumerate().map(chunk).collect();
    let outcome = Outcome::Reply(Reply { status: 200, headers, chunks, trailers: Vec::new(), truncated: None });
    let asked = Asked::Whole(call);
    let interaction = Interaction { key: Key::over([]), asked, within: None, overlaps: false, outcome };
    let head = Head { by: "test".into(), ..Head::default() };
    let text = disk::write(&Tape { head, interactions: vec![interaction] });
    let masked = mask(&text, &Rules::default(), &Secrets::default());
    assert!(masked.contains("MASKED") && !masked.contains(&key()), "{masked}");
    assert!(audit(&masked, &Rules::default(), &Secrets::default(), &[]).is_empty(), "{masked}");
    let tape = disk::read(masked.as_bytes()).unwrap_or_else(|error| panic!("{error:?} of\n{masked}"));
    let Outcome::Reply(reply) = tape.interactions[0].outcome() else { panic!("it is a reply") };
    let bodies: Vec<_> = reply.chunks.iter().map(|chunk| String::from_utf8_lossy(&chunk.bytes).into_owned()).collect();
    bodies.join("|")
}

#[test]
fn a_masked_file_reads_back() {
    let call = |body: &str| Call::http("POST", "https://a.test/", Vec::new(), body.as_bytes().to_vec());
    let (plain, key) = (call("{}"), key());
    assert_eq!(
        masked_and_read(plain.clone(), "application/json", &[format!(r#"{{"a":"{key}"}}"#).as_bytes()]),
        r#"{"a":"MASKED.openai-key"}"#
    );
    // A text that is shorter than its chunks were, and one that is longer.
    let pieces: [&[u8]; 3] = [key.as_bytes(), b" and what comes after", b" it"];
    assert_eq!(masked_and_read(plain.clone(), "text/plain", &pieces), "MASKED.openai-key||");
    let event = format!("data: {{\"a\":\"{key}\"}}\n\n");
    assert_eq!(
        masked_and_read(plain.clone(), "text/event-stream", &[event.as_bytes(), b"data: [DONE]\n\n"]),
        "data: {\"a\":\"MASKED.openai-key\"}\n\n|data: [DONE]\n\n"
    );
    // Bytes that nobody can look into.
    assert_eq!(
        masked_and_read(plain, "application/octet-stream", &[b"\x00\x01\x02", b"\xff\xfe nothing known"]),
        "MAS|KED.opaque-body"
    );
    let named = Call::http("POST", &format!("https://a.test/?k={key}"), vec![("x-a".into(), key.clone())], Vec::new());
    assert_eq!(masked_and_read(named, "text/plain", &[b"ok"]), "ok");
}

/// Documents as cassettes are, with what is to be found in any place of them.
fn cassette() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ -~]{0,12}",
        prop::sample::select(vec![
            "timetable",
            "a@b.org",
            "8273645190",
            "REDACTED.x.1",
            "MASKED.a",
            "api_key=",
            "%3D",
            "data: ",
            "\n\n"
        ])
        .prop_map(str::to_owned),
        // A credential is told by what stands around it.
        Just(format!(" {} ", key())),
        Just(encode(format!("key={}", key()).as_bytes(), Spelling { url: false, padded: true })),
    ];
    let text = prop::collection::vec(piece, 0..5).prop_map(|pieces| Json::from(pieces.concat()).print(Layout::Compact));
    let number = prop::sample::select(vec!["1", "-4155550123", "8273645190", "4111111111111111", "1.5e3"])
        .prop_map(str::to_owned);
    let leaf = prop_oneof![text.clone(), text.clone(), number];
    let json = leaf.prop_recursive(3, 24, 6, move |inner| {
        let name = text.clone();
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|list| format!("[{}]", list.join(", "))),
            prop::collection::btree_map(name, inner, 0..5).prop_map(|map| {
                format!(
                    "{{{}}}",
                    map.iter().map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>().join(", ")
                )
            }),
        ]
    });
    (json, prop::sample::select(vec!["json", "text", "events", "base64", "other"]))
        .prop_map(|(body, kind)| file(&format!(r#"{{"{kind}": {body}}}"#)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn what_is_masked_has_no_findings(text in cassette(), cut in any::<prop::sample::Index>()) {
        let rules = Rules { values: vec!["timetable".into(), "4155550123".into()], fields: vec!["a".into()], pii: true, ..Rules::default() };
        let mut secrets = Secrets::new(&[("A_KEY".to_owned(), key())]);
        secrets.learn("8273645190");
        let torn = &text[..cut.index(text.len())];
        for text in [text.as_str(), torn] {
            let findings = super::audit(text, &rules, &secrets, &[]);
            assert!(findings.iter().all(|finding| !finding.path.is_empty()));
            let masked = mask(text, &rules, &secrets);
            assert!(super::audit(&masked, &rules, &secrets, &[]).is_empty());
            assert!(!masked.contains(&key()) && !masked.contains("timetable"), "{masked}");
            assert!(!findings.is_empty() || masked == text);
        }
    }
}

#[test]
fn what_is_wrong_with_an_allow_list_is_told_by_line() {
    let told = |text: &str| allow_list_mistake(text.as_bytes());
    let sound =
        r#"{"cassette": "a, [b]", "path": "x", "rule": "r", "value": "01234567", "reason": "it is \"made up\""}"#;
    assert_eq!(told(&format!("[\n  {sound},\n  {sound}\n]")), None);
    assert_eq!(told("[]"), None);
    let unreasoned = r#"{"cassette": "a"}"#;
    let (line, what) = told(&format!("[\n  {sound},\n\n  {unreasoned}\n]")).unwrap();
    assert_eq!((line, what.as_str()), (Some(4), "entry 2: `value` is missing or empty"));
    assert_eq!(told(&format!("[\n{sound},\n7]")).unwrap().0, Some(3));
    assert_eq!(told("\n{").unwrap().0, Some(2));
    assert_eq!(told("{}").unwrap(), (Some(1), "the list is no array".to_owned()));
}

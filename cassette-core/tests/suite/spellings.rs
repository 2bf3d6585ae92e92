//! Known values and keys in every spelling: whatever redaction leaves, the audit refuses.

use std::io::Write as _;
use std::time::Duration;

use cassette_core::audit::audit;
use cassette_core::call::Call;
use cassette_core::mode::Mode;
use cassette_core::redact::{Rules, Secrets, redact_recorded_reply, redact_reply};
use cassette_core::reply::{Chunk, Outcome, Reply};
use cassette_core::session::{BodyEnd, Plan};
use cassette_core::store::MemoryStore;

use crate::bench_of_calls::{ask, codes, file, plan, run};

/// A value of the environment, put together here so that no scanner takes this file for a leak.
fn secret() -> String {
    ["Zq9Horse", "bat+tery77=xK"].join("/")
}

/// A credential of a form that is known, and which nobody knows.
fn key() -> String {
    ["sk", "proj", "aB3dE6gH9kL2nP5qR8tU1wX4zA7"].join("-")
}

fn secrets() -> Secrets {
    Secrets::new(&[("LAB_API_KEY".to_owned(), secret())])
}

fn reply(media: &str, body: &str) -> Reply {
    let chunks = vec![Chunk { bytes: body.as_bytes().to_vec(), at: Some(Duration::ZERO) }];
    let headers = vec![("content-type".to_owned(), media.to_owned())];
    Reply { status: 200, headers, chunks, trailers: Vec::new(), truncated: None }
}

/// Returns what is left of a body.
fn hidden(media: &str, body: &str) -> String {
    let mut secrets = secrets();
    let redacted = redact_reply(&reply(media, body), &ask("x"), &Rules::default(), &mut secrets);
    let again = redact_recorded_reply(&redacted, &Rules::default(), &mut secrets);
    assert_eq!(again.reply(), redacted.reply(), "it is hidden once");
    String::from_utf8(redacted.body()).unwrap()
}

/// Hides a text in a plain body and in a string of a document, finds nothing in the file of that, and something in the file of
/// the text as it was.
#[track_caller]
fn check(text: &str, expected: &str) {
    let json = |text: &str| format!("{{\"text\":{}}}", serde_json::to_string(text).unwrap());
    assert_eq!(hidden("text/plain", text), expected, "{text:?}");
    assert_eq!(hidden("application/json", &json(text)), json(expected), "{text:?}");
    let environment = vec![("LAB_API_KEY".to_owned(), secret())];
    for body in [text.to_owned(), json(text)] {
        let live = reply("text/plain", &body);
        let store = MemoryStore::default();
        let plan = Plan { environment: environment.clone(), ..plan(&store, Mode::Record) };
        let (_, verdict) = run(plan, &[ask("x")], move |_: &Call| Outcome::Reply(live.clone()), BodyEnd::Passed);
        assert_eq!(codes(&verdict), [""; 0], "{text:?}");
        let recorded = String::from_utf8(file(&store).unwrap()).unwrap();
        assert_eq!(audit(&recorded, &Rules::default(), &secrets(), &[]), [], "{text:?}");
    }
    let file = |body: &str| format!("{{\"interactions\":[{{\"reply\":{{\"body\":{body}}}}}]}}");
    let found = |body: &str| audit(&file(body), &Rules::default(), &secrets(), &[]).len();
    assert_ne!(found(&json(text)), 0, "the audit finds {text:?}");
    assert_ne!(found(&format!("{{\"json\":{}}}", json(text))), 0, "the audit finds {text:?} in a document");
}

/// Leaves a text as it is.
#[track_caller]
fn left(text: &str) {
    assert_eq!(hidden("text/plain", text), text);
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn base32(bytes: &[u8]) -> String {
    let bits: String = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
    let digit = |bits: &[u8]| {
        let value = bits.iter().fold(0, |value, bit| value << 1 | usize::from(bit - b'0')) << (5 - bits.len());
        char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[value])
    };
    let digits: String = bits.as_bytes().chunks(5).map(digit).collect();
    let padding = digits.len().next_multiple_of(8) - digits.len();
    digits + &"=".repeat(padding)
}

#[test]
fn a_value_over_three_lines_and_more_is_hidden() {
    let secret = secret();
    for end in ["\n", "\r\n", "\n    ", " \n\t"] {
        for width in [1, 3, 7, 9] {
            let lines: Vec<&str> =
                (0..secret.len()).step_by(width).map(|at| &secret[at..secret.len().min(at + width)]).collect();
            check(&format!("a {} b", lines.join(end)), "a REDACTED.secret.1 b");
        }
    }
    left(&format!("a {} b", secret.split_at(9).0.to_owned() + "\n\n" + secret.split_at(9).1));
}

#[test]
fn markup_and_colours_within_a_value_are_no_part_of_it() {
    let secret = secret();
    let (head, tail) = secret.split_at(9);
    let (first, last) = head.split_at(4);
    for between in ["<b>", "</b>", "<span class=\"x\">", "</i><b>", "<br/>", "\u{1b}[0m", "\u{1b}[1;31m"] {
        check(&format!("a {first}{between}{last}{between}{tail} b"), "a REDACTED.secret.1 b");
    }
    left(&format!("a {head}<{tail} b"));
    left(&format!("a {head}<b>x</b>{tail} b"));
}

#[test]
fn utf_16_in_hexadecimal_may_begin_with_its_mark() {
    let wide = |unit: fn(u16) -> [u8; 2], text: &str| hex(&text.encode_utf16().flat_map(unit).collect::<Vec<u8>>());
    for (mark, unit) in [("fffe", u16::to_le_bytes as fn(u16) -> [u8; 2]), ("feff", u16::to_be_bytes)] {
        check(
            &format!("a {mark}{} b", wide(unit, &secret())),
            &format!("a {mark}{} b", wide(unit, "REDACTED.secret.0")),
        );
    }
}

#[test]
fn packed_text_in_hexadecimal_is_unpacked() {
    let text = |said: &str| format!("the keys are {said} and {said}");
    let gzip = |text: &str, level: u32| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(level));
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let zlib = |text: &str, level: u32| {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(level));
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let upper = |bytes: &[u8]| hex(bytes).to_uppercase();
    for (said, rule) in [(secret(), "secret"), (key(), "openai-key")] {
        let stands = text(&format!("REDACTED.{rule}.0"));
        let said = text(&said);
        check(&format!("it: {}.", hex(&gzip(&said, 6))), &format!("it: {}.", hex(&gzip(&stands, 0))));
        check(&format!("\\\\x{}", upper(&zlib(&said, 9))), &format!("\\\\x{}", upper(&zlib(&stands, 0))));
    }
    left(&format!("it: {}", hex(&gzip("nothing to hide here", 6))));
}

#[test]
fn base32_is_decoded() {
    let bare = |bytes: &[u8]| base32(bytes).trim_end_matches('=').to_owned();
    let lower = |bytes: &[u8]| base32(bytes).to_lowercase();
    for before in ["", "a", "ab", "the key", "it is"] {
        for (said, rule) in [(secret(), "secret"), (key(), "openai-key")] {
            let (said, stands) = (format!("{before} {said} x"), format!("{before} REDACTED.{rule}.0 x"));
            for coding in [&base32 as &dyn Fn(&[u8]) -> String, &bare, &lower] {
                let left = hidden("text/plain", &format!("a {} b", coding(said.as_bytes())));
                let coded = format!("a {} b", coding(stands.as_bytes()));
                // What fills no place that is left may be padded or not.
                let same = left.replace('=', "") == coded.replace('=', "");
                assert!(same || left == "a REDACTED.secret.1 b", "{left}");
                check(&format!("a {} b", coding(said.as_bytes())), &left);
            }
        }
    }
    // Within other bytes no text is to be seen, but what every text around the value holds.
    let bytes = [&b"\xff\xfe\x00\x01"[..], secret().as_bytes(), b"\x00\xff"].concat();
    check(&format!("a {} b", base32(&bytes)), "a REDACTED.secret.1 b");
    left("ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

#[test]
fn a_value_of_the_environment_is_hidden_in_letters_of_another_case() {
    for said in [secret().to_uppercase(), secret().to_lowercase()] {
        check(&format!("INVALID KEY {said}."), "INVALID KEY REDACTED.secret.1.");
    }
    // A short one may be a word.
    let mut secrets = Secrets::new(&[("LAB_API_KEY".to_owned(), "Tulip-Gate-9".to_owned())]);
    let shouted = reply("text/plain", "TULIP-GATE-9");
    let redacted = redact_reply(&shouted, &ask("x"), &Rules::default(), &mut secrets);
    assert_eq!(redacted.body(), b"TULIP-GATE-9");
}
